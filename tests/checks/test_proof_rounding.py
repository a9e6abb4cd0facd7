"""The float code is what the proofs speak of, by terms and bits, and rounds as they allow."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import log, sqrt
from math import ulp as ulp_of

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coq_ties.rounding import budget_is_within
from golden import table
from tgite.budgeted_duel_test import b, budget
from tgite.confidence import Confidence
from tgite.duel_test import c
from tgite.schedules import anytime_level, bkt_round_level, screening_level
from tgite_checks.check import UNDECIDED, Depth
from tgite_checks.fidelity import formulas
from tgite_checks.fidelity.formulas import DUELTEST_RADIUS, at_every_number_of_duels
from tgite_checks.mutation import Mutant, mutated
from tgite_checks.proofs import float_code
from tgite_checks.proofs.float_code import Exactly, Term, nearest, read_and_run, term
from tgite_laws.balls import ends, log_inverse_ball
from tgite_laws.implementation import REFERENCE

Radius = Callable[[int, Confidence], float]

LEVELS = [
    Confidence.of("1/10"),
    Confidence.of("0.999999"),
    bkt_round_level(Confidence.of("1/20"), 3),
    screening_level(40),
    Confidence.of("2^-1024"),
    Confidence.of("2^-65536"),
]


@pytest.mark.parametrize(
    ("radius", "formula"), [(c, DUELTEST_RADIUS), (b, formulas.BUDGETED_RADIUS)], ids=["c", "b"]
)
def test_every_radius_has_a_small_relative_error(radius: Radius, formula: formulas.Formula) -> None:
    ((block, found),) = formulas.pieces(radius)
    assert (block.first, block.last) == (1, formulas.MOST)
    assert isinstance(found, formulas.Float)
    assert found.real == formula
    assert formulas.largest_error(found.ratio) <= Fraction(1, 2**50)


def test_what_the_code_asks_about_n_splits_the_blocks() -> None:
    def in_two_ways(n: int, delta: Confidence) -> float:
        if 10**5 < n != 10**9:
            return sqrt((log(n + 1) + (log(2) + delta.log_inverse + log(n))) / (n * 2))
        return c(n, delta) if n == 0 else sqrt((log(2 * n * (n + 1)) + delta.log_inverse) / 2 / n)

    blocks = [block for block, found in formulas.pieces(in_two_ways)]
    assert blocks[0].first == 1
    assert blocks[-1].last == formulas.MOST
    assert all(one.last + 1 == two.first for one, two in pairwise(blocks))
    # However it is written, it is the formula.
    assert set(at_every_number_of_duels(in_two_ways, DUELTEST_RADIUS)) == {""}


@pytest.mark.parametrize(
    "radius",
    [
        lambda n, delta: c(n, delta) * 1.0,
        lambda n, delta: sqrt((log(2 * n * (n + 1)) - log(delta.rational)) / (2 * n)),
        lambda n, delta: sqrt((log(2 * n * (n + 1)) + delta.log_inverse) / (2.0 * n)),
        lambda n, delta: sqrt((log(2 * n * (n + 1)) + delta.log_inverse) / n / 2.0),
        sqrt,
    ],
)
def test_what_cannot_be_followed_is_left_open(radius: Radius) -> None:
    (case,) = at_every_number_of_duels(radius, DUELTEST_RADIUS)
    assert str(case).startswith(UNDECIDED)


def test_log_inverse_is_the_nearest_float_or_its_neighbour() -> None:
    levels = [*LEVELS, *(screening_level(s) for s in range(1, 300))]
    levels += [anytime_level(s) for s in range(1, 17)]
    levels += [bkt_round_level(level, r) for level in levels if not level.basel for r in (1, 2, 9)]
    for delta in levels:
        low, high = ends(partial(log_inverse_ball, delta), bits=256)
        ulp = Fraction(ulp_of(delta.log_inverse))
        assert high - ulp <= delta.log_inverse <= low + ulp


GAPS = [Fraction(1, 2), Fraction(26, 100), Fraction(1, 10), Fraction(1, 50), Fraction(3, 250)]


@pytest.mark.parametrize("delta", LEVELS, ids=str)
@pytest.mark.parametrize("g", GAPS, ids=str)
def test_every_budget_is_allowed(g: Fraction, delta: Confidence) -> None:
    assert budget_is_within(g, delta)


@pytest.mark.parametrize("off", [-1, 1])
def test_budgets_one_off_are_told(off: int) -> None:
    code = dataclasses.replace(REFERENCE, budget=lambda g, delta: budget(g, delta) + off)
    assert not budget_is_within(Fraction(1, 2), LEVELS[0], code)


LEVEL = Confidence.of("1/10")
L = LEVEL.log_inverse


OTHERWISE = table("checks/float_code.toml", "otherwise")
ORDERS = table("checks/float_code.toml", "orders")["rows"]


@pytest.mark.parametrize("name", OTHERWISE)
def test_code_that_is_written_otherwise_is_not_what_is_proved(name: str) -> None:
    module, original, replaced = OTHERWISE[name]
    code = mutated(Mutant(name, "alg:dueltest", module, original, replaced, "otherwise"))
    (told,) = read_and_run(code, module, Depth.QUICK)
    assert told


def test_the_code_is_what_is_proved_and_one_without_source_is_not_read() -> None:
    for test in float_code.DECISIONS:
        assert set(read_and_run(REFERENCE, test, Depth.QUICK)) == {""}
    for radius in (eval("lambda n, delta: 1.0"), partial(c)):
        with pytest.raises(float_code.NotATerm):
            float_code.decisions(dataclasses.replace(REFERENCE, c=radius), "duel_test")


# The bits tell apart ways to compute the same real number.

STOPS = float_code.recorded_terms()["code_stops"].arguments
TERM, DISTANCE = STOPS[3], STOPS[2]
MEAN = float_code.recorded_terms()["code_ahead"].arguments[2]


def differ(code: Callable[[int, int], float], found: Term) -> bool:
    """Say whether the code, of n and S, gives other bits than a term for some of them."""
    return any(
        code(n, S) != Exactly({"n": n, "s": S, "d": Fraction(LEVEL.log_inverse)}).number(found)
        for n in float_code.numbers_of_duels(60, 2)
        for S in (n // 3, n - n // 5)
    )


@pytest.mark.parametrize(("code", "found", "bits_differ"), ORDERS)
def test_another_order_has_other_bits(code: str, found: str, bits_differ: bool) -> None:
    assert differ(eval(f"lambda n, S: {code}"), globals()[found]) is bits_differ


# The rounding of the terms is the one of the floats, and is not made of it.


@given(st.fractions(), st.integers(-1100, 1000))
def test_nearest_is_the_nearest_double(x: Fraction, power: int) -> None:
    scaled = x * Fraction(2) ** power
    assert nearest(scaled) == float(scaled)


@pytest.mark.parametrize("power", [-1074, -1030, -20, 0, 900])
def test_ties_go_to_even(power: int) -> None:
    unit = Fraction(2) ** power
    odd, even = (2**52 + 1) * unit, (2**52 + 2) * unit
    assert nearest((odd + even) / 2) == even
    assert nearest((odd + odd - unit) / 2) == odd - unit
    assert nearest(-(odd + even) / 2) == -even


def test_what_is_too_large_is_no_double() -> None:
    largest = Fraction(sys.float_info.max)
    assert nearest(largest + Fraction(2) ** 969) == largest
    with pytest.raises(OverflowError):
        nearest(largest + Fraction(2) ** 970)


@given(st.floats(0, allow_infinity=False))
def test_a_root_is_the_nearest_double(x: float) -> None:
    root = term("Sqrt (float (log_inverse d))")
    assert Exactly({"d": Fraction(x)}).number(root) == sqrt(x)
