"""Ball arithmetic, for decisions about real numbers that floats cannot settle.

It is a thin typed layer over python-flint's ``arb``. A comparison raises the working precision
until the balls separate, and raises :class:`NearTie` if they never do.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeVarTuple

from flint import arb, ctx, fmpq, fmpz

from tgite.confidence import Confidence
from tgite_laws.enclosure import Enclosure, rational

Ts = TypeVarTuple("Ts")

_FIRST_BITS = 64
_MOST_BITS = 4096


class NearTie(ArithmeticError):
    """Two real numbers could not be told apart, so nothing was decided."""


def ball(value: Fraction) -> arb:
    """Return a ball around a rational number, at the current working precision."""
    return arb(fmpq(value.numerator, value.denominator))


def level_ball(delta: Confidence) -> arb:
    """Return a ball around a confidence level."""
    level = ball(delta.rational)
    if delta.basel:
        pi = arb.pi()
        level = level * 6 / (pi * pi)
    return level


def log_inverse_ball(delta: Confidence) -> arb:
    """Return a ball around ``log(1/delta)``, from the exact level."""
    return -level_ball(delta).log()


def log_integer_ball(value: int) -> arb:
    """Return a ball around ``log(value)`` for an integer ``value >= 1``."""
    return arb(fmpz(value)).log()


def sign(difference: Callable[[], arb], what: str) -> int:
    """Return the sign of a real number, never of a rounded one.

    ``difference`` computes a ball around the number at the current working precision. Raises
    :class:`NearTie` with the text ``what`` if no precision up to ``_MOST_BITS`` separates the ball
    from zero.
    """
    bits = _FIRST_BITS
    while bits <= _MOST_BITS:
        ctx.prec, before = bits, ctx.prec
        try:
            value = difference()
        finally:
            ctx.prec = before
        if bool(value > 0):
            return 1
        if bool(value < 0):
            return -1
        bits *= 2
    raise NearTie(f"{what}: not separated by {_MOST_BITS} bits")


def ends(value: Callable[[], arb], bits: int = 128) -> tuple[Fraction, Fraction]:
    """Return exact rational ends of a ball computed at ``bits`` bits."""
    ctx.prec, before = bits, ctx.prec
    try:
        computed = value()
        return _rational(computed.lower()), _rational(computed.upper())
    finally:
        ctx.prec = before


def real(value: Callable[[*Ts], arb], *of: *Ts, bits: int = 128) -> Enclosure:
    """Enclose the real number for which ``value(*of)`` computes a ball."""
    return rational(*ends(lambda: value(*of), bits))


def _rational(point: arb) -> Fraction:
    """Return the midpoint of a ball of radius 0, a dyadic number, as a fraction."""
    mantissa, exponent = point.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
