"""The forward dynamic program behind every law: a symmetric walk, stopped at given leads.

Let ``W(n, d)`` be the number of outcome sequences of length n that have not stopped earlier and end
with ``2S - n = d``. Boundaries are symmetric, so ``W(n, d) = W(n, -d)``. A pair with
``P(first wins) = p`` has ``P(n duels, 2S - n = d) = W(n, d) p**S (1-p)**(n-S)``. So one program
serves all pairs.

The counts are stored as floats times a common power of two, for ``d >= 0`` only. They are sums of
non-negative terms, so each has a relative error of at most :func:`rounding_error`.
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

# A row of the edge map has at most this number of terms. `rounding_error` holds for up to 15.
_MOST_CELLS = 15

# The sum of a row is kept near 2**900, so that small counts in it do not underflow.
_START = 900
_RESCALING = 64
_SMALLEST = 2.0**-1000
_NOTHING = np.zeros(0, dtype=np.int64)


class LevelTooSmall(ArithmeticError):
    """The counts at the boundary and the counts in the middle do not fit into floats together."""


@dataclass(frozen=True, slots=True)
class Stops:
    """The stops of a walk: for each one the duels, the lead and the weight.

    ``W = mantissas[k] * 2**exponents[k] * 2**duels[k]`` outcome sequences stop after ``duels[k]``
    duels with the lead ``leads[k]``. If the lead is not 0, W is the number for each of the arms.
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
    """The effect of eight duels on the counts near the boundary, an integer linear map.

    The input of ``matrix`` is the cells of the leads ``lowest, lowest + 2, ...``. Its first
    ``kept`` outputs are the cells that go on, from lead ``lowest + 8`` on. The other outputs are
    the stops, after ``duels`` of the eight duels, at ``leads`` above ``lowest``.
    """

    matrix: Floats
    kept: int
    duels: Integers
    leads: Integers


@functools.lru_cache(maxsize=1 << 14)
def _edge_map(cells: int, bounds: tuple[int, ...]) -> _EdgeMap:
    """Return the map for ``cells`` cells; ``bounds`` are the stopping leads above ``lowest``."""
    rows = list(np.eye(cells))
    stopped: list[Floats] = []
    duels: list[int] = []
    leads: list[int] = []
    for n, bound in enumerate(bounds, start=1):
        # Each duel drops the lowest lead, whose lower neighbour is unknown, and adds a higher one.
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
    """Bound the weights' relative error; eight duels take at most 16 roundings."""
    return 2 * ROUNDING * (duels + 2)


@dataclass(slots=True)
class StoppedWalk:
    """A walk in progress: the stops so far, and the row of counts that go on.

    ``n`` is the number of duels so far, which is always even. ``_row[j]`` is
    ``W(n, 2j) * 2**_shift``.
    """

    n: int = 0
    _row: Floats = field(default_factory=lambda: np.array([2.0**_START]))
    _shift: int = _START
    _rescaled_at: int = 0
    _stopped: list[Stops] = field(
        default_factory=lambda: [Stops(_NOTHING, _NOTHING, np.zeros(0), _NOTHING)]
    )

    def advance(self, leads: Integers) -> None:
        """Advance the walk by the stopping leads of ``n+1, n+2, ...``, an even number of leads.

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
        """Return all stops so far, in the order of their duels."""
        stopped = _joined(self._stopped)
        mantissas, shifts = np.frexp(stopped.mantissas)
        return Stops(stopped.duels, stopped.leads, mantissas, shifts + stopped.exponents)

    def _advance_block(self, bounds: list[int], safe: int, cells: int) -> None:
        """Advance by eight duels at once; only leads of at least ``2 * safe`` may stop."""
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
        if len(weights) == 0:
            return
        if weights.min() < _SMALLEST:
            raise LevelTooSmall(f"the counts near n = {self.n} span more than the floats' range")
        self._stopped.append(Stops(duels, leads, weights, -self._shift - duels))

    def _rescale(self) -> None:
        """Divide the row by a power of two; this is exact, because no count underflows."""
        grown = self.n - self._rescaled_at
        if len(self._row) and self._row.min() < math.ldexp(_SMALLEST, grown):
            raise LevelTooSmall(f"the counts near n = {self.n} span more than the floats' range")
        self._row = self._row * math.ldexp(1.0, -grown)
        self._shift -= grown
        self._rescaled_at = self.n
