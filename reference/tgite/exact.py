"""Exact decisions about logarithms and pi, for levels and budgets that floats cannot hold.

Everything here returns rational enclosures ``(low, high)`` from the standard library's integers and
from :mod:`decimal`, whose ``ln`` is correctly rounded.
"""

from __future__ import annotations

import functools
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

_GUARD_DIGITS = 10


def _arctan_of_inverse(x: int, unit: int) -> tuple[int, int]:
    """Return integers around ``unit * arctan(1/x)``, from the alternating series."""
    term = unit // x
    total, k, sign, terms = term, 1, 1, 1
    while term:
        term //= x * x
        k += 2
        sign = -sign
        total += sign * (term // k)
        terms += 1
    # Each term is rounded down twice, by less than 1 each; the rest of the series is below 1.
    slack = 2 * terms + 1
    return total - slack, total + slack


@functools.lru_cache(maxsize=64)
def pi_enclosure(digits: int) -> tuple[Fraction, Fraction]:
    """Return rationals around pi that are at most ``10**-digits`` apart (Machin's formula)."""
    unit = 10 ** (digits + _GUARD_DIGITS)
    fifth_low, fifth_high = _arctan_of_inverse(5, unit)
    other_low, other_high = _arctan_of_inverse(239, unit)
    low = Fraction(16 * fifth_low - 4 * other_high, unit)
    high = Fraction(16 * fifth_high - 4 * other_low, unit)
    return low, high


@functools.lru_cache(maxsize=64)
def basel_factor_enclosure(digits: int) -> tuple[Fraction, Fraction]:
    """Return rationals around ``6/pi**2``, at most about ``10**-digits`` apart."""
    low, high = pi_enclosure(digits)
    return 6 / (high * high), 6 / (low * low)


def _log_of_integer(value: int, digits: int) -> tuple[Fraction, Fraction]:
    if value == 1:
        return Fraction(0), Fraction(0)
    result = Decimal(value).ln(Context(prec=digits))
    # Correctly rounded: the true value lies within the two neighbours.
    context = Context(prec=digits)
    return Fraction(result.next_minus(context)), Fraction(result.next_plus(context))


def log_enclosure(value: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """Return rationals around ``log(value)``, for ``value > 0``.

    They come from ``digits``-digit logarithms of numerator and denominator. They differ by about
    ``10**-digits`` times the larger of these logarithms.
    """
    above, below = value.numerator, value.denominator
    above_low, above_high = _log_of_integer(above, digits)
    below_low, below_high = _log_of_integer(below, digits)
    return above_low - below_high, above_high - below_low


def round_enclosure(value: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """Return decimal fractions of ``digits`` significant digits at or around ``value``.

    Shorter fractions make later arithmetic cheaper.
    """
    down = Context(prec=digits, rounding=ROUND_FLOOR)
    up = Context(prec=digits, rounding=ROUND_CEILING)
    numerator, denominator = Decimal(value.numerator), Decimal(value.denominator)
    return (
        Fraction(down.divide(numerator, denominator)),
        Fraction(up.divide(numerator, denominator)),
    )


def power_enclosure(base: Fraction, exponent: int, digits: int) -> tuple[Fraction, Fraction]:
    """Return rationals around ``base**exponent``, for ``base > 1``; a short power itself.

    Longer powers are squared and multiplied with ``digits`` significant digits.
    """
    if exponent * base.numerator.bit_length() <= 100 * digits:
        return base**exponent, base**exponent
    low, high = power_enclosure(base, exponent // 2, digits)
    last = base if exponent % 2 else 1
    return (
        round_enclosure(low * low * last, digits)[0],
        round_enclosure(high * high * last, digits)[1],
    )
