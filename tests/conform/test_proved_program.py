"""The program that is extracted from the proofs conforms; with a mistake in what is trusted, not.

Hostile input is refused in a line. What needs Coq or OCaml is skipped, with its reason, where they
are missing. CI plays all vectors, and many random cases, with ``tgite conform --program``.
"""

from __future__ import annotations

import functools
import json
import re
import resource
import shutil
import subprocess
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest

from changed_proofs import compiles_changed_proofs
from coq_ties import mutations
from coq_ties.mutations import Mutation
from coq_ties.paths import proved_tests
from shipped_vectors import CASES
from tgite import RULINGS
from tgite_checks.proofs.extract import ProverMissing, require_prover
from tgite_checks.proofs.gate import without_comments
from tgite_checks.proofs.record import COQ
from tgite_conform.algorithms import ALGORITHMS, Group
from tgite_conform.cases.random_cases import random_cases
from tgite_conform.divergence import Diverged
from tgite_conform.format import Case, Refusal, conventions_to_json
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
    query = ["ocamlfind", "query", "zarith", "yojson"]
    if subprocess.run(query, capture_output=True, check=False).returncode != 0:
        pytest.skip("zarith or yojson is not installed (Debian: lib{zarith,yojson}-ocaml-dev)")
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


SMALL = [case for case in CASES if case.arms <= 4096]
"""The program declares that it plays no more arms."""


def _few_of_each(number: int, algorithms: Sequence[str] = Group.PAPER.algorithms) -> list[Case]:
    """Return some cases of each algorithm, with all conventions and flags that they have."""
    chosen: list[Case] = []
    for algorithm in algorithms:
        of_it = [case for case in SMALL if case.algorithm == algorithm and case.duels < 2000]
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
    case for case in SMALL if isinstance(case.expected, Refusal) and case.algorithm in PLAYED
]


def test_it_conforms(program: Path) -> None:
    drawn = [case for case in islice(random_cases(5), 15) if case.arms <= 4096]
    assert differing(program, [*FEW, *REFUSALS, *drawn]) == []
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


@compiles_changed_proofs
@pytest.mark.parametrize("name", DATA["changes"])
def test_a_changed_function_breaks_its_proof(program: Path, tmp_path: Path, name: str) -> None:
    change = Mutation(name, **DATA["changes"][name])
    copy = mutations.changed(change, tmp_path)
    done = mutations.compiled(copy, f"{change.breaks}.vo")
    assert mutations.broken_file(change, done) == change.breaks


# What is trusted: the functions on numbers, and the shell. Each mistake is noticed.


def changed(program: Path, copy: Path, change: Mapping[str, str]) -> Path:
    """Return a copy of the program, built with a change."""
    shutil.copytree(program.parent, copy, dirs_exist_ok=True)
    file = copy / change["file"]
    text = file.read_text(encoding="utf-8")
    assert text.count(change["before"]) == 1
    file.write_text(text.replace(change["before"], change["after"]), encoding="utf-8")
    command = ["make", "-C", str(copy), "-o", "tgite.ml", "tgite-proved"]
    subprocess.run(command, check=True, capture_output=True)
    return copy / "tgite-proved"


@pytest.mark.parametrize("name", DATA["mistakes"])
def test_a_mistake_in_what_is_trusted_is_noticed(program: Path, tmp_path: Path, name: str) -> None:
    wrong = changed(program, tmp_path, DATA["mistakes"][name])
    # It differs where it is wrong: a fault is raised and not counted.
    with playing(wrong) as subject, pytest.raises(Diverged):
        list(map(subject.play, [CUT, *FEW, *REFUSALS]))


def test_only_functions_on_numbers_are_replaced() -> None:
    """What is extracted names what it replaces: nothing of this development."""
    text = without_comments((PROGRAM / "Extract.v").read_text(encoding="utf-8"))
    replaced = re.findall(r"^Extract Constant ([\w.]+) =>", text, re.MULTILINE)
    assert {name.split(".")[0] for name in replaced} == {"Z", "N", "Nat", "Pos"}
    assert text.count("Extract ") == len(replaced)


def test_every_function_on_numbers_is_used(program: Path) -> None:
    numbers, extracted = (program.parent / name for name in ("numbers.ml", "tgite.ml"))
    written = set(re.findall(r"^let (\w+)", numbers.read_text("utf-8"), re.MULTILINE))
    assert written - {"most"} == set(re.findall(r"Numbers\.(\w+)", extracted.read_text("utf-8")))


# Hostile input: every line has an answer of one line, within 2 GB; then the next line is read.

HOSTILE = DATA["hostile"]
CONVENTIONS = {name: json.dumps(one) for name, one in conventions_to_json(RULINGS).items()}


def line(text: str) -> str:
    return re.sub(r"<([^<>]+) \* (\d+)>", lambda found: found[1] * int(found[2]), text)


def request(algorithm: str, values: Mapping[str, str] = {}, kind: str = "play") -> str:
    """Return a right message, with other values for some fields; these need not be JSON."""

    def shown(fields: Mapping[str, str]) -> str:
        parts = (f'"{name}":{line(values.get(name, one))}' for name, one in fields.items())
        return f"{{{','.join(parts)}}}"

    named = {name: HOSTILE["right"][name] for name in ALGORITHMS[algorithm].parameters}
    fields = {"type": f'"{kind}"', "case": '""', "algorithm": f'"{algorithm}"'}
    fields["parameters"] = shown({**named, "conventions": shown(CONVENTIONS)})
    return shown(fields | ({"horizon": "9", "tape": "[]"} if kind == "play" else {}))


RIGHT = {name: request(name) for name in PLAYED}


def answers(program: Path, lines: Iterable[str]) -> list[dict[str, str]]:
    """Return the answers, after which the program must end well and without complaint."""
    limit = functools.partial(resource.setrlimit, resource.RLIMIT_AS, (2**31, 2**31))
    said = "\n".join(lines).encode("latin-1")
    done = subprocess.run([program], input=said, capture_output=True, preexec_fn=limit, check=True)
    assert done.stderr == b""
    return list(map(json.loads, done.stdout.splitlines()))


def hostile_lines() -> Iterator[tuple[str, str]]:
    """Yield lines with a word of the reason for which each must be refused."""
    yield from ((line(text), said) for text, said in HOSTILE["lines"])
    yield from ((request(name, {one: new}), said) for name, one, new, said in HOSTILE["fields"])
    for name in PLAYED:
        for one, value in product(ALGORITHMS[name].parameters, HOSTILE["never"]):
            yield from ((request(name, {one: value}, kind), "") for kind in ("start", "play"))
    whole = RIGHT["tg_ite_weak_g"]
    for at in range(len(whole)):
        yield from ((whole[:at], ""), (f"{whole[:at]}\0{whole[at + 1 :]}", "ASCII"))
    for found in re.finditer(r'("\w+"):', whole):
        for new in (found[1], '"added"'):
            yield f"{whole[: found.start()]}{new}:0,{whole[found.start() :]}", "unknown|type"


def unrefused(program: Path) -> list[str]:
    """Return the beginnings of hostile lines that are not refused in a line for their reason."""
    lines, reasons = zip(*hostile_lines(), strict=True)
    given = answers(program, [*lines, *RIGHT.values()])
    assert [one["type"] for one in given[len(lines) :]] == ["played"] * len(RIGHT)
    return [
        f"{text[:200]} -> {one}"
        for text, reason, one in zip(lines, reasons, given, strict=False)
        if one["type"] != "refusal" or not re.search(reason, one["message"])
    ]


def test_hostile_lines_are_refused(program: Path) -> None:
    assert unrefused(program) == []


@pytest.mark.parametrize("change", DATA["careless"], ids=lambda change: change["before"])
def test_careless_reading_is_noticed(program: Path, tmp_path: Path, change: dict[str, str]) -> None:
    with pytest.raises((AssertionError, subprocess.CalledProcessError)):
        assert unrefused(changed(program, tmp_path, change)) == []


@pytest.mark.parametrize("row", HOSTILE["answers"])
def test_lines_are_answered_in_their_order(program: Path, tmp_path: Path, row: Any) -> None:
    """Also long lines, and what reaches a limit that is lower than it is."""
    lines, expected, *lowered = row
    said = (one if isinstance(one, str) else request(*one) for one in lines)
    given = answers(changed(program, tmp_path, *lowered) if lowered else program, said)
    assert [one.get("message", one["type"]) for one in given] == expected


@pytest.mark.parametrize("command", HOSTILE["commands"])
def test_a_wrong_start_or_a_broken_pipe_has_a_status(program: Path, command: str) -> None:
    words, lines = ["bash", "-c", command, str(program)], b"{}\n" * 30000
    done = subprocess.run(words, input=lines, capture_output=True, check=False)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
