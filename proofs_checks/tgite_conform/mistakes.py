"""Finds the known mistake that explains where an implementation fails."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any

from tgite_checks.claims.mutants import mutants
from tgite_checks.claims.reading import parsed, record
from tgite_checks.mutation import Mutant, mutated
from tgite_conform.algorithms import Group, Maker
from tgite_conform.divergence import Diverged, Divergence, Parting
from tgite_conform.faults import Fault
from tgite_conform.format import Case, Expected, MutantNote
from tgite_conform.runner import CaseResult, Status
from tgite_conform.subjects import StreamSubject
from tgite_laws.implementation import Implementation

_PLAYED = (Status.CONFORMS, Status.WRONG, Status.DIFFERS_BY_CONVENTION)
_MOST_CASES = 70
_MOST_OTHERS = 30
_MOST_DUELS = 1000
_MOST_IN_QUESTION = 4
_IS_IT, _IS_LIKE_IT = 0.95, 0.7


@dataclass(frozen=True, slots=True)
class Likeness:
    """A known mistake; in ``same`` of the ``parting`` cases it diverges as the subject does."""

    mutant: Mutant
    same: int
    parting: int

    @property
    def is_it(self) -> bool:
        """Whether the cases show exactly this mistake, and not only a similar one."""
        return self.same >= _IS_IT * self.parting

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        of = self.mutant
        said = {"name": of.name, "label": of.label, "mistake": of.mistake}
        return {**said, "same": self.same, "parting": self.parting}

    def __str__(self) -> str:
        """Return the text for a reader."""
        of = self.mutant
        cases = f"{self.same} of the {self.parting} cases compared"
        return f"{of.label}: {of.mistake} ({of.name}; {cases})"


@functools.cache
def transcription_mistakes() -> Mapping[str, Mutant]:
    """Return the mutants of the transcription by name."""
    return {mutant.name: mutant for mutant in mutants()}


def subject_of(implementation: Implementation) -> StreamSubject:
    """Return a subject that plays an implementation with the reference's interface."""
    return StreamSubject(Maker(implementation), implementation.name)


def first_divergence(subject: StreamSubject, case: Case) -> Divergence | Fault | None:
    """Return a subject's first divergence in a case, or its fault, or None if it conforms."""
    try:
        subject.play(case)
    except Diverged as diverged:
        return diverged.divergence
    except Fault as fault:
        return fault
    return None


@functools.cache
def of_implementations() -> Mapping[str, Mutant]:
    """Return the known mistakes for which no case was made, by name."""
    file = files(__package__).joinpath("mistakes.toml")
    held = parsed(file.name, file.read_text(encoding="utf-8"), dict[str, dict[str, Any]])
    return {
        name: record(f"{file.name}, {name}", {"name": name, **fields}, Mutant)
        for name, fields in held.items()
    }


def known_mistakes(results: Sequence[CaseResult], whole: bool = False) -> tuple[Likeness, ...]:
    """Return the known mistakes that explain the results, or come nearest.

    Candidates are the mistakes that the failing cases' notes name most often, and mistakes without
    cases. They play short cases that fail. The result holds the candidates that most often diverge
    at the same question as the subject. If the subject played ``whole`` tapes, only the duel is
    compared.
    """
    played = [result for result in results if result.status in _PLAYED]
    papers = Group.PAPER.algorithms
    return (
        *_explaining([one for one in played if one.case.algorithm in papers], whole),
        *_explaining([one for one in played if one.case.algorithm not in papers], whole),
    )


def settled(
    results: Sequence[CaseResult], mistakes: Sequence[Likeness], whole: bool = False
) -> tuple[CaseResult, ...]:
    """Return the results, of which some change from "differs by convention" to "wrong".

    These are results that a known mistake explains too, and results of algorithms for which
    conventions leave more cases unexplained than they explain.
    """
    if all(result.status is not Status.WRONG for result in results):
        return tuple(results)
    subjects = [subject_of(mutated(one.mutant)) for one in mistakes if one.is_it]
    in_vain = [one for one in results if one.status is Status.WRONG and one.sought]
    unexplained = Counter(one.case.algorithm for one in in_vain)
    by_convention = [one for one in results if one.status is Status.DIFFERS_BY_CONVENTION]
    explaining = Counter(one.case.algorithm for one in by_convention)

    def explained(result: CaseResult) -> bool:
        found = result.divergence
        partings = (first_divergence(subject, result.case) for subject in subjects)
        return found is not None and any(
            isinstance(one, Divergence) and _same(one, found, whole) for one in partings
        )

    def told(result: CaseResult) -> CaseResult:
        if result.status is not Status.DIFFERS_BY_CONVENTION:
            return result
        if explained(result):
            return replace(result, status=Status.WRONG, detail="")
        of = result.case.algorithm
        if unexplained[of] <= explaining[of]:
            return result
        others = f"of {of} that explains {explaining[of]} cases, and not {unexplained[of]} others"
        return replace(result, status=Status.WRONG, detail=f"{result.detail}, but {others}")

    return tuple(map(told, results))


def _explaining(played: Sequence[CaseResult], whole: bool) -> tuple[Likeness, ...]:
    """Return the known mistakes that explain these results, of cases on the paper or beyond it."""
    by_length = sorted(played, key=lambda result: result.case.duels)
    noted = [result for result in by_length if result.case.mutant is not None]
    others = [
        one
        for one in by_length
        if one.case.mutant is None
        and one.divergence is not None
        # Refusals of bad inputs say nothing about other mistakes.
        and isinstance(one.case.expected, Expected)
        and one.case.duels <= _MOST_DUELS
    ]
    # Cases of all lengths: short ones do not separate mistakes that stop a match late.
    short = noted[:_MOST_CASES] + others[:: -(-len(others) // _MOST_OTHERS) or 1]
    if all(result.divergence is None for result in short):
        return ()
    known = transcription_mistakes()
    known = {name: known[name] for name in _in_question(noted) if name in known}
    known.update(of_implementations())
    alike = [_likeness(known[name], short, whole) for name in sorted(known)]
    like = [one for one in alike if one.same >= _IS_LIKE_IT * one.parting > 0]
    most = max((one.same / one.parting for one in like), default=0.0)
    return tuple(one for one in like if one.same / one.parting == most)


def _in_question(results: Sequence[CaseResult]) -> list[str]:
    """Return the mistakes that most notes name for the duel at which the subject diverges."""
    votes: Counter[str] = Counter()
    for result in results:
        if note := result.case.mutant:
            found = result.divergence
            vote = 2 if found is not None and found.duel == note.duel else -1
            votes.update(dict.fromkeys((note.name, *note.also), vote))
    return [name for name, count in votes.most_common(_MOST_IN_QUESTION) if count > 0]


def asks_the_same(note: MutantNote, result: CaseResult) -> bool:
    """Return whether a result diverges with the same question as the note's mutant."""
    mutant, found = transcription_mistakes().get(note.name), result.divergence
    if mutant is None or found is None or found.duel != note.duel:
        return False
    of_mutant = first_divergence(subject_of(mutated(mutant)), result.case)
    return isinstance(of_mutant, Divergence) and _same(of_mutant, found, whole=False)


def _same(of_mutant: Divergence, found: Divergence, whole: bool) -> bool:
    # A whole tape tells how long self-play was, but not which duel would have followed.
    if whole and found.parting is not Parting.SELF_PLAY:
        return (of_mutant.duel, of_mutant.parting) == (found.duel, found.parting)
    return of_mutant.is_as(found)


def _likeness(mutant: Mutant, results: Sequence[CaseResult], whole: bool) -> Likeness:
    """Count the results that diverge as the mutant does, among those where either diverges."""
    subject = subject_of(mutated(mutant))
    same = parting = 0
    for result in results:
        of_mutant, found = first_divergence(subject, result.case), result.divergence
        if of_mutant is not None or found is not None:
            parting += 1
            if isinstance(of_mutant, Divergence) and found is not None:
                same += _same(of_mutant, found, whole)
    return Likeness(mutant, same, parting)
