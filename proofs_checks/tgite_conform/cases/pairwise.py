"""Cases of DuelTest and BudgetedDuelTest: every ending, and the boundary from both sides."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction

from tgite import Confidence, budget
from tgite_conform.cases.choices import FIRST_ARM_IS_ONE, GAPS, LEVELS, match_recipe
from tgite_conform.plans import (
    Way,
    along_the_boundary,
    higher_wins,
    late,
    lower_wins,
    noisy,
    plan,
    straight,
    tie,
)
from tgite_conform.record import Recipe

_SIDES = (("first", lower_wins), ("second", higher_wins))
_BUDGETED_LEVELS = ("999/1000", "1/2", "1/10", "1/1000000", "2^-64", "2^-1024", "1/40 * 6/pi^2")
_MOST_BUDGET = 4000

# Where 2n c(n, delta) is next to a whole number d of n's parity, so that |2S - n| = d decides:
# (delta, n, d). Some d lie above the boundary and some below. Found by search over the
# levels k/1000 and n up to 3000.
NEAR_MISSES = (
    ("28/125", 74, 40),
    ("87/200", 477, 115),
    ("643/1000", 1519, 219),
    ("1/100", 1562, 250),
    ("549/1000", 2259, 275),
    ("49/50", 2722, 300),
    ("337/500", 2732, 304),
)

_test = functools.partial(match_recipe, "duel_test")


def recipes() -> Iterator[Recipe]:
    """Yield the recipes."""
    yield from _duel_test()
    yield from _near_misses()
    yield from _budgeted()


def _duel_test() -> Iterator[Recipe]:
    ways: dict[str, Way] = {
        "wins every duel": straight,
        "wins after a tie of 20": late(10),
        "wins from its own boundary at 200": along_the_boundary(200),
        "wins from the other's boundary at 200": along_the_boundary(200, own_side=False),
        "wins 4 of 5": noisy(1, 80),
    }
    for level in (*LEVELS, "1/40 * 6/pi^2", "999/1000 * 6/pi^2", "2^-1024 * 6/pi^2"):
        for side, winner in _SIDES:
            for words, way in ways.items():
                yield _test(f"delta = {level}: the {side} {words}", level, plan(winner, way))
    for seed, percent in ((2, 90), (3, 70), (4, 65)):
        for side, winner in _SIDES:
            name = f"the {side} wins {percent} of 100, tape {seed}"
            yield _test(name, "1/100", plan(winner, noisy(seed, percent)))
    for u, v in ((1, 0), (3, 7), (9, 2)):
        for which, winner in (("lower", lower_wins), ("higher", higher_wins)):
            name, outcomes = f"arms {u} and {v}: the {which} one wins", plan(winner, late(3))
            yield _test(name, "1/10", outcomes, arms=(u, v))
    outcomes = plan(higher_wins, late(3))
    yield _test("arms are numbered from 1", "1/10", outcomes, None, FIRST_ARM_IS_ONE, (1, 2))
    for level, duels, own_side in (
        ("1/100", 10_000, True),
        ("1/1000000", 10_000, False),
        ("2^-1024", 30_000, True),
        ("1/10", 100_000, True),
        ("1/1000", 100_000, False),
    ):
        winner, whose = (lower_wins, "its own") if own_side else (higher_wins, "the other's")
        name = f"delta = {level}: wins from {whose} boundary at {duels}"
        yield _test(name, level, plan(winner, along_the_boundary(duels, own_side)))


def _near_misses() -> Iterator[Recipe]:
    """A walk that is tied at first and comes to the boundary only at n, where a hair decides."""
    for level, n, d in NEAR_MISSES:
        for side, winner in _SIDES:
            name = f"delta = {level}: a hair at n = {n}, for the {side}"
            yield _test(name, level, plan(winner, late((n - d) // 2)))


def _budgeted() -> Iterator[Recipe]:
    for g in GAPS:
        for level in _BUDGETED_LEVELS:
            M = budget(Fraction(g), Confidence.of(level))
            ways: dict[str, Way] = {
                "wins every duel": straight,
                "wins the first of equally many": tie,
                "wins after a tie of 6": late(3),
                "wins from its own boundary": along_the_boundary(M),
                "wins from the other's boundary": along_the_boundary(M // 2, own_side=False),
            }
            for side, winner in _SIDES if M <= _MOST_BUDGET else ():
                for words, way in ways.items():
                    name = f"g = {g}, delta = {level}, M = {M}: the {side} {words}"
                    yield _test(name, level, plan(winner, way), g)
    for u, v in ((1, 0), (9, 2)):
        for words, way in (("a tie", tie), ("a straight win", straight)):
            name, outcomes = f"arms {u} and {v}: {words}", plan(lower_wins, way)
            yield _test(name, "1/2", outcomes, "2/5", arms=(u, v))
    M = budget(Fraction(1, 250), Confidence.of("1/10"))
    name = f"g = 1/250, M = {M}: along the boundary to the last duel"
    yield _test(name, "1/10", plan(higher_wins, along_the_boundary(M)), "1/250")
