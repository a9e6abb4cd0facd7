"""The forward dynamic program behind every law: a symmetric walk, stopped at given leads.

Let ``W(n, d)`` be the number of outcome sequences of length n that have not stopped before and
after which ``2S - n = d``. With symmetric boundaries ``W(n, d) = W(n, -d)``, and a pair with
``P(first wins) = p`` has ``P(n duels, 2S - n = d) = W(n, d) p**S (1-p)**(n-S)``: one program serves
all pairs at once.

The counts are held as floats times a common power of two, for ``d >= 0`` only. They are sums
of non-negative terms, so rounding costs each a relative error of at most
:func:`rounding_error`.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from tgite_laws.boundary import Floats, Integers

ROUNDING = 2.0**-53
"""The largest relative error of one float operation."""

# Eight duels at a time; np.correlate has fast loops for short kernels.
_BLOCK = 8
_BINOMIAL = np.array([1.0, 8.0, 28.0, 56.0, 70.0, 56.0, 28.0, 8.0, 1.0])
_REACH = len(_BINOMIAL) // 2

# Rows of the edge map have as many terms; with up to 15, rounding is within the bound below.
_MOST_CELLS = 15

# The sum of a row is about 2**900: the counts below have the greatest range to the left of it.
_START = 900
_RESCALING = 64
_SMALLEST = 2.0**-1000
_NOTHING = np.zeros(0, dtype=np.int64)


class LevelTooSmall(ArithmeticError):
    """The counts at the boundary are too small beside those in the middle to be held as floats."""


@dataclass(frozen=True, slots=True)
class Stops:
    """Where a walk stopped: for each possible place its duels, its lead and its weight.

    The walk stops after ``duels[k]`` duels with the lead ``leads[k]`` (for either arm, if it is
    not 0) on ``W = mantissas[k] * 2**exponents[k] * 2**duels[k]`` outcome sequences each.
    """

    duels: Integers
    leads: Integers
    mantissas: Floats
    exponents: Integers

    def until(self, last: int) -> Stops:
        """Return the stops after at most ``last`` duels."""
        end = int(np.searchsorted(self.duels, last, side="right"))
        return Stops(self.duels[:end], self.leads[:end], self.mantissas[:end], self.exponents[:end])


def _joined(parts: list[Stops]) -> Stops:
    return Stops(
        np.concatenate([part.duels for part in parts]),
        np.concatenate([part.leads for part in parts]),
        np.concatenate([part.mantissas for part in parts]),
        np.concatenate([part.exponents for part in parts]),
    )


@dataclass(frozen=True, slots=True)
class _EdgeMap:
    """What eight duels do to the counts near the boundary: a linear map with whole coefficients.

    ``matrix`` takes the cells of the leads ``lowest, lowest + 2, ...`` to those that go on,
    ``kept`` of them from lead ``lowest + 8`` on, and then to those that stop, after ``duels`` of
    the eight at ``leads`` above ``lowest``.
    """

    matrix: Floats
    kept: int
    duels: Integers
    leads: Integers


@functools.lru_cache(maxsize=1 << 14)
def _edge_map(cells: int, bounds: tuple[int, ...]) -> _EdgeMap:
    """Make the map for that many cells; ``bounds`` are the stopping leads above ``lowest``."""
    rows = list(np.eye(cells))
    stopped: list[Floats] = []
    duels: list[int] = []
    leads: list[int] = []
    for n, bound in enumerate(bounds, start=1):
        # Each duel loses the lowest lead, whose lower neighbour is not known, and gains one.
        rows = [below + above for below, above in pairwise(rows)] + rows[-1:]
        lead = n + 2 * (len(rows) - 1)
        while rows and lead >= bound:
            stopped.append(rows.pop())
            duels.append(n)
            leads.append(lead)
            lead -= 2
    matrix = np.array([*rows, *stopped]).reshape(-1, cells)
    return _EdgeMap(matrix, len(rows), np.array(duels, np.int64), np.array(leads, np.int64))


def rounding_error(duels: int) -> float:
    """Bound the relative error of the weights after so many duels: at most 16 roundings for 8."""
    return 2 * ROUNDING * (duels + 2)


@dataclass(slots=True)
class StoppedWalk:
    """A walk in progress: all that has stopped so far, and the row of counts that go on.

    ``n`` is the number of duels done, even at all times. ``_row[j]`` is ``W(n, 2j) * 2**_shift``.
    """

    n: int = 0
    _row: Floats = field(default_factory=lambda: np.array([2.0**_START]))
    _shift: int = _START
    _rescaled_at: int = 0
    _stopped: list[Stops] = field(
        default_factory=lambda: [Stops(_NOTHING, _NOTHING, np.zeros(0), _NOTHING)]
    )

    def advance(self, leads: Integers) -> None:
        """Play on with the stopping leads of ``n+1, n+2, ...``, whose number must be even.

        Raises :class:`LevelTooSmall` where floats cannot hold the counts.
        """
        if len(leads) % 2:
            raise ValueError("the number of duels must be even")
        bounds: list[int] = leads.tolist()
        for place in range(0, len(bounds), _BLOCK):
            block = bounds[place : place + _BLOCK]
            # No path of eight duels that ends at a lead of at most min(bounds) - 9 has stopped.
            safe = (min(block) - _BLOCK + 1) // 2
            cells = len(self._row) - safe + _REACH
            if len(block) == _BLOCK and safe > _BLOCK < len(self._row) and cells <= _MOST_CELLS:
                self._advance_block(block, safe, cells)
            else:
                self._advance_duels(block)
            if self.n - self._rescaled_at >= _RESCALING:
                self._rescale()
        # Many small arrays take far more memory than one.
        self._stopped = [_joined(self._stopped)]

    def stops(self) -> Stops:
        """Return all stops so far, in the order of time."""
        stopped = _joined(self._stopped)
        mantissas, shifts = np.frexp(stopped.mantissas)
        return Stops(stopped.duels, stopped.leads, mantissas, shifts + stopped.exponents)

    def _advance_block(self, bounds: list[int], safe: int, cells: int) -> None:
        """Play eight duels at once: leads below ``2 * safe`` freely, those at the edge apart."""
        row = self._row
        inside = min(safe, len(row) + _REACH)
        padding = np.zeros(max(0, inside + _REACH - len(row)))
        padded = np.concatenate((row[_REACH:0:-1], row[: inside + _REACH], padding))
        next_row = np.correlate(padded, _BINOMIAL, "valid")
        if cells > 0:
            lowest = 2 * (safe - _REACH)
            edge = _edge_map(cells, tuple([bound - lowest for bound in bounds]))
            moved = edge.matrix @ row[safe - _REACH :]
            next_row = np.concatenate((next_row, moved[: edge.kept]))
            self._stop(self.n + edge.duels, lowest + edge.leads, moved[edge.kept :])
        self._row = next_row
        self.n += _BLOCK

    def _advance_duels(self, bounds: list[int]) -> None:
        """Play the whole row duel by duel, an even number of them."""
        cells: list[float] = self._row.tolist()
        for n, bound in enumerate(bounds, start=self.n + 1):
            if cells:
                stepped = [below + above for below, above in pairwise(cells)] + cells[-1:]
                # The leads 1 and -1 both lead to 0.
                cells = [2.0 * cells[0], *stepped] if n % 2 == 0 else stepped
            lead = n % 2 + 2 * (len(cells) - 1)
            while cells and lead >= bound:
                self._stop(np.array([n]), np.array([lead]), np.array([cells.pop()]))
                lead -= 2
        self._row = np.array(cells, dtype=np.float64)
        self.n += len(bounds)

    def _stop(self, duels: Integers, leads: Integers, weights: Floats) -> None:
        """Note that counts have stopped, after ``duels`` duels at ``leads``."""
        if len(weights) == 0:
            return
        if weights.min() < _SMALLEST:
            raise LevelTooSmall(f"the counts near n = {self.n} span more than the floats' range")
        self._stopped.append(Stops(duels, leads, weights, -self._shift - duels))

    def _rescale(self) -> None:
        """Divide the row by the power of two by which it grew; exact, as nothing gets too small."""
        grown = self.n - self._rescaled_at
        if len(self._row) and self._row.min() < math.ldexp(_SMALLEST, grown):
            raise LevelTooSmall(f"the counts near n = {self.n} span more than the floats' range")
        self._row = self._row * math.ldexp(1.0, -grown)
        self._shift -= grown
        self._rescaled_at = self.n
