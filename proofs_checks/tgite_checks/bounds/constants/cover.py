"""Covers of all gaps: (0, 1/2] is cut into cells until a statement is shown on each of them.

The last cell, (0, end], has no least gap. There a statement is shown for unbounded log(1/gap).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from flint import arb

from tgite.checked import checked
from tgite_laws.balls import ball

HALF = Fraction(1, 2)
LIMIT = Fraction(1, 2**300)
"""The upper end of the last cell, which reaches down to gap zero."""

_MOST_CELLS = 20_000
_THINNEST = 1e-5


@dataclass(frozen=True, slots=True)
class Cell:
    """The gaps from ``low`` to ``high``; ``low = 0`` stands for the limit, which is excluded."""

    low: Fraction
    high: Fraction

    @property
    def gap(self) -> arb:
        """A ball that contains all gaps of the cell."""
        return ball(self.low).union(ball(self.high))

    @property
    def least_log(self) -> arb:
        """The least log(1/gap) of the cell."""
        return -ball(self.high).log()

    @property
    def middle(self) -> float:
        """A gap of the cell; the upper end if the cell has no least gap."""
        return sqrt(self.low * self.high) if self.low > 0 else float(self.high)

    def nowhere_negative(self, constant: arb, per_log: arb) -> bool:
        """Return whether ``constant + per_log log(1/gap) >= 0`` is shown on the whole cell."""
        if bool(per_log >= 0):
            return bool(constant + per_log * self.least_log >= 0)
        if self.low == 0:
            return False
        return bool(constant - per_log * ball(self.low).log() >= 0)

    def halves(self) -> tuple[Cell, Cell]:
        """Return the two halves of the cell, which must have a least gap."""
        between = Fraction(self.middle)
        return Cell(between, self.high), Cell(self.low, between)


@dataclass(frozen=True, slots=True)
class Affine:
    """``constant + per_log log(1/gap)``, a function of the gap."""

    constant: arb
    per_log: arb

    def plus(self, other: Affine) -> Affine:
        """Return the sum of both functions."""
        return Affine(self.constant + other.constant, self.per_log + other.per_log)

    def times(self, factor: arb) -> Affine:
        """Return the function multiplied by ``factor``."""
        return Affine(self.constant * factor, self.per_log * factor)

    def below(self, other: Affine, cell: Cell) -> bool:
        """Return whether the function is shown to be at most ``other`` on the whole cell."""
        return cell.nowhere_negative(other.constant - self.constant, other.per_log - self.per_log)


Shown = Callable[[Cell], bool]
"""Returns whether a statement is shown for all gaps of a cell; ``False`` means not shown."""


@dataclass(frozen=True, slots=True)
class Cover:
    """Cells, from the largest gap down; ``missing`` says where the statement was not shown."""

    cells: tuple[Cell, ...]
    missing: Cell | None = None

    def complete(self) -> bool:
        """Return whether the cells omit no gap in (0, 1/2]."""
        if self.missing is not None or not self.cells:
            return False
        return (
            self.cells[0].high >= HALF
            and self.cells[-1].low == 0
            and all(a.low <= b.high for a, b in zip(self.cells, self.cells[1:], strict=False))
        )


WHOLE = (Cell(LIMIT, HALF), Cell(Fraction(0), LIMIT))
"""All gaps, in two cells to begin with."""

WITHOUT_LIMIT = WHOLE[:1]
"""The gaps from LIMIT up, which do not certify all gaps."""


@checked
def cover(shown: Shown, start: Sequence[Cell] = WHOLE) -> Cover:
    """Cut the cells of ``start`` until ``shown`` holds on each; stop if it fails on a thin cell.

    The result is a certificate: its cells, each shown, and :meth:`Cover.complete`.
    """
    waiting = list(reversed(start))
    done: list[Cell] = []
    while waiting:
        cell = waiting.pop()
        if shown(cell):
            done.append(cell)
        elif cell.low == 0 or cell.low > cell.high * (1 - _THINNEST) or len(done) > _MOST_CELLS:
            return Cover(tuple(done), cell)
        else:
            first, second = cell.halves()
            waiting += [second, first]
    return Cover(tuple(done))
