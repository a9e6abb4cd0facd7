"""Arithmetic of enclosures of non-negative numbers, rounded outwards."""

from __future__ import annotations

from math import inf, isinf, isnan, nextafter, sqrt

from tgite_laws.enclosure import Enclosure

ZERO = Enclosure(0.0, 0.0)
ONE = Enclosure(1.0, 1.0)
LOST = 2.0**-900
"""Upper bound on the total that products lose by underflow."""


def down(value: float) -> float:
    """Return a lower bound on any real number that rounds to ``value``, for ``value >= 0``."""
    return nextafter(value, 0.0) if value > 0 else 0.0


def up(value: float) -> float:
    """Return an upper bound on any real number that rounds to ``value``."""
    return nextafter(value, inf)


def around(value: float, relative: float, absolute: float = 0.0, beyond: float = 0.0) -> Enclosure:
    """Enclose a non-negative number whose computed value is ``value``.

    The number is at least ``value`` and at most ``value + beyond``, up to a relative error of
    ``relative`` and an absolute one of ``absolute``.
    """
    if isinf(value):
        return Enclosure(inf, inf)
    low = max(0.0, down(down(value * (1.0 - 2 * relative)) - absolute)) if value > 0 else 0.0
    return Enclosure(low, up(up(up(value * (1.0 + 2 * relative)) + absolute) + beyond))


def between(low: float, high: float, relative: float) -> Enclosure:
    """Enclose a number between ``low`` and ``high``, two sums of products.

    Each sum has a relative error of at most ``relative``. A NaN ``high`` means no upper bound.
    """
    above = inf if isnan(high) else around(high, relative, LOST).high
    return Enclosure(around(low, relative, LOST).low, above)


def plus(*terms: Enclosure) -> Enclosure:
    """Add enclosures of non-negative numbers."""
    low, high = 0.0, 0.0
    for term in terms:
        # Adding zero is exact.
        low = low + term.low if 0 in (low, term.low) else down(low + term.low)
        high = high + term.high if 0 in (high, term.high) else up(high + term.high)
    return Enclosure(low, high)


def times(*factors: Enclosure) -> Enclosure:
    """Multiply enclosures of non-negative numbers; zero times infinity is zero."""
    low, high = 1.0, 1.0
    for factor in factors:
        low = 0.0 if low == 0 or factor.low == 0 else down(low * factor.low)
        high = 0.0 if high == 0 or factor.high == 0 else up(high * factor.high)
    return Enclosure(low, high)


def minus(a: Enclosure, b: Enclosure) -> Enclosure:
    """Subtract ``b`` from ``a``, where the difference is known not to be negative."""
    low = a.low if b.high == 0 else down(max(0.0, a.low - b.high))
    high = a.high if b.low == 0 else up(max(0.0, a.high - b.low))
    return Enclosure(min(low, high), high)


def quotient(a: Enclosure, b: Enclosure) -> Enclosure:
    """Divide ``a`` by ``b``, which is known to be positive; the upper end may be infinite."""
    low = down(a.low / b.high) if b.high > 0 else 0.0
    return Enclosure(low, up(a.high / b.low) if b.low > 0 else inf)


def standard_deviation(mean: Enclosure, mean_square: Enclosure) -> Enclosure:
    """Enclose ``sqrt(E[X**2] - E[X]**2)`` of a non-negative random variable."""
    if isinf(mean.high) or isinf(mean_square.high):
        return Enclosure(0.0, inf)
    variance = minus(mean_square, times(mean, mean))
    high = up(sqrt(variance.high)) if variance.high > 0 else 0.0
    return Enclosure(down(sqrt(variance.low)), high)
