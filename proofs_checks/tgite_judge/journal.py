"""Journals: files that keep every answer of a judge or a person before the search uses it.

A journal is a text file of JSON lines. The first line, the head, holds the items, the judge and the
rules. Each further line is one answer to a question, the k-th comparison of two items at one stage.
So a run that was killed at any moment continues from its journal, in whatever order answers
arrived. Lines are never removed or changed.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from tgite import Arm, Duel, InvalidInput, Outcome
from tgite.errors import handled
from tgite_judge.fingerprint import Fingerprint, differences
from tgite_judge.replies import Said

JOURNAL_FORMAT: Final = "tgite-journal/3"


class Stage(StrEnum):
    """The purpose of a meeting: to find a candidate, or to certify one."""

    FIND = "find"
    CERTIFY = "certify"


class Question(msgspec.Struct, frozen=True, order=True):
    """The comparison ``number`` (from 0 on) of two items at a stage."""

    stage: Stage
    first: Arm
    second: Arm
    number: int


class Record(msgspec.Struct, frozen=True):
    """One answer to a question.

    ``swapped`` is true if the question's second item was shown first. If a fair coin decided,
    ``coin`` is its result: ``True`` for the question's first item.
    """

    question: Question
    swapped: bool
    said: Said
    coin: bool | None = None

    @property
    def first_won(self) -> Outcome | None:
        """Whether the question's first item was preferred, ``None`` for a tie or no answer."""
        if self.said in (Said.TIE, Said.NOTHING):
            return None
        return (self.said is Said.FIRST) is not self.swapped


class Head(msgspec.Struct, frozen=True, omit_defaults=True):
    """The head of a journal: the items, the judge, the rules, and digests of the items' texts."""

    items: tuple[str, ...]
    judge: Fingerprint
    rules: Mapping[str, str]
    texts: tuple[str, ...] = ()


class _HeadLine(msgspec.Struct, kw_only=True):
    format: Literal["tgite-journal/3"] = JOURNAL_FORMAT
    head: Head


class _Line(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A record as a line of the file."""

    stage: Stage
    pair: tuple[Arm, Arm]
    number: Annotated[int, msgspec.Meta(ge=0)]
    swapped: bool
    said: Said
    coin: bool | None = None

    def record(self, where: str, items: int) -> Record:
        """Return the record; refuse one that is not about two of ``items`` items."""
        duel = Duel(*self.pair)
        if max(self.pair) >= items:
            raise InvalidInput("journal", where, f"is damaged: must name two of {items} items")
        question = Question(self.stage, duel.first, duel.second, self.number)
        return Record(question, self.swapped, self.said, self.coin)


class _Undone(msgspec.Struct):
    """A line that withdraws the last record that still counts."""

    undone: Literal[True]


Entry: TypeAlias = tuple[tuple[str, ...], Record]
"""A record, after the items that were compared when it was made."""


class Journal(AbstractContextManager["Journal"]):
    """An open journal: ``records`` holds the answers that count, and new ones can be added.

    ``missed`` holds a record for each time that a question was asked in vain.

    Raises :class:`~tgite.errors.InvalidInput` for a file that cannot be opened, is in use, is not a
    journal, or is damaged before its last line, and for answers about other items, from another
    judge or by other rules, unless ``adopt`` accepts them. A journal without answers fits every
    run. An incomplete last line, left by a killed process, is cut off.
    ``remarks`` are for the user.
    """

    def __init__(self, path: Path, head: Head, *, adopt: bool = False) -> None:
        """Open or create the journal at ``path`` for ``head``."""
        self.path, self.head, self._adopt = path, head, adopt
        self.records, self.missed = list[Record](), list[Record]()
        self.remarks, self._entries = list[str](), list[Entry]()
        with handled("journal", path, "opened"):
            self._file = path.open("a+b", buffering=0)
        with ExitStack() as stack:
            stack.enter_context(self._file)
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise InvalidInput("journal", str(path), "is in use by another process") from None
            self._check_head(self._read())
            stack.pop_all()

    def append(self, record: Record) -> None:
        """Add an answer; it is on the disk when this returns."""
        one, said = record.question, record.said
        pair = (one.first, one.second)
        self._write(_Line(one.stage, pair, one.number, record.swapped, said, record.coin))
        (self.missed if said is Said.NOTHING else self.records).append(record)

    def undo(self) -> None:
        """Withdraw the last answer that counts: its line stays, and a new line withdraws it."""
        self._write(_Undone(True))
        self.records.pop()

    def __exit__(self, *_: object) -> None:
        """Close the file and release its lock."""
        self._file.close()

    def _check_head(self, found: Head | None) -> None:
        """Compare the head in the file with the head of this run."""
        serious: list[str] = []
        now, count = self.head, len(self._entries)
        if found is not None and count:
            serious = differences(found.judge, now.judge)
            serious += [
                f"its {name.replace('_', ' ')} is {value}, not {now.rules.get(name, 'not known')}"
                for name, value in found.rules.items()
                if value != now.rules.get(name)
            ]
            before, texts = (dict(zip(one.items, one.texts, strict=False)) for one in (found, now))
            both = [one for one in now.items if one in found.items]
            if changed := [one for one in both if before.get(one) != texts.get(one)]:
                serious.insert(0, f"it had other texts for {', '.join(changed)}")
            if found.items != now.items:
                old, new = ", ".join(found.items), ", ".join(now.items)
                serious.insert(0, f"its items are {old}, not {new}")
            if serious and not self._adopt:
                must = f"holds {count} answers of another run: {'; '.join(serious)}; "
                must += "to use them anyway, give --adopt"
                raise InvalidInput("journal", str(self.path), must)
        if serious:
            self._take(renumber(self._entries, now.items))
            self.remarks.append(
                f"{len(self.records)} answers are adopted from another run: {'; '.join(serious)}."
            )
        if self.records:
            self.remarks.append(f"Continuing after the {len(self.records)} answers in {self.path}.")
        if found != self.head:
            self._write(_HeadLine(head=self.head))

    def _read(self) -> Head | None:
        self._file.seek(0)
        content = self._file.read()
        whole = content[: max(content.rfind(b"\n"), content.rfind(b"\r")) + 1]
        if len(whole) < len(content):
            self._file.truncate(len(whole))
            self.remarks.append(f"The last line of {self.path} was incomplete; it is asked again.")
        if not whole:
            return None
        head, self._entries = parse_journal(whole, str(self.path))
        self._take(renumber(self._entries, head.items))
        return head

    def _take(self, records: Sequence[Record]) -> None:
        self.records = [one for one in records if one.said is not Said.NOTHING]
        self.missed = [one for one in records if one.said is Said.NOTHING]

    def _write(self, line: msgspec.Struct) -> None:
        """Write a line to the disk; if it has no room, leave the file as it was."""
        size, text = os.fstat(self._file.fileno()).st_size, msgspec.json.encode(line) + b"\n"
        try:
            while text:
                text = text[self._file.write(text) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(size)
            why = f"cannot be written ({error.strerror}); the {len(self.records)} answers are kept"
            raise InvalidInput("journal", str(self.path), why) from None


def parse_journal(content: bytes, source: str) -> tuple[Head, list[Entry]]:
    """Return the last head in a journal's lines, and the answers that count.

    Raises :class:`~tgite.errors.InvalidInput` for a damaged line, with its number.
    """
    lines = content.splitlines()
    try:
        head = msgspec.json.decode(lines[0], type=_HeadLine).head
    except msgspec.DecodeError:
        must = f"is not a journal of the format {JOURNAL_FORMAT}"
        raise InvalidInput("journal", source, must) from None
    entries: list[Entry] = []
    for number, text in enumerate(lines[1:], start=2):
        where = f"{source}:{number}"
        undone = b'"undone"' in text and bool(entries)
        kind = _HeadLine if b'"format"' in text else _Undone if undone else _Line
        try:
            line = msgspec.json.decode(text, type=kind)
        except msgspec.DecodeError as error:
            raise InvalidInput("journal", where, f"is damaged: {error}") from None
        if isinstance(line, _HeadLine):
            head = line.head
        elif isinstance(line, _Line):
            entries.append((head.items, line.record(where, len(head.items))))
        else:
            # Only an answer about the items of the last head can have been withdrawn.
            about = (
                place
                for place, one in enumerate(entries)
                if one[1].said is not Said.NOTHING and renumber([one], head.items)
            )
            if (last := max(about, default=None)) is not None:
                del entries[last]
    return head, entries


def renumber(entries: Sequence[Entry], items: tuple[str, ...]) -> list[Record]:
    """Return the records that are about two of ``items``, with the items' present numbers."""
    number = {name: arm for arm, name in enumerate(items)}
    found = []
    for before, record in entries:
        one = record.question
        first, second = before[one.first], before[one.second]
        if before == items:
            found.append(record)
        elif first in number and second in number:
            moved = Question(one.stage, number[first], number[second], one.number)
            found.append(msgspec.structs.replace(record, question=moved))
    return found
