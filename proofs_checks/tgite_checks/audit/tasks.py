"""The tasks of an audit, how a task is run, and its result.

A task holds only a name, and a worker finds the check in the ledger by that name. A run that raises
has no result. So a mutant on which a check crashes does not count as rejected.
"""

from __future__ import annotations

import time
import traceback
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from tgite_checks.audit.sources import digest_of_everything
from tgite_checks.check import Depth, Result, Run
from tgite_checks.claims.book import Ledger
from tgite_checks.claims.registry import LEDGER, load
from tgite_checks.false_alarms import SEED, SHARES, sampling_from
from tgite_checks.mutation import mutated
from tgite_laws.implementation import REFERENCE, Implementation

_FRAMES_SHOWN = 3


class Aim(StrEnum):
    """What a task runs."""

    CHECK = "check"
    """A check, on the reference."""
    DEMONSTRATION = "demonstration"
    """A finding's demonstration, on the reference."""
    MUTANT = "mutant"
    """A fidelity check on one of its mutants, which it must reject."""
    REFUSAL = "refusal"
    """A perturbed statement of a check, on the reference, which must not pass."""


@dataclass(frozen=True, slots=True)
class Task:
    """A piece of work: run the check or finding ``name``, ``against`` a mutant or statement.

    ``seed`` is the first seed of its sampling. It is not part of the task's identity, only of its
    digest.
    """

    aim: Aim
    name: str
    against: str = ""
    seed: int = field(default=SEED, compare=False)

    def __str__(self) -> str:
        """Return the task's name, for display and storage."""
        against = f" against {self.against}" if self.against else ""
        return f"{self.aim} {self.name}{against}"


@dataclass(frozen=True, slots=True)
class Finished:
    """The outcome of a task: a result, or what its run ``raised``, or why it was ``lost``.

    ``seconds`` is the duration of the run. ``reused`` says whether it was an earlier run.
    """

    task: Task
    result: Result | None
    raised: str = ""
    lost: str = ""
    seconds: float = 0.0
    reused: bool = False

    @property
    def error(self) -> str:
        """Return why the task has no result, or nothing if there is a result."""
        return f"raised {self.raised}" if self.raised else self.lost

    def holds(self) -> bool:
        """Return whether the check passed and examined at least one case."""
        return self.result is not None and self.result.holds()

    def tells_apart(self) -> bool:
        """Return whether the mutant or perturbed statement was examined and found wrong."""
        return self.result is not None and self.result.refutes()


def tasks_of(ledger: Ledger, mutants: bool, seed: int = SEED) -> tuple[Task, ...]:
    """Return the tasks of an audit; with ``mutants`` also runs on mutants and perturbed statements.

    ``seed`` is the first seed of the statistical checks.
    """
    tasks = [Task(Aim.CHECK, name) for name in ledger.checks]
    tasks += [Task(Aim.DEMONSTRATION, name) for name in ledger.demonstrations]
    if mutants:
        for check in ledger.checks.values():
            tasks += [Task(Aim.MUTANT, check.name, mutant) for mutant in check.rejects]
            tasks += [Task(Aim.REFUSAL, check.name, statement) for statement in check.refuses]
    return tuple(replace(task, seed=seed) if task.name in SHARES else task for task in tasks)


def perform(task: Task, depth: Depth, source: str = LEDGER, sources: str = "") -> Finished:
    """Run one task in this process and return its outcome; an exception becomes its error.

    If ``sources`` is given and is not the digest of this process's sources, nothing is run.
    """
    begun = time.perf_counter()
    try:
        if sources and sources != digest_of_everything():
            raise LookupError("this process has different sources")
        run, under = _work(task, load(source))
    except Exception as failure:
        return Finished(task, None, lost=f"could not be run: {_described(failure)}")
    try:
        with sampling_from(task.seed):
            result = _checked(run(under, depth))
    except Exception as failure:
        return Finished(task, None, raised=_described(failure))
    return Finished(task, result, seconds=time.perf_counter() - begun)


def _work(task: Task, ledger: Ledger) -> tuple[Run, Implementation]:
    if task.aim is Aim.DEMONSTRATION:
        return ledger.demonstrations[task.name].run, REFERENCE
    check = ledger.checks[task.name]
    if task.aim is Aim.MUTANT:
        return check.run, mutated(ledger.mutants[task.against])
    if task.aim is Aim.REFUSAL:
        return check.refuses[task.against], REFERENCE
    return check.run, REFERENCE


def _checked(result: object) -> Result:
    if not isinstance(result, Result):
        raise TypeError(f"the check returned {result!r}, not a Result")
    return result


def _described(failure: Exception) -> str:
    first = "".join(traceback.format_exception_only(failure)).strip()
    frames = traceback.extract_tb(failure.__traceback__)[-_FRAMES_SHOWN:]
    where = [
        f"  in {frame.name}, line {frame.lineno} of {'/'.join(Path(frame.filename).parts[-2:])}"
        for frame in frames
    ]
    return "\n".join([first, *reversed(where)])
