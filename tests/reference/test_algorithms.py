"""All algorithms and pairwise tests: paths and matches written out by hand, and who is found.

The rows are in ``algorithms.toml``. The fidelity checks explore every path.
"""

from __future__ import annotations

import tomllib
from fractions import Fraction
from itertools import chain, cycle, product
from math import isfinite, log, sqrt
from pathlib import Path

import pytest
from test_refusals import NAMES as KNOWN

from tgite import (
    Arm,
    BalancedTree,
    Confidence,
    Duel,
    Match,
    Outcome,
    bkt,
    drive,
    match,
)
from tgite.budgeted_duel_test import b
from tgite.duel_test import c
from tgite.strong import until_horizon
from tgite_checks.fidelity.environments import nearly_certain, won_by
from tgite_checks.fidelity.rules import asked, knockout
from tgite_laws.match_paths import replaying, timed, walk

ROWS = tomllib.loads(Path(__file__).with_name("algorithms.toml").read_text("utf-8"))
NAMES = KNOWN | {"asked": asked, "knockout": knockout, "of": Confidence.of}
NAMES |= {"over": BalancedTree.over, "THREE_TENTHS": Fraction(3, 10), "timed": timed}
NAMES |= {"until_horizon": until_horizon}
TENTH = Confidence.of("1/10")


@pytest.mark.parametrize("row", ROWS["path"], ids=lambda row: row["call"])
def test_matches_levels_announcements_and_ends_are_those_written_out(row: dict[str, str]) -> None:
    steps = row["steps"].splitlines()
    winners = [int(step.rpartition(" won by ")[2]) for step in steps if " won by " in step]
    path = walk(eval(row["call"], NAMES), replaying(winners), len(winners))
    assert str(path).split("; ") == steps


@pytest.mark.parametrize(("call", "arms", "outcomes", "winner", "duels"), ROWS["matches"])
def test_a_match_lasts_as_long_as_is_written_out(
    call: str, arms: str, outcomes: str, winner: Arm, duels: int
) -> None:
    beginning, _, repeated = outcomes.rstrip(")").partition("(")
    left, played = chain(beginning, cycle(repeated)), list[Duel]()

    def answer(duel: Duel) -> Outcome:
        played.append(duel)
        return next(left) == "1"

    assert drive(eval(call, NAMES), answer) == winner
    assert played == [Duel(*map(int, arms.split("-")))] * duels


@pytest.mark.parametrize("n", [1, 7, 1000])
def test_the_radii_are_the_papers(n: int) -> None:
    assert c(n, TENTH) == pytest.approx(sqrt(log(2 * n * (n + 1) / 0.1) / (2 * n)), rel=1e-14)
    assert b(n, TENTH) == pytest.approx(sqrt(log(8 * n * n / 0.1) / (2 * n)), rel=1e-14)


def test_a_radius_is_finite_where_its_quotient_is_not() -> None:
    level = Confidence(Fraction(1, 4**602))
    with pytest.raises(OverflowError):
        _ = 2 * 10 * 11 / float(level.rational.denominator)
    assert isfinite(c(10, level))
    assert c(10**6, level) < 0.05


@pytest.mark.parametrize("test", ["duel_test", "known_gap(G)", "mixture_test", "known_gap_sprt(G)"])
@pytest.mark.parametrize("call", ROWS["finding"])
def test_the_winner_is_found_duel_by_duel(call: str, test: str) -> None:
    for arm, winner in product(range(5), repeat=2):
        stream = eval(call, NAMES | {"arm": arm, "test": eval(test, NAMES)})
        assert drive(stream, nearly_certain(won_by(winner))) == winner


@pytest.mark.parametrize(("call", "found", "number"), ROWS["many"])
def test_many_arms_are_known_by_their_numbers(call: str, found: Arm, number: int) -> None:
    """A test may answer with another int of the same value."""
    played: list[Match] = []

    def higher_wins(question: Match) -> Arm:
        played.append(question)
        return int(str(max(question.first, question.second)))

    assert drive(eval(call, NAMES), higher_wins) == found
    assert len(played) == number


def test_the_set_may_change_after_the_stream_is_made() -> None:
    arms = [0, 1, 2]
    stream = bkt(arms, TENTH, match)
    arms.clear()
    assert len(walk(stream, replaying(()), 10).matches) == 2
