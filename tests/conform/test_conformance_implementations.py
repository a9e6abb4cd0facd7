"""Two implementations that share no code with the library, and wrong versions of them."""

from __future__ import annotations

import math
import re
from collections.abc import Generator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import in_c
from bug_farm import bugs, planted
from golden import table
from implementations import numpy_tgite
from shipped_vectors import CASES, PAPER_CASES
from tgite_conform.cases.random_cases import random_cases
from tgite_conform.format import CHOICES
from tgite_conform.process import ProcessConnection
from tgite_conform.program import ProgramSubject
from tgite_conform.protocol import Mode, handed, read_played
from tgite_conform.referee import Level
from tgite_conform.runner import CaseResult, Status, examine
from tgite_conform.subjects import BatchSubject, StreamSubject, Subject, judge_played

_TOLD = "conform/first_divergences.toml"
NUMPY, C = table(_TOLD, "numpy"), table(_TOLD, "c")


def _statuses(results: Sequence[CaseResult]) -> set[Status]:
    return {result.status for result in results}


def _first(subject: Subject, algorithm: str) -> str:
    """Tell the first divergence among an algorithm's cases, in the vectors' order."""
    for case in (case for case in PAPER_CASES if case.algorithm == algorithm):
        (result,) = examine(subject, [case])
        if (found := result.divergence) is not None:
            return f"{found.duel} {found.parting}: {' > '.join(map(str, found.lines))}"
    pytest.fail("no case fails")


# NumPy.


def test_numpy_knows_every_value_of_every_convention() -> None:
    known, values = numpy_tgite.CONVENTIONS, CHOICES
    assert set(known) == set(values)
    assert all(set(map(str, known[name])) == set(map(str, values[name])) for name in values)


def test_numpy_plays_all_cases_at_once_and_conforms() -> None:
    replies = numpy_tgite.play([handed(case).as_object() for case in PAPER_CASES])
    for case, reply in zip(PAPER_CASES, replies, strict=True):
        judge_played(case, read_played(reply), Level.ORDER)


def test_numpy_refuses_a_convention_that_it_does_not_know() -> None:
    handed_out = handed(next(case for case in PAPER_CASES if case.algorithm == "tree_ascent"))
    for name in CHOICES:
        by: Any = handed_out.parameters["conventions"]
        parameters = {**handed_out.parameters, "conventions": {**by, name: "middle"}}
        (reply,) = numpy_tgite.play([{**handed_out.as_object(), "parameters": parameters}])
        assert reply == {"refusal": f"{name} middle"}


@pytest.mark.parametrize("bug", NUMPY)
def test_wrong_numpy_versions_are_caught_where_they_go_wrong(bug: str) -> None:
    subject = BatchSubject(planted(bugs()[bug]), "planted")
    algorithm, told = NUMPY[bug]
    assert _first(subject, algorithm) == told


# C.


def _compiled(source: str, folder: Path) -> str:
    return in_c.compiled(source, in_c.SPEAKS_JSON, folder, "-std=c11", "-D_GNU_SOURCE")


def _c(executable: str, mode: Mode) -> ProgramSubject:
    return ProgramSubject(ProcessConnection([executable]), "c_tgite", 20.0, mode)


@pytest.mark.parametrize("mode", Mode)
def test_c_conforms_in_either_mode(mode: Mode, tmp_path: Path) -> None:
    subject = _c(_compiled(in_c.EXAMPLE, tmp_path), mode)
    chosen = [case for case in PAPER_CASES if subject.declaration.why_skipped(case) == ""]
    arms = {case.id: str([case.parameters.get(one) for one in "uvS"]) for case in chosen}
    chosen = [case for case in chosen if not re.search(r"\d{19}", arms[case.id])]
    assert len({case.algorithm for case in chosen}) == 10
    if mode is Mode.DUEL:
        chosen = [case for case in chosen if case.duels < 60][::5]
    results = list(examine(subject, chosen, Level.ORDER))
    subject.close()
    assert _statuses(results) == {Status.CONFORMS}
    assert len(results) > (100 if mode is Mode.DUEL else 1200)


@pytest.mark.parametrize("mistake", C)
def test_wrong_c_versions_are_caught_where_they_go_wrong(mistake: str, tmp_path: Path) -> None:
    executable = _compiled(in_c.mistaken(mistake), tmp_path)
    algorithm, told = C[mistake]
    for mode in Mode:
        subject = _c(executable, mode)
        # Duel by duel it is found too, at the latest in that case's match.
        assert _first(subject, algorithm) == told or mode is Mode.DUEL
        subject.close()


# The tests beyond the paper, by their definitions alone.


LITERAL = ("mixture_test", "sprt_test", "truncated_sprt_test")


def literal(algorithm: str, parameters: dict[str, Any]) -> Generator[tuple[int, int], bool, int]:
    """Play a test beyond the paper in rationals, without a table of boundaries."""
    delta = numpy_tgite.fraction(parameters["delta"])
    g = numpy_tgite.fraction(parameters.get("g", "1/4"))
    truncated = algorithm == "truncated_sprt_test"
    level, most = delta / 2 if truncated else delta, math.inf
    if truncated:
        logarithm = math.log(2) + math.log(delta.denominator) - math.log(delta.numerator)
        most = math.ceil(logarithm / float(2 * g * g))
    n = S = 0
    while n < most:
        n, S = n + 1, S + (yield parameters["u"], parameters["v"])
        ahead = max(S, n - S)
        if algorithm == "mixture_test":
            total = sum(math.comb(n + 1, k) for k in range(ahead + 1))
            evidence = Fraction(total, (n + 1) * math.comb(n, ahead))
        else:
            evidence = 1 + ((1 + 2 * g) / (1 - 2 * g)) ** (2 * ahead - n)
        if n != 2 * S and level * evidence >= 1:
            break
    returned: int = parameters["u" if n <= 2 * S else "v"]
    return returned


def test_the_definitions_themselves_conform() -> None:
    of_tests = [case for case in CASES if case.algorithm in LITERAL]
    short = [
        case
        for case in (*of_tests, *islice(random_cases(3, LITERAL), 40))
        if 0 < case.duels < 130 and " * " not in str(case.parameters["delta"])
    ]
    subject = StreamSubject(literal, "literal")
    subject.declaration = replace(subject.declaration, algorithms=frozenset(LITERAL))
    results = list(examine(subject, short))
    assert _statuses(results) == {Status.CONFORMS}
    assert len(results) > 300
