"""The choices that the paper leaves open, as one value.

Every value of :class:`Conventions` is a valid reading: all of the paper's claims hold for each. The
defaults are this project's rulings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Annotated, Self, assert_never

from tgite.checked import checked
from tgite.errors import InvalidInput
from tgite.questions import Arm


class Choice(StrEnum):
    """A value of a convention; ``meaning`` explains it."""

    meaning: str

    def __new__(cls, value: str, meaning: str = "") -> Self:
        """Return the value with what it means."""
        made = str.__new__(cls, value)
        made._value_ = value
        made.meaning = meaning
        return made


class Pairing(Choice):
    """Which arms of a round meet (``alg:bkt`` L4), in the order of the arms without the bye."""

    CONSECUTIVE = "consecutive", "1st with 2nd, 3rd with 4th"
    FOLD = "fold", "1st with last, 2nd with last but one"
    HALVES = "halves", "1st of the lower half with 1st of the upper half"


class End(Choice):
    """The first or the last place of an order."""

    FIRST = "first"
    LAST = "last"


class Order(Choice):
    """An order of arms by number."""

    ASCENDING = "ascending"
    DESCENDING = "descending"


class Candidates(Choice):
    """The order of the replacement tournament's candidates (``alg:screen-and-replace`` L11)."""

    INCUMBENT_FIRST = "incumbent-first", "then the arms that beat it, in screening order"
    INCUMBENT_LAST = "incumbent-last", "after the arms that beat it, in screening order"
    ASCENDING = "ascending", "by number"


class Arguments(Choice):
    """Which of two paired arms is the first argument of the pairwise test (``alg:bkt`` L5)."""

    EARLIER_FIRST = "earlier-first"
    LATER_FIRST = "later-first"


class Byes(Choice):
    """Where the formal byes stand among the leaves of the completed tree."""

    LAST = "last", "the byes are the last leaves"
    FIRST = "first", "the byes are the first leaves"
    SPREAD = "spread", "arm k at leaf floor(k M / N)"


@dataclass(frozen=True, slots=True)
class Conventions:
    """One ruling for every choice that the text leaves free.

    The annotation of a field says where the text leaves it open, and what it leaves open. Raises
    :class:`~tgite.errors.InvalidInput` for a value of another kind.
    """

    pairing: Annotated[Pairing, "BKT L4: which arms meet, by the order without the bye"] = (
        Pairing.CONSECUTIVE
    )
    bye: Annotated[End, "BKT L4: which arm of the order sits out an odd round"] = End.LAST
    bye_place: Annotated[End, "BKT L6: where that arm stands in the next round's order"] = End.LAST
    arguments: Annotated[
        Arguments, "BKT L5: which arm is the test's first argument, and wins a budgeted tie"
    ] = Arguments.EARLIER_FIRST
    candidates: Annotated[
        Candidates, "ScreenAndReplace L11: the order of the replacement tournament"
    ] = Candidates.INCUMBENT_FIRST
    screening: Annotated[Order, "ScreenAndReplace L2: the order of screening"] = Order.ASCENDING
    byes: Annotated[Byes, "TreeAscent: where the completed tree has its formal byes"] = Byes.LAST
    first_arm: Annotated[int, "files: by which number the first arm is called, in Python 0"] = 0

    def __post_init__(self) -> None:
        """Refuse a value of another kind."""
        for choice in fields(self):
            kind: type = type(choice.default)
            value: object = getattr(self, choice.name)
            if issubclass(kind, Choice) and not isinstance(value, kind):
                rule = f"must be one of {', '.join(kind)} ({kind.__name__})"
                raise InvalidInput(choice.name, value, rule)
        first_arm: object = self.first_arm
        if type(first_arm) is not int or first_arm not in (0, 1):
            raise InvalidInput("first_arm", first_arm, "must be 0 or 1")

    def pairs_and_bye(self, arms: Sequence[Arm]) -> tuple[list[tuple[Arm, Arm]], Sequence[Arm]]:
        """Pair the arms of a BKT round; return the pairs ``(u, v)`` and the bye, if any."""
        paired: Sequence[Arm] = arms
        bye: Sequence[Arm] = ()
        if len(arms) % 2 == 1:
            match self.bye:
                case End.LAST:
                    paired, bye = arms[:-1], arms[-1:]
                case End.FIRST:
                    paired, bye = arms[1:], arms[:1]
                case _:
                    assert_never(self.bye)
        half = len(paired) // 2
        match self.pairing:
            case Pairing.CONSECUTIVE:
                pairs = list(zip(paired[0::2], paired[1::2], strict=True))
            case Pairing.FOLD:
                pairs = list(zip(paired[:half], paired[: half - 1 : -1], strict=True))
            case Pairing.HALVES:
                pairs = list(zip(paired[:half], paired[half:], strict=True))
            case _:
                assert_never(self.pairing)
        match self.arguments:
            case Arguments.EARLIER_FIRST:
                return pairs, bye
            case Arguments.LATER_FIRST:
                return [(later, earlier) for earlier, later in pairs], bye
            case _:
                assert_never(self.arguments)

    def next_round(self, winners: Sequence[Arm], bye: Sequence[Arm]) -> list[Arm]:
        """Return the order of a BKT round's survivors in the next round."""
        match self.bye_place:
            case End.LAST:
                return [*winners, *bye]
            case End.FIRST:
                return [*bye, *winners]
            case _:
                assert_never(self.bye_place)

    def screened(self, size: int, incumbent: Arm) -> list[Arm]:
        """Return the incumbent's challengers in screening order."""
        challengers = [arm for arm in range(size) if arm != incumbent]
        match self.screening:
            case Order.ASCENDING:
                return challengers
            case Order.DESCENDING:
                return challengers[::-1]
            case _:
                assert_never(self.screening)

    def replacement(self, incumbent: Arm, beaters: Sequence[Arm]) -> list[Arm]:
        """Return the replacement tournament's candidates in their order."""
        match self.candidates:
            case Candidates.INCUMBENT_FIRST:
                return [incumbent, *beaters]
            case Candidates.INCUMBENT_LAST:
                return [*beaters, incumbent]
            case Candidates.ASCENDING:
                return sorted([incumbent, *beaters])
            case _:
                assert_never(self.candidates)

    def leaves(self, size: int, capacity: int) -> list[Arm | None]:
        """Place ``size`` arms on ``capacity`` leaves; ``None`` is a formal bye."""
        placed: list[Arm | None] = [None] * capacity
        for arm in range(size):
            match self.byes:
                case Byes.LAST:
                    leaf = arm
                case Byes.FIRST:
                    leaf = capacity - size + arm
                case Byes.SPREAD:
                    leaf = arm * capacity // size
                case _:
                    assert_never(self.byes)
            placed[leaf] = arm
        return placed

    @checked
    def written(self, arm: Arm) -> int:
        """Return the number of ``arm`` in files and on the terminal."""
        return arm + self.first_arm


RULINGS = Conventions()
"""This project's rulings."""
