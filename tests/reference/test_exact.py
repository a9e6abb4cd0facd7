"""The exact enclosures, against ball arithmetic."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from tgite import exact
from tgite.exact import basel_factor_enclosure, log_enclosure, pi_enclosure, round_enclosure

DIGITS = (5, 20, 40, 100, 300)
RATIONALS = st.builds(Fraction, st.integers(1, 10**40), st.integers(1, 10**40))


def ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def encloses(ends: tuple[Fraction, Fraction], value: arb) -> bool:
    """Say whether the ends lie on both sides of a ball that is far smaller than their distance."""
    low, high = ends
    return bool(ball(low) <= value) and bool(value <= ball(high))


@pytest.mark.parametrize("digits", DIGITS)
def test_pi_and_six_over_its_square_lie_in_their_enclosures(digits: int) -> None:
    with ctx.workprec(2000):
        pi, factor = arb.pi(), 6 / (arb.pi() * arb.pi())
        for found, value in ((pi_enclosure(digits), pi), (basel_factor_enclosure(digits), factor)):
            assert encloses(found, value)
            assert found[1] - found[0] <= Fraction(1, 10**digits)


@given(RATIONALS, st.sampled_from(DIGITS))
def test_logarithms_lie_in_their_enclosures(value: Fraction, digits: int) -> None:
    low, high = log_enclosure(value, digits)
    larger = max(value.numerator, value.denominator)
    assert high - low <= Fraction(8 * larger.bit_length(), 10 ** (digits - 1))
    if value == 1:
        assert low == high == 0
        return
    with ctx.workprec(2000):
        assert encloses((low, high), ball(value).log())


def test_the_logarithm_of_an_integer_of_many_bits() -> None:
    low, high = log_enclosure(Fraction(1, 2**65536), 40)
    with ctx.workprec(400):
        assert encloses((low, high), -65536 * arb(2).log())


@given(RATIONALS, st.sampled_from((1, 3, 20)))
def test_rounding_goes_outwards(value: Fraction, digits: int) -> None:
    low, high = round_enclosure(value, digits)
    assert low <= value <= high
    assert high - low <= value * Fraction(2, 10 ** (digits - 1))


def test_a_short_decimal_is_not_rounded() -> None:
    assert round_enclosure(Fraction(1, 8), 3) == (Fraction(1, 8), Fraction(1, 8))


def test_long_powers_lie_within_their_enclosures() -> None:
    for exponent in (500, 901):
        low, high = exact.power_enclosure(Fraction(5, 3), exponent, 3)
        assert low < Fraction(5, 3) ** exponent < high < 2 * low
