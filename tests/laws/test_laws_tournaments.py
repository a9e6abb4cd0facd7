"""The laws of BKT, TreeAscent and ScreenAndReplace: exact arithmetic, exploration, simulation."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import inf

import numpy as np
import pytest

from refusals import wrong_type
from tgite.bkt import bkt
from tgite.confidence import Confidence
from tgite.conventions import Arguments, Byes, Candidates, Conventions, End, Order, Pairing
from tgite.instances import CyclicInstance, cyclic
from tgite.playing.matrices import example
from tgite.preferences import PreferenceMatrix, Preferences
from tgite.questions import Arm, PairwiseTest, Q, Stream, match
from tgite.screen_and_replace import screen_and_replace
from tgite.strong import tg_ite_strong_known_horizon
from tgite.tree import BalancedTree
from tgite.tree_ascent import tree_ascent
from tgite.weak import tg_ite_weak
from tgite_laws.bracket import bracket
from tgite_laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_laws.cost import CostDistribution, cost_distribution
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.enclosure import Enclosure
from tgite_laws.exploration import MakeStream, explored_law
from tgite_laws.implementation import REFERENCE
from tgite_laws.match_law import MatchLaw, Part, Remainder, StoppingLaw
from tgite_laws.match_paths import paths
from tgite_laws.pairs import pairs
from tgite_laws.strong import strong_regret_known_horizon
from tgite_laws.tournaments import bkt_law, screen_and_replace_law, tree_ascent_law
from tgite_laws.walk import ROUNDING
from tgite_laws.weak import weak_regret

HALF = Fraction(1, 2)
knockout = partial(bkt_law, bkt)
ascent = partial(tree_ascent_law, tree_ascent)
epoch = partial(screen_and_replace_law, screen_and_replace)

CONVENTIONS = [
    Conventions(),
    Conventions(Pairing.FOLD, End.FIRST, End.FIRST, Arguments.LATER_FIRST, byes=Byes.FIRST),
    Conventions(Pairing.HALVES, End.LAST, End.FIRST, candidates=Candidates.ASCENDING),
    Conventions(
        Pairing.FOLD,
        End.FIRST,
        End.LAST,
        candidates=Candidates.INCUMBENT_LAST,
        screening=Order.DESCENDING,
        byes=Byes.SPREAD,
    ),
]

CYCLE = PreferenceMatrix.of(
    [
        ["1/2", "4/5", "1/10", "3/10", "2/5"],
        ["1/5", "1/2", "7/10", "1/4", "3/4"],
        ["9/10", "3/10", "1/2", "1/5", "2/3"],
        ["7/10", "3/4", "4/5", "1/2", "3/5"],
        ["3/5", "1/4", "1/3", "2/5", "1/2"],
    ]
)
"""Five arms; arm 3 beats all others, which beat each other in cycles. All pairs are different."""


@dataclass(frozen=True, eq=False)
class ToyLaws:
    """A made-up test with simple laws: exact, different for every level and pair, unfair to v."""

    def exact(self, delta: Confidence, p: Fraction) -> dict[tuple[bool, int], Fraction]:
        """Return the probabilities of (first wins, duels)."""
        bias = (1 + delta.rational) / 3
        first = (p + bias) / (1 + bias)
        short = 1 / (1 + delta.rational)
        return {
            (True, 1): first * short,
            (True, 4): first * (1 - short),
            (False, 2): (1 - first) * short,
            (False, 3): (1 - first) * (1 - short),
        }

    def law(self, delta: Confidence, p: Fraction) -> MatchLaw:
        return self.stopping_law(delta, p).match_law()

    def stopping_law(self, delta: Confidence, p: Fraction) -> StoppingLaw:
        masses = self.exact(delta, p)
        first, second = (
            np.array([float(masses.get((won, n), 0)) for n in range(1, 5)]) for won in (True, False)
        )
        return StoppingLaw(np.arange(1, 5), first, second, 1e-15)

    def longest_mean(self, delta: Confidence, gap: Fraction) -> float:
        return 4.0

    def require(self, preferences: Preferences) -> None:
        pass


Law = dict[tuple[Arm, int], Fraction]
TOY = ToyLaws()


def exact_law(make: MakeStream[Arm], preferences: Preferences, free: Arm | None) -> Law:
    """Return the law of (result, cost) with the toy laws, path by path, in fractions."""
    law: Law = defaultdict(Fraction)
    for path in paths(lambda: make(match), 64):
        assert path.ended
        assert path.result is not None
        along: dict[int, Fraction] = {0: Fraction(1)}
        for question, winner in zip(path.matches, path.winners, strict=True):
            p = preferences.probability(question.first, question.second)
            stepped: dict[int, Fraction] = defaultdict(Fraction)
            costs = free not in (question.first, question.second)
            for (first_wins, n), mass in TOY.exact(question.delta, p).items():
                if first_wins == (winner == question.first):
                    for cost, before in along.items():
                        stepped[cost + costs * n] += before * mass
            along = stepped
        for cost, mass in along.items():
            law[path.result, cost] += mass
    assert sum(law.values()) == 1
    return law


def check_moment(value: Enclosure, exact: Law, arm: Arm, k: int) -> None:
    """Check that an enclosure holds, tightly, the k-th moment of the cost if that arm is left."""
    moment = sum((q * cost**k for (one, cost), q in exact.items() if one == arm), Fraction(0))
    assert Fraction(value.low) <= moment <= Fraction(value.high)
    assert value.high - value.low <= max(1e-12 * value.high, 1e-250)


def check_moments(parts: dict[Arm, Part] | None, exact: Law) -> None:
    assert parts is not None
    assert set(parts) == {arm for arm, _ in exact}
    for arm, part in parts.items():
        for k, value in enumerate((part.probability, part.duels, part.squared_duels)):
            check_moment(value, exact, arm, k)


def check_masses(found: CostDistribution, exact: Law) -> None:
    """Check the whole law of a cost, and the moments that are taken from it."""
    masses = {(arm, n): m for arm, of in found.masses.items() for n, m in enumerate(of.tolist())}
    assert exact.keys() <= masses.keys()
    for place, mass in masses.items():
        assert abs(Fraction(mass) - exact.get(place, 0)) <= found.error * exact.get(place, 0)
    n = np.arange(max(map(len, found.masses.values())), dtype=np.float64)
    for arm, k in itertools.product(found.masses, range(3)):
        check_moment(found.expectation(arm, n**k), exact, arm, k)


THIRD = Confidence(Fraction(1, 3))
FOUR = PreferenceMatrix(tuple(row[:4] for row in CYCLE.rows[:4]))
STARTS: list[list[Arm] | Arm] = [[3, 0], [0, 1, 3], [4, 3, 2, 1], [2, 0, 4, 3, 1], *range(5)]
"""The arms of a knockout, or the arm from which an ascent begins."""


@pytest.mark.parametrize("used", CONVENTIONS)
@pytest.mark.parametrize("start", STARTS, ids=str)
def test_brackets_have_the_law_of_all_paths(start: list[Arm] | Arm, used: Conventions) -> None:
    """Survivors with all duels, and with those in which the winner does not play."""
    tree = BalancedTree.over(5, used)

    def make(test: PairwiseTest[Q, Arm]) -> Stream[Q, Arm, Arm]:
        if isinstance(start, list):
            return bkt(start, THIRD, test, used)
        return tree_ascent(start, tree, THIRD, test, used)

    if isinstance(start, list):
        law = knockout(start, THIRD, CYCLE, TOY, used)
    else:
        law = ascent(start, tree, THIRD, CYCLE, TOY, used)
    for free, parts in ((None, law.survives), (3, law.weak_regret_by_survivor)):
        exact = exact_law(make, CYCLE, free)
        check_moments(parts, exact)
        found, short = (
            cost_distribution(bracket(make), pairs(CYCLE), TOY, end, free_arm=free)
            for end in (None, 5)
        )
        check_masses(found, exact)
        for arm, mass in found.masses.items():
            assert np.allclose(short.masses[arm], mass[:5], rtol=1e-13, atol=0)


@pytest.mark.parametrize("used", CONVENTIONS)
def test_explored_law_of_screen_and_replace_is_that_of_all_paths(used: Conventions) -> None:
    rho, kappa = Confidence(Fraction(1, 5)), Confidence(Fraction(1, 7))
    for c in range(4):
        make = partial(screen_and_replace, c, rho, kappa, 4, conventions=used)
        law = epoch(c, rho, kappa, FOUR, TOY, used)
        check_moments(law.survives, exact_law(make, FOUR, None))
        check_moments(law.weak_regret_by_survivor, exact_law(make, FOUR, FOUR.winner()))


@pytest.mark.parametrize(
    "preferences",
    [example("sushi16")]
    + [CyclicInstance(N, Fraction(1, 5), Fraction(1, 7)) for N in (2, 4, 6, 16, 30)],
)
def test_pairs_are_those_of_the_preferences(preferences: Preferences) -> None:
    sorted_pairs = pairs(preferences)
    for i, j in itertools.product(range(preferences.size), repeat=2):
        p = preferences.probability(i, j)
        assert sorted_pairs.probabilities[sorted_pairs.index[i, j]] == p


def test_large_brackets_are_computed_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """A law must not depend on how many rows are worked on at a time."""
    inst, delta = cyclic(40, "0.3", "0.2"), Confidence.of("0.1")
    whole = knockout(range(40), delta, inst, TOY)
    monkeypatch.setattr("tgite_laws.bracket._ROWS", 7)
    sliced = knockout(range(40), delta, inst, TOY)
    for arm, part in whole.survives.items():
        assert sliced.survives[arm].duels.middle == pytest.approx(part.duels.middle, rel=1e-12)


class Coins(ToyLaws):
    """Matches of one duel that a fair coin decides: their laws are floats, known exactly."""

    def law(self, delta: Confidence, p: Fraction) -> MatchLaw:
        half = Enclosure(0.5, 0.5)
        return MatchLaw(Part(half, half, half), Part(half, half, half))


def test_the_allowance_for_rounding_grows_with_the_arms() -> None:
    """An arm meets all others on its way: their chances are summed in as many roundings."""
    N, delta = 512, Confidence.of("0.1")
    for part in knockout(range(N), delta, cyclic(N, "0.3", "0.2"), Coins()).survives.values():
        chance = part.probability
        assert chance.high - chance.low >= 2 * (N - 1) * ROUNDING * chance.low


TIED = PreferenceMatrix.of([[".5", ".9", ".9"], [".1", ".5", ".5"], [".1", ".5", ".5"]])


def test_a_tie_makes_the_cost_infinite() -> None:
    """Arms 1 and 2 tie; with b = 0 they meet in a sibling block, and hardly ever get out."""
    laws, delta = DuelTestLaws(REFERENCE), Confidence.of("0.1")
    tree = BalancedTree((0, None, 1, 2))
    law = ascent(0, tree, delta, TIED, laws)
    explored = explored_law(lambda test: tree_ascent(0, tree, delta, test), pairs(TIED), laws, 0)
    assert law.never.low > 0.999
    assert law.never.low <= explored.never.high
    assert explored.never.low <= law.never.high
    assert law.comparisons.mean == Enclosure(inf, inf)
    assert law.survives[0].probability.high < 0.001
    # The known-gap test ends.
    known = ascent(0, tree, delta, TIED, BudgetedDuelTestLaws(REFERENCE, Fraction(2, 5)))
    assert known.never == Enclosure(0.0, 0.0)
    assert known.survives[0].probability.low > 0.9


class CutShort(ToyLaws):
    """The toy laws, of which the fourth duel is left out, and said to be."""

    def stopping_law(self, delta: Confidence, p: Fraction) -> StoppingLaw:
        law = super().stopping_law(delta, p)
        left = Remainder(float(law.first[3]), 1.0, 1.0)
        return StoppingLaw(law.duels[:3], law.first[:3], law.second[:3], 1e-15, left)


def test_what_the_whole_law_leaves_out_is_bounded() -> None:
    """Each match may be the one that is cut: less is known of the cost, but it is right."""
    even = PreferenceMatrix(((HALF,) * 4,) * 4)
    exact = exact_law(lambda test: bkt(range(4), THIRD, test), even, None)
    played = bracket(lambda test: bkt(range(4), THIRD, test))
    found = cost_distribution(played, pairs(even), CutShort())
    kept = sum(float(mass.sum()) for mass in found.masses.values())
    # With one of its three matches less, the bound by the union would be too small.
    assert kept + 3 / 4 * found.missing < 1 <= kept + found.missing
    for (arm, cost), mass in exact.items():
        if cost < found.whole_below:
            assert found.masses[arm][cost] == pytest.approx(float(mass), rel=1e-12)
    for arm in range(4):
        known = found.expectation(arm, np.ones(len(found.masses[arm])))
        assert known.low < sum(mass for (one, _), mass in exact.items() if one == arm) <= known.high


def test_wrong_types_are_refused_before_anything_is_computed() -> None:
    laws, level, tree = DuelTestLaws(REFERENCE), Confidence.of("1/10"), BalancedTree.over(4)
    known = tg_ite_strong_known_horizon
    refused: dict[str, Callable[[], object]] = {
        "delta=": lambda: knockout((0, 1, 2), 0.1, CYCLE, laws),  # type: ignore[arg-type]
        "tree=": lambda: ascent(0, 4, level, CYCLE, laws),  # type: ignore[arg-type]
        "match_laws = None": lambda: epoch(0, level, level, CYCLE, None),  # type: ignore[arg-type]
        "preferences = [[": lambda: weak_regret(tg_ite_weak, 0, tree, [["1/2"]], laws),  # type: ignore[arg-type]
        "H=": lambda: strong_regret_known_horizon(known, 0, tree, 1e5, CYCLE, laws),  # type: ignore[arg-type]
    }
    for named, call in refused.items():
        with wrong_type(named):
            call()
