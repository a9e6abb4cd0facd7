"""The figures' numbers without simulation: exact means and deviations, and the least of any run.

All speak of the paper's panels at N = 256, from the starting arm, and of an implementation with
DuelTest or, for a gap ``g``, with BudgetedDuelTest told it.
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import sqrt

from tgite import Arm, Confidence, Duel, Outcome, PairwiseTest, Preferences
from tgite.comparators.seq_elim import seq_elim
from tgite.questions import A, Q, Stream
from tgite_checks.figures.contestants import DELTA, START
from tgite_checks.printed import BAI, STRONG, WEAK
from tgite_laws.arithmetic import down, minus, plus, times, up
from tgite_laws.bracket import Bracket, CostLaw, TournamentLaw, bracket, bracket_law
from tgite_laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_laws.chance import chance_of_few
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.enclosure import Enclosure
from tgite_laws.fewest import Pass, one_pass
from tgite_laws.implementation import Implementation
from tgite_laws.match_law import MatchLaws
from tgite_laws.pairs import pairs
from tgite_laws.strong import (
    StrongRegret,
    strong_regret_anytime,
    strong_regret_known_horizon,
)
from tgite_laws.tournaments import tree_ascent_law
from tgite_laws.weak import weak_regret

N, HORIZON = STRONG.arms[-1], STRONG.horizon
SPARSE, CYCLIC = WEAK.preferences(), STRONG.preferences()
"""The instances of the panels on weak and on strong regret."""

SEEDS = 10
"""Over how many runs the paper's numbers are means."""

SURE_PHASES = 4
"""The anytime policy's phases that must be over before it self-plays for long (B_4 = 65536)."""

IDENTIFIERS = ("TG-ITE-BAI", "BKT", "SeqElim-DuelTest")
"""Whose duels in panel (a) have an exact law."""


@dataclass(frozen=True, slots=True)
class ExactCost:
    """A regret: its mean, and its standard deviation.

    ``deviation`` leaves out runs that err or are cut by the horizon within a pass (of probability
    ``neglected`` or less), while ``mean`` does not.
    """

    mean: Enclosure
    deviation: Enclosure
    neglected: float = 0.0

    def __str__(self) -> str:
        """Show both, to the nearest whole number."""
        return f"{self.mean.middle:.0f} ± {self.deviation.middle:.0f}"


class Unguaranteed(BudgetedDuelTestLaws):
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
    return Unguaranteed(implementation, g)


@lru_cache(maxsize=32)
def weak(implementation: Implementation, g: Fraction | None = None, b: Arm = START) -> ExactCost:
    """Return the weak regret of TG-ITE-Weak from ``b``, over the infinite run."""
    tree, laws = implementation.BalancedTree.over(N), laws_of(implementation, g)
    regret = weak_regret(implementation.tg_ite_weak, b, tree, SPARSE, laws, epochs=6)
    return _cost(regret.warm_start, regret.warm_start.weak_regret, regret.total)


def warm_start(
    implementation: Implementation, g: Fraction | None = None, epsilon: Confidence | None = None
) -> tuple[ExactCost, ExactCost]:
    """Return the weak regret of the weak policy's warm start, and how many rounds it takes.

    Its level is the policy's, unless another ``epsilon`` is given.
    """
    law = _warm_start(implementation, g, SPARSE, START, epsilon)
    return _cost(law, law.weak_regret), _cost(law, law.comparisons)


def warm_start_on(
    implementation: Implementation, g: Fraction | None, instance: Preferences, b: Arm = START
) -> ExactCost:
    """Return the weak regret of the weak policy's warm start from ``b`` on another instance."""
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
    """Return after which round of the warm start the weak regret stays as it is.

    Its last matches are the winner's, and cost nothing. The deviation takes the rounds before them
    to be independent of theirs, as they are where the winner wins all its matches; the mean leaves
    out runs in which it does not, of probability ``neglected`` or less.
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
    """Return the levels of a bracket's last matches, as far as all are the winner's if it wins."""
    path, last = set(played.path(winner)), len(played.matches) - 1
    closing = itertools.takewhile(path.__contains__, range(last, -1, -1))
    return [played.matches[k].delta for k in closing]


@lru_cache(maxsize=32)
def known_horizon(implementation: Implementation, g: Fraction | None = None) -> ExactCost:
    """Return the strong regret of TG-ITE-Strong-KnownHorizon after the panel's rounds."""
    tree, laws = implementation.BalancedTree.over(N), laws_of(implementation, g)
    policy = implementation.tg_ite_strong_known_horizon
    regret = strong_regret_known_horizon(policy, START, tree, HORIZON, CYCLIC, laws)
    (law,) = regret.passes
    return _cost(law, law.comparisons, regret.total)


@lru_cache(maxsize=32)
def anytime_regret(implementation: Implementation, g: Fraction | None = None) -> StrongRegret:
    """Return the strong regret of TG-ITE-Strong-Anytime with the laws of the passes it starts."""
    tree, laws = implementation.BalancedTree.over(N), laws_of(implementation, g)
    policy = implementation.tg_ite_strong_anytime
    return strong_regret_anytime(policy, START, tree, HORIZON, CYCLIC, laws)


def anytime(implementation: Implementation, g: Fraction | None = None) -> ExactCost:
    """Return the strong regret of TG-ITE-Strong-Anytime after the panel's rounds.

    The deviation is of the passes that end before on average, which are independent.
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
        if rounds > HORIZON:
            break
    deviation = Enclosure(sqrt(low) * (1 - 1e-12), sqrt(high) * (1 + 1e-12))
    return ExactCost(regret.total, deviation, error)


def _cost(law: TournamentLaw, of: CostLaw | None, total: Enclosure | None = None) -> ExactCost:
    if of is None or law.error is None:
        raise AssertionError("the instance has a winner")
    return ExactCost(total or of.mean, of.standard_deviation, law.error.high)


@lru_cache(maxsize=64)
def identification(
    implementation: Implementation, n: int, who: str, g: Fraction | None = None
) -> Enclosure:
    """Return the mean duels of an identification on panel (a)'s instance of n arms.

    It tests with DuelTest, or with BudgetedDuelTest told the gap ``g``. ``who`` is one of
    :data:`IDENTIFIERS`; BKT is the implementation's own, on all arms.
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
    return bracket_law(bracket(stream), pairs(instance), laws, instance.winner()).comparisons.mean


@lru_cache(maxsize=32)
def pairwise_test(
    implementation: Implementation, g: Fraction | None
) -> PairwiseTest[Duel, Outcome]:
    """Return DuelTest, or the test that is told the gap ``g``."""
    return implementation.duel_test if g is None else implementation.known_gap(g)


def warm_start_pass(implementation: Implementation) -> Pass:
    """Return the pass of the weak policy's warm start."""
    return one_pass(implementation, N, START, implementation.schedules.WEAK_WARM_START)


def weak_floor(implementation: Implementation, g: Fraction | None = None) -> int:
    """Return the least weak regret of any run: that of the warm start's shortest matches.

    The test cannot stop before its fewest duels, TreeAscent always plays N - 1 matches at known
    levels, and an arm is in at most eight of them.
    """
    start = warm_start_pass(implementation)
    return start.fewest(pairwise_test(implementation, g), start.most_of_one_arm)


def known_horizon_floor(implementation: Implementation, g: Fraction | None = None) -> int:
    """Return the least strong regret of any run that ends its pass: one for each duel."""
    level = implementation.schedules.known_horizon_level(HORIZON)
    return _pass(implementation, level).fewest(pairwise_test(implementation, g))


def anytime_floors(
    implementation: Implementation, g: Fraction | None = None
) -> tuple[tuple[int, ...], int, int]:
    """Return what bounds the strong regret of any run from below, and by how much it does.

    That is the fewest duels of each sure phase's pass, the rounds of self-play before the last of
    these passes ends, and the least strong regret.

    A run that has ended these passes has spent their fewest duels; one that has not has self-played
    in the phases before the last of them at most.
    """
    schedules, test = implementation.schedules, pairwise_test(implementation, g)
    phases = range(1, SURE_PHASES + 1)
    passes = tuple(_pass(implementation, schedules.anytime_level(s)).fewest(test) for s in phases)
    self_play = sum(map(schedules.self_play_rounds, phases[:-1]))
    return passes, self_play, min(sum(passes), HORIZON - self_play)


def chance_of_known_horizon(
    implementation: Implementation, g: Fraction | None, most: Fraction
) -> Enclosure:
    """Enclose the chance that ten runs have at most so much strong regret on average."""
    level = implementation.schedules.known_horizon_level(HORIZON)
    levels = _pass(implementation, level).levels
    return chance_of_few(levels, laws_of(implementation, g), pairs(CYCLIC).met(), most, SEEDS)


def chance_of_anytime(
    implementation: Implementation, g: Fraction | None, most: Fraction
) -> Enclosure:
    """Enclose the chance that ten runs have at most so much strong regret on average.

    The regret is at least the duels of the first five passes if these end in time, else all rounds
    but the self-play before the fifth ends.
    """
    phases = range(1, SURE_PHASES + 2)
    levels: Counter[Confidence] = Counter()
    for s in phases:
        levels += _pass(implementation, implementation.schedules.anytime_level(s)).levels
    self_play = sum(map(implementation.schedules.self_play_rounds, phases[:-1]))
    met, ceiling = pairs(CYCLIC).met(), HORIZON - self_play
    return chance_of_few(levels, laws_of(implementation, g), met, most, SEEDS, ceiling)


def _pass(implementation: Implementation, epsilon: Confidence) -> Pass:
    """Return a pass of N - 1 matches; their levels are the same whoever wins."""
    return one_pass(implementation, N, START, epsilon, (START, N // 2, N - 1))
