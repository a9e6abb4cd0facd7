"""How long a match is that a subject goes on with after its end, as far as the tape goes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace

from tgite import Arm
from tgite_conform.divergence import Diverged, Divergence, Parting
from tgite_conform.faults import Fault, Lacking
from tgite_conform.format import Case, Outcomes
from tgite_conform.referee import Level, Referee
from tgite_conform.streams import Counterpart, TooLong


class _Onwards(Referee):
    """A referee that answers duels after the end of one match, too, as far as its tape goes."""

    def __init__(self, case: Case, level: Level, number: int) -> None:
        super().__init__(case, level)
        self._number = number
        self._all = Outcomes(self.expected).of(number, spare=True)
        self.most = self._all.length
        self.played = 0
        """The number of duels of the match."""

    def open(self, first: Arm, second: Arm) -> int:
        match = self.expected.matches[self._number]
        if self.played and (
            (first, second) != (match.first, match.second) or self.played >= self.most
        ):
            raise TooLong
        over = self._last == self._number and self._is_over(self._number)
        return self._number if over and match.first == first else super().open(first, second)

    def left(self, number: int) -> Iterable[bool]:
        return self._all.after(self.played) if self.played else super().left(number)

    def count(self, number: int, duels: int) -> None:
        if self.played:
            self.played += duels
            return
        super().count(number, duels)
        if number == self._number and self._is_over(number):
            self.played = self._played[number]

    answer = Counterpart.answer


def with_length(
    meet: Callable[[Case, Counterpart], None], case: Case, found: Divergence, level: Level
) -> Divergence:
    """Return a divergence that says how long a match is that went on, at least."""
    if found.parting is not Parting.WENT_ON or found.match is None or found.length is not None:
        return found
    referee = _Onwards(case, level, found.match)
    with suppress(TooLong, Diverged, Fault, Lacking):
        meet(case, referee)
    return replace(found, length=referee.played + (referee.played >= referee.most))
