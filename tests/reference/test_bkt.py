"""BKT: traces written out by hand, and input. Every path is explored by the fidelity checks."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tgite import (
    Arguments,
    Byes,
    Confidence,
    Conventions,
    End,
    Pairing,
    bkt,
    drive,
    duel_test,
    match,
)
from tgite_checks.fidelity.environments import nearly_certain, won_by
from tgite_checks.fidelity.rules import asked, knockout
from tgite_laws.match_paths import replaying, walk

DELTA = Confidence.of("1/10")


def trace(arms: list[int], winners: list[int], conventions: Conventions) -> tuple[str, int | None]:
    """Return the matches asked, in one line, and the survivor."""
    path = walk(bkt(arms, DELTA, match, conventions), replaying(winners), 10)
    rounds = {f"{DELTA} * 6/pi^2": 1, "1/40 * 6/pi^2": 2, "1/90 * 6/pi^2": 3}
    asked = [f"{rounds[str(q.delta)]}:{q.first}-{q.second}" for q in path.matches]
    return " ".join(asked), path.result


@pytest.mark.parametrize(
    ("conventions", "asked"),
    [
        (Conventions(), "1:5-4 1:3-2 2:5-3 3:5-1"),
        (Conventions(bye=End.FIRST), "1:4-3 1:2-1 2:2-5 3:2-4"),
        (Conventions(bye_place=End.FIRST), "1:5-4 1:3-2 2:1-5 3:3-1"),
        (Conventions(pairing=Pairing.FOLD), "1:5-2 1:4-3 2:5-4 3:5-1"),
        (Conventions(pairing=Pairing.HALVES), "1:5-3 1:4-2 2:5-4 3:5-1"),
        (Conventions(arguments=Arguments.LATER_FIRST), "1:4-5 1:2-3 2:2-4 3:1-2"),
        (Conventions(byes=Byes.FIRST), "1:5-4 1:3-2 2:5-3 3:5-1"),
    ],
)
def test_five_arms_the_first_argument_wins(conventions: Conventions, asked: str) -> None:
    assert trace([5, 4, 3, 2, 1], [], conventions)[0] == asked


def test_the_survivor_wins_its_matches() -> None:
    assert trace([5, 4, 3, 2, 1], [4, 2, 2, 1], Conventions()) == ("1:5-4 1:3-2 2:4-2 3:2-1", 1)


def test_the_stream_that_the_checks_expect_is_the_bracket_drawn_by_hand() -> None:
    rules = knockout(range(7), Fraction(1, 10), Conventions())
    path = walk(asked(rules, match), replaying(()), 10)
    pairs = [(question.first, question.second) for question in path.matches]
    assert pairs == [(0, 1), (2, 3), (4, 5), (0, 2), (4, 6), (0, 4)]
    levels = [str(question.delta) for question in path.matches]
    assert levels == [f"1/{k} * 6/pi^2" for k in (10, 10, 10, 40, 40, 90)]


def test_one_arm_survives_without_a_match() -> None:
    assert list(bkt([3], DELTA, duel_test)) == []
    assert trace([3], [], Conventions()) == ("", 3)


def test_a_set_without_a_best_arm_has_a_survivor_all_the_same() -> None:
    survivor = drive(
        bkt([0, 1, 2], DELTA, duel_test),
        nearly_certain(lambda u, v: (v - u) % 3 == 1),
    )
    assert survivor in (0, 1, 2)
    assert drive(bkt([0, 1, 2], DELTA, duel_test), nearly_certain(won_by(2))) == 2


def test_the_set_may_change_after_the_stream_is_made() -> None:
    arms = [0, 1, 2]
    stream = bkt(arms, DELTA, match)
    arms.clear()
    assert len(walk(stream, replaying(()), 10).matches) == 2


def test_many_arms_are_checked_as_few_are() -> None:
    arms = list(range(300))
    assert drive(bkt(arms, DELTA, match), lambda question: question.first) == 0
