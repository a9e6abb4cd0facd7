"""Confidence levels: read, written, ordered and taken the logarithm of, exactly."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from fractions import Fraction
from typing import cast

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from refusals import refused
from tgite import Confidence
from tgite.confidence import log_inverse_enclosure, read_number, read_rational

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


@pytest.mark.parametrize(
    ("text", "rational", "basel"),
    [
        ("0.1", Fraction(1, 10), False),
        (" 1/10 ", Fraction(1, 10), False),
        ("1e-30", Fraction(1, 10**30), False),
        ("2^-1024", Fraction(1, 2**1024), False),
        ("4**-3", Fraction(1, 64), False),
        ("1/3 * 2^-5", Fraction(1, 96), False),
        ("1/40 * 6/pi^2", Fraction(1, 40), True),
        ("1/3 * 2^-16385 * 6/pi^2", Fraction(1, 3 * 2**16385), True),
        (0.1, Fraction(1, 10), False),
        (1e-9, Fraction(1, 10**9), False),
        (Fraction(2, 7), Fraction(2, 7), False),
        ("1.5 * 6/pi**2", Fraction(3, 2), True),
    ],
)
def test_levels_are_read_exactly(
    text: str | float | Fraction, rational: Fraction, basel: bool
) -> None:
    assert Confidence.of(text) == Confidence(rational, basel)


@pytest.mark.parametrize(
    ("number", "value"),
    [
        *((0.1, "1/10"), ("0.1", "1/10"), ("-3/9", "-1/3")),
        *((" 1e3 ", "1000"), (7, "7"), (Fraction(2, 7), "2/7")),
    ],
)
def test_numbers_are_read_exactly(number: str | float | Fraction, value: str) -> None:
    assert read_number("x", number) == Fraction(value)


@pytest.mark.parametrize(
    ("level", "text"),
    [
        (Fraction(1, 2**7), "1/128"),
        (Fraction(1, 2**8), "2^-8"),
        (Fraction(1, 2**9), "2^-9"),
        (Fraction(3, 2**9), "3/512"),
        (Fraction(1, 3 * 2**9), "1/1536"),
        (Fraction(5, 2**1023), f"5/{2**1023}"),
        (Fraction(5, 2**1024), "5 * 2^-1024"),
        (Fraction(1, 3 * 2**1024), "1/3 * 2^-1024"),
        (Fraction(1, 10**4000), f"1/{5**4000} * 2^-4000"),
        (Fraction(1, 2**14000 - 1), f"1/{2**14000 - 1}"),
        (Fraction(1, 2**14000 + 1), f"0x1/{2**14000 + 1:#x}"),
    ],
    ids=lambda value: value[:12] if isinstance(value, str) else "",
)
def test_levels_are_written_in_the_shortest_fitting_form(level: Fraction, text: str) -> None:
    assert str(Confidence(level)) == text
    assert str(Confidence(level, basel=True)) == f"{text} * 6/pi^2"


def test_powers_are_read_up_to_a_size_and_no_further() -> None:
    largest = 2**24
    assert read_rational("level", f"2^-{largest}") == Fraction(1, 2**largest)
    assert read_rational("level", "1^-3") == 1
    assert read_rational("level", "1e-100000") == Fraction(1, 10**100000)


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


def test_levels_cannot_be_changed_nor_compared_with_other_things() -> None:
    level, other = Confidence.of("1/10"), cast(Confidence, 0.1)
    assert level != other
    with pytest.raises(TypeError):
        _ = level < other
    with pytest.raises(FrozenInstanceError):
        level.rational = Fraction(1, 2)  # type: ignore[misc]
