"""What ``tgite conform`` says of implementations that go wrong: what happened, and what to do."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_conformance_commands import run_command

from shipped_vectors import CASES, PYTHONPATH
from tgite import RULINGS, InvalidInput
from tgite.conventions import Pairing
from tgite_conform import report as report_module
from tgite_conform import runner
from tgite_conform.algorithms import ALGORITHMS, Group, reference
from tgite_conform.cases import shrinking
from tgite_conform.divergence import Diverged, Divergence, Parting
from tgite_conform.faults import Fault, FaultKind
from tgite_conform.positions import whole_algorithm
from tgite_conform.process import ProcessConnection
from tgite_conform.program import ProgramSubject
from tgite_conform.referee import Level
from tgite_conform.report import Report, input_lines, reasons
from tgite_conform.runner import CaseResult, Status
from tgite_conform.subjects import StreamSubject, python_subject

BKT = [case for case in CASES if case.algorithm == "bkt"]
SMALL = next(case for case in BKT if case.name == "2 arms: the lower wins")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = 1 / 0\n", "ZeroDivisionError: division by zero ("),
        ("import no_such_module\n", "No module named 'no_such_module' ("),
    ],
)
def test_a_module_that_cannot_be_imported_is_told_with_its_line(
    text: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "unimportable.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(InvalidInput) as refused:
        python_subject("unimportable:make")
    assert told in refused.value.rule
    assert refused.value.rule.endswith("unimportable.py:1))")


def test_a_name_that_is_nearly_an_algorithm_is_recognised(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(InvalidInput, match="is it tg_ite_bai"):
        _result_declaring("TG-ITE-BAI")
    with pytest.raises(InvalidInput, match="such as duel_test"):
        _result_declaring("quicksort")


def _result_declaring(name: str) -> None:
    def make(algorithm: str, parameters: Mapping[str, object]) -> Any:
        raise AssertionError

    make.algorithms = [name]  # type: ignore[attr-defined]
    StreamSubject(make, "it")


# What nearly everything fails by.


def printing(algorithm: str, parameters: Mapping[str, object]) -> Any:
    """Print, and play rightly."""
    print("now playing", algorithm)
    return reference(algorithm, parameters)


def test_what_is_printed_in_a_process_of_its_own_is_no_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONPATH", PYTHONPATH)
    assert (
        run_command("conform", "odd_implementations:printing", "--isolate", "--case", SMALL.id) == 0
    )


def _results(status: Status, *details: str) -> list[CaseResult]:
    return [CaseResult(SMALL, status, detail=detail) for detail in details]


def test_the_reasons_for_skipping_are_told_in_few_lines() -> None:
    undeclared = [name for name in ALGORITHMS if name not in ("duel_test", "bkt")]
    results = _results(
        Status.SKIPPED,
        *(f"algorithm not declared: {name}" for name in undeclared),
        *["convention not declared: pairing=fold"] * 3,
        "convention not declared: bye=first",
        "more than 1,000,000 duels: say --long",
    )
    report = Report("it", Level.MATCHES, tuple(results))
    assert not report.conforms  # Nothing was played.
    paper, beyond = len(Group.PAPER.algorithms) - 2, len(Group.BEYOND.algorithms)
    assert report.why_skipped() == [
        f"{len(undeclared)} skipped: algorithm not declared: {paper} of the {paper + 2} of the "
        f"paper; all {beyond} with tests beyond the paper; certify, find_then_certify",
        "4 skipped: convention not declared: pairing=fold (3), bye=first (1)",
        "1 skipped: more than 1,000,000 duels: say --long",
    ]
    assert all(f"  {line}\n" in report.text() for line in report.why_skipped())
    written = report.to_json()["skipped"]
    assert isinstance(written, list)
    assert written[1] == {
        "reason": "convention not declared",
        "cases": 4,
        "about": {"pairing=fold": 3, "bye=first": 1},
    }
    # Every case has its own in JUnit.
    assert report.to_junit().count('message="convention not declared: pairing=fold"') == 3


def test_of_many_reasons_the_last_ones_are_only_counted() -> None:
    results = _results(Status.SKIPPED, *(f"reason {number}" for number in range(9)))
    told = Report("it", Level.MATCHES, tuple(results)).why_skipped()
    assert len(told) == 7
    assert told[-1] == "3 skipped for other reasons (--json)"
    assert len(reasons(results)) == 9


def test_one_case_that_fails_tells_nothing_of_states() -> None:
    bad = CaseResult(SMALL, Status.FAULT, detail="crashed")
    good = [CaseResult(case, Status.CONFORMS) for case in BKT if case is not SMALL]
    text = Report("it", Level.MATCHES, (bad, *good)).text()
    assert "states whose cases fail more often" not in text
    assert "in how many cases" not in text


# Random cases.


def test_a_long_tape_is_shortened() -> None:
    case = max(BKT, key=lambda one: one.duels)
    lines = input_lines(case)
    assert lines[0] == f"parameters:  {json.dumps(dict(case.parameters))}"
    assert lines[-1].endswith("... (shortened)")
    assert len(lines[-1]) < 500
    folded = replace(SMALL, conventions=replace(RULINGS, pairing=Pairing.FOLD))
    assert input_lines(SMALL)[1] == "conventions: the defaults"
    assert input_lines(folded)[1] == "conventions: pairing fold"


def test_where_hypothesis_is_missing_that_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report_module, "find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    words = ("--algorithm", "tg_ite_strong_known_horizon", "--random", "12", "--seed", "2")
    assert run_command("conform", "odd_implementations:double_horizon", *words) == 1
    text = capsys.readouterr().out
    assert "the smallest of those drawn that fail (pip install hypothesis" in text
    assert "--random 12 --seed 2 --keep FOLDER writes it" in text


def test_what_was_not_played_is_not_the_smallest(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shrinking, "_ATTEMPTS", 0)
    monkeypatch.setattr(runner, "_MOST_FAULTS_IN_A_ROW", 2)
    words = ("--random", "5", "--algorithm", "bkt", "--json")
    assert run_command("conform", "odd_implementations:printing_floats", *words) == 1
    report = json.loads(capsys.readouterr().out)
    (first,) = (one for one in report["cases"] if one["id"] == report["random"]["smallest"])
    assert first["status"] == "fault"
    assert first["fault"] == "answered nonsense"
    assert report["counts"]["not played"] > 0


@pytest.mark.parametrize(("duel", "hint"), [(2**31, "64 bits"), (50_000, "single precision")])
def test_what_parts_far_out_has_counts_that_overflow(duel: int, hint: str) -> None:
    case = next(case for case in CASES if case.boundary)
    parting = Divergence(
        Parting.WENT_ON, duel, "this", "that", whole_algorithm(case.algorithm, "its run")
    )
    result = CaseResult(case, Status.WRONG, divergence=parting)
    told = Report("it", Level.MATCHES, (result,)).text()
    assert [one for one in ("64 bits", "single precision") if one in told] == [hint]


# Programs.


_TALKS = """
import json, sys
def say(**fields):
    print(json.dumps(fields), flush=True)
for line in sys.stdin:
    asked = json.loads(line)["type"]
    if asked == "hello":
        say(type="hello", protocol=1, name="mine", algorithms=["bkt"], modes=["duel"])
    elif asked in ("start", "outcome"):
        SAY
    elif asked == "stop":
        say(type="noted")
"""


@pytest.mark.parametrize(
    ("says", "told"),
    [
        ("print('now playing')", "now playing: must be a JSON object: all that is no message"),
        ("say(type='duel', arms=[0.0, 1])", "must hold no floating-point number, not even 0.0"),
        ("say(type='duel', arms=['0', 1])", 'reply.arms[0] = "0": must be an integer'),
        ("say(type='duel', arms=[0, 7])", "to the stop before, nothing is said"),
    ],
)
def test_what_a_program_must_not_say_is_told(says: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "talks.py").write_text(_TALKS.replace("SAY", f"{says}; sys.stdout.flush()"))
    connection = ProcessConnection([sys.executable, str(tmp_path / "talks.py")])
    subject = ProgramSubject(connection, "talks", 20.0)
    if "stop" in told:
        with pytest.raises(Diverged):
            subject.play(SMALL)
    with pytest.raises(Fault, match=re.escape(told)) as fault:
        subject.play(SMALL)
    subject.close()
    assert fault.value.kind is FaultKind.NONSENSE


def test_what_a_program_complains_of_keeps_its_tabs_and_the_other_mode_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    complains = "sys.stderr.write('at\\tmine:7'); sys.stderr.flush(); sys.exit(3)"
    text = _TALKS.replace("SAY", complains).replace('("start",', '("start", "play",')
    both = text.replace('modes=["duel"]', 'modes=["batch", "duel"]')
    for program, second_line in ((text, "mode: duel)\n"), (both, "batch; not tried: --mode duel)")):
        (tmp_path / "talks.py").write_text(program)
        command = f"{sys.executable} {tmp_path / 'talks.py'}"
        assert run_command("conform", "--program", command, "--case", SMALL.id) == 1
        told = capsys.readouterr().out
        assert "standard error: at\tmine:7\n" in told
        assert second_line in told
