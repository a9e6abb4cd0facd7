"""Questions, their replies, and the driver."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from refusals import refused
from tgite import Arm, Confidence, Duel, Incumbent, InvalidReply, Match, SelfPlay, bkt, drive, match
from tgite.questions import Question

DELTA = Confidence.of("1/10")


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


def test_the_driver_checks_every_reply() -> None:
    with refused("winner", "must be one of the two arms", InvalidReply):
        drive(bkt([0, 1, 2], DELTA, match), lambda _: 7)


def test_a_foreign_stop_iteration_does_not_pass_for_the_end() -> None:
    def exhausted(question: Match) -> Arm:
        raise StopIteration(0)

    with pytest.raises(RuntimeError, match="StopIteration"):
        drive(bkt([0, 1, 2], DELTA, match), exhausted)


def test_a_whole_number_of_an_array_library_is_a_winner() -> None:
    assert drive(match(3, 5, DELTA), lambda _: cast(Arm, np.int64(5))) == 5
