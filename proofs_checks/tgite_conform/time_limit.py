"""Ending a Python function that does not come back, where it runs in the kit's own process."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType

from tgite_conform.faults import Fault, FaultKind

TIME_LIMIT = 5.0
"""How many seconds a message may take where nothing else is said."""

_LOOKS = 10


class TooSlow(BaseException):
    """No ``Exception``: an implementation that catches those must not catch it by mistake."""


class TimeLimit:
    """A context manager that allows so many ``seconds`` for each message of a run (None: no limit).

    The player adds to ``answered`` for each message. An alarm raises an error in the main thread
    when that stands still, and the context ends with a Fault. Other threads, code in C and
    platforms without alarms are not ended.
    """

    def __init__(self, seconds: float | None = None) -> None:
        """Note the limit."""
        self.answered = 0
        self._seconds = seconds
        self._seen = self._looks = 0
        self._before: Callable[[int, FrameType | None], object] | int | None = None

    def __enter__(self) -> TimeLimit:
        """Set the alarm, if that can be."""
        if self._seconds is not None and _can_be_set():
            self._before = signal.signal(signal.SIGALRM, self._look)
            signal.setitimer(signal.ITIMER_REAL, self._seconds / _LOOKS, self._seconds / _LOOKS)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Take the alarm back; raises :class:`Fault` if it has ended the run."""
        if self._before is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)
        if isinstance(error, TooSlow):
            raise Fault(FaultKind.HUNG, f"no answer within {self._seconds:.3g} s") from None

    def _look(self, number: int, frame: FrameType | None) -> None:
        if self.answered != self._seen:
            self._seen, self._looks = self.answered, 0
        self._looks += 1
        if self._looks > _LOOKS:
            raise TooSlow


def _can_be_set() -> bool:
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        and signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        # None: set by code in C, which could not be set again.
        and signal.getsignal(signal.SIGALRM) is not None
    )
