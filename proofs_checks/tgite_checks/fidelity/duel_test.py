"""Fidelity of DuelTest (``alg:dueltest``): when it stops, and what it answers.

Its true error is far below its level, so runs cannot tell a correct version from a nearly correct
one. The boundary can. It is computed by ball arithmetic, and the test is run along it, one duel
short of stopping on either side.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from math import log10

from tgite.confidence import Confidence
from tgite.questions import Duel, Outcome
from tgite_checks.check import Cases, Depth, Kind, by_depth, fidelity
from tgite_checks.fidelity.boundaries import least_margin, shortest
from tgite_checks.fidelity.formulas import DUELTEST_RADIUS, at_every_number_of_duels
from tgite_checks.fidelity.setting import Tests, difference, duel_tests
from tgite_laws.implementation import Implementation

LEVELS = tuple(
    Confidence.of(text)
    for text in ("0.999", "1/2", "1/10", "1/40 * 6/pi^2", "1e-9", "2^-64", "1e-100", "2^-1024")
)
"""Levels at which the pairwise tests are examined."""

FARTHEST = 100_000
"""The most duels of one test that are examined."""

_ALONG = ((2_000, 50), (30_000, 300), (FARTHEST, 2000))


_EXAMINED = ((2_000, 331), (20_000, 7), (FARTHEST, 1))
"""The numbers of duels examined at each depth: all to the first, then by steps of the second."""

_EXAMINED_IN_WORDS = [
    f"1 to {first}" + (f", then in steps of {step} to {FARTHEST}" if step > 1 else "")
    for first, step in _EXAMINED
]


def numbers_of_duels(depth: Depth) -> Iterable[int]:
    """Return the numbers of duels at which a boundary is examined."""
    first, step = by_depth(depth, *_EXAMINED)
    return (*range(1, first + 1), *range(first + 1, FARTHEST + 1, step))


def just_inside(margin_of: Callable[[int], int], duels: int) -> tuple[list[Outcome], list[int]]:
    """Return outcomes as close as possible inside the boundary, and the near misses.

    The near misses are the numbers of duels at which the other outcome would have crossed it.
    """
    outcomes: list[Outcome] = []
    near_misses: list[int] = []
    d = 0
    for n in range(1, duels + 1):
        crosses = d + 1 >= margin_of(n)
        outcomes.append(not crosses)
        d += -1 if crosses else 1
        if crosses:
            near_misses.append(n)
    return outcomes, near_misses


def spread_out(numbers: list[int], low: int) -> list[int]:
    """Keep the numbers up to ``low`` and, above it, about three in every power of ten."""
    kept = [n for n in numbers if n <= low]
    for n in numbers:
        if n > low and (not kept or log10(n) - log10(kept[-1]) > 1 / 3):
            kept.append(n)
    return kept


def departure_on(
    tests: Tests, duel: Duel, delta: Confidence, outcomes: list[Outcome], described: str
) -> str:
    """Return where a pairwise test differs from its definition on ``outcomes``, or nothing.

    ``described`` says what the outcomes are.
    """
    own, right = (test(duel.first, duel.second, delta) for test in tests)
    next_one = outcomes[::-1].pop
    wrong = difference(own, right, lambda duel: next_one(), len(outcomes) + 1)
    return f"{duel} at delta = {delta}, {described}: {wrong}" if wrong else ""


def sides(outcomes: list[Outcome]) -> Iterator[tuple[bool, list[Outcome]]]:
    """Return the outcomes, in which the first arm leads, and their mirror image."""
    yield True, outcomes
    yield False, [not outcome for outcome in outcomes]


def decisions(radius: float, n: int, stopping: int, described: str) -> Cases:
    """Compare the decisions at both sides of a boundary after ``n`` duels, above and below 1/2.

    ``stopping`` is the least margin that stops by the real numbers. By the rule under test the
    mean's distance from 1/2 must exceed the radius.
    """
    stopping += (n - stopping) % 2  # the margin after n duels has the parity of n
    for d, stops in ((stopping, True), (min(stopping - 2, n), False)):
        if d > n:
            continue
        for S in ((n + d) // 2, (n - d) // 2):
            wrong = (abs(S / n - 1 / 2) > radius) != stops
            said = f"with the radius {radius!r} it {'goes on' if stops else 'stops'}"
            yield (
                f"{described}, n = {n}, S = {S}: {said}, against the real numbers" if wrong else ""
            )


def along_the_boundary(
    tests: Tests, delta: Confidence, margin_of: Callable[[int], int], duels: int, every_miss_to: int
) -> Cases:
    """Run a test along its boundary, one duel short of stopping, and across it at near misses."""
    duel = Duel(4, 2)
    inside, near_misses = just_inside(margin_of, duels)
    for leads, outcomes in sides(inside):
        for n in spread_out([n for n in near_misses if n < duels], every_miss_to):
            run = [*outcomes[: n - 1], leads]
            yield departure_on(
                tests, duel, delta, run, f"outcomes just inside, crossing at n = {n}"
            )
        yield departure_on(tests, duel, delta, outcomes, f"{duels} outcomes just inside")


@fidelity(
    "dueltest-radius",
    domain="After n duels the test stops at the least lead that must stop it, and not at the next "
    "smaller lead. Either arm may lead. Eight levels from 0.999 to 2^-1024 are tried.",
    sizes={"numbers of duels:": _EXAMINED_IN_WORDS},
    case="decision at the boundary or just inside",
)
def radius(under_test: Implementation, depth: Depth) -> Cases:
    for delta in LEVELS:
        for n in numbers_of_duels(depth):
            radius = under_test.c(n, delta)
            yield from decisions(radius, n, least_margin(n, delta), f"delta = {delta}")


@fidelity(
    "dueltest-radius-everywhere",
    domain="For every n up to 2^60 and every level, the computed radius is the real one to a "
    "relative error of 2^-40, if log errs by at most one unit in the last place.",
    case="block of numbers of duels",
    kind=Kind.CERTIFIED,
)
def radius_everywhere(under_test: Implementation, depth: Depth) -> Cases:
    yield from at_every_number_of_duels(under_test.c, DUELTEST_RADIUS)


@fidelity(
    "dueltest-stopping",
    domain="Outcomes that stay just inside the boundary, on either side, do not stop the test. "
    "One duel across the boundary stops it, and the leader is returned. Of eight levels from "
    f"0.999 to 2^-1024, level 1/10 is always tried to {FARTHEST} duels.",
    sizes={"duels at the other levels:": [most for most, _ in _ALONG]},
    case="run along the boundary",
)
def stopping(under_test: Implementation, depth: Depth) -> Cases:
    most, every_miss_to = by_depth(depth, *_ALONG)
    for delta in LEVELS:
        margin_of = functools.partial(least_margin, delta=delta)
        farthest = FARTHEST if delta == LEVELS[2] else most
        tests = duel_tests(under_test)
        yield from along_the_boundary(tests, delta, margin_of, farthest, every_miss_to)


@fidelity(
    "dueltest-answers",
    domain="The test follows the text when the first of two arms wins all duels, or loses all. "
    "Three pairs and eight levels from 0.999 to 2^-1024 are tried.",
    case="run with equal outcomes",
)
def answers(under_test: Implementation, depth: Depth) -> Cases:
    for delta in LEVELS:
        yield from equal_outcomes(duel_tests(under_test), delta, shortest(delta))


def alternating_outcomes(tests: Tests, g: Fraction, delta: Confidence, M: int) -> Cases:
    """Run a test to its budget M on alternating outcomes, which end in a tie or one duel apart."""
    for first_wins, outcomes in sides([n % 2 == 1 for n in range(1, M + 1)]):
        for pair in ((0, 1), (1, 0)):
            told = f"alternating outcomes, u wins the first: {first_wins}; g = {g}, M = {M}"
            yield departure_on(tests, Duel(*pair), delta, outcomes, told)


def compared(
    found: Callable[[Fraction, Confidence], int],
    expected: Callable[[Fraction, Confidence], int],
    settings: Iterable[tuple[Fraction, Confidence]],
) -> Cases:
    """Compare a function of a known gap and a level with its definition."""
    for g, delta in settings:
        number, right = found(g, delta), expected(g, delta)
        yield "" if number == right else f"g = {g}, delta = {delta}: {number}, not {right}"


def equal_outcomes(tests: Tests, delta: Confidence, duels: int) -> Cases:
    """Let the first arm win, or lose, all of a test's ``duels``."""
    for pair in ((0, 1), (1, 0), (7, 3)):
        for wins in (True, False):
            described = f"{duels} times that the first arm {'wins' if wins else 'loses'}"
            yield departure_on(tests, Duel(*pair), delta, [wins] * duels, described)
