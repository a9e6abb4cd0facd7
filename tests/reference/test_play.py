"""The player: one counting path, exact limits, and every way in which a run may end."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from itertools import cycle
from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusals import refused
from tgite import (
    Arm,
    BalancedTree,
    CallbackEnvironment,
    Confidence,
    Duel,
    Ended,
    Incumbent,
    Interrupted,
    InvalidInput,
    InvalidReply,
    Outcome,
    Run,
    SeededEnvironment,
    SelfPlay,
    Stream,
    TapeEnvironment,
    TapeExhausted,
    bkt,
    cyclic,
    drive,
    duel_test,
    match,
    play,
    tg_ite_strong_anytime,
    tg_ite_strong_known_horizon,
    tg_ite_weak,
)

PREFERENCES = cyclic(6, "0.3", "0.4")
TREE = BalancedTree.over(6)
DELTA = Confidence.of("1/10")
FIRST_WINS = CallbackEnvironment(lambda u, v: True)

Played = tuple[str, int, int, int]
"""A recorded event: what, its two arms, and how many rounds (for a duel: whether u won)."""


class Log:
    """Keeps every duel by itself, and the blocks of self-play and announcements between them."""

    def __init__(self) -> None:
        self.played: list[Played] = []

    def duels(self, duel: Duel, outcomes: bytes) -> None:
        assert outcomes
        assert set(outcomes) <= {0, 1}
        self.played += [("duel", duel.first, duel.second, won) for won in outcomes]

    def self_play(self, arm: Arm, rounds: int) -> None:
        assert rounds > 0
        self.played.append(("self-play", arm, arm, rounds))

    def incumbent(self, arm: Arm) -> None:
        self.played.append(("incumbent", arm, arm, 0))

    def comparisons(self) -> int:
        return sum(kind == "duel" for kind, *_ in self.played)

    def rounds(self) -> int:
        return self.comparisons() + sum(n for kind, *_, n in self.played if kind == "self-play")

    def regret(self, winner: Arm) -> tuple[int, int]:
        """Return the binary weak and strong regret, from their definitions."""
        weak = strong = 0
        for kind, i, j, n in self.played:
            rounds = {"duel": 1, "self-play": n, "incumbent": 0}[kind]
            weak += rounds * (i != winner and j != winner)
            strong += rounds * (not (i == winner and j == winner))
        return weak, strong


POLICIES: dict[str, Callable[[], Stream[Duel | SelfPlay | Incumbent, bool | None, Arm | None]]] = {
    "weak": lambda: tg_ite_weak(0, TREE, duel_test),
    "anytime": lambda: tg_ite_strong_anytime(0, TREE, duel_test),
    "known horizon": lambda: tg_ite_strong_known_horizon(0, TREE, 700, duel_test),
}


@given(
    st.sampled_from(sorted(POLICIES)),
    st.integers(1, 1500) | st.just(700),
    st.none() | st.integers(1, 1500),
    st.integers(0, 5),
    st.integers(0, 5),
)
def test_what_is_recorded_is_what_is_counted(
    policy: str, horizon: int, budget: int | None, seed: int, winner: Arm
) -> None:
    """Whichever arm the regret is counted against: most of them are self-played as wrong arms."""
    log = Log()
    run = play(
        POLICIES[policy](), SeededEnvironment(PREFERENCES, seed), winner, horizon, budget, log
    )
    assert run.comparisons == log.comparisons()
    assert run.rounds == log.rounds()
    assert (run.weak_regret, run.strong_regret) == log.regret(winner)
    announced = [arm for kind, arm, *_ in log.played if kind == "incumbent"]
    assert run.incumbent == (announced[-1] if announced else None)
    assert run.rounds <= horizon
    assert budget is None or run.comparisons <= budget
    match run.ended:
        case Ended.HORIZON:
            assert run.rounds == horizon
        case Ended.BUDGET:
            assert run.comparisons == budget
        case _:
            assert run.ended is Ended.RETURNED
            # Also where it returns with its last round.
            assert policy == "known horizon"
            assert run.rounds == 700


@given(st.sampled_from(sorted(POLICIES)), st.integers(1, 1200), st.integers(1, 1200))
def test_a_shorter_run_is_the_beginning_of_a_longer_one(policy: str, one: int, other: int) -> None:
    shorter, longer = Log(), Log()
    for horizon, log in ((min(one, other), shorter), (max(one, other), longer)):
        environment = SeededEnvironment(PREFERENCES, 3)
        play(POLICIES[policy](), environment, horizon=horizon, recorder=log)
    if shorter.played and shorter.played[-1][0] == "self-play":
        kind, arm, _, rounds = shorter.played.pop()
        whole = longer.played[len(shorter.played)]
        assert (whole[0], whole[1]) == (kind, arm)
        assert rounds <= whole[3]
    assert longer.played[: len(shorter.played)] == shorter.played


@pytest.mark.parametrize("limit", ["horizon", "budget"])
@pytest.mark.parametrize("most", [1, 17, 18, 19, 1000])
def test_a_limit_inside_at_the_end_of_and_after_a_match(limit: str, most: int) -> None:
    """The match takes 18 duels: it returns if the limit leaves it as many. No more are drawn."""
    outcomes, played = iter([True] * 30), min(most, 18)
    run = play(duel_test(0, 1, DELTA), TapeEnvironment(outcomes), **{limit: most})  # type: ignore[arg-type]
    ended, returned = (Ended.RETURNED, 0) if most >= 18 else (Ended(limit), None)
    assert run == Run(ended, returned, played, played, None, None, None)
    assert len(list(outcomes)) == 30 - played


@pytest.mark.parametrize("error", [TapeExhausted, KeyboardInterrupt, RuntimeError])
def test_what_ends_a_run_loses_nothing(error: type[BaseException]) -> None:
    """Errors that end no run pass through; what was played before them is recorded too."""
    log, outcomes = Log(), iter((True, False, True))

    def first_wins(u: Arm, v: Arm) -> Outcome:
        for outcome in outcomes:
            return outcome
        raise error

    with nullcontext() if error is TapeExhausted else pytest.raises(error) as raised:
        run = play(duel_test(3, 5, DELTA), CallbackEnvironment(first_wins), 5, recorder=log)
        assert run == Run(Ended.TAPE_EXHAUSTED, None, 3, 3, 0, 3, None)
    if raised is not None and isinstance(raised.value, Interrupted):
        assert raised.value.run == Run(Ended.INTERRUPTED, None, 3, 3, 0, 3, None)
    assert (raised is not None and raised.type is Interrupted) == (error is KeyboardInterrupt)
    assert log.played == [("duel", 3, 5, 1), ("duel", 3, 5, 0), ("duel", 3, 5, 1)]


@pytest.mark.parametrize("won", [np.bool_(True), np.array(True), np.array(False)])
def test_booleans_of_array_libraries_are_outcomes(won: bool) -> None:
    winner = 3 if won else 4
    assert play(duel_test(3, 4, DELTA), CallbackEnvironment(lambda u, v: won)).returned == winner
    assert drive(duel_test(3, 4, DELTA), lambda _: won) == winner


@pytest.mark.parametrize(
    "reply", [1, 0, None, "True", 0.5, np.int64(1), np.float64(1), np.array([True]), np.array(1)]
)
def test_an_outcome_that_is_no_truth_value_is_refused(reply: Outcome) -> None:
    log = Log()
    with refused("outcome", "must be True or False", InvalidReply):
        play(duel_test(0, 1, DELTA), TapeEnvironment([True, True, reply]), recorder=log)
    assert log.comparisons() == 2
    with refused("outcome", "must be True or False", InvalidReply):
        drive(duel_test(3, 5, DELTA), lambda _: reply)


def test_equal_questions_need_not_be_one_object_and_errors_of_the_stream_pass_through() -> None:
    def single_duels() -> Stream[Duel, Outcome, int]:
        for _ in range(5):
            yield Duel(0, 1)
        raise InvalidInput("x", 1, "is never right")

    log = Log()
    with refused("x", "is never right"):
        play(single_duels(), TapeEnvironment([True, False, True, True, False]), recorder=log)
    assert [won for *_, won in log.played] == [1, 0, 1, 1, 0]


def test_equal_seeds_give_equal_runs_and_others_do_not() -> None:
    one, same, other = Log(), Log(), Log()
    for seed, log in ((7, one), (7, same), (8, other)):
        play(POLICIES["weak"](), SeededEnvironment(PREFERENCES, seed), horizon=500, recorder=log)
    assert one.played == same.played != other.played


@pytest.mark.parametrize(("u", "v", "wins"), [(3, 0, 80_000), (0, 3, 20_000)])
def test_a_seeded_environment_draws_the_right_arm_as_often_as_it_is_to(
    u: Arm, v: Arm, wins: int
) -> None:
    """100 000 duels at p = 0.8; ten standard deviations of room (false alarm below 1e-22)."""
    draw = SeededEnvironment(PREFERENCES, 1).outcomes(Duel(u, v))
    assert abs(sum(draw() for _ in range(100_000)) - wins) < 10 * 126.5


def test_long_matches_are_recorded_in_pieces_and_counted_whole() -> None:
    """A match of 200 000 duels is handed on in runs that bound memory."""
    pieces: list[int] = []

    class Pieces(Log):
        def duels(self, duel: Duel, outcomes: bytes) -> None:
            pieces.append(len(outcomes))

    by_turns = TapeEnvironment(cycle((True, False)))
    run = play(duel_test(0, 1, DELTA), by_turns, horizon=200_000, recorder=Pieces())
    assert run.comparisons == sum(pieces) == 200_000
    assert max(pieces) <= 65536


def test_a_stream_that_has_begun_is_refused() -> None:
    stream = duel_test(0, 1, Confidence.of("0.1"))
    next(stream)
    finished = duel_test(0, 1, Confidence.of("0.1"))
    play(finished, FIRST_WINS)
    for begun in (stream, finished):
        with pytest.raises(InvalidInput, match="must be a new one"):
            play(begun, FIRST_WINS)


def test_a_stream_that_the_player_cannot_answer_is_refused() -> None:
    matches = bkt([0, 1, 2], DELTA, match)
    with pytest.raises(InvalidInput, match="question = Match"):
        play(cast(Stream[Duel, bool, Arm], matches), FIRST_WINS, horizon=10, budget=10)
