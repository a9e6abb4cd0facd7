"""The page in a browser, and in print: nothing is cut off, fetched or complained of."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from msgspec import structs

from chromium import CHROMIUM, Browser, browser
from synthetic_ledger import RADIUS
from tgite.errors import InvalidInput
from tgite_checks.audit.judgement import Judged, judge
from tgite_checks.audit.report import in_print
from tgite_checks.audit.report.formulas import mathml
from tgite_checks.audit.report.lettering import font_style
from tgite_checks.audit.report.page import page
from tgite_checks.audit.tasks import Aim, Finished, Task
from tgite_checks.check import Depth
from tgite_checks.claims.book import Ledger
from tgite_checks.claims.registry import ledger
from tgite_checks.proofs.record import proved
from tgite_laws.cli.main import status
from tgite_laws.implementation import REFERENCE


def own_entries() -> Judged:
    """Judge all claims and findings of the project, unexamined but for one check with a plot."""
    claims = {
        label: structs.replace(one, checks={}, nothing_to_check="left out here")
        for label, one in ledger().claims.items()
    }
    first = next(iter(claims))
    claims[first] = structs.replace(claims[first], checks={"synthetic_ledger": (RADIUS.name,)})
    of: Ledger = replace(ledger(), claims=claims, checks={RADIUS.name: RADIUS})
    task = Task(Aim.CHECK, RADIUS.name)
    found = Finished(task, RADIUS.run(REFERENCE, Depth.QUICK))
    return judge(of, {task: found}, depth=Depth.QUICK, theorems=proved())


@pytest.fixture(scope="module")
def entries() -> Judged:
    return own_entries()


@pytest.fixture(scope="module")
def address(entries: Judged, tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("page") / "audit.html"
    file.write_text(page(entries), encoding="utf-8")
    return file.as_uri()


@pytest.fixture(scope="module")
def tab() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no chromium here")
    with browser() as opened:
        yield opened


@pytest.mark.parametrize("width", [1400, 850, 700, 500, 340])
def test_the_page_is_quiet_and_as_wide_as_its_window(
    width: int, tab: Browser, address: str
) -> None:
    tab.resize(width)
    seen = tab.open(address)
    assert seen.complaints == []
    assert [one for one in seen.requests if not one.startswith("data:")] == [address]
    assert seen.too_wide_by <= 0
    tab.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert tab.too_wide_by() <= 0


def test_a_link_to_an_entry_opens_it(tab: Browser, address: str) -> None:
    tab.resize(1400)
    tab.open("about:blank")
    tab.open(f"{address}#claim-lem:app-anytime-cs")
    entry = "document.getElementById('claim-lem:app-anytime-cs')"
    assert tab.evaluate(f"{entry}.closest('details').open") is True
    assert abs(tab.evaluate(f"{entry}.getBoundingClientRect().top")) < 900


def test_formulas_are_laid_out_as_formulas(tab: Browser, address: str) -> None:
    tab.open(address)
    tall = tab.evaluate(
        "Math.max(...[...document.querySelectorAll('.headline mfrac')]"
        ".map(one => one.getBoundingClientRect().height))"
    )
    line = tab.evaluate("parseFloat(getComputedStyle(document.body).fontSize)")
    assert tall > 1.2 * line


def test_the_page_brings_the_font_of_its_formulas(tab: Browser, address: str) -> None:
    tab.open(address)
    assert tab.evaluate("document.fonts.ready.then(all => [...all].map(one => one.status))") == [
        "loaded"
    ]
    # The brackets around fractions are as tall as these.
    tall = tab.evaluate(
        "(() => { const row = document.querySelector('.headline mfrac + mrow');"
        "return row.querySelector('mo').getBoundingClientRect().height"
        " / row.getBoundingClientRect().height; })()"
    )
    assert tall > 0.9


def test_a_font_has_the_glyphs_of_the_formulas_alone() -> None:
    few, more = (
        font_style(f"<p>{mathml(latex)}</p>") for latex in ("x", r"\frac{a}{b} \le \Delta")
    )
    assert few.startswith("@font-face")
    assert len(few) < len(more) < 100_000
    assert font_style("<p>no formula: x</p>") == ""
    assert font_style(f"<p>{mathml('x')}</p>") == few


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("element", ["body", ".small", "a", ".outcome.against", ".standing"])
def test_text_stands_out_from_the_paper(
    scheme: str, element: str, tab: Browser, address: str
) -> None:
    tab.call(
        "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}]
    )
    tab.open(address)
    ink, paper = (
        tab.evaluate(f"getComputedStyle(document.querySelector('{of}')).{what}")
        for of, what in ((element, "color"), ("body", "backgroundColor"))
    )
    lights = sorted(_luminance(colour) for colour in (ink, paper))
    assert (lights[1] + 0.05) / (lights[0] + 0.05) >= 4.5
    assert (_luminance(paper) < 0.5) == (scheme == "dark")


def _luminance(colour: str) -> float:
    """Return the relative luminance of ``rgb(r, g, b)``, as contrasts are measured by."""
    parts = (int(part) / 255 for part in re.findall(r"\d+", colour)[:3])
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_page_fits_a_sheet_of_paper(tab: Browser, address: str) -> None:
    tab.call("Emulation.setEmulatedMedia", media="print")
    tab.resize(718)
    tab.open(address)
    assert tab.too_wide_by() <= 0
    tab.call("Emulation.setEmulatedMedia", media="")


@pytest.fixture
def printing() -> None:
    try:
        in_print.require_printing("x.pdf")
    except InvalidInput as missing:
        pytest.skip(str(missing))


@pytest.mark.usefixtures("printing")
def test_the_pdf_has_two_pages_and_says_what_the_page_says(entries: Judged, tmp_path: Path) -> None:
    made = in_print.printed_report(entries)
    assert made.startswith(b"%PDF")
    file = tmp_path / "audit.pdf"
    file.write_bytes(made)
    if shutil.which("pdftotext") is None:
        pytest.skip("there is no pdftotext here")
    read = subprocess.run(["pdftotext", "-layout", file, "-"], capture_output=True, check=True)
    pages = read.stdout.decode().split("\f")[:-1]
    assert len(pages) <= 2
    text = " ".join(" ".join(pages).split())
    for words in (
        "Summary",
        "Of the 18 statements",
        "Tree-guided identification",
        "Errors and overclaims",
    ):
        assert words in text


def test_without_what_makes_a_pdf_the_audit_says_so_before_it_begins(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(name: str) -> ModuleType:
        print("advice of its own")
        raise OSError("cannot load library 'libpango-1.0-0'\nand so on")

    monkeypatch.setattr(in_print, "import_module", missing)
    with pytest.raises(InvalidInput, match=r"needs WeasyPrint.*tgite\[pdf\].*libpango-1.0-0"):
        in_print.require_printing(tmp_path / "x.pdf")
    words = ["audit", "--ledger", "synthetic_ledger:SOUND", "--out", str(tmp_path / "out")]
    assert status([*words, "--pdf", str(tmp_path / "x.pdf")]) == 2
    told = capsys.readouterr()
    assert "advice" not in told.out
    assert "check" not in told.err
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("printing")
def test_the_audit_writes_a_pdf(tmp_path: Path) -> None:
    words = ["audit", "--ledger", "synthetic_ledger:SOUND", "--jobs", "1", "--depth", "quick"]
    file = tmp_path / "x.pdf"
    assert status([*words, "--out", str(tmp_path / "out"), "--pdf", str(file)]) == 0
    assert file.read_bytes().startswith(b"%PDF")
