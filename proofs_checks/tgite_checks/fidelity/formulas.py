"""A radius at every number of duels and every level at once: its code followed on blocks.

The code of ``c`` or ``b`` is run with a block of numbers of duels in place of ``n``.

- What is exact in Python stays exact: a polynomial in ``n``.
- A float is followed as the real number that it represents,
  ``((log p(n) + k log(1/delta)) / q(n)) ** (1/2**r)``. A ball contains the float over this number,
  for every ``n`` of the block and every level.
- If the code compares ``n`` and the answer differs within the block, the block is halved.

So nothing that the code does at some ``n`` is missed. What cannot be followed raises an error.

Operations and conversions of floats are rounded to nearest (IEEE 754). Two logarithms are *assumed*
to err by at most one unit in the last place: ``math.log`` (the C library's), and
``delta.log_inverse`` (computed from an enclosure).
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial, total_ordering
from types import FunctionType
from typing import Any, Never, cast

from flint import arb, ctx, fmpz, fmpz_poly

from tgite.confidence import Confidence
from tgite_checks.check import UNDECIDED, Cases

MOST = 2**60
"""The most duels of a test for which the proofs allow for rounding."""

RADIUS_ERROR = Fraction(1, 2**40)
"""The relative error of a radius that the proofs allow for."""

_BITS = 128
_LARGEST = 2**1000  # no conversion to a float overflows


class NotFollowed(ArithmeticError):
    """The code does something with ``n`` or the level that this arithmetic does not follow."""


class _Undecided(Exception):
    """A comparison in the code has different answers within the block."""


@dataclass(frozen=True, slots=True)
class Block:
    """The numbers of duels from ``first`` to ``last``."""

    first: int
    last: int

    def halves(self) -> tuple[Block, Block]:
        """Return the two halves of a block of more than one number."""
        middle = (self.first + self.last) // 2
        return Block(self.first, middle), Block(middle + 1, self.last)


def _ball(units: int) -> arb:
    """Return a ball around 1 whose radius is ``units`` half units in the last place of a double."""
    return arb(1, arb(2) ** -53 * units)


def _polynomial(coefficients: tuple[int, ...]) -> fmpz_poly:
    return fmpz_poly(list(coefficients))


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Integer:
    """An exact integer: a polynomial in ``n`` without negative coefficients, constant first."""

    block: Block
    coefficients: tuple[int, ...]

    def ends(self) -> tuple[int, int]:
        """Return the integer's least and largest value."""
        value = _polynomial(self.coefficients)
        return int(value(self.block.first)), int(value(self.block.last))

    def _combined(self, combine: Callable[[Any, Any], Any], other: object) -> Integer:
        if isinstance(other, int) and other >= 0:
            other = Integer(self.block, (int(other),))
        if not isinstance(other, Integer):
            raise NotFollowed(f"an integer formula in n with {other!r}")
        both = combine(_polynomial(self.coefficients), _polynomial(other.coefficients))
        return Integer(self.block, tuple(map(int, both)))

    def __add__(self, other: object) -> Integer:
        """Add exactly."""
        return self._combined(operator.add, other)

    def __mul__(self, other: object) -> Integer:
        """Multiply exactly."""
        return self._combined(operator.mul, other)

    __radd__, __rmul__ = __add__, __mul__

    def __pow__(self, exponent: object) -> Integer:
        """Raise to a small power exactly."""
        if not isinstance(exponent, int) or not 0 < exponent < 9:
            raise NotFollowed(f"the power {exponent!r}")
        return self if exponent == 1 else self * self ** (exponent - 1)

    def _sign(self, other: object) -> int:
        """Return the sign of the difference, if it is the same within the block."""
        if not isinstance(other, int):
            raise NotFollowed(f"a comparison with {other!r}")
        signs = {(value > other) - (value < other) for value in self.ends()}
        if len(signs) > 1:
            raise _Undecided
        return signs.pop()

    def __lt__(self, other: object) -> bool:
        """Compare, if the answer is the same within the block."""
        return self._sign(other) < 0

    def __eq__(self, other: object) -> bool:
        """Compare, if the answer is the same within the block."""
        return self._sign(other) == 0

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        """Say whether the integer is not zero."""
        return self != 0

    def __float__(self) -> Never:
        """Refuse a conversion that would forget the block."""
        raise NotFollowed("a function of a float other than log and sqrt")


@dataclass(frozen=True, slots=True)
class Formula:
    """The real number ``((log p(n) + levels * log(1/delta)) / q(n)) ** (1/2**roots)``."""

    p: tuple[int, ...] = (1,)
    levels: int = 0
    q: tuple[int, ...] = (1,)
    roots: int = 0

    def __str__(self) -> str:
        """Write the formula."""

        p, q = (str(_polynomial(one)).replace("x", "n") for one in (self.p, self.q))
        quotient = f"(log({p}) + {self.levels} log(1/delta)) / ({q})"
        return "sqrt(" * self.roots + quotient + ")" * self.roots


DUELTEST_RADIUS = Formula(p=(0, 2, 2), levels=1, q=(0, 2), roots=1)
"""``c(n, delta) = sqrt(log(2n(n+1)/delta) / (2n))``, ``alg:dueltest`` L6."""

BUDGETED_RADIUS = Formula(p=(0, 0, 8), levels=1, q=(0, 2), roots=1)
"""``b_n(delta) = sqrt(log(8 n**2/delta) / (2n))``, ``alg:budgeted-dueltest`` L4."""


@dataclass(frozen=True, slots=True)
class Float:
    """A positive float of the code: the real number it represents, and the range of their ratio."""

    block: Block
    real: Formula
    ratio: arb

    def __add__(self, other: object) -> Float:
        """Add two logarithms."""
        own, its = self.real, other.real if isinstance(other, Float) else None
        if not isinstance(other, Float) or its is None or own.q + its.q != (1, 1):
            raise NotFollowed(f"a sum of {own} and {other!r}")
        p = Integer(self.block, own.p) * Integer(self.block, its.p)
        # Both terms are positive, so that the sum's ratio lies between theirs.
        ratio = self.ratio.union(other.ratio) * _ball(1)
        return Float(self.block, Formula(p.coefficients, own.levels + its.levels), ratio)

    __radd__ = __add__

    def __truediv__(self, other: object) -> Float:
        """Divide by an integer, which is first made a float."""
        own = self.real
        if isinstance(other, int):
            other = Integer(self.block, (int(other),))
        if not isinstance(other, Integer) or own.roots or other.ends()[0] < 1:
            raise NotFollowed(f"a quotient of {own} and {other!r}")
        if other.ends()[1] > _LARGEST:
            raise NotFollowed("an integer beyond the floats")
        q = (Integer(self.block, own.q) * other).coefficients
        return Float(self.block, Formula(own.p, own.levels, q), self.ratio / _ball(1) * _ball(1))

    def __float__(self) -> Never:
        """Refuse a conversion that would forget the block."""
        raise NotFollowed("a function of a float other than log and sqrt")


def _log(block: Block, x: object, *base: object) -> Float:
    if isinstance(x, int):
        x = Integer(block, (int(x),))
    if not isinstance(x, Integer) or base or x.ends()[0] < 2:
        raise NotFollowed(f"the logarithm of {x!r}")
    fewest, most = x.ends()
    if most > _LARGEST:
        raise NotFollowed("an integer beyond the floats")
    smallest = arb(fmpz(fewest)).log()
    rounded = 1 + (_ball(1).log() / smallest).union(arb(0))
    return Float(block, Formula(p=x.coefficients), rounded * _ball(2))


def _sqrt(x: object) -> Float:
    if not isinstance(x, Float):
        raise NotFollowed(f"the root of {x!r}")
    real = x.real
    return Float(
        x.block, Formula(real.p, real.levels, real.q, real.roots + 1), x.ratio.sqrt() * _ball(1)
    )


class _AnyLevel:
    """Every confidence level at once: only its logarithm is followed."""

    def __init__(self, block: Block) -> None:
        self.log_inverse = Float(block, Formula(levels=1), _ball(2))

    def __getattr__(self, name: str) -> Never:
        raise NotFollowed(f"the level's {name}")


def pieces(radius: Callable[[int, Confidence], float]) -> Iterator[tuple[Block, object]]:
    """Run a radius on blocks that make up ``1..MOST``; return the blocks with the values.

    Raises :class:`NotFollowed` where the code does what this arithmetic does not know.
    """
    if not isinstance(radius, FunctionType):
        raise NotFollowed("something that is no Python function")
    waiting = [Block(1, MOST)]
    while waiting:
        block = waiting.pop()
        own = {id(math.log): partial(_log, block), id(math.sqrt): _sqrt}
        names = {name: own.get(id(value), value) for name, value in radius.__globals__.items()}
        code = FunctionType(radius.__code__, names, None, radius.__defaults__, radius.__closure__)
        run = cast(Callable[[Integer, _AnyLevel], object], code)
        try:
            found = run(Integer(block, (0, 1)), _AnyLevel(block))
        except _Undecided:
            waiting += reversed(block.halves())
        else:
            yield block, found


def largest_error(ratio: arb) -> Fraction:
    """Return the largest distance of a ball of ratios from 1, rounded up to a power of 2."""
    power = -1074
    while not bool(abs(ratio - 1) <= arb(2) ** power):
        power += 1
    return Fraction(2) ** power


def at_every_number_of_duels(radius: Callable[[int, Confidence], float], formula: Formula) -> Cases:
    """Check on every block that the radius is the formula, to a relative error of ``2**-40``."""
    with ctx.workprec(_BITS):
        try:
            for block, found in pieces(radius):
                at = f"n = {block.first}..{block.last}"
                if not isinstance(found, Float):
                    yield f"{at}: {found!r} is returned, at every level"
                elif found.real != formula:
                    yield f"{at}: {found.real}, which is not {formula}"
                elif largest_error(found.ratio) > RADIUS_ERROR:
                    yield f"{at}: the relative error may exceed 2^-40"
                else:
                    yield ""
        except NotFollowed as what:
            yield f"{UNDECIDED}: the code has {what}"
