"""Exact laws of the first stage of find-then-certify, for few arms.

The tournament is explored path by path, and its matches are weighed by their laws. A champion
certified in a stage has won a match against every other arm at the level of the last round. These
matches are independent, apart from their common budget. So the probabilities of certificates are
upper bounds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import reduce

from tgite.beyond.certificate import Assumption, Rule, Verdict
from tgite.beyond.find_then_certify import (
    FINDING,
    SHARE_OF_W,
    Cell,
    Stage,
    champion_level,
    gap_tried,
    screening_budget,
    screening_rule,
    suspects,
)
from tgite.beyond.sprt_test import budget, known_gap_sprt
from tgite.bkt import bkt
from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.preferences import Preferences
from tgite.questions import Arm, match
from tgite_laws.arithmetic import ONE, ZERO, plus, times
from tgite_laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_laws.enclosure import Enclosure
from tgite_laws.implementation import REFERENCE
from tgite_laws.match_paths import paths
from tgite_laws.one_sided import verdict_law
from tgite_laws.tournaments import condorcet_winner


@checked
def champion_probabilities(preferences: Preferences) -> Mapping[tuple[Arm, Arm], Enclosure]:
    """Return the probability of each (champion, its last opponent) at the end of stage 0."""
    told = replace(REFERENCE, name="beyond", known_gap=known_gap_sprt, budget=budget)
    laws = BudgetedDuelTestLaws(told, gap_tried(0))
    N = preferences.size
    chances: dict[tuple[Arm, Arm], Enclosure] = defaultdict(lambda: ZERO)
    for path in paths(lambda: bkt(range(N), FINDING, match), N):
        chance, lost_to = ONE, dict[Arm, Arm]()
        for one, winner in path.won:
            law = laws.law(one.delta, preferences.probability(one.first, one.second))
            first = winner == one.first
            chance = times(chance, (law.first if first else law.second).probability)
            lost_to[one.second if first else one.first] = winner
        assert path.result is not None
        end = path.result, suspects(path.result, lost_to)[0]
        chances[end] = plus(chances[end], chance)
    return chances


@checked
def certificate_probabilities(
    preferences: Preferences, delta: Confidence
) -> tuple[Enclosure, Enclosure]:
    """Bound the probabilities that stage 0 certifies the winner, and that it certifies others."""
    N, right = preferences.size, condorcet_winner(preferences)
    rightly = wrongly = ZERO
    for (c, f), chance in champion_probabilities(preferences).items():
        screened = _won(screening_rule(0), screening_budget(0), preferences, c, f)
        stage = Stage(N, 0, c, Cell(champion_level(delta, 0)), SHARE_OF_W[Assumption.NOTHING])
        last = next(r for r in range(99) if stage.last(r))
        matches = (
            _won(stage.rule(last, c, j), stage.most(last, c, j), preferences, c, j)
            for j in range(N)
            if j != c
        )
        given = reduce(times, matches, times(chance, screened))
        if c == right:
            rightly = plus(rightly, given)
        else:
            wrongly = plus(wrongly, given)
    return rightly, wrongly


def _won(rule: Rule, most: int, preferences: Preferences, c: Arm, j: Arm) -> Enclosure:
    return verdict_law(rule, preferences.probability(c, j), most).chances[Verdict.WON]
