"""Enclosures: real numbers known to lie between two floats."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf, isnan, nextafter

from tgite.checked import checked
from tgite.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A real number (or infinity) that lies in ``[low, high]``.

    Raises :class:`~tgite.errors.InvalidInput` if an end is not a number or ``low > high``.
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        """Refuse an empty interval."""
        if isnan(self.low) or isnan(self.high) or self.low > self.high:
            raise InvalidInput("enclosure", (self.low, self.high), "must have low <= high")

    @staticmethod
    @checked
    def exactly(value: float | int) -> Enclosure:
        """Enclose a float, or the floats around an integer."""
        near = float(value)
        if near == value:
            return Enclosure(near, near)
        return Enclosure(nextafter(near, -inf), nextafter(near, inf))

    @property
    def middle(self) -> float:
        """A float between the ends, to be shown or plotted."""
        return self.low if self.low == self.high else self.low / 2 + self.high / 2

    def contains(self, value: float) -> bool:
        """Return whether ``value`` lies in the enclosure."""
        return self.low <= value <= self.high

    def __str__(self) -> str:
        """Show the digits that both ends agree on, and one or two more."""
        if self.low == self.high:
            return f"{self.low:.10g}"
        for digits in range(1, 18):
            low, high = f"{self.low:.{digits}g}", f"{self.high:.{digits}g}"
            if low != high:
                return f"[{self.low:.{digits + 1}g}, {self.high:.{digits + 1}g}]"
        return f"[{self.low!r}, {self.high!r}]"


def rational(low: Fraction | int, high: Fraction | int | None = None) -> Enclosure:
    """Enclose a rational number, or the interval between two."""
    last = low if high is None else high
    below, above = _nearest(low), _nearest(last)
    return Enclosure(
        below if below == low else nextafter(below, -inf),
        above if above == last else nextafter(above, inf),
    )


def _nearest(value: Fraction | int) -> float:
    """Return the float nearest to ``value``; infinity beyond the largest."""
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf
