"""What ``tgite conform`` says of implementations that go wrong: what happened, and what to do."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from golden import same_as
from shipped_vectors import CASES
from tgite import RULINGS
from tgite.conventions import Pairing
from tgite_conform import runner
from tgite_conform.algorithms import Group
from tgite_conform.cases import shrinking
from tgite_conform.divergence import Divergence, Parting
from tgite_conform.positions import whole_algorithm
from tgite_conform.referee import Level
from tgite_conform.report import Report, input_lines
from tgite_conform.runner import CaseResult, Status
from tgite_laws.cli.main import status

BKT = [case for case in CASES if case.algorithm == "bkt"]
SMALL = next(case for case in BKT if case.name == "2 arms: the lower wins")
AT_BOUNDARY = next(case for case in CASES if case.boundary)


def _skipped(*details: str) -> list[CaseResult]:
    return [CaseResult(SMALL, Status.SKIPPED, detail=detail) for detail in details]


def _parted(duel: int) -> CaseResult:
    lines = whole_algorithm(AT_BOUNDARY.algorithm, "its run")
    parting = Divergence(Parting.WENT_ON, duel, "this", "that", lines)
    return CaseResult(AT_BOUNDARY, Status.WRONG, divergence=parting)


RESULTS = {
    "nothing is played, for reasons that are told in few lines": _skipped(
        *(f"algorithm not declared: {one}" for one in (*Group.PAPER.algorithms[2:], "certify")),
        *["convention not declared: pairing=fold"] * 3,
        "convention not declared: bye=first",
        "more than 1,000,000 duels: say --long",
    ),
    "no algorithm of the paper is declared": _skipped(
        *(f"algorithm not declared: {one}" for one in Group.PAPER.algorithms)
    ),
    "of many reasons the last ones are only counted": _skipped(
        *(f"reason {number}" for number in range(9))
    ),
    "one case that fails tells nothing of states": [
        CaseResult(SMALL, Status.FAULT, detail="crashed"),
        *(CaseResult(case, Status.CONFORMS) for case in BKT if case is not SMALL),
    ],
    "counts overflow": [_parted(2**31)],
    "single precision": [_parted(50_000)],
}
INPUTS = {
    "a long tape is shortened": max(BKT, key=lambda one: one.duels),
    "the defaults": SMALL,
    "another convention": replace(SMALL, conventions=replace(RULINGS, pairing=Pairing.FOLD)),
}


def test_reports_say_what_happened_and_what_to_do() -> None:
    told = []
    for name, results in RESULTS.items():
        report = Report("it", Level.MATCHES, tuple(results))
        said = {one: report.to_json()[one] for one in ("conforms", "counts", "skipped")}
        told.append(f"# {name}\n{report.text()}{json.dumps(said)}\n")
    told += [f"# {name}\n" + "\n".join(input_lines(one)) + "\n" for name, one in INPUTS.items()]
    same_as(Path(__file__).with_name("reports.txt"), "\n".join(told))


def test_json_and_junit_hold_every_case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What XML cannot hold, and a terminal would take as a command, is left out of JUnit."""
    told, junit = "", tmp_path / "junit.xml"
    for name, *cases in (
        ("folding", "bkt-0e618bdeba", SMALL.id),
        ("crashing", SMALL.id),
        ("only_bkt", SMALL.id, "duel_test-6fa1bad041"),
    ):
        words = [f"odd_implementations:{name}", *(f"--case={one}" for one in cases)]
        status(["conform", *words, "--json", "--junit", str(junit)])
        told += capsys.readouterr().out + junit.read_text("utf-8")
    told = re.sub(r'(?<="milliseconds": )\d+|(?<=time=")[\d.]+', "0", told)
    told = re.sub(r"\(/\S*/(\w+\.py:\d+\))", r"(\1", told)
    same_as(Path(__file__).with_name("reports_for_programs.txt"), told)


# Random cases.


def test_what_was_not_played_is_not_the_smallest(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shrinking, "_MOST_TRIED", 0)
    monkeypatch.setattr(runner, "_MOST_SECONDS_LOST", 0.0)
    words = ("--random", "5", "--algorithm", "bkt", "--json")
    assert status(["conform", "odd_implementations:printing_floats", *words]) == 1
    report = json.loads(capsys.readouterr().out)
    (first,) = (one for one in report["cases"] if one["id"] == report["random"]["smallest"])
    assert first["status"] == "fault"
    assert first["fault"] == "answered nonsense"
    assert report["counts"]["not played"] > 0


# Programs.


@pytest.mark.parametrize(
    ("modes", "second_line"),
    [('["batch"]', "mode: batch)\n"), ('["batch", "duel"]', "batch; not tried: --mode duel)")],
)
def test_what_a_program_complains_of_keeps_its_tabs_and_the_other_mode_is_named(
    modes: str, second_line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hello = f'"type": "hello", "protocol": 1, "name": "it", "algorithms": ["bkt"], "modes": {modes}'
    script = tmp_path / "complains.py"
    script.write_text(
        f"import sys\ninput()\nprint('{{{hello}}}', flush=True)\ninput()\nsys.exit('at\\tmine:7')\n"
    )
    command = f"{sys.executable} {script}"
    assert status(["conform", "--program", command, "--case", SMALL.id]) == 1
    told = capsys.readouterr().out
    assert "standard error: at\tmine:7\n" in told
    assert second_line in told
