"""The published competitors under one assumption: their radii, duels and answers."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import count
from math import exp
from typing import TypeAlias

import pytest

from cost_tables.winner_only import tied
from tgite import Arm, Confidence, Duel, Outcome, SeededEnvironment, Stream, cyclic, drive, play
from tgite.beyond import explore_then_verify as karnin
from tgite.beyond.explore_then_verify import explore_then_verify
from tgite.beyond.savage import radius, savage

TENTH = Confidence.of("1/10")
Find: TypeAlias = Callable[[int, Confidence], Stream[Duel, Outcome, Arm]]


@pytest.mark.parametrize("pairs", [1, 28])
def test_the_radius_of_savage_spends_delta_in_all(pairs: int) -> None:
    """Hoeffding's bound at every t and for each pair, added up, is delta."""
    spent = sum(2 * exp(-2 * t * radius(t, pairs, TENTH) ** 2) for t in range(1, 20_000))
    assert pairs * spent == pytest.approx(0.1, rel=1e-4)


def test_savage_asks_the_pairs_in_turn_and_drops_those_of_a_beaten_arm() -> None:
    """Where the lower number always wins, no arm is out before all pairs had as many duels."""
    asked: list[tuple[int, int]] = []

    def answer(duel: Duel) -> bool:
        asked.append((duel.first, duel.second))
        return True

    assert drive(savage(4, TENTH), answer) == 0
    enough = next(t for t in range(1, 99) if radius(t, 6, TENTH) <= 1 / 2)
    everyone = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert asked == everyone * (enough - 1) + [(0, 1), (0, 2), (0, 3)]


def test_what_is_explored_names_the_strongest_opponent_as_witness() -> None:
    """Arm 0 beats 1 for certain and 2 nearly so; 2 loses by more to 1, which is its witness."""
    chances = {(0, 1): 1.0, (0, 2): 0.8, (1, 2): 1.0}
    rng, asked = random.Random(1), Counter[tuple[int, int]]()

    def answer(duel: Duel) -> bool:
        asked[duel.first, duel.second] += 1
        return rng.random() < chances[duel.first, duel.second]

    found = drive(karnin.explore(3, 2.0), answer)
    assert found == (0, {1: 0, 2: 1})
    # A certain pair is over once it is known within a factor of 2: radius a third of the mean.
    certain = next(t for t in count(1) if karnin.radius(t, 3, 2.0) < 1 / 3)
    assert asked[0, 1] == asked[1, 2] == certain
    assert asked[0, 2] > 0


def test_an_arm_that_is_no_winner_is_not_verified() -> None:
    """Arm 1 beats arm 0, which it should lose to; arm 2 does lose."""
    assert not drive(karnin.verify({1: 0, 2: 0}, 3, 2.0), lambda duel: duel.first == 1)
    asked: list[int] = []

    def loses(duel: Duel) -> bool:
        asked.append(duel.first)
        return False

    assert drive(karnin.verify({1: 0, 2: 1}, 3, 2.0), loses)
    enough = next(t for t in count(1) if karnin.radius(t, 3, 2.0) < 1)
    assert asked == [1, 2] * enough


def test_the_radius_of_karnin_spends_less_than_its_level() -> None:
    spent = sum(2 * exp(-t * karnin.radius(t, 8, 2.0) ** 2 / 2) for t in range(1, 20_000))
    assert 28 * spent < exp(-2.0) < 28 * spent * 2.5


@pytest.mark.parametrize("find", [savage, explore_then_verify])
def test_they_find_the_winner_though_losers_tie(find: Find) -> None:
    for seed in range(3):
        run = play(find(4, TENTH), SeededEnvironment(tied(4, "0.4"), seed))
        assert run.returned == 0
    preferences = cyclic(4, "0.4", "0.1")
    run = play(find(4, TENTH), SeededEnvironment(preferences, 1))
    assert run.returned == preferences.winner()
