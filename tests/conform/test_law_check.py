"""The law check: it keeps its error rate, and has the power that it states."""

from __future__ import annotations

import copy
import io
import json
import random
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import islice
from math import log, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tgite import (
    RULINGS,
    Arm,
    BalancedTree,
    Confidence,
    Conventions,
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
    example,
    play,
    screen_and_replace,
    tg_ite_bai,
    tg_ite_strong_known_horizon,
    tg_ite_weak,
    tree_ascent,
)
from tgite.conventions import Byes, Candidates, End, Pairing
from tgite_conform.law.catalogue import (
    Settings,
    epoch_check,
    known_horizon_check,
    match_check,
    tournament_check,
    weak_check,
)
from tgite_conform.law.check import LawCheck, Terms
from tgite_conform.law.lattice import IMPOSSIBLE, LOWERED, Lattice, Sample, upper_bounds
from tgite_conform.law.wrong_versions import all_laws
from tgite_laws.boundary import Floats
from tgite_laws.bracket import bracket
from tgite_laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_laws.cli.main import status
from tgite_laws.cost import CostDistribution, cost_distribution, match_distribution
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.exploration import explored_law
from tgite_laws.implementation import REFERENCE
from tgite_laws.likely_paths import likely_cost_distribution
from tgite_laws.pairs import pairs
from tgite_laws.pairwise import ChosenTest, PairwiseName
from tgite_laws.tournaments import screen_and_replace_law

TENTH, QUARTER = Confidence.of("1/10"), Confidence.of("1/4")
P, SEVEN = Fraction(9, 10), Fraction(7, 10)
BUDGETED = ChosenTest.of_the_paper(Fraction(1, 4))
FOUR = cyclic(4, Fraction(2, 5), Fraction(2, 5))
UNION_BOUND = "the union bound dropped"
FACTOR_TWO = "the factor 2 of the two sides missing"


def _rejected_after(
    check: LawCheck, samples: Iterator[Sample], most: int | None = None
) -> int | None:
    cut = check.terms.cut
    for n, answer in islice(samples, most):
        if check.add_all([(n, answer) if cut is None or n <= cut else (cut, None)]):
            break
    return check.verdict().rejected_after


def _drawn(law: CostDistribution, number: int, draw: random.Random) -> Iterator[Sample]:
    """Draw samples of a law."""
    places = [(n, arm) for arm, masses in law.masses.items() for n in np.flatnonzero(masses)]
    weights = [float(law.masses[arm][n]) for n, arm in places]
    return ((int(n), arm) for n, arm in draw.choices(places, weights, k=number))


@pytest.mark.parametrize(
    ("name", "p"),
    [(UNION_BOUND, "9/10"), (UNION_BOUND, "3/5"), (FACTOR_TWO, "9/10"), (FACTOR_TWO, "4/5")],
)
def test_it_tells_a_mistake_within_the_stated_samples(name: str, p: str) -> None:
    """Power 0.99 is stated; if it holds, 8 of 60 checks fail with probability below 1e-7."""
    begun = match_check(TENTH, Fraction(p))
    wrong = all_laws(ChosenTest.of_the_paper(None))[1][name]
    law = match_distribution(wrong.stopping_law(TENTH, Fraction(p)))
    needed = begun.samples_needed[name] or 0
    assert needed > 0
    runs = (_drawn(law, needed, random.Random(seed)) for seed in range(60))
    assert sum(_rejected_after(copy.deepcopy(begun), run) is None for run in runs) < 8


def test_it_rejects_when_the_evidence_reaches_the_inverse_of_its_error_rate() -> None:
    check, samples, before = match_check(TENTH, Fraction(7, 10)), iter([(18, 0)] * 9), 0.0
    while not check.add_all([next(samples)]):
        before = check.log_evidence()
    # Each sample adds so little that another threshold would be seen.
    assert -log(check.terms.alpha) - 5 < before < -log(check.terms.alpha) <= check.log_evidence()


def _fewest_samples(right: Floats, wrong: Floats, alpha: float, power: float) -> int | None:
    """Return the least number of samples with which any test at ``alpha`` rejects the wrong law.

    None if the laws are equal up to rounding. See :func:`_most_power`.
    """
    excluded = float(wrong[right < IMPOSSIBLE].sum())
    allowed = (right >= IMPOSSIBLE) & (wrong > 0)
    given = wrong[allowed] / wrong[allowed].sum() if excluded < 1 - 1e-6 else np.zeros(0)
    right = right[allowed][: len(given)]
    alike = min(1.0, float(np.sqrt(given * right).sum()))
    if excluded < LOWERED and alike > 1 - 1e-8:
        return None
    divergence = float(given @ (np.log(given) - np.log(right)))

    def enough(n: int) -> bool:
        return _most_power(n, alpha, excluded, alike, divergence) >= power

    counts = range(1, 10**12)
    fewest = bisect_left(counts, True, key=enough)
    return None if fewest == len(counts) else counts[fewest]


def _most_power(
    samples: int, alpha: float, excluded: float, alike: float, divergence: float
) -> float:
    """Bound the power of any test that rejects the law with a probability of at most ``alpha``.

    With probability ``excluded`` a sample is impossible under the law. For the other samples,
    ``alike`` is the Bhattacharyya coefficient B and ``divergence`` the Kullback-Leibler divergence
    D from the law. The probability q of rejecting n of them satisfies ``kl(q, alpha) <= n D`` and
    ``B**n <= sqrt(alpha q) + sqrt((1 - alpha)(1 - q))``.
    """
    if excluded == 1:
        return 1.0

    def too_high(q: float) -> bool:
        affinity = sqrt(alpha * q) + sqrt((1 - alpha) * (1 - q))
        kl = q * log(q / alpha) + (1 - q) * log((1 - q) / (1 - alpha))
        return affinity < alike**samples or kl > samples * divergence

    low, high = alpha, 1.0 - 1e-12
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if too_high(middle) else (middle, high)
    return 1 - (1 - excluded) ** samples * (1 - high)


@pytest.mark.parametrize("name", list(PairwiseName))
@pytest.mark.parametrize("level", ["1/10", "1/2", "2^-20", "1/40 * 6/pi^2"])
def test_every_mistake_is_told_within_five_times_what_any_test_needs(
    name: PairwiseName, level: str
) -> None:
    test = ChosenTest(name, Fraction(1, 5) if name.needs_known_gap else None)
    told = 0
    for p, cut in (("9/10", None), ("4/5", None), ("7/10", None), ("3/10", 60)):
        check = match_check(Confidence.of(level), Fraction(p), test, Terms(cut=cut))
        for version, needed in check.samples_needed.items():
            wrong, terms = check._wrong[check._names.index(version)], check.terms
            fewest = _fewest_samples(check._highest, wrong, terms.alpha, terms.power) or 0
            assert fewest <= (needed or 0) <= 5 * fewest, (version, p)
            told += needed is not None
    assert told >= (25 if name in (PairwiseName.DUEL, PairwiseName.BUDGETED) else 4)


@pytest.mark.parametrize("g", [None, Fraction(1, 4)])
def test_the_learning_bets_need_no_name(g: Fraction | None) -> None:
    """Alone, they tell most mistakes within twice the samples that the named bets take."""
    p = SEVEN
    named = match_check(TENTH, p, ChosenTest.of_the_paper(g))
    laws, wrong = all_laws(ChosenTest.of_the_paper(g))
    begun = LawCheck(match_distribution(laws.stopping_law(TENTH, p)), {})
    for name, one in wrong.items():
        needed = named.samples_needed[name]
        if needed is None or needed > 100:
            continue
        law = match_distribution(one.stopping_law(TENTH, p))
        samples = _drawn(law, 40 * needed, random.Random(name))
        told = [_rejected_after(copy.deepcopy(begun), samples, 2 * needed) for _ in range(20)]
        assert sum(after is not None for after in told) >= 18, name


# Tournaments, policies, and tests beyond the paper.


def test_laws_of_likely_paths_have_the_moments_that_other_programs_compute() -> None:
    """The means, and which arm survives how often."""
    laws = DuelTestLaws(REFERENCE)
    six = cyclic(6, Fraction(2, 5), Fraction(2, 5))
    known, best = pairs(six), six.winner()

    def epoch(test: PairwiseTest[Match, Arm]) -> Stream[Match, Arm, Arm]:
        return screen_and_replace(1, TENTH, TENTH, 6, test)

    def short_epoch(test: PairwiseTest[Match, Arm]) -> Stream[Match, Arm, Arm]:
        return screen_and_replace(1, TENTH, QUARTER, 4, test)

    for law, exact, regret, precision in (
        (
            likely_cost_distribution(epoch, known, laws, 1e-8, 1000, best),
            screen_and_replace_law(screen_and_replace, 1, TENTH, TENTH, six, laws),
            *(True, 1e-6),
        ),
        (
            likely_cost_distribution(short_epoch, pairs(FOUR), laws, 1e-12, 1000),
            explored_law(short_epoch, pairs(FOUR), laws, None),
            *(False, 1e-8),
        ),
    ):
        counted = exact.weak_regret if regret else exact.comparisons
        assert counted is not None
        assert not regret or counted.mean.middle < 0.9 * exact.comparisons.mean.middle
        mean = sum(float(masses @ np.arange(len(masses))) for masses in law.masses.values())
        assert mean == pytest.approx(counted.mean.middle, rel=precision)
        for arm, part in exact.survives.items():
            survives = float(law.masses.get(arm, np.zeros(1)).sum())
            assert survives == pytest.approx(part.probability.middle, abs=precision)
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
    number: int = 60,
) -> Iterator[Sample]:
    """Yield independent runs' samples."""
    for seed in range(number):
        run = play(make(), SeededEnvironment(preferences, seed))
        yield run.comparisons, run.returned


def _match(
    name: PairwiseName, wrong: str, cut: int | None = None
) -> tuple[LawCheck, list[Iterator[Sample]]]:
    test, p = ChosenTest(name, Fraction(1, 5) if name.needs_known_gap else None), Fraction(4, 5)
    law = match_distribution(all_laws(test)[1][wrong].stopping_law(TENTH, p))
    check, two = match_check(TENTH, p, test, Terms(cut=cut)), cyclic(2, *2 * [Fraction(3, 10)])
    assert check.samples_needed[wrong] is not None
    winner = two.winner()
    right = _runs(partial(test.test, winner, 1 - winner, TENTH), two, number=300)
    judged = ((n, int(arm != winner)) for n, arm in right)
    return check, [judged, _drawn(law, 2000, random.Random(1))]


TREE, H, MANY = BalancedTree.over(4), 170, cyclic(32, Fraction(2, 5), Fraction(2, 5))
KINDS: dict[str, Callable[[], tuple[LawCheck, list[Iterator[Sample]]]]] = {
    "match": partial(_match, PairwiseName.DUEL, UNION_BOUND),
    "match that is cut": partial(_match, PairwiseName.DUEL, UNION_BOUND, 40),
    "budgeted match": partial(_match, PairwiseName.BUDGETED, "8n for 8n^2"),
    "mixture": partial(_match, PairwiseName.MIXTURE, "the level halved for two sides"),
    "sprt": partial(_match, PairwiseName.SPRT, "a lead one less"),
    "truncated": partial(_match, PairwiseName.TRUNCATED_SPRT, "half of the gap"),
    "pass": lambda: (
        tournament_check("tree_ascent", TENTH, FOUR, start=1),
        [_runs(partial(tree_ascent, 1, TREE, TENTH, test)) for test in (duel_test, _whole_level)],
    ),
    "weak policy": lambda: (
        weak_check(1, 2, FOUR, settings=Settings(terms=Terms(alpha=1e-4))),
        [_runs(partial(_weak, epochs)) for epochs in (2, 1)],
    ),
    # Wrong is the level of a horizon ten times as long.
    "known horizon": lambda: (
        known_horizon_check(1, H, FOUR),
        [
            _runs(partial(tg_ite_strong_known_horizon, 1, TREE, H, duel_test)),
            _runs(partial(tg_ite_bai, 1, TREE, Confidence.of(f"1/{10 * H}"), duel_test)),
        ],
    ),
    # Wrong is a number of arms that wraps: arms are left out.
    "bkt of many arms": lambda: (
        tournament_check("bkt", TENTH, MANY),
        [_runs(partial(bkt, range(N), TENTH, duel_test), MANY) for N in (32, 16)],
    ),
    "epoch of many arms": lambda: (
        epoch_check(3, TENTH, TENTH, MANY),
        [
            _runs(partial(screen_and_replace, 3, TENTH, TENTH, N, duel_test), MANY, number=9)
            for N in (32, 16)
        ],
    ),
}
"""Checks, each with the samples of a right version and of a wrong one."""


@pytest.mark.parametrize("kind", KINDS)
def test_right_runs_follow_the_law_and_wrong_ones_do_not(kind: str) -> None:
    begun, (right, wrong) = KINDS[kind]()
    assert _rejected_after(copy.deepcopy(begun), right) is None
    assert _rejected_after(begun, wrong) is not None


RUNS, EACH = 2000, 20


def _of_its_own_law(check: LawCheck) -> Iterator[list[Sample]]:
    """Draw samples of a check's own law, so many each time."""
    lattice, chances = check._lattice, check._highest / check._highest.sum()
    # A cyclic instance's winner is told from the others.
    arms = {check._kind(arm): arm for arm in range(MANY.size)}
    counts, answered = lattice.counts(), lattice.answered()
    for places in np.random.default_rng(5).choice(lattice.size, (RUNS, EACH), p=chances):
        yield [
            (lattice.cut or 0, None)
            if place == lattice.size - 1
            else (int(counts[place]), arms[lattice.answers[answered[place]]])
            for place in places.tolist()
        ]


@pytest.mark.parametrize("kind", KINDS)
def test_false_alarms_are_no_more_than_stated(kind: str) -> None:
    """Of 2,000 right versions at alpha = .05, 150 or more are rejected with probability < 1e-6.

    Each is looked at after every one of its samples.
    """
    begun, _ = KINDS[kind]()
    begun.terms = replace(begun.terms, alpha=0.05)
    assert sum(copy.deepcopy(begun).add_all(some) for some in _of_its_own_law(begun)) < 150


def test_samples_together_are_judged_as_one_by_one() -> None:
    for kind in ("match that is cut", "pass"):
        begun, _ = KINDS[kind]()
        some = [sample for each in islice(_of_its_own_law(begun), 20) for sample in each]
        some[200:200] = [(3, some[0][1])] if kind == "pass" else []
        together, alone = copy.deepcopy(begun), copy.deepcopy(begun)
        together.add_all(some)
        for sample in some:
            alone.add_all([sample])
        one, other = together.verdict(), alone.verdict()
        assert one.rejected_after == other.rejected_after == (201 if kind == "pass" else None)
        assert one.log_evidence == pytest.approx(other.log_evidence)
        assert one.differs == other.differs


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
            check.add_all([(n, answer)])
            expected += float(masses[n]) * np.exp(check.log_evidence())
    # Stakes on cells that the law does not reach are lost.
    assert 0.85 < expected <= 1.0


def test_every_sample_has_a_place() -> None:
    law = CostDistribution(None, {0: np.array([0, 0, 0.5, 0.4]), 1: np.array([0, 0, 0, 0.1])})
    lattice = Lattice.of(law)
    places = {lattice.place(n, answer) for n in range(9) for answer in (0, 1, 2, None)}
    assert places == set(range(lattice.size))


def test_what_a_law_leaves_out_is_bounded_where_it_may_lie() -> None:
    """Else a right sample would count as impossible, and the bet would not be fair."""
    law = CostDistribution(None, {0: np.array([0.25, 0.5])}, missing=0.25, whole_below=1)
    most = upper_bounds(law, 0, 3)
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
    coarse, near = Confidence(Fraction(999, 1000)), cyclic(4, Fraction(1, 5), Fraction(1, 5))
    likely = likely_cost_distribution(
        lambda test: screen_and_replace(0, coarse, coarse, 4, test), pairs(near), laws, 0.05, 100
    )
    kept = sum(float(masses.sum()) for masses in likely.masses.values())
    assert kept < 1 - 1e-6
    assert kept + likely.missing > 1 - 1e-9


# Conventions, cuts, and what is refused.


EPOCH = partial(epoch_check, 5, TENTH, QUARTER)


@pytest.mark.parametrize(
    ("check", "N", "other"),
    [
        (partial(tournament_check, "bkt", TENTH), 6, Conventions(pairing=Pairing.FOLD)),
        (partial(tournament_check, "tree_ascent", TENTH), 6, Conventions(byes=Byes.FIRST)),
        (EPOCH, 8, Conventions(candidates=Candidates.ASCENDING)),
        (EPOCH, 8, Conventions(bye=End.FIRST)),
    ],
)
def test_conventions_are_other_laws(
    check: Callable[..., LawCheck], N: int, other: Conventions
) -> None:
    """Where there are byes and two gaps. The same conventions are the same law."""
    preferences = cyclic(N, Fraction(9, 20), Fraction(7, 20))
    here, again, there = (
        check(preferences, settings=Settings(conventions=by))._highest
        for by in (RULINGS, RULINGS, other)
    )
    assert np.array_equal(here, again)
    assert len(here) != len(there) or abs(here - there).sum() > 1e-3


@pytest.mark.parametrize("cut", [1, 17, 18, 40, 10**6])
def test_a_cut_run_is_as_likely_as_the_law_says(cut: int) -> None:
    law = match_distribution(ChosenTest.of_the_paper(None).laws().stopping_law(TENTH, SEVEN))
    lattice = Lattice.of(law, cut)
    beyond = sum(float(masses[cut + 1 :].sum()) for masses in law.masses.values())
    for found in (lattice.highest(law), lattice.lowest(law)):
        assert found[lattice.place(cut, None)] == pytest.approx(beyond, rel=1e-6, abs=1e-12)
        assert float(found.sum()) == pytest.approx(1)


def test_what_no_command_can_ask_for_is_refused_or_impossible() -> None:
    cut, whole = match_check(TENTH, SEVEN, terms=Terms(cut=1024)), match_check(TENTH, SEVEN)
    for check, sample, rule in (
        (cut, (1023, None), "runs are cut after 1024"),
        (cut, (1025, 0), "at most the cut"),
        (whole, (1024, None), "no cut was given"),
        (whole, (-1, 0), "comparisons"),
    ):
        with pytest.raises(InvalidInput, match=rule):
            check.add_all([sample])
    with pytest.raises(InvalidInput, match="must be bkt, tree_ascent"):
        tournament_check("quicksort", TENTH, FOUR)
    # Ties are allowed where a gap is known.
    gap = ChosenTest.of_the_paper(Fraction(1, 10))
    tournament_check("bkt", TENTH, example("arxiv6"), settings=Settings(gap))
    whole.add_all([(n, 7) for n in (31, 38, 55, 58) * 9])
    said = "what differs most: an answer that is not an arm (seen 100%, expected 7.53e-12%)"
    assert said in str(whole.verdict())
    budgeted = match_check(TENTH, SEVEN, BUDGETED)
    budgeted.add_all([(18, 7)])
    assert "no run gives the answer 7 after 18 comparisons, or any" in str(budgeted.verdict())


def test_a_pipe_is_read_until_the_verdict_stands_and_a_file_to_its_end(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The transcript of ``conform-law`` has the rest of what the command says."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("2 0\n" + "no sample\n" * 9))
    assert status(("conform-law", "-", "--delta", "1/10", "--p", "9/10")) == 1
    assert "rejected after 1 samples" in capsys.readouterr().out
    samples = tmp_path / "samples.txt"
    samples.write_text("12 0\n" * 50, encoding="utf-8")
    four = ("--instance", "cyclic", "--arms", "4", "--delta-star", "2/5", "--delta-cyc", "2/5")
    words = ("--algorithm", "tg_ite_weak", "--convention", "byes=spread", "--json")
    assert status(("conform-law", str(samples), *four, *words)) == 1
    verdict = json.loads(capsys.readouterr().out)
    assert verdict["rejected_after"] < 5 < verdict["samples"] == 50
    assert verdict["conventions"]["byes"] == "spread"
    assert verdict["samples_needed"]["the union bound dropped"] <= 3
