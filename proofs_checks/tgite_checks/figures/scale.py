"""TreeAscent at scale: whole matches sampled from their exact laws.

The transcription itself runs, with a pairwise test that asks for whole matches; the winner and the
number of duels are drawn from the exact joint law of DuelTest at that level and gap. So the run
has the law of the literal one, up to the law's certified relative error, and 10**6 arms take
seconds: a match costs one uniform number.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import log, sqrt
from statistics import fmean, stdev

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
from tgite_checks.implementation import REFERENCE, TreeAscent
from tgite_checks.laws.duel_test import DuelTestLaws
from tgite_checks.laws.match_law import MatchLaws
from tgite_checks.printed import BAI, WEAK

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
    return MatchSampler(
        cumulated, tuple(n for _, n, _ in masses), tuple(returned for _, _, returned in masses)
    )


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


@dataclass(frozen=True, slots=True)
class SampledPass:
    """What a sampled pass gave."""

    returned: Arm
    comparisons: int
    weak_regret: int


def sampled_tree_ascent(
    b: Arm,
    epsilon: Confidence,
    preferences: Preferences,
    samplers: Samplers,
    choices: random.Random,
    algorithm: TreeAscent = tree_ascent,
) -> SampledPass:
    """Play one TreeAscent from ``b`` with sampled matches; raises as TreeAscent does."""
    matches = SampledMatches(preferences, samplers, choices)
    tree = BalancedTree.over(preferences.size)
    returned = drive(algorithm(b, tree, epsilon, match), matches.answer)
    return SampledPass(returned, matches.comparisons, matches.weak_regret)


@dataclass(frozen=True, slots=True)
class Growth:
    """The exponent of a cost's growth with N, ``cost ~ N**exponent``, and its standard error."""

    exponent: float
    standard_error: float


def growth(sizes: Sequence[int], costs: Sequence[float]) -> Growth:
    """Fit a straight line to the logarithms by least squares; three sizes or more."""
    x, y = [log(size) for size in sizes], [log(cost) for cost in costs]
    middle_x, middle_y = fmean(x), fmean(y)
    spread = sum((value - middle_x) ** 2 for value in x)
    slope = sum((a - middle_x) * (b - middle_y) for a, b in zip(x, y, strict=True)) / spread
    rest = sum((b - middle_y - slope * (a - middle_x)) ** 2 for a, b in zip(x, y, strict=True))
    return Growth(slope, sqrt(rest / (len(x) - 2) / spread))


@dataclass(frozen=True, slots=True)
class Sampled:
    """Means over several sampled passes, with the standard error of each mean."""

    size: int
    comparisons: float
    comparisons_error: float
    weak_regret: float
    weak_regret_error: float
    wrong: int


def sampled_means(
    preferences: Preferences, epsilon: Confidence, samplers: Samplers, runs: int, seed: int = 0
) -> Sampled:
    """Sample ``runs`` passes from arm 0, ``runs`` 2 or more."""
    played = [
        sampled_tree_ascent(0, epsilon, preferences, samplers, random.Random(f"{seed}/{run}"))
        for run in range(runs)
    ]
    comparisons = [one.comparisons for one in played]
    weak = [one.weak_regret for one in played]
    return Sampled(
        preferences.size,
        fmean(comparisons),
        stdev(comparisons) / sqrt(runs),
        fmean(weak),
        stdev(weak) / sqrt(runs),
        sum(one.returned != preferences.winner() for one in played),
    )


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
    bai, weak = Samplers(DuelTestLaws(REFERENCE)), Samplers(DuelTestLaws(REFERENCE))
    found: dict[str, list[tuple[int, float, float]]] = {"bai": [], "weak": []}
    for size in sizes:
        runs = max(2, min(_MOST_RUNS, _RUNS_OF_MATCHES * 64 // size))
        one = sampled_means(BAI.preferences(size), DELTA, bai, runs)
        found["bai"].append((size, one.comparisons, one.comparisons_error))
        if size > 2:
            two = sampled_means(WEAK.preferences(size), WEAK_WARM_START, weak, runs)
            found["weak"].append((size, two.weak_regret, two.weak_regret_error))
        told(size)
    return (
        _scaling("duels of TG-ITE-BAI, delta = 0.1", found["bai"]),
        _scaling("weak regret of TG-ITE-Weak's warm start", found["weak"]),
    )


def _scaling(cost: str, points: Sequence[tuple[int, float, float]]) -> Scaling:
    fitted = [(size, mean) for size, mean, _ in points if size >= _SMALLEST_FITTED]
    return Scaling(
        cost,
        tuple(size for size, _, _ in points),
        tuple(mean for _, mean, _ in points),
        tuple(error for _, _, error in points),
        growth([size for size, _ in fitted], [mean for _, mean in fitted]),
    )
