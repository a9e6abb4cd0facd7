"""What a judge's reply says: the position, or the name, of the better item; and one reading only.

A reply has two readings where an item's name is also a word for a position (items ``a`` and ``b``,
or ``1`` and ``2``). Which one is meant nobody can see, so such items are refused before the first
question, unless it is said how the judge answers.
"""

from __future__ import annotations

import contextlib
import json
import unicodedata
from collections.abc import Sequence
from enum import StrEnum

from tgite import InvalidInput
from tgite.errors import require


class Said(StrEnum):
    """What was said of the two items in the positions in which they were shown."""

    FIRST = "first"
    SECOND = "second"
    TIE = "tie"


class Answers(StrEnum):
    """How a judge answers: by position, by name, or in either way."""

    EITHER = "either"
    POSITIONS = "positions"
    NAMES = "names"


WORDS = {
    Said.FIRST: ("first", "1", "a", "left"),
    Said.SECOND: ("second", "2", "b", "right"),
    Said.TIE: ("tie", "equal", "draw", "0", "="),
}
_MEANING = {word: said for said, words in WORDS.items() for word in words}


TIE_ADVICE = (
    "a tie is no answer here: every comparison needs a winner; tell the judge to decide, or take "
    "ties as half a win for each with --ties half"
)


class JudgeFailed(Exception):
    """A judge gave no usable answer; what was answered before is kept."""


class JudgeRaised(JudgeFailed):
    """A judge that is a function raised an error, which is the cause of this one.

    Attributes: ``first`` and ``second``, the items that it was asked about, as they were shown.
    """

    def __init__(self, first: str, second: str, error: Exception) -> None:
        """Name the pair and what was raised."""
        self.first = first
        self.second = second
        super().__init__(
            f"the judge raised {type(error).__name__}: {error}, on {first!r} against {second!r}"
        )


class Vocabulary:
    """The replies that have a meaning when these items are compared.

    Raises :class:`~tgite.errors.InvalidInput` if a reply would have two: an item whose name is a
    word for a position or a tie, or reads as the name of another item.
    """

    def __init__(
        self, items: Sequence[str], answers: Answers = Answers.EITHER, *, ties: bool = True
    ) -> None:
        """Check the items' names; ``ties`` says whether a tie is an answer."""
        self._ties = ties
        self._items = {_composed(item): item for item in items}
        self._answers = answers
        for item in items if answers is not Answers.POSITIONS else ():
            # A reply is read as it stands and as JSON. A reply with two readings has a reading
            # that is a name, and that name has them, too: so it is enough to read the names.
            with contextlib.suppress(JudgeFailed):
                if answers is Answers.EITHER and (said := self._position(item)):
                    raise InvalidInput(
                        "items",
                        item,
                        f"is also a word by which judges answer ({said.value}): say how yours "
                        "does, --answers positions or --answers names, or rename the item",
                    )
                if others := self._named(item) - {item}:
                    must = f"as an answer could also mean {min(others)}: rename one of them"
                    raise InvalidInput("items", item, must)

    def read(self, text: str, first: str, second: str) -> Said:
        """Read a reply to "which is better, ``first`` or ``second``?"; or :class:`JudgeFailed`."""
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
            raise JudgeFailed(TIE_ADVICE)
        return said

    def _position(self, text: str) -> Said | None:
        meant = (_MEANING.get(word.lower()) for word in _wordings(text))
        return next((said for said in meant if said is not None), None)

    def _named(self, text: str) -> set[str]:
        return {self._items[word] for word in _wordings(text) if word in self._items}


def require_items(items: Sequence[str], source: str) -> None:
    """Refuse items whose names are not two or more different ones, or cannot be shown in a line.

    Names that only differ in how Unicode composes their letters are the same name.
    """
    require(len(items) > 1, "items", source, "must name at least two items, one a line")
    seen: set[str] = set()
    for item in items:
        require(bool(item.strip()), "items", repr(item), "must have a name")
        printable = "must be printable: no control characters"
        require(item.isprintable(), "items", repr(item), printable)
        require(_composed(item) not in seen, "items", item, "must be named once")
        seen.add(_composed(item))


def _composed(name: str) -> str:
    return unicodedata.normalize("NFC", name.strip())


def _wordings(text: str) -> set[str]:
    """Return what a reply says: itself, and what it says as JSON, alone or as ``winner``."""
    found = {_composed(text)}
    with contextlib.suppress(ValueError, RecursionError):
        parsed: object = json.loads(text, object_pairs_hook=_without_repetition)
        if isinstance(parsed, dict):
            parsed = parsed.get("winner")
        if isinstance(parsed, str):
            found.add(_composed(parsed))
        elif isinstance(parsed, int) and not isinstance(parsed, bool):
            found.add(str(parsed))
    return found


def _without_repetition(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise JudgeFailed("its answer gives a key twice: which of the values is meant?")
    return dict(pairs)
