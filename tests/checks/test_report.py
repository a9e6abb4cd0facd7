"""The report on ledgers of no meaning is compared whole; the page and the PDF are shown."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from html.parser import HTMLParser
from importlib.resources import files
from math import inf
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from msgspec import structs
from rich.console import Console

from chromium import CHROMIUM, Browser, browser
from golden import same_as, table
from synthetic_ledger import BELOW, BROKEN, HENCE, RADIUS, SOUND, Checked, claim, failing, made_of
from tgite.errors import InvalidInput
from tgite_checks.audit.judgement import Judged, judge
from tgite_checks.audit.report import pdf
from tgite_checks.audit.report.document import document, written
from tgite_checks.audit.report.formula_font import font_style
from tgite_checks.audit.report.formulas import NotFormula, mathml, plain
from tgite_checks.audit.report.numbers import nearest, outwards, shown, slack
from tgite_checks.audit.report.opening import printed_rows
from tgite_checks.audit.report.page import SERIOUS, clock, page
from tgite_checks.audit.report.progress import progress
from tgite_checks.audit.report.prose import Setting, in_characters
from tgite_checks.audit.report.sentences import sentences
from tgite_checks.audit.report.terminal import show
from tgite_checks.audit.tasks import Aim, Finished, Task, perform, tasks_of
from tgite_checks.check import Check, Depth, Kind, Number, Question, Result
from tgite_checks.claims.book import Ledger
from tgite_checks.claims.model import ClaimKind, Outcome, Severity, Verdict
from tgite_checks.claims.registry import ledger
from tgite_checks.figures.svg import plot_svg, printed_svg
from tgite_checks.figures.table import ROWS, Reading, What, number_name
from tgite_checks.plot import Plot, Role, Series
from tgite_checks.printed import NUMBERS
from tgite_checks.proofs.record import ProvedTheorem, proved
from tgite_checks.verdict import Status
from tgite_laws.cli.main import status
from tgite_laws.enclosure import Enclosure
from tgite_laws.implementation import REFERENCE

GOLDEN = Path(__file__).parent / "reports"
SCHEMA: dict[str, object] = json.loads(
    files("tgite_checks").joinpath("schemas/audit.schema.json").read_text(encoding="utf-8")
)
MADE = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
RECORD = {
    "sum": ProvedTheorem("sum", "Sum.v", ("lem:first",), "a < b ->\na + a < b + b", {"a": "1"}, ())
}
# No claim that anybody makes: it must come out as text.
HOSTILE = '<script>alert("&")</script>'


def judged(of: Ledger, name: str, mutants: bool = False, **how: Any) -> Judged:
    """Run the tasks of ``of`` as the synthetic ledger of that name has them, and judge."""
    tasks = tasks_of(of, mutants)
    done = {task: perform(task, Depth.QUICK, f"synthetic_ledger:{name}") for task in tasks}
    return judge(of, done, depth=Depth.QUICK, mutants=mutants, **how)


def by_theorem(**how: Any) -> Judged:
    theorem = replace(BELOW, kind=Kind.THEOREM, certifies=("sum",))
    return judged(made_of(claim("lem:first", theorem)), "SOUND", **how)


def hostile() -> Judged:
    words = ("title", "place", "hypotheses", "statement", "not_established")
    entry = claim(
        *("lem:x", BELOW),
        **dict.fromkeys(words, HOSTILE),
        transcription=(HOSTILE,),
        verdicts={Question.TRUTH: Verdict(Outcome.REFUTED, HOSTILE, HOSTILE)},
    )
    texts = dict.fromkeys(("title", "place", "claim", "reason", "correction"), HOSTILE)
    finding = structs.replace(
        SOUND.findings["one-is-two"], label="lem:x", demonstration="", **texts
    )
    return judged(made_of(entry, findings=(finding,)), "SOUND")


def found(name: str, *fewest: float, whole: bool = True) -> Judged:
    """Judge the claims of a table, and the first printed numbers by what a run costs at least."""
    claims, results = list[Checked](), dict[str, Result]()
    for row in table("checks/report.toml", name):
        changes: dict[str, object] = {
            name: row[name] for name in ("repeats", "title") if name in row
        }
        changes["kind"] = ClaimKind(row["kind"])
        if "outcome" in row:
            changes["verdicts"] = {Question.TRUTH: Verdict(Outcome(row["outcome"]), "all")}
        checks = []
        if "check" in row:
            question = Question(row["question"])
            checks = [Check(row["check"], question, Kind.CERTIFIED, "all", failing)]
            number = Number("C", Enclosure.exactly(1.5))
            results[row["check"]] = Result(row["holds"], 1, "", (number,))
        claims.append(claim(row["label"], *checks, **changes))
    for (label, (_, check)), least in zip(ROWS.items(), fewest, strict=False):
        counted = Check(check, Question.EXPERIMENT, Kind.CERTIFIED, "all", failing)
        claims.append(claim(label, counted, kind=ClaimKind.NUMBER))
        values = {what: least * (1 if what is What.FEWEST else 2) for what in What}
        del values[What.CHANCE]
        numbers = tuple(
            Number(number_name(what, reading), Enclosure.exactly(value))
            for reading in Reading
            for what, value in values.items()
        )
        results[check] = Result(True, 1, "found", numbers)
    tasks = {Task(Aim.CHECK, name): result for name, result in results.items()}
    done = {task: Finished(task, result) for task, result in tasks.items()}
    return judge(made_of(*claims), done, depth=Depth.QUICK, whole=whole)


@pytest.fixture(scope="module")
def entries() -> Judged:
    """All claims and findings of the project, unexamined but for one check with a plot."""
    claims = {
        label: structs.replace(
            one, checks={}, nothing_to_check=one.nothing_to_check or "left out here"
        )
        for label, one in ledger().claims.items()
    }
    first = next(iter(claims))
    claims[first] = structs.replace(claims[first], checks={"synthetic_ledger": (RADIUS.name,)})
    of: Ledger = replace(ledger(), claims=claims, checks={RADIUS.name: RADIUS})
    task = Task(Aim.CHECK, RADIUS.name)
    done = {one: Finished(one, Result(True, 1, "found")) for one in tasks_of(of, mutants=False)}
    done[task] = Finished(task, RADIUS.run(REFERENCE, Depth.QUICK))
    return judge(of, done, depth=Depth.QUICK, theorems=proved(), rechecked=True)


REPORTS: dict[str, Callable[[], Judged]] = {
    "sound": lambda: judged(SOUND, "SOUND", True, theorems=RECORD, notes=("a file was torn",)),
    "broken": lambda: judged(BROKEN, "BROKEN", True, theorems=RECORD),
    "hence": lambda: judged(HENCE, "HENCE"),
    "hence_alone": lambda: judged(HENCE.selected(["lem:second"]), "HENCE"),
    "proved_here": lambda: by_theorem(theorems=RECORD, rechecked=True),
    "proved_elsewhere": lambda: by_theorem(theorems=RECORD),
    "proved_nowhere": by_theorem,
    "hostile": hostile,
    "favourable": lambda: found("favourable", *(NUMBERS[one].mean + 10_000 for one in ROWS)),
    "mixed": lambda: found("mixed", 1.0, 100_000.0),
}


class Reader(HTMLParser):
    """Reads a page: its text, its links, its ids, and whether every element is closed."""

    VOID = frozenset({"meta", "link", "br", "hr", "img"})
    BLOCKS = frozenset({"p", "li", "div", "tr", "dt", "dd", "h1", "h2", "h3", "h4", "summary"})
    BLOCKS |= {"section", "figcaption", "pre", "td", "th"}

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.ids = re.findall(r'\sid="([^"]*)"', text)
        self.links = re.findall(r'\s(?:href|xlink:href|src)="([^"]*)"', text)
        self.tags = {*re.findall(r"<(\w+)", text)}
        self.feed(text)
        self.close()
        assert self.open == []
        assert len(self.ids) == len(set(self.ids))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of = dict(attrs)
        if tag in self.BLOCKS:
            self.text += "\n# " if tag in ("h2", "summary") else "\n"
        if tag == "math" and "svg" not in self.open:
            self.text += of["alttext"] or ""
        if "open" in of:
            self.text += "\n(open)"
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag in self.VOID or self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"style", "svg", "math"} & set(self.open):
            self.text += data


def steady(text: str) -> str:
    """Return a report without what differs between machines, and without empty lines."""
    text = re.sub(r"from sources .* with\n.*", "from sources", text)
    text = re.sub(r"\b\d+\.\d s\b", "0.0 s", text)
    text = re.sub(r"line \d+ of", "line 1 of", text)
    return "".join(f"{line.strip()}\n" for line in text.splitlines() if line.strip())


def on_terminal(of: Judged, every: bool) -> str:
    stream = io.StringIO()
    show(of, Console(file=stream, width=140), every)
    return "".join(f"{line.rstrip()}\n" for line in stream.getvalue().splitlines())


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_the_recorded_one(name: str) -> None:
    """The page is whole, fetches nothing, says what is recorded and nothing else."""
    of = REPORTS[name]()
    text = page(of, MADE)
    assert page(of, MADE) == text
    reader = Reader(text)
    inner = {link.removeprefix("#") for link in reader.links if link.startswith("#")}
    assert inner <= set(reader.ids)
    assert [link for link in reader.links if not link.startswith("#")] == ["data:,"]
    assert not {"script", "img", "iframe", "object"} & reader.tags
    # The one address is the name of SVG's vocabulary, which nobody fetches.
    assert set(re.findall(r"https?://[^\s\"'<>]+", text)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }
    assert not re.search(r"url\(http|@import|\{\{|\{%", text)
    # What is on every page, and what these repeat of others, is recorded once.
    ends = {"sound": None, "favourable": "\n# Findings about"}.get(name, "\n# What the words mean")
    shown = steady(reader.text.split(ends)[0] if ends else reader.text)
    shown += "".join(f"\nOn a terminal:\n\n{on_terminal(of, every)}" for every in (False, True))
    same_as(GOLDEN / f"{name}.txt", shown)


@pytest.mark.parametrize("name", ["sound", "hence"])
def test_a_document_is_the_recorded_one_and_keeps_to_its_schema(name: str) -> None:
    """Floats are recorded to six digits, which no processor's logarithm changes."""
    text = written(document(REPORTS[name]()))
    content = json.loads(text, parse_float=lambda x: float(f"{float(x):.6g}"))
    assert schema_errors(json.loads(text)) == []
    assert not {"NaN", "Infinity"} & set(re.findall(r"\w+", text))
    del content["sources"], content["versions"]
    shown = re.sub(r'"seconds": [\d.]+', '"seconds": 0.0', json.dumps(content, indent=1))
    same_as(GOLDEN / f"{name}.json", re.sub(r"line \d+ of", "line 1 of", shown) + "\n")


def test_the_projects_own_entries_can_be_shown(entries: Judged) -> None:
    Reader(page(entries, MADE))
    for one in (entries, REPORTS["broken"]()):
        assert schema_errors(json.loads(written(document(one)))) == []


def test_of_a_part_of_the_claims_nothing_is_said() -> None:
    assert sentences(found("favourable", whole=False)) == ()


# The document's schema.


def schema_errors(content: object) -> list[str]:
    Draft202012Validator.check_schema(SCHEMA)
    return [error.json_path for error in Draft202012Validator(SCHEMA).iter_errors(content)]


@pytest.mark.parametrize(("path", "value"), table("checks/report.toml", "refused"))
def test_the_schema_refuses_what_is_not_a_document(path: list[str | int], value: object) -> None:
    """Nor one that lacks a part which is not surplus."""
    content = json.loads(written(document(REPORTS["sound"]())))
    place = content
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert schema_errors(content) != []
    del place[path[-1]]
    assert (schema_errors(content) == []) == (path[-1] in ("surplus", "beauty"))


def test_the_schema_knows_the_words_of_the_ledger() -> None:
    listed = re.findall(r'"enum": (\[[^\]]*\])', json.dumps(SCHEMA))
    kinds = (Depth, Outcome, Question, Status, ClaimKind, Kind, Severity, Role)
    words = {tuple(map(str, kind)) for kind in kinds}
    assert {tuple(json.loads(one)) for one in listed} == words | {("inf", "-inf")}


# Texts, numbers and plots.


def test_words_have_symbols_and_commas() -> None:
    text = (
        "Delta* = .26, delta = 1/100000; 26478 to 5972. Not 12345.6, `delta 10000`, a12345 or 9999"
    )
    shown = "Δ* = .26, δ = 1/100,000; 26,478 to 5972. Not 12345.6, `delta 10000`, a12345 or 9999"
    assert in_characters(text) == shown


def test_prose() -> None:
    text = "a < b\nc:\n\n$$x < y$$\n\nif $x < 1$, `f(<x>)` & `$1`"
    assert str(Setting().prose(text)) == (
        f'<p>a &lt; b\nc:</p>\n<div class="formula">{mathml("x < y", True)}</div>\n'
        f"<p>if {mathml('x < 1')}, <code>f(&lt;x&gt;)</code> &amp; <code>$1</code></p>"
    )


@pytest.mark.parametrize(("latex", "text"), table("checks/report.toml", "plain"))
def test_formulas_in_plain_characters(latex: str, text: str) -> None:
    assert plain(latex) == text
    assert in_characters(f"so\n\n$${latex}$$\n\nor ${latex}$") == f"so\n\n  {text}\n\nor {text}"


def test_formulas_are_set_as_tex_would() -> None:
    set_ = mathml(r"\log N \le \Delta \log(2)")
    assert set_.count("<mspace") == 1, "after log N, not after log("
    assert '<mi mathvariant="normal">Δ</mi>' in set_
    assert 'alttext="log N ≤ Δ log(2)"' in set_
    assert "xmlns" not in set_


@pytest.mark.parametrize("wrong", table("checks/report.toml", "no_formula"))
def test_what_is_no_formula_is_refused(wrong: str) -> None:
    with pytest.raises(NotFormula, match=re.escape(wrong)):
        mathml(wrong)


@pytest.mark.parametrize(("low", "high", "text"), table("checks/report.toml", "slack"))
def test_slack_in_few_digits(low: float, high: float, text: str) -> None:
    assert shown(Enclosure(low, high), 3) == text
    assert shown(None) == ""


@pytest.mark.parametrize(("value", "bound", "ends"), table("checks/report.toml", "quotients"))
def test_slack_is_the_quotient_enclosed_or_silent_where_it_says_nothing(
    value: list[float], bound: list[float], ends: list[float]
) -> None:
    found = slack(Number("n", Enclosure(*value), Enclosure(*bound)))
    assert (found is None) == (ends == [])
    if found is not None:
        assert found.low <= ends[0] <= found.low * (1 + 1e-12) + 1e-300
        assert ends[1] <= found.high <= ends[1] * (1 + 1e-12)


def test_times_and_rounded_ends() -> None:
    shown = ["0.0 s", "59.9 s", "1 min 0 s", "12 min 34 s"]
    assert [clock(seconds) for seconds in (0.04, 59.94, 60.0, 754.9)] == shown
    assert outwards(3.92751, 7.75) == ("3.927", "7.75")
    assert outwards(Fraction(1, 3), Fraction(22, 7)) == ("0.3333", "3.143")


def test_a_plot_is_svg_in_the_colours_of_the_page_and_names_what_it_cannot_draw() -> None:
    first = Series("first <1>", tuple((x, Enclosure(x, 2 * x)) for x in (1.0, 10.0, 100.0)))
    second = Series("second", ((1.0, Enclosure(5, 5)), (9.0, Enclosure(6, 6))), Role.BOUND)
    infinite = Series("unbounded", ((1.0, Enclosure(1, inf)), (2.0, Enclosure(1, 1))))
    zero = Series("zero", ((0.0, Enclosure(0, 1)),))
    linear = Plot("Title", "x & y", "value", (first, second, infinite, zero))
    svg = plot_svg(replace(linear, log_x=True, log_y=True))
    assert svg.startswith("<svg role=")
    for part in ("var(--series-1,", "var(--series-2,", "currentColor", "first &lt;1&gt;"):
        assert part in svg
    assert "id=" not in svg
    for one, beyond in (
        (linear, ["unbounded"]),
        (replace(linear, log_y=True), ["unbounded", "zero"]),
    ):
        assert re.findall(r">(\w+) \(in part beyond the plot\)", plot_svg(one)) == beyond


def test_the_printed_numbers_are_drawn_and_told() -> None:
    rows = [row for _, row in printed_rows(found("mixed", 1.0, 100_000.0))]
    svg = printed_svg(rows)
    assert re.findall('aria-label="([^"]*)"', svg) == table("checks/report.toml", "drawn")
    centres = re.findall(r"M([\d.]+) ([\d.]+)m", svg)
    assert len(centres) == 5 + 5 * len(rows), "a marker for each number, and in the legend"
    printed, least, mean = (float(x) for x, _ in centres[5:8])
    assert least < mean < printed


@pytest.mark.parametrize(("low", "high", "text"), table("checks/report.toml", "shown"))
def test_numbers_in_six_digits(low: float, high: float, text: str) -> None:
    assert shown(Enclosure(low, high)) == text


def test_of_many_numbers_the_tightest_are_shown() -> None:
    bounds = [Enclosure.exactly(x) for x in (9.0, 2.0, 3.0)]
    numbers = [Number("n", bounds[1], bound) for bound in (bounds[0], None, *bounds[1:])]
    assert nearest(numbers, 2) == numbers[2:]
    assert nearest(numbers, 4) == numbers


@pytest.fixture(scope="module")
def usual() -> Judged:
    """All claims and findings; each check and demonstration has as many numbers as is usual."""
    of, bound = ledger(), Enclosure.exactly(9)
    usual = [f"a number with a name of usual length, {n}" for n in range(4)]
    of_rows = [number_name(what, reading) for what in What for reading in Reading]
    said, done = "What was found, in a sentence of about the usual length.", {}
    for task in tasks_of(of, mutants=False):
        names = of_rows if task.name in dict(ROWS.values()).values() else usual
        numbers = tuple(
            Number(name, Enclosure(n + 1.0, n + 2.0), bound) for n, name in enumerate(names)
        )
        done[task] = Finished(task, Result(True, 1000, said, numbers), seconds=1.0)
    return judge(of, done, depth=Depth.QUICK, theorems=proved())


def test_a_whole_page_is_below_a_megabyte(usual: Judged) -> None:
    assert 600_000 < len(page(usual, MADE).encode()) < 1_000_000


def test_progress_is_live_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere it is the lines in the transcript of ``audit``."""
    stream, task = io.StringIO(), Task(Aim.CHECK, "raising")
    monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
    with progress(stream) as observer:
        observer.begun(5, 2)
        observer.started(task)
        observer.finished(perform(task, Depth.QUICK, "synthetic_ledger:BROKEN"))
    assert "raised ZeroDivisionError" in stream.getvalue()


# The page in a browser, and in print.


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


def test_the_page_fits_a_sheet_of_paper(tab: Browser, address: str) -> None:
    tab.call("Emulation.setEmulatedMedia", media="print")
    tab.resize(718)
    assert tab.open(address).too_wide_by <= 0
    tab.call("Emulation.setEmulatedMedia", media="")


def test_a_link_to_an_entry_opens_it(tab: Browser, address: str) -> None:
    tab.resize(1400)
    tab.open("about:blank")
    tab.open(f"{address}#claim-lem:app-anytime-cs")
    entry = "document.getElementById('claim-lem:app-anytime-cs')"
    assert tab.evaluate(f"{entry}.closest('details').open") is True
    assert abs(tab.evaluate(f"{entry}.getBoundingClientRect().top")) < 900


def test_formulas_are_laid_out_in_the_font_that_the_page_brings(tab: Browser, address: str) -> None:
    """Fractions and the brackets around them are taller than a line."""
    tab.open(address)
    height = "document.querySelector('.headline {}').getBoundingClientRect().height".format
    line = tab.evaluate("parseFloat(getComputedStyle(document.body).fontSize)")
    assert tab.evaluate(height("mfrac")) > 1.2 * line
    row = tab.evaluate(height("mfrac + mrow"))
    assert tab.evaluate(height("mfrac + mrow mo")) > 0.9 * row
    loaded = "document.fonts.ready.then(all => [...all].map(one => one.status))"
    assert tab.evaluate(loaded) == ["loaded"]


def test_a_font_has_the_glyphs_of_the_formulas_alone() -> None:
    few, more = (
        font_style(f"<p>{mathml(latex)}</p>") for latex in ("x", r"\frac{a}{b} \le \Delta")
    )
    assert few.startswith("@font-face")
    assert len(few) < len(more) < 100_000
    assert font_style("<p>no formula: x</p>") == ""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_the_paper(scheme: str, tab: Browser, address: str) -> None:
    tab.call(
        "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}]
    )
    tab.open(address)
    style = "getComputedStyle(document.querySelector('{}')).{}".format
    paper = _luminance(tab.evaluate(style("body", "backgroundColor")))
    assert (paper < 0.5) == (scheme == "dark")
    for element in ("body", ".small", "a", ".outcome.against", ".standing"):
        ink = _luminance(tab.evaluate(style(element, "color")))
        assert (max(ink, paper) + 0.05) / (min(ink, paper) + 0.05) >= 4.5, element


def _luminance(colour: str) -> float:
    """Return the relative luminance of ``rgb(r, g, b)``, as contrasts are measured by."""
    parts = (int(part) / 255 for part in re.findall(r"\d+", colour)[:3])
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


AUDIT = ("audit", "--ledger", "synthetic_ledger:SOUND", "--jobs", "1", "--depth", "quick")


def test_the_pdf_has_two_pages_and_says_what_the_page_says(usual: Judged, tmp_path: Path) -> None:
    file = tmp_path / "x.pdf"
    try:
        pdf.require_printing(file)
    except InvalidInput as missing:
        pytest.skip(str(missing))
    assert status([*AUDIT, "--out", str(tmp_path / "out"), "--pdf", str(file)]) == 0
    assert file.read_bytes().startswith(b"%PDF")
    # A number that is not there is as long as one that is.
    put = re.compile(r"\(no number: [^)]*\)").sub
    findings = (
        structs.replace(x.finding, reason=put("5941", x.finding.reason)) for x in usual.findings
    )
    shown = (replace(x, finding=y) for x, y in zip(usual.findings, findings, strict=True))
    file.write_bytes(pdf.printed_report(replace(usual, findings=tuple(shown))))
    if shutil.which("pdftotext") is None:
        pytest.skip("there is no pdftotext here")
    read = subprocess.run(["pdftotext", "-layout", file, "-"], capture_output=True, check=True)
    assert read.stdout.count(b"\f") <= 2
    text = " ".join(read.stdout.decode().split())
    for words in ("What holds", "Of the 18 statements", "TreeAscent finds the winner"):
        assert words in text
    for one in usual.findings:
        if one.finding.severity in SERIOUS:
            assert one.finding.reason.partition("$")[0].split()[0] in text
    assert "Errors and overclaims, each with its reason" in text


def test_without_what_makes_a_pdf_the_audit_says_so_before_it_begins(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(name: str) -> ModuleType:
        print("advice of its own")
        raise OSError("cannot load library 'libpango-1.0-0'\nand so on")

    monkeypatch.setattr(pdf, "import_module", missing)
    out = tmp_path / "out"
    assert status([*AUDIT, "--out", str(out), "--pdf", str(tmp_path / "x.pdf")]) == 2
    told = capsys.readouterr()
    assert re.search(r"needs WeasyPrint.*tgite\[pdf\].*libpango-1.0-0", told.err)
    assert "advice" not in told.out
    assert "check" not in told.err
    assert not out.exists()
