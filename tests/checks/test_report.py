"""The report: the JSON document keeps to its schema, the page stands alone and says everything."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from enum import StrEnum
from html.parser import HTMLParser
from importlib.resources import files
from math import inf
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from msgspec import structs
from rich.console import Console

from golden import same_as
from synthetic_ledger import BELOW, BROKEN, HENCE, SOUND, claim, made_of
from tgite_checks.audit.judgement import Judged, judge
from tgite_checks.audit.report.document import document, written
from tgite_checks.audit.report.formulas import NotFormula, mathml, plain
from tgite_checks.audit.report.numbers import ratio, scale_of
from tgite_checks.audit.report.page import clock, page
from tgite_checks.audit.report.plots import plot_svg, undrawable_curves
from tgite_checks.audit.report.progress import progress
from tgite_checks.audit.report.prose import Setting, in_characters
from tgite_checks.audit.report.terminal import show
from tgite_checks.audit.tasks import Aim, Task, perform, tasks_of
from tgite_checks.check import Depth, Kind, Number, Plot, Question, Role, Series
from tgite_checks.claims.book import Ledger
from tgite_checks.claims.model import ClaimKind, Outcome, Severity, Verdict
from tgite_checks.claims.registry import ledger
from tgite_checks.proofs.record import ProvedTheorem
from tgite_checks.verdict import Status
from tgite_laws.enclosure import Enclosure

SCHEMA: dict[str, object] = json.loads(
    files("tgite_checks").joinpath("schemas/audit.schema.json").read_text(encoding="utf-8")
)
MADE = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
RECORD = {
    "sum": ProvedTheorem("sum", "Sum.v", ("lem:first",), "a < b ->\na + a < b + b", {"a": "1"}, ())
}
# No claim that anybody makes: it must come out as text.
HOSTILE = '<script>alert("&")</script>'


def judged(of: Ledger, name: str = "SOUND", mutants: bool = False, **how: Any) -> Judged:
    """Run the tasks of ``of`` as the synthetic ledger of that name has them, and judge."""
    tasks = tasks_of(of, mutants)
    done = {task: perform(task, Depth.QUICK, f"synthetic_ledger:{name}") for task in tasks}
    return judge(of, done, depth=Depth.QUICK, mutants=mutants, **how)


@pytest.fixture(scope="module")
def sound() -> Judged:
    return judged(SOUND, mutants=True, theorems=RECORD, notes=("a file was torn",))


@pytest.fixture(scope="module")
def broken() -> Judged:
    return judged(BROKEN, "BROKEN", mutants=True, theorems=RECORD)


@pytest.fixture(scope="module")
def sound_page(sound: Judged) -> str:
    return page(sound, MADE)


@pytest.fixture(scope="module")
def broken_page(broken: Judged) -> str:
    return page(broken, MADE)


def schema_errors(content: object) -> list[str]:
    Draft202012Validator.check_schema(SCHEMA)
    return [error.json_path for error in Draft202012Validator(SCHEMA).iter_errors(content)]


# The document.


def test_the_document_keeps_to_its_schema(sound: Judged, broken: Judged) -> None:
    for one, as_recorded in ((sound, True), (broken, False)):
        content = json.loads(written(document(one)))
        assert schema_errors(content) == []
        assert content["as_recorded"] is as_recorded
        assert content["differences"] == list(one.differences())


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("depth",), "shallow"),
        (("claims", 0, "verdicts", "truth", "outcome"), "fails"),
        (("claims", 0, "verdicts", "beauty"), {}),
        (("claims", 0, "checks", 0, "result", "numbers", 0, "value", "low"), "Infinity"),
        (("claims", 0, "checks", 0, "result", "numbers", 0, "value"), 1.0),
        (("claims", 0, "checks", 0, "holds"), "yes"),
        (("findings", 0, "severity"), "fatal"),
        (("proofs", "theorems", 0, "axioms"), None),
        (("surplus",), 1),
        *(((part,), None) for part in ("format", "claims", "findings", "proofs", "as_recorded")),
    ],
)
def test_the_schema_refuses_what_is_not_a_document(
    path: tuple[str | int, ...], value: object, sound: Judged
) -> None:
    content = json.loads(written(document(sound)))
    place = content
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert schema_errors(content) != []
    del place[path[-1]]
    assert (schema_errors(content) == []) == (path[-1] in ("surplus", "beauty"))


@pytest.mark.parametrize(
    ("kind", "place"),
    [
        (Depth, ("properties", "depth")),
        (Outcome, ("$defs", "outcome")),
        (Question, ("$defs", "question")),
        (Status, ("$defs", "status")),
        (ClaimKind, ("$defs", "claim", "properties", "kind")),
        (Kind, ("$defs", "check", "properties", "kind")),
        (Severity, ("$defs", "finding", "properties", "severity")),
        (Role, ("$defs", "plot", "properties", "series", "items", "properties", "role")),
    ],
)
def test_the_schema_knows_the_words_of_the_ledger(
    kind: type[StrEnum], place: tuple[str, ...]
) -> None:
    found: object = SCHEMA
    for step in (*place, "enum"):
        assert isinstance(found, dict)
        found = found[step]
    assert found == list(kind)


def test_a_consequence_is_run_like_a_finding_and_told_with_it() -> None:
    """Also where only the consequence's claim is asked for; that it fails is a difference."""
    for of in (HENCE, HENCE.selected(["lem:second"])):
        told = judged(of, "HENCE")
        assert "finding hence is not demonstrated: the second: 2 > 1" in told.differences()
        assert [one.finding.name for one in told.about("lem:second")] == ["one-is-two"]
        content = json.loads(written(document(told)))
        assert schema_errors(content) == []
        (finding,) = content["findings"]
        (hence,) = finding["consequences"]
        assert finding["demonstration"]["result"]["passed"]
        assert (hence["status"], finding["status"]) == ("contradicted", "contradicted")
        assert "2 = 3 too." in words(page(told, MADE))


# The page.


class Reader(HTMLParser):
    """Reads a page: its text, its links, its ids, and whether every element is closed."""

    VOID = frozenset({"meta", "link", "br", "hr", "img"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "xlink:href", "src"):
                self.links.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style" and "svg" not in self.open:
            self.text.append(data)


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def words(text: str) -> str:
    return " ".join(" ".join(read(text).text).split())


@pytest.mark.parametrize("which", ["sound_page", "broken_page"])
def test_the_page_is_whole_and_needs_nothing(which: str, request: pytest.FixtureRequest) -> None:
    text: str = request.getfixturevalue(which)
    reader = read(text)
    assert len(reader.ids) == len(set(reader.ids))
    inner = [link.removeprefix("#") for link in reader.links if link.startswith("#")]
    assert set(inner) <= set(reader.ids)
    assert [link for link in reader.links if not link.startswith("#")] == ["data:,"]
    assert not {"script", "img", "iframe", "object"} & set(reader.tags)
    # The one address is the name of SVG's vocabulary, which nobody fetches.
    assert set(re.findall(r"https?://[^\s\"'<>]+", text)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }
    assert "url(http" not in text
    assert "@import" not in text
    assert "{{" not in text
    assert "{%" not in text


def steady(text: str) -> str:
    """Put words in the place of what differs from run to run: times, sources and versions."""
    text = re.sub(r'("seconds":) [\d.]+', r"\1 0", text)
    text = re.sub(r"(?<!\.)\b(?:[\da-f]{64}|[\da-f]{16})\b", "SOURCES", text)
    text = re.sub(r'(python|numpy|scipy|python-flint)("?:? "?)[\d.]+\d', r"\1\2VERSION", text)
    return re.sub(r"\b\d+\.\d s\b", "0.0 s", text)


@pytest.mark.parametrize("which", ["sound", "broken"])
def test_reports_are_as_they_are_kept(which: str, request: pytest.FixtureRequest) -> None:
    """Document, page and terminal, whole: TGITE_UPDATE=1 writes them anew."""
    told: Judged = request.getfixturevalue(which)
    shown = io.StringIO()
    show(told, Console(file=shown, width=100), every=True)
    text = "\n".join(filter(None, map(str.strip, read(page(told, MADE)).text)))
    for kind, found in (
        ("json", written(document(told))),
        ("page", text),
        ("out", shown.getvalue()),
    ):
        same_as(Path(__file__).parent / "reports" / f"{which}.{kind}", steady(found))


def test_the_page_says_what_was_proved_here() -> None:
    theorem = replace(BELOW, kind=Kind.THEOREM, certifies=("sum",))
    of = made_of(claim("lem:first", theorem))
    texts = [
        words(page(judged(of, theorems=RECORD, rechecked=rechecked))) for rechecked in (True, False)
    ]
    assert "compiled on this machine" in texts[0]
    assert "not re-checked here" not in texts[0].split("What the words mean")[0]
    assert "proved (not re-checked here)" in texts[1]
    assert "tgite audit --mutants" in texts[1]


def test_nothing_that_the_ledger_holds_is_taken_for_markup() -> None:
    changes: dict[str, object] = dict.fromkeys(
        ("title", "place", "hypotheses", "statement", "not_established"), HOSTILE
    )
    changes["transcription"] = (HOSTILE,)
    changes["verdicts"] = {Question.TRUTH: Verdict(Outcome.REFUTED, HOSTILE, HOSTILE)}
    texts = dict.fromkeys(("place", "claim", "reason", "correction"), HOSTILE)
    finding = structs.replace(
        SOUND.findings["one-is-two"], label="lem:x", demonstration="", **texts
    )
    of = made_of(claim("lem:x", BELOW, **changes), findings=(finding,))
    text = page(judged(of), MADE)
    assert "script" not in read(text).tags
    assert words(text).count(HOSTILE) >= 12


def test_headings_are_no_verdicts() -> None:
    of = made_of(
        claim("lem:x", BELOW), claim("sec:y", kind=ClaimKind.SECTION, title="A heading of it")
    )
    text = page(judged(of))
    assert text.index('id="headings-entries"') < text.rindex("A heading of it")
    assert words(text).count("? open") == 1 + 2  # Among the words; twice with the lemma.


def test_equal_audits_give_equal_pages(sound: Judged, sound_page: str) -> None:
    assert page(sound, MADE) == sound_page


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a < b", "<p>a &lt; b</p>"),
        ("a\nb\n\nc", "<p>a\nb</p>\n<p>c</p>"),
        (
            "a:\n\n$$x < y$$\n\nb `$1`",
            f'<p>a:</p>\n<div class="formula">{mathml("x < y", True)}</div>\n'
            "<p>b <code>$1</code></p>",
        ),
        ("if $x < 1$", f"<p>if {mathml('x < 1')}</p>"),
        ("call `f(<x>)` & b", "<p>call <code>f(&lt;x&gt;)</code> &amp; b</p>"),
        ("", ""),
    ],
)
def test_prose(text: str, html: str) -> None:
    assert str(Setting().prose(text)) == html


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\frac{C N}{\Delta^2}\left(\log\frac{1}{\delta}+1\right)", "(C N/Δ²)(log(1/δ) + 1)"),
        (r"\frac{a+b}{2n} - c \le \tfrac{1}{2}", "(a + b)/(2n) - c ≤ 1/2"),
        (r"2^{-2^s},\ 4^{-(s+2)}", "2^{-2^s}, 4^{-(s+2)}"),
        (r"\mathbb{E}[R_\infty^{\text{weak}}] \ge -1", "E[R_∞^weak] ≥ -1"),
        (r"\mathbb{P}(\text{it returns } a^*) \to C'", "P(it returns a*) → C'"),
        (r"\sum_{h=1}^{L} m_h \log\log N", "∑_{h=1}^L m_h log log N"),
        (r"\left\lceil \sqrt{x} \right\rceil \cdot \bar m_{s-1}", "⌈√(x)⌉ · m\u0304_{s-1}"),
        (r"10^{-6},\ p_{ij}", "10⁻⁶, p_ij"),
        (r"\sqrt{\frac{\log(2n(n+1)/\delta)}{2n}};", "√(log(2n(n + 1)/δ)/(2n));"),
        (r"2^{\left\lceil \log_2 N \right\rceil}", "2^{⌈log_2 N⌉}"),
    ],
)
def test_formulas_in_plain_characters(latex: str, text: str) -> None:
    assert plain(latex) == text
    assert in_characters(f"so\n\n$${latex}$$\n\nor ${latex}$") == f"so\n\n  {text}\n\nor {text}"


def test_formulas_are_set_as_tex_would() -> None:
    set_ = mathml(r"\log N \le \Delta \log(2)")
    assert set_.count("<mspace") == 1, "after log N, not after log("
    assert '<mi mathvariant="normal">Δ</mi>' in set_
    assert 'alttext="log N ≤ Δ log(2)"' in set_
    assert "xmlns" not in set_


@pytest.mark.parametrize("wrong", [r"\left( a", r"\unheardof", "a_", r"\frac{1}", "a}", "a & b"])
def test_what_is_no_formula_is_refused(wrong: str) -> None:
    with pytest.raises(NotFormula, match=re.escape(wrong)):
        mathml(wrong)


@pytest.mark.parametrize(
    ("enclosure", "text"),
    [
        (None, ""),
        (Enclosure(2.0, 2.0), "2"),
        (Enclosure(1.2344, 1.2346), "1.23"),
        (Enclosure(1.2, 1.3), "1.2 to 1.3"),
        (Enclosure(12345.6, inf), "12,346 to ∞"),
        (Enclosure(1.23456e11, 1.2345678e11), "1.23e11"),
        (Enclosure(1.5e-7, 0.25), "1.5e-7 to 0.25"),
    ],
)
def test_slack_in_few_digits(enclosure: Enclosure | None, text: str) -> None:
    assert ratio(enclosure) == text


def test_times() -> None:
    shown = ["0.0 s", "59.9 s", "1 min 0 s", "12 min 34 s"]
    assert [clock(seconds) for seconds in (0.04, 59.94, 60.0, 754.9)] == shown


# The plots.


def plot(**changes: object) -> Plot:
    one = Series("first <1>", tuple((x, Enclosure(x, 2 * x)) for x in (1.0, 10.0, 100.0)))
    two = Series("second", ((1.0, Enclosure(5, 5)), (100.0, Enclosure(6, 6))), Role.BOUND)
    made = Plot("Title", "x & y", "value", (one, two))
    return replace(made, **changes)  # type: ignore[arg-type]


def test_a_plot_is_svg_in_the_colours_of_the_page() -> None:
    svg = plot_svg(plot(log_x=True, log_y=True), "one")
    assert svg.startswith("<svg role=")
    assert "var(--series-1)" in svg
    assert "var(--series-2)" in svg
    assert "currentColor" in svg
    assert "#0101" not in svg
    assert "<metadata" not in svg
    assert "first &lt;1&gt;" in svg
    assert set(re.findall(r"url\(#([^)]*)\)", svg)) <= set(re.findall(r'\bid="([^"]*)"', svg))
    assert all(name.startswith("one-") for name in re.findall(r'\bid="([^"]*)"', svg))
    assert plot_svg(plot(), "one") == plot_svg(plot(), "one")


def test_what_cannot_be_drawn_is_named() -> None:
    infinite = Series("unbounded", ((1.0, Enclosure(1, inf)), (2.0, Enclosure(1, 1))))
    zero = Series("zero", ((0.0, Enclosure(0, 1)),))
    assert undrawable_curves(plot(series=(infinite, zero))) == ("unbounded",)
    assert undrawable_curves(plot(series=(infinite, zero), log_y=True)) == ("unbounded", "zero")
    assert "<svg" in plot_svg(plot(series=(infinite, zero), log_y=True), "one")


def bounded(low: float, high: float, bound: float | None) -> Number:
    return Number("n", Enclosure(low, high), None if bound is None else Enclosure(bound, bound))


def test_numbers_are_drawn_beside_their_bounds_on_one_scale() -> None:
    numbers = [bounded(1e-4, 1e-4, 1), bounded(1e-2, 1e-1, 1), bounded(1, 1, 1e-4)]
    undrawn = [bounded(0, 1, 1), bounded(1, 1, None), bounded(1, inf, 1)]
    scale = scale_of([*numbers, *undrawn])
    assert str(scale) == "0.0001 to 1"
    assert scale is not None
    assert [scale.places(number) for number in [*numbers, *undrawn]] == [
        pytest.approx((4.0, 4.0, 116.0, 116.0)),
        pytest.approx((60.0, 88.0, 116.0, 116.0)),
        pytest.approx((116.0, 116.0, 4.0, 4.0)),
        *((), (), ()),
    ]
    assert scale_of(numbers[:2]) is None
    assert scale_of([bounded(1, 1, 1)] * 3) is None


# The terminal.


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_live_on_a_terminal() -> None:
    stream = Terminal()
    task = Task(Aim.CHECK, "raising")
    with progress(stream) as observer:
        observer.begun(2, 1)
        observer.started(task)
        observer.finished(perform(task, Depth.QUICK, "synthetic_ledger:BROKEN"))
    assert "raised ZeroDivisionError" in stream.getvalue()


def test_the_projects_own_entries_can_be_shown() -> None:
    """All claims and findings, unexamined checks left out: nothing in them breaks the page."""
    unchecked = {
        label: structs.replace(
            one, checks={}, nothing_to_check=one.nothing_to_check or "left out here"
        )
        for label, one in ledger().claims.items()
    }
    of = replace(ledger(), claims=unchecked, checks={})
    told = judge(of, {}, depth=Depth.QUICK, theorems=RECORD, rechecked=True)
    reader = read(page(told, MADE))
    assert len(reader.ids) == len(set(reader.ids))
    assert schema_errors(json.loads(written(document(told)))) == []
