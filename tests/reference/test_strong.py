"""The strong-regret policies through the player; a stream that is cut at a horizon."""

from __future__ import annotations

import pytest

from tgite import (
    Arm,
    BalancedTree,
    CallbackEnvironment,
    Confidence,
    Duel,
    Ended,
    Incumbent,
    Match,
    Outcome,
    SeededEnvironment,
    SelfPlay,
    bkt,
    cyclic,
    drive,
    duel_test,
    play,
    tg_ite_strong_anytime,
    tg_ite_strong_known_horizon,
)
from tgite.questions import Stream
from tgite.strong import until_horizon
from tgite_laws.match_paths import timed, written

TREE = BalancedTree.over(2)
HIGHER = CallbackEnvironment(lambda u, v: u > v)
DELTA = Confidence.of("1/10")


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


def test_a_pass_of_many_rounds_that_ends_with_the_horizon_leaves_no_self_play() -> None:
    """Horizons beyond 256, which Python does not hold as one and the same int."""
    told: list[str] = []

    def answer(question: Match | Incumbent | SelfPlay) -> Arm | None:
        told.append(written(question))
        return question.second if isinstance(question, Match) else None

    stream = tg_ite_strong_known_horizon(0, TREE, 1000, timed(lambda *_: int("1000")))
    assert drive(stream, answer) == 1
    assert told == ["(0,1 @ 1/2002)", "incumbent 1"]


def test_self_play_is_cut_by_the_horizon_not_played_out() -> None:
    environment = SeededEnvironment(cyclic(4, "0.3", "0.4"), 9)
    stream = tg_ite_strong_anytime(0, BalancedTree.over(4), duel_test)
    run = play(stream, environment, winner=2, horizon=10**30)
    assert (run.ended, run.rounds, run.incumbent) == (Ended.HORIZON, 10**30, 2)
    assert run.comparisons < 100_000
    assert run.strong_regret is not None
    # Phases 1 and 2 may fail; the self-play of the later ones is free.
    assert run.comparisons <= run.strong_regret <= run.comparisons + 4 + 16


@pytest.mark.parametrize(
    ("horizon", "ended", "asked"),
    [
        *((1, None, 1), (10, None, 1), (11, None, 2)),
        *((29, None, 3), (30, (0, 0), 3), (31, (0, 1), 3)),
    ],
)
def test_a_stream_is_cut_after_the_question_that_reaches_the_horizon(
    horizon: int, ended: tuple[Arm, int] | None, asked: int
) -> None:
    count = 0

    def answer(question: Match) -> Arm:
        nonlocal count
        count += 1
        return question.first

    stream = until_horizon(bkt(range(4), DELTA, timed(lambda *_: 10)), horizon)
    assert drive(stream, answer) == ended
    assert count == asked


def test_a_cut_stream_is_closed() -> None:
    closed: list[bool] = []

    def endless() -> Stream[Duel, Outcome, Arm]:
        try:
            while True:
                yield Duel(0, 1)
        finally:
            closed.append(True)

    drive(until_horizon(endless(), 3), lambda duel: True)
    assert closed == [True]
