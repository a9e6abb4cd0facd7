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

_LAST = (60, 1000, 1000)
GAPS = tuple(Fraction(text) for text in ("1/2", "9/20", "1/3", "1/10", "1/40"))
"""Known gaps at which the budgeted test is examined."""


_TRIED = f"The gaps are {', '.join(map(str, GAPS))}, at eight levels from 0.999 to 2^-1024."
_LONGEST = (4_000, 20_000, 1_000_000)
_SIZES = {"budgets of at most": _LONGEST}


def _settings(depth: Depth) -> Iterator[tuple[Fraction, Confidence]]:
    longest = by_depth(depth, *_LONGEST)
    for g in GAPS:
        for delta in LEVELS:
            if budget(g, delta) <= longest:
                yield g, delta


@fidelity(
    "budgeted-budget",
    domain="The budget follows the text at the gaps 1/2, 1/3, 1/4, ... and 0.01, 0.02, ..., 0.50, "
    "at eight levels from 0.999 to 2^-1024.",
    sizes={"gaps 1/k for k below": _LAST},
    case="budget of a gap and a level",
)
def budgets(under_test: Implementation, depth: Depth) -> Cases:
    last = by_depth(depth, *_LAST)
    gaps = [Fraction(1, k) for k in range(2, last)]
    gaps += [Fraction(k, 100) for k in range(1, 51)]
    settings = ((g, delta) for g in gaps for delta in LEVELS)
    yield from compared(under_test.budget, budget, settings)


@fidelity(
    "budgeted-radius",
    domain="After each number of duels the test stops at the least lead that must stop it, and "
    f"not at the next smaller lead. Either arm may lead. {_TRIED}",
    sizes=_SIZES,
    case="decision at the boundary or just inside",
)
def radius(under_test: Implementation, depth: Depth) -> Cases:
    for g, delta in _settings(depth):
        gap = float(g)
        for n in range(1, budget(g, delta) + 1):
            margin = least_budgeted_margin(n, g, delta)
            radius = under_test.b(n, delta) - gap
            yield from decisions(radius, n, margin, f"g = {g}, delta = {delta}")


@fidelity(
    "budgeted-radius-everywhere",
    domain="For every n up to 2^60 and every level, the computed radius is the real one to a "
    "relative error of 2^-40, if log errs by at most one unit in the last place.",
    case="block of numbers of duels",
    kind=Kind.CERTIFIED,
)
def radius_everywhere(under_test: Implementation, depth: Depth) -> Cases:
    yield from at_every_number_of_duels(under_test.b, BUDGETED_RADIUS)


@fidelity(
    "budgeted-stopping",
    domain="Outcomes that stay just inside the boundary, on either side, do not stop the test "
    f"before its budget. One duel across the boundary stops it. {_TRIED}",
    sizes=_SIZES,
    case="run along the boundary",
)
def stopping(under_test: Implementation, depth: Depth) -> Cases:
    for g, delta in _settings(depth):
        tests, M = budgeted_tests(under_test, g), budget(g, delta)
        margin_of = functools.partial(least_budgeted_margin, g=g, delta=delta)
        for wrong in along_the_boundary(tests, delta, margin_of, M, 80):
            yield f"g = {g}, {wrong}" if wrong else ""


@fidelity(
    "budgeted-balanced",
    domain="Alternating outcomes use up the whole budget. They end in a tie if the budget is "
    f"even, and else one duel apart. {_TRIED}",
    sizes=_SIZES,
    case="run to the budget with a balanced score",
)
def balanced(under_test: Implementation, depth: Depth) -> Cases:
    for g, delta in _settings(depth):
        tests = budgeted_tests(under_test, g)
        yield from alternating_outcomes(tests, g, delta, budget(g, delta))


@fidelity(
    "budgeted-answers",
    domain="The test follows the text when the first of two arms wins all duels, or loses all. "
    f"Three pairs are tried. {_TRIED}",
    sizes=_SIZES,
    case="run with equal outcomes",
)
def answers(under_test: Implementation, depth: Depth) -> Cases:
    for g, delta in _settings(depth):
        M = budget(g, delta)
        n = next(n for n in range(1, M + 1) if n == M or n >= least_budgeted_margin(n, g, delta))
        yield from equal_outcomes(budgeted_tests(under_test, g), delta, n)
