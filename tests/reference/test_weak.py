"""TG-ITE-Weak: warm start and epochs through the player; input."""

from __future__ import annotations

import itertools

from tgite import (
    BalancedTree,
    CallbackEnvironment,
    Confidence,
    Ended,
    Incumbent,
    Match,
    SeededEnvironment,
    cyclic,
    duel_test,
    match,
    play,
    tg_ite_weak,
)
from tgite_laws.match_paths import replaying, walk, written

TREE = BalancedTree.over(3)


def test_a_warm_start_and_two_epochs_written_out() -> None:
    path = walk(tg_ite_weak(2, TREE, match), replaying([0, 2, 2, 1, 1]), 100, announcements=3)
    assert [written(question) for question in path.asked] == [
        "(0,1 @ 1/12 * 6/pi^2)",  # won by 0
        "(2,0 @ 1/16)",  # won by 2
        "incumbent 2",
        "(2,0 @ 1/64)",  # won by 2
        "(2,1 @ 1/64)",  # won by 1
        "(2,1 @ 1/64 * 6/pi^2)",  # won by 1
        "incumbent 1",
        "(1,0 @ 2^-8)",
        "(1,2 @ 2^-8)",
        "incumbent 1",
    ]


def test_the_warm_start_at_delta_changes_the_first_pass_only() -> None:
    delta = Confidence.of("1/1000")
    constant = walk(tg_ite_weak(0, TREE, match), replaying(()), 100, announcements=3)
    warm = walk(tg_ite_weak(0, TREE, match, warm_start=delta), replaying(()), 100, announcements=3)
    assert [q.delta for q in constant.matches[:2]] == [Confidence.of("1/16")] * 2
    assert [q.delta for q in warm.matches[:2]] == [Confidence.of("1/4000")] * 2
    assert warm.asked[2:] == constant.asked[2:]


def test_regret_stops_to_grow_once_the_winner_is_the_incumbent() -> None:
    preferences = cyclic(8, "0.3", "0.4")
    regrets = []
    for horizon in (3_000, 30_000):
        stream = tg_ite_weak(0, BalancedTree.over(8), duel_test)
        environment = SeededEnvironment(preferences, 3)
        regrets.append(play(stream, environment, preferences.winner(), horizon))
    assert [run.ended for run in regrets] == [Ended.HORIZON] * 2
    assert [run.incumbent for run in regrets] == [preferences.winner()] * 2
    assert regrets[0].weak_regret == regrets[1].weak_regret
    assert [run.strong_regret for run in regrets] == [3_000, 30_000]


def test_two_arms_never_cost_weak_regret() -> None:
    environment = CallbackEnvironment(lambda u, v: u == 1)
    run = play(tg_ite_weak(0, BalancedTree.over(2), duel_test), environment, 1, 50_000)
    assert (run.weak_regret, run.strong_regret, run.incumbent) == (0, 50_000, 1)


def test_every_second_question_of_two_undisturbed_arms_is_an_announcement() -> None:
    path = walk(tg_ite_weak(0, BalancedTree.over(2), match), replaying(()), 700)
    kinds = [type(question) for question in path.asked]
    assert kinds == list(itertools.islice(itertools.cycle((Match, Incumbent)), 1400))
    assert path.matches[601].delta == Confidence.of("4^-603")
