"""Journals: every answer of a judge or a person, kept before it counts.

A journal is a text file of JSON lines: a head (what is compared, who judges, how), then one line
for each asking, flushed to the disk before the search is told. An answer is kept by what it
answers, the k-th question of a meeting of two items, so that it serves whatever the order in which
answers come: a run that was killed at any moment goes on where it stopped by reading its journal.
Nothing in a journal depends on when it was written, and nothing is ever taken out of it.
"""

from __future__ import annotations

import fcntl
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Annotated, Literal, NamedTuple, TypeVar

import msgspec

from tgite import Arm, Duel, InvalidInput, Outcome
from tgite_judge.identity import Identity, differences
from tgite_judge.replies import Said

JOURNAL_FORMAT = "tgite-journal/2"
_FIRST_FORMAT = "tgite-journal/1"

_T = TypeVar("_T")


class Stage(StrEnum):
    """What a meeting is for: to find a candidate, or to certify one."""

    FIND = "find"
    CERTIFY = "certify"


class Question(msgspec.Struct, frozen=True, order=True):
    """The question number ``number`` (from 0 on) of a meeting of two items at a stage."""

    stage: Stage
    first: Arm
    second: Arm
    number: int


class Asking(msgspec.Struct, frozen=True):
    """A question as it was put once, and what was said.

    ``swapped`` says that the question's second item was shown in first place. ``coin`` is what a
    fair coin decided where it had to, ``True`` for the question's first item.
    """

    question: Question
    swapped: bool
    said: Said
    coin: bool | None = None

    @property
    def first_won(self) -> Outcome | None:
        """Whether the question's first item was preferred, ``None`` for a tie."""
        if self.said is Said.TIE:
            return None
        return (self.said is Said.FIRST) is not self.swapped


class Head(msgspec.Struct, frozen=True):
    """What a journal's answers are answers to: the items, who judges, and by which rules."""

    items: tuple[str, ...]
    judge: Identity
    rules: Mapping[str, str]


class _HeadLine(msgspec.Struct, tag_field="format", tag=JOURNAL_FORMAT):
    head: Head


class _Line(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """The form of an asking in the file."""

    stage: Stage
    pair: tuple[Arm, Arm]
    number: Annotated[int, msgspec.Meta(ge=0)]
    swapped: bool
    said: Said
    coin: bool | None = None

    def asking(self, where: str, items: int) -> Asking:
        """Return the asking; refuse what is not about two of so many items."""
        duel = Duel(*self.pair)
        if max(self.pair) >= items:
            raise InvalidInput("journal", where, f"is damaged: must name two of {items} items")
        question = Question(self.stage, duel.first, duel.second, self.number)
        return Asking(question, self.swapped, self.said, self.coin)


class _Undone(msgspec.Struct):
    """The withdrawal of the last asking that stands."""

    undone: Literal[True]


class _OldHead(msgspec.Struct, tag_field="format", tag=_FIRST_FORMAT):
    """The head of a journal of the first format."""

    items: tuple[str, ...]
    judge: str
    delta: str
    start: int
    g: str | None = None
    test: str | None = None


class _OldLine(msgspec.Struct):
    duel: tuple[Arm, Arm]
    swapped: bool
    first_wins: bool


class Journal(AbstractContextManager["Journal"]):
    """An open journal: the answers of earlier runs, and room for more.

    Raises :class:`~tgite.errors.InvalidInput` for a file that cannot be opened, is in use by
    another process, is not a journal, is damaged before its last line, or holds answers of other
    items, another judge or other rules, unless these are taken over knowingly (``adopt``). A
    journal without an answer is anybody's. A torn last line, all that a kill can leave, is cut off;
    ``repaired`` says so. ``remarks`` says what else is worth knowing.
    """

    def __init__(self, path: Path, head: Head, *, adopt: bool = False) -> None:
        """Open or create the journal at ``path`` for ``head``."""
        self.path = path
        self.head = head
        self.askings: list[Asking] = []
        self._kept: list[Kept] = []
        self.repaired = False
        self.adopted = 0
        self._adopting = adopt
        self.remarks: list[str] = []
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
            self._meet(self._read(), adopt)
        except InvalidInput:
            self._file.close()
            raise

    def append(self, asking: Asking) -> None:
        """Keep one more answer; it is on the disk when this returns."""
        one = asking.question
        self._write(
            _Line(
                one.stage,
                (one.first, one.second),
                one.number,
                asking.swapped,
                asking.said,
                asking.coin,
            )
        )
        self.askings.append(asking)

    def undo(self) -> None:
        """Withdraw the last answer that stands; the line of it stays, and one more says so."""
        self._write(_Undone(True))
        self.askings.pop()

    def meet_version(self, version: str | None) -> None:
        """Note the version that the judge states with an answer, before that is kept.

        Raises :class:`~tgite.errors.InvalidInput` where the journal's answers are of another one.
        """
        known = self.head.judge.version
        if version == known:
            return
        if known is not None and self.askings and not self._adopting:
            raise InvalidInput(
                "judge",
                "no version" if version is None else f"version {version}",
                f"is not the version {known} whose {len(self.askings)} answers {self.path} holds; "
                "--adopt takes them over",
            )
        self._adopting = False  # What differs in the middle of a run was not meant.
        judge = msgspec.structs.replace(self.head.judge, version=version)
        self.head = msgspec.structs.replace(self.head, judge=judge)
        self._write(_HeadLine(self.head))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the file, and free it for others."""
        self._file.close()

    def _meet(self, found: Head | None, adopt: bool) -> None:
        """Compare the head that is found with the one that is meant."""
        if found is None or not self._kept:
            if found != self.head:
                self._write(_HeadLine(self.head))
            return
        serious, harmless = differences(found.judge, self.head.judge)
        serious += [
            f"its {name.replace('_', ' ')} is {_shown(found.rules.get(name))}, "
            f"not {_shown(self.head.rules.get(name))}"
            for name in found.rules
            if found.rules.get(name) != self.head.rules.get(name)
        ]
        if found.items != self.head.items:
            serious.insert(
                0, f"its items are {', '.join(found.items)}, not {', '.join(self.head.items)}"
            )
        if serious and not adopt:
            must = f"holds {len(self._kept)} answers of another run: {'; '.join(serious)}; "
            raise InvalidInput("journal", str(self.path), f"{must}--adopt takes them over")
        self.remarks += harmless
        judge = self.head.judge
        if judge.version is None and not serious:
            # It is stated with the first answer, and compared then.
            judge = msgspec.structs.replace(judge, version=found.judge.version)
            self.head = msgspec.structs.replace(self.head, judge=judge)
        if serious:
            self.askings = renumbered(self._kept, self.head.items)
            self.adopted = len(self.askings)
            self.remarks.append(
                f"{self.adopted} answers are taken over from a run of which {'; '.join(serious)}."
            )
        if found != self.head:
            self._write(_HeadLine(self.head))

    def _read(self) -> Head | None:
        self._file.seek(0)
        content = self._file.read()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            self._file.truncate(len(whole))
            self.repaired = True
        if not whole:
            return None
        head, self._kept = parse(whole, str(self.path))
        self.askings = renumbered(self._kept, head.items)
        return head

    def _write(self, line: msgspec.Struct) -> None:
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


class Kept(NamedTuple):
    """An asking, and the items that were compared when it was put."""

    items: tuple[str, ...]
    asking: Asking


def parse(content: bytes, source: str) -> tuple[Head, list[Kept]]:
    """Return the last head and the answers that stand of a journal's whole lines.

    Raises :class:`~tgite.errors.InvalidInput`, naming ``source`` and the line, for a damaged one.
    """
    lines = content.splitlines()
    try:
        head = msgspec.json.decode(lines[0], type=_HeadLine | _OldHead)
    except msgspec.DecodeError:
        raise InvalidInput("journal", source, "is not a journal") from None
    if isinstance(head, _OldHead):
        return _parsed_first_format(head, lines[1:], source)
    current, kept = head.head, list[Kept]()
    for number, text in enumerate(lines[1:], start=2):
        where = f"{source}:{number}"
        if b'"format"' in text:
            current = _decoded(where, text, _HeadLine).head
        elif b'"undone"' in text and kept:
            _decoded(where, text, _Undone)
            # Only what is about items of that time could be taken back.
            about = (k for k, one in enumerate(kept) if renumbered([one], current.items))
            if (last := max(about, default=None)) is not None:
                del kept[last]
        else:
            asking = _decoded(where, text, _Line).asking(where, len(current.items))
            kept.append(Kept(current.items, asking))
    return current, kept


def _parsed_first_format(
    head: _OldHead, lines: Sequence[bytes], source: str
) -> tuple[Head, list[Kept]]:
    """Read a journal of the first format: the answers of one pass, in the order of its duels.

    In a pass two items meet once, so that the order within a pair is the number of a question.
    What the judge was, beside its command line, such a journal does not say.
    """
    asked: Counter[tuple[Arm, Arm]] = Counter()
    kept = []
    for number, text in enumerate(lines, start=2):
        line = _decoded(f"{source}:{number}", text, _OldLine)
        duel = Duel(*line.duel)
        question = Question(Stage.FIND, duel.first, duel.second, asked[line.duel])
        asked[line.duel] += 1
        said = Said.FIRST if line.first_wins is not line.swapped else Said.SECOND
        kept.append(Kept(head.items, Asking(question, line.swapped, said)))
    paper = "DuelTest" if head.g is None else f"BudgetedDuelTest(g = {head.g})"
    known = {"delta": head.delta, "start": str(head.start), "test": head.test or paper}
    return Head(head.items, Identity(head.judge), known), kept


def _decoded(where: str, text: bytes, kind: type[_T]) -> _T:
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.DecodeError as error:
        raise InvalidInput("journal", where, f"is damaged: {error}") from None


def renumbered(kept: Sequence[Kept], items: tuple[str, ...]) -> list[Asking]:
    """Return the answers about items that are compared now, by the numbers that they now have."""
    number = {name: arm for arm, name in enumerate(items)}
    found = []
    for before, asking in kept:
        one = asking.question
        first, second = before[one.first], before[one.second]
        if before == items:
            found.append(asking)
        elif first in number and second in number:
            moved = Question(one.stage, number[first], number[second], one.number)
            found.append(msgspec.structs.replace(asking, question=moved))
    return found


def _shown(value: object) -> str:
    return "not known" if value is None else str(value)
