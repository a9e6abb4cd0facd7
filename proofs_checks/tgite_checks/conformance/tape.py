"""A match's outcomes on a tape: packed into hexadecimal digits, and repeated where that is said.

An entry of a tape is one or more pieces with spaces between them, each hexadecimal digits and, if
they are repeated, ``*`` and how often: ``a*4194304 f*9000`` is 16,777,216 duels that the arms win
in turn and then 36,000 that one of them wins. A digit holds four duels, the earliest in its highest
bit; 1 means that the arm with the lower number wins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice, repeat
from typing import TypeAlias

from tgite import InvalidInput, Outcome
from tgite.checked import checked

ENTRY = re.compile(r"[0-9a-f]+(\*[1-9][0-9]*)?( [0-9a-f]+(\*[1-9][0-9]*)?)*")
"""What an entry of a tape is written like."""

_Outcomes: TypeAlias = tuple[Outcome, ...]


@checked
def packed(outcomes: Iterable[bool]) -> str:
    """Pack outcomes, a multiple of four of them, into hexadecimal digits."""
    bits = "".join("01"[outcome] for outcome in outcomes)
    if len(bits) % 4:
        raise InvalidInput("outcomes", len(bits), "must be a multiple of four")
    return f"{int(bits, 2):0{len(bits) // 4}x}" if bits else ""


@checked
def unpacked(digits: str, inverted: bool = False) -> list[bool]:
    """Unpack the digits of a piece; ``inverted`` takes the other arm's view."""
    first_wins = "0" if inverted else "1"
    bits = f"{int(digits, 16):0{4 * len(digits)}b}" if digits else ""
    return [bit == first_wins for bit in bits]


@dataclass(frozen=True, slots=True)
class Piece:
    """Outcomes that come ``times`` times."""

    outcomes: _Outcomes
    times: int

    @property
    def length(self) -> int:
        """The number of duels."""
        return len(self.outcomes) * self.times


def pieces_of(entry: str, inverted: bool = False) -> list[Piece]:
    """Read an entry; ``inverted`` takes the other arm's view."""
    pieces = (written.partition("*") for written in entry.split(" "))
    return [
        Piece(tuple(unpacked(digits, inverted)), int(times or 1)) for digits, _, times in pieces
    ]


class MatchOutcomes:
    """The first ``length`` outcomes of an entry, never written out."""

    def __init__(self, entry: str, length: int, inverted: bool = False) -> None:
        """Read the pieces; ``inverted`` takes the other arm's view."""
        self.length = length
        self.pieces = pieces_of(entry, inverted)

    def after(self, n: int) -> Iterable[Outcome]:
        """Return the outcomes that follow the first ``n``."""
        if len(self.pieces) == 1 and self.pieces[0].times == 1:
            return self.pieces[0].outcomes[n : self.length]
        return islice(self._from(n), max(self.length - n, 0))

    def _from(self, n: int) -> Iterator[Outcome]:
        for piece in self.pieces:
            if n >= piece.length:
                n -= piece.length
                continue
            repeated, within = divmod(n, len(piece.outcomes))
            again = repeat(piece.outcomes, piece.times - repeated - 1)
            yield from chain(piece.outcomes[within:], chain.from_iterable(again))
            n = 0

    def __getitem__(self, n: int) -> Outcome:
        """Return the outcome of the duel after the first ``n``."""
        if not 0 <= n < self.length:
            raise IndexError(n)
        for piece in self.pieces:
            if n < piece.length:
                return piece.outcomes[n % len(piece.outcomes)]
            n -= piece.length
        raise IndexError(n)

    def wins(self, n: int) -> int:
        """Return how many of the first ``n`` duels the first arm won."""
        found, n = 0, min(n, self.length)
        for piece in self.pieces:
            repeated, within = divmod(min(n, piece.length), len(piece.outcomes))
            found += repeated * sum(piece.outcomes) + sum(piece.outcomes[:within])
            n -= min(n, piece.length)
        return found


def written_out(entry: str) -> str:
    """Return an entry without repetitions, digit by digit."""
    pieces = (written.partition("*") for written in entry.split(" "))
    return "".join(digits * int(times or 1) for digits, _, times in pieces)


def first_stop(
    outcomes: MatchOutcomes, margin: Callable[[int], int], most: int | None
) -> tuple[int, int] | None:
    """Return after how many duels a match stops, and its lead ``2S - n`` then; None: it goes on.

    It stops as soon as the lead, of either arm, is ``margin(n)``, or after ``most`` duels. Repeated
    outcomes are passed over in one step where no lead within them comes up to the margin: for that
    the margin, between two numbers of duels, must be nowhere less than at the lesser of its ends
    (as it is if it is the next whole number above a concave function).
    """
    n = lead = 0
    for piece in outcomes.pieces:
        stop = _stop_within(piece, n, lead, margin, most)
        if stop is not None:
            return stop
        n += piece.length
        lead += piece.times * (2 * sum(piece.outcomes) - len(piece.outcomes))
    return None


def _stop_within(
    piece: Piece, n: int, lead: int, margin: Callable[[int], int], most: int | None
) -> tuple[int, int] | None:
    last = n + piece.length
    if (most is None or last < most) and _largest(piece, lead) < min(margin(n + 1), margin(last)):
        return None
    if piece.times == 1:
        for outcome in piece.outcomes:
            n, lead = n + 1, lead + (1 if outcome else -1)
            if abs(lead) >= margin(n) or n == most:
                return n, lead
        return None
    half = Piece(piece.outcomes, piece.times // 2)
    stop = _stop_within(half, n, lead, margin, most)
    if stop is not None:
        return stop
    lead += half.times * (2 * sum(half.outcomes) - len(half.outcomes))
    rest = Piece(piece.outcomes, piece.times - half.times)
    return _stop_within(rest, n + half.length, lead, margin, most)


def _largest(piece: Piece, lead: int) -> int:
    """Return the largest lead of either arm within a piece: it is in its first or last turn."""
    within = [0]
    for outcome in piece.outcomes:
        within.append(within[-1] + (1 if outcome else -1))
    turns = (0, (piece.times - 1) * within[-1])
    return max(abs(lead + turn + step) for turn in turns for step in within[1:])
