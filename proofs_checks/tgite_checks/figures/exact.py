"""Compute the figures' exact means and deviations.

All are for the paper's panels at N = 256 from the starting arm. The test is DuelTest or, if a gap
``g`` is given, BudgetedDuelTest with that gap.
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import sqrt

from tgite import Arm, Confidence, PairwiseTest, Preferences
from tgite.comparators.seq_elim import seq_elim
from tgite.questions import A, Q, Stream
from tgite_checks.claims.rendering import written
from tgite_checks.figures.contestants import DELTA, START
from tgite_checks.printed import BAI, STRONG, WEAK
from tgite_laws.arithmetic import down, minus, plus, times, up
from tgite_laws.bracket import Bracket, CostLaw, TournamentLaw, bracket, bracket_law
from tgite_laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.enclosure import Enclosure, rational
from tgite_laws.fewest_duels import Pass, one_pass
from tgite_laws.implementation import Implementation
from tgite_laws.match_law import MatchLaws
from tgite_laws.pairs import pairs
from tgite_laws.short_runs import probability_of_few_duels
from tgite_laws.strong import StrongRegret, strong_regret_anytime, strong_regret_known_horizon
from tgite_laws.tournaments import tree_ascent_law
from tgite_laws.weak import weak_regret

N, HORIZON = STRONG.arms[-1], STRONG.horizon
SPARSE, CYCLIC = WEAK.preferences(), STRONG.preferences()
"""The instances of the weak-regret and strong-regret panels."""

SEEDS = 10
"""The number of runs behind each of the paper's means."""

SURE_PHASES = 4
"""The anytime policy's phases before its first long self-play (B_4 = 65536)."""

IDENTIFIERS = ("TG-ITE-BAI", "BKT", "SeqElim-DuelTest")
"""The algorithms of panel (a) with an exact law of duels."""


@dataclass(frozen=True, slots=True)
class ExactCost:
    """The mean and standard deviation of a regret.

    ``deviation``, unlike ``mean``, leaves out runs that err or that the horizon cuts within a pass.
    Their probability is at most ``neglected``.
    """

    mean: Enclosure
    deviation: Enclosure
    neglected: float = 0.0

    def __str__(self) -> str:
        """Show the mean as a whole number, and the deviation in three digits."""
        return f"{written(self.mean, 'middle')} ± {written(self.deviation, '3')}"


class Unguaranteed(BudgetedDuelTestLaws):
    """The same laws, also for gaps above Delta*, where the paper guarantees nothing."""

    def require(self, preferences: Preferences) -> None:
        """Accept all preferences."""


@lru_cache(maxsize=32)
def laws_of(implementation: Implementation, g: Fraction | None) -> MatchLaws:
    """Return the exact laws of DuelTest, or of BudgetedDuelTest for any ``g``."""
    if g is None:
        return DuelTestLaws(implementation)
    return Unguaranteed(implementation, g)


@lru_cache(maxsize=32)
def weak(implementation: Implementation, g: Fraction | None = None, b: Arm = START) -> ExactCost:
    """Return TG-ITE-Weak's weak regret from ``b`` over the infinite run."""
    tree, laws = implementation.BalancedTree.over(N), laws_of(implementation, g)
    regret = weak_regret(implementation.tg_ite_weak, b, tree, SPARSE, laws, epochs=6)
    return _cost(regret.warm_start, regret.warm_start.weak_regret, regret.total)


def warm_start(
    implementation: Implementation, g: Fraction | None = None, epsilon: Confidence | None = None
) -> tuple[ExactCost, ExactCost]:
    """Return the weak regret and the rounds of TG-ITE-Weak's warm start.

    ``epsilon`` replaces the policy's level.
    """
    law = _warm_start(implementation, g, SPARSE, START, epsilon)
    return _cost(law, law.weak_regret), _cost(law, law.comparisons)


def warm_start_on(
    implementation: Implementation, g: Fraction | None, instance: Preferences, b: Arm = START
) -> ExactCost:
    """Return the weak regret of TG-ITE-Weak's warm start from ``b`` on an instance."""
    law = _warm_start(implementation, g, instance, b)
    return _cost(law, law.weak_regret)


def _warm_start(
    implementation: Implementation,
    g: Fraction | None,
    instance: Preferences,
    b: Arm,
    epsilon: Confidence | None = None,
) -> TournamentLaw:
    tree, laws = implementation.BalancedTree.over(instance.size), laws_of(implementation, g)
    level = epsilon or implementation.schedules.WEAK_WARM_START
    return tree_ascent_law(implementation.tree_ascent, b, tree, level, instance, laws)


@lru_cache(maxsize=32)
def flat_from(implementation: Implementation, g: Fraction | None = None) -> ExactCost:
    """Return the round of the warm start after which weak regret is constant.

    The last matches include the winner and cost nothing. The mean leaves out runs in which the
    winner loses a match, of probability at most ``neglected``. In all others the rounds before and
    during the last matches are independent, which the deviation requires.
    """
    tree, epsilon = implementation.BalancedTree.over(N), implementation.schedules.WEAK_WARM_START
    played = bracket(lambda test: implementation.tree_ascent(START, tree, epsilon, test))
    laws, (_, rounds) = laws_of(implementation, g), warm_start(implementation, g)
    won = Fraction(1, 2) + SPARSE.winner_gap()
    last = [laws.law(level, won) for level in _closing(played, SPARSE.winner())]
    mean = minus(rounds.mean, plus(*(law.mean for law in last)))
    squares = [times(law.standard_deviation, law.standard_deviation) for law in last]
    variance = minus(times(rounds.deviation, rounds.deviation), plus(*squares))
    deviation = Enclosure(down(sqrt(variance.low)), up(sqrt(variance.high)))
    return ExactCost(mean, deviation, rounds.neglected)


def _closing(played: Bracket, winner: Arm) -> list[Confidence]:
    """Return the levels of the last matches that all include a winner that never loses."""
    path, last = set(played.path(winner)), len(played.matches) - 1
    closing = itertools.takewhile(path.__contains__, range(last, -1, -1))
    return [played.matches[k].delta for k in closing]


@lru_cache(maxsize=32)
def known_horizon(implementation: Implementation, g: Fraction | None = None) -> ExactCost:
    """Return TG-ITE-Strong-KnownHorizon's strong regret at the panel's horizon."""
    tree, laws = implementation.BalancedTree.over(N), laws_of(implementation, g)
    policy = implementation.tg_ite_strong_known_horizon
    regret = strong_regret_known_horizon(policy, START, tree, HORIZON, CYCLIC, laws)
    (law,) = regret.passes
    return _cost(law, law.comparisons, regret.total)


def gap_weighted(implementation: Implementation, g: Fraction | None) -> Enclosure:
    """Return the mean of the pass's duels, each weighted by the average of its two arms' gaps."""
    tree, laws = implementation.BalancedTree.over(N), laws_of(implementation, g)
    level = implementation.schedules.known_horizon_level(HORIZON)
    law = tree_ascent_law(implementation.tree_ascent, START, tree, level, CYCLIC, laws)
    # All losers have the winner's gap: a duel of two of them weighs that, one with the winner half.
    without = _cost(law, law.weak_regret).mean
    return times(rational(CYCLIC.winner_gap() / 2), plus(law.comparisons.mean, without))


@lru_cache(maxsize=32)
def anytime_regret(implementation: Implementation, g: Fraction | None = None) -> StrongRegret:
    """Return TG-ITE-Strong-Anytime's strong regret with the laws of its passes."""
    tree, laws = implementation.BalancedTree.over(N), laws_of(implementation, g)
    policy = implementation.tg_ite_strong_anytime
    return strong_regret_anytime(policy, START, tree, HORIZON, CYCLIC, laws)


def anytime(implementation: Implementation, g: Fraction | None = None) -> ExactCost:
    """Return the strong regret of TG-ITE-Strong-Anytime after the panel's rounds.

    The deviation is that of the passes whose mean end is before this round. These passes are
    independent.
    """
    regret = anytime_regret(implementation, g)
    rounds, low, high, error = 0.0, 0.0, 0.0, 0.0
    for s, law in enumerate(regret.passes, start=1):
        rounds += law.comparisons.mean.high
        if rounds > HORIZON:
            break
        low += law.comparisons.standard_deviation.low**2
        high += law.comparisons.standard_deviation.high**2
        error += 0.0 if law.error is None else law.error.high
        rounds += implementation.schedules.self_play_rounds(s)
    deviation = Enclosure(sqrt(low) * (1 - 1e-12), sqrt(high) * (1 + 1e-12))
    return ExactCost(regret.total, deviation, error)


def _cost(law: TournamentLaw, of: CostLaw | None, total: Enclosure | None = None) -> ExactCost:
    if of is None or law.error is None:
        raise AssertionError("the instance has a winner")
    return ExactCost(total or of.mean, of.standard_deviation, law.error.high)


def identification(
    implementation: Implementation, n: int, who: str, g: Fraction | None = None
) -> Enclosure:
    """Return the mean duels of an identification, from :func:`identification_law`."""
    return identification_law(implementation, n, who, g).comparisons.mean


@lru_cache(maxsize=64)
def identification_law(
    implementation: Implementation, n: int, who: str, g: Fraction | None = None
) -> TournamentLaw:
    """Return the law of an identification on panel (a)'s instance of n arms.

    ``who`` is one of :data:`IDENTIFIERS`; BKT runs on all arms.
    """
    instance = BAI.preferences(n)

    def stream(test: PairwiseTest[Q, A]) -> Stream[Q, A, Arm]:
        match who:
            case "TG-ITE-BAI":
                tree = implementation.BalancedTree.over(n)
                return implementation.tg_ite_bai(START, tree, DELTA, test)
            case "BKT":
                return implementation.bkt(range(n), DELTA, test)
            case "SeqElim-DuelTest":
                return seq_elim(range(n), DELTA, test)
        raise LookupError(who)

    laws = laws_of(implementation, g)
    return bracket_law(bracket(stream), pairs(instance), laws, instance.winner())


def chance_of_known_horizon(
    implementation: Implementation, g: Fraction | None, most: Fraction
) -> Enclosure:
    """Bound the probability that ten runs have a mean strong regret of at most ``most``."""
    level = implementation.schedules.known_horizon_level(HORIZON)
    levels = _pass(implementation, level).levels
    return probability_of_few_duels(
        levels, laws_of(implementation, g), pairs(CYCLIC).met(), most, SEEDS
    )


def chance_of_anytime(
    implementation: Implementation, g: Fraction | None, most: Fraction
) -> Enclosure:
    """Bound the probability that ten runs have a mean strong regret of at most ``most``.

    The regret is at least the duels of the first five passes or, if these do not end in time, all
    rounds except the self-play before the fifth ends.
    """
    phases = range(1, SURE_PHASES + 2)
    levels: Counter[Confidence] = Counter()
    for s in phases:
        levels += _pass(implementation, implementation.schedules.anytime_level(s)).levels
    self_play = sum(map(implementation.schedules.self_play_rounds, phases[:-1]))
    met, ceiling = pairs(CYCLIC).met(), HORIZON - self_play
    return probability_of_few_duels(levels, laws_of(implementation, g), met, most, SEEDS, ceiling)


def _pass(implementation: Implementation, epsilon: Confidence) -> Pass:
    return one_pass(implementation, N, START, epsilon, (START, N // 2, N - 1))
