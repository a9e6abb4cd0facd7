"""Plays all cases with a subject, one after the other, and keeps going after faults."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf

from tgite import InvalidInput
from tgite_conform.algorithms import ALGORITHMS
from tgite_conform.convention_finder import Changes, ConventionFinder
from tgite_conform.divergence import Diverged, Divergence
from tgite_conform.faults import Fault, FaultKind, Lacking
from tgite_conform.format import Case, Expected, Refusal
from tgite_conform.match_length import with_length
from tgite_conform.protocol import Mode
from tgite_conform.referee import Level
from tgite_conform.subjects import Subject

_MOST_SECONDS_LOST = 8.0

PATIENCE = 0.4
"""The default number of seconds that a run goes on after the first difference."""

_ENOUGH, _MORE = 30, 4.0
_IN_TURN = 12
_MOST_LENGTHS = 60


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
    that detect known mistakes, refusals the last.
    """
    of_algorithm: dict[str, list[Case]] = {name: [] for name in ALGORITHMS}

    def order(case: Case) -> tuple[bool, bool, int]:
        return isinstance(case.expected, Refusal), case.mutant is None, case.duels

    for case in sorted(cases, key=order):
        of_algorithm[case.algorithm].append(case)
    turns: list[tuple[int, Case]] = []
    for of in of_algorithm.values():
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

    Cases of more duels than ``longest`` are skipped unless ``long``. After too many faults, or
    ``patience`` seconds after the first difference, the remaining cases are not played; if few
    cases differ, it is four times as long.
    """
    first_difference, differing, lengths = (inf, inf), 0, 0
    finder = ConventionFinder(level)
    lost = 0.0
    for case in cases:
        if reason := subject.declaration.why_skipped(case) or too_long(subject, case, long):
            yield CaseResult(case, Status.SKIPPED, detail=reason)
            continue
        gave_up = ""
        if lost > _MOST_SECONDS_LOST:
            gave_up = f"faults have cost more than {_MOST_SECONDS_LOST:g} s"
        # The processor's seconds, or half of all if they are more.
        cpu, wall = first_difference
        waited = max(time.process_time() - cpu, (time.perf_counter() - wall) / 2)
        if waited > (patience if differing >= _ENOUGH else _MORE * patience):
            gave_up = gave_up or "enough cases differ (--long plays all)"
        if gave_up:
            yield CaseResult(case, Status.NOT_PLAYED, detail=gave_up)
            continue
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
        if kind is not None:
            lost += seconds
        if divergence is not None and isinstance(case.expected, Expected):
            if lengths < _MOST_LENGTHS:
                lengths += 1
                divergence = with_length(subject.meet, case, divergence, level)
            changes = finder.changes(case, divergence)
            if changes:
                status, detail = Status.DIFFERS_BY_CONVENTION, said(case, changes[0])
        if status in DIFFERING:
            differing += 1
            first_difference = min(first_difference, (time.process_time(), time.perf_counter()))
        yield CaseResult(case, status, duels, seconds, divergence, detail, kind, changes)


def passes_alone(fresh: Callable[[], Subject], case: Case, level: Level) -> bool:
    """Return whether a failing case conforms if a fresh subject plays only this case."""
    try:
        with closing(fresh()) as subject:
            subject.play(case, level)
    except (InvalidInput, Diverged, Lacking, Fault):
        return False
    return True


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


def settled(results: Sequence[CaseResult]) -> tuple[CaseResult, ...]:
    """Return the results, of which some change from "differs by convention" to "wrong".

    These are results of algorithms for which conventions leave more cases unexplained than they
    explain. Of several explanations of a case, the one that explains most cases is told.
    """
    found = [one for result in results for one in result.explanations or ()]
    times = Counter(frozenset(one.items()) for one in found)
    wrong = [one for one in results if one.status is Status.WRONG]
    in_vain = [one for one in wrong if one.explanations is not None]
    unexplained = Counter(one.case.algorithm for one in in_vain)
    by_convention = [one for one in results if one.status is Status.DIFFERS_BY_CONVENTION]
    explaining = Counter(one.case.algorithm for one in by_convention)

    def told(result: CaseResult) -> CaseResult:
        of = result.case.algorithm
        convention = result.status is Status.DIFFERS_BY_CONVENTION
        if convention and result.explanations:
            most = max(result.explanations, key=lambda one: times[frozenset(one.items())])
            result = replace(result, detail=said(result.case, most))
        if not convention or unexplained[of] <= explaining[of]:
            return result
        others = f"of {of} that explains {explaining[of]} cases, and not {unexplained[of]} others"
        return replace(result, status=Status.WRONG, detail=f"{result.detail}, but {others}")

    return tuple(map(told, results))
