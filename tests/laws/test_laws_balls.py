"""The arithmetic under the laws: balls on known values, decisions, outward rounding."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import inf

import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from tgite.confidence import Confidence
from tgite_laws.arithmetic import ZERO, around, minus, plus, standard_deviation, times
from tgite_laws.balls import NearTie, ball, ends, log_integer_ball, log_inverse_ball, sign
from tgite_laws.enclosure import Enclosure

# Published digits (OEIS A000796, A002162, A002193).
PI = "3.1415926535897932384626433832795028841971693993751058209749445923"
LOG_2 = "0.6931471805599453094172321214581765680755001343602552541206800094"
SQRT_2 = "1.4142135623730950488016887242096980785696718753769480731766797379"


@pytest.mark.parametrize(
    ("digits", "value"),
    [
        (PI, lambda: arb.pi()),
        (LOG_2, lambda: log_integer_ball(2)),
        (LOG_2, lambda: log_inverse_ball(Confidence(Fraction(1, 2)))),
        (SQRT_2, lambda: ball(Fraction(2)).sqrt()),
    ],
    ids=["pi", "log 2", "log 1/(1/2)", "sqrt 2"],
)
def test_balls_contain_known_constants_tightly(digits: str, value: Callable[[], arb]) -> None:
    low, high = ends(value, bits=256)
    below, unit = Fraction(digits), Fraction(1, 10 ** (len(digits) - 2))
    assert below <= low <= high <= below + unit
    assert high - low < Fraction(1, 2**240)


def test_sign_raises_the_precision_until_it_knows() -> None:
    near = Fraction(PI)
    assert sign(lambda: arb.pi() - ball(near), "pi") == 1
    assert sign(lambda: ball(near) - arb.pi(), "pi") == -1


def test_sign_refuses_to_decide_a_tie() -> None:
    with pytest.raises(NearTie, match="two ways to two"):
        sign(lambda: ball(Fraction(2)).sqrt() ** 2 - 2, "two ways to two")


def exponential_ball(argument: float) -> arb:
    return ball(Fraction(argument)).exp()


def test_numpy_exp_is_as_accurate_as_the_laws_assume() -> None:
    x = np.concatenate([np.linspace(-700, 1, 1501), np.random.default_rng(1).uniform(-60, 1, 1500)])
    for argument, found in zip(x.tolist(), np.exp(x).tolist(), strict=True):
        low, high = ends(partial(exponential_ball, argument))
        error = max(abs(Fraction(found) - low), abs(Fraction(found) - high))
        assert error <= 4 * high / 2**52


enclosures = st.tuples(
    st.floats(0, 1e30, allow_subnormal=False), st.floats(0, 1e30, allow_subnormal=False)
).map(lambda pair: Enclosure(min(pair), max(pair)))


@given(enclosures, enclosures)
def test_sums_products_and_differences_are_rounded_outwards(a: Enclosure, b: Enclosure) -> None:
    for x in (Fraction(a.low), Fraction(a.high)):
        for y in (Fraction(b.low), Fraction(b.high)):
            total, product = plus(a, b), times(a, b)
            assert Fraction(total.low) <= x + y <= Fraction(total.high)
            assert Fraction(product.low) <= x * y
            assert product.high == inf or x * y <= Fraction(product.high)
            if x >= y:
                difference = minus(a, b)
                assert Fraction(difference.low) <= x - y <= Fraction(difference.high)


def test_zero_stays_zero() -> None:
    assert plus(ZERO, ZERO) == ZERO
    assert times(ZERO, Enclosure(0.0, inf)) == ZERO
    assert standard_deviation(ZERO, ZERO) == ZERO


@given(st.floats(1e-300, 1e30), st.floats(0, 1e-3))
def test_around_holds_all_numbers_within_the_error(value: float, error: float) -> None:
    found = around(value, error)
    assert Fraction(found.low) <= Fraction(value) / (1 + Fraction(error))
    assert Fraction(found.high) >= Fraction(value) / (1 - Fraction(error))


def test_standard_deviation_of_a_known_law() -> None:
    # A fair die: mean 7/2, variance 35/12.
    found = standard_deviation(around(3.5, 1e-15), around(91 / 6, 1e-15))
    assert Fraction(found.low) ** 2 <= Fraction(35, 12) <= Fraction(found.high) ** 2
    assert found.high - found.low < 1e-13
