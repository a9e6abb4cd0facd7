"""A verdict's word is refused where its evidence is missing, and errors must be heeded."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from golden import table
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
    FINDING,
    **{"label": "lem:x", "severity": Severity.ERROR, "held_by": ("one-is-two",)},
    **dict.fromkeys(("reading", "answer", "rebuttal"), "so"),
)
OVERCLAIM = structs.replace(REFUTING, severity=Severity.OVERCLAIM)
LEFT_OPEN = structs.replace(REFUTING, severity=Severity.UNDERSPECIFIED)
ELSEWHERE = structs.replace(
    REFUTING,
    label="lem:y",
    consequences=(Consequence("hence", "lem:x", "line 2", "2 = 3", "", "demonstrated"),),
)
Y = claim("lem:y", EXACT, verdicts={Question.TRUTH: Verdict(Outcome.REFUTED, "all")})


def about(word: Outcome, *checks: Check, **changes: object) -> Checked:
    """Return a claim whose truth is called ``word``."""
    domain = str(changes.pop("domain", "all"))
    amendment, explicit = (str(changes.pop(name, "")) for name in ("amendment", "explicit"))
    verdict = Verdict(word, domain, amendment, explicit)
    return claim("lem:x", *checks, verdicts={Question.TRUTH: verdict}, **changes)


def said(one: Checked, *findings: Finding) -> list[str]:
    """Say what is wrong with that claim's word."""
    others = (Y,) if any("lem:y" in finding.labels for finding in findings) else ()
    of = made_of(one, *others, findings=findings)
    return [line for line in problems_of_words(of, EXTRACT) if not line.startswith("lem:y")]


CHECKS = {
    **{"below": BELOW, "radius": RADIUS, "slow": SLOW, "theorem": THEOREM, "exact": EXACT},
    **{"constant": CONSTANT, "of another": replace(THEOREM, certifies=("product",))},
    "seeds": replace(BELOW, name="seeds", kind=Kind.LISTED_SEEDS),
}
FINDINGS = {
    **{"refuting": REFUTING, "overclaim": OVERCLAIM, "left open": LEFT_OPEN},
    **{"elsewhere": ELSEWHERE, "not run": structs.replace(REFUTING, demonstration="")},
    "no readings": structs.replace(LEFT_OPEN, reading=""),
    "not held": structs.replace(REFUTING, held_by=()),
    **{
        said: structs.replace(FINDING, label="lem:x", correction=said)
        for said in ("Drop it, because 2 > 1.", "Write 1 < 2.", "Drop it. The order holds.")
    },
    "a number": structs.replace(FINDING, label="lem:x", correction="Say {{below-1: at 0.9}}."),
    "held by another's": structs.replace(REFUTING, held_by=("slow",)),
    "drawn from another's": structs.replace(REFUTING, correction="1 < {{below-1: at 0.9}}"),
}
ROWS = [*table("docs/words.toml", "borne"), *table("docs/words.toml", "refused")]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_word_is_borne_by_its_evidence_or_refused(row: dict[str, Any]) -> None:
    checks = (CHECKS[name] for name in row.get("checks", ()))
    names = ("domain", "amendment", "explicit", "argument")
    changes = {name: row[name] for name in names if name in row}
    found = (FINDINGS[name] for name in row.get("findings", ()))
    told = said(about(Outcome(row["word"]), *checks, **changes), *found)
    assert any(row["why"] in line for line in told) if "why" in row else told == [], told


def test_what_claims_nothing_has_no_verdict_and_no_check() -> None:
    """Neither a section nor a figure."""
    assert said(claim("sec:x", kind=ClaimKind.SECTION, verdicts={})) == []
    for one in (
        claim("sec:x", kind=ClaimKind.SECTION),
        claim("fig:x", RADIUS, kind=ClaimKind.FIGURE, verdicts={}),
    ):
        assert any("claims nothing, yet has a verdict or a c" in line for line in said(one))


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
