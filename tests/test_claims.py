"""The ledger's entries: complete, consistent with the record of proofs, fit to be read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from fractions import Fraction
from pathlib import Path

import pytest

import tgite_checks
from tgite_checks.bounds import known_gap
from tgite_checks.bounds.comparing import UNDECIDED
from tgite_checks.check import Check, Depth, Kind, Question
from tgite_checks.claims.model import Claim, ClaimKind, Finding, Outcome
from tgite_checks.claims.registry import ledger, paper_labels, problems
from tgite_checks.implementation import REFERENCE
from tgite_checks.proofs.record import proved

CLAIMS = tuple(ledger().claims.values())
FINDINGS = tuple(ledger().findings.values())
THEOREMS = tuple(check for check in ledger().checks.values() if check.kind is Kind.THEOREM)
OWN = tuple(
    check
    for name, check in ledger().checks.items()
    if ledger().owners[name].startswith("tgite_checks.claims") and check.kind is not Kind.THEOREM
)


def test_the_ledger_has_no_inconsistency() -> None:
    assert problems(ledger(), paper_labels()) == ()


def test_every_label_of_the_paper_has_an_entry_of_its_own_or_rows() -> None:
    for label, kind in paper_labels():
        entries = [entry for entry in ledger().claims if (entry + ":").startswith(label + ":")]
        assert entries, f"{kind} {label}"
        kinds = {ledger().claims[entry].kind for entry in entries}
        if kind == "section":
            assert kinds == {ClaimKind.SECTION}
        elif kind == "table":
            assert kinds == {ClaimKind.TABLE_ROW}
        else:
            assert kinds == {ClaimKind(kind)}


def test_other_entries_say_what_they_are() -> None:
    known = {label for label, _ in paper_labels()}
    for claim in CLAIMS:
        row = any(claim.label.startswith(label + ":") for label in known)
        assert claim.label in known or row or claim.label.startswith(("assert:", "number:"))


@pytest.mark.parametrize("check", THEOREMS, ids=lambda check: check.name)
def test_a_theorem_check_names_theorems_about_its_claim(check: Check) -> None:
    result = check.run(REFERENCE, Depth.QUICK)
    assert result.holds(), result.counterexample
    label = check.name.removeprefix("proved-")
    named = {label for name in check.certifies for label in proved()[name].labels}
    assert label in {one.replace(":", "-") for one in named}


def test_every_theorem_about_a_label_is_used_by_its_entry() -> None:
    used = {name for check in THEOREMS for name in check.certifies}
    about_labels = {name for name, theorem in proved().items() if theorem.labels}
    assert about_labels <= used


def test_every_lemma_theorem_and_corollary_is_proved() -> None:
    for claim in CLAIMS:
        if claim.kind in (ClaimKind.LEMMA, ClaimKind.THEOREM, ClaimKind.COROLLARY):
            assert any(check.kind is Kind.THEOREM for check in claim.checks), claim.label


def test_the_known_gap_constants_are_those_of_the_proof() -> None:
    source = Path(tgite_checks.__file__).resolve().parents[1] / "coq" / "KnownGap.v"
    if not source.is_file():
        pytest.skip("the proofs are not part of an installed wheel")
    defined = {
        name: Fraction(value)
        for name, value in re.findall(
            r"Definition (C'?_budgeted_\w+) : R := ([\d/]+)\.", source.read_text(encoding="utf-8")
        )
    }
    assert defined["C_budgeted_weak"] == known_gap.C_WEAK
    assert defined["C_budgeted_weak_delta"] == known_gap.C_WEAK_DELTA
    assert defined["C_budgeted_known"] == known_gap.C_KNOWN
    assert defined["C_budgeted_anytime"] == known_gap.C_ANYTIME
    assert defined["C'_budgeted_anytime"] == known_gap.EXTRA_ANYTIME


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.label)
def test_a_verdict_that_does_not_hold_says_what_would(claim: Claim) -> None:
    for question, verdict in claim.verdicts.items():
        assert verdict.domain.strip()
        if verdict.outcome is Outcome.FAILS:
            assert verdict.amendment.strip(), question
        refutable = verdict.outcome is Outcome.FAILS and not claim.nothing_to_check
        if refutable:
            assert any(check.question is question for check in claim.checks)


def test_explicit_constants_stand_where_a_constant_is_claimed() -> None:
    for claim in CLAIMS:
        verdict = claim.verdicts.get(Question.TRUTH)
        stated = claim.kind in (ClaimKind.LEMMA, ClaimKind.THEOREM, ClaimKind.COROLLARY)
        if verdict is not None and stated and verdict.outcome is Outcome.NOT_FALSIFIABLE:
            assert re.search(r"C(_\w+)? = [\d.]+", verdict.amendment), claim.label


@pytest.mark.parametrize("check", OWN, ids=lambda check: check.name)
def test_the_remarks_own_checks_pass_and_refuse(check: Check) -> None:
    assert check.run(REFERENCE, Depth.QUICK).holds()
    for statement, run in check.refuses.items():
        result = run(REFERENCE, Depth.QUICK)
        assert not result.passed, statement
        assert not result.counterexample.startswith(UNDECIDED)


@pytest.mark.parametrize(
    "finding",
    [finding for finding in FINDINGS if finding.demonstration is not None],
    ids=lambda finding: finding.name,
)
def test_a_finding_is_demonstrated(finding: Finding) -> None:
    assert finding.demonstration is not None
    result = finding.demonstration(REFERENCE, Depth.QUICK)
    assert result.holds(), result.counterexample


def _texts() -> Iterator[tuple[str, str]]:
    for claim in CLAIMS:
        for one in fields(claim):
            value: object = getattr(claim, one.name)
            if isinstance(value, str):
                yield claim.label, value
        for verdict in claim.verdicts.values():
            yield claim.label, f"{verdict.domain} {verdict.amendment}"
    for finding in FINDINGS:
        for one in fields(finding):
            value = getattr(finding, one.name)
            if isinstance(value, str):
                yield finding.name, value
    for check in ledger().checks.values():
        yield check.name, check.domain


def test_texts_are_in_plain_words_and_name_places_by_section() -> None:
    unwanted = re.compile(r"\bl\.\d|\\[a-z]+|\$|\bTODO\b|/(work|tmp|home)/")
    for name, text in _texts():
        assert not unwanted.search(text), f"{name}: {unwanted.search(text)}"
        # Lines that begin with two spaces are displayed formulas.
        for line in text.splitlines():
            assert line.startswith("  ") or "  " not in line, f"{name}: doubled space in {line!r}"


def test_entries_refer_to_entries_that_there_are() -> None:
    # A reference is a label in backticks; a module path has dots, a file a dot too.
    for name, text in _texts():
        for label in re.findall(r"`((?:assert|number|lem|thm|cor|alg|tab|fig|eq):[^`]+)`", text):
            if label.endswith("..."):
                continue
            found = [entry for entry in ledger().claims if (entry + ":").startswith(label + ":")]
            assert found, f"{name} refers to {label}"
