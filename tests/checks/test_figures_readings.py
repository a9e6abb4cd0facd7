"""The printed numbers under each reading, beside played and simulated runs and scipy."""

from __future__ import annotations

import functools
import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import inf
from statistics import fmean
from typing import TypeVar

import pytest
from flint import arb
from scipy.stats import chi2

import tgite
from tgite import BalancedTree, Confidence, Duel, Incumbent, Match, SelfPlay, drive, known_gap
from tgite.questions import Outcome, PairwiseTest, Stream
from tgite.schedules import WEAK_WARM_START
from tgite_checks.check import Depth
from tgite_checks.claims.registry import ledger
from tgite_checks.figures import exact, luckiest, table
from tgite_checks.figures.contestants import START
from tgite_checks.figures.hypotheses import _above, with_radius
from tgite_checks.figures.table import Fit, Reading, printed_table
from tgite_checks.printed import NUMBERS, STRONG, WEAK
from tgite_laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.fewest_duels import fewest_duels
from tgite_laws.implementation import REFERENCE
from tgite_laws.match_law import MatchLaws
from tgite_laws.short_runs import log_transform, probability_of_few_duels

TENTH = Confidence.of("1/10")
P = Fraction(4, 5)
LAWS = DuelTestLaws(REFERENCE)


@pytest.fixture(scope="module")
def rows() -> dict[str, table.PrintedRow]:
    names = [check for _, check in table.ROWS.values()]
    results = {name: ledger().checks[name].run(REFERENCE, Depth.QUICK) for name in names}
    return {row.label: row for row in printed_table(results)}


def test_the_table_has_a_row_for_each_printed_number(rows: dict[str, table.PrintedRow]) -> None:
    assert rows.keys() == NUMBERS.keys()
    for label, (_, check) in table.ROWS.items():
        assert check in ledger().claims[label].check_names
        assert rows[label].readings.keys() == set(Reading)
        assert label.endswith(f"-{NUMBERS[label].mean}")
    assert printed_table({}) == ()


def test_no_printed_number_comes_out_as_printed(rows: dict[str, table.PrintedRow]) -> None:
    """With Algorithm 8 no regret does either; the two times do."""
    for label, row in rows.items():
        as_printed, known_gap = (row.readings[reading] for reading in Reading)
        assert as_printed.fit is Fit.IMPOSSIBLE
        assert (known_gap.fit is Fit.POSSIBLE) == ("before" in label or "flattening" in label)
        for one in row.readings.values():
            assert one.fewest < one.mean.low


_Told = TypeVar("_Told", bool, bool | None)


@pytest.mark.parametrize("g", [None, WEAK.winner_gap, STRONG.winner_gap])
def test_each_least_cost_is_met_by_a_run(g: Fraction | None) -> None:
    """The winner wins every duel, and of two others always the one of the lower index."""
    tree = BalancedTree.over(exact.N)
    test = tgite.duel_test if g is None else known_gap(g)

    def run(
        stream: Stream[Duel | SelfPlay | Incumbent, _Told, object], winner: int, to: int
    ) -> tgite.Run[object]:
        answers = tgite.CallbackEnvironment(lambda u, v: u == winner or (v != winner and u < v))
        return tgite.play(stream, answers, winner, to)

    weak, flat = luckiest.weak_regret(REFERENCE, g), luckiest.flat_from(REFERENCE, g)
    costs = [
        run(tgite.tg_ite_weak(START, tree, test), winner, rounds).weak_regret
        for winner, rounds in (
            *((weak.winner, WEAK.horizon), (flat.winner, WEAK.horizon)),
            *((flat.winner, flat.least), (flat.winner, flat.least - 1)),
        )
    ]
    assert costs[0] == weak.least
    assert costs[1] == costs[2] != costs[3]
    known, anytime = luckiest.known_horizon(REFERENCE, g), luckiest.anytime(REFERENCE, g)
    stream = tgite.tg_ite_strong_known_horizon(START, tree, exact.HORIZON, test)
    assert run(stream, known.winner, exact.HORIZON).strong_regret == known.least
    endless = tgite.tg_ite_strong_anytime(START, tree, test)
    assert run(endless, anytime.winner, exact.HORIZON).strong_regret == anytime.least


@pytest.mark.parametrize("g", [None, WEAK.winner_gap])
def test_the_curve_is_flat_where_the_last_costly_duel_was(g: Fraction | None) -> None:
    """Whole matches are drawn from their laws; the last round that costs is looked up."""
    instance, tree, laws = exact.SPARSE, BalancedTree.over(exact.N), exact.laws_of(REFERENCE, g)
    choices, last = random.Random("flat"), list[int]()

    @functools.cache
    def outcomes(delta: Confidence, p: Fraction) -> tuple[list[tuple[int, bool]], list[float]]:
        law = laws.stopping_law(delta, p)
        both = ((law.first, True), (law.second, False))
        ends = [(int(n), won) for _, won in both for n in law.duels]
        return ends, [*accumulate(float(mass) for masses, _ in both for mass in masses)]

    for _ in range(200):
        comparisons = flat = 0

        def answer(question: Match) -> int:
            nonlocal comparisons, flat
            u, v = question.first, question.second
            ends, weights = outcomes(question.delta, instance.probability(u, v))
            ((duels, won),) = choices.choices(ends, cum_weights=weights)
            comparisons += duels
            if instance.winner() not in (u, v):
                flat = comparisons
            return u if won else v

        drive(tgite.tree_ascent(0, tree, WEAK_WARM_START, tgite.match), answer)
        last.append(flat)
    found = exact.flat_from(REFERENCE, g)
    # Five standard errors.
    assert abs(fmean(last) - found.mean.middle) < 5 * found.deviation.high / 200**0.5


@pytest.mark.parametrize("laws", [LAWS, BudgetedDuelTestLaws(REFERENCE, P - Fraction(1, 2))])
def test_a_transform_is_that_of_the_law(laws: MatchLaws) -> None:
    """At a small rate it is the mean that counts; at a large one the fewest duels."""
    law = laws.stopping_law(TENTH, P)
    slope = -log_transform(law, 1e-5) / 1e-5
    assert slope == pytest.approx(laws.law(TENTH, P).mean.middle, rel=1e-3)
    assert -log_transform(law, 40.0) / 40.0 == pytest.approx(int(law.duels[0]), abs=0.2)


def test_the_chance_of_few_duels_is_not_below_the_law_s_own() -> None:
    """One match of one run: the bound against the law, and nothing below the fewest."""
    law = LAWS.stopping_law(TENTH, P)
    for most in (14, 20, 30):
        own = float((law.first + law.second)[law.duels <= most].sum())
        found = probability_of_few_duels(Counter([TENTH]), LAWS, [P], Fraction(most), 1)
        assert own <= found.high
    for ceiling, least, greatest in ((inf, 0.0, 1e-100), (299.0, 1.0, 1.0)):
        levels = Counter({TENTH: 300})
        found = probability_of_few_duels(levels, LAWS, [P], Fraction(300), 10, ceiling)
        assert least <= found.high <= greatest


def lengths(test: PairwiseTest[Duel, Outcome], levels: Sequence[Confidence], p: float) -> list[int]:
    """Return how many duels matches take, of which the outcomes depend on their number alone."""
    found = []
    for number, level in enumerate(levels):
        outcomes, count = random.Random(number), 0

        def answer(duel: Duel) -> bool:
            nonlocal count
            count += 1
            return outcomes.random() < p  # noqa: B023

        drive(test(0, 1, level), answer)
        found.append(count)
    return found


def test_a_smaller_gap_makes_every_match_longer() -> None:
    """What "every valid g" rests on: outcome for outcome, whoever wins."""
    levels = [Confidence(Fraction(1, k)) for k in (4, 40, 400, 100_001)] * 75
    gaps = [Fraction(g) for g in ("1/10", "1/5", "13/50", "3/10")]
    for one in zip(*(lengths(known_gap(g), levels, 0.8) for g in gaps), strict=True):
        assert list(one) == sorted(one, reverse=True)


# What the printed numbers tell of the test that was run.


@pytest.mark.parametrize(
    "name", [name for name, shown in ledger().demonstrations.items() if shown.refuses]
)
def test_a_demonstration_refuses_what_is_false(name: str) -> None:
    """That it stands, and the same of checks, is what ``tgite audit --mutants`` runs."""
    for words, run in ledger().demonstrations[name].refuses.items():
        assert not run(REFERENCE, Depth.QUICK).holds(), words


def test_a_narrower_radius_is_the_test_whose_law_it_has() -> None:
    """The exact mean against 2000 matches of the test itself, within five standard errors."""
    narrower = with_radius(REFERENCE, Fraction(1, 2))
    law = DuelTestLaws(narrower).law(TENTH, P)
    found = lengths(narrower.duel_test, [TENTH] * 2000, float(P))
    error = law.standard_deviation.high / 2000**0.5
    assert abs(fmean(found) - law.mean.middle) < 5 * error
    assert fewest_duels(narrower.duel_test, TENTH) < fewest_duels(REFERENCE.duel_test, TENTH)


@pytest.mark.parametrize("degrees", [9, 27])
@pytest.mark.parametrize("value", [2.5, 11.8, 40.0, 97.0])
def test_chi_square_is_that_of_scipy(degrees: int, value: float) -> None:
    assert float(_above(arb(value), degrees)) == pytest.approx(chi2.sf(value, degrees), rel=1e-9)
