"""Judges: programs, functions and people who say which of two named items is better."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import IO, Protocol

from tgite import InvalidInput
from tgite.errors import require, require_whole_number
from tgite.questions import plain
from tgite_judge.identity import split_command
from tgite_judge.replies import JudgeFailed, JudgeRaised, Said, Vocabulary

_LONGEST_REPLY = 1 << 20


@dataclass(frozen=True, slots=True)
class Reply:
    """What was said of two items, and the version that the judge states of itself, if it does."""

    said: Said
    version: str | None = None


class Judge(Protocol):
    """Whoever compares two items."""

    def compare(self, first: str, second: str) -> Reply:
        """Say which of the items is better; raises :class:`JudgeFailed`."""

    def stop(self) -> None:
        """Make a comparison that is under way in another thread fail, and all later ones."""

    def close(self) -> None:
        """End whatever is still running; no comparison is under way."""


class Skipped(Exception):
    """Whoever was asked would rather have another question."""


class Undone(Exception):
    """Whoever was asked takes the last answer back."""


class _Exited(JudgeFailed):
    """The program is gone and has left no answer."""

    def __init__(self) -> None:
        super().__init__("it exited without an answer")


class _Unasked(JudgeFailed):
    """The program said more than it was asked: which of its lines is an answer, nobody knows."""

    def __init__(self) -> None:
        super().__init__("the judge said more than one line in answer to one question")


class JudgeProgram:
    """A program that reads one JSON line ``{"first": ..., "second": ...}`` for each comparison.

    It answers with one line: ``first``, ``second`` or ``tie`` (or another word of the
    :class:`Vocabulary`, an item's name, or a JSON object with the key ``winner``). It may answer
    one question and exit, or many. Its first line may be a greeting, a JSON object with the key
    ``hello`` and, as ``version``, what it is.

    An answer that is missing after ``timeout`` seconds or unreadable, and a program that exits
    without one, are asked again up to ``retries`` times, from a new process, and then reported. A
    program that says more than one line in answer to a question is reported at once.
    """

    def __init__(self, command: str, words: Vocabulary, timeout: float, retries: int) -> None:
        """Prepare to run ``command``, split as a shell splits words; no shell runs it."""
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
        self._version: str | None = None
        self._stopped = False

    def compare(self, first: str, second: str) -> Reply:
        """Ask the program."""
        question = json.dumps({"first": first, "second": second}, ensure_ascii=False) + "\n"
        failures: list[str] = []
        while len(failures) <= self._retries and not self._stopped:
            try:
                said = self._vocabulary.read(self._answer(question.encode()), first, second)
                return Reply(said, self._version)
            except _Unasked:
                self.close()
                raise
            except JudgeFailed as failure:
                failures.append(str(failure))
                self.close()
        if self._stopped:
            raise JudgeFailed("it was ended while a question was open")
        raise JudgeFailed(
            f"the judge failed {len(failures)} times on {first!r} against {second!r}; "
            f"last: {failures[-1]}"
        )

    def stop(self) -> None:
        """Kill the program, for whose answer another thread may be waiting."""
        self._stopped = True
        if (process := self._process) is not None:
            process.kill()

    def close(self) -> None:
        """End the program; another question starts it anew."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
            self._process = None
        self._answers = self._lines = 0
        self._unread = b""

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is not None:
            self.close()
        if self._process is None:
            try:
                # Ctrl-C in the terminal is not for it: what it was asked is still waited for.
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
        except _Exited:
            if self._answers == 0:
                raise
            # It answered, and then exited of its own accord: a program for one question.
            self.close()
            answer = self._ask(question)
        self._answers += 1
        return answer

    def _ask(self, question: bytes) -> str:
        process = self._started()
        if process.stdin is None or process.stdout is None:
            raise AssertionError("both pipes were asked for")
        if self._said_more(process.stdout):
            raise _Unasked
        try:
            process.stdin.write(question)
        except OSError:
            raise _Exited from None
        return self._line(process.stdout).decode("utf-8", "replace")

    def _said_more(self, pipe: IO[bytes]) -> bool:
        """Say whether there is output that no question asked for; but for a greeting, as it may."""
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            if selector.select(0):
                self._unread += os.read(pipe.fileno(), 65536)
        self._greet()
        return b"\n" in self._unread or (self._lines > 0 and bool(self._unread.strip()))

    def _greet(self) -> None:
        """Take the greeting, if the first line is there and is one."""
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

    def _line(self, pipe: IO[bytes]) -> bytes:
        """Read one line within the time limit; a program may exit right after its answer."""
        deadline = time.monotonic() + self._timeout
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            while b"\n" not in self._unread:
                if len(self._unread) > _LONGEST_REPLY:
                    raise JudgeFailed("its answer is longer than a mebibyte")
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    raise JudgeFailed(f"no answer within {self._timeout:g} seconds")
                chunk = os.read(pipe.fileno(), 65536)
                if not chunk:
                    if not self._unread.strip():
                        raise _Exited
                    self._unread += b"\n"
                self._unread += chunk
                self._greet()
        line, _, self._unread = self._unread.partition(b"\n")
        if self._unread.strip():
            raise _Unasked
        return line


class JudgeFunction:
    """A Python function of two items, shown first and second, that says which is better.

    It returns an answer as a program would write it, or ``True`` where the first one is better and
    ``False`` where the second one is.
    """

    def __init__(
        self, function: Callable[[str, str], object], words: Vocabulary, version: str | None
    ) -> None:
        """Ask ``function``."""
        self._function = function
        self._vocabulary = words
        self._version = version

    def compare(self, first: str, second: str) -> Reply:
        """Ask the function; raises :class:`JudgeRaised` where that raises an error."""
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

    def stop(self) -> None:
        """Nothing can be stopped."""

    def close(self) -> None:
        """Nothing is running."""


class Person:
    """Somebody at a terminal.

    The two items are labelled by words that are no item's name, so that what is typed has one
    reading. ``q`` or the end of the input interrupts, ``u`` takes the last answer back, ``s`` asks
    for another question; ``answered`` says how many answers are kept, and ``remaining`` how many
    are left, which is shown now and then.
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
        require(bool(free), "items", ", ".join(sorted(taken)), "leave no label to answer by")
        self._first, self._second = free[0]
        self._read = read
        self._show = show
        self._remaining = remaining
        self._answered = answered
        self._ties = ties
        self._told_at = -1
        self._skipped: set[str] = set()

    def compare(self, first: str, second: str) -> Reply:
        """Ask until there is an answer."""
        kept = self._answered()
        if kept % self._EVERY == 0 and kept != self._told_at and (left := self._remaining()):
            self._show(f"{left}\n")
            self._told_at = kept
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
                    problem = "there is no answer to take back"
                case "s" | "skip":
                    self._skipped = {first, second}
                    raise Skipped
                case _:
                    problem = f"{answer[:20]!r} is no answer"
            self._show(f"{problem}: type {', '.join(answers)}, s, u or q: ")

    def stop(self) -> None:
        """Nothing can be stopped."""

    def close(self) -> None:
        """Nothing is running."""
