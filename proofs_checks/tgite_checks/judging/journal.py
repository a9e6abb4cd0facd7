"""Journals: every answer of a judge or a person, kept before it counts.

A journal is a text file of JSON lines: a head with the items and parameters, then one line for each
answer, flushed to the disk before the algorithm is told. The algorithm is deterministic given
the answers, so a run that was killed at any moment goes on where it stopped by playing its journal
again. Nothing in a journal depends on when it was written.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TypeVar

import msgspec

from tgite import Arm, Duel, InvalidInput, Outcome

JOURNAL_FORMAT = "tgite-journal/1"

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one duel; ``swapped`` says that the second arm was shown in first place."""

    duel: Duel
    swapped: bool
    outcome: Outcome


class _Line(msgspec.Struct):
    """The form of an answer in the file."""

    duel: tuple[Arm, Arm]
    swapped: bool
    first_wins: Outcome


class Journal(AbstractContextManager["Journal"]):
    """An open journal: the answers of earlier runs, and room for more.

    Raises :class:`~tgite.errors.InvalidInput` for a file that cannot be opened, is in use by
    another process, is not a journal, is damaged before its last line, or belongs to other items or
    parameters. A torn last line, all that a kill can leave, is cut off; ``repaired`` says so.
    """

    def __init__(self, path: Path, head: Mapping[str, object]) -> None:
        """Open or create the journal at ``path`` for the items and parameters of ``head``."""
        self.path = path
        self.answers: list[Answer] = []
        self.repaired = False
        try:
            self._file = path.open("a+b")
        except OSError as error:
            raise InvalidInput(
                "journal", str(path), f"cannot be opened ({error.strerror})"
            ) from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise InvalidInput("journal", str(path), "is in use by another process") from None
        try:
            self._read({"format": JOURNAL_FORMAT, **head})
        except InvalidInput:
            self._file.close()
            raise

    def append(self, answer: Answer) -> None:
        """Keep one more answer; it is on the disk when this returns."""
        self._write(_Line((answer.duel.first, answer.duel.second), answer.swapped, answer.outcome))
        self.answers.append(answer)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the file, and free it for others."""
        self._file.close()

    def _read(self, head: Mapping[str, object]) -> None:
        self._file.seek(0)
        content = self._file.read()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            self._file.truncate(len(whole))
            self.repaired = True
        lines = whole.splitlines()
        if not lines:
            self._write(head)
            return
        found = self._parsed(1, lines[0], dict[str, object])
        if found.get("format") != JOURNAL_FORMAT:
            raise InvalidInput("journal", str(self.path), "is not a journal")
        for name in sorted(head.keys() | found.keys()):
            if found.get(name) != head.get(name):
                here, there = (_json(one.get(name)).decode() for one in (head, found))
                must = f"belongs to another run: its {name} is {there}, not {here}"
                raise InvalidInput("journal", str(self.path), must)
        for number, text in enumerate(lines[1:], start=2):
            line = self._parsed(number, text, _Line)
            self.answers.append(Answer(Duel(*line.duel), line.swapped, line.first_wins))

    def _parsed(self, number: int, text: bytes, kind: type[_T]) -> _T:
        try:
            return msgspec.json.decode(text, type=kind)
        except msgspec.DecodeError as error:
            where = f"{self.path}:{number}"
            raise InvalidInput("journal", where, f"is damaged: {error}") from None

    def _write(self, line: object) -> None:
        self._file.write(_json(line) + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def _json(value: object) -> bytes:
    """Write a value in one line, with spaces between its parts."""
    return msgspec.json.format(msgspec.json.encode(value), indent=0)
