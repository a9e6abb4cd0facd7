"""Exact laws of the stages of find-then-certify, for few arms.

The tournament is explored path by path, and its matches are weighed by their laws. A certificate's
budget is ignored, so the probabilities of certificates are upper bounds. For two arms a certificate
is one match, and they are exact.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce

from tgite.beyond.certificate import Rule, Verdict
from tgite.beyond.find_then_certify import (
    FINDING,
    certificate_budget,
    certificate_level,
    certificate_rule,
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
from tgite_laws.arithmetic import ONE, ZERO, minus, plus, times
from tgite_laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_laws.enclosure import Enclosure
from tgite_laws.implementation import REFERENCE
from tgite_laws.match_paths import paths
from tgite_laws.one_sided import verdict_law
from tgite_laws.tournaments import condorcet_winner


@checked
def champion_probabilities(s: int, preferences: Preferences) -> Mapping[tuple[Arm, Arm], Enclosure]:
    """Return the probability of each (champion, its last opponent) at the end of stage s."""
    told = replace(REFERENCE, name="beyond", known_gap=known_gap_sprt, budget=budget)
    laws = BudgetedDuelTestLaws(told, gap_tried(s))
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


@dataclass(frozen=True, slots=True)
class CertificateProbabilities:
    """The probabilities that the first stages certify the winner, and that they certify others.

    ``ever`` bounds the probability that a wrong arm is ever certified. It counts every later
    certificate as wrong.
    """

    rightly: Enclosure
    wrongly: Enclosure
    ever: Enclosure


@checked
def certificate_probabilities(
    preferences: Preferences, delta: Confidence, stages: int
) -> CertificateProbabilities:
    """Bound the probability that stages ``0..stages-1`` certify an arm; exact for two arms."""
    N, right = preferences.size, condorcet_winner(preferences)
    rightly = wrongly = ZERO
    begun: dict[int, Enclosure] = {0: ONE}  # P(this stage is reached after k certificates)
    for s in range(stages):
        ends = champion_probabilities(s, preferences)
        screened = {end: _screened(s, end, preferences) for end in ends}
        after: dict[int, Enclosure] = defaultdict(lambda: ZERO)
        for k, chance in begun.items():
            level = certificate_level(delta, k)
            rule, most = certificate_rule(N, s, level), certificate_budget(N, s, level)
            certified = {c: _certified(c, rule, most, preferences) for c, _ in ends}
            for (c, f), of_end in ends.items():
                here = times(chance, of_end)
                begins = times(here, screened[c, f])
                given = times(begins, certified[c])
                if c == right:
                    rightly = plus(rightly, given)
                else:
                    wrongly = plus(wrongly, given)
                after[k] = plus(after[k], minus(here, begins))
                after[k + 1] = plus(after[k + 1], minus(begins, given) if N == 2 else begins)
        begun = after
    # After k certificates, delta/(2k+1) of delta is left.
    left = (
        times(chance, Enclosure.exactly(float(delta.rational) * (1 + 1e-12) / (2 * k + 1)))
        for k, chance in begun.items()
    )
    still = plus(*left)
    return CertificateProbabilities(rightly, wrongly, plus(wrongly, Enclosure(0.0, still.high)))


def _screened(s: int, end: tuple[Arm, Arm], preferences: Preferences) -> Enclosure:
    return _won(screening_rule(s), preferences.probability(*end), screening_budget(s))


def _certified(c: Arm, rule: Rule, most: int, preferences: Preferences) -> Enclosure:
    chances = (preferences.probability(c, j) for j in range(preferences.size) if j != c)
    return reduce(times, (_won(rule, p, most) for p in chances), ONE)


def _won(rule: Rule, p: Fraction, most: int) -> Enclosure:
    return verdict_law(rule, p, most).chances[Verdict.WON]
