"""The evidence that each verdict's word needs, and the verdicts and findings that lack it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tgite_checks.check import Check, Kind, Question
from tgite_checks.claims.book import Ledger
from tgite_checks.claims.model import Claim, Finding, Outcome, Severity, Verdict
from tgite_checks.claims.rendering import sources_of_text
from tgite_checks.proofs.record import Extract

_WORD_OF = {
    Severity.ERROR: (Outcome.REFUTED,),
    Severity.OVERCLAIM: (Outcome.OVERCLAIMED, Outcome.REFUTED),
}
"""The verdicts that a claim must have if there is a finding of this severity about it."""

_EXACT = {Kind.EXHAUSTIVE, Kind.LISTED_SEEDS}
"""Kinds that examine listed cases, each exactly."""

_AS_STATED = (Outcome.PROVED, Outcome.CERTIFIED, Outcome.HOLDS)
"""Verdicts on a claim as stated, without an amendment."""

_ANSWERED = (Severity.ERROR, Severity.OVERCLAIM)
"""Severities of findings that need the authors' best answer and a rebuttal of it."""

_BY_SEEDS = (Outcome.OPEN, Outcome.UNDERSPECIFIED)
"""The verdicts on the paper that may rest on runs with listed seeds alone."""

_OURS = re.compile(r"\{\{|\bbecause\b")
"""What an amendment has if it is a claim of ours: a number, or a reason."""

_ADVICE = (
    "Add Assume Avoid Bound Call Compare Define Divide Drop Give Include Keep Name Or Print "
    "Propose Say Share Show State Take To Use With Write We"
)
_STATES = re.compile(rf"{_OURS.pattern}|[=<>≤≥]|(?:^|[.] )(?!(?:{_ADVICE.replace(' ', '|')})\b)")
"""What a correction has if it states anything, where advice begins with one of these words."""


def problems_of_words(of: Ledger, theorems: Extract) -> Iterator[str]:
    """Yield the verdicts whose evidence does not support their word, and unanswered findings."""
    for claim in of.claims.values():
        if claim.claims_nothing and (claim.verdicts or claim.checks):
            yield f"{claim.label}: a {claim.kind} claims nothing, yet has a verdict or a check"
        for question, verdict in claim.verdicts.items():
            lacking = _lacking(claim, question, verdict, of, theorems)
            if lacking:
                yield f"{claim.label}: its {question} is called {verdict.outcome}, {lacking}"
            if not verdict.domain.strip():
                yield f"{claim.label}: its {question} has an empty domain"
    for finding in of.findings.values():
        yield from _problems_of_finding(finding, of)


def _lacking(
    claim: Claim, question: Question, verdict: Verdict, of: Ledger, theorems: Extract
) -> str:
    """Return what the word of a verdict needs and does not have, or nothing."""
    checks = [check for check in of.checks_of(claim) if check.question is question]
    kinds = {check.kind for check in checks}
    about = of.findings_about(claim.label)
    own = {one.severity for one in about if one.label == claim.label}
    shown = any(part.demonstration for one in about for part in one.parts)
    if _OURS.search(verdict.amendment) and not (checks or shown):
        return "with an amendment that nothing holds"
    if kinds == {Kind.LISTED_SEEDS} and not claim.is_beyond and verdict.outcome not in _BY_SEEDS:
        return "by runs with listed seeds alone"
    match verdict.outcome:
        case outcome if outcome in _AS_STATED and verdict.amendment:
            return "but amended"
        case Outcome.PROVED_AMENDED if not verdict.amendment:
            return "without saying which"
        case Outcome.PROVED | Outcome.PROVED_AMENDED:
            if not _is_proved(claim, checks, theorems):
                return "without a theorem of that label"
            if any(name.startswith("constant-") for name in claim.check_names):
                return "" if verdict.explicit else "without its constant"
        case Outcome.CERTIFIED if Kind.CERTIFIED not in kinds:
            return "without an enclosure"
        case Outcome.HOLDS if not kinds & _EXACT and not claim.argument:
            return "without an exact check or an argument"
        case Outcome.REFUTED if not kinds & {Kind.THEOREM, Kind.CERTIFIED, Kind.EXHAUSTIVE}:
            return "without an exact counterexample"
        case Outcome.REFUTED if not any(_refutes(one, claim) for one in about):
            return "without an error about it that is run"
        case Outcome.OVERCLAIMED:
            if not {one.severity for one in about} & {*_ANSWERED}:
                return "without a finding that says so"
            return "" if verdict.amendment else "without the reading that is true"
        case Outcome.UNDERSPECIFIED:
            # A consequence of an error has the error's readings.
            open_here = (Severity.UNDERSPECIFIED, Severity.ERROR)
            if not any(one.reading for one in about if one.severity in open_here):
                return "without a finding that gives the readings"
        case Outcome.NOT_REPRODUCED if not checks:
            return "without a run"
        case Outcome.OPEN if Kind.THEOREM in kinds or own & {*_ANSWERED}:
            return "though it is decided"
    return ""


def _is_proved(claim: Claim, checks: list[Check], theorems: Extract) -> bool:
    names = [name for check in checks for name in check.certifies if check.kind is Kind.THEOREM]
    return any(claim.is_proved_by(theorems[name].labels) for name in names if name in theorems)


def _refutes(finding: Finding, claim: Claim) -> bool:
    """Return whether a finding is an error with a demonstration about this claim."""
    run = any(part.demonstration for part in finding.parts if part.label == claim.label)
    return finding.severity is Severity.ERROR and run


def _problems_of_finding(finding: Finding, of: Ledger) -> Iterator[str]:
    claim = of.claims.get(finding.label)
    words = _WORD_OF.get(finding.severity, ())
    if claim and words and not {one.outcome for one in claim.verdicts.values()} & {*words}:
        yield f"{finding.name}: an {finding.severity} about {claim.label}, not called {words[0]}"
    if finding.severity in _ANSWERED:
        for required in ("reading", "answer", "rebuttal"):
            if not str(getattr(finding, required)).strip():
                yield f"{finding.name}: an {finding.severity} without its {required}"
    if not finding.held_by and (
        finding.severity in _ANSWERED or _STATES.search(finding.correction)
    ):
        yield f"{finding.name}: nothing holds its correction"
    ours = {part.name for part in finding.parts if part.demonstration}
    ours |= {*claim.check_names} if claim else set()
    for name in finding.held_by:
        if name not in ours:
            yield f"{finding.name}: its correction is held by {name}, which is not its evidence"
    if not sources_of_text(finding.correction, finding.numbers) <= {*finding.held_by}:
        yield f"{finding.name}: a number of its correction is not from what holds it"
