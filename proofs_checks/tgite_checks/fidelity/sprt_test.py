"""Fidelity of SprtTest (``beyond:sprt-test``) and of its truncated form."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tgite.confidence import Confidence
from tgite_checks.check import Cases, Depth, by_depth, fidelity
from tgite_checks.fidelity import boundaries_beyond
from tgite_checks.fidelity.duel_test import (
    LEVELS,
    along_the_boundary,
    alternating_outcomes,
    compared,
    equal_outcomes,
)
from tgite_checks.fidelity.setting import Tests
from tgite_laws.implementation import Implementation

GAPS = tuple(Fraction(text) for text in ("49/100", "2/5", "1/4", "1/10", "1/40"))
"""Known gaps at which the tests are examined."""

_EQUALITIES = (("1/6", 1), ("1/6", 3), ("1/4", 2), ("2/5", 1), ("1/10", 12))
_HAIR = Fraction(1, 10**60)
_SETTINGS = "gaps 49/100, 2/5, 1/4, 1/10, 1/40; eight levels from 0.999 to 2^-1024"
_QUICK = "(quick and standard: where the budget is at most 4000 and 20000)"
_EXACT = "and levels that the evidence reaches exactly, or by a hair not"


def _ties() -> Iterator[tuple[Fraction, Confidence]]:
    """Return gaps with levels that the evidence of a whole lead just reaches or just misses."""
    for text, k in _EQUALITIES:
        g = Fraction(text)
        level = 1 / (1 + ((1 + 2 * g) / (1 - 2 * g)) ** k)
        yield from ((g, Confidence(one)) for one in (level, level - _HAIR))


def _settings() -> Iterator[tuple[Fraction, Confidence]]:
    yield from ((g, delta) for g in GAPS for delta in LEVELS)
    yield from _ties()


def _twice(delta: Confidence) -> Confidence:
    return Confidence(2 * delta.rational, delta.basel)


def _budgeted(depth: Depth) -> Iterator[tuple[Fraction, Confidence]]:
    longest = by_depth(depth, 4_000, 20_000, 1_000_000)
    at_twice = ((g, _twice(delta)) for g, delta in _ties() if 2 * delta.rational < 1)
    for g, delta in (*((g, delta) for g in GAPS for delta in LEVELS), *at_twice):
        if boundaries_beyond.sprt_budget(g, delta) <= longest:
            yield g, delta


@fidelity(
    "sprt-lead",
    domain=f"{_SETTINGS}, {_EXACT}",
    case="lead of a gap and a level",
)
def leads(under_test: Implementation, depth: Depth) -> Cases:
    """Compare the leads."""
    yield from compared(under_test.beyond.sprt_lead, boundaries_beyond.sprt_lead, _settings())


def _unlimited(under_test: Implementation, g: Fraction) -> Tests:
    definition = boundaries_beyond.known_gap_unlimited_sprt(g)
    return under_test.beyond.known_gap_unlimited_sprt(g), definition


def _truncated(under_test: Implementation, g: Fraction) -> Tests:
    return under_test.beyond.known_gap_sprt(g), boundaries_beyond.known_gap_sprt(g)


def _along(tests: Tests, g: Fraction, delta: Confidence, lead: int, duels: int) -> Cases:
    for wrong in along_the_boundary(tests, delta, lambda n: lead, duels, 80):
        yield f"g = {g}, {wrong}" if wrong else ""


@fidelity(
    "sprt-stopping",
    domain=f"{_SETTINGS}, {_EXACT}; runs of 500 duels one short of stopping, on either side; runs "
    "that cross the boundary by one duel; runs that one arm wins",
    case="run",
)
def stopping(under_test: Implementation, depth: Depth) -> Cases:
    """Run the test along its boundary, and straight to it."""
    for g, delta in _settings():
        tests, k = _unlimited(under_test, g), boundaries_beyond.sprt_lead(g, delta)
        yield from _along(tests, g, delta, k, 500)
        yield from equal_outcomes(tests, delta, k)


@fidelity(
    "truncated-budget",
    domain="gaps 1/3 to 1/999 (quick: 1/59) and 0.01 to 0.49; eight levels from 0.999 to 2^-1024",
    case="budget of a gap and a level",
)
def budgets(under_test: Implementation, depth: Depth) -> Cases:
    """Compare the budgets."""
    gaps = [Fraction(1, k) for k in range(3, by_depth(depth, 60, 1000, 1000))]
    gaps += [Fraction(k, 100) for k in range(1, 50)]
    settings = ((g, delta) for g in gaps for delta in LEVELS)
    yield from compared(under_test.beyond.sprt_budget, boundaries_beyond.sprt_budget, settings)


@fidelity(
    "truncated-runs",
    domain=f"{_SETTINGS} {_QUICK}, {_EXACT}; runs one short of stopping to the budget, on either "
    "side, and runs that cross the boundary; alternating outcomes, which end in a tie or one duel "
    "apart; runs that one arm wins",
    case="run",
)
def truncated(under_test: Implementation, depth: Depth) -> Cases:
    """Run the test to its budget: along its boundary, balanced, and straight."""
    for g, delta in _budgeted(depth):
        M = boundaries_beyond.sprt_budget(g, delta)
        k = boundaries_beyond.sprt_lead(g, Confidence(delta.rational / 2, delta.basel))
        tests = _truncated(under_test, g)
        yield from _along(tests, g, delta, k, M)
        yield from equal_outcomes(tests, delta, min(k, M))
        yield from alternating_outcomes(tests, g, delta, M)
