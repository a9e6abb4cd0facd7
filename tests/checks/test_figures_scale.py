"""Sampled matches have the law of played ones: exactly for a match, statistically for a pass."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest

from tgite import (
    BalancedTree,
    Confidence,
    Match,
    SeededEnvironment,
    cyclic,
    duel_test,
    play,
    tree_ascent,
)
from tgite_checks.figures.scale import (
    SampledMatches,
    Samplers,
    growth,
    sampled_means,
    sampled_tree_ascent,
    sampler,
)
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.implementation import REFERENCE
from tgite_laws.tournaments import tree_ascent_law

LAWS = DuelTestLaws(REFERENCE)
SAMPLERS = Samplers(LAWS)
LEVEL = Confidence(Fraction(1, 10))
SMALL = cyclic(8, "0.32", "0.38")

# A two-sample chi-square test on the ten cells between the deciles of the exact law of a pass.
RUNS = 1200
CRITICAL = 55.0
"""Above it with probability below 1e-7 for 9 degrees of freedom, if the laws are equal."""


def test_a_match_is_drawn_from_its_joint_law() -> None:
    """Every interval of the unit interval has the probability of its outcome."""
    p = Fraction(13, 20)
    drawn, law = sampler(LAWS, LEVEL, p), LAWS.law(LEVEL, p)
    before, first, duels = 0.0, 0.0, 0.0
    for upto, n, returned in zip(drawn.cumulated, drawn.duels, drawn.first, strict=True):
        assert drawn.draw((before + upto) / 2) == (n, returned) or upto - before < 1e-15
        first += (upto - before) * returned
        duels += (upto - before) * n
        before = upto
    assert first == pytest.approx(law.first.probability.middle, abs=1e-11)
    assert duels == pytest.approx(law.mean.middle, rel=1e-9)
    assert drawn.draw(0.9999999999999999) == (drawn.duels[-1], drawn.first[-1])


def literal(seed: int) -> tuple[int, int]:
    tree = BalancedTree.over(SMALL.size)
    stream = tree_ascent(0, tree, LEVEL, duel_test)
    run = play(stream, SeededEnvironment(SMALL, seed), SMALL.winner())
    assert run.weak_regret is not None
    return run.comparisons, run.weak_regret


def sampled(seed: int, level: Confidence = LEVEL) -> tuple[int, int]:
    _, one = sampled_tree_ascent(0, level, SMALL, SAMPLERS, random.Random(f"pass {seed}"))
    return one.comparisons, one.weak_regret


def distance(one: list[int], other: list[int]) -> float:
    """The two-sample chi-square statistic over ten cells of equal share of both together."""
    both = sorted(one + other)
    cuts = [both[len(both) * k // 10] for k in range(1, 10)]

    def cells(values: list[int]) -> Counter[int]:
        return Counter(sum(value >= cut for cut in cuts) for value in values)

    first, second = cells(one), cells(other)
    return sum((first[c] - second[c]) ** 2 / (first[c] + second[c]) for c in range(10))


@pytest.fixture(scope="module")
def played() -> list[tuple[int, int]]:
    return [literal(seed) for seed in range(RUNS)]


@pytest.mark.parametrize("what", [0, 1])
def test_a_sampled_pass_has_the_law_of_the_literal_one(
    played: list[tuple[int, int]], what: int
) -> None:
    drawn = [sampled(seed)[what] for seed in range(RUNS)]
    assert distance([one[what] for one in played], drawn) < CRITICAL


@pytest.mark.parametrize("what", [0, 1])
def test_a_nearly_equal_law_is_told_apart(played: list[tuple[int, int]], what: int) -> None:
    """The power: passes at a level of 0.05 in place of 0.1 are rejected."""
    drawn = [sampled(seed, Confidence(Fraction(1, 20)))[what] for seed in range(RUNS)]
    assert distance([one[what] for one in played], drawn) > CRITICAL


def test_means_lie_where_the_exact_law_puts_them() -> None:
    """Within six standard errors (false alarm below 1e-8), at N = 64; no wrong answer."""
    instance = cyclic(64, "0.32", "0.38")
    law = tree_ascent_law(tree_ascent, 0, BalancedTree.over(64), LEVEL, instance, LAWS)
    assert law.weak_regret is not None
    comparisons, weak, wrong = sampled_means(instance, LEVEL, SAMPLERS, runs=30)
    assert abs(comparisons.mean - law.comparisons.mean.middle) < 6 * comparisons.error
    assert abs(weak.mean - law.weak_regret.mean.middle) < 6 * weak.error
    assert wrong == 0


def test_weak_regret_leaves_the_winners_matches_out() -> None:
    matches = SampledMatches(SMALL, SAMPLERS, random.Random(1))
    winner = SMALL.winner()
    assert matches.answer(Match(winner, 0, LEVEL)) in (winner, 0)
    assert matches.weak_regret == 0
    assert matches.comparisons > 0
    matches.answer(Match(0, 1, LEVEL))
    assert 0 < matches.weak_regret < matches.comparisons


def test_growth_of_a_power() -> None:
    found = growth((2, 4, 8, 16), (3 * 2**1.5, 3 * 4**1.5, 3 * 8**1.5, 3 * 16**1.5))
    assert found.exponent == pytest.approx(1.5)
    assert found.standard_error < 1e-9


def test_a_law_that_may_not_end_is_refused() -> None:
    with pytest.raises(ArithmeticError):
        sampler(LAWS, LEVEL, Fraction(1, 2))
