"""Plays all cases with a subject, one after the other, and keeps going after faults."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import takewhile
from math import inf

from msgspec import structs

from tgite import InvalidInput
from tgite_conform.algorithms import ALGORITHMS
from tgite_conform.convention_finder import Changes, ConventionFinder
from tgite_conform.divergence import Diverged, Divergence, Parting
from tgite_conform.faults import Fault, FaultKind, Lacking, Refused
from tgite_conform.format import Case, Expected, Outcomes, Refusal
from tgite_conform.protocol import Mode
from tgite_conform.referee import Level, Referee
from tgite_conform.subjects import Subject

_MOST_SECONDS_LOST = 7.0
PATIENCE = 10.0
"""The default number of seconds that a run goes on after the first difference."""

# From such a share of the longest case on, a case is left out after so many that differ.
_ENOUGH = {1 / 32: 1, 1 / 256: 6, 0: 40}
_MANY, _ENOUGH_OF_MANY = 8_000, 24  # cases, and those of them that differ
_IN_TURN = 12
_SECONDS_OF_A_LONG_CASE = 1.0
_MOST_SECONDS_OF_REPLAYS = 2.0
_KEPT = "the implementation keeps something from an earlier case"


class Status(StrEnum):
    """How a case ended."""

    CONFORMS = "conforms"
    WRONG = "wrong"
    DIFFERS_BY_CONVENTION = "differs by convention"
    FAULT = "fault"
    """It crashed, hung, flooded its output, exited early or answered nonsense."""
    NOT_PLAYED = "not played"
    """It was left out after too many faults, or because the time for differences was up."""
    SKIPPED = "skipped"


DIFFERING = (Status.WRONG, Status.DIFFERS_BY_CONVENTION, Status.FAULT)
"""The statuses of cases that were played and do not conform."""

BAD = (*DIFFERING, Status.NOT_PLAYED)
"""The statuses of cases that do not conform."""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The result of a case.

    ``detail`` is the fault, the reason for skipping (with its subject after a colon), or the
    conventions that explain a difference. ``explanations`` is None if none were sought.
    """

    case: Case
    status: Status
    duels: int = 0
    seconds: float = 0.0
    divergence: Divergence | None = None
    detail: str = ""
    fault: FaultKind | None = None
    explanations: list[Changes] | None = None

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "id": self.case.id,
            "name": self.case.name,
            "status": self.status,
            "detail": self.detail,
            "fault": self.fault,
            "divergence": None if self.divergence is None else self.divergence.to_json(),
        }


def in_turns(cases: Iterable[Case]) -> list[Case]:
    """Return the cases in the order of playing: a few of each algorithm in turn, short ones first.

    So a run that stops after its first differences has seen all algorithms. The first are those
    that detect known mistakes, refusals among the last.
    """
    of_algorithm: dict[str, list[Case]] = {name: [] for name in ALGORITHMS}

    def order(case: Case) -> tuple[bool, bool, int]:
        return isinstance(case.expected, Refusal), case.mutant is None, case.duels

    for case in sorted(cases, key=order):
        of_algorithm[case.algorithm].append(case)
    turns: list[tuple[int, Case]] = []
    for of in of_algorithm.values():
        refusals = sum(isinstance(case.expected, Refusal) for case in of)
        # What is kept of refused cases shows in the last runs, which are played among them.
        for number in range(len(of) - refusals, len(of)):
            of.insert(number - _IN_TURN * (len(of) - number) // (refusals + 1), of.pop(number))
        turns += [(number // _IN_TURN, case) for number, case in enumerate(of)]
    return [case for _, case in sorted(turns, key=lambda one: one[0])]


def examine(
    subject: Subject,
    cases: Iterable[Case],
    level: Level = Level.MATCHES,
    long: bool = False,
    patience: float = inf,
) -> Iterator[CaseResult]:
    """Play all cases and yield their results; a subject's errors are results, too.

    Cases of more duels than ``longest`` are skipped unless ``long``, or the subject is very fast.
    After a difference long cases are not played. After too many faults, many differences, or
    ``patience`` seconds after the first, none is; if ``patience`` is infinite, only after faults.
    """
    first_difference, differing = inf, 0
    finder = ConventionFinder(level, subject.mode is Mode.BATCH)
    lost, speeds = 0.0, dict[str, float]()
    for number, case in enumerate(cases):
        fast = case.duels < _SECONDS_OF_A_LONG_CASE * speeds.get(case.algorithm, 0.0)
        reason = subject.declaration.why_skipped(case) or too_long(subject, case, long or fast)
        if reason:
            yield CaseResult(case, Status.SKIPPED, detail=reason)
            continue
        gave_up = ""
        if lost > _MOST_SECONDS_LOST:
            gave_up = f"faults have cost more than {_MOST_SECONDS_LOST:g} s"
        most = next(n for of, n in _ENOUGH.items() if case.duels >= of * subject.longest)
        most = min(most, _ENOUGH_OF_MANY) if number > _MANY else most
        enough = differing >= most and patience < inf
        if enough or time.perf_counter() - first_difference > patience:
            gave_up = gave_up or "enough cases differ (--long plays all)"
        if gave_up:
            yield CaseResult(case, Status.NOT_PLAYED, detail=gave_up)
            continue
        hurried = too_long(subject, case, long)
        subject.slowest = case.duels / _SECONDS_OF_A_LONG_CASE if hurried else Subject.slowest
        started = time.perf_counter()
        duels, status, detail, divergence, kind = 0, Status.CONFORMS, "", None, None
        changes = None
        try:
            duels = subject.play(case, level)
        except Diverged as diverged:
            status, divergence = Status.WRONG, diverged.divergence
        except Fault as fault:
            status, detail, kind = Status.FAULT, str(fault), fault.kind
            duels = fault.duels or 0
        except Lacking as lacking:
            status, detail = Status.SKIPPED, str(lacking)
        seconds = time.perf_counter() - started
        if status is Status.CONFORMS:
            speeds[case.algorithm] = max(duels / seconds, speeds.get(case.algorithm, 0.0))
        elif kind is FaultKind.HUNG and (reason := too_long(subject, case, long)):
            yield CaseResult(case, Status.SKIPPED, detail=reason)
            continue
        if kind is not None:
            lost += seconds
        if divergence is not None and isinstance(case.expected, Expected):
            if differing < _ENOUGH[0]:
                divergence = _with_length(subject, case, divergence, level)
            changes = finder.changes(case, divergence)
            if changes:
                status, detail = Status.DIFFERS_BY_CONVENTION, said(case, changes[0])
        if status in DIFFERING:
            differing += 1
            first_difference = min(first_difference, time.perf_counter())
        yield CaseResult(case, status, duels, seconds, divergence, detail, kind, changes)


def _with_length(subject: Subject, case: Case, found: Divergence, level: Level) -> Divergence:
    """Return a divergence that says how long a match is that went on, as far as its tape goes."""
    expected, number = case.expected, found.match
    unknown = found.parting is Parting.WENT_ON and found.length is None
    if not unknown or number is None or not isinstance(expected, Expected):
        return found
    most = Outcomes(expected).of(number, spare=True).length
    longer = structs.replace(expected.matches[number], length=most, winner=None)
    blocks = tuple(one for one in expected.self_play if one.after <= number)
    announced = tuple(one for one in expected.incumbents if one.after <= number)
    matches = (*expected.matches[:number], longer)
    longest = Expected(expected.tape, matches, blocks, announced, None, None, False, "")
    try:
        subject.meet(case, Referee(replace(case, expected=longest), level))
    except (Fault, Lacking, Refused):
        return found
    except Diverged as diverged:
        one = diverged.divergence
        if one.match == number:
            return replace(found, length=most + 1 if one.parting is Parting.WENT_ON else one.length)
    return replace(found, length=most)


def what_it_keeps(
    fresh: Callable[[], Subject], results: Sequence[CaseResult], failing: CaseResult, level: Level
) -> str:
    """Return that a failing case conforms in a fresh process, and after which not; else ""."""
    case, before = failing.case, takewhile(lambda one: one is not failing, results)
    played = [one.case for one in before if one.status in (Status.CONFORMS, *DIFFERING)]

    def ends(*cases: Case) -> str:
        with closing(fresh()) as subject:
            for one in cases:
                said = ""
                try:
                    subject.play(one, level)
                except (Diverged, Lacking) as error:
                    said = str(error)
                except Fault as fault:
                    said = fault.kind
        return said

    try:
        alone, until = ends(case), time.perf_counter() + _MOST_SECONDS_OF_REPLAYS
        if alone != ends(case):
            return f"{case.id} ends differently from one play to the next: it depends on chance"
        if alone:
            return ""
        # After the last ``fails`` of the cases before it this case fails, after ``conforms`` not.
        near = sorted(played, key=lambda one: one.algorithm == case.algorithm)
        conforms, fails, many = 0, 0, 1
        while time.perf_counter() < until and conforms + 1 != fails and conforms < len(played):
            many = min(2 * conforms or 1, len(played)) if not fails else (conforms + fails) // 2
            if ends(*near[-many:], case):
                fails = many
            else:
                conforms = many
        # What depends on chance does not fail so often in a row.
        if fails == conforms + 1 and all(ends(near[-fails], case) for _ in range(3)):
            return f"alone, {case.id} conforms, after {near[-fails].id} it does not: {_KEPT}"
        if conforms == len(played) and not ends(*played, case):
            return f"played again, {case.id} conforms: it depends on chance, or on time"
    except InvalidInput:
        return ""
    return f"alone, {case.id} conforms: {_KEPT}, or depends on chance"


def too_long(subject: Subject, case: Case, long: bool) -> str:
    """Return why a case is too long to be played, or ""."""
    most = subject.longest
    if case.duels <= most:
        return ""
    if subject.mode is Mode.BATCH and not subject.declaration.runs:
        return f"more than {most:,} duels: it does not declare that it reads runs"
    return "" if long else f"more than {most:,} duels: say --long"


def said(case: Case, changes: Changes) -> str:
    """Return in words which conventions explain a case's difference."""
    return ", ".join(
        f"{name} {value} where the case says {getattr(case.conventions, name)}"
        for name, value in changes.items()
    )


def _played_right(results: Sequence[CaseResult]) -> set[tuple[str, object]]:
    """Return the conventions of tournaments that all tournaments by themselves play right."""
    of: dict[bool, set[tuple[str, object]]] = {True: set(), False: set()}
    for result in results:
        S, by = result.case.parameters.get("S"), result.case.conventions
        if isinstance(S, tuple) and result.status in (Status.CONFORMS, *DIFFERING):
            byes = len(S) % 2 == 1 < len(S)
            names = ["arguments"] * (len(S) > 1) + ["pairing"] * (len(S) > 3)
            names += ["bye", "bye_place"] * byes
            of[result.status is Status.CONFORMS] |= {(name, getattr(by, name)) for name in names}
    return of[True] - of[False]


def settled(results: Sequence[CaseResult]) -> tuple[CaseResult, ...]:
    """Return the results, of which some change from "differs by convention" to "wrong".

    These are results of algorithms for which conventions leave more cases unexplained than they
    explain, or whose tournaments by themselves are right: in these, arms have another order. Of
    several explanations of a case, the one that explains most cases is told.
    """
    right, kept = _played_right(results), list[CaseResult]()
    for result in results:
        by, all_ = result.case.conventions, result.explanations
        if all_ and "S" not in result.case.parameters:
            all_ = [one for one in all_ if not right & {(name, getattr(by, name)) for name in one}]
            status = Status.DIFFERS_BY_CONVENTION if all_ else Status.WRONG
            result = replace(result, status=status, explanations=all_)
        kept.append(result)
    times = Counter(frozenset(one.items()) for result in kept for one in result.explanations or ())
    chosen = [
        max(one.explanations or [{}], key=lambda by: times[frozenset(by.items())]) for one in kept
    ]
    # Where some cases are unexplained, a convention with several values explains none.
    in_vain = any(one.explanations == [] for one in kept)
    values = {item for by in chosen for item in by.items() if in_vain}
    several = {name for name, n in Counter(name for name, _ in values).items() if n > 1}
    explained = [by != {} and not several & {*by} for by in chosen]
    balance = Counter[str]()
    for result, ok in zip(kept, explained, strict=True):
        balance[result.case.algorithm] += 1 if ok else -(result.explanations is not None)

    def judged(result: CaseResult, by: Changes, ok: bool) -> CaseResult:
        if ok and balance[result.case.algorithm] >= 0:
            return replace(result, detail=said(result.case, by))
        if result.explanations is None:
            return result
        return replace(result, status=Status.WRONG, detail="")

    return tuple(map(judged, kept, chosen, explained))
