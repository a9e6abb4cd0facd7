"""Journals: every answer of a judge or a person, kept before it counts.

A journal is a text file of JSON lines: a head with the items and parameters, then one line for each
answer, flushed to the disk before the algorithm is told. The algorithm is deterministic given
the answers, so a run that was killed at any moment goes on where it stopped by playing its journal
again. Nothing in a journal depends on when it was written.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from tgite import Duel, InvalidInput, Outcome

JOURNAL_FORMAT = "tgite-journal/1"


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one duel; ``swapped`` says that the second arm was shown in first place."""

    duel: Duel
    swapped: bool
    outcome: Outcome


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
        self._write(
            {
                "duel": [answer.duel.first, answer.duel.second],
                "swapped": answer.swapped,
                "first_wins": answer.outcome,
            }
        )
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
        found = self._parsed(1, lines[0])
        if found.get("format") != JOURNAL_FORMAT:
            raise InvalidInput("journal", str(self.path), "is not a journal")
        for name in sorted(head.keys() | found.keys()):
            if found.get(name) != head.get(name):
                raise InvalidInput(
                    "journal",
                    str(self.path),
                    f"belongs to another run: its {name} is {json.dumps(found.get(name))}, "
                    f"not {json.dumps(head.get(name))}",
                )
        for number, line in enumerate(lines[1:], start=2):
            self.answers.append(self._answer(number, self._parsed(number, line)))

    def _parsed(self, number: int, line: bytes) -> dict[str, object]:
        try:
            entry: object = json.loads(line)
        except ValueError:
            entry = None
        if not isinstance(entry, dict):
            raise InvalidInput("journal", f"{self.path}:{number}", "is damaged: not a JSON object")
        return entry

    def _answer(self, number: int, entry: dict[str, object]) -> Answer:
        arms, swapped, outcome = entry.get("duel"), entry.get("swapped"), entry.get("first_wins")
        if (
            not isinstance(arms, list)
            or len(arms) != 2
            or not isinstance(swapped, bool)
            or not isinstance(outcome, bool)
        ):
            raise InvalidInput("journal", f"{self.path}:{number}", "is damaged: not an answer")
        return Answer(Duel(arms[0], arms[1]), swapped, outcome)

    def _write(self, line: Mapping[str, object]) -> None:
        self._file.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
