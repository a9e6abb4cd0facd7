"""The law check of each kind of run: false alarms, policies, runs that were cut, what is said."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice

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
    Outcome,
    SeededEnvironment,
    SelfPlay,
    Stream,
    cyclic,
    duel_test,
    play,
    tg_ite_bai,
    tg_ite_strong_known_horizon,
    tg_ite_weak,
)
from tgite.conventions import Byes, Candidates, End, Pairing
from tgite_conform.law.catalogue import (
    epoch_check,
    known_horizon_check,
    match_check,
    tournament_check,
    weak_check,
)
from tgite_conform.law.check import Counted, Impossible, LawCheck, Terms, _Learning
from tgite_conform.law.lattice import Labels, Lattice, Sample
from tgite_laws.boundary import Floats
from tgite_laws.cost import match_distribution
from tgite_laws.pairwise import ChosenTest, PairwiseName

TENTH, QUARTER = Confidence.of("1/10"), Confidence.of("1/4")
SEVEN = Fraction(7, 10)
FOUR = cyclic(4, Fraction(2, 5), Fraction(2, 5))
BUDGETED = ChosenTest.of_the_paper(Fraction(1, 4))
MIXTURE = ChosenTest(PairwiseName.MIXTURE)
ONE_IN_TWENTY = Terms(alpha=0.05)
REGRET = Terms(alpha=0.05, counted=Counted.WEAK_REGRET)

KINDS: dict[str, Callable[[], LawCheck]] = {
    "match": lambda: match_check(TENTH, SEVEN, terms=ONE_IN_TWENTY),
    "budgeted match": lambda: match_check(TENTH, SEVEN, BUDGETED, ONE_IN_TWENTY),
    "match beyond the paper": lambda: match_check(TENTH, SEVEN, MIXTURE, ONE_IN_TWENTY),
    "match that is cut": lambda: match_check(TENTH, SEVEN, terms=Terms(alpha=0.05, cut=40)),
    "tournament": lambda: tournament_check("bkt", TENTH, FOUR, terms=ONE_IN_TWENTY),
    "pass": lambda: tournament_check("tg_ite_bai", TENTH, FOUR, 1, terms=ONE_IN_TWENTY),
    "weak regret": lambda: tournament_check("tree_ascent", TENTH, FOUR, 1, terms=REGRET),
    "epoch": lambda: epoch_check(1, TENTH, QUARTER, FOUR, terms=ONE_IN_TWENTY),
    "weak policy": lambda: weak_check(1, 1, FOUR, terms=ONE_IN_TWENTY),
    "known horizon": lambda: known_horizon_check(1, 150, FOUR, terms=ONE_IN_TWENTY),
}
RUNS, EACH = 2000, 20


def _drawn(check: LawCheck, seed: int) -> Iterator[list[Sample]]:
    """Draw samples of a check's own law, so many each time."""
    lattice, chances = check._lattice, check._highest / check._highest.sum()
    # Of a cyclic instance of four arms the winner, 2, is told from the others.
    arms = {0: FOUR.winner(), 1: 0} if check._kinds else {}
    counts, answered = lattice.counts(), lattice.answered()
    draw = np.random.default_rng(seed)
    for places in draw.choice(lattice.size, (RUNS, EACH), p=chances):
        some: list[Sample] = []
        for place in places.tolist():
            if place == lattice.size - 1:
                some.append((lattice.cut or 0, None))
            else:
                answer = lattice.answers[answered[place]]
                some.append((int(counts[place]), arms.get(answer, answer)))
        yield some


def _false_alarms(kind: str) -> int:
    begun = KINDS[kind]()
    return sum(copy.deepcopy(begun).add_all(some) for some in _drawn(begun, 5))


@pytest.mark.parametrize("kind", list(KINDS))
def test_false_alarms_are_no_more_than_stated(kind: str) -> None:
    """Of 2,000 right versions at alpha = .05, 150 or more are rejected with probability < 1e-6.

    Each is looked at after every one of its samples.
    """
    assert _false_alarms(kind) < 150


def test_a_bet_that_knows_its_own_sample_raises_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no supermartingale: the bound above tells."""
    right = _Learning.log_factors

    def knowing(self: _Learning, places: Labels) -> Floats:
        before = copy.copy(self._seen)
        factors = right(self, places)
        cells = self._labels[places]
        raised: Floats = factors + np.log((before[cells] + 1) / before[cells])
        return raised

    monkeypatch.setattr(_Learning, "log_factors", knowing)
    for kind in ("match", "epoch"):
        assert _false_alarms(kind) > 150


def test_samples_together_are_judged_as_one_by_one() -> None:
    for kind in ("match that is cut", "pass"):
        begun = KINDS[kind]()
        some = [sample for each in islice(_drawn(begun, 7), 20) for sample in each]
        some[200:200] = [(3, some[0][1])] if kind == "pass" else []
        together, alone = copy.deepcopy(begun), copy.deepcopy(begun)
        together.add_all(some)
        for sample in some:
            alone.add(*sample)
        one, other = together.verdict(), alone.verdict()
        assert one.rejected_after == other.rejected_after == (201 if kind == "pass" else None)
        assert one.log_evidence == pytest.approx(other.log_evidence)
        assert one.differs == other.differs


# Policies.

_Policy = Stream[Duel | Incumbent | SelfPlay, Outcome | None, Arm | None]


def _weak(epochs: int, start: Arm, of: BalancedTree) -> _Policy:
    """Play the weak policy until it has announced the incumbent after so many epochs."""
    stream = tg_ite_weak(start, of, duel_test)
    announced, question = 0, next(stream)
    while True:
        if isinstance(question, Incumbent):
            announced += 1
            if announced > epochs:
                return question.arm
        reply = yield question
        question = stream.send(reply)


@pytest.mark.parametrize("counted", list(Counted))
def test_the_weak_policy_follows_the_law_of_its_first_epochs(counted: Counted) -> None:
    tree, winner = BalancedTree.over(4), FOUR.winner()
    begun = weak_check(1, 2, FOUR, terms=Terms(alpha=1e-4, counted=counted))
    right, fewer = copy.deepcopy(begun), copy.deepcopy(begun)
    for seed in range(60):
        for check, epochs in ((right, 2), (fewer, 1)):
            run = play(_weak(epochs, 1, tree), SeededEnvironment(FOUR, seed), winner)
            count = run.comparisons if counted is Counted.COMPARISONS else run.weak_regret
            assert isinstance(count, int)
            check.add(count, run.returned)
    assert right.verdict().rejected_after is None
    # The second epoch of a winner costs comparisons, and no weak regret.
    told = fewer.verdict().rejected_after
    assert (told is not None) == (counted is Counted.COMPARISONS)


def test_a_pass_up_to_a_known_horizon_follows_its_law() -> None:
    tree, H = BalancedTree.over(4), 170
    begun = known_horizon_check(1, H, FOUR)
    right, wrong = copy.deepcopy(begun), copy.deepcopy(begun)
    cut = 0
    for seed in range(60):
        run = play(
            tg_ite_strong_known_horizon(1, tree, H, duel_test), SeededEnvironment(FOUR, seed)
        )
        right.add(run.comparisons, run.returned)
        cut += run.returned is None
        # The level of a horizon ten times as long.
        other = play(
            tg_ite_bai(1, tree, Confidence.of(f"1/{10 * H}"), duel_test),
            SeededEnvironment(FOUR, seed),
        )
        wrong.add(min(other.comparisons, H), other.returned if other.comparisons <= H else None)
    assert 0 < cut < 60
    assert right.verdict().rejected_after is None
    assert wrong.verdict().rejected_after is not None
    for terms in (Terms(cut=H + 1), Terms(counted=Counted.WEAK_REGRET)):
        with pytest.raises(InvalidInput, match="horizon" if terms.cut else "is not known"):
            known_horizon_check(1, H, FOUR, terms=terms)


def test_conventions_are_other_laws() -> None:
    """Where there are byes and two gaps. The same conventions are the same law."""

    def check(kind: str, N: int, conventions: Conventions) -> LawCheck:
        preferences = cyclic(N, Fraction(9, 20), Fraction(7, 20))
        if kind == "epoch":
            return epoch_check(5, TENTH, QUARTER, preferences, conventions=conventions)
        return tournament_check(kind, TENTH, preferences, 1, conventions=conventions)

    for kind, N, other in (
        ("bkt", 6, Conventions(pairing=Pairing.FOLD)),
        ("tree_ascent", 6, Conventions(byes=Byes.FIRST)),
        ("epoch", 8, Conventions(candidates=Candidates.ASCENDING)),
        ("epoch", 8, Conventions(bye=End.FIRST)),
    ):
        here, again, there = (check(kind, N, by)._highest for by in (RULINGS, RULINGS, other))
        assert np.array_equal(here, again)
        assert len(here) != len(there) or abs(here - there).sum() > 1e-3, (kind, other)


# Runs that were cut.


def test_a_cut_run_is_as_likely_as_the_law_says() -> None:
    whole = match_check(TENTH, SEVEN)
    law = match_distribution(ChosenTest.of_the_paper(None).laws().stopping_law(TENTH, SEVEN))
    for cut in (1, 17, 18, 40, 10**6):
        lattice = Lattice.of(law, cut)
        highest = lattice.highest(law)
        beyond = sum(float(masses[cut + 1 :].sum()) for masses in law.masses.values())
        assert highest[lattice.place(cut, None)] == pytest.approx(beyond, rel=1e-6, abs=1e-12)
        assert float(highest.sum()) == pytest.approx(1)
        lowest = lattice.lowest(law)
        assert float(lowest.sum()) == pytest.approx(1)
        assert lowest[lattice.place(cut, None)] == pytest.approx(beyond, rel=1e-6)
    assert whole._lattice.cut is None


def test_runs_that_hardly_end_are_told_by_where_they_were_cut() -> None:
    check = match_check(TENTH, Fraction(3, 10), terms=Terms(cut=1024))
    assert check.add(1024, None)
    said = str(check.verdict())
    assert "looks most like" not in said
    assert "runs cut after 1024 (seen 100%, expected hardly ever)" in said
    with pytest.raises(InvalidInput, match="runs are cut after 1024"):
        check.add(1023, None)
    with pytest.raises(InvalidInput, match="at most the cut"):
        check.add(1025, 0)
    with pytest.raises(InvalidInput, match="no cut is told"):
        match_check(TENTH, SEVEN).add(1024, None)
    with pytest.raises(InvalidInput, match="cut"):
        Terms(cut=0)
    # With a known gap every run is over by the budget.
    check = match_check(TENTH, SEVEN, BUDGETED, Terms(cut=200))
    assert check.add(200, None)
    assert "sample 1 is impossible: every run is over by 200" in str(check.verdict())


# What is said.


@pytest.mark.parametrize(
    ("samples", "said"),
    [
        ([(n, 0) for n in (80, 88, 108 + 4 * 9, 80, 88) * 9], "counts divisible by 8 (seen 100%, "),
        ([(18, 0)] * 30, "the count 18 (seen 100%, expected 0.163%)"),
        ([(18, 0), (23, 0), (27, 0)] * 9, "counts of at most 27 (seen 100%, expected 0.667%)"),
        ([(n, 0) for n in (149, 151, 154, 156, 159) * 9], "counts of at least 149 (seen 100%, "),
        ([(n, n % 2) for n in (31, 38, 55, 58) * 9], "the answer 1 (seen 50%, expected hardly "),
        ([(n, 7) for n in (31, 38, 55, 58) * 9], "an answer that is none (seen 100%, expected "),
    ],
)
def test_the_verdict_says_in_what_samples_differ(samples: list[Sample], said: str) -> None:
    check = match_check(TENTH, SEVEN)
    assert "differs" not in str(check.verdict())
    check.add_all(samples)
    assert f"what differs most: {said}" in str(check.verdict())


def test_what_is_possible_near_an_impossible_sample_is_said() -> None:
    check = match_check(TENTH, SEVEN)
    check.add_all([(23, 0), (27, 0), (25, 0), (3, 0)])
    verdict = check.verdict()
    assert isinstance(verdict.impossible, Impossible)
    assert (verdict.impossible.after, verdict.impossible.nearest) == (3, (23, 27))
    assert verdict.impossible.at_most < 1e-200
    assert "sample 3 is impossible: no run gives the answer 0 after 25 comp" in str(verdict)
    assert "; the nearest that are possible: 23 and 27" in str(verdict)
    check = tournament_check("bkt", TENTH, FOUR)
    check.add(1, 0)
    impossible = check.verdict().impossible
    assert impossible is not None
    assert impossible.answer == 0
    assert impossible.nearest
    check = epoch_check(1, TENTH, QUARTER, FOUR)
    assert check.add(18, 2)
    assert "sample 1 is impossible (but for a chance below " in str(check.verdict())
    check = match_check(TENTH, SEVEN, BUDGETED)
    check.add(18, 7)
    assert "no run gives the answer 7 after 18 comparisons, or any" in str(check.verdict())
