"""Preference matrices: what is read, what is refused, winners, gaps and cycles."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusals import refused, wrong_type
from tgite import InvalidInput, NoCondorcetWinner, PreferenceMatrix, Preferences, example
from tgite.preferences import HALF, require_condorcet_gap, require_known_gap, top_cycle

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


def test_decimals_are_read_exactly() -> None:
    matrix = PreferenceMatrix.of([[0.5, 0.1], ["0.9", "1/2"]], ["a", "b"])
    assert matrix.rows == ((HALF, Fraction(1, 10)), (Fraction(9, 10), HALF))
    assert matrix.names == ("a", "b")
    assert matrix.size == 2
    assert PreferenceMatrix.of([[0.5, 0.1], [0.9, 0.5]]).names == ("0", "1")
    assert matrix.probability(1, 0) == Fraction(9, 10)
    assert isinstance(matrix, Preferences)


def test_winner_and_gaps() -> None:
    matrix = PreferenceMatrix.of(
        [["0.5", "0.3", "0.45"], ["0.7", "0.5", "0.6"], ["0.55", "0.4", "0.5"]]
    )
    assert matrix.winner() == 1
    assert matrix.winner_gap() == Fraction(1, 10)
    assert matrix.global_gap() == Fraction(1, 20)
    require_condorcet_gap(matrix)
    require_known_gap(matrix, Fraction(1, 10))


@pytest.mark.parametrize(
    ("rows", "field", "rule"),
    [
        ([], "preferences", "at least 2 arms"),
        ([["0.5"]], "preferences", "at least 2 arms"),
        ([["0.5", "0.1"], ["0.9"]], "preferences[1]", "must have 2: not square"),
        ([["0.5", "0.1", "0.2"], ["0.9", "0.5", "0.1"]], "preferences[0]", "2: not square"),
        ([["0.5", "0.1"], ["0.8", "0.5"]], "p[0,1] + p[1,0]", "must be 1"),
        ([["0.5", "0.3"], ["0.70000000000000000001", "0.5"]], "p[0,1] + p[1,0]", "must be 1"),
        ([["0.5", "0"], ["1", "0.5"]], "p[0,1]", "strictly between 0 and 1"),
        ([["0.5", "1"], ["0", "0.5"]], "p[0,1]", "strictly between 0 and 1"),
        ([["0.5", "-0.1"], ["1.1", "0.5"]], "p[0,1]", "strictly between 0 and 1"),
        ([["0.5", "7.0"], ["-6", "0.5"]], "p[0,1]", "strictly between 0 and 1"),
        ([["0.5", "1e400"], ["0.1", "0.5"]], "p[0,1]", "strictly between 0 and 1"),
        ([["0.4", "0.1"], ["0.9", "0.5"]], "p[0,0]", "must be 1/2: the diagonal"),
        ([["0.5", "nan"], ["0.9", "0.5"]], "p[0,1]", "must be a finite number"),
        ([[0.5, float("nan")], [0.9, 0.5]], "p[0,1]", "must be a finite number"),
        ([[0.5, True], [0.9, 0.5]], "p[0,1]", "must be a number"),
    ],
)
def test_matrices_outside_of_the_model_are_refused(
    rows: list[list[str | float]], field: str, rule: str
) -> None:
    with refused(field, rule):
        PreferenceMatrix.of(rows)


def test_a_last_entry_is_checked_too() -> None:
    """A container is checked whole, not by a sample."""
    N = 60
    rows: list[list[Fraction]] = [[HALF] * N for _ in range(N)]
    rows[N - 1][N - 2] = Fraction(3, 2)
    with refused(f"p[{N - 1},{N - 2}]", "strictly between 0 and 1"):
        PreferenceMatrix(tuple(map(tuple, rows)))


def test_entries_of_the_constructor_are_fractions() -> None:
    rows = ((HALF, 0.25), (0.75, HALF))
    with refused("p[0,1]", "must be a Fraction"):
        PreferenceMatrix(rows)  # type: ignore[arg-type]


@pytest.mark.parametrize("names", [["a"], ["a", "a"], ["a", "b", "c"]])
def test_names_are_different_and_as_many_as_arms(names: list[str]) -> None:
    with refused("names", "must be 2 different names"):
        PreferenceMatrix.of([[0.5, 0.1], [0.9, 0.5]], names)


def test_errors_call_arms_by_their_names() -> None:
    with refused("p[left,right]", "strictly between 0 and 1"):
        PreferenceMatrix.of([["0.5", "1"], ["0", "0.5"]], ["left", "right"])


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


def test_a_zero_global_gap_is_refused_with_the_way_out() -> None:
    with refused("Delta", "use BudgetedDuelTest with a gap g of at most 0.04"):
        require_condorcet_gap(example("arxiv6"))
    with pytest.raises(InvalidInput, match="arxiv0"):
        require_condorcet_gap(example("arxiv6"))


def test_a_known_gap_above_the_winners_is_refused() -> None:
    require_known_gap(example("arxiv6"), Fraction(4, 100))
    with refused("g", "must be at most Delta* = 0.04"):
        require_known_gap(example("arxiv6"), Fraction(41, 1000))
    with wrong_type("g="):
        require_known_gap(example("arxiv6"), 0.04)  # type: ignore[arg-type]
