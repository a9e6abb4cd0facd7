"""A verdict's word is refused where its evidence is missing, and errors must be heeded."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from synthetic_ledger import BELOW, FINDING, RADIUS, SLOW, Checked, claim, made_of
from tgite_checks.check import Check, Kind, Question
from tgite_checks.claims.model import ClaimKind, Consequence, Finding, Outcome, Severity, Verdict
from tgite_checks.claims.words import problems_of_words
from tgite_checks.proofs.record import ProvedTheorem

EXTRACT = {"sum": ProvedTheorem("sum", "Sum.v", ("lem:x",), "1 + 1 = 2", {}, ())}
THEOREM = replace(BELOW, name="proved-lem-x", kind=Kind.THEOREM, certifies=("sum",))
EXACT = replace(BELOW, name="exact", kind=Kind.EXHAUSTIVE)
CONSTANT = replace(BELOW, name="constant-c")
REFUTING = structs.replace(
    FINDING, label="lem:x", severity=Severity.ERROR, reading="r", answer="a", rebuttal="b"
)
OVERCLAIM = structs.replace(REFUTING, severity=Severity.OVERCLAIM)
LEFT_OPEN = structs.replace(REFUTING, severity=Severity.UNDERSPECIFIED)
ELSEWHERE = structs.replace(
    REFUTING,
    label="lem:y",
    consequences=(Consequence("hence", "lem:x", "line 2", "2 = 3", "demonstrated"),),
)
Y = claim("lem:y", EXACT, verdicts={Question.TRUTH: Verdict(Outcome.REFUTED, "all")})


def about(word: Outcome, *checks: Check, **changes: object) -> Checked:
    """Return a claim whose truth is called ``word``."""
    amendment, explicit = (str(changes.pop(name, "")) for name in ("amendment", "explicit"))
    verdict = Verdict(word, "all", amendment, explicit)
    return claim("lem:x", *checks, verdicts={Question.TRUTH: verdict}, **changes)


def said(one: Checked, *findings: Finding) -> list[str]:
    """Say what is wrong with that claim's word."""
    others = (Y,) if any("lem:y" in finding.labels for finding in findings) else ()
    of = made_of(one, *others, findings=findings)
    return [line for line in problems_of_words(of, EXTRACT) if not line.startswith("lem:y")]


BORNE: list[tuple[Checked, tuple[Finding, ...]]] = [
    (about(Outcome.PROVED, THEOREM), ()),
    (about(Outcome.PROVED, THEOREM, CONSTANT, explicit="C = 2"), ()),
    (about(Outcome.PROVED_AMENDED, THEOREM, amendment="if N > 2"), ()),
    (about(Outcome.CERTIFIED, BELOW), ()),
    (about(Outcome.HOLDS, EXACT), ()),
    (about(Outcome.HOLDS, argument="It is so."), ()),
    (about(Outcome.REFUTED, BELOW), (REFUTING,)),
    (about(Outcome.REFUTED, BELOW), (ELSEWHERE,)),
    (about(Outcome.OVERCLAIMED, BELOW, amendment="N > 2"), (OVERCLAIM,)),
    (about(Outcome.UNDERSPECIFIED), (LEFT_OPEN,)),
    (about(Outcome.NOT_REPRODUCED, BELOW), ()),
    *((about(word), ()) for word in (Outcome.DEFINITION, Outcome.OUT_OF_SCOPE, Outcome.OPEN)),
    (claim("sec:x", kind=ClaimKind.SECTION, verdicts={}), ()),
]


ELSE_PROVED = replace(THEOREM, certifies=("product",))
REFUSED: list[tuple[Checked, tuple[Finding, ...], str]] = [
    (about(Outcome.PROVED, BELOW), (), "called proved, without a theorem"),
    (about(Outcome.PROVED, ELSE_PROVED), (), "without a theorem of that label"),
    (about(Outcome.PROVED, THEOREM, amendment="if N > 2"), (), "but amended"),
    (about(Outcome.CERTIFIED, BELOW, amendment="if N > 2"), (), "but amended"),
    (about(Outcome.HOLDS, EXACT, amendment="if N > 2"), (), "but amended"),
    (about(Outcome.PROVED, THEOREM, CONSTANT), (), "without its constant"),
    (about(Outcome.PROVED_AMENDED, THEOREM), (), "without saying which"),
    (about(Outcome.PROVED_AMENDED, EXACT, amendment="if N > 2"), (), "without a theorem"),
    (about(Outcome.CERTIFIED, EXACT), (), "called certified, without an enclosure"),
    (about(Outcome.CERTIFIED, RADIUS, THEOREM), (), "without an enclosure"),
    (about(Outcome.HOLDS, BELOW), (), "called holds, without an exact check"),
    (about(Outcome.HOLDS, RADIUS), (), "without an exact check"),
    (about(Outcome.REFUTED, BELOW), (), "called refuted, without an error about it that is run"),
    (about(Outcome.REFUTED), (structs.replace(REFUTING, demonstration=""),), "that is run"),
    (about(Outcome.REFUTED), (OVERCLAIM,), "that is run"),
    (about(Outcome.OVERCLAIMED, BELOW, amendment="N > 2"), (), "without a finding"),
    (about(Outcome.OVERCLAIMED), (OVERCLAIM,), "without the reading that is true"),
    (about(Outcome.UNDERSPECIFIED), (), "without a finding that gives the readings"),
    (about(Outcome.UNDERSPECIFIED), (structs.replace(LEFT_OPEN, reading=""),), "the readings"),
    (about(Outcome.NOT_REPRODUCED, SLOW), (), "called not reproduced, without a run"),
    (about(Outcome.HOLDS, EXACT), (REFUTING,), "one-is-two: an error about lem:x, not called"),
    (about(Outcome.HOLDS, EXACT), (OVERCLAIM,), "an overclaim about lem:x, not called overcl"),
    (claim("sec:x", kind=ClaimKind.SECTION), (), "a section claims nothing, yet has a verdict"),
    (claim("fig:x", RADIUS, kind=ClaimKind.FIGURE, verdicts={}), (), "yet has a verdict or a c"),
    (claim("lem:x", EXACT, verdicts={Question.TRUTH: Verdict(Outcome.HOLDS, " ")}), (), "empty d"),
]


@pytest.mark.parametrize(
    ("one", "findings", "why"), [*((one, about, "") for one, about in BORNE), *REFUSED]
)
def test_a_word_is_borne_by_its_evidence_or_refused(
    one: Checked, findings: tuple[Finding, ...], why: str
) -> None:
    told = said(one, *findings)
    assert any(why in line for line in told) if why else told == [], told


def test_a_statement_that_is_repeated_is_proved_with_the_other() -> None:
    row = about(Outcome.PROVED, THEOREM)
    of = made_of(structs.replace(row, label="tab:x", repeats="lem:x"))
    assert list(problems_of_words(of, EXTRACT)) == []
    assert list(problems_of_words(made_of(structs.replace(row, label="tab:x")), EXTRACT)) != []


@pytest.mark.parametrize("severity", [Severity.ERROR, Severity.OVERCLAIM])
@pytest.mark.parametrize("field", ["reading", "answer", "rebuttal"])
def test_what_is_called_wrong_carries_an_answer(severity: Severity, field: str) -> None:
    one = about(Outcome.REFUTED, BELOW)
    silent = structs.replace(REFUTING, severity=severity, **{field: " "})
    assert any(f"without its {field}" in line for line in said(one, silent))
