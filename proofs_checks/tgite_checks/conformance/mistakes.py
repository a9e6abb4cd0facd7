"""Which known mistake an implementation makes, found from where it fails."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

from tgite_checks.claims.reading import parsed, record
from tgite_checks.conformance.algorithms import Group
from tgite_checks.conformance.cases.mutants import all_mutants
from tgite_checks.conformance.divergence import Divergence, Parting
from tgite_checks.conformance.format import MutantNote
from tgite_checks.conformance.mutant_cases import first_divergence, subject_of
from tgite_checks.conformance.runner import CaseResult, Status
from tgite_checks.mutation import Mutant, mutated

_PLAYED = (Status.CONFORMS, Status.WRONG, Status.DIFFERS_BY_CONVENTION)
_MOST_CASES = 70
_MOST_OTHERS = 30
_MOST_DUELS = 1000
_MOST_IN_QUESTION = 4


@functools.cache
def of_implementations() -> Mapping[str, Mutant]:
    """Return the known mistakes that have no cases of their own, by name."""
    file = files(__package__).joinpath("mistakes.toml")
    held = parsed(file.name, file.read_text(encoding="utf-8"), dict[str, dict[str, Any]])
    return {
        name: record(f"{file.name}, {name}", {"name": name, **fields}, Mutant)
        for name, fields in held.items()
    }


def known_mistakes(results: Sequence[CaseResult], whole: bool = False) -> tuple[Mutant, ...]:
    """Return the known mistakes that explain the results.

    The few that the cases' notes speak for most are played themselves, and those that have no
    cases of their own: in the cases that are there for mistakes, and in some others that fail. The
    ones are returned that part where the subject does and ask what it asks there most often, and in
    more than half of the cases that fail. ``whole`` says that the subject played whole tapes: what
    it would have asked is not known then, and where it parts decides alone.
    """
    played = [result for result in results if result.status in _PLAYED]
    papers = Group.PAPER.algorithms
    return (
        *_explaining([one for one in played if one.case.algorithm in papers], whole),
        *_explaining([one for one in played if one.case.algorithm not in papers], whole),
    )


def settled(
    results: Sequence[CaseResult], mistakes: Sequence[Mutant], whole: bool = False
) -> tuple[CaseResult, ...]:
    """Return the results, those wrong that a mistake explains as well as other conventions do.

    Conventions that explain all that fails stand.
    """
    if all(result.status is not Status.WRONG for result in results):
        return tuple(results)
    subjects = [subject_of(mutated(mutant)) for mutant in mistakes]

    def explained(result: CaseResult) -> bool:
        found = result.divergence
        partings = (first_divergence(subject, result.case) for subject in subjects)
        return found is not None and any(
            isinstance(one, Divergence) and _same(one, found, whole) for one in partings
        )

    return tuple(
        replace(result, status=Status.WRONG, detail="")
        if result.status is Status.DIFFERS_BY_CONVENTION and explained(result)
        else result
        for result in results
    )


def _explaining(played: Sequence[CaseResult], whole: bool) -> tuple[Mutant, ...]:
    """Return the known mistakes that explain the results of the paper's cases, or of the others."""
    by_length = sorted(played, key=lambda result: result.case.duels)
    noted = [result for result in by_length if result.case.mutant is not None]
    others = [
        one
        for one in by_length
        if one.case.mutant is None and one.divergence is not None and one.case.duels <= _MOST_DUELS
    ]
    # Of all lengths: short ones alone do not tell whoever stops late from others who do.
    short = noted[:_MOST_CASES] + others[:: -(-len(others) // _MOST_OTHERS) or 1]
    if all(result.divergence is None for result in short):
        return ()
    mutants = all_mutants()
    known = {name: mutants[name] for name in _in_question(noted) if name in mutants}
    known.update(of_implementations())
    agreement = {name: _agreement(mutant, short, whole) for name, mutant in known.items()}
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
    # Of whole tapes it is known how long self-play was, and not which duel would have followed.
    return of_mutant.asked == found.asked or (whole and found.parting is not Parting.SELF_PLAY)


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
