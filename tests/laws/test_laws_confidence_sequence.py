"""The confidence sequence's miss probability: against exact arithmetic, and tightness."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest

from tgite.confidence import Confidence
from tgite.errors import InvalidInput
from tgite_laws.balls import ball, log_integer_ball, log_inverse_ball, sign
from tgite_laws.confidence_sequence import miss_probability


def exact_miss_probability(delta: Confidence, p: Fraction, cut: int) -> Fraction:
    """Compute it in whole numbers, every decision by balls."""

    def misses(n: int, S: int) -> bool:
        square = (S - n * p) ** 2
        return (
            sign(
                lambda: (
                    2 * ball(square)
                    - n * (log_integer_ball(2 * n * (n + 1)) + log_inverse_ball(delta))
                ),
                "miss",
            )
            > 0
        )

    missed = Fraction(0)
    alive: Counter[int] = Counter({0: 1})
    for n in range(1, cut + 1):
        stepped: Counter[int] = Counter()
        for S, count in alive.items():
            stepped[S] += count
            stepped[S + 1] += count
        alive = Counter()
        for S, count in stepped.items():
            if misses(n, S):
                missed += count * p**S * (1 - p) ** (n - S)
            else:
                alive[S] = count
    return missed


@pytest.mark.parametrize(
    ("level", "p"),
    [("0.1", "1/2"), ("0.999", "7/10"), ("0.5", "1/50"), ("1/2 * 6/pi^2", "9/10"), ("1e-9", "1/3")],
)
def test_agrees_with_exact_arithmetic(level: str, p: str) -> None:
    delta, chance = Confidence.of(level), Fraction(p)
    found = miss_probability(delta, chance, cut=90)
    exact = exact_miss_probability(delta, chance, 90)
    assert exact > 0
    assert Fraction(found.until_cut.low) <= exact <= Fraction(found.until_cut.high)
    assert found.until_cut.high - found.until_cut.low <= 1e-12 * found.until_cut.high


@pytest.mark.parametrize("p", ["1/2", "7/10", "99/100"])
def test_enclosures_of_different_cuts_agree_and_shrink(p: str) -> None:
    delta, chance = Confidence.of("0.1"), Fraction(p)
    cuts = [miss_probability(delta, chance, cut) for cut in (128, 1024, 8192)]
    for a, b in pairwise(cuts):
        assert a.until_cut.low <= b.until_cut.high
        assert b.ever.low <= a.ever.high
        assert b.ever.high - b.ever.low < (a.ever.high - a.ever.low) / 10
    assert cuts[-1].ever.high < float(delta.rational)


def test_it_is_far_below_delta_and_depends_on_p() -> None:
    delta = Confidence.of("0.1")
    half, other = (miss_probability(delta, Fraction(p)).ever for p in ("1/2", "7/10"))
    assert half.high < 0.1 / 3000
    assert other.low > 4 * half.high


@pytest.mark.parametrize("p", [Fraction(0), Fraction(1), Fraction(3, 2)])
def test_bad_arguments_are_refused(p: Fraction) -> None:
    with pytest.raises(InvalidInput):
        miss_probability(Confidence.of("0.1"), p)
    with pytest.raises(InvalidInput):
        miss_probability(Confidence.of("0.1"), Fraction(1, 2), cut=0)
