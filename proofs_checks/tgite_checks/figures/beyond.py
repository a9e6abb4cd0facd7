"""Compute exact means of the policies with the tests beyond the paper, in its panels' settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from tgite import BalancedTree
from tgite_checks.figures.contestants import DELTA, START
from tgite_checks.figures.exact import CYCLIC, HORIZON, SPARSE, N
from tgite_checks.printed import BAI, STRONG, WEAK, PanelSetting
from tgite_laws.enclosure import Enclosure
from tgite_laws.implementation import REFERENCE
from tgite_laws.keeping import kept
from tgite_laws.lower_bound import least_mean
from tgite_laws.pairwise import ChosenTest
from tgite_laws.strong import strong_regret_anytime, strong_regret_known_horizon
from tgite_laws.tournaments import bkt_law, tree_ascent_law
from tgite_laws.weak import weak_regret

SIZES = (8, 16, 32, 64, 128, 256, 512, 1024)
"""Numbers of arms for which the duels of identification are shown."""

LEAST = "the least of any algorithm"

REGRETS = ("TG-ITE-Weak", "TG-ITE-Strong-KH", "TG-ITE-Strong-Anytime")
"""The policies of the regret panels."""


class Mean(NamedTuple):
    """An exact mean of an identification's duels or of a policy's regret.

    ``g`` is the gap that the test knows, if any.
    """

    algorithm: str
    test: str
    g: Fraction | None
    arms: int
    mean: Enclosure


def tests_of(panel: PanelSetting) -> Iterator[ChosenTest]:
    """Yield the paper's test and ours, without a known gap and with the winner's."""
    for g in (None, panel.winner_gap):
        yield ChosenTest.of_the_paper(g)
        yield ChosenTest.cheapest(g)


def identifications(sizes: Sequence[int] = SIZES) -> Iterator[Mean]:
    """Yield the duels of TG-ITE-BAI and BKT with each test in panel (a), and the lower bound."""
    for g in (None, BAI.winner_gap):
        for n in sizes:
            yield Mean(LEAST, "", g, n, least_mean(DELTA, BAI.preferences(n), g))
    for test in tests_of(BAI):
        laws, title = test.laws(), test.name.label
        for n in sizes:
            instance, tree, arms = BAI.preferences(n), BalancedTree.over(n), range(n)
            ascent = tree_ascent_law(REFERENCE.tree_ascent, START, tree, DELTA, instance, laws)
            yield Mean("TG-ITE-BAI", title, test.g, n, ascent.comparisons.mean)
            knockout = bkt_law(REFERENCE.bkt, arms, DELTA, instance, laws)
            yield Mean("BKT", title, test.g, n, knockout.comparisons.mean)


def regrets() -> Iterator[Mean]:
    """Yield the policies' regrets with each test."""
    tree = BalancedTree.over(N)
    weak, known_horizon, anytime = REGRETS
    for test in tests_of(WEAK):
        regret = weak_regret(REFERENCE.tg_ite_weak, START, tree, SPARSE, test.laws(), epochs=6)
        yield Mean(weak, test.name.label, test.g, N, regret.total)
    for test in tests_of(STRONG):
        laws, title = test.laws(), test.name.label
        policy = REFERENCE.tg_ite_strong_known_horizon
        cut = strong_regret_known_horizon(policy, START, tree, HORIZON, CYCLIC, laws)
        yield Mean(known_horizon, title, test.g, N, cut.total)
        phases = REFERENCE.tg_ite_strong_anytime
        uncut = strong_regret_anytime(phases, START, tree, HORIZON, CYCLIC, laws)
        yield Mean(anytime, title, test.g, N, uncut.total)


@kept
def everything() -> tuple[Mean, ...]:
    """Return all means; they are cached, as they take some seconds."""
    return (*identifications(), *regrets())


COLUMNS = ("algorithm", "test", "told_g", "arms", "low", "high")


def lines(means: Sequence[Mean]) -> Iterator[tuple[str, str, str, int, float, float]]:
    """Yield the means as rows of a table."""
    for one in means:
        told = "" if one.g is None else str(one.g)
        yield one.algorithm, one.test, told, one.arms, one.mean.low, one.mean.high
