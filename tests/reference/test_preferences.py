"""Preference matrices: winners, gaps, and cycles where there is no winner."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tgite import NoCondorcetWinner, PreferenceMatrix
from tgite.preferences import HALF, require_condorcet_gap, top_cycle

ROCK_PAPER_SCISSORS = [["0.5", "0.6", "0.3"], ["0.4", "0.5", "0.7"], ["0.7", "0.3", "0.5"]]


@st.composite
def matrices(draw: st.DrawFn) -> PreferenceMatrix:
    """Draw small matrices with ties, cycles and winners."""
    N = draw(st.integers(2, 7))
    rows = [[HALF] * N for _ in range(N)]
    for i, j in itertools.combinations(range(N), 2):
        p = draw(st.sampled_from([Fraction(1, 4), HALF, Fraction(3, 4)]))
        rows[i][j], rows[j][i] = p, 1 - p
    return PreferenceMatrix(tuple(map(tuple, rows)))


def test_without_a_winner_the_cycle_is_shown() -> None:
    matrix = PreferenceMatrix.of(ROCK_PAPER_SCISSORS, ["rock", "paper", "scissors"])
    for ask in (matrix.winner, matrix.winner_gap, lambda: require_condorcet_gap(matrix)):
        with pytest.raises(NoCondorcetWinner) as caught:
            ask()
        assert set(caught.value.cycle) == {0, 1, 2}
    assert "rock >= paper >= scissors >= rock" in str(caught.value)
    assert matrix.global_gap() == Fraction(1, 10)


@given(matrices())
def test_a_winner_beats_all_and_without_one_the_cycle_is_at_the_top(
    matrix: PreferenceMatrix,
) -> None:
    N = matrix.size
    winners = [
        i for i in range(N) if all(matrix.probability(i, j) > HALF for j in range(N) if j != i)
    ]
    if winners:
        assert [matrix.winner()] == winners
        assert matrix.winner_gap() == min(
            matrix.probability(winners[0], j) - HALF for j in range(N) if j != winners[0]
        )
        return
    cycle = top_cycle(matrix)
    assert len(cycle) == len(set(cycle)) >= 2
    for i, j in zip(cycle, (*cycle[1:], cycle[0]), strict=True):
        assert matrix.probability(i, j) >= HALF
    # The cycle's arms are at the top: they reach every arm over "beats or ties".
    reached = set(cycle)
    while True:
        further = {
            j for j in range(N) if any(matrix.probability(i, j) >= HALF for i in reached)
        } - reached
        if not further:
            break
        reached |= further
    assert reached == set(range(N))
    with pytest.raises(NoCondorcetWinner):
        matrix.winner()
