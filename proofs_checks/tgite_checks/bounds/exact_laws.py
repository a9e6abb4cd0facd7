"""The exact laws that several checks need, for the implementation under test.

Brackets and levels are read off its algorithms, stopping rules off its tests. Laws are cached for
later checks.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from tgite.confidence import Confidence
from tgite.instances import cyclic, sparse
from tgite.playing.matrices import example
from tgite.preferences import PreferenceMatrix, Preferences
from tgite.questions import Arm, PairwiseTest, Stream
from tgite.tree import BalancedTree
from tgite_checks.check import Depth
from tgite_laws.bracket import CostLaw, Meeting, TournamentLaw, bracket
from tgite_laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_laws.cache import cached
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.enclosure import Enclosure
from tgite_laws.implementation import Implementation
from tgite_laws.match_law import MatchLaws
from tgite_laws.strong import strong_regret_anytime, strong_regret_known_horizon
from tgite_laws.tournaments import bkt_law, screen_and_replace_law, tree_ascent_law
from tgite_laws.weak import WeakRegret, weak_regret


@cached
def laws_of(under_test: Implementation) -> DuelTestLaws:
    """Return the laws of that implementation's DuelTest."""
    return DuelTestLaws(under_test)


@cached
def budgeted_laws_of(under_test: Implementation, g: Fraction) -> BudgetedDuelTestLaws:
    """Return the laws of that implementation's BudgetedDuelTest."""
    return BudgetedDuelTestLaws(under_test, g)


LawsFor = Callable[[Implementation, Preferences], MatchLaws]
"""How an instance's pairwise test is chosen."""


def anytime(under_test: Implementation, preferences: Preferences) -> MatchLaws:
    """Return the laws of DuelTest."""
    return laws_of(under_test)


def known_gap(under_test: Implementation, preferences: Preferences) -> MatchLaws:
    """Return the laws of BudgetedDuelTest with the largest valid gap, g = Delta*."""
    return budgeted_laws_of(under_test, preferences.winner_gap())


@dataclass(frozen=True, slots=True)
class Setting:
    """An instance with the level at which its winner is identified."""

    name: str
    preferences: Preferences
    level: Confidence


def _setting(name: str, preferences: Preferences, level: str) -> Setting:
    return Setting(f"{name}, level {level}", preferences, Confidence.of(level))


@functools.cache
def paper_settings() -> tuple[Setting, ...]:
    """Return the settings of the three figures, and one with small gaps and a level of 1/2."""
    return (
        *(
            _setting(f"cyclic N = {N}, gaps .32/.38", cyclic(N, "0.32", "0.38"), "1/10")
            for N in (8, 16, 32, 256)
        ),
        _setting("sparse N = 256, gaps .26/.44", sparse(256, "0.26"), "1/4"),
        _setting("cyclic N = 256, gaps .30/.38", cyclic(256, "0.30", "0.38"), "1/100001"),
        _setting("cyclic N = 8, all gaps .05", cyclic(8, "0.05", "0.05"), "1/2"),
    )


@functools.cache
def real_settings() -> tuple[Setting, ...]:
    """Return the real matrices that satisfy Assumption 1."""
    return (
        _setting("mslr5", example("mslr5"), "1/10"),
        _setting("sushi16", example("sushi16"), "1/10"),
    )


@functools.cache
def tie_settings() -> tuple[tuple[Setting, Arm, Arm], ...]:
    """Return instances with a Condorcet winner and a tie, and the two arms that tie."""
    three = PreferenceMatrix.of(
        [["1/2", "0.8", "0.8"], ["0.2", "1/2", "1/2"], ["0.2", "1/2", "1/2"]]
    )
    return (
        (_setting("three arms, two tie", three, "1/10"), 1, 2),
        (_setting("arxiv6", example("arxiv6"), "1/10"), 3, 5),
    )


def tree_with_siblings(preferences: Preferences, i: Arm, j: Arm) -> BalancedTree:
    """Return a balanced tree in which ``i`` and ``j`` are the first two leaves, byes last."""
    others = [arm for arm in range(preferences.size) if arm not in (i, j)]
    capacity = 1 << (preferences.size - 1).bit_length()
    byes = [None] * (capacity - preferences.size)
    return BalancedTree((i, j, *others, *byes))


@cached
def knockout(under_test: Implementation, setting: Setting, laws: MatchLaws) -> TournamentLaw:
    """Return the law of BKT on all arms of a setting."""
    return bkt_law(
        under_test.bkt,
        tuple(range(setting.preferences.size)),
        setting.level,
        setting.preferences,
        laws,
    )


@cached
def ascent(
    under_test: Implementation,
    setting: Setting,
    laws: MatchLaws,
    b: Arm = 0,
    tree: BalancedTree | None = None,
) -> TournamentLaw:
    """Return the law of a pass from ``b``, on the default tree unless another is given."""
    chosen = under_test.BalancedTree.over(setting.preferences.size) if tree is None else tree
    return tree_ascent_law(
        under_test.tree_ascent, b, chosen, setting.level, setting.preferences, laws
    )


@cached
def epoch(
    under_test: Implementation,
    preferences: Preferences,
    laws: MatchLaws,
    c: Arm,
    rho: Confidence,
    kappa: Confidence,
) -> TournamentLaw:
    """Return the law of an epoch."""
    algorithm = under_test.screen_and_replace
    return screen_and_replace_law(algorithm, c, rho, kappa, preferences, laws)


def error_of(law: TournamentLaw) -> Enclosure:
    """Return the error of a law in which the winner takes part."""
    if law.error is None:
        raise AssertionError("no Condorcet winner takes part")
    return law.error


def weak_regret_of(law: TournamentLaw) -> CostLaw:
    """Return the weak regret of a law in which the winner takes part."""
    if law.weak_regret is None:
        raise AssertionError("no Condorcet winner takes part")
    return law.weak_regret


@cached
def weak_run(
    under_test: Implementation, preferences: Preferences, laws: MatchLaws, warm_start: Confidence
) -> WeakRegret:
    """Return the enclosed weak regret of the infinite run from arm 0."""
    tree = under_test.BalancedTree.over(preferences.size)
    return weak_regret(under_test.tg_ite_weak, 0, tree, preferences, laws, warm_start)


@cached
def known_horizon_run(
    under_test: Implementation, preferences: Preferences, laws: MatchLaws, H: int
) -> Enclosure:
    """Return the enclosed strong regret over a known horizon, from arm 0."""
    tree = under_test.BalancedTree.over(preferences.size)
    algorithm = under_test.tg_ite_strong_known_horizon
    return strong_regret_known_horizon(algorithm, 0, tree, H, preferences, laws).total


@cached
def anytime_run(
    under_test: Implementation, preferences: Preferences, laws: MatchLaws, T: int
) -> Enclosure:
    """Return the enclosed strong regret of the anytime policy by time T, from arm 0."""
    tree = under_test.BalancedTree.over(preferences.size)
    algorithm = under_test.tg_ite_strong_anytime
    return strong_regret_anytime(algorithm, 0, tree, T, preferences, laws).total


def passes_with_a_tie(
    under_test: Implementation, depth: Depth, laws_for: LawsFor
) -> Iterator[tuple[Setting, Arm, Arm, TournamentLaw]]:
    """Return the laws of passes from an arm whose sibling in the tree ties with it."""
    settings = tie_settings()
    # DuelTest's laws at arxiv6's small gaps take long; the three arms show the same.
    few = depth is Depth.QUICK and laws_for is anytime
    for setting, i, j in settings[:1] if few else settings:
        tree = tree_with_siblings(setting.preferences, i, j)
        laws = laws_for(under_test, setting.preferences)
        yield setting, i, j, ascent(under_test, setting, laws, i, tree)


def most_duels_of(
    under_test: Implementation,
    make_stream: Callable[[PairwiseTest[Meeting, int]], Stream[Meeting, int, int]],
    g: Fraction,
) -> int:
    """Return the sum of the budgets over a bracket: the most duels with BudgetedDuelTest."""
    return sum(under_test.budget(g, meeting.delta) for meeting in bracket(make_stream).matches)
