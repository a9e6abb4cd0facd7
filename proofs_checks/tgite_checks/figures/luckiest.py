"""The least cost of any run at N = 256 from the starting arm, and a run that has it.

All matches of a pass are at known levels, whoever wins them. So no run costs less than the shortest
matches at these levels. This cost occurs: in a run in which the winner wins all its duels, and one
arm wins every duel of each other match. The test is DuelTest or, if a gap ``g`` is given,
BudgetedDuelTest with that gap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from tgite import Arm, Confidence, Duel, Outcome, PairwiseTest
from tgite_checks.figures.contestants import START
from tgite_checks.printed import STRONG
from tgite_laws.bracket import bracket
from tgite_laws.fewest_duels import fewest_duels
from tgite_laws.implementation import Implementation

N, HORIZON = STRONG.arms[-1], STRONG.horizon


@dataclass(frozen=True, slots=True)
class Luckiest:
    """The least cost of any run, ``least``, and the winner of a run that has it."""

    least: int
    winner: Arm = START


@lru_cache(maxsize=32)
def pairwise_test(
    implementation: Implementation, g: Fraction | None
) -> PairwiseTest[Duel, Outcome]:
    """Return DuelTest, or the test with known gap ``g``."""
    return implementation.duel_test if g is None else implementation.known_gap(g)


@lru_cache(maxsize=32)
def _matches(
    implementation: Implementation, g: Fraction | None, level: Confidence
) -> tuple[list[int], list[list[int]]]:
    """Return the fewest duels of each match of a pass, and each arm's matches if it wins them."""
    tree, test = implementation.BalancedTree.over(N), pairwise_test(implementation, g)
    played = bracket(lambda asked: implementation.tree_ascent(START, tree, level, asked))
    fewest = [fewest_duels(test, match.delta) for match in played.matches]
    return fewest, [played.path(arm) for arm in range(N)]


def shortest_pass(implementation: Implementation, g: Fraction | None, level: Confidence) -> int:
    """Return the fewest duels of a pass."""
    return sum(_matches(implementation, g, level)[0])


def weak_regret(implementation: Implementation, g: Fraction | None = None) -> Luckiest:
    """Return the least weak regret of TG-ITE-Weak: the warm start's duels without the winner.

    A winner that loses a match plays fewer of the warm start's matches, and pays in later epochs.
    """
    fewest, own = _matches(implementation, g, implementation.schedules.WEAK_WARM_START)
    costs = [sum(fewest) - sum(fewest[k] for k in path) for path in own]
    return Luckiest(min(costs), costs.index(min(costs)))


def flat_from(implementation: Implementation, g: Fraction | None = None) -> Luckiest:
    """Return the least round after which TG-ITE-Weak's weak regret is constant.

    It is the end of the last match without the winner.
    """
    fewest, own = _matches(implementation, g, implementation.schedules.WEAK_WARM_START)
    rounds = [sum(fewest) - sum(fewest[_closing(path, len(fewest)) :]) for path in own]
    return Luckiest(min(rounds), rounds.index(min(rounds)))


def _closing(path: Sequence[int], matches: int) -> int:
    """Return the least k for which all matches from number k on are on the path."""
    while matches - 1 in path:
        matches -= 1
    return matches


def known_horizon(implementation: Implementation, g: Fraction | None = None) -> Luckiest:
    """Return the least strong regret of TG-ITE-Strong-KnownHorizon: 1 for each duel."""
    level = implementation.schedules.known_horizon_level(HORIZON)
    return Luckiest(shortest_pass(implementation, g, level))


def anytime(implementation: Implementation, g: Fraction | None = None) -> Luckiest:
    """Return the least strong regret of TG-ITE-Strong-Anytime: 1 for each round of a pass.

    Longer passes only delay self-play, so the run with the shortest passes self-plays most.
    """
    schedules = implementation.schedules
    rounds = least = s = 0
    while rounds < HORIZON:
        s += 1
        duels = min(shortest_pass(implementation, g, schedules.anytime_level(s)), HORIZON - rounds)
        least += duels
        rounds += duels + schedules.self_play_rounds(s)
    return Luckiest(least)
