"""Show the progress of an audit: a live bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tgite_checks.audit.tasks import Aim, Finished, Task

_LONGEST_NAMES = 48


def reuse(reused: int, anew: int) -> str:
    """Return how many results are reused and how many are new, as text."""
    return f"{reused} from an earlier run, {anew} run anew"


@contextmanager
def progress(stream: TextIO | None = None) -> Iterator[Observer]:
    """Show progress on ``stream`` (standard error, unless given) while the context lasts."""
    stream = sys.stderr if stream is None else stream
    if not stream.isatty():
        yield Observer(stream)
        return
    columns = (TextColumn("auditing"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    names = TextColumn("{task.description}", markup=False)
    with Progress(*columns, names, console=Console(file=stream), transient=True) as bar:
        yield Observer(stream, bar)


@dataclass(slots=True)
class Observer:
    """Shows the progress of an audit, by a line for each task or by a ``bar``.

    The running tasks are shown beside the bar. Failures are printed above it.
    """

    stream: TextIO
    bar: Progress | None = None
    _total: int = 0
    _done: int = 0
    _running: list[str] = field(default_factory=list)

    def begun(self, total: int, reused: int) -> None:
        """Record the number of tasks, and how many of them have stored results."""
        self._total, self._done = total, reused
        if self.bar is None:
            print(reuse(reused, total - reused), file=self.stream, flush=True)
        else:
            self.bar.add_task("", total=total, completed=reused)

    def started(self, task: Task) -> None:
        """Record that a task has started."""
        self._running.append(task.name)
        self._show()

    def finished(self, finished: Finished) -> None:
        """Record and show the result of a task."""
        self._done += 1
        if finished.task.name in self._running:
            self._running.remove(finished.task.name)
        said = f"{finished.task}: {outcome(finished)}"
        if self.bar is None:
            line = f"[{self._done}/{self._total}] {said} ({finished.seconds:.1f} s)"
            print(line, file=self.stream, flush=True)
        elif finished.error:
            self.bar.console.print(said, markup=False)
        self._show()

    def _show(self) -> None:
        names = ", ".join(self._running)
        if len(names) > _LONGEST_NAMES:
            names = names[: _LONGEST_NAMES - 1] + "…"
        if self.bar is not None:
            self.bar.update(self.bar.task_ids[0], description=names, completed=self._done)


def outcome(finished: Finished) -> str:
    """Return the outcome of a task in a few words."""
    if finished.error:
        return finished.error.splitlines()[0]
    match finished.task.aim:
        case Aim.MUTANT:
            return "rejected" if finished.tells_apart() else "NOT rejected"
        case Aim.REFUSAL:
            return "refused" if finished.tells_apart() else "NOT refused"
        case _:
            return "holds" if finished.holds() else "does NOT hold"
