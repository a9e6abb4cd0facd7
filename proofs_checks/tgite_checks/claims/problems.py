"""Find inconsistencies in a ledger."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from tgite_checks.check import Check, Kind, Question
from tgite_checks.claims.book import Ledger
from tgite_checks.claims.coverage import Part, problems_of_coverage
from tgite_checks.claims.model import Claim
from tgite_checks.claims.words import problems_of_words
from tgite_checks.false_alarms import BUDGET
from tgite_checks.mutation import mutated_source
from tgite_checks.proofs.record import Extract, proved

# These kinds of evidence need no perturbed statement, because a proof kernel or a reader decides.
_WITHOUT_REFUSALS = (Kind.THEOREM, Kind.READING)
_DRAWING = (Kind.STATISTICAL, Kind.LISTED_SEEDS)


def problems(
    of: Ledger,
    labels: Iterable[tuple[str, str]],
    extract: Extract | None = None,
    parts: tuple[Part, ...] = (),
) -> tuple[str, ...]:
    """Return the inconsistencies of a whole ledger, one line each.

    ``labels`` must have entries. ``extract`` are the proved theorems, by default the project's own.
    ``parts`` are the sentences that must be covered, by default none.
    """
    theorems = proved() if extract is None else extract
    return (
        *_without_entry(of, labels),
        *(line for claim in of.claims.values() for line in _problems_of_claim(claim, of)),
        *(line for check in of.checks.values() for line in _problems_of_check(check, of, theorems)),
        *_problems_of_findings(of),
        *problems_of_words(of, theorems),
        *_problems_of_mutants(of),
        *_problems_of_budget(of),
        *(problems_of_coverage(of, parts) if parts else ()),
    )


def _without_entry(of: Ledger, labels: Iterable[tuple[str, str]]) -> Iterator[str]:
    for label, kind in labels:
        entries = [entry for entry in of.claims if (entry + ":").startswith(label + ":")]
        if not entries:
            yield f"{label}: the paper's {kind} has no entry"


def _problems_of_claim(claim: Claim, of: Ledger) -> Iterator[str]:
    if bool(claim.checks or claim.argument) == bool(claim.nothing_to_check):
        yield f"{claim.label}: must have checks, or an argument, or a reason why it has neither"
    if not claim.verdicts and not claim.claims_nothing:
        yield f"{claim.label}: has no verdict"
    for check in of.checks_of(claim):
        if check.question not in claim.verdicts:
            yield f"{claim.label}: has a check of its {check.question}, but no verdict"
    if claim.repeats and claim.repeats not in of.claims:
        yield f"{claim.label}: repeats {claim.repeats}, which has no entry"
    for name, times in Counter(claim.check_names).items():
        if times > 1:
            yield f"{claim.label}: lists the check {name} {times} times"
    for required in ("title", "place", "statement", "not_established"):
        if not str(getattr(claim, required)).strip():
            yield f"{claim.label}: its {required} is empty"


def _problems_of_check(check: Check, of: Ledger, theorems: Extract) -> Iterator[str]:
    fidelity = check.question is Question.FIDELITY
    if not any(check.name in claim.check_names for claim in of.claims.values()):
        yield f"{check.name}: belongs to no claim"
    if fidelity and not check.rejects:
        yield f"{check.name}: a fidelity check must reject at least one mutant"
    if not fidelity and not check.refuses and check.kind not in _WITHOUT_REFUSALS:
        yield f"{check.name}: a {check.question} check must refuse at least one perturbed statement"
    for mutant in check.rejects:
        if mutant not in of.mutants:
            yield f"{check.name}: rejects {mutant}, which is not a mutant"
    said = " ".join((check.domain, *check.sizes))
    if check.kind not in _DRAWING and re.search(r"\bseeds?\b", said):
        yield f"{check.name}: is called {check.kind}, and draws seeds"
    if (check.kind is Kind.STATISTICAL) != (check.statistics is not None):
        yield f"{check.name}: must have error rates if it is statistical, and only then"
    if check.kind is Kind.THEOREM and not check.certifies:
        yield f"{check.name}: names no theorem"
    for name in check.certifies:
        if name not in theorems:
            yield f"{check.name}: relies on {name}, which is not a recorded theorem"
    if not check.domain.strip():
        yield f"{check.name}: its domain is empty"


def _problems_of_findings(of: Ledger) -> Iterator[str]:
    for finding in of.findings.values():
        for part in finding.parts:
            if part.label not in of.claims:
                yield f"{part.name}: is about {part.label}, which has no entry"
        if not finding.correction.strip():
            yield f"{finding.name}: has no correction"


def _problems_of_mutants(of: Ledger) -> Iterator[str]:
    rejected = {name for check in of.checks.values() for name in check.rejects}
    for mutant in of.mutants.values():
        if mutant.name not in rejected:
            yield f"{mutant.name}: no check rejects this mutant"
        for name in mutant.rejected_by:
            if name not in of.checks:
                yield f"{mutant.name}: rejected by {name}, which is no check"
        try:
            mutated_source(mutant)
        except LookupError as error:
            yield str(error)


def _problems_of_budget(of: Ledger) -> Iterator[str]:
    spent = sum(check.statistics.alpha for check in of.checks.values() if check.statistics)
    if spent > BUDGET * (1 + 1e-9):
        yield f"the statistical checks' false-alarm rates add up to {spent:.3g}, over {BUDGET}"
