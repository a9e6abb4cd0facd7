"""The law check of each kind of run: false alarms, policies, runs that were cut, what is said."""

from __future__ import annotations

import copy
import io
import json
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from tgite import (
    RULINGS,
    Confidence,
    Conventions,
    InvalidInput,
    cyclic,
    example,
)
from tgite.conventions import Byes, Candidates, End, Pairing
from tgite_conform.law.catalogue import (
    epoch_check,
    known_horizon_check,
    match_check,
    tournament_check,
    weak_check,
)
from tgite_conform.law.check import Counted, LawCheck, Terms
from tgite_conform.law.lattice import Lattice, Sample
from tgite_laws.cli.main import status
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


@pytest.mark.parametrize("kind", list(KINDS))
def test_false_alarms_are_no_more_than_stated(kind: str) -> None:
    """Of 2,000 right versions at alpha = .05, 150 or more are rejected with probability < 1e-6.

    Each is looked at after every one of its samples.
    """
    begun = KINDS[kind]()
    assert sum(copy.deepcopy(begun).add_all(some) for some in _drawn(begun, 5)) < 150


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
        check(preferences, conventions=by)._highest for by in (RULINGS, RULINGS, other)
    )
    assert np.array_equal(here, again)
    assert len(here) != len(there) or abs(here - there).sum() > 1e-3


# Runs that were cut.


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
        (whole, (1024, None), "no cut is told"),
        (whole, (-1, 0), "comparisons"),
    ):
        with pytest.raises(InvalidInput, match=rule):
            check.add(*sample)
    with pytest.raises(InvalidInput, match="must be bkt, tree_ascent"):
        tournament_check("quicksort", TENTH, FOUR)
    # Ties are allowed where a gap is known.
    gap = ChosenTest.of_the_paper(Fraction(1, 10))
    tournament_check("bkt", TENTH, example("arxiv6"), test=gap)
    whole.add_all([(n, 7) for n in (31, 38, 55, 58) * 9])
    said = "what differs most: an answer that is none (seen 100%, expected hardly ever)"
    assert said in str(whole.verdict())
    budgeted = match_check(TENTH, SEVEN, BUDGETED)
    budgeted.add(18, 7)
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
    assert (verdict["counted"], verdict["conventions"]["byes"]) == ("comparisons", "spread")
    assert verdict["samples_needed"]["the union bound dropped"] <= 3
