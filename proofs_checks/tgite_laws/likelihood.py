"""The numbers of wins at which the likelihood of a gap reaches a level, by ball arithmetic.

The logarithm of the likelihood decides or, at equality, its exact powers.
"""

from __future__ import annotations

import functools
from fractions import Fraction

from flint import arb, ctx, fmpq

from tgite.confidence import Confidence
from tgite_laws.balls import ball, log_inverse_ball

_FIRST_BITS = 96
_MOST_BITS = 96 << 4
_HALF = fmpq(1, 2)


def least_likely(n: int, g: Fraction, level: Confidence) -> int:
    """Return the least s with ``(1+2g)**s (1-2g)**(n-s) >= 1/level``; it may exceed n."""
    return -_most_wins(n, g, level, -1)


def most_unlikely(n: int, g: Fraction, level: Confidence) -> int:
    """Return the greatest s with ``(1+2g)**s (1-2g)**(n-s) <= level``; it may be negative."""
    return _most_wins(n, g, level, 1)


def _most_wins(n: int, g: Fraction, level: Confidence, sign: int) -> int:
    """Return the greatest t with ``L(n, sign * t)**sign <= level``."""
    bits = _FIRST_BITS
    while bits <= _MOST_BITS:
        with ctx.workprec(bits):
            a_duel, a_win = _logarithms(g, bits)
            most = (sign * n * a_duel - log_inverse_ball(level)) / a_win
            floor = most.floor()
            if floor.is_exact():
                return int(floor.fmpz())
            t = int((most + arb(_HALF)).floor().mid().fmpz())
        bits *= 2
    # A tie: the powers decide.
    win, loss = (fmpq(one.numerator, one.denominator) for one in (1 + 2 * g, 1 - 2 * g))
    value = win ** (sign * t) * loss ** (n - sign * t)
    if level.basel:
        raise ArithmeticError("no precision separates it from a level with the factor 6/pi^2")
    return t if value**sign <= fmpq(*level.rational.as_integer_ratio()) else t - 1


@functools.lru_cache(maxsize=4096)
def _logarithms(g: Fraction, bits: int) -> tuple[arb, arb]:
    """Enclose what a duel and a win add to the log-likelihood of a gap."""
    win, loss = (ball(1 + 2 * g).log(), ball(1 - 2 * g).log())
    return -loss, win - loss
