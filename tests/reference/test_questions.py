"""Questions and replies, the driver, and the algorithms' being generic in what they ask."""

from __future__ import annotations

import inspect
from typing import cast

import numpy as np
import pytest

from refusals import refused
from tgite import (
    Arm,
    BalancedTree,
    Confidence,
    Duel,
    Incumbent,
    InvalidReply,
    Match,
    Outcome,
    PairwiseTest,
    SelfPlay,
    Stream,
    bkt,
    drive,
    duel_test,
    match,
    screen_and_replace,
    tg_ite_bai,
    tg_ite_strong_anytime,
    tg_ite_strong_known_horizon,
    tg_ite_weak,
    tree_ascent,
)
from tgite.questions import Question
from tgite.schedules import self_play_rounds

DELTA = Confidence.of("1/10")
TREE = BalancedTree.over(5)


def test_long_self_play_is_shown_in_few_characters() -> None:
    assert repr(SelfPlay(0, 16)) == "SelfPlay(arm=0, rounds=16)"
    assert "rounds=0x1" in repr(SelfPlay(0, self_play_rounds(15)))


@pytest.mark.parametrize(
    ("question", "field", "rule", "replies", "rounds"),
    [
        (Duel(0, 1), "outcome", "True or False", (True, False), 1),
        (Match(0, 1, DELTA), "winner", "one of the two arms 0 and 1", (0, 1), 1),
        (SelfPlay(0, 3), "reply", "must be None", (None,), 3),
        (SelfPlay(0, 0), "reply", "must be None", (None,), 0),
        (Incumbent(0), "reply", "must be None", (None,), 0),
    ],
)
def test_each_question_has_its_replies_and_its_rounds(
    question: Question, field: str, rule: str, replies: tuple[object, ...], rounds: int
) -> None:
    assert question in {question}
    for reply in replies:
        question.check_reply(reply)
        assert question.rounds_taken(reply) == rounds
    for reply in (None, True, False, 0, 1, 3, 0.0, 1.0, "0", "true"):
        if not any(reply is one for one in replies):
            with refused(field, rule, InvalidReply):
                question.check_reply(reply)


def test_a_match_is_asked_once_and_its_winner_returned() -> None:
    asked: list[Match] = []

    def answer(question: Match) -> Arm:
        asked.append(question)
        return question.second

    assert drive(match(4, 2, DELTA), answer) == 2
    assert asked == [Match(4, 2, DELTA)]


def test_the_driver_checks_every_reply() -> None:
    def nonsense(question: Match) -> Arm:
        return 7

    with refused("winner", "must be one of the two arms", InvalidReply):
        drive(bkt([0, 1, 2], DELTA, match), nonsense)


def test_a_foreign_stop_iteration_does_not_pass_for_the_end() -> None:
    def exhausted(question: Match) -> Arm:
        raise StopIteration(0)

    with pytest.raises(RuntimeError, match="StopIteration"):
        drive(bkt([0, 1, 2], DELTA, match), exhausted)


# The algorithms are generic in what their test asks: the same call, typed both ways.
# The types are checked by mypy, the results by pytest.


def higher_wins(question: Duel) -> Outcome:
    return question.first > question.second


def higher(question: Match) -> Arm:
    return max(question.first, question.second)


def test_the_primitives_ask_for_duels_or_for_matches() -> None:
    def same(duels: Stream[Duel, Outcome, Arm], matches: Stream[Match, Arm, Arm]) -> None:
        assert drive(duels, higher_wins) == drive(matches, higher) == 4

    same(bkt([3, 0, 4], DELTA, duel_test), bkt([3, 0, 4], DELTA, match))
    same(tree_ascent(0, TREE, DELTA, duel_test), tree_ascent(0, TREE, DELTA, match))
    same(
        screen_and_replace(0, DELTA, DELTA, 5, duel_test),
        screen_and_replace(0, DELTA, DELTA, 5, match),
    )


def test_policies_ask_for_duels_or_for_matches() -> None:
    weak = tg_ite_weak(0, TREE, match)
    anytime = tg_ite_strong_anytime(0, TREE, match)
    known = tg_ite_strong_known_horizon(0, TREE, 9, duel_test)
    assert next(weak) == Match(0, 1, Confidence.of("1/24"))
    assert next(anytime) == Match(0, 1, Confidence.of("1/24"))
    assert next(known) == Duel(0, 1)


def test_any_pairwise_test_will_do() -> None:
    """A test of one's own, that asks one duel and believes it."""

    def single(u: Arm, v: Arm, delta: Confidence) -> Stream[Duel, Outcome, Arm]:
        won = yield Duel(u, v)
        return u if won else v

    test: PairwiseTest[Duel, Outcome] = single
    assert drive(tree_ascent(2, TREE, DELTA, test), higher_wins) == 4


@pytest.mark.parametrize("won", [np.bool_(True), np.array(True)])
def test_scalars_of_array_libraries_are_replies(won: Outcome) -> None:
    assert drive(duel_test(3, 5, DELTA), lambda _: won) == 3
    assert drive(match(3, 5, DELTA), lambda _: cast(Arm, np.int64(5))) == 5


@pytest.mark.parametrize("reply", [np.int64(1), np.float64(1), np.array([True]), np.array(1)])
def test_other_things_of_array_libraries_are_not(reply: object) -> None:
    with refused("outcome", "must be True or False", InvalidReply):
        drive(duel_test(3, 5, DELTA), lambda _: cast(Outcome, reply))


def test_the_policies_have_one_order_of_arguments() -> None:
    order = {"b_0": 0, "tree": 1, "delta": 2, "H": 2, "test": 3, "conventions": 4}
    for policy in (tg_ite_bai, tg_ite_weak, tg_ite_strong_known_horizon, tg_ite_strong_anytime):
        parameters = inspect.signature(policy).parameters.values()
        places = [order[one.name] for one in parameters if one.kind is not one.KEYWORD_ONLY]
        assert places in ([0, 1, 2, 3, 4], [0, 1, 3, 4])
