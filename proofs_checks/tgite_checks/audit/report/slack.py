"""How far a number stays from what the paper says of it: the quotient bound/value."""

from __future__ import annotations

from math import inf, nextafter

from tgite_checks.check import Number
from tgite_checks.enclosure import Enclosure


def slack(number: Number) -> Enclosure | None:
    """Return bound/value, enclosed; nothing where there is no bound or a sign is in doubt.

    Above 1 a number stays below its bound, and a bound with slack s could be s times lower.
    """
    value, bound = number.value, number.bound
    if bound is None or value.low < 0 or bound.low <= 0 or value.high == 0:
        return None
    return Enclosure(_down(bound.low, value.high), _up(bound.high, value.low))


def brief(value: float) -> str:
    """Write a number that is not negative in about three digits."""
    if value == inf:
        return "∞"
    if 1e3 <= value < 1e6:
        return f"{value:,.0f}"
    mantissa, _, exponent = f"{value:.3g}".partition("e")
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa


def _down(above: float, below: float) -> float:
    if below == inf:
        return 0.0
    return inf if above == inf else max(0.0, nextafter(above / below, -inf))


def _up(above: float, below: float) -> float:
    if below == 0 or above == inf:
        return inf
    return 0.0 if below == inf else nextafter(above / below, inf)
