"""The program that is extracted from the proofs conforms; with a mistake in what is trusted, not.

What needs Coq or OCaml is skipped, with its reason, where they are missing. CI plays all vectors,
and many random cases, with ``tgite conform --program``.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import pytest

from changed_proofs import compiles_changed_proofs
from coq_ties import mutations
from coq_ties.mutations import Mutation
from coq_ties.paths import proved_tests
from shipped_vectors import CASES
from tgite_checks.proofs.extract import ProverMissing, require_prover
from tgite_checks.proofs.gate import without_comments
from tgite_checks.proofs.record import COQ
from tgite_conform.algorithms import ALGORITHMS, Group
from tgite_conform.cases.random_cases import random_cases
from tgite_conform.divergence import Diverged
from tgite_conform.format import Case, Refusal
from tgite_conform.process import ProcessConnection
from tgite_conform.program import ProgramSubject
from tgite_conform.protocol import Mode
from tgite_conform.referee import Level
from tgite_conform.runner import CaseResult, Status, examine

pytestmark = pytest.mark.coq

PROGRAM = COQ.parent / "program"
DATA = tomllib.loads(Path(__file__).with_name("proved_program.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def program() -> Path:
    """The program, built if need be."""
    try:
        require_prover()
    except ProverMissing as missing:
        pytest.skip(str(missing))
    if shutil.which("ocamlfind") is None:
        pytest.skip("ocamlfind is not installed (Debian: ocaml-findlib)")
    for library in ("zarith", "yojson"):
        found = subprocess.run(["ocamlfind", "query", library], capture_output=True, check=False)
        if found.returncode != 0:
            pytest.skip(f"{library} is not installed (Debian: lib{library}-ocaml-dev)")
    subprocess.run(["make", "-C", str(PROGRAM)], check=True)
    return PROGRAM / "tgite-proved"


@contextmanager
def playing(program: Path, *options: str, mode: Mode = Mode.BATCH) -> Iterator[ProgramSubject]:
    """Run the program, whole tapes at a time or duel by duel."""
    subject = ProgramSubject(ProcessConnection([str(program), *options]), "proved", 60.0, mode)
    try:
        yield subject
    finally:
        subject.close()


def differing(program: Path, cases: Sequence[Case], *options: str) -> list[CaseResult]:
    """Play cases with the program; return the results that differ."""
    with playing(program, *options) as subject:
        return [one for one in examine(subject, cases) if one.status is not Status.CONFORMS]


BEYOND = [one for one in Group.BEYOND.algorithms if ALGORITHMS[one].test in proved_tests()]


def _few_of_each(number: int, algorithms: Sequence[str] = Group.PAPER.algorithms) -> list[Case]:
    """Return some cases of each algorithm, with all conventions and flags that they have."""
    chosen: list[Case] = []
    for algorithm in algorithms:
        of_it = [case for case in CASES if case.algorithm == algorithm and case.duels < 2000]
        chosen += of_it[:: max(1, len(of_it) // number)]
    return chosen


# The player stops within the self-play of a known horizon.
CUT = next(
    case
    for case in CASES
    if case.algorithm == "tg_ite_strong_known_horizon" and "cut-in-self-play" in case.flags
)
FEW = [*_few_of_each(6), *_few_of_each(2, BEYOND), CUT]
PLAYED = [*Group.PAPER.algorithms, *BEYOND]
"""The certificates it does not play."""
REFUSALS = [
    case for case in CASES if isinstance(case.expected, Refusal) and case.algorithm in PLAYED
]


def test_it_conforms(program: Path) -> None:
    assert differing(program, [*FEW, *REFUSALS, *islice(random_cases(5), 15)]) == []
    assert {case.algorithm for case in FEW} == {*PLAYED}


def test_duel_by_duel_it_asks_in_the_order_of_the_reference(program: Path) -> None:
    with playing(program, mode=Mode.DUEL) as subject:
        results = examine(subject, [*_few_of_each(3), *REFUSALS[::9]], Level.ORDER)
        assert {result.status for result in results} == {Status.CONFORMS}


def test_coarse_enclosures_are_refined_or_said_to_decide_nothing(program: Path) -> None:
    """In units of 1/16 hardly a decision is possible; units of 1 do not become finer squared."""
    assert differing(program, FEW, "4") == []
    match = next(case for case in FEW if case.algorithm == "duel_test")
    (result,) = differing(program, [match], "0")
    assert "undecided" in result.detail


# What is executed cannot be changed: its proofs break.


@compiles_changed_proofs
@pytest.mark.parametrize("name", DATA["changes"])
def test_a_changed_function_breaks_its_proof(program: Path, tmp_path: Path, name: str) -> None:
    change = Mutation(name, **DATA["changes"][name])
    copy = mutations.changed(change, tmp_path)
    done = mutations.compiled(copy, f"{change.breaks}.vo")
    assert mutations.broken_file(change, done) == change.breaks


# What is trusted: the functions on numbers, and the shell. Each mistake is noticed.


@pytest.mark.parametrize("name", DATA["mistakes"])
def test_a_mistake_in_what_is_trusted_is_noticed(program: Path, tmp_path: Path, name: str) -> None:
    mistake, copy = DATA["mistakes"][name], tmp_path / "program"
    shutil.copytree(program.parent, copy)
    file = copy / mistake["file"]
    text = file.read_text(encoding="utf-8")
    assert text.count(mistake["before"]) == 1
    file.write_text(text.replace(mistake["before"], mistake["after"]), encoding="utf-8")
    command = ["make", "-C", str(copy), "-o", "tgite.ml", "tgite-proved"]
    subprocess.run(command, check=True, capture_output=True)
    cases = [CUT, *FEW, *REFUSALS]
    # It differs where it is wrong: a fault is raised and not counted.
    with playing(copy / "tgite-proved") as subject, pytest.raises(Diverged):
        list(map(subject.play, cases))


def test_only_functions_on_numbers_are_replaced() -> None:
    """What is extracted names what it replaces: nothing of this development."""
    text = without_comments((PROGRAM / "Extract.v").read_text(encoding="utf-8"))
    replaced = re.findall(r"^Extract Constant ([\w.]+) =>", text, re.MULTILINE)
    assert {name.split(".")[0] for name in replaced} == {"Z", "N", "Nat", "Pos"}
    assert text.count("Extract ") == len(replaced)


def test_every_function_on_numbers_is_used_and_the_shell_is_short(program: Path) -> None:
    numbers, extracted, shell = (
        (program.parent / name).read_text(encoding="utf-8")
        for name in ("numbers.ml", "tgite.ml", "main.ml")
    )
    written = set(re.findall(r"^let (\w+)", numbers, re.MULTILINE))
    assert written == set(re.findall(r"Numbers\.(\w+)", extracted))
    assert shell.count("\n") < 200
