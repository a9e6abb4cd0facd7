"""The strong-regret policies through the player. Streams that are cut: ``algorithms.toml``."""

from __future__ import annotations

import pytest

from tgite import (
    Arm,
    BalancedTree,
    CallbackEnvironment,
    Confidence,
    Duel,
    Ended,
    Outcome,
    SeededEnvironment,
    Stream,
    cyclic,
    drive,
    duel_test,
    play,
    tg_ite_strong_anytime,
    tg_ite_strong_known_horizon,
)
from tgite.strong import until_horizon

TREE = BalancedTree.over(2)
HIGHER = CallbackEnvironment(lambda u, v: u > v)


def length(H: int) -> int:
    """Return the duels of an undisturbed pass of two arms at the level of a horizon."""
    stream = duel_test(0, 1, Confidence.of(f"1/{2 * (H + 1)}"))
    return play(stream, HIGHER).comparisons


@pytest.mark.parametrize("H", [1, 5, 21, 22, 23, 24, 60, 1000])
def test_the_horizon_is_played_out_exactly(H: int) -> None:
    run = play(tg_ite_strong_known_horizon(0, TREE, H, duel_test), HIGHER, winner=1)
    assert run.ended is Ended.RETURNED
    assert run.rounds == H
    duels = min(length(H), H)
    assert run.comparisons == run.strong_regret == duels
    assert run.returned == (1 if length(H) <= H else None)
    assert run.incumbent == run.returned


def test_self_play_is_cut_by_the_horizon_not_played_out() -> None:
    environment = SeededEnvironment(cyclic(4, "0.3", "0.4"), 9)
    stream = tg_ite_strong_anytime(0, BalancedTree.over(4), duel_test)
    run = play(stream, environment, winner=2, horizon=10**30)
    assert (run.ended, run.rounds, run.incumbent) == (Ended.HORIZON, 10**30, 2)
    assert run.comparisons < 100_000
    assert run.strong_regret is not None
    # Phases 1 and 2 may fail; the self-play of the later ones is free.
    assert run.comparisons <= run.strong_regret <= run.comparisons + 4 + 16


def test_a_cut_stream_is_closed() -> None:
    closed: list[bool] = []

    def endless() -> Stream[Duel, Outcome, Arm]:
        try:
            while True:
                yield Duel(0, 1)
        finally:
            closed.append(True)

    stream = endless()  # A name, so that Python does not close what nobody holds.
    drive(until_horizon(stream, 3), lambda duel: True)
    assert closed == [True]
