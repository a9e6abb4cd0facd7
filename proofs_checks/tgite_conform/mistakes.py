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
from tgite_conform.algorithms import ALGORITHMS, Group, Maker
from tgite_conform.divergence import Diverged, Divergence, Parting
from tgite_conform.faults import Fault
from tgite_conform.format import Case, Expected
from tgite_conform.level_finder import with_length
from tgite_conform.referee import Level
from tgite_conform.runner import CaseResult, Status
from tgite_conform.subjects import StreamSubject
from tgite_laws.implementation import Implementation

_PLAYED = (Status.CONFORMS, Status.WRONG, Status.DIFFERS_BY_CONVENTION)
_MOST_CASES = 70
_MOST_OTHERS = 30
_MOST_DUELS, _LONGEST = 1000, 20_000
_FEW, _MOST_MISSED, _DOUBT = 6, 2, 2
_MOST_TOGETHER = 400_000
_PLAYS_RIGHT = 30
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


def first_divergence(
    subject: StreamSubject, case: Case, level: Level = Level.MATCHES
) -> Divergence | Fault | None:
    """Return a subject's first divergence in a case, or its fault, or None if it conforms."""
    try:
        subject.play(case, level)
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

    Every known mistake that can be the cause plays a few short cases that fail, and those that
    diverge at the same question as the subject play many. The result holds the ones that most often
    do. If the subject played ``whole`` tapes, only the duel is compared.
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
        return any(_parts_alike(subject, result, whole) for subject in subjects)

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
    ]
    few_are_short = len(others) < _FEW or others[_FEW - 1].case.duels > _MOST_DUELS
    longest = _LONGEST if few_are_short else _MOST_DUELS
    others = [one for one in others if one.case.duels <= longest][: _FEW if few_are_short else None]
    if any(one.case.algorithm in ("tree_ascent", "tg_ite_bai") for one in others):
        # A mistake in one version of TreeAscent is not one in the other.
        others = [one for one in others if "power_of_two" not in one.case.algorithm]
        noted = [one for one in noted if "power_of_two" not in one.case.algorithm]
    # Cases of all lengths: short ones do not separate mistakes that stop a match late.
    short = noted[:_MOST_CASES] + others[:: -(-len(others) // _MOST_OTHERS) or 1]
    failing = sorted(
        (result for result in short if result.divergence is not None),
        key=lambda result: result.case.duels,
    )
    few = failing[:: -(-len(failing) // _FEW) or 1]
    candidates = _candidates(played) if failing else []
    while few and len(candidates) * sum(one.case.duels for one in few) > _MOST_TOGETHER:
        few.pop()
    alike: list[Likeness] = []
    for mutant in candidates if few else ():
        subject = subject_of(mutated(mutant))
        missed = 0
        for result in few:
            missed += not _parts_alike(subject, result, whole)
            if missed > _MOST_MISSED:
                break
        else:
            alike.append(_likeness(mutant, subject, short, whole))
    like = [one for one in alike if one.same >= _IS_LIKE_IT * one.parting > 0]
    most = max((one.same / one.parting for one in like), default=0.0)
    return tuple(one for one in like if one.same / one.parting == most)


def _candidates(played: Sequence[CaseResult]) -> list[Mutant]:
    """Return the known mistakes that can be the cause.

    Mistakes in modules whose own algorithm plays many cases right cannot, and if a pairwise test
    goes wrong, only those in tests. The cases' notes tell at which duels others diverge.
    """
    fails, conforms = Counter[str](), Counter[str]()
    for result in played:
        if isinstance(result.case.expected, Expected):
            of = result.case.algorithm
            conforms[of] += result.divergence is None
            fails[of] += result.divergence is not None
    wrong_tests = {name for name in fails if fails[name] and ALGORITHMS[name].is_a_test}
    right_ones = {name for name in fails if conforms[name] >= _PLAYS_RIGHT and not fails[name]}
    papers = set(fails) <= set(Group.PAPER.algorithms)
    transcribers = transcription_mistakes()
    right, told = Counter[str](), Counter[str]()
    for result in played:
        if note := result.case.mutant:
            there = result.divergence is not None and result.divergence.duel == note.duel
            named = {note.name, *note.also}
            told.update(list(transcribers) if there else named)
            right.update(named if there else ())

    def possible(mutant: Mutant) -> bool:
        package, _, module = mutant.module.rpartition(".")
        if right[mutant.name] + _DOUBT < _IS_LIKE_IT * told[mutant.name]:
            return False
        if wrong_tests and module != "likelihood":
            return module in wrong_tests
        return module not in right_ones and not (papers and package)

    known = {**transcribers, **of_implementations()}
    return [known[name] for name in sorted(known) if possible(known[name])]


def _parts_alike(subject: StreamSubject, result: CaseResult, whole: bool) -> bool:
    """Return whether a result diverges as this subject does, with a match of the same length."""
    # The matches of a whole tape are compared in the reference's order.
    level = Level.ORDER if whole else Level.MATCHES
    of_mutant, found = first_divergence(subject, result.case, level), result.divergence
    if found is None or not isinstance(of_mutant, Divergence):
        return False
    if not _same(of_mutant, found, whole) or found.length is None:
        return _same(of_mutant, found, whole)
    return with_length(subject.meet, result.case, of_mutant, level).length == found.length


def _same(of_mutant: Divergence, found: Divergence, whole: bool) -> bool:
    # A whole tape tells how long self-play was, but not which duel would have followed.
    if whole and found.parting is not Parting.SELF_PLAY:
        return (of_mutant.duel, of_mutant.parting) == (found.duel, found.parting)
    return of_mutant.is_as(found)


def _likeness(
    mutant: Mutant, subject: StreamSubject, results: Sequence[CaseResult], whole: bool
) -> Likeness:
    """Count the results that diverge as the mutant does, among those where either diverges."""
    same = parting = 0
    for result in results:
        alike = _parts_alike(subject, result, whole)
        same += alike
        parting += (
            alike or result.divergence is not None or bool(first_divergence(subject, result.case))
        )
    return Likeness(mutant, same, parting)
