"""Which known mistake an implementation makes, found from where it fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tgite_checks.conformance.cases.mutants import all_mutants
from tgite_checks.conformance.divergence import Divergence
from tgite_checks.conformance.mutant_cases import first_divergence, subject_of
from tgite_checks.conformance.runner import CaseResult, Status
from tgite_checks.mutation import Mutant, mutated

_PLAYED = (Status.CONFORMS, Status.WRONG, Status.DIFFERS_BY_CONVENTION)
_MOST_CASES = 70
_MOST_IN_QUESTION = 4


def known_mistakes(results: Sequence[CaseResult]) -> tuple[Mutant, ...]:
    """Return the known mistakes that explain the results of the cases that are there for mistakes.

    The few that the cases' notes speak for most are played themselves. Of those, the ones are
    returned that part where the subject does most often, and in more than half of the cases that
    fail.
    """
    noted = [
        result for result in results if result.case.mutant is not None and result.status in _PLAYED
    ]
    short = sorted(noted, key=lambda result: result.case.duels)[:_MOST_CASES]
    known = all_mutants()
    agreement = {
        name: _agreement(known[name], short) for name in _in_question(noted) if name in known
    }
    most = max(agreement.values(), default=0)
    if 2 * most <= sum(result.divergence is not None for result in short):
        return ()
    return tuple(known[name] for name in sorted(agreement) if agreement[name] == most)


def _in_question(results: Sequence[CaseResult]) -> list[str]:
    """Return the mistakes that the notes speak for most.

    A note says which mistakes part at its duel; it speaks for them if the subject parts there too,
    and against them if not.
    """
    votes: Counter[str] = Counter()
    for result in results:
        note, divergence = result.case.mutant, result.divergence
        if note is None:
            continue
        there = divergence is not None and divergence.duel == note.duel
        for name in (note.name, *note.also):
            votes[name] += 2 if there else -1
    return [name for name, count in votes.most_common(_MOST_IN_QUESTION) if count > 0]


def _agreement(mutant: Mutant, results: Sequence[CaseResult]) -> int:
    """Count the results that part as the mutant does, less those where only one of them parts."""
    subject = subject_of(mutated(mutant))
    agreement = 0
    for result in results:
        of_mutant, found = first_divergence(subject, result.case), result.divergence
        if isinstance(of_mutant, Divergence) and found is not None:
            same = (of_mutant.duel, of_mutant.parting) == (found.duel, found.parting)
            agreement += same
        elif (of_mutant is None) != (found is None):
            agreement -= 1
    return agreement
