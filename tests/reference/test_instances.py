"""The cyclic instances of the experiments, which are held as a rule."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tgite import PreferenceMatrix, cyclic
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
