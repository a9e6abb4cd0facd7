"""Showing how an audit goes on: a live bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TextIO

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

from tgite_checks.audit.runner import Observer
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
        yield Lines(stream)
        return
    bar = Progress(
        TextColumn("auditing"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False),
        console=Console(file=stream),
        transient=True,
    )
    with bar:
        yield Live(bar)


@dataclass(slots=True)
class Lines:
    """One line for each task that is done."""

    stream: TextIO
    _total: int = 0
    _done: int = 0

    def begun(self, total: int, reused: int) -> None:
        """Say how much is to be done."""
        self._total, self._done = total, reused
        self._say(f"{answered(reused, total - reused)}")

    def started(self, task: Task) -> None:
        """Say nothing: the line comes when the task is done."""

    def finished(self, finished: Finished) -> None:
        """Say what became of the task."""
        self._done += 1
        self._say(
            f"[{self._done}/{self._total}] {finished.task}: {outcome(finished)} "
            f"({finished.seconds:.1f} s)"
        )

    def _say(self, text: str) -> None:
        print(text, file=self.stream, flush=True)


@dataclass(slots=True)
class Live:
    """A bar with the tasks that are running; what goes wrong is printed above it."""

    bar: Progress
    _row: TaskID | None = None
    _running: list[str] = field(default_factory=list)

    def begun(self, total: int, reused: int) -> None:
        """Start the bar."""
        self._row = self.bar.add_task("", total=total, completed=reused)

    def started(self, task: Task) -> None:
        """Name the task beside the bar."""
        self._running.append(task.name)
        self._show()

    def finished(self, finished: Finished) -> None:
        """Advance the bar."""
        if finished.task.name in self._running:
            self._running.remove(finished.task.name)
        if self._row is not None:
            self.bar.advance(self._row)
        self._show()
        if finished.error:
            self.bar.console.print(f"{finished.task}: {outcome(finished)}", markup=False)

    def _show(self) -> None:
        names = ", ".join(self._running)
        if len(names) > _LONGEST_NAMES:
            names = names[: _LONGEST_NAMES - 1] + "…"
        if self._row is not None:
            self.bar.update(self._row, description=names)


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
