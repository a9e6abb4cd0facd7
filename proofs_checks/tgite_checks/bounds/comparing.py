"""Enclosing rational and real numbers, and comparing them with what a statement allows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import inf, nextafter

from flint import arb

from tgite_checks.check import UNDECIDED, AtMost, Plot, Result, result_of
from tgite_checks.enclosure import Enclosure
from tgite_checks.laws.balls import ends

__all__ = ["UNDECIDED", "AtMost", "compared", "rational", "real"]


def compared(cases: Iterable[AtMost], what: str, plots: tuple[Plot, ...] = ()) -> Result:
    """Return the result of looking at all cases; ``what`` says what one case is."""
    return result_of((*cases, *plots), what)


def rational(low: Fraction | int, high: Fraction | int | None = None) -> Enclosure:
    """Enclose a rational number, or all that lies between two."""
    last = low if high is None else high
    return Enclosure(_float_below(low), _float_above(last))


def real(value: Callable[[], arb], bits: int = 128) -> Enclosure:
    """Enclose the real number around which ``value`` computes a ball at ``bits`` bits."""
    return rational(*ends(value, bits))


def _float_below(value: Fraction | int) -> float:
    near = _nearest(value)
    return near if near == value else nextafter(near, -inf)


def _float_above(value: Fraction | int) -> float:
    near = _nearest(value)
    return near if near == value else nextafter(near, inf)


def _nearest(value: Fraction | int) -> float:
    """Return the float nearest to ``value``; infinity beyond the largest."""
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf
