"""Sampling the transcription against exact laws: the last resort, at a stated error rate.

A real number X of a run is sampled. Its exact distribution function F is known up to ``slack``. By
the inequality of Dvoretzky, Kiefer and Wolfowitz, with Massart's constant,

    P(sup |F_n - F| > e) <= 2 exp(-2 n e^2),

for every F. ``e`` is chosen for the check's false-alarm rate. A version whose distribution function
differs from F by D somewhere is rejected with probability at least ``1 - 2 exp(-2 n (D - e)^2)``:
the stated power. A test computes D for the named alternative.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log, sqrt

import numpy as np

from tgite.confidence import Confidence
from tgite.instances import cyclic
from tgite.playing.environments import SeededEnvironment
from tgite.playing.play import play
from tgite.preferences import PreferenceMatrix
from tgite.questions import Arm, Duel, Outcome, PairwiseTest, match
from tgite_checks.check import Depth, Kind, Number, Result, Sizes, Statistics, by_depth, fidelity
from tgite_checks.false_alarms import alpha_of, first_seed
from tgite_laws.boundary import Floats, Integers
from tgite_laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.enclosure import Enclosure
from tgite_laws.implementation import REFERENCE, Implementation
from tgite_laws.match_law import StoppingLaw
from tgite_laws.match_paths import replaying, walk
from tgite_laws.tournaments import bkt_law


@dataclass(frozen=True, slots=True)
class Distribution:
    """An exact distribution of whole numbers: ``masses[k]`` at ``values[k]``, in increasing order.

    The distribution function errs by at most ``slack``, from rounding and truncation.
    """

    values: Integers
    masses: Floats
    slack: float

    @staticmethod
    def of(values: Integers, masses: Floats, slack: float) -> Distribution:
        """Sort the values and add up the masses of equal ones."""
        distinct, places = np.unique(values, return_inverse=True)
        summed = np.bincount(places, masses, len(distinct)).astype(np.float64)
        return Distribution(distinct, summed, slack)

    def at(self, points: Integers) -> Floats:
        """Return the distribution function at points."""
        summed = np.concatenate(([0.0], np.cumsum(self.masses)))
        below: Floats = summed[np.searchsorted(self.values, points, side="right")]
        return below

    def distance(self, other: Distribution) -> float:
        """Return the largest distance of two distribution functions."""
        points = np.union1d(self.values, other.values)
        return float(np.abs(self.at(points) - other.at(points)).max())


def tolerance(samples: int, alpha: float) -> float:
    """Return the largest distance e that is allowed at a rate of false alarms."""
    return sqrt(log(2 / alpha) / (2 * samples))


def power(samples: int, alpha: float, distance: float) -> float:
    """Return the power against a distribution function that differs by ``distance`` somewhere."""
    excess = distance - tolerance(samples, alpha)
    return 1 - 2 * exp(-2 * samples * excess**2) if excess > 0 else 0.0


def agreement(sampled: list[int], exact: Distribution, alpha: float) -> Result:
    """Compare samples with their exact distribution at the false-alarm rate ``alpha``."""
    n = len(sampled)
    if n == 0:
        return Result(False, 0, "nothing was sampled")
    values, counts = np.unique(np.array(sampled, dtype=np.int64), return_counts=True)
    empirical = Distribution(values, counts / n, 0.0)
    distance = exact.distance(empirical)
    allowed = tolerance(n, alpha) + exact.slack
    number = Number(
        "largest distance of the distribution functions",
        Enclosure(distance, distance),
        Enclosure(allowed, allowed),
    )
    if distance <= allowed:
        return Result(True, n, f"{n} runs agree with the exact law", (number,))
    return Result(
        False,
        n,
        f"{n} runs do not agree with the exact law",
        (number,),
        f"seed {first_seed()}: the distribution functions are {distance:.4g} apart, more than "
        f"{allowed:.4g}, which happens with probability {alpha:.1e} at most",
    )


def signed_duels(law: StoppingLaw) -> Distribution:
    """Return the distribution of a match's duels, negative if the second arm is returned."""
    values = np.concatenate((law.duels, -law.duels))
    masses = np.concatenate((law.first, law.second))
    beyond = law.first_beyond.probability + law.second_beyond.probability
    return Distribution.of(values, masses, law.relative_error + beyond + 1e-12)


_TIMES = (1, 4, 16)


def _sizes(samples: int) -> Sizes:
    return {"runs:": [samples * times for times in _TIMES]}


def _runs(depth: Depth, samples: int) -> Iterator[int]:
    return itertools.islice(itertools.count(first_seed()), samples * by_depth(depth, *_TIMES))


def _signed_runs(
    test: PairwiseTest[Duel, Outcome], preferences: PreferenceMatrix, seeds: Iterator[int]
) -> list[int]:
    """Sample matches of two arms: their duels, negative if the second arm is returned."""
    runs = (play(test(0, 1, HALF_LEVEL), SeededEnvironment(preferences, seed)) for seed in seeds)
    return [run.comparisons if run.returned == 0 else -run.comparisons for run in runs]


PAIR = PreferenceMatrix.of([["1/2", "0.8"], ["0.2", "1/2"]])
NEARLY_EVEN = PreferenceMatrix.of([["1/2", "0.45"], ["0.55", "1/2"]])
HALF_LEVEL = Confidence(Fraction(1, 2))
KNOWN_GAP = Fraction(3, 10)


def duel_test_law(under_test: Implementation) -> Distribution:
    """Return the sampled match's distribution for an implementation's DuelTest."""
    laws = DuelTestLaws(under_test)
    return signed_duels(laws.stopping_law(HALF_LEVEL, PAIR.probability(0, 1)))


@fidelity(
    "dueltest-sampled",
    kind=Kind.STATISTICAL,
    domain="Sampled matches' duels and answers agree with the exact joint law, at level 1/2, p = "
    "0.8.",
    sizes=_sizes(4000),
    case="run",
    statistics=Statistics(alpha_of("dueltest-sampled"), 0.999999, "dueltest-4n-for-2n"),
)
def duel_test(under_test: Implementation, depth: Depth) -> Result:
    sampled = _signed_runs(under_test.duel_test, PAIR, _runs(depth, 4000))
    return agreement(sampled, duel_test_law(REFERENCE), alpha_of("dueltest-sampled"))


def budgeted_law(laws: BudgetedDuelTestLaws) -> Distribution:
    """Return the sampled match's distribution for BudgetedDuelTest."""
    return signed_duels(laws.stopping_law(HALF_LEVEL, NEARLY_EVEN.probability(0, 1)))


@fidelity(
    "budgeted-sampled",
    kind=Kind.STATISTICAL,
    domain="Sampled matches' duels and answers agree with the exact joint law, at level 1/2, g = "
    "0.3 and p = 0.45.",
    sizes=_sizes(8000),
    case="run",
    statistics=Statistics(alpha_of("budgeted-sampled"), 0.999999, "budgeted-4n-squared"),
)
def budgeted(under_test: Implementation, depth: Depth) -> Result:
    sampled = _signed_runs(under_test.known_gap(KNOWN_GAP), NEARLY_EVEN, _runs(depth, 8000))
    exact = budgeted_law(BudgetedDuelTestLaws(REFERENCE, KNOWN_GAP))
    return agreement(sampled, exact, alpha_of("budgeted-sampled"))


FIVE = PreferenceMatrix.of(
    [
        ["0.50", "0.58", "0.35", "0.60", "0.45"],
        ["0.42", "0.50", "0.62", "0.40", "0.55"],
        ["0.65", "0.38", "0.50", "0.56", "0.42"],
        ["0.40", "0.60", "0.44", "0.50", "0.65"],
        ["0.55", "0.45", "0.58", "0.35", "0.50"],
    ]
)
"""Five arms in cycles without a winner: with a known gap of 0.3 any arm may survive."""


@fidelity(
    "bkt-sampled",
    kind=Kind.STATISTICAL,
    domain="The survivors of sampled tournaments agree with their exact law. The preferences of "
    "five arms have cycles, the known gap is 0.3 and the level 1/2.",
    sizes=_sizes(4000),
    case="run",
    statistics=Statistics(alpha_of("bkt-sampled"), 0.999, "bkt-bye-lost"),
)
def bkt(under_test: Implementation, depth: Depth) -> Result:
    arms = tuple(range(FIVE.size))
    test = under_test.known_gap(KNOWN_GAP)
    sampled = []
    for seed in _runs(depth, 4000):
        run = play(under_test.bkt(arms, HALF_LEVEL, test), SeededEnvironment(FIVE, seed))
        sampled.append(-1 if run.returned is None else run.returned)
    laws = BudgetedDuelTestLaws(REFERENCE, KNOWN_GAP)
    survives = bkt_law(REFERENCE.bkt, arms, HALF_LEVEL, FIVE, laws).survives
    masses = np.array([survives[arm].probability.middle for arm in arms])
    exact = Distribution.of(np.array(arms, dtype=np.int64), masses, 1e-9)
    return agreement(sampled, exact, alpha_of("bkt-sampled"))


EVEN_GAPS = cyclic(4, "0.3", "0.3")
"""Four arms, all gaps 0.3: the length of a match does not depend on its arms."""


def total_duels(under_test: Implementation, start: Arm) -> Distribution:
    """Return the distribution of a pass's duels if all gaps are equal.

    The matches' durations are then independent of each other and of the winners, so their
    distributions are convolved. The levels are read off ``under_test``.
    """
    tree = under_test.BalancedTree.over(EVEN_GAPS.size)
    path = walk(under_test.tree_ascent(start, tree, HALF_LEVEL, match), replaying(()), 4)
    laws = DuelTestLaws(REFERENCE)
    p = Fraction(1, 2) + EVEN_GAPS.global_gap()
    masses, slack = np.array([1.0]), 0.0
    for asked in path.matches:
        law = laws.stopping_law(asked.delta, p)
        duration = np.zeros(int(law.duels.max()) + 1)
        np.add.at(duration, law.duels, law.first + law.second)
        masses = np.convolve(masses, duration)
        slack += law.first_beyond.probability + law.second_beyond.probability
    return Distribution.of(np.arange(len(masses), dtype=np.int64), masses, slack + 1e-9)


@fidelity(
    "treeascent-sampled",
    kind=Kind.STATISTICAL,
    domain="The duels of sampled passes agree with the exact law, for four arms with all gaps 0.3 "
    "at level 1/2.",
    sizes=_sizes(1500),
    case="run",
    statistics=Statistics(alpha_of("treeascent-sampled"), 0.999999, "treeascent-merge-twice"),
)
def tree_ascent(under_test: Implementation, depth: Depth) -> Result:
    tree = under_test.BalancedTree.over(EVEN_GAPS.size)
    sampled = []
    for seed in _runs(depth, 1500):
        stream = under_test.tree_ascent(1, tree, HALF_LEVEL, under_test.duel_test)
        run = play(stream, SeededEnvironment(EVEN_GAPS, seed))
        sampled.append(run.comparisons)
    return agreement(sampled, total_duels(REFERENCE, 1), alpha_of("treeascent-sampled"))
