"""Which known mistake an implementation makes, found from where it fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tgite_checks.conformance.algorithms import Group
from tgite_checks.conformance.cases.mutants import all_mutants
from tgite_checks.conformance.divergence import Divergence
from tgite_checks.conformance.format import MutantNote
from tgite_checks.conformance.mutant_cases import first_divergence, subject_of
from tgite_checks.conformance.runner import CaseResult, Status
from tgite_checks.mutation import Mutant, mutated

_PLAYED = (Status.CONFORMS, Status.WRONG, Status.DIFFERS_BY_CONVENTION)
_MOST_CASES = 70
_MOST_IN_QUESTION = 4


def known_mistakes(results: Sequence[CaseResult], whole: bool = False) -> tuple[Mutant, ...]:
    """Return the known mistakes that explain the results of the cases that are there for mistakes.

    The few that the cases' notes speak for most are played themselves. Of those, the ones are
    returned that part where the subject does and ask what it asks there most often, and in more
    than half of the cases that fail. ``whole`` says that the subject played whole tapes: what it
    would have asked is not known then, and where it parts decides alone.
    """
    noted = [
        result for result in results if result.case.mutant is not None and result.status in _PLAYED
    ]
    papers = Group.PAPER.algorithms
    return (
        *_explaining([one for one in noted if one.case.algorithm in papers], whole),
        *_explaining([one for one in noted if one.case.algorithm not in papers], whole),
    )


def _explaining(noted: Sequence[CaseResult], whole: bool) -> tuple[Mutant, ...]:
    """Return the known mistakes that explain the results of the paper's cases, or of the others."""
    short = sorted(noted, key=lambda result: result.case.duels)[:_MOST_CASES]
    known = all_mutants()
    agreement = {
        name: _agreement(known[name], short, whole) for name in _in_question(noted) if name in known
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
        if note := result.case.mutant:
            found = result.divergence
            vote = 2 if found is not None and found.duel == note.duel else -1
            votes.update(dict.fromkeys((note.name, *note.also), vote))
    return [name for name, count in votes.most_common(_MOST_IN_QUESTION) if count > 0]


def asks_the_same(note: MutantNote, result: CaseResult) -> bool:
    """Say whether a result parts by the very question by which the note's mutant parts."""
    mutant, found = all_mutants().get(note.name), result.divergence
    if mutant is None or found is None or found.duel != note.duel:
        return False
    of_mutant = first_divergence(subject_of(mutated(mutant)), result.case)
    return isinstance(of_mutant, Divergence) and _same(of_mutant, found, whole=False)


def _same(of_mutant: Divergence, found: Divergence, whole: bool) -> bool:
    if (of_mutant.duel, of_mutant.parting) != (found.duel, found.parting):
        return False
    return whole or of_mutant.asked == found.asked


def _agreement(mutant: Mutant, results: Sequence[CaseResult], whole: bool) -> int:
    """Count the results that part as the mutant does, less those where only one of them parts."""
    subject = subject_of(mutated(mutant))
    agreement = 0
    for result in results:
        of_mutant, found = first_divergence(subject, result.case), result.divergence
        if isinstance(of_mutant, Divergence) and found is not None:
            agreement += _same(of_mutant, found, whole)
        elif (of_mutant is None) != (found is None):
            agreement -= 1
    return agreement
