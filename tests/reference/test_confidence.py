"""Confidence levels of all kinds: written, ordered and taken the logarithm of, exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import cast

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from refusals import refused
from tgite import Confidence
from tgite.confidence import log_inverse_enclosure

PARTS = st.integers(1, 10**30)


@st.composite
def levels(draw: st.DrawFn) -> Confidence:
    """Draw a level: plain or with 6/pi^2, ordinary, near 1, tiny, or with a long denominator."""
    a, b = draw(PARTS), draw(PARTS)
    rational = Fraction(min(a, b), max(a, b) + 1)
    rational /= draw(st.sampled_from((1, 3, 2**64, 2**1023, 2**1025, 2**20000, 3**10000)))
    basel = draw(st.booleans())
    if draw(st.integers(0, 9)) == 0:
        rational = 1 - Fraction(1, max(a, b) + 1)
    return Confidence(rational, basel)


def ball(level: Confidence) -> arb:
    value = arb(fmpq(level.rational.numerator, level.rational.denominator))
    return value * 6 / (arb.pi() * arb.pi()) if level.basel else value


def whole_part(value: arb) -> int:
    whole = value.floor().unique_fmpz()
    assert whole is not None, "not separated from the next whole number"
    return int(whole)


@given(levels())
def test_what_is_written_is_read_again(level: Confidence) -> None:
    again = Confidence.of(str(level))
    assert (again, str(again), hash(again)) == (level, str(level), hash(level))


@given(levels())
def test_the_logarithm_is_the_nearest_float_or_its_neighbour(level: Confidence) -> None:
    with ctx.workprec(40000):
        error = (-ball(level).log() - arb(level.log_inverse)).abs_upper()
        assert bool(error <= arb(level.log_inverse) / 2**52)
    assert level.log_inverse > 0


@st.composite
def pairs_of_levels(draw: st.DrawFn) -> tuple[Confidence, Confidence]:
    """Draw two levels: any two, or two that a factor of 6/pi^2 and a hair tell apart."""
    a, b = draw(levels()), draw(levels())
    if not a.basel and draw(st.booleans()):
        scale = 10 ** draw(st.integers(1, 90))
        with ctx.workprec(40000):
            most = arb.pi() ** 2 / 6 * scale
            nearly = whole_part(ball(a) * most) + draw(st.integers(0, 1))
            b = Confidence(Fraction(max(1, min(nearly, whole_part(most))), scale), basel=True)
    return a, b


@given(pairs_of_levels())
def test_levels_are_ordered_as_real_numbers(levels: tuple[Confidence, Confidence]) -> None:
    a, b = levels
    if a == b:
        assert (a < b, a > b, a <= b, a >= b) == (False, False, True, True)
        assert hash(a) == hash(b)
        return
    with ctx.workprec(40000):
        below = bool(ball(a) < ball(b))
        assert below != bool(ball(b) < ball(a))
    assert (a < b, a > b, a <= b, a >= b) == (below, not below, below, not below)


@given(st.integers(1, 90))
def test_the_border_of_6_over_pi_squared(digits: int) -> None:
    """Levels and non-levels that only so many digits of pi tell apart."""
    scale = 10**digits
    with ctx.workprec(600):
        fewest = whole_part(arb.pi() ** 2 / 6 * scale)
    assert Confidence(Fraction(fewest, scale), basel=True).log_inverse > 0
    with refused("confidence", "strictly between 0 and 1"):
        Confidence(Fraction(fewest + 1, scale), basel=True)


@given(levels(), st.integers(2, 60))
def test_the_enclosure_holds_the_logarithm_at_every_precision(
    level: Confidence, digits: int
) -> None:
    low, high = log_inverse_enclosure(level, digits)
    with ctx.workprec(40000):
        true = -ball(level).log()
        assert bool(arb(fmpq(low.numerator, low.denominator)) <= true)
        assert bool(arb(fmpq(high.numerator, high.denominator)) >= true)


def test_levels_are_not_compared_with_numbers() -> None:
    with pytest.raises(TypeError):
        _ = Confidence.of("1/10") < cast(Confidence, 0.1)
