"""Traces: everything that a run played, in a file that can be played again.

A trace is a text file of JSON lines: a head; one line for each run of duels of one pair, for each
block of self-play and for each announcement; and an end. The end states how many duels stand before
it. A file without an end is truncated. ``Conventions.first_arm`` sets whether arms are numbered
from 0 or 1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO

from tgite.checked import checked
from tgite.errors import InvalidInput, TapeMismatch
from tgite.playing.environments import TapeExhausted
from tgite.playing.play import Run
from tgite.questions import Arm, Duel, Outcome

TRACE_FORMAT = "tgite-trace/1"


class TraceWriter(AbstractContextManager["TraceWriter"]):
    """A recorder that writes a trace file during the run, in constant memory.

    Raises :class:`~tgite.errors.InvalidInput` for a path that cannot be written.
    """

    @checked
    def __init__(
        self, path: Path, first_arm: int = 0, about: dict[str, object] | None = None
    ) -> None:
        """Open ``path`` and write the head; ``about`` tells a reader of the file what was run."""
        self._path = path
        try:
            self._file: IO[str] = path.open("w", encoding="ascii")
        except OSError as error:
            raise self._unwritable(error) from None
        self._first_arm = first_arm
        self._write({"format": TRACE_FORMAT, "first_arm": first_arm, "about": about or {}})

    def _unwritable(self, error: OSError) -> InvalidInput:
        return InvalidInput("trace", str(self._path), f"cannot be written ({error.strerror})")

    def duels(self, duel: Duel, outcomes: bytes) -> None:
        """Write consecutive duels of one pair: ``1`` where the first arm won, else ``0``."""
        arms = [duel.first + self._first_arm, duel.second + self._first_arm]
        digits = outcomes.translate(_DIGITS).decode("ascii")
        self._write({"duel": arms, "outcomes": digits})

    def self_play(self, arm: Arm, rounds: int) -> None:
        """Write a block of self-play."""
        self._write({"self_play": arm + self._first_arm, "rounds": rounds})

    def incumbent(self, arm: Arm) -> None:
        """Write an announcement."""
        self._write({"incumbent": arm + self._first_arm})

    def finish(self, run: Run[Arm | None]) -> None:
        """Write the end, which states the number of duels."""
        returned = None if run.returned is None else run.returned + self._first_arm
        self._write(
            {
                "end": str(run.ended),
                "returned": returned,
                "rounds": run.rounds,
                "comparisons": run.comparisons,
            }
        )

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the file."""
        try:
            self._file.close()
        except OSError as error_at_the_end:
            raise self._unwritable(error_at_the_end) from None

    def _write(self, line: dict[str, object]) -> None:
        try:
            self._file.write(json.dumps(line) + "\n")
        except OSError as error:
            raise self._unwritable(error) from None


_DIGITS = bytes([ord("0"), ord("1")]) + bytes(254)


@dataclass(frozen=True, slots=True)
class Trace:
    """The duels of a trace file, in order: ``(duel, outcomes)`` for each run of duels of a pair."""

    runs: tuple[tuple[Duel, tuple[Outcome, ...]], ...]

    @property
    def comparisons(self) -> int:
        """The number of duels."""
        return sum(len(outcomes) for _, outcomes in self.runs)


@checked
def read_trace(path: Path) -> Trace:
    """Read a whole trace file.

    Raises :class:`~tgite.errors.InvalidInput`, naming the line, for a file that cannot be read, is
    not a trace, is truncated, or whose end does not match the duels in it.
    """
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput("tape", str(path), f"cannot be read ({error})") from None
    if not lines:
        raise InvalidInput("tape", str(path), "is empty")
    runs: list[tuple[Duel, tuple[Outcome, ...]]] = []
    first_arm = 0
    for number, line in enumerate(lines, start=1):

        def refused(rule: str, number: int = number) -> InvalidInput:
            return InvalidInput("tape", f"{path}:{number}", rule)

        try:
            entry: object = json.loads(line)
        except ValueError:
            raise refused("must be a line of JSON") from None
        match entry:
            case dict() if number == 1:
                first_arm = entry.get("first_arm", -1)
                if entry.get("format") != TRACE_FORMAT or first_arm not in (0, 1):
                    raise refused(f'must begin with a head of format "{TRACE_FORMAT}"')
            case {"end": _, **rest}:
                trace = Trace(tuple(runs))
                counted = rest.get("comparisons")
                if number != len(lines):
                    raise refused("is followed by more lines")
                if counted != trace.comparisons:
                    held = trace.comparisons
                    raise refused(f"counts {counted} duels, but the trace has {held}")
                return trace
            case {"duel": [u, v], "outcomes": str(digits)} if re.fullmatch("[01]+", digits):
                arms = [arm - first_arm if type(arm) is int else arm for arm in (u, v)]
                runs.append((Duel(*arms), tuple(digit == "1" for digit in digits)))
            case {"duel": _}:
                raise refused("must hold two arms and outcomes of the digits 0 and 1")
            case dict():
                pass  # self-play and announcements are not replayed
            case _:
                raise refused("must be a JSON object")
    raise InvalidInput("tape", str(path), "is truncated: its last line must be the end")


class TraceEnvironment:
    """The outcomes of a trace, returned only if the stream asks for the trace's duels.

    Raises :class:`~tgite.errors.TapeMismatch` if another duel is asked. After the last outcome the
    run ends as exhausted.
    """

    @checked
    def __init__(self, trace: Trace) -> None:
        """Play ``trace`` from its beginning."""
        self._outcomes: Iterator[tuple[Duel, Outcome]] = (
            (duel, outcome) for duel, outcomes in trace.runs for outcome in outcomes
        )
        self._number = 0

    def outcomes(self, duel: Duel) -> Callable[[], Outcome]:
        """Return the trace's outcomes one by one, as long as they belong to ``duel``."""

        def draw() -> Outcome:
            try:
                recorded, outcome = next(self._outcomes)
            except StopIteration:
                raise TapeExhausted from None
            self._number += 1
            if recorded != duel:
                raise TapeMismatch(
                    f"duel {self._number}",
                    f"({duel.first}, {duel.second})",
                    f"must be ({recorded.first}, {recorded.second}), which the tape holds",
                )
            return outcome

        return draw
