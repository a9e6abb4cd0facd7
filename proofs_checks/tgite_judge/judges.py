"""Judges: programs, Python functions and people that say which of two items is better."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import selectors
import subprocess
import termios
import time
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import IO

from tgite import InvalidInput
from tgite.errors import require, require_whole_number
from tgite.questions import plain
from tgite_judge.fingerprint import split_command
from tgite_judge.replies import JudgeFailed, JudgeRaised, Said, Vocabulary, name_of

_LONGEST_REPLY = 1 << 20


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer about two items, and the judge's version, if the judge states one.

    ``missed`` counts how often the question was asked in vain before this answer.
    """

    said: Said
    version: str | None = None
    missed: int = 0


class Judge(ABC):
    """A program, function or person that compares two items."""

    @abstractmethod
    def compare(self, first: str, second: str) -> Reply:
        """Return which item is better; raises :class:`JudgeFailed`."""

    def stop(self) -> None:  # noqa: B027  # Most judges have nothing to stop.
        """Make all comparisons fail, including one that is running in another thread."""

    def close(self) -> None:  # noqa: B027  # Most judges have nothing to end.
        """End what still runs, after the last comparison."""


class Skipped(Exception):
    """The person wants another question first."""


class Undone(Exception):
    """The person withdraws the last answer."""


class _Exited(JudgeFailed):
    """The program exited without an answer; if ``unread``, it had not read the question."""

    def __init__(self, *, unread: bool) -> None:
        """Say whether the program had read the question."""
        self.unread = unread
        super().__init__("it exited without an answer")


class _TooMuchOutput(JudgeFailed):
    """The program wrote more lines than there were questions, so no line is a reliable answer."""


_TOO_MUCH = "the judge wrote more than one line in answer to one question"


class JudgeProgram(Judge):
    """A program that reads one JSON line ``{"first": ..., "second": ...}`` for each comparison.

    It answers with one line: ``first``, ``second`` or ``tie``, another word of the
    :class:`Vocabulary`, an item's name, or a JSON object with the key ``winner``. It may answer one
    question and exit, or many. Its first line may be a greeting: a JSON object with the keys
    ``hello`` and, optionally, ``version``.

    An answer fails if it is missing after ``timeout`` seconds, if it is unreadable, or if the
    program exits without one. Then a new process is asked, up to ``retries`` times, before the
    comparison fails. It fails at once if the program writes more than one line in answer to a
    question. Every question asked in vain is counted, because the judge may fail more often
    where it would prefer one of the two items.
    """

    def __init__(self, command: str, words: Vocabulary, timeout: float, retries: int) -> None:
        """Prepare to run ``command``, which is split into words as by a shell; no shell runs it."""
        limited = isfinite(timeout) and timeout > 0
        require(limited, "timeout", timeout, "must be a number of seconds above 0")
        require_whole_number("retries", retries, at_least=0)
        self._words = split_command(command)
        self._vocabulary = words
        self._timeout = timeout
        self._retries = retries
        self._process: subprocess.Popen[bytes] | None = None
        self._answers = 0
        self._lines = 0
        self._unread = b""
        self._after_return = False
        self._version: str | None = None
        self._stopped = False

    def compare(self, first: str, second: str) -> Reply:
        """Ask the program."""
        asked = {"first": first, "second": second}
        asked |= {
            f"{place}_id": name_of(item) for place, item in asked.items() if name_of(item) != item
        }
        question = json.dumps(asked, ensure_ascii=False) + "\n"
        failures: list[str] = []
        while len(failures) <= self._retries and not self._stopped:
            try:
                said = self._vocabulary.read(self._answer(question.encode()), first, second)
                return Reply(said, self._version, len(failures))
            except _TooMuchOutput as failure:
                failure.missed += len(failures)
                self.close()
                raise
            except JudgeFailed as failure:
                failures.append(str(failure))
                self.close()
        if self._stopped:
            raise JudgeFailed("it was stopped while a question was open")
        failed = JudgeFailed(
            f"the judge failed {len(failures)} times on {name_of(first)!r} against "
            f"{name_of(second)!r}; "
            f"last: {failures[-1]}"
        )
        failed.missed = len(failures)
        raise failed

    def stop(self) -> None:
        """Kill the program; another thread may be waiting for its answer."""
        self._stopped = True
        if (process := self._process) is not None:
            process.kill()

    def close(self) -> None:
        """End the program; the next question starts a new process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
            self._process = None
        self._answers = self._lines = 0
        self._unread, self._after_return = b"", False

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is not None:
            self.close()
        if self._process is None:
            try:
                # In its own process group it does not get Ctrl-C, and can still answer.
                self._process = subprocess.Popen(
                    self._words,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    bufsize=0,
                    process_group=0,
                )
            except OSError as error:
                program, why = self._words[0], f"cannot be run ({error.strerror})"
                if ":" in program:
                    why += "; a Python function is for tgite_judge.find_best"
                raise InvalidInput("judge", program, why) from None
        return self._process

    def _answer(self, question: bytes) -> str:
        try:
            answer = self._ask(question)
        except _Exited as exited:
            if self._answers == 0 or not exited.unread:
                raise
            # It answered a question and then exited: a program for one question each.
            self.close()
            answer = self._ask(question)
        self._answers += 1
        return answer

    def _ask(self, question: bytes) -> str:
        process = self._started()
        if process.stdin is None or process.stdout is None:
            raise AssertionError("both pipes must be open")
        if self._has_output(process.stdout):
            raise _TooMuchOutput(_TOO_MUCH)
        try:
            process.stdin.write(question)
        except OSError:
            raise _Exited(unread=True) from None
        line = self._line(process.stdout)
        if line is None:
            raise _Exited(unread=_bytes_in(process.stdin) == len(question))
        return line.decode("utf-8", "replace")

    def _read(self, pipe: IO[bytes]) -> bool:
        """Take what has come, with LF for CRLF and CR; return whether it was anything."""
        chunk = os.read(pipe.fileno(), 65536)
        # A CRLF may come in two parts.
        whole = chunk.removeprefix(b"\n") if self._after_return else chunk
        self._after_return = chunk.endswith(b"\r")
        self._unread += whole.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        return bool(chunk)

    def _has_output(self, pipe: IO[bytes]) -> bool:
        """Return whether there is output before the question, other than a greeting."""
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            if selector.select(0):
                self._read(pipe)
        self._greet()
        return b"\n" in self._unread or (self._lines > 0 and bool(self._unread.strip()))

    def _greet(self) -> None:
        """Read the first line, if it has come and is a greeting."""
        line, end, rest = self._unread.partition(b"\n")
        if self._lines or not end:
            return
        self._lines = 1
        with contextlib.suppress(ValueError, RecursionError):
            hello: object = json.loads(line)
            if isinstance(hello, dict) and "hello" in hello:
                version: object = hello.get("version")
                self._version = None if version is None else str(version)
                self._unread = rest

    def _line(self, pipe: IO[bytes]) -> bytes | None:
        """Read one line within the time limit, ``None`` if the program exits before it."""
        deadline = time.monotonic() + self._timeout
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            while b"\n" not in self._unread:
                if len(self._unread) > _LONGEST_REPLY:
                    raise JudgeFailed("its answer is longer than 1 MiB")
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    raise JudgeFailed(f"no answer within {self._timeout:g} seconds")
                if not self._read(pipe):
                    if not self._unread.strip():
                        return None
                    self._unread += b"\n"
                self._greet()
        line, _, self._unread = self._unread.partition(b"\n")
        if self._unread.strip():
            raise _TooMuchOutput(_TOO_MUCH)
        return line


def _bytes_in(pipe: IO[bytes]) -> int:
    """Return how many bytes in a pipe are not yet read, -1 where the system does not tell."""
    number = array("i", [-1])
    with contextlib.suppress(OSError):
        fcntl.ioctl(pipe, termios.FIONREAD, number)
    return number[0]


class JudgeFunction(Judge):
    """A Python function of two items, in the order shown, that returns which item is better.

    It returns an answer as a program would write it, or ``True`` if the first item is better and
    ``False`` if the second one is.
    """

    def __init__(
        self, function: Callable[[str, str], object], words: Vocabulary, version: str | None
    ) -> None:
        """Prepare to ask ``function``, which has this version."""
        self._function = function
        self._vocabulary = words
        self._version = version

    def compare(self, first: str, second: str) -> Reply:
        """Ask the function; raises :class:`JudgeRaised` if it raises an error."""
        try:
            returned = self._function(first, second)
        except JudgeFailed:
            raise
        except Exception as error:
            raise JudgeRaised(first, second, error) from error
        answer = plain(returned)
        if answer is True or answer is False:
            return Reply(Said.FIRST if answer else Said.SECOND, self._version)
        if not isinstance(answer, str):
            raise JudgeFailed(f"its answer {answer!r:.60} is neither a str nor a bool")
        return Reply(self._vocabulary.read(answer, first, second), self._version)


class Person(Judge):
    """A person at a terminal.

    The labels of the two items are not names of items, so that every answer is clear. ``q`` or the
    end of the input stops, ``u`` withdraws the last answer, and ``s`` asks for another question
    first. ``answered`` returns the number of stored answers. ``remaining`` returns a line about the
    questions left, which is shown after every tenth answer.
    """

    _LABELS = (("1", "2"), ("a", "b"), ("<", ">"), ("left", "right"), ("#1", "#2"))
    _EVERY = 10

    def __init__(
        self,
        items: Sequence[str],
        read: Callable[[], str],
        show: Callable[[str], None],
        remaining: Callable[[], str] = lambda: "",
        answered: Callable[[], int] = lambda: 0,
        *,
        ties: bool = True,
    ) -> None:
        """Ask by ``show`` and take answers from ``read``, which raises ``EOFError`` at the end."""
        taken = {item.lower() for item in items}
        free = [pair for pair in self._LABELS if not taken.intersection(pair)]
        require(
            bool(free),
            "items",
            ", ".join(sorted(taken)),
            "leave no label for the answers: rename an item",
        )
        self._first, self._second = free[0]
        self._read = read
        self._show = show
        self._remaining = remaining
        self._answered = answered
        self._ties = ties
        self._shown_at = -1
        self._skipped: set[str] = set()

    def compare(self, first: str, second: str) -> Reply:
        """Ask until there is an answer."""
        kept = self._answered()
        if kept % self._EVERY == 0 and kept != self._shown_at and (left := self._remaining()):
            self._show(f"{left}\n")
            self._shown_at = kept
        if self._skipped == {first, second}:
            self._show("No other question is open now.\n")
        self._skipped = set()
        answers = {self._first: Said.FIRST, self._second: Said.SECOND}
        if self._ties:
            answers["="] = Said.TIE
        tie = "   =: a tie" if self._ties else ""
        self._show(
            f"{kept + 1}. Which is better?   {self._first}: {first}   "
            f"{self._second}: {second}{tie}   (s: skip, u: undo, q: stop) "
        )
        while True:
            try:
                answer = self._read().strip().lower()
            except EOFError:
                raise KeyboardInterrupt from None
            if answer in answers:
                return Reply(answers[answer])
            match answer:
                case "q" | "quit":
                    raise KeyboardInterrupt
                case "u" | "undo":
                    if kept:
                        raise Undone
                    problem = "there is no answer to withdraw"
                case "s" | "skip":
                    self._skipped = {first, second}
                    raise Skipped
                case _:
                    problem = f"{answer[:20]!r} is not an answer"
            self._show(f"{problem}; type {', '.join(answers)}, s, u or q: ")
