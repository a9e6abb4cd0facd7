"""Showing how an audit goes on: a live bar on a terminal, plain lines elsewhere."""

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


def answered(reused: int, anew: int) -> str:
    """Say where the results come from."""
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
    """What is told how an audit goes on: it writes a line for each task, or moves a ``bar``.

    Beside the bar stand the tasks that are running; what goes wrong is printed above it.
    """

    stream: TextIO
    bar: Progress | None = None
    _total: int = 0
    _done: int = 0
    _running: list[str] = field(default_factory=list)

    def begun(self, total: int, reused: int) -> None:
        """Learn how many tasks there are and how many of them were answered from the store."""
        self._total, self._done = total, reused
        if self.bar is None:
            print(answered(reused, total - reused), file=self.stream, flush=True)
        else:
            self.bar.add_task("", total=total, completed=reused)

    def started(self, task: Task) -> None:
        """Learn that a task runs now."""
        self._running.append(task.name)
        self._show()

    def finished(self, finished: Finished) -> None:
        """Learn what became of a task."""
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
    """Say in a few words what became of a task."""
    if finished.error:
        return finished.error.splitlines()[0]
    match finished.task.aim:
        case Aim.MUTANT:
            return "rejected" if finished.tells_apart() else "NOT rejected"
        case Aim.REFUSAL:
            return "refused" if finished.tells_apart() else "NOT refused"
        case _:
            return "holds" if finished.holds() else "does NOT hold"
