"""The report's first lines lead its reader to the cause."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle, islice
from types import SimpleNamespace
from typing import Any

import pytest

from golden import table
from odd_implementations import only_bkt
from shipped_vectors import CASES, PYTHONPATH, REFERENCE, subject_of
from tgite_checks.mutation import Mutant, mutated
from tgite_conform import mistakes
from tgite_conform.causes import _DUELS, _limits, causes_of
from tgite_conform.cli import conform, conform_law
from tgite_conform.divergence import Divergence, Parting
from tgite_conform.faults import Fault, FaultKind
from tgite_conform.format import Case, read_vectors
from tgite_conform.referee import Level
from tgite_conform.report import Report
from tgite_conform.runner import (
    PATIENCE,
    CaseResult,
    Status,
    examine,
    in_turns,
    settled,
    what_it_keeps,
)
from tgite_conform.testing import conformance
from tgite_laws.cli.main import status

PLANTED = table("conform/causes.toml", "planted")
_SCREEN = 24
FEW = CASES[-40:]


@pytest.mark.parametrize("name", PLANTED)
def test_the_first_screen_says_what_is_wrong(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("_MOST_CPU_SECONDS", "_MOST_SECONDS"):  # They depend on the machine.
        monkeypatch.setattr(mistakes, limit, 60.0)
    row = PLANTED[name]
    mutant = Mutant("it", "", row["module"], row["original"], row["replaced"], "")
    subject = subject_of(mutated(mutant))
    cases = in_turns(read_vectors(algorithms=row["algorithms"]))
    played = [one for one in cases if one.duels < 30_000]
    results = settled(list(examine(subject, played, patience=PATIENCE)))
    common, ends = causes_of(results)
    text = Report("it", Level.MATCHES, results, in_common=common, endings=ends).text()
    assert re.search(row["told"], "\n".join(text.splitlines()[:_SCREEN])), text


def test_every_known_mistake_can_be_planted() -> None:
    """Each text that is replaced stands once in its module, and what is planted can be executed."""
    tables = mistakes._table()
    for where, rows in tables["planted"].items():
        label, *modules = where.split()
        assert [mistakes.made_of(one.changes) for one in mistakes.planted(label, modules, rows)]
    for expression in [*tables["tape"].values(), *(of for of, *_ in tables["level"].values())]:
        mistakes._compiled(expression)


def test_wrong_play_ranks_before_a_hang_and_a_missing_refusal() -> None:
    def parted(parting: Parting) -> CaseResult:
        return CaseResult(CASES[0], Status.WRONG, 0, 0.0, Divergence(parting, 9, "", "", ()))

    hung = CaseResult(CASES[0], Status.FAULT, detail="hung", fault=FaultKind.HUNG)
    wrong, played = parted(Parting.WENT_ON), parted(Parting.NOT_REFUSED)
    report = Report("it", Level.MATCHES, (hung, played, wrong))
    assert report.differing() == [wrong, played, hung]


@pytest.mark.parametrize(
    "words",
    [
        [REFERENCE],
        [REFERENCE, "--isolate"],
        [REFERENCE, "--random", "30"],
        ["implementations.numpy_tgite:play"],
        ["--program", f"{sys.executable} -m tgite_conform.serve {REFERENCE}"],
    ],
)
def test_an_interrupt_says_what_was_played(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYTHONPATH", PYTHONPATH)

    def interrupted(*given: Any) -> Iterator[CaseResult]:
        yield from islice(examine(*given), 5)
        raise KeyboardInterrupt

    monkeypatch.setattr(conform, "examine", interrupted)
    assert status(["conform", *words, "--algorithm", "tg_ite_bai"]) == 130
    told = capsys.readouterr().err.splitlines()[-1]
    assert told == "tgite: interrupted after 5 cases: 5 conforms"


def test_an_interrupt_of_samples_says_what_they_show(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def samples(*_: object) -> Iterator[tuple[int, int]]:
        yield from [(18, 0)] * 3
        raise KeyboardInterrupt

    monkeypatch.setattr(conform_law, "read_samples", samples)
    assert status(["conform-law", "-", "--delta", "1/10", "--p", "9/10"]) == 130
    assert "tgite: interrupted: not rejected after 3 samples" in capsys.readouterr().err


def test_the_signal_interrupts_a_run() -> None:
    """Also where a shell has told this process, and so its children, to ignore the signal."""
    code = (
        "import os, signal, threading; from tgite_laws.cli.main import main; "
        "signal.signal(signal.SIGINT, signal.default_int_handler); "
        "threading.Timer(5, os.kill, (os.getpid(), signal.SIGINT)).start(); main()"
    )
    command = [sys.executable, "-c", code, "conform", REFERENCE, "--random", "1000000"]
    where = {"PYTHONPATH": PYTHONPATH}
    run = subprocess.run(command, capture_output=True, env=where, timeout=60, check=False)
    assert (run.returncode, b"interrupted after " in run.stderr) == (130, True)


def test_what_an_implementation_lacks_is_one_test() -> None:
    """Not one for each case."""

    def make(algorithm: str, parameters: dict[str, object]) -> object:
        return only_bkt(algorithm, parameters)

    make.algorithms = ["bkt"]  # type: ignore[attr-defined]
    make.conventions = {"pairing": ["fold"]}  # type: ignore[attr-defined]
    test: Callable[..., object] = conformance(make)
    (mark,) = test.pytestmark  # type: ignore[attr-defined]
    ids = [one.id for one in mark.args[1]]
    lacking = {one for one in ids if not one.startswith("bkt-")}
    assert lacking == {"algorithm not declared", "convention not declared"}
    assert 2 < len(ids) < len(CASES) / 10


def test_a_limit_of_integers_is_named_if_all_that_differ_and_no_others_pass_it() -> None:
    assert _limits(_DUELS, 40_000, 46_341) == ", where n^2 passes 2^31 or 2n^2 passes 2^32"
    assert _limits("N", 2**60, 2**80) == ", past 2^63 or 2^64"


@pytest.mark.parametrize(
    ("fails", "told"),
    [
        (lambda _: True, ""),
        (lambda before: FEW[7] in before, f"alone, .* after {FEW[7].id} it does not: the impl"),
        (lambda before: len(before) >= 30, "conforms: the implementation keeps something from "),
        (partial(next, cycle([0, 1])), "ends differently from one play to the next"),
        (partial(next, cycle([0, 0, 1, 0])), "alone, .* case, or depends on chance"),
    ],
)
def test_what_is_kept_is_told_and_chance_is_not_taken_for_it(
    fails: Callable[[object], object], told: str
) -> None:
    def fresh() -> Any:
        before = list[Case]()

        def play(case: Case, _: Level) -> None:
            if case is FEW[-1] and fails(before):
                raise Fault(FaultKind.CRASHED, "at 0x7f")
            before.append(case)

        return SimpleNamespace(play=play, close=list)

    results = [CaseResult(case, Status.CONFORMS) for case in FEW]
    assert re.search(told or "^$", what_it_keeps(fresh, results, results[-1], Level.MATCHES))
