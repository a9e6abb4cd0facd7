"""Plays all cases with a subject, one after the other, and keeps going after faults."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import inf

from tgite import InvalidInput
from tgite_conform.convention_finder import ConventionFinder
from tgite_conform.divergence import Diverged, Divergence
from tgite_conform.faults import Fault, FaultKind, Lacking
from tgite_conform.format import Case, Expected
from tgite_conform.protocol import Mode
from tgite_conform.referee import Level
from tgite_conform.subjects import Subject

# A hanging subject costs its time limit at every case, a crashing one its restart.
_MOST_IN_A_ROW = {FaultKind.HUNG: 3, FaultKind.NOT_STARTED: 3}
_MOST_FAULTS_IN_A_ROW = 50
"""The most faults in a row of one algorithm; other algorithms are still played."""
_MOST_SECONDS_LOST = 8.0

PATIENCE = 10.0
"""The default number of seconds after which a run with differences stops and reports them."""


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
    conventions that explain a difference. ``sought`` is true if conventions were sought.
    """

    case: Case
    status: Status
    duels: int = 0
    seconds: float = 0.0
    divergence: Divergence | None = None
    detail: str = ""
    fault: FaultKind | None = None
    sought: bool = False

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


def examine(
    subject: Subject,
    cases: Iterable[Case],
    level: Level = Level.MATCHES,
    long: bool = False,
    patience: float = inf,
) -> Iterator[CaseResult]:
    """Play all cases and yield their results; a subject's errors are results, too.

    Cases of more duels than ``longest`` are skipped unless ``long``. After too many faults, or
    ``patience`` seconds after the start if a case differs, the remaining cases are not played.
    """
    begun, differs = time.perf_counter(), False
    finder = ConventionFinder(subject.cost_factor, level)
    in_a_row: list[FaultKind] = []
    of_algorithm = Counter[str]()
    lost = 0.0
    for case in cases:
        if reason := subject.declaration.why_skipped(case) or too_long(subject, case, long):
            yield CaseResult(case, Status.SKIPPED, detail=reason)
            continue
        gave_up = _why_give_up(in_a_row, lost + finder.lost) or (
            f"{_MOST_FAULTS_IN_A_ROW} faults in a row: {case.algorithm}"
            if of_algorithm[case.algorithm] >= _MOST_FAULTS_IN_A_ROW
            else ""
        )
        if differs and time.perf_counter() - begun > patience:
            gave_up = gave_up or f"it differs, and {patience:g} s are over: --long plays all"
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
            in_a_row.append(kind)
            of_algorithm[case.algorithm] += 1
        except Lacking as lacking:
            status, detail = Status.SKIPPED, str(lacking)
        seconds = time.perf_counter() - started
        if in_a_row:
            lost += seconds
        if status in (Status.CONFORMS, Status.WRONG):
            in_a_row = []
            of_algorithm[case.algorithm] = 0
        if divergence is not None and isinstance(case.expected, Expected):
            changes = finder.changes(subject.meet, case, divergence)
            if changes:
                status, detail = Status.DIFFERS_BY_CONVENTION, _said(case, changes)
        sought = changes is not None
        differs = differs or status in DIFFERING
        yield CaseResult(case, status, duels, seconds, divergence, detail, kind, sought)


def passing_alone(
    fresh: Callable[[], Subject], results: Iterable[CaseResult], level: Level
) -> tuple[str, ...]:
    """Return the failing cases that conform if a fresh subject plays only this case."""
    passing = []
    for result in results:
        try:
            subject = fresh()
        except InvalidInput:
            break
        try:
            subject.play(result.case, level)
            passing.append(result.case.id)
        except (Diverged, Lacking):
            pass
        except Fault:
            # This case may have cost its time limit, and so may the next one.
            break
        finally:
            subject.close()
    return tuple(passing)


def too_long(subject: Subject, case: Case, long: bool) -> str:
    """Return why a case is too long to be played, or ""."""
    most = subject.longest
    if case.duels <= most:
        return ""
    if subject.mode is Mode.BATCH and not subject.declaration.runs:
        return f"more than {most:,} duels: it does not declare that it reads runs"
    return "" if long else f"more than {most:,} duels: say --long"


def _said(case: Case, changes: Mapping[str, object]) -> str:
    said = ", ".join(
        f"{name} {value} where the case says {getattr(case.conventions, name)}"
        for name, value in changes.items()
    )
    return f"the reference differs in the same way with {said}"


def _why_give_up(in_a_row: Sequence[FaultKind], lost: float) -> str:
    for kind, most in _MOST_IN_A_ROW.items():
        if list(in_a_row[-most:]) == [kind] * most:
            return f"{kind} {most} times in a row"
    if lost > _MOST_SECONDS_LOST:
        return f"faults have cost more than {_MOST_SECONDS_LOST:g} s"
    return ""
