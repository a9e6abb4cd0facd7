"""Which known mistake an implementation makes, found from where it fails."""

from __future__ import annotations

from collections.abc import Sequence

from tgite_checks.conformance.cases.mutants import all_mutants
from tgite_checks.conformance.format import MutantNote
from tgite_checks.conformance.mutant_cases import parting_duel, subject_of
from tgite_checks.conformance.runner import CaseResult, Status
from tgite_checks.mutation import Mutant, mutated

_PLAYED = (Status.CONFORMS, Status.WRONG, Status.DIFFERS_BY_CONVENTION)
_MOST_CASES = 70


def known_mistakes(results: Sequence[CaseResult]) -> tuple[Mutant, ...]:
    """Return the known mistakes that explain the results of the cases that are there for mistakes.

    A mistake comes into question if its own case parts from the reference where the mistake does.
    Of those, the ones are returned that part where the subject does in most of these cases, and in
    more than half of those that fail.
    """
    known = all_mutants()
    noted = [
        result for result in results if result.case.mutant is not None and result.status in _PLAYED
    ]
    failed = [result for result in noted if result.divergence is not None]
    in_question = [note for note in map(_own_mutant, failed) if note is not None]
    short = sorted(noted, key=lambda result: result.case.duels)[:_MOST_CASES]
    # The cases in which a mistake is alone at its duel say most.
    alone = [note for note in in_question if not note.also]
    agreement = {
        note.name: _agreement(known[note.name], short)
        for note in (alone or in_question)
        if note.name in known
    }
    most = max(agreement.values(), default=0)
    if 2 * most <= sum(result.divergence is not None for result in short):
        return ()
    return tuple(known[name] for name in sorted(agreement) if agreement[name] == most)


def _own_mutant(result: CaseResult) -> MutantNote | None:
    """Return the mutant that a case is there for, if the result parts where the mutant does."""
    note, divergence = result.case.mutant, result.divergence
    if note is None or divergence is None or divergence.duel != note.duel:
        return None
    return note


def _agreement(mutant: Mutant, results: Sequence[CaseResult]) -> int:
    """Count the results that part where the mutant does, less those where only one of them does."""
    subject = subject_of(mutated(mutant))
    agreement = 0
    for result in results:
        expected = parting_duel(subject, result.case)
        found = None if result.divergence is None else result.divergence.duel
        if found is not None and found == expected:
            agreement += 1
        elif (found is None) != (expected is None):
            agreement -= 1
    return agreement
