"""TG-ITE-BAI on real preferences, with both tests; and input."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tgite import (
    BalancedTree,
    Confidence,
    Duel,
    Ended,
    Outcome,
    SeededEnvironment,
    budget,
    drive,
    example,
    known_gap,
    match,
    play,
    tg_ite_bai,
)
from tgite_laws.match_paths import replaying, walk

DELTA = Confidence.of("1/100")


@pytest.mark.parametrize("name", ["sushi16", "mslr5"])
def test_the_winner_of_real_preferences_is_identified(name: str) -> None:
    preferences = example(name)
    tree = BalancedTree.over(preferences.size)
    g = preferences.winner_gap()
    for b in (0, preferences.size - 1):
        run = play(
            tg_ite_bai(b, tree, DELTA, known_gap(g)),
            SeededEnvironment(preferences, 11),
            preferences.winner(),
        )
        assert (run.ended, run.returned) == (Ended.RETURNED, preferences.winner())


def test_the_known_gap_variant_is_sound_on_a_tie() -> None:
    """``arxiv6`` has two arms that tie; the budgeted test plays at most its budget on them."""
    preferences = example("arxiv6")
    assert preferences.global_gap() == 0
    g = preferences.winner_gap()
    stream = tg_ite_bai(3, BalancedTree.over(6), DELTA, known_gap(g))
    run = play(stream, SeededEnvironment(preferences, 2), preferences.winner())
    assert run.returned == preferences.winner()
    levels = [
        question.delta
        for question in walk(
            tg_ite_bai(3, BalancedTree.over(6), DELTA, match), replaying(()), 10
        ).matches
    ]
    assert run.comparisons <= sum(budget(g, level) for level in levels)


def test_the_budget_bounds_every_run() -> None:
    """Alternating outcomes use up every match's budget: the bound is attained, and no more."""
    g = Fraction(3, 10)
    tree = BalancedTree.over(6)
    levels = [
        question.delta
        for question in walk(tg_ite_bai(0, tree, DELTA, match), replaying(()), 10).matches
    ]
    outcomes: dict[Duel, list[Outcome]] = {}

    def alternating(duel: Duel) -> Outcome:
        played = outcomes.setdefault(duel, [])
        played.append(len(played) % 2 == 0)
        return played[-1]

    drive(tg_ite_bai(0, tree, DELTA, known_gap(g)), alternating)
    duels = sum(map(len, outcomes.values()))
    assert duels == sum(budget(g, level) for level in levels)
