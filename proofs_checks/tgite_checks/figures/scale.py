"""TreeAscent at scale: whole matches sampled from their exact laws.

The transcription itself runs, with a pairwise test that asks for whole matches; the winner and the
number of duels are drawn from the exact joint law of DuelTest at that level and gap. So the run
has the law of the literal one, up to the law's certified relative error, and 10**6 arms take
seconds: a match costs one uniform number.
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
"""How much probability the sampled part of a match's law may lack."""


@dataclass(frozen=True, slots=True)
class MatchSampler:
    """The joint law of one match, ready to draw from: how many duels, who is returned."""

    cumulated: tuple[float, ...]
    duels: tuple[int, ...]
    first: tuple[bool, ...]

    def draw(self, uniform: float) -> tuple[int, bool]:
        """Return the number of duels and whether the first arm is returned, for a uniform number.

        A number beyond the sampled part, of probability 1e-12 at most, gives its last entry.
        """
        place = min(bisect_right(self.cumulated, uniform), len(self.duels) - 1)
        return self.duels[place], self.first[place]


def sampler(laws: MatchLaws, delta: Confidence, p: Fraction) -> MatchSampler:
    """Make the sampler of a match, the likeliest outcomes first.

    Raises ``ArithmeticError`` if the law's tail is too heavy to be left out.
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
    """The samplers of all matches met so far, to be shared by many passes."""

    def __init__(self, laws: MatchLaws) -> None:
        """Make samplers from these laws as they are asked for."""
        self._laws = laws
        # By level, then by the probability as a pair of integers, whose hash is much cheaper.
        self._known: dict[Confidence, dict[tuple[int, int], MatchSampler]] = {}
        self._level: Confidence | None = None
        self._at_level: dict[tuple[int, int], MatchSampler] = {}

    def of(self, delta: Confidence, p: Fraction) -> MatchSampler:
        """Return the sampler of a match at a level, whose first arm wins a duel with ``p``."""
        if delta is not self._level:
            self._level = delta
            self._at_level = self._known.setdefault(delta, {})
        key = (p.numerator, p.denominator)
        found = self._at_level.get(key)
        if found is None:
            found = self._at_level[key] = sampler(self._laws, delta, p)
        return found


class SampledMatches:
    """Answers matches by drawing them, and counts what they would have cost."""

    def __init__(
        self, preferences: Preferences, samplers: Samplers, choices: random.Random
    ) -> None:
        """Draw matches of these preferences with ``choices``."""
        self._preferences = preferences
        self._samplers = samplers
        self._uniform = choices.random
        self._winner = preferences.winner()
        self.comparisons = 0
        self.weak_regret = 0

    def answer(self, question: Match) -> Arm:
        """Draw one match; return its winner."""
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
    """Play one TreeAscent from ``b`` with sampled matches; return its result and what it cost."""
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
    """Sample ``runs`` passes from arm 0, 2 or more; return duels, weak regret, wrong answers."""
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
    """The exponent of a cost's growth with N, ``cost ~ N**exponent``, and its standard error."""

    exponent: float
    standard_error: float


def growth(sizes: Sequence[int], costs: Sequence[float]) -> Growth:
    """Fit a straight line to the logarithms by least squares; three sizes or more."""
    # scipy is imported late: it takes longer to load than most commands take to run.
    from scipy.stats import linregress

    line = linregress(np.log(sizes), np.log(costs))
    return Growth(float(line.slope), float(line.stderr))


SCALE_SIZES = (*(2**k for k in range(1, 20)), 10**6)
"""From 2 arms to 10**6; all even, as the cyclic rule asks."""

_SMALLEST_FITTED = 64
_RUNS_OF_MATCHES = 4000
_MOST_RUNS = 30


@dataclass(frozen=True, slots=True)
class Scaling:
    """The means of one cost over many sizes, and the exponent of its growth from N = 64 on.

    Below, a few matches at special levels bend the line.
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

    Small sizes get more runs, at least two; ``told`` is called after each size. The second cost has
    no entry for N = 2, where weak regret is zero.
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
