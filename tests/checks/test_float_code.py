"""The float code is what the proofs speak of, by its terms and by its bits, and by nothing less."""

from __future__ import annotations

import dataclasses
import functools
import sys
from collections.abc import Callable
from fractions import Fraction
from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden import table
from tgite.confidence import Confidence
from tgite.duel_test import c
from tgite_checks.check import Depth
from tgite_checks.mutation import Mutant, mutated
from tgite_checks.proofs import float_code
from tgite_checks.proofs.float_code import Exactly, Term, nearest, read_and_run, term
from tgite_laws.implementation import REFERENCE

LEVEL = Confidence.of("1/10")
L = LEVEL.log_inverse


OTHERWISE = table("checks/float_code.toml", "otherwise")


@pytest.mark.parametrize("name", OTHERWISE)
def test_code_that_is_written_otherwise_is_not_what_is_proved(name: str) -> None:
    module, original, replaced = OTHERWISE[name]
    code = mutated(Mutant(name, "alg:dueltest", module, original, replaced, "otherwise"))
    (told,) = read_and_run(code, module, Depth.QUICK)
    assert told


def test_the_code_is_what_is_proved_and_one_without_source_is_not_read() -> None:
    for test in float_code.DECISIONS:
        assert set(read_and_run(REFERENCE, test, Depth.QUICK)) == {""}
    for radius in (eval("lambda n, delta: 1.0"), functools.partial(c)):
        with pytest.raises(float_code.NotATerm):
            float_code.decisions(dataclasses.replace(REFERENCE, c=radius), "duel_test")


@pytest.mark.parametrize("text", ["f", "f x 1", "f (g x) (h (M.k y') 2)"])
def test_a_term_is_read_as_it_is_written(text: str) -> None:
    assert str(term(text)) == text


# The bits tell apart ways to compute the same real number.

STOPS = float_code.recorded_terms()["code_stops"].arguments
RADIUS, DISTANCE = STOPS[3], STOPS[2]
MEAN = float_code.recorded_terms()["code_ahead"].arguments[2]


def differ(code: Callable[[int, int], float], found: Term) -> bool:
    """Say whether the code, of n and S, gives other bits than a term for some of them."""
    return any(
        code(n, S) != Exactly({"n": n, "s": S, "d": Fraction(LEVEL.log_inverse)}).number(found)
        for n in float_code.numbers_of_duels(60, 2)
        for S in (n // 3, n - n // 5)
    )


@pytest.mark.parametrize(
    ("code", "found", "bits_differ"),
    [
        (lambda n, S: c(n, LEVEL), RADIUS, False),
        (lambda n, S: S / n, MEAN, False),
        (lambda n, S: abs(S / n - 1 / 2), DISTANCE, False),
        (lambda n, S: sqrt(log(2 * n * (n + 1)) + L) / sqrt(2 * n), RADIUS, True),
        (lambda n, S: sqrt((log(2) + log(n) + log(n + 1) + L) / (2 * n)), RADIUS, True),
        (lambda n, S: sqrt(log(2 * n * (n + 1)) / (2 * n) + L / (2 * n)), RADIUS, True),
        (lambda n, S: sqrt((log(2 * n * (n + 1)) + L) * (1 / (2 * n))), RADIUS, True),
        (lambda n, S: float(S) / float(n), MEAN, True),
        (lambda n, S: S * (1 / n), MEAN, True),
        (lambda n, S: 1 - (n - S) / n, MEAN, True),
        (lambda n, S: abs(2 * S - n) / (2 * n), DISTANCE, True),
    ],
)
def test_another_order_has_other_bits(
    code: Callable[[int, int], float], found: Term, bits_differ: bool
) -> None:
    assert differ(code, found) is bits_differ


def test_the_logarithm_is_taken_of_the_rounded_int() -> None:
    asked: list[float] = []
    n = 2**53 + 1

    def remembering(x: float) -> float:
        asked.append(x)
        return log(x)

    run = Exactly({"n": n, "d": Fraction(LEVEL.log_inverse)}, remembering)
    assert run.number(RADIUS) == c(n, LEVEL)
    assert asked == [float(2 * n * (n + 1))]


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
