"""Two implementations that share no code with the library, and wrong versions of them."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import in_c
from implementations import numpy_tgite
from implementations.numpy_tgite import Mistakes
from shipped_vectors import CASES, PAPER_CASES
from tgite_conform.cases.random_cases import random_cases
from tgite_conform.divergence import Divergence
from tgite_conform.format import CHOICES, Expected
from tgite_conform.process import ProcessConnection
from tgite_conform.program import ProgramSubject
from tgite_conform.protocol import Mode, handed
from tgite_conform.referee import Level
from tgite_conform.runner import CaseResult, Status, examine
from tgite_conform.subjects import BatchSubject, StreamSubject, Subject, judge_played


def _numpy(mistakes: Mistakes | None = None) -> BatchSubject:
    return BatchSubject(
        numpy_tgite.play if mistakes is None else numpy_tgite.wrong(mistakes), "numpy_tgite"
    )


def _statuses(results: Sequence[CaseResult]) -> set[Status]:
    return {result.status for result in results}


# NumPy.


def test_numpy_knows_every_value_of_every_convention() -> None:
    known = get_type_hints(numpy_tgite.Choices).items()
    values = {name: {str(value) for value in CHOICES[name]} for name in CHOICES}
    assert {name: set(map(str, get_args(kind))) for name, kind in known} == values


def test_numpy_plays_all_cases_at_once_and_conforms() -> None:
    subject = _numpy()
    for case, played in zip(PAPER_CASES, subject.play_many(PAPER_CASES), strict=True):
        assert not isinstance(played, Exception)
        judge_played(case, played, Level.ORDER)


def test_numpy_refuses_a_convention_that_it_does_not_know() -> None:
    handed_out = handed(next(case for case in PAPER_CASES if case.algorithm == "tree_ascent"))
    for name in CHOICES:
        case = handed_out.as_object()
        by = dict(handed_out.parameters["conventions"])  # type: ignore[call-overload]
        case["parameters"] = {**handed_out.parameters, "conventions": by | {name: "middle"}}
        (reply,) = numpy_tgite.play([case])
        assert reply == {"refusal": f"{name} middle"}


NUMPY_MISTAKES: dict[str, tuple[Mistakes, str, str]] = {
    # The mistake, an algorithm, and the first divergence of its first failing case: at which duel
    # it parts, how and in which line.
    "the union bound is dropped": (
        Mistakes(quotient=lambda n: 2 + 0 * n),
        "duel_test",
        "3 stops a match early: alg:dueltest L6",
    ),
    "4n(n+1) for 2n(n+1)": (
        Mistakes(quotient=lambda n: 4 * n * (n + 1)),
        "duel_test",
        "13 goes on with a match that is over: alg:dueltest L6",
    ),
    "ties go to the second argument": (
        Mistakes(tie_to_second=True),
        "budgeted_duel_test",
        "8 takes the other arm as a match's winner: alg:budgeted-dueltest L13",
    ),
    "the bye is lost": (
        Mistakes(bye_lost=True),
        "bkt",
        "20 ends before all matches are played: alg:bkt L5 (r = 2)",
    ),
    "beta is uniform over levels": (
        Mistakes(uniform_beta=True),
        "tree_ascent",
        "23 goes on with a match that is over: "
        "alg:app-plr L9 (h = 2) > alg:bkt L5 (r = 1) > alg:dueltest L6",
    ),
    "the epochs' levels are one epoch early": (
        Mistakes(epoch_offset=1),
        "tg_ite_weak",
        "46 stops a match early: "
        "alg:tlcr-weak L4 (s = 1) > alg:screen-and-replace L3 > alg:dueltest L6",
    ),
    "the phases' levels are powers of three": (
        Mistakes(schedule_base=3),
        "tg_ite_strong_anytime",
        "18 goes on with a match that is over: "
        "alg:tlcr-strong-anytime L4 (s = 1) > alg:app-plr L10 (h = 1) > alg:dueltest L6",
    ),
}


def _told(divergence: Divergence) -> str:
    lines = " > ".join(map(str, divergence.lines))
    return f"{divergence.duel} {divergence.parting}: {lines}"


def _first(subject: Subject, algorithm: str) -> Divergence:
    """Return the first divergence among an algorithm's cases, in the vectors' order."""
    for case in PAPER_CASES:
        if case.algorithm == algorithm:
            (result,) = examine(subject, [case])
            if result.divergence is not None:
                return result.divergence
    pytest.fail("no case fails")


@pytest.mark.parametrize("name", NUMPY_MISTAKES)
def test_wrong_numpy_versions_are_caught_where_they_go_wrong(name: str) -> None:
    mistakes, algorithm, told = NUMPY_MISTAKES[name]
    assert _told(_first(_numpy(mistakes), algorithm)) == told


def test_single_precision_fails_at_the_boundary_alone() -> None:
    subject = _numpy(Mistakes(single_precision=True))
    played = subject.play_many(PAPER_CASES)
    failed = []
    for case, one in zip(PAPER_CASES, played, strict=True):
        assert not isinstance(one, Exception)
        try:
            judge_played(case, one, Level.MATCHES)
        except Exception:
            failed.append(case)
    assert sum(case.boundary for case in failed) >= 5
    # Elsewhere it fails only where it meets a margin that single precision does not resolve.
    for case in failed:
        assert isinstance(case.expected, Expected)
        assert float(case.expected.margin) < 1e-6, case.name


def test_numpy_mistakes_do_not_show_where_they_do_not_matter() -> None:
    subject = _numpy(Mistakes(epoch_offset=1))
    others = [case for case in PAPER_CASES if case.algorithm in ("bkt", "tg_ite_bai")]
    assert _statuses(list(examine(subject, others))) == {Status.CONFORMS}


# C.


def _compiled(source: str, folder: Path) -> str:
    return in_c.compiled(source, in_c.SPEAKS_JSON, folder, "-std=c11", "-D_GNU_SOURCE")


def _c(executable: str, mode: Mode) -> ProgramSubject:
    return ProgramSubject(ProcessConnection([executable]), "c_tgite", 20.0, mode)


def test_c_conforms_in_batches(tmp_path: Path) -> None:
    subject = _c(_compiled(in_c.EXAMPLE, tmp_path), Mode.BATCH)
    results = list(examine(subject, PAPER_CASES))
    subject.close()
    assert _statuses(results) == {Status.CONFORMS, Status.SKIPPED}
    played = [result for result in results if result.status is Status.CONFORMS]
    assert len(played) > 1200
    assert len({result.case.algorithm for result in played}) == 10


def test_c_conforms_duel_by_duel(tmp_path: Path) -> None:
    subject = _c(_compiled(in_c.EXAMPLE, tmp_path), Mode.DUEL)
    chosen = [case for case in PAPER_CASES if subject.declaration.why_skipped(case) == ""]
    short = [case for case in chosen if case.duels < 60]
    results = list(examine(subject, short[::5], Level.ORDER))
    subject.close()
    assert _statuses(results) == {Status.CONFORMS}
    assert len(results) > 100


C_MISTAKES = {
    "the union bound is dropped": ("duel_test", "3 stops a match early: alg:dueltest L6"),
    "ties go to the second argument": NUMPY_MISTAKES["ties go to the second argument"][1:],
    "the next duel's radius": ("duel_test", "12 stops a match early: alg:dueltest L6"),
    "a merge's arguments are swapped": (
        "tree_ascent",
        "1 swaps a match's arguments: alg:app-plr L10 (h = 1) > alg:dueltest L4",
    ),
    "a tournament's rounds are forgotten": (
        "bkt",
        "39 stops a match early: alg:bkt L5 (r = 2) > alg:dueltest L6",
    ),
}


@pytest.mark.parametrize("mistake", C_MISTAKES)
def test_wrong_c_versions_are_caught_where_they_go_wrong(mistake: str, tmp_path: Path) -> None:
    algorithm, told = C_MISTAKES[mistake]
    executable = _compiled(in_c.mistaken(mistake), tmp_path)
    subject = _c(executable, Mode.BATCH)
    assert _told(_first(subject, algorithm)) == told
    subject.close()
    # Duel by duel it is found too, at the latest in that case's match.
    subject = _c(executable, Mode.DUEL)
    assert _first(subject, algorithm).duel >= 1
    subject.close()


# The tests beyond the paper, by their definitions alone.


LITERAL = ("mixture_test", "sprt_test", "truncated_sprt_test")


def literal(algorithm: str, parameters: dict[str, Any]) -> Generator[tuple[int, int], bool, int]:
    """Play a test beyond the paper in rationals, without a table of boundaries."""
    text = parameters["delta"]
    below = text.removeprefix("2^-")
    delta = Fraction(1, 2 ** int(below)) if text.startswith("2^-") else Fraction(text)
    g, truncated = Fraction(parameters.get("g", "1/4")), algorithm == "truncated_sprt_test"
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
