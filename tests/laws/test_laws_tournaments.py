"""The laws of BKT, TreeAscent and ScreenAndReplace: exact arithmetic, exploration, simulation."""

from __future__ import annotations

import functools
import itertools
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import inf

import numpy as np
import pytest

from refusals import wrong_type
from tgite.bkt import bkt
from tgite.confidence import Confidence
from tgite.conventions import Arguments, Byes, Candidates, Conventions, End, Order, Pairing
from tgite.errors import InvalidInput
from tgite.instances import CyclicInstance, cyclic
from tgite.playing.matrices import example
from tgite.preferences import PreferenceMatrix, Preferences
from tgite.questions import Arm, Match, PairwiseTest, Stream, match
from tgite.screen_and_replace import screen_and_replace
from tgite.strong import tg_ite_strong_known_horizon
from tgite.tree import BalancedTree
from tgite.tree_ascent import tree_ascent
from tgite.weak import tg_ite_weak
from tgite_laws import duel_test as duel_test_laws
from tgite_laws.bracket import Meeting, TournamentLaw, bracket
from tgite_laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_laws.cost import cost_distribution
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.enclosure import Enclosure
from tgite_laws.exploration import MakeStream, explored_law
from tgite_laws.implementation import REFERENCE
from tgite_laws.match_law import MatchLaw, Part, StoppingLaw
from tgite_laws.match_paths import paths
from tgite_laws.pairs import pairs
from tgite_laws.strong import strong_regret_known_horizon
from tgite_laws.tournaments import bkt_law, screen_and_replace_law, tree_ascent_law
from tgite_laws.walk import ROUNDING
from tgite_laws.weak import weak_regret

HALF = Fraction(1, 2)
knockout = functools.partial(bkt_law, bkt)
ascent = functools.partial(tree_ascent_law, tree_ascent)
epoch = functools.partial(screen_and_replace_law, screen_and_replace)

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
        masses = self.exact(delta, p)

        def part(first_wins: bool) -> Part:
            moments = [
                sum((q * n**k for (won, n), q in masses.items() if won == first_wins), Fraction(0))
                for k in range(3)
            ]
            return Part(
                *(Enclosure(float(m) * (1 - 1e-15), float(m) * (1 + 1e-15)) for m in moments)
            )

        return MatchLaw(part(True), part(False))

    def stopping_law(self, delta: Confidence, p: Fraction) -> StoppingLaw:
        masses = self.exact(delta, p)
        duels = np.arange(1, 5)
        return StoppingLaw(
            duels,
            np.array([float(masses.get((True, n), 0)) for n in range(1, 5)]),
            np.array([float(masses.get((False, n), 0)) for n in range(1, 5)]),
            1e-15,
        )

    def longest_mean(self, delta: Confidence, gap: Fraction) -> float:
        return 4.0

    def require(self, preferences: Preferences) -> None:
        pass


Law = dict[tuple[Arm, int], Fraction]


def exact_law(make: MakeStream[Arm], preferences: Preferences, free: Arm | None) -> Law:
    """Return the law of (result, cost) with the toy laws, path by path, in fractions."""
    toy = ToyLaws()
    law: Law = defaultdict(Fraction)
    for path in paths(lambda: make(match), 64):
        assert path.ended
        assert path.result is not None
        along: dict[int, Fraction] = {0: Fraction(1)}
        for question, winner in zip(path.matches, path.winners, strict=True):
            p = preferences.probability(question.first, question.second)
            stepped: dict[int, Fraction] = defaultdict(Fraction)
            costs = free not in (question.first, question.second)
            for (first_wins, n), mass in toy.exact(question.delta, p).items():
                if first_wins == (winner == question.first):
                    for cost, before in along.items():
                        stepped[cost + costs * n] += before * mass
            along = stepped
        for cost, mass in along.items():
            law[path.result, cost] += mass
    assert sum(law.values()) == 1
    return law


def check_moments(parts: dict[Arm, Part] | None, exact: Law) -> None:
    """Check that the parts hold the exact moments, tightly."""
    assert parts is not None
    assert set(parts) == {arm for arm, _ in exact}
    for arm, part in parts.items():
        for k, value in enumerate((part.probability, part.duels, part.squared_duels)):
            moment = sum((q * cost**k for (a, cost), q in exact.items() if a == arm), Fraction(0))
            assert Fraction(value.low) <= moment <= Fraction(value.high)
            assert value.high - value.low <= max(1e-12 * value.high, 1e-250)


def check_law(law: TournamentLaw, make: MakeStream[Arm], preferences: Preferences) -> None:
    check_moments(law.survives, exact_law(make, preferences, None))
    check_moments(law.weak_regret_by_survivor, exact_law(make, preferences, preferences.winner()))


@dataclass(frozen=True)
class Case:
    """An algorithm on CYCLE under some conventions: its stream, and its law."""

    name: str
    make: MakeStream[Arm]
    law: Callable[[], TournamentLaw]


def bkt_case(arms: list[Arm], conventions: Conventions, name: str) -> Case:
    delta = Confidence(Fraction(1, 3))
    return Case(
        name,
        lambda test: bkt(arms, delta, test, conventions),
        lambda: knockout(arms, delta, CYCLE, ToyLaws(), conventions),
    )


def tree_ascent_case(b: Arm, conventions: Conventions, name: str) -> Case:
    delta, tree = Confidence(Fraction(1, 3)), BalancedTree.over(5, conventions)
    return Case(
        name,
        lambda test: tree_ascent(b, tree, delta, test, conventions),
        lambda: ascent(b, tree, delta, CYCLE, ToyLaws(), conventions),
    )


CASES = [
    bkt_case(arms, conventions, f"bkt-{k}-{len(arms)}")
    for k, conventions in enumerate(CONVENTIONS)
    for arms in ([3, 0], [0, 1, 3], [4, 3, 2, 1], [2, 0, 4, 3, 1])
] + [
    tree_ascent_case(b, conventions, f"tree-ascent-{k}-{b}")
    for k, conventions in enumerate(CONVENTIONS)
    for b in range(5)
]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_brackets_have_the_law_of_all_paths(case: Case) -> None:
    check_law(case.law(), case.make, CYCLE)


@pytest.mark.parametrize("conventions", CONVENTIONS)
def test_explored_law_of_screen_and_replace_is_that_of_all_paths(conventions: Conventions) -> None:
    four = PreferenceMatrix(tuple(row[:4] for row in CYCLE.rows[:4]))
    rho, kappa = Confidence(Fraction(1, 5)), Confidence(Fraction(1, 7))
    for c in range(4):

        def make(test: PairwiseTest[Match, Arm], c: Arm = c) -> Stream[Match, Arm, Arm]:
            return screen_and_replace(c, rho, kappa, 4, test, conventions)

        check_law(
            epoch(c, rho, kappa, four, ToyLaws(), conventions),
            make,
            four,
        )


def test_exploration_and_brackets_agree_on_real_tests() -> None:
    delta, tree = Confidence.of("0.3"), BalancedTree.over(5)
    for laws in (DuelTestLaws(REFERENCE), BudgetedDuelTestLaws(REFERENCE, Fraction(1, 10))):
        bracket_side = ascent(2, tree, delta, CYCLE, laws)
        explored = explored_law(
            lambda test: tree_ascent(2, tree, delta, test), pairs(CYCLE), laws, 3
        )
        for arm in range(5):
            a, b = bracket_side.survives[arm], explored.survives[arm]
            for x, y in ((a.probability, b.probability), (a.duels, b.duels)):
                assert x.low <= y.high
                assert y.low <= x.high
                assert x.high - x.low <= 1e-10 * x.high


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


def test_a_bracket_that_forgets_a_winner_is_refused() -> None:
    def forgetful(test: PairwiseTest[Meeting, int]) -> Stream[Meeting, int, int]:
        yield from test(0, 1, Confidence.of("0.1"))
        winner = yield from test(2, 3, Confidence.of("0.1"))
        return winner

    with pytest.raises(InvalidInput, match="play on once"):
        bracket(forgetful)


def test_large_brackets_are_computed_in_slices() -> None:
    """A law must not depend on how many rows are worked on at a time."""
    from tgite_laws import bracket as module

    inst, delta = cyclic(40, "0.3", "0.2"), Confidence.of("0.1")
    whole = knockout(range(40), delta, inst, ToyLaws())
    rows = module._ROWS
    try:
        module._ROWS = 7
        sliced = knockout(range(40), delta, inst, ToyLaws())
    finally:
        module._ROWS = rows
    for arm, part in whole.survives.items():
        assert sliced.survives[arm].duels.middle == pytest.approx(part.duels.middle, rel=1e-12)
    assert sliced.comparisons.mean.middle == pytest.approx(whole.comparisons.mean.middle, rel=1e-12)


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


def test_the_whole_law_of_the_cost_is_that_of_all_paths() -> None:
    delta, toy = Confidence(Fraction(1, 3)), ToyLaws()
    tree = BalancedTree.over(5)
    exact = exact_law(lambda test: tree_ascent(1, tree, delta, test), CYCLE, None)
    played = bracket(lambda test: tree_ascent(1, tree, delta, test))
    found = cost_distribution(played, pairs(CYCLE), toy)
    masses = {(arm, n): m for arm, of in found.masses.items() for n, m in enumerate(of.tolist())}
    assert exact.keys() <= masses.keys()
    for place, mass in masses.items():
        assert abs(Fraction(mass) - exact.get(place, 0)) <= found.error * exact.get(place, 0)
    short = cost_distribution(played, pairs(CYCLE), toy, end=10)
    for arm in range(5):
        assert np.allclose(short.masses[arm], found.masses[arm][:10], rtol=1e-13, atol=0)


def test_the_whole_law_of_the_cost_has_the_moments_of_the_bracket() -> None:
    delta, tree = Confidence.of("0.3"), BalancedTree.over(5)
    laws = BudgetedDuelTestLaws(REFERENCE, Fraction(1, 5))
    played = bracket(lambda test: tree_ascent(2, tree, delta, test))
    most = int(sum(laws.longest_mean(m.delta, HALF) for m in played.matches))
    found = cost_distribution(played, pairs(CYCLE), laws, most + 1)
    law = ascent(2, tree, delta, CYCLE, laws)
    t = np.arange(most + 1, dtype=np.float64)
    for arm, part in law.survives.items():
        for power, value in ((0, part.probability), (1, part.duels), (2, part.squared_duels)):
            moment = found.expectation(arm, t**power)
            assert moment.low <= value.high
            assert value.low <= moment.high
            assert moment.high - moment.low <= 1e-10 * moment.high


def test_what_the_whole_law_leaves_out_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """With matches cut too early, what is known of the cost is less, but still right."""
    delta, tree, end = Confidence.of("0.3"), BalancedTree.over(5), 1201
    played = bracket(lambda test: tree_ascent(2, tree, delta, test))
    full = cost_distribution(played, pairs(CYCLE), DuelTestLaws(REFERENCE), end)
    monkeypatch.setattr(duel_test_laws, "_CUT_EXPONENT", 4.0)
    early = cost_distribution(played, pairs(CYCLE), DuelTestLaws(REFERENCE), end)
    assert early.missing > 1e3 * full.missing
    everywhere = np.ones(end)
    for arm in range(5):
        known, all_of_it = early.expectation(arm, everywhere), full.expectation(arm, everywhere)
        assert known.low < all_of_it.low <= known.high
        assert known.high - known.low < 5 * early.missing


def test_wrong_types_are_refused_before_anything_is_computed() -> None:
    laws, level = DuelTestLaws(REFERENCE), Confidence.of("1/10")
    with wrong_type("delta="):
        knockout((0, 1, 2), 0.1, CYCLE, laws)  # type: ignore[arg-type]
    with wrong_type("tree="):
        ascent(0, 4, level, CYCLE, laws)  # type: ignore[arg-type]
    with wrong_type("match_laws = None"):
        epoch(0, level, level, CYCLE, None)  # type: ignore[arg-type]
    tree = BalancedTree.over(4)
    with wrong_type("preferences = [["):
        weak_regret(tg_ite_weak, 0, tree, [["1/2"]], laws)  # type: ignore[arg-type]
    known = tg_ite_strong_known_horizon
    with wrong_type("H="):
        strong_regret_known_horizon(known, 0, tree, 1e5, CYCLE, laws)  # type: ignore[arg-type]
