"""The law check: it keeps its error rate, and has the power that it states."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice
from math import log, sqrt

import numpy as np
import pytest

from tgite import (
    BalancedTree,
    Confidence,
    Duel,
    InvalidInput,
    Match,
    Outcome,
    PairwiseTest,
    SeededEnvironment,
    Stream,
    bkt,
    cyclic,
    drive,
    duel_test,
    example,
    play,
    screen_and_replace,
    tree_ascent,
)
from tgite_checks.claims.mutants import mutants_of
from tgite_checks.mutation import mutated
from tgite_conform.law.catalogue import epoch_check, match_check, tournament_check
from tgite_conform.law.check import Counted, LawCheck, Terms
from tgite_conform.law.lattice import Lattice
from tgite_conform.law.wrong_versions import all_laws
from tgite_laws.bracket import bracket
from tgite_laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_laws.cost import CostDistribution, cost_distribution, match_distribution
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.exploration import explored_law
from tgite_laws.implementation import REFERENCE
from tgite_laws.likely_paths import likely_cost_distribution
from tgite_laws.pairs import pairs, winner_and_others
from tgite_laws.pairwise import ChosenTest, PairwiseName
from tgite_laws.tournaments import bkt_law, screen_and_replace_law, tree_ascent_law

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


def test_it_rejects_when_the_evidence_reaches_the_inverse_of_its_error_rate() -> None:
    check, samples, before = match_check(TENTH, P), _samples(UNION_BOUND, float(P), 0.1, 1), 0.0
    while not check.add(*next(samples)):
        before = check.log_evidence()
    assert before < -log(check.terms.alpha) <= check.log_evidence()


def test_a_bet_with_less_of_the_stake_needs_more_samples() -> None:
    law, wrong = (
        match_distribution(DuelTestLaws(REFERENCE).stopping_law(TENTH, p))
        for p in (P, P - Fraction(1, 100))
    )
    alone, one_of_many = (
        LawCheck(law, {f"wrong {k}": wrong for k in range(number)}).samples_needed("wrong 0")
        for number in (1, 1000)
    )
    assert alone is not None
    assert one_of_many is not None
    assert alone < one_of_many


def _drawn(law: CostDistribution, count: int, draw: random.Random) -> list[tuple[int, int]]:
    """Draw samples of a law."""
    places = [(n, arm) for arm, masses in law.masses.items() for n in np.flatnonzero(masses)]
    weights = [float(law.masses[arm][n]) for n, arm in places]
    return [(int(n), arm) for n, arm in draw.choices(places, weights, k=count)]


def test_the_right_version_is_rejected_no_more_often_than_stated() -> None:
    """Of 2,000 right versions at alpha = .05, 150 or more are rejected with probability < 1e-6.

    Each is looked at after every one of 25 samples: that costs nothing.
    """
    law = match_distribution(DuelTestLaws(REFERENCE).stopping_law(TENTH, P))
    one_sided = next(m for m in mutants_of("duel_test") if m.name == "dueltest-one-sided-bound")
    wrong = match_distribution(DuelTestLaws(mutated(one_sided)).stopping_law(TENTH, P))
    begun = LawCheck(law, {"wrong": wrong}, Terms(alpha=0.05))
    draw = random.Random(5)
    samples = iter(_drawn(law, 2000 * 25, draw))
    rejected = sum(copy.deepcopy(begun).add_all(list(islice(samples, 25))) for _ in range(2000))
    assert 0 < rejected < 150


@pytest.mark.parametrize("g", [None, Fraction(1, 4)])
@pytest.mark.parametrize("p", [Fraction(7, 10), P])
def test_every_mistake_is_told_within_five_times_what_any_test_needs(
    g: Fraction | None, p: Fraction
) -> None:
    check = match_check(TENTH, p, ChosenTest.of_the_paper(g))
    told = 0
    for name in all_laws(ChosenTest.of_the_paper(g))[1]:
        needed, fewest = check.samples_needed(name), check.fewest_samples(name)
        if fewest is not None:
            told += 1
            assert needed is not None, name
            assert fewest <= needed <= 5 * fewest, name
    assert told >= 8


@pytest.mark.parametrize("name", list(PairwiseName))
@pytest.mark.parametrize("level", ["1/2", "2^-20", "1/40 * 6/pi^2"])
def test_so_it_is_of_every_test_at_far_levels(name: PairwiseName, level: str) -> None:
    test = ChosenTest(name, Fraction(1, 5) if name.needs_known_gap else None)
    told = 0
    for p, cut in ((Fraction(4, 5), None), (Fraction(3, 10), 60)):
        check = match_check(Confidence.of(level), p, test, Terms(cut=cut))
        for version, needed in check.all_samples_needed().items():
            fewest = check.fewest_samples(version)
            assert (needed is None) == (fewest is None), version
            if needed is not None and fewest is not None:
                told += 1
                assert fewest <= needed <= 5 * fewest, (version, p)
    assert told >= 2


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
    # Fewer duels than any run can take, and a number between two that are possible.
    for impossible in (3, 19):
        check = match_check(TENTH, P)
        assert check.add(impossible, 0)
        verdict = check.verdict()
        assert verdict.impossible is not None
        assert (verdict.impossible.count, verdict.impossible.answer) == (impossible, 0)
        assert f"no run gives the answer 0 after {impossible} comparisons" in str(verdict)


def test_the_known_gap_is_checked_likewise() -> None:
    g = Fraction(1, 5)
    check = match_check(TENTH, P, ChosenTest.of_the_paper(g))
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
    assert "2n(n-1) for 2n(n+1)" not in verdict.excluded
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


def test_the_laws_of_weak_regret_agree_with_their_moments() -> None:
    preferences = cyclic(6, Fraction(2, 5), Fraction(2, 5))
    known, laws, winner = pairs(preferences), DuelTestLaws(REFERENCE), preferences.winner()
    exact = bkt_law(bkt, range(6), TENTH, preferences, laws)
    played = bracket(lambda test: bkt(range(6), TENTH, test))
    law = cost_distribution(played, known, laws, free_arm=winner)
    of_epoch = screen_and_replace_law(screen_and_replace, 1, TENTH, TENTH, preferences, laws)
    likely = likely_cost_distribution(
        lambda test: screen_and_replace(1, TENTH, TENTH, 6, test), known, laws, 1e-8, 1000, winner
    )
    for found, expected in ((law, exact), (likely, of_epoch)):
        assert expected.weak_regret is not None
        assert expected.weak_regret.mean.middle < 0.9 * expected.comparisons.mean.middle
        mean = sum(float(masses @ np.arange(len(masses))) for masses in found.masses.values())
        assert mean == pytest.approx(expected.weak_regret.mean.middle, rel=1e-6)
        for arm, part in expected.survives.items():
            survives = float(found.masses.get(arm, np.zeros(1)).sum())
            assert survives == pytest.approx(part.probability.middle, abs=1e-6)


def test_weak_regret_follows_its_law_and_against_an_arm_of_eight_bits_does_not() -> None:
    N = 514
    preferences = cyclic(N, Fraction(9, 20), Fraction(9, 20))
    winner = preferences.winner()
    assert winner % 256 != winner
    played = bracket(lambda test: bkt(range(N), TENTH, test))

    def law(free_arm: int | None) -> CostDistribution:
        known, laws = winner_and_others(preferences), DuelTestLaws(REFERENCE)
        return cost_distribution(
            played, known, laws, None, lambda arm: int(arm != winner), 1e-40, free_arm
        )

    right, wrong = (
        LawCheck(law(0), {"all": law(None)}, Terms(alpha=1e-3), kind=lambda arm: int(arm != winner))
        for _ in range(2)
    )
    for seed in range(60):
        run, against = (
            play(bkt(range(N), TENTH, duel_test), SeededEnvironment(preferences, seed), arm)
            for arm in (winner, winner % 256)
        )
        assert isinstance(run.weak_regret, int)
        assert isinstance(against.weak_regret, int)
        assert isinstance(run.returned, int)
        right.add(run.weak_regret, run.returned)
        if wrong.add(against.weak_regret, run.returned):
            break
    assert right.verdict().rejected_after is None
    assert wrong.verdict().rejected_after is not None


def test_checks_of_weak_regret_name_what_they_count() -> None:
    preferences = cyclic(4, Fraction(2, 5), Fraction(2, 5))
    test = ChosenTest.of_the_paper(Fraction(1, 4))
    of_regret = Terms(counted=Counted.WEAK_REGRET)
    bracketed = tournament_check("tree_ascent", TENTH, preferences, 1, test, terms=of_regret)
    for check in (bracketed, epoch_check(1, TENTH, TENTH, preferences, test, terms=of_regret)):
        assert (check.samples_needed("the winner's matches counted too") or 100) < 40
        assert check.add(1, 2)
        assert check.to_json()["counted"] == "weak-regret"
    assert "no run gives the answer 2 with a weak regret of 1" in str(bracketed.verdict())


def test_runs_of_the_reference_follow_the_law_and_wrong_levels_do_not() -> None:
    preferences = cyclic(4, Fraction(2, 5), Fraction(2, 5))
    tree = BalancedTree.over(4)
    right = tournament_check("tree_ascent", TENTH, preferences, start=1)
    wrong = tournament_check("tree_ascent", TENTH, preferences, start=1)
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
        tournament_check("bkt", TENTH, example("arxiv6"))
    tournament_check("bkt", TENTH, example("arxiv6"), test=ChosenTest.of_the_paper(Fraction(1, 10)))
    with pytest.raises(InvalidInput, match="must be bkt, tree_ascent"):
        tournament_check("quicksort", TENTH, example("mslr5"))
    with pytest.raises(InvalidInput, match="sample at a larger gap"):
        tournament_check("bkt", TENTH, example("mslr5"))
    for alpha in (0.0, 1.0, -1.0):
        with pytest.raises(InvalidInput, match="alpha"):
            Terms(alpha=alpha)
    with pytest.raises(InvalidInput, match="power"):
        Terms(power=1.0)
    with pytest.raises(InvalidInput, match="comparisons"):
        match_check(TENTH, P).add(-1, 0)


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


@pytest.mark.parametrize(
    ("algorithm", "N"), [("bkt", 256), ("tree_ascent", 32), ("screen_and_replace", 32)]
)
def test_many_arms(algorithm: str, N: int) -> None:
    """The reference follows the law; a version whose number of arms wraps would not."""
    kappa = Confidence(Fraction(1, 4))
    preferences = cyclic(N, Fraction(2, 5), Fraction(2, 5))
    if algorithm == "screen_and_replace":
        check = epoch_check(3, TENTH, kappa, preferences)
    else:
        check = tournament_check(algorithm, TENTH, preferences, start=3)
    needed = check.samples_needed("2n for 2n(n+1)")
    assert needed is not None
    assert needed <= 10
    for seed in range(5):
        streams: dict[str, Stream[Duel, Outcome, int]] = {
            "bkt": bkt(tuple(range(N)), TENTH, duel_test),
            "tree_ascent": tree_ascent(3, BalancedTree.over(N), TENTH, duel_test),
            "screen_and_replace": screen_and_replace(3, TENTH, kappa, N, duel_test),
        }
        run = play(streams[algorithm], SeededEnvironment(preferences, seed))
        assert isinstance(run.returned, int)
        assert not check.add(run.comparisons, run.returned)
        half = run.comparisons // 2, run.returned
    # A run that leaves arms out takes fewer comparisons.
    wrapped = copy.deepcopy(check)
    assert any(wrapped.add(*half) for _ in range(9))


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


def test_an_epoch_has_the_mean_that_exploration_finds() -> None:
    preferences = cyclic(4, Fraction(2, 5), Fraction(2, 5))
    laws, kappa = DuelTestLaws(REFERENCE), Confidence(Fraction(1, 4))

    def epoch(test: PairwiseTest[Match, int]) -> Stream[Match, int, int]:
        return screen_and_replace(1, TENTH, kappa, 4, test)

    law = likely_cost_distribution(epoch, pairs(preferences), laws, 1e-12, 1000)
    exact = explored_law(epoch, pairs(preferences), laws, None)
    mean = sum(float(masses @ np.arange(len(masses))) for masses in law.masses.values())
    assert mean == pytest.approx(exact.comparisons.mean.middle, rel=1e-8)
    with pytest.raises(InvalidInput, match="likely paths"):
        likely_cost_distribution(epoch, pairs(preferences), laws, 1e-30, 3)


def test_a_version_that_cannot_be_told_needs_no_number() -> None:
    law = match_distribution(DuelTestLaws(REFERENCE).stopping_law(TENTH, P))
    check = LawCheck(law, {"the same": law})
    assert check.samples_needed("the same") is None
    assert abs(check.log_evidence()) < 1e-15


@pytest.mark.parametrize(
    ("name", "g", "wrong"),
    [
        (PairwiseName.MIXTURE, None, "the level halved for two sides"),
        (PairwiseName.SPRT, Fraction(1, 5), "a lead one less"),
        (PairwiseName.TRUNCATED_SPRT, Fraction(1, 5), "half of the gap"),
    ],
)
def test_a_test_beyond_the_paper_is_told_from_wrong_versions_of_it(
    name: PairwiseName, g: Fraction | None, wrong: str
) -> None:
    chosen, p, level = ChosenTest(name, g), Fraction(4, 5), Confidence.of("1/10")
    laws, versions = all_laws(chosen)
    assert laws.law(level, p).mean.low != versions[wrong].law(level, p).mean.low
    check = match_check(level, p, chosen)
    assert all(needed is not None for needed in check.all_samples_needed().values())
    source = random.Random(1)
    for _ in range(300):
        duels = 0

        def answer(duel: Duel) -> bool:
            nonlocal duels
            duels += 1
            return source.random() < 0.8

        returned = drive(chosen.test(0, 1, level), answer)
        check.add(duels, returned)
    assert check.verdict().rejected_after is None
    told = match_check(level, p, chosen)
    law = versions[wrong].stopping_law(level, p)
    draws = law.first.tolist() + law.second.tolist()
    answers = [(n, 0) for n in law.duels.tolist()] + [(n, 1) for n in law.duels.tolist()]
    for comparisons, arm in source.choices(answers, draws, k=2000):
        told.add(comparisons, arm)
    assert told.verdict().rejected_after is not None
