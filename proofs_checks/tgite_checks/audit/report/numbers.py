"""Compare numbers with the paper's bounds: ratios in few digits, and a logarithmic scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from math import inf, log10, nextafter

from tgite_checks.check import Number
from tgite_checks.claims.rendering import written
from tgite_laws.enclosure import Enclosure

_DIGITS = 4
_FEWEST_DRAWN = 3
WIDTH = 120.0
"""The width of a drawing, in its own units."""
_MARGIN = 4.0


def slack(number: Number) -> Enclosure | None:
    """Return an enclosure of bound/value; ``None`` without a bound or if a sign is uncertain.

    Above 1 the number is below its bound. A bound with slack s could be s times lower.
    """
    value, bound = number.value, number.bound
    if bound is None or value.low < 0 or bound.low <= 0 or value.high == 0:
        return None
    return Enclosure(_down(bound.low, value.high), _up(bound.high, value.low))


def _down(above: float, below: float) -> float:
    if below == inf:
        return 0.0
    return inf if above == inf else max(0.0, nextafter(above / below, -inf))


def _up(above: float, below: float) -> float:
    if below == 0 or above == inf:
        return inf
    return 0.0 if below == inf else nextafter(above / below, inf)


def brief(value: float) -> str:
    """Return a non-negative number in about three digits."""
    if value == inf:
        return "∞"
    if 1e3 <= value < 1e6:
        return f"{value:,.0f}"
    mantissa, _, exponent = f"{value:.3g}".partition("e")
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa


def ratio(enclosure: Enclosure | None) -> str:
    """Return a slack in few digits, rounded to nearest.

    The JSON document has the enclosure itself.
    """
    if enclosure is None:
        return ""
    low, high = brief(enclosure.low), brief(enclosure.high)
    return low if low == high else f"{low} to {high}"


def whole(count: int) -> str:
    """Return a whole number as text without line breaks."""
    return written(Enclosure.exactly(count), "whole").replace(" ", "\u00a0")


def outwards(low: float | Fraction, high: float | Fraction) -> tuple[str, str]:
    """Return two non-negative numbers in four digits, the first rounded down, the second up."""
    below, above = (Context(prec=_DIGITS, rounding=way) for way in (ROUND_FLOOR, ROUND_CEILING))
    least, most = Fraction(low), Fraction(high)
    return (
        f"{below.divide(Decimal(least.numerator), Decimal(least.denominator)).normalize():f}",
        f"{above.divide(Decimal(most.numerator), Decimal(most.denominator)).normalize():f}",
    )


@dataclass(frozen=True, slots=True)
class Scale:
    """A logarithmic scale for numbers and their bounds."""

    low: float
    high: float

    def __str__(self) -> str:
        """Return the scale's ends as text."""
        return f"{brief(self.low)} to {brief(self.high)}"

    def places(self, number: Number) -> tuple[float, ...]:
        """Return the positions of the number's and its bound's ends; empty if not drawable."""
        length = log10(self.high) - log10(self.low)
        shares = [(log10(end) - log10(self.low)) / length for end in _ends(number)]
        return tuple(_MARGIN + (WIDTH - 2 * _MARGIN) * share for share in shares)


def scale_of(numbers: Sequence[Number]) -> Scale | None:
    """Return a scale for the positive numbers with positive bounds; ``None`` if there are few."""
    ends = [end for number in numbers for end in _ends(number)]
    if len(ends) < 4 * _FEWEST_DRAWN or min(ends) == max(ends):
        return None
    return Scale(min(ends), max(ends))


def _ends(number: Number) -> tuple[float, ...]:
    value, bound = number.value, number.bound
    if bound is None or not (
        0 < value.low <= value.high < inf and 0 < bound.low <= bound.high < inf
    ):
        return ()
    return (value.low, value.high, bound.low, bound.high)
