"""Runs decided on their tapes."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from math import ceil, lgamma, log, log1p

import numpy as np
import pytest

from shipped_vectors import RUNS
from tgite import Confidence
from tgite_checks.fidelity.boundaries import least_margin
from tgite_conform.algorithms import ALGORITHMS, Group
from tgite_conform.cases.random_cases import random_cases
from tgite_conform.format import Case, Expected, PairTape, Parameter, SaidCertificate
from tgite_conform.recorder import Recipe, case_of
from tgite_conform.tape import MatchOutcomes
from tgite_conform.tape_player import first_stop, two_sided


def _own(case: Case, expected: Expected) -> Recipe:
    """Return a case's run as a row with its tape."""
    of, given, by = case.algorithm, case.parameters, case.conventions
    return Recipe(case.name, of, given, None, by, expected.horizon, tape=expected.tape)


def _certificate(tape: str, **more: Parameter) -> SaidCertificate:
    """Return the answer to the question whether arm 0 beats arm 1, on this tape."""
    given = {"N": 2, "c": 0, "delta": "1/10", **more}
    tapes = (PairTape(0, 1, (tape,)),)
    expected = case_of(Recipe("it", "certify", given, None, tape=tapes)).expected
    assert isinstance(expected, Expected)
    assert isinstance(expected.result, SaidCertificate)
    return expected.result


def _some_of_each() -> list[tuple[Case, Expected]]:
    """Return many certificates and some runs of each other algorithm, with every kind of cut."""
    certificates = [run for run in RUNS if ALGORITHMS[run[0].algorithm].certifies]
    found = certificates[::4]
    for algorithm in (name for name, row in ALGORITHMS.items() if not row.certifies):
        short = [
            (case, expected)
            for case, expected in RUNS
            if case.algorithm == algorithm and expected.tape and case.duels < 500
        ]
        special = {
            (case.conventions.first_arm, flag): (case, expected)
            for case, expected in short
            for flag in case.flags
            if flag.startswith(("cut", "tie", "expires", "just-in-time", "formal", "self-play"))
        }
        found += [*short[::29], *special.values()]
    return found


def test_a_run_decided_on_its_tape_is_the_run_that_is_played() -> None:
    drawn = islice(random_cases(2, Group.CERTIFICATES.algorithms), 40)
    runs = _some_of_each()
    runs += [(case, case.expected) for case in drawn if isinstance(case.expected, Expected)]
    assert {case.conventions.first_arm for case, _ in runs} == {0, 1}
    for case, expected in runs:
        run = _own(case, expected)
        decided = case_of(run)
        assert isinstance(decided.expected, Expected)
        # Its margin is that of fewer decisions.
        assert replace(decided.expected, margin=expected.margin) == expected
        assert decided.id == case.id


@pytest.mark.parametrize("seed", range(3))
def test_duels_by_chance_are_decided_as_if_each_was_looked_at(seed: int) -> None:
    """Without repetitions too: a piece in which no lead can come up to the boundary is counted."""
    size = 1 << 16
    level = Confidence.of("1/10")
    entry = random.Random(seed).randbytes(size).hex() + f" {'f' if seed else '0'}*{size}"
    outcomes = MatchOutcomes(entry, inverted=seed == 2)
    looked_up: list[int] = []

    def margin(n: int) -> int:
        looked_up.append(n)
        return least_margin(n, level)

    stop = first_stop(outcomes, two_sided(margin))
    assert stop is not None
    wins = np.cumsum(np.fromiter(outcomes.after(0), np.int64, outcomes.length))
    n = np.arange(1, outcomes.length + 1)
    radius = np.sqrt((np.log(2.0 * n * (n + 1)) + level.log_inverse) / (2 * n))
    first = int(np.flatnonzero(np.abs(wins / n - 1 / 2) > radius)[0])
    assert stop == (first + 1, int(wins[first]))
    assert outcomes.wins(stop[0]) == int(wins[first])
    assert 8 * size < stop[0]
    assert len(looked_up) < size // 20


def test_a_certificate_of_many_million_duels_is_decided_where_its_evidence_says() -> None:
    """Doubles tell the evidence well enough: from duel to duel it changes by a thousandth or so."""

    def log_evidence(n: int, S: int) -> float:
        binomial = lgamma(n + 1) - lgamma(S + 1) - lgamma(n - S + 1)
        return (n + 1) * log(2) - log(n + 1) - binomial

    ties = 10**8
    answer = _certificate(f"5*{ties} f*50000")
    assert answer.verdict == "won"
    n, S = answer.duels, answer.duels - 2 * ties
    assert log_evidence(n - 1, S - 1) + 1e-5 < log(10) < log_evidence(n, S) - 1e-5


def test_ties_are_equivalent_after_many_million_duels_or_end_by_the_budget() -> None:
    m = Fraction(1, 4000)
    answer = _certificate(f"a*{10**8}", margin=str(m))
    # After an even number of duels both have won half; half of the level is 1/20.
    least = 2 * ceil(log(20) / -log1p(float(-4 * m * m)))
    assert (answer.verdict, answer.duels) == ("equivalent", least)
    answer = _certificate(f"a*{10**8}", margin=str(m), budget=least - 1)
    assert (answer.verdict, answer.duels) == ("budget", least - 1)
