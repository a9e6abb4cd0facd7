"""Which known mistake an implementation makes, found from where it fails."""

from __future__ import annotations

from collections.abc import Sequence

from tgite_checks.conformance.cases.mutants import all_mutants, chosen
from tgite_checks.conformance.divergence import Diverged
from tgite_checks.conformance.faults import Fault
from tgite_checks.conformance.format import Case
from tgite_checks.conformance.mutant_cases import subject_of
from tgite_checks.conformance.runner import CaseResult, Status
from tgite_checks.conformance.subjects import StreamSubject
from tgite_checks.mutation import Mutant, mutated

_PLAYED = (Status.CONFORMS, Status.WRONG, Status.DIFFERS_BY_CONVENTION)


def known_mistakes(results: Sequence[CaseResult]) -> tuple[Mutant, ...]:
    """Return the known mistakes that explain the results of the cases that are there for mistakes.

    Such a mistake fails exactly those of these cases that the subject fails. Among several, those
    are returned that part from the reference at the same duels most often.
    """
    table = chosen()
    by_case = {choice.case: name for name, choice in table.items()}
    played = {
        by_case[result.case.id]: result
        for result in results
        if result.case.id in by_case and result.status in _PLAYED
    }
    failed = {name for name, result in played.items() if result.status is not Status.CONFORMS}
    if not failed:
        return ()
    known = all_mutants()
    explaining = [
        mutant
        for name, mutant in known.items()
        if failed == {case for case in played if case == name or name in table[case].also}
    ]
    agreement = {
        mutant.name: _agreement(mutant, [played[name] for name in sorted(failed)])
        for mutant in explaining
    }
    most = max(agreement.values(), default=0)
    return tuple(mutant for mutant in explaining if agreement[mutant.name] == most)


def _agreement(mutant: Mutant, results: Sequence[CaseResult]) -> int:
    """Count the results that part from the reference at the same duel as the mutant."""
    subject = subject_of(mutated(mutant))
    return sum(
        result.divergence.duel == _parting_duel(subject, result.case)
        for result in results
        if result.divergence is not None
    )


def _parting_duel(subject: StreamSubject, case: Case) -> int | None:
    try:
        subject.play(case)
    except Diverged as diverged:
        return diverged.divergence.duel
    except Fault:
        return None
    return None
