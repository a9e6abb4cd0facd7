"""Run TreeAscent at scale, with whole matches sampled from their exact laws.

The transcription runs with a pairwise test that asks for whole matches. Winner and number of duels
are drawn from DuelTest's exact joint law at that level and gap. So the run has its true law, up to
the law's certified relative error. A match costs one random number, and 10**6 arms take seconds.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import sqrt
from statistics import fmean, stdev

import numpy as np

from tgite import (
    Arm,
    BalancedTree,
    Confidence,
    Match,
    Preferences,
    drive,
    match,
    tree_ascent,
)
from tgite.schedules import WEAK_WARM_START
from tgite_checks.figures.contestants import DELTA
from tgite_checks.printed import BAI, WEAK
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.implementation import REFERENCE
from tgite_laws.match_law import MatchLaws

_LEFT_OUT = 1e-12
"""The most probability that the sampled part of a match's law may lack."""


@dataclass(frozen=True, slots=True)
class MatchSampler:
    """The joint law of a match's number of duels and result, for sampling."""

    cumulated: tuple[float, ...]
    duels: tuple[int, ...]
    first: tuple[bool, ...]

    def draw(self, uniform: float) -> tuple[int, bool]:
        """Return the number of duels and whether the first arm is returned, for a uniform number.

        A number beyond the sampled part (probability at most 1e-12) gives the last entry.
        """
        place = min(bisect_right(self.cumulated, uniform), len(self.duels) - 1)
        return self.duels[place], self.first[place]


def sampler(laws: MatchLaws, delta: Confidence, p: Fraction) -> MatchSampler:
    """Return the sampler of a match.

    Raises ``ArithmeticError`` if the law's tail is too heavy to leave out.
    """
    law = laws.stopping_law(delta, p)
    masses = [
        (float(mass), int(n), returned)
        for n, first, second in zip(law.duels, law.first, law.second, strict=True)
        for mass, returned in ((first, True), (second, False))
        if mass > 0
    ]
    cumulated = tuple(accumulate(mass for mass, _, _ in masses))
    if not masses or abs(1 - cumulated[-1]) > _LEFT_OUT + len(masses) * law.relative_error:
        raise ArithmeticError(f"the law of a match at {delta} and p = {p} is not whole")
    _, duels, first = zip(*masses, strict=True)
    return MatchSampler(cumulated, duels, first)


class Samplers:
    """A cache of match samplers, shared by many passes."""

    def __init__(self, laws: MatchLaws) -> None:
        """Make samplers from these laws on demand."""
        self._laws = laws
        # Keyed by level, then by the probability as integers, which hash much faster.
        self._known: dict[Confidence, dict[tuple[int, int], MatchSampler]] = {}
        self._level: Confidence | None = None
        self._at_level: dict[tuple[int, int], MatchSampler] = {}

    def of(self, delta: Confidence, p: Fraction) -> MatchSampler:
        """Return the sampler of a match whose first arm wins a duel with probability ``p``."""
        if delta is not self._level:
            self._level = delta
            self._at_level = self._known.setdefault(delta, {})
        key = (p.numerator, p.denominator)
        found = self._at_level.get(key)
        if found is None:
            found = self._at_level[key] = sampler(self._laws, delta, p)
        return found


class SampledMatches:
    """Answers matches by sampling, and counts their cost."""

    def __init__(
        self, preferences: Preferences, samplers: Samplers, choices: random.Random
    ) -> None:
        """Sample matches of these preferences with ``choices``."""
        self._preferences = preferences
        self._samplers = samplers
        self._uniform = choices.random
        self._winner = preferences.winner()
        self.comparisons = 0
        self.weak_regret = 0

    def answer(self, question: Match) -> Arm:
        """Sample one match; return its winner."""
        u, v = question.first, question.second
        drawn = self._samplers.of(question.delta, self._preferences.probability(u, v))
        duels, first = drawn.draw(self._uniform())
        self.comparisons += duels
        if self._winner not in (u, v):
            self.weak_regret += duels
        return u if first else v


def sampled_tree_ascent(
    b: Arm,
    epsilon: Confidence,
    preferences: Preferences,
    samplers: Samplers,
    choices: random.Random,
) -> tuple[Arm, SampledMatches]:
    """Play TreeAscent from ``b`` with sampled matches; return its answer and cost."""
    matches = SampledMatches(preferences, samplers, choices)
    tree = BalancedTree.over(preferences.size)
    return drive(tree_ascent(b, tree, epsilon, match), matches.answer), matches


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over several sampled passes, and its standard error."""

    mean: float
    error: float


def sampled_means(
    preferences: Preferences, epsilon: Confidence, samplers: Samplers, runs: int, seed: int = 0
) -> tuple[Mean, Mean, int]:
    """Sample ``runs`` passes (2 or more) from arm 0; return duels, weak regret, errors."""
    played = [
        sampled_tree_ascent(0, epsilon, preferences, samplers, random.Random(f"{seed}/{run}"))
        for run in range(runs)
    ]
    comparisons, weak = (
        Mean(fmean(costs), stdev(costs) / sqrt(runs))
        for costs in zip(*((one.comparisons, one.weak_regret) for _, one in played), strict=True)
    )
    return comparisons, weak, sum(arm != preferences.winner() for arm, _ in played)


@dataclass(frozen=True, slots=True)
class Growth:
    """The exponent in ``cost ~ N**exponent`` and its standard error."""

    exponent: float
    standard_error: float


def growth(sizes: Sequence[int], costs: Sequence[float]) -> Growth:
    """Fit a line to the logarithms by least squares; needs three sizes or more."""
    # Imported late: scipy takes longer to load than most commands take to run.
    from scipy.stats import linregress

    line = linregress(np.log(sizes), np.log(costs))
    return Growth(float(line.slope), float(line.stderr))


SCALE_SIZES = (*(2**k for k in range(1, 20)), 10**6)
"""From 2 arms to 10**6, all even, as the cyclic rule requires."""

_SMALLEST_FITTED = 64
_RUNS_OF_MATCHES = 4000
_MOST_RUNS = 30


@dataclass(frozen=True, slots=True)
class Scaling:
    """The means of a cost by size, and the exponent of its growth from N = 64 on.

    For smaller N a few matches at special levels distort the growth.
    """

    cost: str
    sizes: tuple[int, ...]
    means: tuple[float, ...]
    errors: tuple[float, ...]
    growth: Growth


def scaling(
    sizes: Sequence[int], told: Callable[[int], None] = lambda size: None
) -> tuple[Scaling, Scaling]:
    """Sample TG-ITE-BAI's duels and TG-ITE-Weak's warm-start regret on the paper's instances.

    Small sizes get more runs. ``told`` is called after each size. The regret has no entry for
    N = 2, where it is zero.
    """
    laws = DuelTestLaws(REFERENCE)
    bai, weak = Samplers(laws), Samplers(laws)
    duels: dict[int, Mean] = {}
    regret: dict[int, Mean] = {}
    for size in sizes:
        runs = max(2, min(_MOST_RUNS, _RUNS_OF_MATCHES * 64 // size))
        duels[size], _, _ = sampled_means(BAI.preferences(size), DELTA, bai, runs)
        if size > 2:
            instance = WEAK.preferences(size)
            _, regret[size], _ = sampled_means(instance, WEAK_WARM_START, weak, runs)
        told(size)
    return (
        _scaling("duels of TG-ITE-BAI, delta = 0.1", duels),
        _scaling("weak regret of TG-ITE-Weak's warm start", regret),
    )


def _scaling(cost: str, found: Mapping[int, Mean]) -> Scaling:
    means, errors = zip(*((one.mean, one.error) for one in found.values()), strict=True)
    fitted = {size: one.mean for size, one in found.items() if size >= _SMALLEST_FITTED}
    line = growth(tuple(fitted), tuple(fitted.values()))
    return Scaling(cost, tuple(found), means, errors, line)
