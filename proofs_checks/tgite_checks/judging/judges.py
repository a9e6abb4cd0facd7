"""Judges: programs and people who say which of two named items is better."""

from __future__ import annotations

import contextlib
import json
import os
import random
import selectors
import shlex
import subprocess
import time
from collections.abc import Callable, Sequence
from typing import IO, Protocol

from tgite import Arm, Duel, InvalidInput, Outcome, TapeMismatch
from tgite_checks.judging.journal import Answer, Journal

_FIRST = {"first", "1", "a", "left"}
_SECOND = {"second", "2", "b", "right"}
_TIE = {"tie", "equal", "draw", "0", "="}
_LONGEST_REPLY = 1 << 20

TIE_ADVICE = (
    "a tie is no answer here: every comparison needs a winner; tell the judge to decide, and where "
    "it truly cannot, to choose at random"
)


class JudgeFailed(Exception):
    """A judge gave no usable answer; what was answered before is kept."""


class _Exited(JudgeFailed):
    """The program is gone and has left no answer."""

    def __init__(self) -> None:
        super().__init__("it exited without an answer")


class _Unasked(JudgeFailed):
    """The program said more than it was asked: which of its lines is an answer, nobody knows."""

    def __init__(self) -> None:
        super().__init__("the judge said more than one line in answer to one question")


class Judge(Protocol):
    """Whoever compares two items."""

    def prefers_first(self, first: str, second: str) -> bool:
        """Say whether the item shown first is better; raises :class:`JudgeFailed`."""


class JudgeProgram:
    """A program that reads one JSON line ``{"first": ..., "second": ...}`` for each comparison.

    It answers with one line: ``first`` or ``second`` (also ``1``/``2``, ``a``/``b``, or a JSON
    object with the key ``winner``). It may answer one question and exit, or many. An answer that
    is missing after ``timeout`` seconds, unreadable or a tie, and a program that exits without one,
    are asked again up to ``retries`` times, from a new process, and then reported. A program
    that says more than one line in answer to a question is reported at once.
    """

    def __init__(self, command: str, timeout: float, retries: int) -> None:
        """Prepare to run ``command``, split as a shell splits words; no shell runs it."""
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise InvalidInput("judge", command, f"cannot be split into words ({error})") from None
        if not self._words:
            raise InvalidInput("judge", command, "must name a program")
        self._timeout = timeout
        self._retries = retries
        self._process: subprocess.Popen[bytes] | None = None
        self._answers = 0
        self._unread = b""

    def prefers_first(self, first: str, second: str) -> bool:
        """Ask the program."""
        question = json.dumps({"first": first, "second": second}, ensure_ascii=False) + "\n"
        failures: list[str] = []
        for _ in range(self._retries + 1):
            try:
                return read_verdict(self._answer(question.encode()))
            except _Unasked:
                self.close()
                raise
            except JudgeFailed as failure:
                failures.append(str(failure))
                self.close()
        raise JudgeFailed(
            f"the judge failed {len(failures)} times on {first!r} against {second!r}; "
            f"last: {failures[-1]}"
        )

    def close(self) -> None:
        """End the program."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
            self._process = None
        self._answers = 0
        self._unread = b""

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is not None:
            self.close()
        if self._process is None:
            try:
                self._process = subprocess.Popen(
                    self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
                )
            except OSError as error:
                raise InvalidInput(
                    "judge", self._words[0], f"cannot be run ({error.strerror})"
                ) from None
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
        """Say whether there is output that no question asked for; it is no answer."""
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            if selector.select(0):
                self._unread += os.read(pipe.fileno(), 65536)
        return bool(self._unread.strip())

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
        line, _, self._unread = self._unread.partition(b"\n")
        if self._unread.strip():
            raise _Unasked
        return line


def read_verdict(text: str) -> bool:
    """Read an answer; return whether the first item won. Raises :class:`JudgeFailed`."""
    word = text.strip()
    with contextlib.suppress(ValueError):
        parsed: object = json.loads(word)
        if isinstance(parsed, dict):
            parsed = parsed.get("winner")
        word = str(parsed)
    word = word.strip().lower()
    if word in _FIRST:
        return True
    if word in _SECOND:
        return False
    if word in _TIE:
        raise JudgeFailed(TIE_ADVICE)
    raise JudgeFailed(f"its answer {text.strip()[:60]!r} is neither first nor second")


class Person:
    """Somebody at a terminal."""

    def __init__(self, read: Callable[[], str], show: Callable[[str], None]) -> None:
        """Ask by ``show`` and take answers from ``read``, which raises ``EOFError`` at the end."""
        self._read = read
        self._show = show
        self._asked = 0

    def prefers_first(self, first: str, second: str) -> bool:
        """Ask until there is an answer; ``q`` or the end of the input interrupts the run."""
        self._asked += 1
        while True:
            self._show(f"{self._asked}. Which is better?   1: {first}   2: {second}   (q: stop) ")
            try:
                answer = self._read().strip()
            except EOFError:
                raise KeyboardInterrupt from None
            if answer.lower() in {"q", "quit"}:
                raise KeyboardInterrupt
            try:
                return read_verdict(answer)
            except JudgeFailed as failure:
                self._show(f"{failure}\n")


class JournalledEnvironment:
    """A judge whose every answer is journalled before it counts.

    What the journal already holds is given out first; then the judge is asked. With ``swap`` (a
    seed), which item is shown first is decided at random for each duel, from the seed and the
    duel's number alone, so that a judge who favours a position favours neither item.
    """

    def __init__(
        self, journal: Journal, items: Sequence[str], judge: Judge, swap: int | None
    ) -> None:
        """Answer the duels of arms by showing their items to ``judge``."""
        self._journal = journal
        self._items = items
        self._judge = judge
        self._swap = swap
        self._answered = 0

    def outcomes(self, duel: Duel) -> Callable[[], Outcome]:
        """Replay or ask; raises :class:`~tgite.errors.TapeMismatch` if the journal differs."""

        def draw() -> Outcome:
            number = self._answered
            if number < len(self._journal.answers):
                kept = self._journal.answers[number]
                if kept.duel != duel:
                    raise TapeMismatch(
                        f"duel {number + 1}",
                        f"({duel.first}, {duel.second})",
                        f"must be ({kept.duel.first}, {kept.duel.second}), which the journal holds",
                    )
                self._answered += 1
                return kept.outcome
            swapped = self._swapped(number)
            first, second = self._shown(duel, swapped)
            outcome = self._judge.prefers_first(first, second) is not swapped
            self._journal.append(Answer(duel, swapped, outcome))
            self._answered += 1
            return outcome

        return draw

    def _swapped(self, number: int) -> bool:
        return self._swap is not None and random.Random(f"{self._swap}:{number}").random() < 0.5

    def _shown(self, duel: Duel, swapped: bool) -> tuple[str, str]:
        arms: tuple[Arm, Arm] = (duel.first, duel.second)
        first, second = arms[::-1] if swapped else arms
        return self._items[first], self._items[second]


def always_repeats_itself(answers: Sequence[Answer]) -> bool:
    """Say whether no pair was ever answered in two ways, though pairs were asked many times."""
    by_pair: dict[tuple[Arm, Arm], set[Arm]] = {}
    for answer in answers:
        u, v = answer.duel.first, answer.duel.second
        by_pair.setdefault((min(u, v), max(u, v)), set()).add(u if answer.outcome else v)
    return bool(answers) and all(len(winners) == 1 for winners in by_pair.values())
