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

_LAST = (60, 1000, 1000)
GAPS = tuple(Fraction(text) for text in ("49/100", "2/5", "1/4", "1/10", "1/40"))
"""Known gaps at which the tests are examined."""

_MODULE = "beyond.sprt_test"
_EQUALITIES = (("1/6", 1), ("1/6", 3), ("1/4", 2), ("2/5", 1), ("1/10", 12))
_HAIR = Fraction(1, 10**60)
_TRIED = (
    f"The gaps are {', '.join(map(str, GAPS))}. The levels are eight from 0.999 to 2^-1024, and "
    "some that the evidence reaches exactly or just misses."
)
_LONGEST = (4_000, 20_000, 1_000_000)


def _ties() -> Iterator[tuple[Fraction, Confidence]]:
    """Return gaps with levels that the evidence of a whole lead just reaches or just misses."""
    for text, k in _EQUALITIES:
        g = Fraction(text)
        level = 1 / (1 + ((1 + 2 * g) / (1 - 2 * g)) ** k)
        yield from ((g, Confidence(one)) for one in (level, level - _HAIR))


def _settings() -> Iterator[tuple[Fraction, Confidence]]:
    yield from ((g, delta) for g in GAPS for delta in LEVELS)
    yield from _ties()


def _budgeted(depth: Depth) -> Iterator[tuple[Fraction, Confidence]]:
    longest = by_depth(depth, *_LONGEST)
    at_twice = (
        (g, Confidence(2 * delta.rational)) for g, delta in _ties() if 2 * delta.rational < 1
    )
    for g, delta in (*((g, delta) for g in GAPS for delta in LEVELS), *at_twice):
        if boundaries_beyond.sprt_budget(g, delta) <= longest:
            yield g, delta


@fidelity(
    "sprt-lead",
    domain=f"The lead that stops the test is right. {_TRIED}",
    case="lead of a gap and a level",
)
def leads(under_test: Implementation, depth: Depth) -> Cases:
    found = under_test.module(_MODULE).stopping_lead
    yield from compared(found, boundaries_beyond.sprt_lead, _settings())


def _along(tests: Tests, g: Fraction, delta: Confidence, lead: int, duels: int) -> Cases:
    for wrong in along_the_boundary(tests, delta, lambda n: lead, duels, 80):
        yield f"g = {g}, {wrong}" if wrong else ""


@fidelity(
    "sprt-stopping",
    domain="Outcomes one short of stopping, on either side, do not stop the test in 500 duels. "
    f"One duel across the boundary stops it, and so does an arm that wins every duel. {_TRIED}",
    case="run",
)
def stopping(under_test: Implementation, depth: Depth) -> Cases:
    for g, delta in _settings():
        k = boundaries_beyond.sprt_lead(g, delta)
        definition = boundaries_beyond.known_gap_unlimited_sprt(g)
        tests = under_test.module(_MODULE).known_gap_unlimited_sprt(g), definition
        yield from _along(tests, g, delta, k, 500)
        yield from equal_outcomes(tests, delta, k)


@fidelity(
    "truncated-budget",
    domain="The budget is right at the gaps 1/3, 1/4, 1/5, ... and 0.01, 0.02, ..., 0.49, at "
    "eight levels from 0.999 to 2^-1024.",
    sizes={"gaps 1/k for k below": _LAST},
    case="budget of a gap and a level",
)
def budgets(under_test: Implementation, depth: Depth) -> Cases:
    gaps = [Fraction(1, k) for k in range(3, by_depth(depth, *_LAST))]
    gaps += [Fraction(k, 100) for k in range(1, 50)]
    settings = ((g, delta) for g in gaps for delta in LEVELS)
    found = under_test.module(_MODULE).budget
    yield from compared(found, boundaries_beyond.sprt_budget, settings)


@fidelity(
    "truncated-runs",
    domain="The test follows its definition on outcomes one short of stopping up to the budget, "
    "on either side, and across the boundary. It does so on alternating outcomes and on "
    f"outcomes that one arm wins. {_TRIED}",
    sizes={"budgets of at most": _LONGEST},
    case="run",
)
def truncated(under_test: Implementation, depth: Depth) -> Cases:
    for g, delta in _budgeted(depth):
        M = boundaries_beyond.sprt_budget(g, delta)
        k = boundaries_beyond.sprt_lead(g, Confidence(delta.rational / 2, delta.basel))
        tests = under_test.module(_MODULE).known_gap_sprt(g), boundaries_beyond.known_gap_sprt(g)
        yield from _along(tests, g, delta, k, M)
        yield from equal_outcomes(tests, delta, min(k, M))
        yield from alternating_outcomes(tests, g, delta, M)
