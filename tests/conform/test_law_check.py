"""The law check: it keeps its error rate, and has the power that it states."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import islice
from math import log, sqrt
from typing import Any

import numpy as np
import pytest

from tgite import (
    Arm,
    BalancedTree,
    Confidence,
    Duel,
    Incumbent,
    InvalidInput,
    Match,
    Outcome,
    PairwiseTest,
    Preferences,
    SeededEnvironment,
    SelfPlay,
    Stream,
    bkt,
    cyclic,
    duel_test,
    play,
    screen_and_replace,
    tg_ite_bai,
    tg_ite_strong_known_horizon,
    tg_ite_weak,
    tree_ascent,
)
from tgite_conform.law.catalogue import (
    epoch_check,
    known_horizon_check,
    match_check,
    tournament_check,
    weak_check,
)
from tgite_conform.law.check import Counted, LawCheck, Terms
from tgite_conform.law.lattice import Lattice, Sample
from tgite_conform.law.wrong_versions import all_laws
from tgite_laws.bracket import bracket
from tgite_laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_laws.cost import CostDistribution, cost_distribution, match_distribution
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.exploration import explored_law
from tgite_laws.implementation import REFERENCE
from tgite_laws.likely_paths import likely_cost_distribution
from tgite_laws.pairs import pairs
from tgite_laws.pairwise import ChosenTest, PairwiseName
from tgite_laws.tournaments import bkt_law, screen_and_replace_law

TENTH = Confidence(Fraction(1, 10))
P = Fraction(9, 10)
FOUR = cyclic(4, Fraction(2, 5), Fraction(2, 5))
UNION_BOUND = "the union bound dropped"
FACTOR_TWO = "the factor 2 of the two sides missing"
QUOTIENTS: dict[str, Callable[[int], float]] = {
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


def _rejected_after(
    check: LawCheck, samples: Iterator[Sample], most: int | None = None
) -> int | None:
    for sample in islice(samples, most):
        if check.add(*sample):
            break
    return check.verdict().rejected_after


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


def test_it_rejects_when_the_evidence_reaches_the_inverse_of_its_error_rate() -> None:
    check, samples, before = match_check(TENTH, Fraction(7, 10)), iter([(18, 0)] * 9), 0.0
    while not check.add(*next(samples)):
        before = check.log_evidence()
    # Each sample adds so little that another threshold would be seen.
    assert -log(check.terms.alpha) - 5 < before < -log(check.terms.alpha) <= check.log_evidence()


def test_a_bet_with_less_of_the_stake_needs_more_samples() -> None:
    law, wrong = (
        match_distribution(DuelTestLaws(REFERENCE).stopping_law(TENTH, p))
        for p in (P, P - Fraction(1, 100))
    )
    alone, one_of_many = (
        LawCheck(law, {str(k): wrong for k in range(number)}).samples_needed("0") or 0
        for number in (1, 1000)
    )
    assert 0 < alone < one_of_many


def _drawn(law: CostDistribution, number: int, draw: random.Random) -> list[Sample]:
    """Draw samples of a law."""
    places = [(n, arm) for arm, masses in law.masses.items() for n in np.flatnonzero(masses)]
    weights = [float(law.masses[arm][n]) for n, arm in places]
    return [(int(n), arm) for n, arm in draw.choices(places, weights, k=number)]


@pytest.mark.parametrize("name", list(PairwiseName))
@pytest.mark.parametrize("level", ["1/10", "1/2", "2^-20", "1/40 * 6/pi^2"])
def test_every_mistake_is_told_within_five_times_what_any_test_needs(
    name: PairwiseName, level: str
) -> None:
    test = ChosenTest(name, Fraction(1, 5) if name.needs_known_gap else None)
    told = 0
    for p, cut in (("9/10", None), ("4/5", None), ("7/10", None), ("3/10", 60)):
        check = match_check(Confidence.of(level), Fraction(p), test, Terms(cut=cut))
        for version, needed in check.all_samples_needed().items():
            fewest = check.fewest_samples(version) or 0
            assert fewest <= (needed or 0) <= 5 * fewest, (version, p)
            told += needed is not None
    assert told >= (25 if name in (PairwiseName.DUEL, PairwiseName.BUDGETED) else 4)


@pytest.mark.parametrize("g", [None, Fraction(1, 4)])
def test_the_learning_bets_need_no_name(g: Fraction | None) -> None:
    """Alone, they tell most mistakes within twice the samples that the named bets take."""
    p = Fraction(7, 10)
    named = match_check(TENTH, p, ChosenTest.of_the_paper(g))
    laws, wrong = all_laws(ChosenTest.of_the_paper(g))
    begun = LawCheck(match_distribution(laws.stopping_law(TENTH, p)), {})
    for name, one in wrong.items():
        needed = named.samples_needed(name)
        if needed is None or needed > 100:
            continue
        law = match_distribution(one.stopping_law(TENTH, p))
        samples = iter(_drawn(law, 40 * needed, random.Random(name)))
        told = [_rejected_after(copy.deepcopy(begun), samples, 2 * needed) for _ in range(20)]
        assert sum(after is not None for after in told) >= 18, name


# Tournaments, policies, and tests beyond the paper.


def test_laws_have_the_moments_that_other_programs_compute() -> None:
    """Convolved, or followed along the likely paths: means, and which arm survives how often."""
    laws, quarter = DuelTestLaws(REFERENCE), Confidence.of("1/4")
    six = cyclic(6, Fraction(2, 5), Fraction(2, 5))
    known, best = pairs(six), six.winner()
    of_six = bracket(lambda test: bkt(range(6), TENTH, test))

    def epoch(test: PairwiseTest[Match, Arm]) -> Stream[Match, Arm, Arm]:
        return screen_and_replace(1, TENTH, TENTH, 6, test)

    def short_epoch(test: PairwiseTest[Match, Arm]) -> Stream[Match, Arm, Arm]:
        return screen_and_replace(1, TENTH, quarter, 4, test)

    for law, exact, regret, relative, absolute in (
        (
            cost_distribution(of_six, known, laws, free_arm=best),
            bkt_law(bkt, range(6), TENTH, six, laws),
            *(True, 1e-9, 1e-9),
        ),
        (
            likely_cost_distribution(epoch, known, laws, 1e-8, 1000, best),
            screen_and_replace_law(screen_and_replace, 1, TENTH, TENTH, six, laws),
            *(True, 1e-6, 1e-6),
        ),
        (
            likely_cost_distribution(short_epoch, pairs(FOUR), laws, 1e-12, 1000),
            explored_law(short_epoch, pairs(FOUR), laws, None),
            *(False, 1e-8, 1e-8),
        ),
    ):
        counted = exact.weak_regret if regret else exact.comparisons
        assert counted is not None
        assert not regret or counted.mean.middle < 0.9 * exact.comparisons.mean.middle
        mean = sum(float(masses @ np.arange(len(masses))) for masses in law.masses.values())
        assert mean == pytest.approx(counted.mean.middle, rel=relative)
        for arm, part in exact.survives.items():
            survives = float(law.masses.get(arm, np.zeros(1)).sum())
            assert survives == pytest.approx(part.probability.middle, abs=absolute)
    with pytest.raises(InvalidInput, match="likely paths"):
        likely_cost_distribution(short_epoch, pairs(FOUR), laws, 1e-30, 3)


def _weak(epochs: int) -> Stream[Duel | Incumbent | SelfPlay, Outcome | None, Arm | None]:
    """Play the weak policy until it has announced the incumbent after so many epochs."""
    stream = tg_ite_weak(1, BalancedTree.over(4), duel_test)
    announced, question = 0, next(stream)
    while True:
        if isinstance(question, Incumbent):
            announced += 1
            if announced > epochs:
                return question.arm
        reply = yield question
        question = stream.send(reply)


def _whole_level(u: Arm, v: Arm, delta: Confidence) -> Stream[Duel, Outcome, Arm]:
    return duel_test(u, v, TENTH)


def _runs(
    make: Callable[[], Stream[Any, Any, Arm | None]],
    preferences: Preferences = FOUR,
    against: Arm | None = None,
    number: int = 60,
) -> Iterator[Sample]:
    """Yield independent runs' samples: of weak regret against an arm if there is one."""
    for seed in range(number):
        run = play(make(), SeededEnvironment(preferences, seed), against)
        counted = run.comparisons if against is None else run.weak_regret
        assert isinstance(counted, int)
        yield counted, run.returned


def _beyond(name: PairwiseName, wrong: str) -> tuple[LawCheck, list[Iterator[Sample]]]:
    test, p = ChosenTest(name, Fraction(1, 5) if name.needs_known_gap else None), Fraction(4, 5)
    law = match_distribution(all_laws(test)[1][wrong].stopping_law(TENTH, p))
    check, two = match_check(TENTH, p, test), cyclic(2, Fraction(3, 10), Fraction(3, 10))
    assert None not in check.all_samples_needed().values()
    winner = two.winner()
    right = _runs(partial(test.test, winner, 1 - winner, TENTH), two, number=300)
    judged = ((n, int(arm != winner)) for n, arm in right)
    return check, [judged, iter(_drawn(law, 2000, random.Random(1)))]


TREE, H, MANY = BalancedTree.over(4), 170, cyclic(32, Fraction(2, 5), Fraction(2, 5))
REGRET = Terms(alpha=1e-4, counted=Counted.WEAK_REGRET)
FOLLOWED: dict[str, Callable[[], tuple[LawCheck, list[Iterator[Sample]]]]] = {
    "pass": lambda: (
        tournament_check("tree_ascent", TENTH, FOUR, start=1),
        [_runs(partial(tree_ascent, 1, TREE, TENTH, test)) for test in (duel_test, _whole_level)],
    ),
    "weak policy": lambda: (
        weak_check(1, 2, FOUR, terms=Terms(alpha=1e-4)),
        [_runs(partial(_weak, epochs)) for epochs in (2, 1)],
    ),
    # The second epoch of a winner costs no weak regret: every arm's regret would.
    "weak regret of the weak policy": lambda: (
        weak_check(1, 2, FOUR, terms=REGRET),
        [_runs(partial(_weak, 2), FOUR, arm) for arm in (FOUR.winner(), 0)],
    ),
    # Wrong is the level of a horizon ten times as long.
    "known horizon": lambda: (
        known_horizon_check(1, H, FOUR),
        [
            ((n, arm) if n <= H else (H, None) for n, arm in _runs(partial(policy, duel_test)))
            for policy in (
                partial(tg_ite_strong_known_horizon, 1, TREE, H),
                partial(tg_ite_bai, 1, TREE, Confidence.of(f"1/{10 * H}")),
            )
        ],
    ),
    # Wrong is a number of arms that wraps: arms are left out.
    "bkt of many arms": lambda: (
        tournament_check("bkt", TENTH, MANY),
        [_runs(partial(bkt, range(N), TENTH, duel_test), MANY) for N in (32, 16)],
    ),
    "weak regret of bkt": lambda: (
        tournament_check("bkt", TENTH, FOUR, terms=REGRET),
        [_runs(partial(bkt, range(4), TENTH, duel_test), FOUR, arm) for arm in (FOUR.winner(), 1)],
    ),
    "epoch of many arms": lambda: (
        epoch_check(3, TENTH, TENTH, MANY),
        [
            _runs(partial(screen_and_replace, 3, TENTH, TENTH, N, duel_test), MANY, number=9)
            for N in (32, 16)
        ],
    ),
    "mixture": partial(_beyond, PairwiseName.MIXTURE, "the level halved for two sides"),
    "sprt": partial(_beyond, PairwiseName.SPRT, "a lead one less"),
    "truncated": partial(_beyond, PairwiseName.TRUNCATED_SPRT, "half of the gap"),
}
"""Checks, each with the samples of a right version and of a wrong one."""


@pytest.mark.parametrize("name", FOLLOWED)
def test_right_runs_follow_the_law_and_wrong_ones_do_not(name: str) -> None:
    begun, (right, wrong) = FOLLOWED[name]()
    assert _rejected_after(copy.deepcopy(begun), right) is None
    assert _rejected_after(begun, wrong) is not None


# The e-process itself.


def test_it_is_a_fair_bet_under_the_law() -> None:
    """The expected factor of every bet after one sample, computed exactly: at most 1."""
    laws = BudgetedDuelTestLaws(REFERENCE, Fraction(1, 5))
    law = match_distribution(laws.stopping_law(TENTH, P))
    wrong = match_distribution(laws.stopping_law(TENTH, Fraction(4, 5)))
    lattice = Lattice.of(law)
    probabilities = lattice.lowest(law)
    assert float(probabilities.sum()) == pytest.approx(1, abs=1e-8)
    assert (lattice.highest(law) >= probabilities).all()
    expected = 0.0
    for answer, masses in law.masses.items():
        for n in np.flatnonzero(masses).tolist():
            check = LawCheck(law, {"wrong": wrong})
            check.add(n, answer)
            expected += float(masses[n]) * np.exp(check.log_evidence())
    # Stakes on cells that the law does not reach are lost.
    assert 0.85 < expected <= 1.0


def test_every_sample_has_a_place_and_a_cell_of_each_partition() -> None:
    law = CostDistribution(None, {0: np.array([0, 0, 0.5, 0.4]), 1: np.array([0, 0, 0, 0.1])})
    lattice = Lattice.of(law)
    samples = [(n, answer) for n in range(9) for answer in (0, 1, 2)]
    places = {lattice.place(*sample) for sample in samples}
    assert places == set(range(lattice.size - 1))
    assert lattice.place(4, None) == lattice.size - 1
    assert lattice.place(1, 0) != lattice.place(2, 0) != lattice.place(3, 0)
    assert lattice.place(4, 2) == lattice.size - 2
    highest = lattice.highest(law)
    for labels in lattice.partitions(highest, lattice.excluded(law, highest)):
        assert len(labels) == lattice.size
        assert set(labels.tolist()) == set(range(labels.max() + 1))
        # What the law excludes is one cell, apart from all that it allows.
        impossible = {int(labels[lattice.place(n, a)]) for n, a in ((0, 0), (1, 1), (2, 1), (5, 2))}
        assert len(impossible) == 1
        assert impossible.isdisjoint(labels[highest > 1e-9].tolist())


def test_what_a_law_leaves_out_is_bounded_where_it_may_lie() -> None:
    """Else a right sample would count as impossible, and the bet would not be fair."""
    law = CostDistribution(None, {0: np.array([0.25, 0.5])}, missing=0.25, whole_below=1)
    most = law.highest(0, 3)
    assert most[0] == pytest.approx(0.25)
    assert (most[1:] >= [0.75, 0.25, 0.25]).all()
    preferences = cyclic(8, Fraction(2, 5), Fraction(2, 5))
    laws, known = DuelTestLaws(REFERENCE), pairs(preferences)
    played = bracket(lambda test: bkt(tuple(range(8)), TENTH, test))
    whole, cut = (cost_distribution(played, known, laws, dropped=least) for least in (0.0, 1e-3))
    for one in (whole, cut):
        assert sum(float(masses.sum()) for masses in one.masses.values()) + one.missing > 1 - 1e-9
    assert len(cut.masses[4]) < len(whole.masses[4]) / 2
    beyond = float(whole.masses[4][len(cut.masses[4]) :].sum())
    assert 1e-6 < beyond < cut.missing
    match = bracket(lambda test: bkt((0, 4), TENTH, test))
    one = cost_distribution(match, known, laws, dropped=1e-3)
    assert one.whole_below == len(one.masses[4])
    coarse, near = Confidence(Fraction(999, 1000)), cyclic(4, Fraction(1, 5), Fraction(1, 5))
    likely = likely_cost_distribution(
        lambda test: screen_and_replace(0, coarse, coarse, 4, test), pairs(near), laws, 0.05, 100
    )
    kept = sum(float(masses.sum()) for masses in likely.masses.values())
    assert kept < 1 - 1e-6
    assert kept + likely.missing > 1 - 1e-9
