"""Run tasks in parallel, reuse stored results and store new ones.

A task's result depends only on the sources. So a stored result is valid as long as the sources are
unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass, field
from math import inf

from tgite_checks.audit.executors import Workers
from tgite_checks.audit.report.progress import Observer
from tgite_checks.audit.sources import digest_of_checks
from tgite_checks.audit.store import FileStore
from tgite_checks.audit.tasks import Aim, Finished, Task
from tgite_checks.check import Depth
from tgite_checks.claims.book import Ledger
from tgite_checks.false_alarms import SEED

_DIED = "the process that ran it died"


@dataclass(slots=True)
class Audit:
    """One run over many tasks, which reuses stored results and stores new ones."""

    ledger: Ledger
    source: str
    depth: Depth
    store: FileStore
    workers: Workers
    observer: Observer
    fresh: bool = False
    done: dict[Task, Finished] = field(default_factory=dict)

    def run(self, tasks: Iterable[Task]) -> Mapping[Task, Finished]:
        """Return the result of each task, stored or new.

        An interruption (``KeyboardInterrupt``) is passed on. The results of finished tasks are
        stored by then.
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
            self.workers.stop()
        return {task: self.done[task] for task in listed}

    def _run_anew(self, waiting: list[Task]) -> None:
        """Run the tasks in parallel; if a worker dies, find out which task killed it."""
        running: dict[Future[Finished], Task] = {}
        suspects: list[Task] = []
        while waiting or running or suspects:
            # Suspects run alone. If a worker dies again, its task is the cause.
            queue, width = (suspects, 1) if suspects else (waiting, self.workers.width)
            while queue and len(running) < width:
                task = max(queue, key=self._expected)
                queue.remove(task)
                self.observer.started(task)
                running[self.workers.submit(task, self.depth, self.source)] = task
            alone = len(running) == 1
            broken = self._collect(running)
            if not broken:
                continue
            # All tasks that ran in a broken pool are lost.
            broken += running.values()
            running.clear()
            self.workers.renew()
            if alone:
                self._finish(Finished(broken[0], None, lost=_DIED))
            else:
                suspects += broken

    def _expected(self, task: Task) -> float:
        """Return an estimate of a task's duration, so that long tasks start first.

        A check on a mutant takes about as long as it took on the reference.
        """
        of_check = self.done.get(Task(Aim.CHECK, task.name))
        return inf if task.aim is Aim.CHECK or of_check is None else of_check.seconds

    def _collect(self, running: dict[Future[Finished], Task]) -> list[Task]:
        """Wait until a task ends; return the tasks that a broken pool has lost."""
        lost = []
        ended = wait(running, return_when=FIRST_COMPLETED).done
        for future in [one for one in running if one in ended]:
            task = running.pop(future)
            try:
                finished = future.result()
            except BrokenExecutor:
                lost.append(task)
                continue
            except Exception as failure:  # the executor's own error: ``perform`` does not raise
                finished = Finished(task, None, lost=f"could not be run: {failure!r}")
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
