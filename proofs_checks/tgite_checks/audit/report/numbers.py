"""Numbers of the report as text: in few digits, with a comma between thousands."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from math import inf, nextafter

from tgite_checks.check import Number
from tgite_checks.claims.rendering import written
from tgite_laws.enclosure import Enclosure

_DIGITS = 4


def slack(number: Number) -> Enclosure | None:
    """Return an enclosure of bound/value; ``None`` without a bound or if a sign is uncertain.

    Above 1 the number is below its bound. A bound with slack s could be s times lower.
    """
    value, bound = number.value, number.bound
    if bound is None or value.low < 0 or bound.low <= 0 or value.high == 0:
        return None
    return Enclosure(_down(bound.low, value.high), _up(bound.high, value.low))


def nearest(numbers: Sequence[Number], most: int = 6) -> list[Number]:
    """Return at most so many of the numbers, those nearest to their bounds, in their order."""
    slacks = ((slack(one), place) for place, one in enumerate(numbers))
    ranked = sorted((inf if found is None else found.low, place) for found, place in slacks)
    return [numbers[place] for place in sorted(place for _, place in ranked[:most])]


def _down(above: float, below: float) -> float:
    if below == inf:
        return 0.0
    return inf if above == inf else max(0.0, nextafter(above / below, -inf))


def _up(above: float, below: float) -> float:
    if below == 0 or above == inf:
        return inf
    return 0.0 if below == inf else nextafter(above / below, inf)


def shown(value: Enclosure | None, digits: int = 6) -> str:
    """Return a number in few digits, or both ends if these differ, rounded to nearest.

    The JSON document has the enclosure itself.
    """
    if value is None:
        return ""
    context = Context(prec=digits)
    low, high = (_decimal(context.create_decimal(repr(end))) for end in (value.low, value.high))
    return low if low == high else f"{low} to {high}"


def _decimal(value: Decimal) -> str:
    if not value.is_finite():
        return f"{float(value)}".replace("inf", "∞")
    if value and not Decimal("0.0001") <= abs(value) < 10**9:
        mantissa, _, exponent = f"{value.normalize():e}".partition("e")
        return f"{mantissa}e{int(exponent)}"
    text = f"{value.normalize():,f}"
    return text if abs(value) >= 10_000 else text.replace(",", "")


def whole(count: int) -> str:
    """Return a whole number as text."""
    return written(Enclosure.exactly(count), "whole")


def outwards(low: float | Fraction, high: float | Fraction) -> tuple[str, str]:
    """Return two non-negative numbers in four digits, the first rounded down, the second up."""
    below, above = (Context(prec=_DIGITS, rounding=way) for way in (ROUND_FLOOR, ROUND_CEILING))
    least, most = Fraction(low), Fraction(high)
    return (
        f"{below.divide(Decimal(least.numerator), Decimal(least.denominator)).normalize():f}",
        f"{above.divide(Decimal(most.numerator), Decimal(most.denominator)).normalize():f}",
    )
