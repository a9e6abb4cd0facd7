"""Judges: programs, Python functions and people that say which of two items is better."""

from __future__ import annotations

import fcntl
import json
import os
import re
import termios
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from math import isfinite
from signal import SIGKILL
from subprocess import PIPE, Popen
from threading import Event, Lock, Thread
from typing import IO

from tgite.errors import require, require_whole_number
from tgite.questions import plain
from tgite_judge.fingerprint import split_command
from tgite_judge.journal import Journal
from tgite_judge.replies import JudgeFailed, JudgeRaised, Said, Vocabulary, name_of

LONGEST_REPLY = 1 << 20
_STEP = 0.1
_LINE = 80


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer about two items, after the question was asked in vain ``missed`` times."""

    said: Said
    missed: int = 0


class Judge(ABC):
    """A program, function, model or person that compares two items."""

    @abstractmethod
    def compare(self, first: str, second: str) -> Reply:
        """Return which item is better; raises :class:`JudgeFailed`."""

    def stop(self) -> None:  # noqa: B027  # Most judges have nothing to stop.
        """Make all comparisons fail, including one that is running in another thread."""

    def close(self) -> None:  # noqa: B027  # Most judges have nothing to end.
        """End what still runs, after the last comparison."""


class Undone(Exception):
    """The person withdraws the last answer."""


class Retrying(Judge):
    """A judge that is asked again, up to ``retries`` times, if it fails.

    Every question asked in vain is counted, because the judge may fail more often where it would
    prefer one of the two items.
    """

    def __init__(self, words: Vocabulary, timeout: float, retries: int) -> None:
        """Take how replies are read, the most seconds for one of them, and how often to retry."""
        limited = isfinite(timeout) and timeout > 0
        require(limited, "timeout", timeout, "must be a number of seconds above 0")
        require_whole_number("retries", retries, at_least=0)
        self.stopped = Event()
        self._words, self._timeout, self._retries = words, timeout, retries

    @abstractmethod
    def attempt(self, first: str, second: str) -> str:
        """Return a reply; raises :class:`JudgeFailed`."""

    @abstractmethod
    def recover(self, failure: JudgeFailed, failures: int) -> None:
        """Prepare for another attempt after the last of some ``failures``."""

    def compare(self, first: str, second: str) -> Reply:
        """Ask until there is an answer that can be read."""
        missed = failures = 0
        while True:
            try:
                said = self._words.read(self.attempt(first, second), first, second)
                return Reply(said, missed)
            except JudgeFailed as failure:
                missed, failures = missed + failure.missed, failures + 1
                self.recover(failure, failures)
                pair = f"{name_of(first)!r} against {name_of(second)!r}"
                if failure.final or self.stopped.is_set():
                    about = f", on {pair}" if failure.missed else ""
                    raise JudgeFailed(f"{failure}{about}", missed) from None
                if failures > self._retries:
                    why = f"the judge failed {failures} times on {pair}; last: {failure}"
                    raise JudgeFailed(why, missed) from None

    def stop(self) -> None:
        """Make all attempts fail."""
        self.stopped.set()

    def within_limit(self, ask: Callable[[], str]) -> str:
        """Return what ``ask`` returns; raise :class:`JudgeFailed` after the time limit.

        A thread asks, because a judge can prolong a limit on each single byte.
        """
        asked: Future[str] = Future()

        def run() -> None:
            try:
                asked.set_result(ask())
            except BaseException as error:  # The other thread raises it.
                asked.set_exception(error)

        Thread(target=run, daemon=True).start()
        left = self._timeout
        while left > 0 and not self.stopped.is_set() and not asked.done():
            wait([asked], min(left, _STEP))
            left -= _STEP
        if asked.done():
            return asked.result()
        raise JudgeFailed(f"no answer within {self._timeout:g} seconds", wait=0.0)


class JudgeProgram(Retrying):
    """A program that reads one JSON line ``{"first": ..., "second": ...}`` for each comparison.

    It answers with one line that a :class:`Vocabulary` can read; blank lines do not count. It may
    answer one question and exit, or many.

    If an answer is late, unreadable or missing, a new process is asked. If the program writes more
    than one line in answer to a question, no line is reliable, and the comparison fails at once.
    """

    def __init__(self, command: str, words: Vocabulary, timeout: float, retries: int) -> None:
        """Prepare to run ``command``, which is split into words as by a shell; no shell runs it."""
        super().__init__(words, timeout, retries)
        self._command = split_command(command)
        self._process: _Process | None = None

    def attempt(self, first: str, second: str) -> str:
        """Ask the program."""
        texts = {"first": first, "second": second}
        names = {f"{key}_id": name_of(one) for key, one in texts.items() if name_of(one) != one}
        asked = json.dumps(texts | names, ensure_ascii=False) + "\n"
        while True:
            process = self._process
            if process is None or process.popen.poll() is not None:
                self.close()
                process = self._process = _Process(self._command)
            try:
                return self.within_limit(partial(process.ask, asked.encode()))
            except JudgeFailed as failure:
                if failure.missed or not process.answers:
                    raise
                # It answered a question and then exited: a program for one question each.
                self.close()

    def recover(self, failure: JudgeFailed, failures: int) -> None:
        """End the process, so that a new one is asked."""
        self.close()

    def stop(self) -> None:
        """Kill the program; another thread may be waiting for its answer."""
        super().stop()
        self.close()

    def close(self) -> None:
        """End the program; the next question starts a new process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()


class _Process:
    """A process of a judge, with the number of its answers."""

    def __init__(self, command: list[str]) -> None:
        try:
            # In its own process group it does not get Ctrl-C, and can still answer.
            self.popen = Popen(command, stdin=PIPE, stdout=PIPE, bufsize=0, process_group=0)
        except OSError as error:
            hint = "; a Python function is for tgite_judge.find_best" if ":" in command[0] else ""
            why = f"{command[0]} cannot be run ({error.strerror}){hint}"
            raise JudgeFailed(why, 0, final=True) from None
        self.answers = 0
        self._unread, self._asking = b"", Lock()

    def kill(self) -> None:
        """End the process and its children; close the pipes when nothing reads them."""
        if self.popen.poll() is None:
            os.killpg(self.popen.pid, SIGKILL)
        self.popen.wait()
        if self._asking.acquire(timeout=1):
            for pipe in (self.popen.stdin, self.popen.stdout):
                with suppress(OSError):
                    pipe.close() if pipe else None

    def ask(self, question: bytes) -> str:
        """Return the line with which the process answers."""
        stdin, stdout = self.popen.stdin, self.popen.stdout
        if stdin is None or stdout is None:
            raise AssertionError("both pipes must be open")
        with self._asking:
            if _bytes_in(stdout):
                self._unread += os.read(stdout.fileno(), 1 << 16)
            early, read, line = bool(self._unread.strip()), 0, None
            with suppress(OSError):
                stdin.write(question)
                read = len(question)
            while read and not early and (line := self._line()) is None:
                if len(self._unread) > LONGEST_REPLY:
                    raise JudgeFailed("its answer is longer than 1 MiB")
                came = os.read(stdout.fileno(), 1 << 16)
                if not came and not self._unread.strip():
                    read -= _bytes_in(stdin)
                    break
                self._unread += came or b"\n"
            if early or self._unread.strip():
                why = "the judge wrote more than one line in answer to one question"
                raise JudgeFailed(why, final=True)
            if line is None:
                # What the program had not read did not depend on its answer.
                raise JudgeFailed("it exited without an answer", int(read > 0))
            self.answers += 1
            return line

    def _line(self) -> str | None:
        """Take a line out of what came, if there is one that is not blank."""
        found = re.match(rb"[\r\n]*([^\r\n]+)[\r\n]", self._unread)
        if found is None:
            return None
        self._unread = self._unread[found.end() :]
        return found[1].decode("utf-8", "replace")


def _bytes_in(pipe: IO[bytes]) -> int:
    """Return how many bytes in a pipe are not yet read, 0 where the system does not tell."""
    number = array("i", [0])
    with suppress(OSError):
        fcntl.ioctl(pipe, termios.FIONREAD, number)
    return number[0]


class JudgeFunction(Judge):
    """A Python function of two items, in the order shown.

    It returns an answer as a program would write it, or whether the first item is better.
    """

    def __init__(self, function: Callable[[str, str], object], words: Vocabulary) -> None:
        """Prepare to ask ``function``."""
        self._function, self._vocabulary = function, words

    def compare(self, first: str, second: str) -> Reply:
        """Ask the function; raises :class:`JudgeRaised` if it raises an error."""
        try:
            returned = self._function(first, second)
        except JudgeFailed:
            raise
        except Exception as error:
            raise JudgeRaised(first, second, error) from error
        answer = plain(returned)
        if isinstance(answer, bool):
            return Reply(Said.FIRST if answer else Said.SECOND)
        if isinstance(answer, str):
            return Reply(self._vocabulary.read(answer, first, second))
        must = "must be one of the two items, whether the first one is better, or a word as 'tie'"
        raise JudgeFailed(f"its answer {answer!r:.60} {must}")


class Person(Judge):
    """A person at a terminal.

    ``remaining`` returns a line about the questions left, which is shown after every tenth answer.
    """

    _EVERY = 10
    _SAME = 4

    def __init__(
        self,
        items: Sequence[str],
        read: Callable[[], str],
        show: Callable[[str], None],
        remaining: Callable[[], str],
        journal: Journal,
        *,
        ties: bool,
    ) -> None:
        """Ask by ``show`` and take answers from ``read``, which raises ``EOFError`` at the end."""
        pair = "<>" if {"1", "2"}.intersection(items) else "12"
        self._answers = dict(zip(pair, (Said.FIRST, Said.SECOND), strict=True))
        self._answers |= {"=": Said.TIE} if ties else {}
        self._read, self._show = read, show
        self._remaining, self._journal = remaining, journal

    def compare(self, first: str, second: str) -> Reply:
        """Ask until there is an answer."""
        said = [record.said for record in self._journal.records]
        kept = len(said)
        same = len(list(takewhile(said[-1:].__contains__, reversed(said))))
        if same == self._EVERY or same == kept == self._SAME:
            self._show(f"The last {same} answers were the same key. To withdraw one, type u.\n")
        left = self._remaining() if kept and kept % self._EVERY == 0 else ""
        shown = dict(zip(self._answers, (first, second, "a tie"), strict=False))
        long = len(first + second) > _LINE or "\n" in first + second
        lines = [f"{kept + 1}. Which is better?", *(f"{key}: {one}" for key, one in shown.items())]
        asked = ("\n" if long else "   ").join([*lines, "(u: undo, q: stop) "])
        self._show(f"{left}\n{asked}" if left else asked)
        while True:
            try:
                key = self._read().strip().lower()
            except EOFError:
                raise KeyboardInterrupt from None
            if key in self._answers:
                return Reply(self._answers[key])
            if key in ("q", "quit"):
                raise KeyboardInterrupt
            if key in ("u", "undo") and kept:
                raise Undone
            self._show(f"{key[:20]!r} is not an answer; type {', '.join(self._answers)}, u or q: ")
