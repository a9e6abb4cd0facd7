"""Margins: how near a case's decisions come to their boundaries, computed to many digits.

For the paper's tests the margin is the relative distance of the mean from the boundary, or of the
budget's quotient from a whole number. For other tests it is the distance of level * evidence from
1.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, Context, Decimal
from fractions import Fraction
from itertools import accumulate

from tgite import Confidence, Outcome
from tgite.confidence import log_inverse_enclosure
from tgite.exact import basel_factor_enclosure
from tgite_checks.fidelity.certificate import evidence
from tgite_laws.evidence import EVIDENCE_BITS, evidence_along
from tgite_laws.pairwise import ChosenTest

_DIGITS = 50
_FEW_DUELS = 500
_NEAR = Decimal("1e-9")
_CONTEXT = Context(prec=_DIGITS)


@dataclass(frozen=True, slots=True)
class Margin:
    """A decision's ``distance`` from its boundary; ``stops`` is the rule's decision."""

    distance: Decimal
    stops: bool

    @staticmethod
    def of(n: int, S: int, level: Confidence, g: Fraction | None) -> Margin:
        """Return the margin of the paper's stopping rule after ``n`` duels, ``S`` of them won."""
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
def nearest_budget(test: ChosenTest, level: Confidence) -> Margin:
    """Return the relative distance of a budget's quotient from a whole number."""
    do, g = _CONTEXT, test.g or Fraction(1)
    logarithm = do.add(do.ln(Decimal(test.descriptor.budget_times)), _log_inverse(level))
    quotient = do.divide(logarithm, _decimal(2 * g * g))
    away = abs(do.subtract(quotient, do.to_integral_value(quotient)))
    return Margin(do.divide(away, quotient), stops=True)


def nearest_evidence(test: ChosenTest, level: Confidence, outcomes: Iterable[Outcome]) -> Margin:
    """Return the decision nearest to its boundary, in a match of a test beyond the paper."""
    level = test.level(level)
    leads = [abs(lead) for lead in accumulate(1 if outcome else -1 for outcome in outcomes)]
    # Evidence depends only on the lead: the largest one, and the one before it.
    farthest = {max(leads), max(max(leads) - 1, 1)}
    products = (
        _mixture_products(level, leads)
        if test.g is None
        else (_product(level, ((1 + 2 * test.g) / (1 - 2 * test.g)) ** k + 1) for k in farthest)
    )
    margins = (Margin(abs(_CONTEXT.subtract(one, Decimal(1))), one >= 1) for one in products)
    return min(margins, key=lambda margin: margin.distance)


def evidence_text(test: ChosenTest, level: Confidence, n: int, lead: int) -> str:
    """Return the evidence of a test beyond the paper, and what it must reach; "" if it is long."""
    if n > _FEW_DUELS:
        return ""
    of, value = f"W({n}, {(n + lead) // 2})", Fraction(0)
    if test.g is None:
        value = evidence(n, (n + lead) // 2)
    elif test.g < Fraction(1, 2):
        of, value = f"1 + ((1+2g)/(1-2g))^{lead}", ((1 + 2 * test.g) / (1 - 2 * test.g)) ** lead + 1
    needed = _CONTEXT.divide(Decimal(1), _product(test.level(level), Fraction(1)))
    sign = ">=" if _decimal(value) >= needed else "<"
    return f"{of} = {_decimal(value):.10g} {sign} {needed:.10g}"


def nearest_weighed(
    weighed: Sequence[Callable[[int, int], Fraction]], outcomes: Iterable[Outcome]
) -> Margin:
    """Return the decision nearest to its boundary, in a one-sided match."""
    margins: list[Margin] = []
    for n, S in enumerate(accumulate(outcomes), start=1):
        values = (one(n, S) for one in weighed)
        margins += (Margin(_decimal(abs(value - 1)), value >= 1) for value in values)
    return min(margins, key=lambda margin: margin.distance)


def _mixture_products(level: Confidence, leads: list[int]) -> Iterator[Decimal]:
    """Yield ``level * W`` for the leader after each duel, exactly if it is near 1."""
    do, at = _CONTEXT, list(enumerate(leads, start=1))
    scale = do.divide(_product(level, Fraction(1)), Decimal(1 << EVIDENCE_BITS))
    for (n, lead), r in zip(at, evidence_along(at), strict=True):
        product = do.divide(do.multiply(Decimal(r), scale), Decimal(n + 1))
        if abs(product - 1) < _NEAR:
            product = _product(level, evidence(n, (n + lead) // 2))
        yield product


def _product(level: Confidence, value: Fraction) -> Decimal:
    low = basel_factor_enclosure(_DIGITS + 10)[0] if level.basel else Fraction(1)
    return _decimal(level.rational * value * low)


def margin_text(margin: Margin) -> str:
    """Return a margin with two digits, rounded down."""
    shown = Context(prec=2, rounding=ROUND_DOWN).plus(margin.distance)
    return f"{shown:e}"


@functools.lru_cache(maxsize=4096)
def _log_inverse(level: Confidence) -> Decimal:
    low, _ = log_inverse_enclosure(level, _DIGITS + 10)
    return _decimal(low)


def _decimal(value: Fraction) -> Decimal:
    return _CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))
