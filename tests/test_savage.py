"""SAVAGE, the published competitor under one assumption: its radius, its course, its answers."""

from __future__ import annotations

from math import exp

import pytest

from tgite import Confidence, Duel, InvalidInput, SeededEnvironment, cyclic, drive, play
from tgite.beyond.savage import radius, savage
from tgite_checks.bounds.winner_costs import tied

TENTH = Confidence.of("1/10")


@pytest.mark.parametrize("pairs", [1, 28])
def test_its_radius_spends_delta_in_all(pairs: int) -> None:
    """Hoeffding's bound at every t and for each pair, added up, is delta."""
    spent = sum(2 * exp(-2 * t * radius(t, pairs, TENTH) ** 2) for t in range(1, 20_000))
    assert pairs * spent == pytest.approx(0.1, rel=1e-4)


def test_it_asks_the_pairs_in_turn_and_drops_those_of_a_beaten_arm() -> None:
    """Where the lower number always wins, no arm is out before all pairs had as many duels."""
    asked: list[tuple[int, int]] = []

    def answer(duel: Duel) -> bool:
        asked.append((duel.first, duel.second))
        return True

    assert drive(savage(4, TENTH), answer) == 0
    enough = next(t for t in range(1, 99) if radius(t, 6, TENTH) <= 1 / 2)
    everyone = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert asked == everyone * (enough - 1) + [(0, 1), (0, 2), (0, 3)]


def test_it_finds_the_winner_though_losers_tie() -> None:
    for seed in range(5):
        run = play(savage(6, TENTH), SeededEnvironment(tied(6, "0.3"), seed))
        assert run.returned == 0
    preferences = cyclic(4, "0.1", "0.02")
    run = play(savage(4, TENTH), SeededEnvironment(preferences, 1))
    assert run.returned == preferences.winner()


def test_what_it_cannot_do_is_refused_at_once() -> None:
    for N, delta in ((1, "1/10"), (3, "1/40 * 6/pi^2")):
        with pytest.raises(InvalidInput):
            savage(N, Confidence.of(delta))
