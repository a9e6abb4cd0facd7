"""The program that is extracted from the proofs conforms; with a mistake in what is trusted, not.

What needs Coq or OCaml is skipped, with its reason, where they are missing. CI plays all vectors,
and many random cases, with ``tgite conform --program``.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import pytest

from changed_proofs import compiles_changed_proofs
from coq_ties import mutations
from coq_ties.mutations import Mutation
from shipped_vectors import CASES
from tgite_checks.proofs.extract import ProverMissing, require_prover
from tgite_checks.proofs.gate import without_comments
from tgite_checks.proofs.record import COQ
from tgite_conform.algorithms import Group
from tgite_conform.cases.random_cases import random_cases
from tgite_conform.divergence import Diverged, Divergence
from tgite_conform.format import Case, Refusal
from tgite_conform.process import ProcessConnection
from tgite_conform.program import ProgramSubject
from tgite_conform.protocol import Mode
from tgite_conform.referee import Level
from tgite_conform.runner import CaseResult, Status, examine

pytestmark = pytest.mark.coq

ALL_CONFORM = {Status.CONFORMS}
PROGRAM = COQ.parent / "program"


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


def differing(program: Path, cases: Sequence[Case], *options: str) -> list[CaseResult]:
    """Play cases with the program, whole tapes at a time; return the results that differ."""
    connection = ProcessConnection([str(program), *options])
    subject = ProgramSubject(connection, program.name, 60.0)
    try:
        return [one for one in examine(subject, cases) if one.status is not Status.CONFORMS]
    finally:
        subject.close()


def _few_of_each(number: int, group: Group = Group.PAPER) -> list[Case]:
    """Return some cases of each algorithm, with all conventions and flags that they have."""
    chosen: list[Case] = []
    for algorithm in group.algorithms:
        of_it = [case for case in CASES if case.algorithm == algorithm and case.duels < 2000]
        chosen += of_it[:: max(1, len(of_it) // number)]
    return chosen


# The player stops within the self-play of a known horizon.
CUT = next(
    case
    for case in CASES
    if case.algorithm == "tg_ite_strong_known_horizon" and "cut-in-self-play" in case.flags
)
FEW = [*_few_of_each(6), *_few_of_each(2, Group.BEYOND), CUT]
PLAYED = [*Group.PAPER.algorithms, *Group.BEYOND.algorithms]
"""The certificates it does not play."""
REFUSALS = [
    case for case in CASES if isinstance(case.expected, Refusal) and case.algorithm in PLAYED
]


def first_divergence(program: Path, cases: Sequence[Case]) -> Divergence | None:
    """Return where the program first parts from the reference; a fault is raised, not counted."""
    subject = ProgramSubject(ProcessConnection([str(program)]), "proved", 20.0)
    try:
        for case in cases:
            subject.play(case)
    except Diverged as diverged:
        return diverged.divergence
    finally:
        subject.close()
    return None


def test_it_conforms(program: Path) -> None:
    assert differing(program, [*FEW, *REFUSALS, *islice(random_cases(5), 15)]) == []
    assert {case.algorithm for case in FEW} == {*PLAYED}


def test_duel_by_duel_it_asks_in_the_order_of_the_reference(program: Path) -> None:
    subject = ProgramSubject(ProcessConnection([str(program)]), "proved", 20.0, Mode.DUEL)
    try:
        results = list(examine(subject, [*_few_of_each(3), *REFUSALS[::9]], Level.ORDER))
    finally:
        subject.close()
    assert {result.status for result in results} == ALL_CONFORM


def test_enclosures_that_are_too_coarse_are_refined(program: Path) -> None:
    """In units of 1/16 hardly a decision is possible: the same matches come of finer ones."""
    assert differing(program, FEW, "4") == []


def test_what_no_enclosure_decides_is_said_and_not_guessed(program: Path) -> None:
    """Units of 1 do not become finer by being squared."""
    match = next(case for case in FEW if case.algorithm == "duel_test")
    (result,) = differing(program, [match], "0")
    assert "undecided" in result.detail


# What is executed cannot be changed: its proofs break.

CHANGES = (
    Mutation("n for n + 1", "ExecutedTests", "2 * n * (n + 1)", "2 * n * n", "ExecutedTests"),
    Mutation("a smaller gap", "ExecutedTests", "+ 2 * p k * n in", "+ p k * n in", "ExecutedTests"),
    Mutation("a tie's winner", "ExecutedTests", "if 0 <=? lead", "if 0 <? lead", "ExecutedTests"),
    Mutation("a bound too high", "ExecutedTests", "log / scale c)", "log)", "ExecutedTests"),
    Mutation("a guess", "ExecutedTests", "| O => Open\n", "| O => Stop\n", "ExecutedTests"),
    Mutation(
        "budget down", "ExecutedTests", "e := up_div (Zpos", "e := Z.div (Zpos", "ExecutedTests"
    ),
    Mutation("a shorter rest", "Logarithms", "| O => 2 * up_div", "| O => up_div", "Logarithms"),
    Mutation("not Machin's", "Logarithms", "inverse u 239)).", "inverse u 238)).", "Logarithms"),
    Mutation("evidence early", "ExecutedBeyond", "* most <=?", "* least <=?", "ExecutedBeyond"),
    Mutation("a long lead", "ExecutedBeyond", "if k =? 1 then", "if 0 <? k then", "ExecutedBeyond"),
    Mutation("a horizon late", "Executed", "| O => Ret (Some None)", "| O => Ret None", "Executed"),
    Mutation("levels above 1", "Executed", "if (0 <? low e)%Z", "if (0 <? high e)%Z", "Executed"),
    Mutation("an arm too many", "Executed", "(a <? N))%Z", "(a <=? N))%Z", "Executed"),
)


@compiles_changed_proofs
@pytest.mark.parametrize("change", CHANGES, ids=[change.name for change in CHANGES])
def test_a_changed_function_breaks_its_proof(
    program: Path, tmp_path: Path, change: Mutation
) -> None:
    copy = mutations.changed(change, tmp_path)
    done = mutations.compiled(copy, f"{change.breaks}.vo")
    assert mutations.broken_file(change, done) == change.breaks


# What is trusted: the functions on numbers, and the shell. Each mistake is noticed.

MISTAKES = {
    "log2 rounds up": ("numbers.ml", "(Z.numbits z - 1)", "(Z.numbits z)"),
    "pow multiplies": (
        "numbers.ml",
        "else Z.pow base (Z.to_int exponent)",
        "else Z.mul base exponent",
    ),
    "div rounds up": ("numbers.ml", "else Z.div a b", "else Z.cdiv a b"),
    "ggcd forgets a factor": ("numbers.ml", "Z.divexact b d)", "b)"),
    "odd is even": ("numbers.ml", "Z.is_odd", "Z.is_even"),
    "leb is strict": ("numbers.ml", "let leb = Z.leq", "let leb = Z.lt"),
    "ltb is not": ("numbers.ml", "let ltb = Z.lt", "let ltb = Z.leq"),
    "succ is the identity": ("numbers.ml", "let succ = Z.succ", "let succ = fun n -> n"),
    "nat_of is one": ("numbers.ml", "Z.max z Z.zero", "Z.max z Z.one"),
    "the other arm wins": ("main.ml", "low_wins = Z.equal u low", "low_wins = Z.equal v low"),
    "outcomes backwards": ("main.ml", "(3 - (k mod 4))", "(k mod 4)"),
    "first arm forgotten": ("main.ml", "Z.sub (whole name json) first", "whole name json"),
    "the factor forgotten": ("main.ml", "basel = Z.one", "basel = Z.zero"),
    "another test": ("main.ml", "fun _ -> Mixture_test", "fun _ -> Duel_test"),
    "a horizon one later": ("main.ml", "left = Some Z.zero", "left = Some Z.minus_one"),
    "a cut block ends": ("main.ml", "if Z.lt played n", "if false"),
    "self-play not cut": ("main.ml", "Option.fold ~none:n ~some:(Z.min n) left", "n"),
    "the bye first and last": (
        "main.ml",
        '("last", false); ("first", true)',
        '("last", true); ("first", false)',
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=list(MISTAKES))
def test_a_mistake_in_what_is_trusted_is_noticed(
    program: Path, tmp_path: Path, mistake: tuple[str, str, str]
) -> None:
    file, before, after = mistake
    copy = tmp_path / "program"
    shutil.copytree(program.parent, copy)
    text = (copy / file).read_text(encoding="utf-8")
    assert text.count(before) == 1
    (copy / file).write_text(text.replace(before, after), encoding="utf-8")
    command = ["make", "-C", str(copy), "-o", "tgite.ml", "tgite-proved"]
    subprocess.run(command, check=True, capture_output=True)
    assert first_divergence(copy / "tgite-proved", [CUT, *FEW, *REFUSALS]) is not None


def test_only_functions_on_numbers_are_replaced() -> None:
    """What is extracted names what it replaces: nothing of this development."""
    text = without_comments((PROGRAM / "Extract.v").read_text(encoding="utf-8"))
    replaced = re.findall(r"^Extract Constant ([\w.]+) =>", text, re.MULTILINE)
    assert {name.split(".")[0] for name in replaced} == {"Z", "N", "Nat", "Pos"}
    assert text.count("Extract ") == len(replaced)


def test_every_function_on_numbers_is_used(program: Path) -> None:
    written = (program.parent / "numbers.ml").read_text(encoding="utf-8")
    extracted = (program.parent / "tgite.ml").read_text(encoding="utf-8")
    assert set(re.findall(r"^let (\w+)", written, re.MULTILINE)) == set(
        re.findall(r"Numbers\.(\w+)", extracted)
    )


def test_the_shell_is_short() -> None:
    shell = (PROGRAM / "main.ml").read_text(encoding="utf-8")
    assert shell.count("\n") < 200
