"""Reads a judge's reply: the position or the name of the better item, or a tie.

A reply is ambiguous if an item's name is also a word for a position (items ``a`` and ``b``, or
``1`` and ``2``). Such items are refused before the first question, unless the user states whether
the judge answers by name or by position.
"""

from __future__ import annotations

import contextlib
import json
import re
import unicodedata
from collections.abc import Sequence
from enum import StrEnum

from tgite import InvalidInput
from tgite.errors import require


class Said(StrEnum):
    """The position of the preferred item, of the two that were shown."""

    FIRST = "first"
    SECOND = "second"
    TIE = "tie"
    NOTHING = "nothing"
    """There was no answer in time, or none that could be read."""


class Answers(StrEnum):
    """How a judge answers: by position, by name, or either."""

    EITHER = "either"
    POSITIONS = "positions"
    NAMES = "names"


_WORDS = {
    Said.FIRST: ("first", "1", "a", "left"),
    Said.SECOND: ("second", "2", "b", "right"),
    Said.TIE: ("tie", "equal", "draw", "0", "="),
}
_MEANING = {word: said for said, words in _WORDS.items() for word in words}
BLANKS = " \t\r\n\xa0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
"""What surrounds a name or an answer without being part of it."""


class JudgeFailed(Exception):
    """A judge gave no usable answer; earlier answers are kept.

    Attribute: ``missed``, how often the question was asked in vain.
    """

    missed = 1


class JudgeRaised(JudgeFailed):
    """A judge that is a Python function raised an error, which is this one's ``__cause__``.

    Attributes: ``first`` and ``second``, the items that the judge was asked about, as shown.
    """

    def __init__(self, first: str, second: str, error: Exception) -> None:
        """Name the two items and the error."""
        self.first, self.second = name_of(first), name_of(second)
        raised = f"the judge raised {type(error).__name__}: {error}"
        super().__init__(f"{raised}, on {self.first!r} against {self.second!r}")


class Vocabulary:
    """The replies that have a meaning when these items are compared.

    Raises :class:`~tgite.errors.InvalidInput` if a reply would be ambiguous: if an item's name is a
    word for a position or a tie, or can be read as the name of another item.
    """

    def __init__(
        self, items: Sequence[str], answers: Answers = Answers.EITHER, *, ties: bool = True
    ) -> None:
        """Check the items' names; ``ties`` says whether a tie is accepted."""
        self._ties = ties
        self._items = {composed(name_of(item)): item for item in items}
        self._answers = answers
        for item in self._items if answers is not Answers.POSITIONS else ():
            # A reply is read literally and as JSON. An ambiguous reply has a name as one of its
            # readings, and that name is ambiguous by itself, so checking the names is enough.
            with contextlib.suppress(JudgeFailed):
                if answers is Answers.EITHER and (said := self._position(item)):
                    raise InvalidInput(
                        "items",
                        item,
                        f"is also a word for an answer ({said.value}): state how the judge answers "
                        "(--answers positions or --answers names), or rename the item",
                    )
                if others := self._named(item) - {self._items[item]}:
                    other = name_of(min(others))
                    must = f"as an answer could also mean {other}: rename one of the two"
                    raise InvalidInput("items", item, must)

    def read(self, text: str, first: str, second: str) -> Said:
        """Return what a reply says of two items; raise :class:`JudgeFailed` if it says nothing."""
        said = self._position(text)
        named = set() if self._answers is Answers.POSITIONS else self._named(text)
        if self._answers is Answers.NAMES and (named or said is not Said.TIE):
            said = None
        shown = text.strip()[:60]
        if named - {first, second}:
            raise JudgeFailed(f"its answer {shown!r} names an item that it was not asked about")
        if named:
            return Said.FIRST if named == {first} else Said.SECOND
        if said is None:
            expected = {
                Answers.EITHER: "first, second, tie or an item's name",
                Answers.POSITIONS: "first, second or tie",
                Answers.NAMES: "an item's name or tie",
            }[self._answers]
            raise JudgeFailed(f"its answer {shown!r} is not {expected}")
        if said is Said.TIE and not self._ties:
            must = "instruct the judge to choose, or count ties with --ties half"
            raise JudgeFailed(f"its answer is a tie, which --ties refuse does not accept: {must}")
        return said

    def _position(self, text: str) -> Said | None:
        meant = (_MEANING.get(word.lower()) for word in _readings(text))
        return next((said for said in meant if said is not None), None)

    def _named(self, text: str) -> set[str]:
        return {self._items[word] for word in _readings(text) if word in self._items}


class Item(str):
    """What a judge gets of an item: a text, which has the item's ``name``."""

    name: str

    @staticmethod
    def of(name: str, text: str) -> Item:
        """Return the text of the item with this name."""
        item = Item(text)
        item.name = name
        return item


def name_of(item: str) -> str:
    """Return an item's name, which is its text unless it has another one."""
    return item.name if isinstance(item, Item) else item


def require_items(items: Sequence[str], source: str) -> None:
    """Refuse fewer than two items, empty or repeated names, and names with control characters.

    Names that differ only in how Unicode composes their letters count as the same.
    """
    require(len(items) > 1, "items", source, "must name at least two items, one a line")
    seen: set[str] = set()
    for item in items:
        require(bool(item.strip(BLANKS)), "items", repr(item), "must have a name")
        require_printable(item, "items", repr(item))
        require(composed(item) not in seen, "items", item, "must be named once")
        seen.add(composed(item))


def require_printable(name: str, field: str, where: str) -> None:
    """Refuse a name that cannot be shown in one line as it is, and say which character is why."""
    codes = [f"U+{ord(one):04X}" for one in name if not one.isprintable()]
    must = f"must be printable: no control character or special blank ({', '.join(codes)})"
    require(not codes, field, where, must)


def composed(name: str) -> str:
    """Return a name without surrounding blanks, its letters composed (Unicode NFC)."""
    return unicodedata.normalize("NFC", name.strip(BLANKS))


def split_lines(text: str) -> list[str]:
    """Return the lines of a text, which end at LF, CRLF or CR.

    ``str.splitlines`` also splits at eight other characters, which may be part of a name.
    """
    return re.split("\r\n|\r|\n", text)


def _readings(text: str) -> set[str]:
    """Return the readings of a reply: literally, and as JSON, alone or under the key ``winner``."""
    found = {composed(text)}
    with contextlib.suppress(ValueError, RecursionError):
        parsed: object = json.loads(text, object_pairs_hook=_without_repetition)
        if isinstance(parsed, dict):
            parsed = parsed.get("winner")
        if isinstance(parsed, str):
            found.add(composed(parsed))
        elif isinstance(parsed, int) and not isinstance(parsed, bool):
            found.add(str(parsed))
    return found


def _without_repetition(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise JudgeFailed("its answer gives a key twice")
    return dict(pairs)
