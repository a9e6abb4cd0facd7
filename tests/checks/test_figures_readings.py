"""The printed numbers under each reading, beside simulated runs; and the table made of them."""

from __future__ import annotations

import functools
import random
from collections import Counter
from fractions import Fraction
from itertools import accumulate
from statistics import fmean
from typing import TypeVar

import pytest

from tgite import (
    Arm,
    BalancedTree,
    CallbackEnvironment,
    Confidence,
    Duel,
    Incumbent,
    Match,
    Run,
    SelfPlay,
    drive,
    duel_test,
    known_gap,
    match,
    play,
    tg_ite_strong_anytime,
    tg_ite_strong_known_horizon,
    tg_ite_weak,
    tree_ascent,
)
from tgite.questions import Stream
from tgite.schedules import WEAK_WARM_START
from tgite_checks.check import Depth
from tgite_checks.claims.registry import ledger
from tgite_checks.figures import exact, luckiest, table
from tgite_checks.figures.contestants import START
from tgite_checks.figures.table import Fit, Reading, printed_table
from tgite_checks.printed import NUMBERS, STRONG, WEAK
from tgite_laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.implementation import REFERENCE
from tgite_laws.match_law import MatchLaws
from tgite_laws.short_runs import log_transform, probability_of_few_duels

TENTH = Confidence.of("1/10")
P = Fraction(4, 5)


_Told = TypeVar("_Told", bool, bool | None)


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


def test_no_printed_number_comes_out_as_printed(rows: dict[str, table.PrintedRow]) -> None:
    """With Algorithm 8 no regret does either; the two times do."""
    for label, row in rows.items():
        as_printed, known_gap = (row.readings[reading] for reading in Reading)
        assert as_printed.fit is Fit.IMPOSSIBLE
        assert (known_gap.fit is Fit.POSSIBLE) == ("before" in label or "flattening" in label)
        for one in row.readings.values():
            assert one.fewest < one.mean.low


@pytest.mark.parametrize("g", [None, WEAK.winner_gap, STRONG.winner_gap])
def test_each_least_cost_is_met_by_a_run(g: Fraction | None) -> None:
    """The winner wins every duel, and of two others always the one of the lower index."""
    tree = BalancedTree.over(exact.N)
    test = duel_test if g is None else known_gap(g)

    def run(
        stream: Stream[Duel | SelfPlay | Incumbent, _Told, object], winner: Arm, to: int
    ) -> Run[object]:
        answers = CallbackEnvironment(lambda u, v: u == winner or (v != winner and u < v))
        return play(stream, answers, winner, to)

    weak = luckiest.weak_regret(REFERENCE, g)
    found = run(tg_ite_weak(START, tree, test), weak.winner, WEAK.horizon)
    assert found.weak_regret == weak.least
    flat = luckiest.flat_from(REFERENCE, g)
    before, then, later = (
        run(tg_ite_weak(START, tree, test), flat.winner, rounds).weak_regret
        for rounds in (flat.least - 1, flat.least, WEAK.horizon)
    )
    assert before != then == later
    known = luckiest.known_horizon(REFERENCE, g)
    stream = tg_ite_strong_known_horizon(START, tree, exact.HORIZON, test)
    assert run(stream, known.winner, exact.HORIZON).strong_regret == known.least
    anytime = luckiest.anytime(REFERENCE, g)
    found = run(tg_ite_strong_anytime(START, tree, test), anytime.winner, exact.HORIZON)
    assert found.strong_regret == anytime.least


def test_rows_without_a_result_are_left_out() -> None:
    assert printed_table({}) == ()


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

        drive(tree_ascent(0, tree, WEAK_WARM_START, match), answer)
        last.append(flat)
    found = exact.flat_from(REFERENCE, g)
    # Five standard errors.
    assert abs(fmean(last) - found.mean.middle) < 5 * found.deviation.high / 200**0.5


@pytest.mark.parametrize(
    "laws", [DuelTestLaws(REFERENCE), BudgetedDuelTestLaws(REFERENCE, P - Fraction(1, 2))]
)
def test_a_transform_is_that_of_the_law(laws: MatchLaws) -> None:
    """At a small rate it is the mean that counts; at a large one the fewest duels."""
    law = laws.stopping_law(TENTH, P)
    mean = laws.law(TENTH, P).mean
    slope = -log_transform(law, 1e-5) / 1e-5
    assert slope == pytest.approx(mean.middle, rel=1e-3)
    assert -log_transform(law, 40.0) / 40.0 == pytest.approx(int(law.duels[0]), abs=0.2)


def test_the_chance_of_few_duels_is_not_below_the_law_s_own() -> None:
    """One match of one run: the bound against the law, and nothing below the fewest."""
    laws = DuelTestLaws(REFERENCE)
    law = laws.stopping_law(TENTH, P)
    masses = law.first + law.second
    for most in (14, 20, 30):
        own = float(masses[law.duels <= most].sum())
        found = probability_of_few_duels(Counter([TENTH]), laws, [P], Fraction(most), 1)
        assert own <= found.high
    impossible = probability_of_few_duels(Counter({TENTH: 300}), laws, [P], Fraction(300), 10)
    assert impossible.high < 1e-100
    capped = probability_of_few_duels(
        Counter({TENTH: 300}), laws, [P], Fraction(300), 10, ceiling=299.0
    )
    assert capped.high == 1.0


def test_a_smaller_gap_makes_every_match_longer() -> None:
    """What "every valid g" rests on: outcome for outcome, whoever wins."""
    rng = random.Random("gaps")
    for _ in range(300):
        level = Confidence(Fraction(1, rng.choice([4, 40, 400, 100_001])))
        wins = [rng.random() < 0.8 for _ in range(2000)]
        lengths = []
        for g in ("1/10", "1/5", "13/50", "3/10"):
            asked = iter(wins)
            count = 0

            def answer(duel: Duel) -> bool:
                nonlocal count
                count += 1
                return next(asked)  # noqa: B023

            drive(known_gap(Fraction(g))(0, 1, level), answer)
            lengths.append(count)
        assert lengths == sorted(lengths, reverse=True)
