"""TreeAscent: traces written out by hand, input, and large trees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tgite import (
    RULINGS,
    Arm,
    BalancedTree,
    Byes,
    CallbackEnvironment,
    Confidence,
    Conventions,
    Match,
    Stream,
    drive,
    duel_test,
    match,
    play,
    tree_ascent,
    tree_ascent_power_of_two,
)
from tgite_checks.fidelity.environments import decided_by, won_by
from tgite_laws.match_paths import replaying, walk

EPSILON = Confidence.of("1/10")


def asked(stream: Stream[Match, Arm, Arm], winners: list[Arm]) -> str:
    matches = walk(stream, replaying(winners), 100).matches
    return ", ".join(f"{one.first}-{one.second} @ {one.delta}" for one in matches)


BYES_FIRST = Conventions(byes=Byes.FIRST)


@pytest.mark.parametrize(
    ("N", "b", "conventions", "winners", "matches"),
    [
        # M = 4, L = 2: eta = 1/40; the blocks of one arm have no match of their own.
        (3, 0, RULINGS, [1, 2], "0-1 @ 1/40, 1-2 @ 1/40"),
        # The first block is empty; the second has capacity 2, so that beta = (1/20)(2/3).
        (3, 2, RULINGS, [1, 2], "0-1 @ 1/30 * 6/pi^2, 2-1 @ 1/40"),
        # Two empty blocks, then all others: capacity 4 of 7, L = 3.
        (
            *(5, 4, RULINGS, [1, 3, 3, 4]),
            "0-1 @ 1/35 * 6/pi^2, 2-3 @ 1/35 * 6/pi^2, 1-3 @ 1/140 * 6/pi^2, 4-3 @ 1/60",
        ),
        # Leaves - - - 0 1 2 3 4: levels by capacity, though the far block holds arm 0 alone.
        (5, 4, BYES_FIRST, [], "4-3 @ 1/60, 1-2 @ 1/70 * 6/pi^2, 4-1 @ 1/60, 4-0 @ 1/60"),
        # Blocks of 1, 2 and 4 arms: beta_2 = (1/20)(2/7), beta_3 = (1/20)(4/7), eta = 1/60.
        (
            *(8, 2, RULINGS, [3, 1, 1, 4, 7, 7, 7]),
            "2-3 @ 1/60, 0-1 @ 1/70 * 6/pi^2, 3-1 @ 1/60, 4-5 @ 1/35 * 6/pi^2, "
            "6-7 @ 1/35 * 6/pi^2, 4-7 @ 1/140 * 6/pi^2, 1-7 @ 1/60",
        ),
        # Blocks 9 | 10, 11 | none | 0..7: above the empty one the incumbent of the level just
        # below goes on. M = 16, L = 4: eta = 1/80, beta_2 = 1/150, beta_4 = (1/20)(8/15) = 2/75.
        (
            *(12, 8, RULINGS, [9, 11, 11, 0, 2, 4, 6, 0, 4, 0, 0]),
            "8-9 @ 1/80, 10-11 @ 1/150 * 6/pi^2, 9-11 @ 1/80, 0-1 @ 2/75 * 6/pi^2, "
            "2-3 @ 2/75 * 6/pi^2, 4-5 @ 2/75 * 6/pi^2, 6-7 @ 2/75 * 6/pi^2, "
            "0-2 @ 1/150 * 6/pi^2, 4-6 @ 1/150 * 6/pi^2, 0-4 @ 2/675 * 6/pi^2, 11-0 @ 1/80",
        ),
    ],
)
def test_passes_written_out(
    N: int, b: Arm, conventions: Conventions, winners: list[Arm], matches: str
) -> None:
    tree = BalancedTree.over(N, conventions)
    assert asked(tree_ascent(b, tree, EPSILON, match), winners) == matches
    if tree.N == tree.M:
        assert asked(tree_ascent_power_of_two(b, tree, EPSILON, match), winners) == matches


def test_the_main_text_takes_large_trees_too() -> None:
    stream = tree_ascent_power_of_two(0, BalancedTree.over(512), EPSILON, match)
    found = drive(stream, lambda asked: 300 if asked.second == 300 else asked.first)
    assert found == 300


@given(st.integers(2, 60), st.data())
def test_the_winner_is_found_wherever_it_and_the_byes_stand(N: int, data: st.DataObject) -> None:
    arms: list[Arm | None] = list(range(N))
    byes = [None] * ((1 << (N - 1).bit_length()) - N)
    tree = BalancedTree(tuple(data.draw(st.permutations([*arms, *byes]))))
    b = data.draw(st.integers(0, N - 1))
    winner = data.draw(st.integers(0, N - 1))
    path = walk(tree_ascent(b, tree, EPSILON, match), decided_by(won_by(winner)), 2 * N)
    assert path.result == winner
    assert len(path.matches) == N - 1


def test_a_pass_plays_every_duel_through_the_player() -> None:
    """Five arms from the first, the higher one always wins: four matches without an upset."""
    run = play(
        tree_ascent(0, BalancedTree.over(5), EPSILON, duel_test),
        CallbackEnvironment(lambda u, v: u > v),
        winner=4,
    )
    # A match without an upset lasts the least n > 2 log(2n(n+1)/level): 23 duels at 1/60,
    # 24 at 1/70 * 6/pi^2. The winner plays the last merge only.
    assert run.returned == 4
    assert run.comparisons == run.rounds == 23 + 24 + 23 + 23
    assert run.weak_regret == 23 + 24 + 23
    assert run.strong_regret == run.rounds


def test_twenty_thousand_arms() -> None:
    tree = BalancedTree.over(20_000)
    asked_in_all = 0

    def later_arm(question: Match) -> Arm:
        nonlocal asked_in_all
        asked_in_all += 1
        return max(question.first, question.second)

    assert drive(tree_ascent(7, tree, EPSILON, match), later_arm) == 19_999
    assert asked_in_all == 19_999
