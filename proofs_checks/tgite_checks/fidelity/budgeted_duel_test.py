"""Fidelity of BudgetedDuelTest (``alg:budgeted-dueltest``): its budget, boundary and answers."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction

from tgite.confidence import Confidence
from tgite_checks.check import Cases, Depth, Kind, by_depth, fidelity
from tgite_checks.fidelity.boundaries import budget, least_budgeted_margin
from tgite_checks.fidelity.duel_test import (
    LEVELS,
    along_the_boundary,
    alternating_outcomes,
    compared,
    decisions,
    equal_outcomes,
)
from tgite_checks.fidelity.formulas import BUDGETED_RADIUS, at_every_number_of_duels
from tgite_checks.fidelity.setting import budgeted_tests
from tgite_laws.implementation import Implementation

GAPS = tuple(Fraction(text) for text in ("1/2", "9/20", "1/3", "1/10", "1/40"))
"""Known gaps at which the budgeted test is examined."""


_SETTINGS = "gaps 1/2, 9/20, 1/3, 1/10, 1/40; eight levels from 0.999 to 2^-1024"
_QUICK = "(quick and standard: where the budget is at most 4000 and 20000)"


def _settings(depth: Depth) -> Iterator[tuple[Fraction, Confidence]]:
    """Return the gaps and levels; long budgets are only for the greater depths."""
    longest = by_depth(depth, 4_000, 20_000, 1_000_000)
    for g in GAPS:
        for delta in LEVELS:
            if budget(g, delta) <= longest:
                yield g, delta


@fidelity(
    "budgeted-budget",
    domain="gaps 1/2 to 1/999 (quick: 1/59) and 0.01 to 0.50; eight levels from 0.999 to 2^-1024",
    case="budget of a gap and a level",
)
def budgets(under_test: Implementation, depth: Depth) -> Cases:
    """Compare the budgets."""
    last = by_depth(depth, 60, 1000, 1000)
    gaps = [Fraction(1, k) for k in range(2, last)]
    gaps += [Fraction(k, 100) for k in range(1, 51)]
    settings = ((g, delta) for g in gaps for delta in LEVELS)
    yield from compared(under_test.budget, budget, settings)


@fidelity(
    "budgeted-radius",
    domain=f"{_SETTINGS} {_QUICK}; the least margin that stops and the next smaller one, on both "
    "sides, after each number of duels up to the budget",
    case="decision at the boundary or just inside",
)
def radius(under_test: Implementation, depth: Depth) -> Cases:
    """Compare the decisions next to the boundary."""
    for g, delta in _settings(depth):
        gap = float(g)
        for n in range(1, budget(g, delta) + 1):
            margin = least_budgeted_margin(n, g, delta)
            radius = under_test.b(n, delta) - gap
            yield from decisions(radius, n, margin, f"g = {g}, delta = {delta}")


@fidelity(
    "budgeted-radius-everywhere",
    domain="every n from 1 to 2^60 and every level at once: the code is evaluated as a "
    "formula on blocks of n. A ball around 1 holds the computed radius over the real one. We "
    "assume that log errs by at most one unit in the last place",
    case="block of numbers of duels",
    kind=Kind.CERTIFIED,
)
def radius_everywhere(under_test: Implementation, depth: Depth) -> Cases:
    """Follow the radius's code."""
    yield from at_every_number_of_duels(under_test.b, BUDGETED_RADIUS)


@fidelity(
    "budgeted-stopping",
    domain=f"{_SETTINGS} {_QUICK}; runs to the budget as close inside the boundary as possible, "
    "above and below, and runs that cross it by one duel",
    case="run along the boundary",
)
def stopping(under_test: Implementation, depth: Depth) -> Cases:
    """Run the test along the boundary to its budget."""
    for g, delta in _settings(depth):
        tests, M = budgeted_tests(under_test, g), budget(g, delta)
        margin_of = functools.partial(least_budgeted_margin, g=g, delta=delta)
        for wrong in along_the_boundary(tests, delta, margin_of, M, 80):
            yield f"g = {g}, {wrong}" if wrong else ""


@fidelity(
    "budgeted-balanced",
    domain=f"{_SETTINGS} {_QUICK}; alternating outcomes, which use up the whole budget. They end "
    "in a tie if the budget is even, else one duel apart",
    case="run to the budget with a balanced score",
)
def balanced(under_test: Implementation, depth: Depth) -> Cases:
    """Run the test to its budget on alternating outcomes."""
    for g, delta in _settings(depth):
        tests = budgeted_tests(under_test, g)
        yield from alternating_outcomes(tests, g, delta, budget(g, delta))


@fidelity(
    "budgeted-answers",
    domain=f"{_SETTINGS} {_QUICK}; three pairs; the first arm wins all duels, or loses all",
    case="run with equal outcomes",
)
def answers(under_test: Implementation, depth: Depth) -> Cases:
    """Let the first arm win, or lose, every duel."""
    for g, delta in _settings(depth):
        M = budget(g, delta)
        n = next(n for n in range(1, M + 1) if n == M or n >= least_budgeted_margin(n, g, delta))
        yield from equal_outcomes(budgeted_tests(under_test, g), delta, n)
