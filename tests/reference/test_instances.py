"""The instances of the experiments, held as rules."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tgite import (
    PreferenceMatrix,
    Preferences,
    cyclic,
    sparse,
)
from tgite.preferences import HALF


def explicit(N: int, delta_star: Fraction, delta_cyc: Fraction) -> PreferenceMatrix:
    """Write the cyclic rule out as a matrix: a circle of N - 1 arms with the winner put between.

    The arms of the circle beat the half of them that follows, clockwise.
    """
    circle = [arm for arm in range(N) if arm != N // 2]
    rows = [
        [HALF + delta_star * ((i == N // 2) - (j == N // 2)) for j in range(N)] for i in range(N)
    ]
    for place, arm in enumerate(circle):
        for step in range(1, (N - 2) // 2 + 1):
            beaten = circle[(place + step) % len(circle)]
            rows[arm][beaten] = HALF + delta_cyc
            rows[beaten][arm] = HALF - delta_cyc
    return PreferenceMatrix(tuple(map(tuple, rows)))


@pytest.mark.parametrize("N", [2, 4, 6, 8, 16, 30, 64])
def test_the_rule_is_the_explicit_matrix(N: int) -> None:
    gaps = Fraction("0.32"), Fraction("0.38")
    rule, matrix = cyclic(N, *gaps), explicit(N, *gaps)
    assert rule.size == matrix.size == N
    assert rule.names == matrix.names
    assert rule.winner() == matrix.winner() == N // 2
    assert rule.winner_gap() == matrix.winner_gap()
    assert rule.global_gap() == matrix.global_gap()
    for i in range(N):
        for j in range(N):
            assert rule.probability(i, j) == matrix.rows[i][j]


def test_four_arms_written_out() -> None:
    rule = cyclic(4, "0.3", "0.4")
    low, high, lost, won = (Fraction(text) for text in ("0.1", "0.9", "0.2", "0.8"))
    assert [[rule.probability(i, j) for j in range(4)] for i in range(4)] == [
        [HALF, high, lost, low],
        [low, HALF, lost, high],
        [won, won, HALF, won],
        [high, low, lost, HALF],
    ]


def test_sparse_instances_hold_094_and_006() -> None:
    rule = sparse(6, "0.26")
    values = {rule.probability(i, j) for i in range(6) for j in range(6) if 3 not in (i, j)}
    assert values == {HALF, Fraction("0.94"), Fraction("0.06")}
    assert rule.probability(3, 0) == Fraction("0.76")
    assert rule.global_gap() == Fraction("0.26")
    assert sparse(6, "0.26", "0.4").probability(0, 1) == Fraction("0.9")


def test_a_hundred_thousand_arms_hold_no_table() -> None:
    rule = cyclic(100_000, "0.3", "0.38")
    assert isinstance(rule, Preferences)
    assert rule.probability(0, 50_000) == Fraction("0.2")
    assert rule.probability(0, 49_999) == rule.probability(99_999, 0) == Fraction("0.88")
    assert rule.probability(0, 50_001) == Fraction("0.12")
