"""Ends a Python function that does not return, in the kit's own process."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType

from tgite_conform.faults import Fault, FaultKind

TIME_LIMIT = 4.0
"""The default time limit of a message, in seconds."""

_LOOKS = 10


class TooSlow(BaseException):
    """The time is up; not an ``Exception``, so that implementations do not catch it by mistake."""


class TimeLimit:
    """A context manager that allows ``seconds`` for each message of a run (None: no limit).

    The player increments ``answered`` for each message. If it stands still, an alarm raises an
    error in the main thread, and the context ends with a Fault. Other threads, code in C and
    platforms without alarms are not interrupted.
    """

    def __init__(self, seconds: float | None = None) -> None:
        """Store the limit."""
        self.answered = 0
        self._seconds = seconds
        self._seen = self._looks = 0
        self._before: Callable[[int, FrameType | None], object] | int | None = None

    def __enter__(self) -> TimeLimit:
        """Set the alarm, if the platform has one."""
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
        """Restore the alarm; raises :class:`Fault` if it has ended the run."""
        if self._before is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)
        if isinstance(error, TooSlow):
            raise Fault(FaultKind.HUNG, f"no answer within {self._seconds:.3g} s") from None

    def _look(self, number: int, frame: FrameType | None) -> None:
        if self.answered != self._seen:
            self._seen, self._looks = self.answered, 0
        self._looks += 1
        if self._looks > _LOOKS and self._seconds is not None:
            # The next alarm must not come before the context has ended, unless it does not end.
            signal.setitimer(signal.ITIMER_REAL, self._seconds, self._seconds / _LOOKS)
            raise TooSlow


def _can_be_set() -> bool:
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        and signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        # None means a handler in C, which cannot be restored.
        and signal.getsignal(signal.SIGALRM) is not None
    )
