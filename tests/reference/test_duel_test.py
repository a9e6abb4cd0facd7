"""DuelTest: known lengths, input, and levels that floats cannot hold."""

from __future__ import annotations

from fractions import Fraction
from math import isfinite, log, sqrt

import pytest

from tgite import Arm, Confidence, Duel, Outcome, Stream, drive, duel_test
from tgite.duel_test import c

TENTH = Confidence.of("1/10")


def length(stream: Stream[Duel, Outcome, Arm], wins: bool) -> tuple[int, Arm]:
    """Return the number of duels if the first arm wins, or loses, all, and the answer."""
    asked: list[Duel] = []

    def answer(duel: Duel) -> Outcome:
        asked.append(duel)
        return wins

    answered = drive(stream, answer)
    assert len(set(asked)) == 1
    return len(asked), answered


@pytest.mark.parametrize(
    ("level", "duels"),
    # The least n with n > 2 log(2n(n+1)/delta); for the last, 2 * 1024 log 2 + 30.5 = 1450.1.
    [("0.999", 12), ("1/2", 14), ("1/10", 18), ("1e-9", 60), ("2^-1024", 1451)],
)
def test_a_match_without_an_upset(level: str, duels: int) -> None:
    delta = Confidence.of(level)
    assert length(duel_test(4, 9, delta), wins=True) == (duels, 4)
    assert length(duel_test(4, 9, delta), wins=False) == (duels, 9)
    n = duels
    inverse = delta.log_inverse
    assert n > 2 * (log(2 * n * (n + 1)) + inverse)
    assert n - 1 <= 2 * (log(2 * (n - 1) * n) + inverse)


def test_the_radius_is_the_papers() -> None:
    for n in (1, 7, 1000):
        assert c(n, TENTH) == pytest.approx(sqrt(log(2 * n * (n + 1) / 0.1) / (2 * n)), rel=1e-14)


def test_the_radius_is_finite_where_the_quotient_is_not() -> None:
    level = Confidence(Fraction(1, 4**602))
    with pytest.raises(OverflowError):
        _ = 2 * 10 * 11 / float(level.rational.denominator)
    assert isfinite(c(10, level))
    assert c(10**6, level) < 0.05


def test_outcomes_count_for_the_first_arm() -> None:
    """Nine wins in a row, then losses: at n = 52 it trails by 34 > sqrt(2n log(20n(n+1))) = 33.7.

    At n = 51 it trails by 33, and the boundary is 33.3.
    """
    outcomes = iter([True] * 9 + [False] * 1000)
    assert drive(duel_test(0, 1, TENTH), lambda duel: next(outcomes)) == 1
    assert 1009 - len(list(outcomes)) == 52


@pytest.mark.parametrize(("wins_of_25", "answer"), [(9, 9), (12, 9), (13, 4), (16, 4)])
def test_a_narrow_lead_decides_in_a_long_match(wins_of_25: int, answer: Arm) -> None:
    """The mean stays near wins_of_25/25: above 1/3 also where the second arm is the better."""
    outcomes = [wins_of_25 * k // 25 > wins_of_25 * (k - 1) // 25 for k in range(1, 26)]
    asked = 0

    def reply(duel: Duel) -> Outcome:
        nonlocal asked
        asked += 1
        return outcomes[(asked - 1) % 25]

    assert drive(duel_test(4, 9, TENTH), reply) == answer
    # Not long after the radius has come down to the mean's distance from 1/2.
    assert c(asked, TENTH) < abs(wins_of_25 / 25 - 1 / 2) + 1 / asked


def test_each_call_begins_with_no_samples() -> None:
    for _ in range(3):
        assert length(duel_test(0, 1, TENTH), wins=True) == (18, 0)
