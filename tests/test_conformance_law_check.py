"""The law check: it keeps its error rate, and has the power that it states."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import log, sqrt

import numpy as np
import pytest

from tgite import (
    BalancedTree,
    Confidence,
    Duel,
    InvalidInput,
    Outcome,
    SeededEnvironment,
    Stream,
    cyclic,
    duel_test,
    example,
    play,
    tree_ascent,
)
from tgite_checks.claims.mutants import mutants_of
from tgite_checks.conformance.law_check import Cells, LawCheck
from tgite_checks.conformance.law_checks import identification_check, match_check
from tgite_checks.implementation import REFERENCE
from tgite_checks.laws.bracket import bracket
from tgite_checks.laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_checks.laws.cost import CostDistribution, cost_distribution, match_distribution
from tgite_checks.laws.duel_test import DuelTestLaws
from tgite_checks.laws.pairs import pairs
from tgite_checks.laws.tournaments import tree_ascent_law
from tgite_checks.mutation import mutated

TENTH = Confidence(Fraction(1, 10))
P = Fraction(9, 10)
UNION_BOUND = "the union bound dropped"
FACTOR_TWO = "the factor 2 of the two sides missing"


RIGHT = "the right version"
QUOTIENTS: dict[str, Callable[[int], float]] = {
    RIGHT: lambda n: 2 * n * (n + 1),
    UNION_BOUND: lambda n: 2,
    FACTOR_TWO: lambda n: n * (n + 1),
}


def _samples(version: str, p: float, delta: float, seed: int) -> Iterator[tuple[int, int]]:
    """Play a DuelTest that shares nothing with the laws."""
    draw = random.Random(f"{seed} {p}").random
    while True:
        n = S = 0
        while True:
            n += 1
            S += draw() < p
            if abs(S / n - 1 / 2) > sqrt(log(QUOTIENTS[version](n) / delta) / (2 * n)):
                break
        yield n, 0 if n < 2 * S else 1


def _rejected_after(check: LawCheck, samples: Iterator[tuple[int, int]], most: int) -> int | None:
    for _ in range(most):
        if check.add(*next(samples)):
            break
    return check.verdict().rejected_after


def test_it_states_few_samples_for_the_named_mistakes() -> None:
    check = match_check(TENTH, P)
    needed = check.all_samples_needed()
    assert 1 <= (needed[UNION_BOUND] or 0) <= 3
    assert 1 <= (needed[FACTOR_TWO] or 0) <= 30


@pytest.mark.parametrize(
    ("name", "p"),
    [(UNION_BOUND, "9/10"), (UNION_BOUND, "3/5"), (FACTOR_TWO, "9/10"), (FACTOR_TWO, "4/5")],
)
def test_it_tells_a_mistake_within_the_stated_samples(name: str, p: str) -> None:
    """Power 0.99 is stated; if it holds, 8 of 60 checks fail with probability below 1e-7."""
    begun = match_check(TENTH, Fraction(p))
    needed = begun.samples_needed(name)
    assert needed is not None
    missed = 0
    for seed in range(60):
        check = copy.deepcopy(begun)
        if _rejected_after(check, _samples(name, float(Fraction(p)), 0.1, seed), needed) is None:
            missed += 1
    assert missed < 8


def test_the_right_version_is_rejected_no_more_often_than_stated() -> None:
    """At alpha = 0.02 of 150 right versions; 16 or more are rejected with probability < 1e-6."""
    law = match_distribution(DuelTestLaws(REFERENCE).stopping_law(TENTH, P))
    one_sided = next(m for m in mutants_of("duel_test") if m.name == "dueltest-one-sided-bound")
    wrong = match_distribution(DuelTestLaws(mutated(one_sided)).stopping_law(TENTH, P))
    rejected = 0
    for seed in range(150):
        check = LawCheck(law, {"wrong": wrong}, alpha=0.02)
        # Looked at after every one of the samples: that costs nothing.
        if _rejected_after(check, _samples(RIGHT, 0.9, 0.1, 1000 + seed), 200) is not None:
            rejected += 1
    assert rejected < 16


def test_what_is_not_named_is_found_too() -> None:
    """Samples that depend on nothing: a test that always takes 30 duels."""
    check = match_check(TENTH, P)
    after = _rejected_after(check, iter([(30, 0)] * 200), 200)
    assert after is not None
    assert after < 60
    # An answer that no run of the law gives.
    check = match_check(TENTH, P)
    assert check.add(30, 7)
    assert check.verdict().rejected_after == 1
    # Fewer duels than any run can take.
    check = match_check(TENTH, P)
    assert check.add(3, 0)


def test_the_known_gap_is_checked_likewise() -> None:
    g = Fraction(1, 5)
    check = match_check(TENTH, P, g)
    needed = check.samples_needed("8n for 8n^2")
    assert needed is not None
    assert needed < 20
    # A version without the early stop always takes its whole budget.
    budget = 47
    assert _rejected_after(check, iter([(budget, 0)] * 50), 50) is not None


def test_the_verdict_says_what_is_excluded() -> None:
    check = match_check(TENTH, P)
    for _, sample in zip(range(60), _samples(RIGHT, 0.9, 0.1, 5), strict=False):
        assert not check.add(*sample)
    verdict = check.verdict()
    assert verdict.rejected_after is None
    assert UNION_BOUND in verdict.excluded
    assert FACTOR_TWO in verdict.excluded
    assert "4n(n+1) for 2n(n+1)" not in verdict.excluded
    assert "not rejected after 60 samples" in str(verdict)
    wrong = match_check(TENTH, P)
    _rejected_after(wrong, _samples(UNION_BOUND, 0.9, 0.1, 5), 50)
    assert "rejected after" in str(wrong.verdict())
    assert f"look most like: {UNION_BOUND}" in str(wrong.verdict())


# Tournaments.


def test_the_law_of_a_tournament_agrees_with_its_moments() -> None:
    """The convolved law against the moments that another program computes."""
    preferences = cyclic(4, Fraction(3, 10), Fraction(2, 5))
    tree = BalancedTree.over(4)
    laws = DuelTestLaws(REFERENCE)
    exact = tree_ascent_law(tree_ascent, 1, tree, TENTH, preferences, laws)
    played = bracket(lambda test: tree_ascent(1, tree, TENTH, test))
    law = cost_distribution(played, pairs(preferences), laws)
    mean = sum(float(masses @ np.arange(len(masses))) for masses in law.masses.values())
    assert mean == pytest.approx(exact.comparisons.mean.middle, rel=1e-9)
    for arm, part in exact.survives.items():
        assert float(law.masses[arm].sum()) == pytest.approx(part.probability.middle, rel=1e-9)


def test_runs_of_the_reference_follow_the_law_and_wrong_levels_do_not() -> None:
    preferences = cyclic(4, Fraction(2, 5), Fraction(2, 5))
    tree = BalancedTree.over(4)
    right = identification_check("tree_ascent", TENTH, preferences, start=1)
    wrong = identification_check("tree_ascent", TENTH, preferences, start=1)
    needed = right.samples_needed("every match at the whole level")
    assert needed is not None
    assert needed < 100

    def whole_level(u: int, v: int, delta: Confidence) -> Stream[Duel, Outcome, int]:
        return duel_test(u, v, TENTH)

    for seed in range(needed):
        for check, test in ((right, duel_test), (wrong, whole_level)):
            environment = SeededEnvironment(preferences, seed)
            run = play(tree_ascent(1, tree, TENTH, test), environment)
            assert isinstance(run.returned, int)
            check.add(run.comparisons, run.returned)
    assert right.verdict().rejected_after is None
    assert wrong.verdict().rejected_after is not None


def test_bad_input_is_refused() -> None:
    with pytest.raises(InvalidInput, match="may never end on a tie"):
        match_check(TENTH, Fraction(1, 2))
    with pytest.raises(InvalidInput, match=r"\(3, 5\).*must not be a tie"):
        identification_check("bkt", TENTH, example("arxiv6"))
    identification_check("bkt", TENTH, example("arxiv6"), g=Fraction(1, 10))
    with pytest.raises(InvalidInput, match="must be bkt or tree_ascent"):
        identification_check("quicksort", TENTH, example("mslr5"))
    with pytest.raises(InvalidInput, match="sample at a larger gap"):
        identification_check("bkt", TENTH, example("mslr5"))
    for alpha in (0.0, 1.0, -1.0):
        with pytest.raises(InvalidInput, match="alpha"):
            match_check(TENTH, P, alpha=alpha)
    with pytest.raises(InvalidInput, match="power"):
        match_check(TENTH, P, power=1.0)
    with pytest.raises(InvalidInput, match="comparisons"):
        match_check(TENTH, P).add(-1, 0)


# The e-process itself.


def test_it_is_a_fair_bet_under_the_law() -> None:
    """The expected factor of every bet after one sample, computed exactly: at most 1."""
    laws = BudgetedDuelTestLaws(REFERENCE, Fraction(1, 5))
    law = match_distribution(laws.stopping_law(TENTH, P))
    wrong = match_distribution(laws.stopping_law(TENTH, Fraction(4, 5)))
    cells = Cells.of(law)
    probabilities = cells.probabilities(law)
    assert float(probabilities.sum()) == pytest.approx(1, abs=1e-9)
    assert (cells.highest(law) >= probabilities).all()
    expected = 0.0
    for answer, masses in law.masses.items():
        for n in np.flatnonzero(masses).tolist():
            check = LawCheck(law, {"wrong": wrong})
            check.add(n, answer)
            expected += float(masses[n]) * np.exp(check.log_evidence())
    # Stakes on cells that the law does not reach are lost.
    assert 0.85 < expected <= 1.0


def test_cells_partition_all_samples() -> None:
    law = CostDistribution(None, {0: np.array([0, 0, 0.5, 0.4]), 1: np.array([0, 0, 0, 0.1])})
    cells = Cells.of(law)
    places = {cells.place(n, answer) for n in range(9) for answer in (0, 1, 2)}
    assert places <= set(range(cells.count))
    assert cells.place(1, 0) != cells.place(2, 0) != cells.place(3, 0)
    assert cells.place(4, 2) == cells.count - 1


def test_a_version_that_cannot_be_told_needs_no_number() -> None:
    law = match_distribution(DuelTestLaws(REFERENCE).stopping_law(TENTH, P))
    check = LawCheck(law, {"the same": law})
    assert check.samples_needed("the same") is None
    assert check.log_evidence() == 0.0
