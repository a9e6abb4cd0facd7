"""Expected regret: whole laws against moments, the chain against exploration, simulation."""

from __future__ import annotations

import functools
from collections.abc import Generator
from fractions import Fraction
from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tgite.confidence import Confidence
from tgite.duel_test import duel_test
from tgite.errors import InvalidInput
from tgite.playing.environments import SeededEnvironment
from tgite.playing.matrices import example
from tgite.playing.play import play
from tgite.preferences import PreferenceMatrix
from tgite.questions import Arm, Incumbent, Match, PairwiseTest
from tgite.strong import tg_ite_strong_anytime, tg_ite_strong_known_horizon
from tgite.tree import BalancedTree
from tgite.weak import tg_ite_weak
from tgite_laws.arithmetic import around, plus
from tgite_laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.enclosure import Enclosure
from tgite_laws.exploration import explored_law
from tgite_laws.fewest_duels import fewest_duels
from tgite_laws.implementation import REFERENCE
from tgite_laws.match_law import Part
from tgite_laws.pairs import pairs
from tgite_laws.strong import (
    _self_play_left,
    _time_left,
    strong_regret_anytime,
    strong_regret_known_horizon,
)
from tgite_laws.weak import _Chain, weak_regret

LAWS = DuelTestLaws(REFERENCE)
THREE = PreferenceMatrix.of([[".5", ".3", ".65"], [".7", ".5", ".6"], [".35", ".4", ".5"]])
TREE = BalancedTree((2, 0, 1, None))
"""Arm 1 wins; from arm 2 on, its first match is without the winner and costs weak regret."""


def meet(a: Enclosure, b: Enclosure) -> bool:
    return a.low <= b.high and b.low <= a.high


known_horizon = functools.partial(strong_regret_known_horizon, tg_ite_strong_known_horizon)
weak = functools.partial(weak_regret, tg_ite_weak)
anytime = functools.partial(strong_regret_anytime, tg_ite_strong_anytime)


def test_the_chain_of_incumbents_is_that_of_the_transcription() -> None:
    """The policy is played, path by path, until it announces ``c_s``."""
    found = weak(2, TREE, THREE, LAWS, epochs=2, exact_epochs=2)
    assert found.warm_start.weak_regret is not None
    assert found.warm_start.error is not None
    parts = [(found.warm_start.weak_regret.mean, found.warm_start.error)]
    parts += [(epoch.weak_regret, epoch.wrong_after) for epoch in found.epochs]
    for s, (_, wrong) in enumerate(parts):

        def make(test: PairwiseTest[Match, Arm], s: int = s) -> Generator[Match, Arm, Arm]:
            policy = tg_ite_weak(2, TREE, test)
            question, left = next(policy), s
            while left or not isinstance(question, Incumbent):
                if isinstance(question, Incumbent):
                    left, question = left - 1, policy.send(None)
                else:
                    question = policy.send((yield question))
            return question.arm

        explored = explored_law(make, pairs(THREE), LAWS, THREE.winner())
        assert explored.weak_regret is not None
        assert explored.error is not None
        regret = plus(*(part for part, _ in parts[: s + 1]))
        assert meet(explored.weak_regret.mean, regret)
        assert regret.high - regret.low <= 1e-10 * regret.high
        assert meet(explored.error, wrong)
        assert wrong.high - wrong.low <= 1e-9 * wrong.high


def test_weak_regret_is_enclosed_tightly_and_bounds_of_later_epochs_hold() -> None:
    """Epochs computed exactly must cost no more than what is said of them unseen."""
    exact = weak(2, TREE, THREE, LAWS, epochs=20, exact_epochs=4)
    tight = exact.total
    assert tight.high - tight.low < 1e-9 * tight.high
    for epochs, followed in ((20, 0), (6, 6), (3, 0)):
        other = weak(2, TREE, THREE, LAWS, epochs=epochs, exact_epochs=followed).total
        assert other.low <= tight.low
        assert tight.high <= other.high
        assert other.high - other.low < 2e-2 * tight.high
    for seen in range(4):
        unseen = weak(2, TREE, THREE, LAWS, epochs=seen, exact_epochs=seen).later
        assert 0 < sum(epoch.weak_regret.low for epoch in exact.epochs[seen:4]) <= unseen.high


def test_weak_regret_is_of_preferences_that_the_test_guarantees_an_answer_for() -> None:
    """Two arms tie here; the known-gap test does not mind, unless it is told too much."""
    arxiv6, tree = example("arxiv6"), BalancedTree.over(6)
    known = weak(0, tree, arxiv6, BudgetedDuelTestLaws(REFERENCE, Fraction(1, 25)))
    assert known.total.high < 4000
    with pytest.raises(InvalidInput, match="two arms tie"):
        weak(0, tree, arxiv6, LAWS)
    with pytest.raises(InvalidInput, match="at most Delta"):
        weak(0, tree, arxiv6, BudgetedDuelTestLaws(REFERENCE, Fraction(1, 20)))


@pytest.mark.parametrize("rounds", [5, 60, 200, 1000])
def test_strong_regret_from_moments_holds_that_from_the_whole_law(rounds: int) -> None:
    for law in (known_horizon, anytime):
        exact = law(2, TREE, rounds, THREE, LAWS, exact=True)
        moments = law(2, TREE, rounds, THREE, LAWS, exact=False)
        assert exact.exact
        assert not moments.exact
        assert moments.total.low <= exact.total.low
        assert exact.total.high <= moments.total.high
        assert exact.total.high - exact.total.low <= 1e-9 * rounds
        assert exact.total.high <= rounds
        # Moments tell much once the passes are over: within 15%.
        if rounds == 1000:
            assert moments.total.high - moments.total.low < 0.15 * moments.total.high


def test_strong_regret_agrees_with_simulations_of_the_transcription() -> None:
    """Hoeffding on the regret of each run, which lies in [0, T]; false alarm 1e-7 each."""
    matrix = PreferenceMatrix.of([[".5", ".1"], [".9", ".5"]])
    tree, runs, environment = BalancedTree.over(2), 1500, SeededEnvironment(matrix, seed=5)
    for law, T in ((known_horizon, 60), (anytime, 150)):
        regrets = 0
        for _ in range(runs):
            if law is known_horizon:
                known = tg_ite_strong_known_horizon(0, tree, T, duel_test)
                regrets += play(known, environment, winner=1, horizon=T).strong_regret or 0
            else:
                ever = tg_ite_strong_anytime(0, tree, duel_test)
                regrets += play(ever, environment, winner=1, horizon=T).strong_regret or 0
        band = T * sqrt(log(2 / 1e-7) / (2 * runs))
        total = law(0, tree, T, matrix, LAWS, exact=True).total
        assert total.low - band < regrets / runs < total.high + band
        assert band < 0.2 * total.low


@pytest.mark.parametrize(("phases", "rounds_of_self_play"), [(3, 120), (4, 326)])
def test_phases_of_the_anytime_policy_add_up(phases: int, rounds_of_self_play: int) -> None:
    """With a sure winner: passes of the least length, self-play of 4, 16, 256 rounds between."""
    matrix = PreferenceMatrix.of([["1/2", "1/1000000"], ["999999/1000000", "1/2"]])
    tree = BalancedTree.over(2)
    passes = [
        fewest_duels(duel_test, Confidence(Fraction(1, 2 * 2 ** (2**s))))
        for s in range(1, phases + 1)
    ]
    rounds = sum(passes) + rounds_of_self_play
    found = anytime(0, tree, rounds, matrix, LAWS, exact=True).total
    assert found.middle == pytest.approx(sum(passes), abs=0.05)


@pytest.mark.parametrize("start", [1, 3, 10])
def test_the_bound_of_all_later_epochs_sums_up_their_bounds(start: int) -> None:
    """The closed form against the series, epoch by epoch, of the paper's own bounds."""
    chain = _Chain(functools.partial(tg_ite_weak, 2, TREE), pairs(THREE), LAWS, 1)
    seen = chain.epoch_bounds(start + 60, THREE.global_gap())
    wrong = Enclosure(0.0, 1e-9)
    series = 0.0
    for s, epoch in enumerate(seen[start - 1 :], start):
        chance = wrong.high if s == start else 2 * 4.0 ** -(s + 1)
        series += chance * epoch.whole + 2 * 4.0 ** -(s + 2) * epoch.match
    assert series <= seen[start - 1].bound_from_here(start, wrong).high <= 1.3 * series


@given(
    st.lists(st.integers(0, 10**9), min_size=1, max_size=4),
    st.integers(1, 10**9),
    st.integers(1, 9),
)
def test_time_left_is_enclosed_for_any_law(values: list[int], K: int, tenths: int) -> None:
    """``E[(K - X)^+; A]`` for X uniform on the values, on an event A of that many tenths."""
    share = Fraction(tenths, 10 * len(values))
    moments = [sum((share * x**k for x in values), Fraction(0)) for k in range(3)]
    part = Part(*(around(float(moment), 2.0**-52) for moment in moments))
    B = 1 + K // 3
    for found, exact in (
        (_time_left(part, K), [max(0, K - x) for x in values]),
        (_self_play_left(part, K + B, B), [min(B, max(0, K + B - x)) for x in values]),
    ):
        mean = sum((share * left for left in exact), Fraction(0))
        assert Fraction(found.low) <= mean <= Fraction(found.high)
        if len(set(values)) == 1:
            assert found.high - found.low <= 1e-6 * (K + B)
