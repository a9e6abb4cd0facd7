"""Fidelity of MixtureTest (``beyond:mixture-test``): when it stops, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import count

from tgite.confidence import Confidence
from tgite_checks.check import Cases, Depth, Kind, by_depth, fidelity
from tgite_checks.fidelity.boundaries_beyond import (
    evidence,
    mixture_lead,
    mixture_margins,
    mixture_test,
)
from tgite_checks.fidelity.duel_test import LEVELS, along_the_boundary, equal_outcomes
from tgite_checks.fidelity.setting import Tests
from tgite_laws.implementation import Implementation

_EQUALITIES = ((1, 1), (7, 7), (20, 16), (61, 42), (120, 80))
_HAIR = Fraction(1, 10**60)


def _exact(n: int, s: int) -> Fraction:
    reached = evidence(n, s)
    return Fraction(int(reached.q), int(reached.p))


TIES = tuple(
    Confidence(level) for n, s in _EQUALITIES for level in (_exact(n, s), _exact(n, s) - _HAIR)
)
"""Levels that the evidence of some n and s reaches exactly, and levels a hair below."""

_ALL = (*LEVELS, *TIES)


_DUELS = (1_100, 2_000, 4_000)
_FAR = ((), (100_000,), (100_000, 300_000))


def _duels(depth: Depth) -> int:
    return by_depth(depth, *_DUELS)


def _tests(under_test: Implementation, depth: Depth) -> Tests:
    return under_test.module("beyond.mixture_test").mixture_test, mixture_test(_ALL, _duels(depth))


@fidelity(
    "mixture-boundary",
    domain="The lead that stops the test is right after every number of duels. Eight levels from "
    "0.999 to 2^-1024 are tried, five that the evidence reaches exactly, and five that it just "
    "misses.",
    sizes={"most duels:": _DUELS},
    case="lead at which a match stops",
)
def boundary(under_test: Implementation, depth: Depth) -> Cases:
    margins = mixture_margins(_ALL, _duels(depth))
    for delta in _ALL:
        due = {n: margins[delta][n] for n in range(1, _duels(depth) + 1)}
        yield from _leads(under_test, delta, due)


def _leads(under_test: Implementation, delta: Confidence, due: Mapping[int, int]) -> Cases:
    for n, lead in due.items():
        found = under_test.module("beyond.mixture_test").stopping_lead(n, delta)
        yield "" if found == lead else f"delta = {delta}, n = {n}: a lead of {found}, not {lead}"


@fidelity(
    "mixture-boundary-far",
    domain="The lead at which the test stops is right after 3000, 10000 and 30000 duels, at eight "
    "levels from 0.999 to 2^-1024. It is compared with a binomial tail in ball arithmetic.",
    sizes={"further numbers of duels:": _FAR},
    case="lead at which a match stops",
    kind=Kind.CERTIFIED,
)
def boundary_far(under_test: Implementation, depth: Depth) -> Cases:
    far = by_depth(depth, *_FAR)
    for delta in LEVELS:
        due = {n: mixture_lead(n, delta) for n in (3_000, 10_000, 30_000, *far)}
        yield from _leads(under_test, delta, due)


@fidelity(
    "mixture-stopping",
    domain="Outcomes that stay just inside the boundary, on either side, do not stop the test. "
    "One duel across the boundary stops it. Eight levels from 0.999 to 2^-1024 are tried, and "
    "five that the evidence just reaches.",
    sizes={"most duels:": _DUELS},
    case="run along the boundary",
)
def stopping(under_test: Implementation, depth: Depth) -> Cases:
    duels, tests = _duels(depth), _tests(under_test, depth)
    margins = mixture_margins(_ALL, duels)
    for delta in (*LEVELS, *TIES[::2]):
        yield from along_the_boundary(tests, delta, margins[delta].__getitem__, duels - 1, 50)


@fidelity(
    "mixture-answers",
    domain="The test follows the definition when the first of two arms wins all duels, or loses "
    "all. Three pairs and eight levels from 0.999 to 2^-1024 are tried.",
    case="run with equal outcomes",
)
def answers(under_test: Implementation, depth: Depth) -> Cases:
    margins = mixture_margins(_ALL, _duels(depth))
    for delta in LEVELS:
        shortest = next(n for n in count(1) if margins[delta][n] <= n)
        yield from equal_outcomes(_tests(under_test, depth), delta, shortest)
