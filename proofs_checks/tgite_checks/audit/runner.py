"""Running checks: tasks, how one is performed, and how many are, kept and resumed.

A task is named, not carried: a worker finds the check in the ledger by its name. What a task
answers depends on the sources alone, so a stored result answers for it as long as they are
unchanged. What a run raised is no result, whatever it ran on: it tells nothing apart.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import inf
from typing import Protocol

from tgite_checks.audit.sources import digest_of_checks
from tgite_checks.check import Depth, Result, Run
from tgite_checks.claims.book import Ledger
from tgite_checks.claims.registry import LEDGER, load
from tgite_checks.false_alarms import SEED, SHARES, sampling_from
from tgite_checks.implementation import REFERENCE, Implementation
from tgite_checks.mutation import mutated

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

    ``seed`` is where its sampling starts. It is no part of what the task is: only of its digest.
    """

    aim: Aim
    name: str
    against: str = ""
    seed: int = field(default=SEED, compare=False)

    def __str__(self) -> str:
        """Write the task as it is shown and stored."""
        against = f" against {self.against}" if self.against else ""
        return f"{self.aim} {self.name}{against}"


@dataclass(frozen=True, slots=True)
class Finished:
    """What became of a task: a result, or what its run ``raised``, or why it was ``lost``.

    ``seconds`` is the time that it took when it ran; ``reused`` whether that was an earlier run.
    """

    task: Task
    result: Result | None
    raised: str = ""
    lost: str = ""
    seconds: float = 0.0
    reused: bool = False

    @property
    def error(self) -> str:
        """Say what kept the task from a result; empty if nothing did."""
        return f"raised {self.raised}" if self.raised else self.lost

    def holds(self) -> bool:
        """Say whether the check passed, and looked at something."""
        return self.result is not None and self.result.holds()

    def tells_apart(self) -> bool:
        """Say whether a mutant or a perturbed statement was looked at and found wrong."""
        return self.result is not None and self.result.refutes()


class Executor(Protocol):
    """What runs tasks: see ``tgite_checks.audit.executors``."""

    @property
    def width(self) -> int:
        """How many tasks may run at once."""

    def submit(self, task: Task, depth: Depth, source: str) -> Future[Finished]:
        """Start a task of the ledger that ``source`` names, or queue it."""

    def renew(self) -> None:
        """Make the executor usable again after a worker died."""

    def stop(self) -> None:
        """Give up what is running and release everything."""


class Store(Protocol):
    """What keeps results: see ``tgite_checks.audit.store``."""

    def find(self, task: Task, depth: Depth, digest: str) -> Finished | None:
        """Return the stored result of a task, if there is one for these sources."""

    def keep(self, finished: Finished, depth: Depth, digest: str) -> None:
        """Store a result."""


class Observer(Protocol):
    """What is told how the run goes on: a progress display."""

    def begun(self, total: int, reused: int) -> None:
        """Learn how many tasks there are and how many of them were answered from the store."""

    def started(self, task: Task) -> None:
        """Learn that a task runs now."""

    def finished(self, finished: Finished) -> None:
        """Learn that a task is done."""


_DIED = "the process that ran it died"


def tasks_of(ledger: Ledger, mutants: bool, seed: int = SEED) -> tuple[Task, ...]:
    """List the tasks of an audit; ``mutants``: also all that checks must reject or refuse.

    ``seed`` is where the sampling of statistical checks starts.
    """
    tasks = [Task(Aim.CHECK, name) for name in ledger.checks]
    tasks += [Task(Aim.DEMONSTRATION, name) for name in ledger.demonstrations]
    if mutants:
        for check in ledger.checks.values():
            tasks += [Task(Aim.MUTANT, check.name, mutant) for mutant in check.rejects]
            tasks += [Task(Aim.REFUSAL, check.name, statement) for statement in check.refuses]
    return tuple(replace(task, seed=seed) if task.name in SHARES else task for task in tasks)


def perform(task: Task, depth: Depth, source: str = LEDGER) -> Finished:
    """Run one task here and now; whatever it raises becomes its error."""
    begun = time.perf_counter()
    try:
        run, under = _work(task, load(source))
    except Exception as failure:
        return Finished(task, None, lost=f"could not be run: {_described(failure)}")
    try:
        with sampling_from(task.seed):
            result = _checked(run(under, depth))
    except Exception as failure:
        return Finished(task, None, raised=_described(failure))
    return Finished(task, result, seconds=time.perf_counter() - begun)


@dataclass(slots=True)
class Audit:
    """One run over many tasks: what is stored answers, what is not is run and stored."""

    ledger: Ledger
    source: str
    depth: Depth
    store: Store
    executor: Executor
    observer: Observer
    fresh: bool = False
    done: dict[Task, Finished] = field(default_factory=dict)

    def run(self, tasks: Iterable[Task]) -> Mapping[Task, Finished]:
        """Run the tasks and return what became of each.

        An interruption (``KeyboardInterrupt``) passes through, and all that was finished is stored.
        """
        listed = tuple(dict.fromkeys(tasks))
        waiting: list[Task] = []
        for task in listed:
            found = None if self.fresh else self.store.find(task, self.depth, self._digest(task))
            if found is None:
                waiting.append(task)
            else:
                self.done[task] = found
        self.observer.begun(len(listed), len(self.done))
        try:
            self._run_anew(waiting)
        finally:
            self.executor.stop()
        return {task: self.done[task] for task in listed}

    def _run_anew(self, waiting: list[Task]) -> None:
        """Keep the executor busy; where a worker dies, find out which task killed it."""
        running: dict[Future[Finished], Task] = {}
        suspects: list[Task] = []
        while waiting or running or suspects:
            # Suspects run alone: if a worker dies again, its task is the culprit.
            queue, width = (suspects, 1) if suspects else (waiting, self.executor.width)
            while queue and len(running) < width:
                task = max(queue, key=self._expected)
                queue.remove(task)
                self.observer.started(task)
                running[self.executor.submit(task, self.depth, self.source)] = task
            alone = len(running) == 1
            broken = self._collect(running)
            if not broken:
                continue
            # Everything that ran in a broken pool is lost with it.
            broken += running.values()
            running.clear()
            self.executor.renew()
            if alone:
                self._finish(Finished(broken[0], None, lost=_DIED))
            else:
                suspects += broken

    def _expected(self, task: Task) -> float:
        """Guess how long a task takes, so that no long one is left for the end.

        A check on something else takes about as long as it took on the reference.
        """
        of_check = self.done.get(Task(Aim.CHECK, task.name))
        return inf if task.aim is Aim.CHECK or of_check is None else of_check.seconds

    def _collect(self, running: dict[Future[Finished], Task]) -> list[Task]:
        """Wait until a task ends; return the ended ones that a broken pool has lost."""
        lost = []
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            task = running.pop(future)
            try:
                finished = future.result()
            except BrokenExecutor:
                lost.append(task)
                continue
            except Exception as failure:  # The executor's own: nothing that perform raises.
                finished = Finished(task, None, lost=f"could not be run: {_described(failure)}")
            self._finish(finished)
        return lost

    def _finish(self, finished: Finished) -> None:
        self.done[finished.task] = finished
        if finished.result is not None:
            self.store.keep(finished, self.depth, self._digest(finished.task))
        self.observer.finished(finished)

    def _digest(self, task: Task) -> str:
        digest = digest_of_checks()
        if task.aim is Aim.CHECK and (theorems := self.ledger.checks[task.name].certifies):
            digest = f"{digest} {' '.join(theorems)}"
        if task.aim is Aim.MUTANT and task.against in self.ledger.mutants:
            digest = f"{digest} {self.ledger.mutants[task.against]!r}"
        return digest if task.seed == SEED else f"{digest} from seed {task.seed}"


def _work(task: Task, ledger: Ledger) -> tuple[Run, Implementation]:
    """Return what a task runs and on which implementation."""
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
    """Return the exception and where it was raised, in a few lines."""
    first = "".join(traceback.format_exception_only(failure)).strip()
    frames = traceback.extract_tb(failure.__traceback__)[-_FRAMES_SHOWN:]
    where = [
        f"  in {frame.name}, line {frame.lineno} of {_short(frame.filename)}" for frame in frames
    ]
    return "\n".join([first, *reversed(where)])


def _short(filename: str) -> str:
    return "/".join(filename.replace("\\", "/").split("/")[-2:])
