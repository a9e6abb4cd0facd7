"""ScreenAndReplace: epochs written out by hand, and input."""

from __future__ import annotations

import pytest

from tgite import (
    Arm,
    Candidates,
    Confidence,
    Conventions,
    Match,
    Order,
    drive,
    duel_test,
    match,
    screen_and_replace,
)
from tgite_checks.fidelity.environments import nearly_certain, won_by
from tgite_laws.match_paths import replaying, walk

RHO, KAPPA = Confidence.of("1/50"), Confidence.of("1/300")


def epoch(c: int, N: int, winners: list[int], conventions: Conventions) -> tuple[str, int | None]:
    """Return the matches asked (screening as ``s``, rounds by number) and the next incumbent."""
    stream = screen_and_replace(c, RHO, KAPPA, N, match, conventions)
    path = walk(stream, replaying(winners), 100)
    part = {"1/50": "s", "1/300 * 6/pi^2": "1", "1/1200 * 6/pi^2": "2"}
    asked = [f"{part[str(q.delta)]}:{q.first}-{q.second}" for q in path.matches]
    return " ".join(asked), path.result


def test_an_incumbent_that_nobody_beats_is_kept() -> None:
    assert epoch(1, 4, [1, 1, 1], Conventions()) == ("s:1-0 s:1-2 s:1-3", 1)


def test_the_incumbent_meets_the_arms_that_beat_it() -> None:
    asked = "s:1-0 s:1-2 s:1-3 1:1-0 2:1-3"
    assert epoch(1, 4, [0, 1, 3, 1, 3], Conventions()) == (asked, 3)


def test_two_arms_meet_again_at_the_replacement_level() -> None:
    assert epoch(0, 2, [1, 0], Conventions()) == ("s:0-1 1:0-1", 0)


@pytest.mark.parametrize(
    ("conventions", "asked"),
    [
        (Conventions(candidates=Candidates.INCUMBENT_LAST), "s:1-0 s:1-2 s:1-3 1:0-2 1:3-1 2:0-3"),
        (Conventions(candidates=Candidates.ASCENDING), "s:1-0 s:1-2 s:1-3 1:0-1 1:2-3 2:0-2"),
        (Conventions(screening=Order.DESCENDING), "s:1-3 s:1-2 s:1-0 1:1-3 1:2-0 2:1-2"),
    ],
)
def test_orders(conventions: Conventions, asked: str) -> None:
    screened = [0, 2, 3] if conventions.screening is Order.ASCENDING else [3, 2, 0]
    assert epoch(1, 4, screened, conventions)[0] == asked


@pytest.mark.parametrize("c", range(5))
@pytest.mark.parametrize("winner", range(5))
def test_the_winner_is_found_duel_by_duel(c: int, winner: int) -> None:
    stream = screen_and_replace(c, RHO, KAPPA, 5, duel_test)
    assert drive(stream, nearly_certain(won_by(winner))) == winner


def test_an_arm_is_known_by_its_number() -> None:
    """A test may answer with another int of the same value."""

    asked = []

    def second_wins(question: Match) -> Arm:
        asked.append(question)
        return int(str(question.second))

    drive(screen_and_replace(0, RHO, KAPPA, 400, match), second_wins)
    # All others beat the incumbent, so that the tournament is of all arms.
    assert len(asked) == 399 + 399


def test_the_screening_level_may_carry_the_factor() -> None:
    """It is handed to the pairwise test as it is."""
    level = Confidence.of("1/10 * 6/pi^2")
    path = walk(screen_and_replace(0, level, KAPPA, 2, match), replaying(()), 10)
    assert path.matches[0].delta == level
