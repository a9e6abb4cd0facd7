"""The figures' numbers from the exact laws: means and standard deviations, no simulation."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import sqrt

from tgite import Arm, Confidence, PairwiseTest, Preferences
from tgite.comparators.bkt_all import bkt_all
from tgite.comparators.seq_elim import seq_elim
from tgite.questions import A, Q, Stream
from tgite.schedules import (
    anytime_level,
    known_horizon_level,
)
from tgite_checks.enclosure import Enclosure
from tgite_checks.figures.contestants import DELTA
from tgite_checks.implementation import Implementation
from tgite_checks.laws.bracket import TournamentLaw, bracket, bracket_law
from tgite_checks.laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_checks.laws.duel_test import DuelTestLaws
from tgite_checks.laws.match_law import MatchLaws
from tgite_checks.laws.pairs import pairs
from tgite_checks.laws.strong import strong_regret_anytime, strong_regret_known_horizon
from tgite_checks.laws.tree_ascent import tree_ascent_law
from tgite_checks.laws.weak import weak_regret


@dataclass(frozen=True, slots=True)
class ExactCost:
    """A regret or a number of duels: its mean, and its standard deviation.

    ``deviation`` leaves out runs that err or are cut by the horizon within a pass (of probability
    ``neglected`` or less), while ``mean`` does not.
    """

    mean: Enclosure
    deviation: Enclosure
    neglected: float = 0.0


class _Unguaranteed(BudgetedDuelTestLaws):
    """The same laws for gaps above Delta* too, where the paper guarantees nothing."""

    def require(self, preferences: Preferences) -> None:
        """Accept all preferences."""


@lru_cache(maxsize=32)
def laws_of(implementation: Implementation, g: Fraction | None) -> MatchLaws:
    """Return the exact laws of an implementation's DuelTest, or of its test for the gap ``g``.

    The laws of the budgeted test are given for any ``g``, also above the winner's gap.
    """
    if g is None:
        return DuelTestLaws(implementation)
    return _Unguaranteed(implementation, g)


@lru_cache(maxsize=32)
def weak(
    implementation: Implementation, instance: Preferences, g: Fraction | None, b: Arm
) -> ExactCost:
    """Return the weak regret of TG-ITE-Weak from ``b``, over the infinite run."""
    tree = implementation.BalancedTree.over(instance.size)
    laws = laws_of(implementation, g)
    regret = weak_regret(implementation.tg_ite_weak, b, tree, instance, laws, epochs=6)
    law = regret.warm_start
    assert law.weak_regret is not None
    assert law.error is not None
    return ExactCost(regret.total, law.weak_regret.standard_deviation, law.error.high)


@lru_cache(maxsize=32)
def warm_start(
    implementation: Implementation, instance: Preferences, g: Fraction | None, b: Arm
) -> TournamentLaw:
    """Return the law of the weak policy's warm start from ``b``."""
    tree = implementation.BalancedTree.over(instance.size)
    return tree_ascent_law(
        implementation.tree_ascent,
        b,
        tree,
        implementation.schedules.WEAK_WARM_START,
        instance,
        laws_of(implementation, g),
    )


@lru_cache(maxsize=32)
def strong_known_horizon(
    implementation: Implementation, instance: Preferences, H: int, g: Fraction | None, b: Arm
) -> ExactCost:
    """Return the strong regret of TG-ITE-Strong-KnownHorizon from ``b`` after ``H`` rounds."""
    tree = implementation.BalancedTree.over(instance.size)
    regret = strong_regret_known_horizon(
        implementation.tg_ite_strong_known_horizon,
        b,
        tree,
        H,
        instance,
        laws_of(implementation, g),
    )
    (law,) = regret.passes
    assert law.error is not None
    return ExactCost(regret.total, law.comparisons.standard_deviation, law.error.high)


@lru_cache(maxsize=32)
def strong_anytime(
    implementation: Implementation, instance: Preferences, T: int, g: Fraction | None, b: Arm
) -> ExactCost:
    """Return the strong regret of TG-ITE-Strong-Anytime from ``b`` after ``T`` rounds.

    The deviation is of the passes that end before T on average, which are independent.
    """
    tree = implementation.BalancedTree.over(instance.size)
    regret = strong_regret_anytime(
        implementation.tg_ite_strong_anytime, b, tree, T, instance, laws_of(implementation, g)
    )
    rounds, low, high, error = 0.0, 0.0, 0.0, 0.0
    for s, law in enumerate(regret.passes, start=1):
        rounds += law.comparisons.mean.high
        if rounds > T:
            break
        low += law.comparisons.standard_deviation.low**2
        high += law.comparisons.standard_deviation.high**2
        error += 0.0 if law.error is None else law.error.high
        rounds += implementation.schedules.self_play_rounds(s)
        if rounds > T:
            break
    return ExactCost(
        regret.total, Enclosure(sqrt(low) * (1 - 1e-12), sqrt(high) * (1 + 1e-12)), error
    )


@lru_cache(maxsize=64)
def identification(
    implementation: Implementation, instance: Preferences, g: Fraction | None, who: str, b: Arm = 0
) -> TournamentLaw:
    """Return the law of the duels that an identification takes at delta = 0.1.

    ``who`` is "TG-ITE-BAI" (from ``b``), "BKT" or "SeqElim-DuelTest".
    """
    N = instance.size

    def stream(test: PairwiseTest[Q, A]) -> Stream[Q, A, Arm]:
        match who:
            case "TG-ITE-BAI":
                tree = implementation.BalancedTree.over(N)
                return implementation.tg_ite_bai(b, tree, DELTA, test)
            case "BKT":
                return bkt_all(N, DELTA, test)
            case "SeqElim-DuelTest":
                return seq_elim(range(N), DELTA, test)
        raise LookupError(who)

    return bracket_law(
        bracket(stream), pairs(instance), laws_of(implementation, g), instance.winner()
    )


def levels(H: int, phases: int) -> tuple[Confidence, tuple[Confidence, ...]]:
    """Return the level of the known horizon's pass, and those of the anytime policy's phases."""
    return known_horizon_level(H), tuple(anytime_level(s) for s in range(1, phases + 1))
