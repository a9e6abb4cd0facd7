"""Reads a judge's reply: the position or the name of the better item, or a tie."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum

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


_EXPECTED = {
    Answers.EITHER: "first, second, tie or an item's name",
    Answers.POSITIONS: "first, second or tie",
    Answers.NAMES: "an item's name or tie",
}
_WORDS = {
    Said.FIRST: "first 1 a left a>b b<a 1>2 2<1",
    Said.SECOND: "second 2 b right b>a a<b 2>1 1<2",
    Said.TIE: "tie equal draw 0 = c a=b b=a 1=2 2=1",
}
"""What a verdict may be; ``A >> B`` counts as ``a>b``, and ``Assistant A`` as ``a``."""
_MEANING = {word: said for said, words in _WORDS.items() for word in words.split()}
_KEYS = ("verdict", "answer", "choice", "preferred", "better")
_MARKED = re.compile(
    r"\[\[([^\[\]]*)\]\]|\\boxed\{(?:\\\w+\{)?([^{}]*)\}+|```\w*[ \t]*\n(.*?)```", re.DOTALL
)
_FENCE = 3
"""A verdict as ``[[A]]``, as ``\\boxed{A}``, or in a code fence."""
_LABELLED = re.compile(
    r"(?:^|(?<=[.!?;])(?<!\.\w\.))[ \t#>*_-]*"
    r"(?:(?:so|my|the|final|overall|best|better)\s+)*"
    r"(?:verdict|answer|winner|choice|decision|judge?ment|preference)"
    r"[*_]*\s*(?:is\b|[:=\u2013\u2014-])?[\s*_:]*([^\n]*)$",
    re.IGNORECASE | re.MULTILINE,
)
"""A verdict at the end of a line, as in ``Final answer: A``."""
_THOUGHT = re.compile(r"\A.*</think(?:ing)?>|<think(?:ing)?>.*\Z", re.DOTALL | re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<!\.\w)[.!?;]\s|(?<!:)\n[ \t]*\n")
_LEAD = re.compile(
    r"(?:\W|\b(?:so|therefore|thus|hence|overall|finally|in|conclusion|summary|after|given|all|of|as|"
    r"the|my|our|above|follows|final|verdict|answers?|choice|decision|judge?ment|preference|winner|"
    r"result|is|it|this|that|i|we|think|choose|pick|prefer|select|vote|for|better|best|one|option|"
    r"assistant|responses?|items?|both|two|based|on|analysis|comparing|considering|a tie|"
    r"tie|evaluating|[ab] is|significantly|slightly|much|clearly)\b)*",
    re.IGNORECASE,
)
"""What may stand before a marked verdict in its sentence; other words could turn it round."""
_AROUND = "*_`\"'.!$()"
BLANKS = " \t\r\n\xa0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
"""What surrounds a name or an answer without being part of it."""


class JudgeFailed(Exception):
    """A judge gave no usable answer; earlier answers are kept.

    Attributes: ``missed``, how often the question was asked in vain; ``final``, whether it is
    useless to ask again; ``wait``, for how many seconds to wait, ``None`` if that does not help.
    """

    def __init__(
        self, why: str, missed: int = 1, *, final: bool = False, wait: float | None = None
    ) -> None:
        """Say why there is no answer."""
        self.missed, self.final, self.wait = missed, final, wait
        super().__init__(why)


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

    Raises :class:`~tgite.errors.InvalidInput` if a name is also a word for a position or a tie, as
    ``a`` and ``1`` are, unless ``answers`` says how the judge answers; or if it can be read as the
    name of another item.
    """

    def __init__(
        self, items: Sequence[str], answers: Answers = Answers.EITHER, *, ties: bool = True
    ) -> None:
        """Check the items' names; ``ties`` says whether a tie is accepted."""
        self._ties, self._answers = ties, answers
        names = list(map(name_of, items))
        self._items = {composed(name): name for name in names}
        for item in names:
            # A word in a reply has one meaning if no name has two, so checking the names is enough.
            for reading in _readings(item)[0]:
                said, other = _MEANING.get(_word(reading)), self._named(reading) or item
                must = f"is also a word for an answer ({said}): state how the judge answers "
                must += "(--answers positions or --answers names), or rename the item"
                require(not said or answers is not Answers.EITHER, "items", item, must)
                must = f"as an answer could also mean {other}: rename one of the two"
                require(other == item, "items", item, must)

    def read(self, text: str, first: str, second: str) -> Said:
        """Return what a reply says of two items; raise :class:`JudgeFailed` if it says nothing.

        A longer reply must end with its verdict. Any other verdict in it must be the same one.
        """
        shown = text.strip()
        shown = repr(shown if len(shown) <= 60 else f"{shown[:20]} ... {shown[-35:]}")
        final, others = _readings(text)
        names = name_of(first), name_of(second)
        meant = self._meant(final, shown, names)
        if meant:
            meant |= self._meant(others, shown, names)
        if len(meant) != 1:
            must = "contradicts itself" if meant else f"is not {_EXPECTED[self._answers]}"
            raise JudgeFailed(f"its answer {shown} {must}")
        if Said.TIE in meant and not self._ties:
            must = "instruct the judge to choose, or count ties with --ties half"
            raise JudgeFailed(f"its answer is a tie, which --ties refuse does not accept: {must}")
        return meant.pop()

    def _meant(self, readings: list[str], shown: str, names: tuple[str, str]) -> set[Said]:
        meant = set()
        for reading in readings:
            name, said = self._named(reading), _MEANING.get(_word(reading))
            if name is not None and name not in names:
                raise JudgeFailed(f"its answer {shown} names an item that it was not asked about")
            if name is not None:
                meant.add(Said.FIRST if name == names[0] else Said.SECOND)
            elif said is Said.TIE or (said and self._answers is not Answers.NAMES):
                meant.add(said)
        return meant

    def _named(self, reading: str) -> str | None:
        if self._answers is Answers.POSITIONS:
            return None
        return self._items.get(reading) or self._items.get(composed(reading.strip(_AROUND)))


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


def require_printable(name: str, field: str, where: str) -> None:
    """Refuse a name that cannot be shown in one line as it is, and say which character is why."""
    codes = [f"U+{ord(one):04X}" for one in name if not one.isprintable()]
    must = f"must be printable: no control character or special blank ({', '.join(codes)})"
    require(not codes, field, where, must)


def composed(name: str) -> str:
    """Return a name without surrounding blanks, its letters composed (Unicode NFC)."""
    return unicodedata.normalize("NFC", name.strip(BLANKS))


def _readings(text: str) -> tuple[list[str], list[str]]:
    """Return the verdicts with which a reply may end or that it may be, and all others in it."""
    said = _THOUGHT.sub("", text).strip(BLANKS)
    marks, labels = (list(kind.finditer(said)) for kind in (_MARKED, _LABELLED))
    ends = [one for one in (*marks[-1:], *labels[-1:]) if not re.search(r"\w", said[one.end() :])]
    final = list({text, said, said[said.rfind("\n{") + 1 :]})
    others = [one[one.lastindex or 0] for one in (*marks, *labels)]
    if ends:
        # After a label, only what follows the label stands before a mark.
        start = labels[-1].start(1) if labels and labels[-1] is ends[-1] else 0
        before = _SENTENCE_END.split(said[start : ends[0].start()])[-1]
        if ends[0].lastindex == _FENCE or _LEAD.fullmatch(_MARKED.sub("", before)):
            final.append(ends[0][ends[0].lastindex or 0])
        others += re.findall(r"\b([ab]) is\b", before, re.IGNORECASE)
    return _parsed(final), _parsed(others)


def _parsed(verdicts: list[str]) -> list[str]:
    """Return these verdicts, each also as JSON, alone or as the value of a key."""
    found = verdicts.copy()
    for one in verdicts:
        parsed: object = None
        with suppress(ValueError, RecursionError):
            parsed = json.loads(one, object_pairs_hook=once_each, strict=False)
        winner = parsed.get("winner") if isinstance(parsed, dict) else parsed
        if isinstance(parsed, dict):
            # Under another key, a number could also count from 0.
            found += [text for key in _KEYS if isinstance(text := parsed.get(key), str)]
        found += [str(winner)] if type(winner) in (str, int) else []
    return [composed(one) for one in found]


def _word(reading: str) -> str:
    """Return a verdict as it stands in the table, without Markdown, quotes and a full stop."""
    bare = reading.strip(_AROUND + BLANKS).lower()
    bare = re.sub(r"^\[\[(.*)\]\]$", r"\1", bare)
    bare = re.sub(r"^(?:assistant|response|option|item|answer)[ _](?=[ab]$)", "", bare)
    return re.sub(r"\s*([<>=])\1*\s*", r"\1", bare)


def once_each(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object; refuse one that gives a key twice."""
    if len(found := dict(pairs)) < len(pairs):
        raise json.JSONDecodeError("a key is given twice", "", 0)
    return found
