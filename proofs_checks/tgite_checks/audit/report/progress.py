"""Show the progress of an audit: a live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TextIO

from tgite_checks.audit.tasks import Aim, Finished, Task

_CLEAR = "\r\x1b[K"
"""What removes the text of a terminal's line."""


def reuse(reused: int, anew: int) -> str:
    """Return how many results are reused and how many are new, as text."""
    return f"{reused} from an earlier run, {anew} run anew"


@dataclass(slots=True)
class Observer:
    """Shows the progress of an audit: a line for each task; if ``live`` only failures stay."""

    stream: TextIO
    live: bool = False
    _total: int = 0
    _done: int = 0
    _latest: str = ""

    def begun(self, total: int, reused: int) -> None:
        """Record the number of tasks, and how many of them have stored results."""
        self._total, self._done = total, reused
        print(reuse(reused, total - reused), file=self.stream, flush=True)

    def started(self, task: Task) -> None:
        """Record that a task has started."""
        self._latest = task.name
        self._show()

    def finished(self, finished: Finished) -> None:
        """Record and show the result of a task."""
        self._done += 1
        said = f"[{self._done}/{self._total}] {finished.task}: {outcome(finished)}"
        if finished.error or not self.live:
            clear = _CLEAR if self.live else ""
            line = f"{clear}{said} ({finished.seconds:.1f} s)"
            print(line, file=self.stream, flush=True)
        self._show()

    def _show(self) -> None:
        if self.live:
            line = f"{_CLEAR}{self._done}/{self._total} {self._latest}"
            print(line, end="", file=self.stream, flush=True)


@contextmanager
def progress(stream: TextIO | None = None) -> Iterator[Observer]:
    """Show progress on ``stream`` (standard error, unless given) while the context lasts."""
    observer = Observer(stream or sys.stderr, (stream or sys.stderr).isatty())
    yield observer
    if observer.live:
        print(_CLEAR, end="", file=observer.stream, flush=True)


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
