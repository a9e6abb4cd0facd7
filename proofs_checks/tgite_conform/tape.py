"""A match's outcomes on a tape: hexadecimal digits, with repeated pieces.

``a*4194304 f*9000`` is 16,777,216 duels that the arms win in turn, then 36,000 that one arm wins. A
digit holds four duels, the earliest in its highest bit. A bit is 1 if the arm with the lower number
wins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice, repeat

from tgite import InvalidInput, Outcome
from tgite.checked import checked

ENTRY = re.compile(r"[0-9a-f]+(\*[1-9][0-9]*)?( [0-9a-f]+(\*[1-9][0-9]*)?)*")
"""The pattern of a tape's entry."""

SPARE_OUTCOMES = 16
"""The least number of outcomes after a match's end, to hide the match's length."""

_LONGEST_PIECE = 1 << 20
"""The most digits of a piece that is not repeated."""


@checked
def packed(outcomes: Iterable[bool]) -> str:
    """Return outcomes, a multiple of four, as hexadecimal digits."""
    bits = "".join("01"[outcome] for outcome in outcomes)
    if len(bits) % 4:
        raise InvalidInput("outcomes", len(bits), "must be a multiple of four")
    return f"{int(bits, 2):0{len(bits) // 4}x}" if bits else ""


@checked
def unpacked(digits: str, inverted: bool = False) -> list[bool]:
    """Return the outcomes of a piece's digits; ``inverted`` takes the other arm's view."""
    first_wins = "0" if inverted else "1"
    bits = f"{int(digits, 16):0{4 * len(digits)}b}" if digits else ""
    return [bit == first_wins for bit in bits]


@dataclass(frozen=True, slots=True)
class Piece:
    """The outcomes of ``digits``, ``times`` times; ``inverted`` takes the other arm's view."""

    digits: str
    times: int
    inverted: bool

    @property
    def turn(self) -> int:
        """The number of duels in one repetition."""
        return 4 * len(self.digits)

    @property
    def length(self) -> int:
        """The number of duels."""
        return self.turn * self.times

    def once(self, start: int = 0, end: int | None = None) -> list[Outcome]:
        """Return the repeated outcomes from ``start`` to ``end``."""
        end = self.turn if end is None else end
        first = start // 4
        found = unpacked(self.digits[first : -(-end // 4)], self.inverted)
        return found[start - 4 * first : end - 4 * first]

    def wins(self, n: int) -> int:
        """Return how many of the first ``n`` duels the first arm wins."""
        repeated, within = divmod(n, self.turn)
        rest = self.once(within - within % 4, within)
        return (
            (repeated * self._wins_in(self.digits) if repeated else 0)
            + self._wins_in(self.digits[: within // 4])
            + sum(rest)
        )

    def _wins_in(self, digits: str) -> int:
        ones = int(digits or "0", 16).bit_count()
        return 4 * len(digits) - ones if self.inverted else ones

    @property
    def lead(self) -> int:
        """The first arm's wins minus its losses."""
        return 2 * self.wins(self.length) - self.length

    def halves(self) -> tuple[Piece, Piece]:
        """Return the piece, of more than one digit, as two shorter pieces."""
        if self.times > 1:
            half = self.times // 2
            return replace(self, times=half), replace(self, times=self.times - half)
        half = len(self.digits) // 2
        return replace(self, digits=self.digits[:half]), replace(self, digits=self.digits[half:])


def pieces_of(entry: str, inverted: bool = False) -> list[Piece]:
    """Return the pieces of an entry; ``inverted`` takes the other arm's view."""
    found: list[Piece] = []
    for written in entry.split(" "):
        digits, _, times = written.partition("*")
        if times:
            found.append(Piece(digits, int(times), inverted))
        else:
            found += (
                Piece(digits[start : start + _LONGEST_PIECE], 1, inverted)
                for start in range(0, len(digits), _LONGEST_PIECE)
            )
    return found


class MatchOutcomes:
    """The first ``length`` outcomes of an entry, or all of them, stored as pieces."""

    def __init__(self, entry: str, length: int | None = None, inverted: bool = False) -> None:
        """Read the pieces; ``inverted`` takes the other arm's view."""
        self.pieces = pieces_of(entry, inverted)
        self.length = sum(piece.length for piece in self.pieces) if length is None else length

    def after(self, n: int, most: int | None = None) -> Iterable[Outcome]:
        """Return the outcomes after the first ``n``, at most ``most`` of them."""
        end = self.length if most is None else min(self.length, n + most)
        if len(self.pieces) == 1 and self.pieces[0].times == 1:
            return self.pieces[0].once(n, max(end, n))
        return islice(self._from(n), max(end - n, 0))

    def _from(self, n: int) -> Iterator[Outcome]:
        for piece in self.pieces:
            if n >= piece.length:
                n -= piece.length
                continue
            repeated, within = divmod(n, piece.turn)
            outcomes = piece.once()
            again = repeat(outcomes, piece.times - repeated - 1)
            yield from chain(outcomes[within:], chain.from_iterable(again))
            n = 0

    def wins(self, n: int) -> int:
        """Return how many of the first ``n`` duels the first arm won."""
        found, n = 0, min(n, self.length)
        for piece in self.pieces:
            played = min(n, piece.length)
            found += piece.wins(played)
            n -= played
        return found


def written_out(entry: str) -> str:
    """Return an entry without repetitions, digit by digit."""
    pieces = (written.partition("*") for written in entry.split(" "))
    return "".join(digits * int(times or 1) for digits, _, times in pieces)
