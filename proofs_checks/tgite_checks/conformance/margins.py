"""How near a case comes to a decision that goes the other way, computed to many digits.

Distances are those of the paper's own rules: of the mean from the boundary, and of the budget's
quotient from a whole number, relative to it.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from decimal import ROUND_DOWN, Context, Decimal
from fractions import Fraction

from tgite import Confidence
from tgite.confidence import log_inverse_enclosure

_DIGITS = 50
_CONTEXT = Context(prec=_DIGITS)


@dataclass(frozen=True, slots=True)
class Margin:
    """A decision's ``distance`` from the other one; ``stops`` says what the rule decides."""

    distance: Decimal
    stops: bool

    @staticmethod
    def of(n: int, S: int, level: Confidence, g: Fraction | None) -> Margin:
        """Return the margin of the stopping rule after ``n`` duels, ``S`` of them won.

        The rule is DuelTest's (``alg:dueltest`` L6), or with a known gap ``g`` that of
        BudgetedDuelTest (``alg:budgeted-dueltest`` L5).
        """
        do = _CONTEXT
        quotient = 2 * n * (n + 1) if g is None else 8 * n * n
        logarithm = do.add(do.ln(Decimal(quotient)), _log_inverse(level))
        radius = do.sqrt(do.divide(logarithm, Decimal(2 * n)))
        if g is not None:
            radius = do.subtract(radius, _decimal(g))
        mean_distance = _decimal(abs(Fraction(S, n) - Fraction(1, 2)))
        difference = do.subtract(mean_distance, radius)
        return Margin(abs(difference), difference > 0)


@functools.lru_cache(maxsize=4096)
def nearest_budget(g: Fraction, level: Confidence) -> Margin:
    """Return how far ``log(4/delta) / (2 g**2)`` is from a whole number, relative to it."""
    do = _CONTEXT
    logarithm = do.add(do.ln(Decimal(4)), _log_inverse(level))
    quotient = do.divide(logarithm, _decimal(2 * g * g))
    away = abs(do.subtract(quotient, do.to_integral_value(quotient)))
    return Margin(do.divide(away, quotient), stops=True)


def margin_text(margin: Margin) -> str:
    """Write a margin with two digits, rounded down."""
    shown = Context(prec=2, rounding=ROUND_DOWN).plus(margin.distance)
    return f"{shown:e}"


@functools.lru_cache(maxsize=4096)
def _log_inverse(level: Confidence) -> Decimal:
    low, _ = log_inverse_enclosure(level, _DIGITS + 10)
    return _decimal(low)


def _decimal(value: Fraction) -> Decimal:
    return _CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))
