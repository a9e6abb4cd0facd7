"""The machine-checked proofs: they compile, say what is recorded, and speak of the Python code.

What needs Coq is skipped, with its reason, where Coq is missing. The mutations recompile, in a
copy, what stands between a changed definition and the proof that must fail. That a proof breaks
shows that it rests on the definition; where it breaks is no refutation of the changed claim.
"""

from __future__ import annotations

import random
import re
import subprocess
import tomllib
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import msgspec
import pytest

from changed_proofs import compiles_changed_proofs
from coq_ties import laws, mutations, paths
from tgite.errors import InvalidInput
from tgite_checks.claims.mutants import mutants
from tgite_checks.mutation import mutated
from tgite_checks.proofs import extract as proofs
from tgite_checks.proofs import gate, record
from tgite_laws.cli.main import status
from tgite_laws.implementation import REFERENCE, Implementation
from tgite_laws.pairwise import PairwiseName

pytestmark = pytest.mark.coq


@pytest.fixture(scope="module")
def compiled() -> Path:
    """The compiled development."""
    try:
        proofs.require_prover()
    except proofs.ProverMissing as missing:
        pytest.skip(str(missing))
    subprocess.run(["make", "-C", str(record.COQ)], check=True, capture_output=True)
    return record.COQ


# The Python functions and the kernel follow the same paths, by the theorems' own definitions.


DATA = tomllib.loads(Path(__file__).with_name("unproved.toml").read_text("utf-8"))
TELLING = (75, 54, 81, 670, 460, 798, 426, 565, 332, 637, 105)
"""Seeds of paths of what certifies: of the first 900 these tell as many mistakes as all."""


Followed = Sequence[tuple[paths.FollowedPath, list[int]]]
"""Paths, and what the kernel says of each."""


@pytest.fixture(scope="module")
def followed(compiled: Path) -> Followed:
    """Small random paths of all kinds."""
    source = random.Random(12)
    of_the_paper = [test for test in PairwiseName if test.of_the_paper]
    beyond = [test for test in paths.proved_tests() if not test.of_the_paper]
    drawn = [
        paths.random_path(source, 40) if k % 3 else paths.random_path(source, 12, of_the_paper)
        for k in range(90)
    ]
    drawn += [paths.random_path(source, 12, beyond) for _ in range(30)]
    drawn += [paths.random_certifying_path(random.Random(seed), 5) for seed in TELLING]
    return list(zip(drawn, paths.kernel_paths(drawn), strict=True))


def test_paths_are_the_same(followed: Followed) -> None:
    assert {paths.difference_from(*one, REFERENCE) for one in followed} == {None}
    assert {path.algorithm for path, _ in followed} == {*paths.ALGORITHMS, *paths.CERTIFYING}
    assert {path.test and path.test.name for path, _ in followed} == {None, *paths.proved_tests()}
    assert len(paths.proved_tests()) >= 5


def test_laws_of_matches_are_the_same(compiled: Path) -> None:
    assert laws.match_law_differences(range(2, 6)) == []
    assert laws.printed_law_differences() == []


def test_laws_of_tests_are_the_same_at_odd_and_even_budgets(compiled: Path) -> None:
    budgets = [case.horizon for case in laws.TRUNCATED_TESTS if case.gap is not None]
    assert {budget % 2 for budget in budgets} == {0, 1}
    for case in laws.TRUNCATED_TESTS:
        assert case.gap is None or case.horizon == REFERENCE.budget(case.gap, case.level)
    assert laws.duel_law_differences() == []


# A changed definition is noticed: by the record, by a proof, by a path.


MUTATIONS = {one.name: one for one in mutations.mutations()}


@compiles_changed_proofs
@pytest.mark.parametrize("name", DATA["about_something_else"])
def test_the_record_notices_a_definition_that_is_about_something_else(
    compiled: Path, tmp_path: Path, name: str
) -> None:
    copy = mutations.changed(MUTATIONS[name], tmp_path)
    with mutations.stated(MUTATIONS[name], copy) as file:
        assert mutations.unrecorded(copy, file) != []


@compiles_changed_proofs
@pytest.mark.parametrize("file", ["Statements", "CertifyAlone"])
def test_the_record_notices_nothing_where_nothing_is_changed(compiled: Path, file: str) -> None:
    assert mutations.unrecorded(compiled, file) == []


@compiles_changed_proofs
@pytest.mark.parametrize(
    "name", ["radius without its union bound", "outcome told to the wrong arm", "bye lost"]
)
def test_a_wrong_definition_breaks_the_proofs(compiled: Path, tmp_path: Path, name: str) -> None:
    mutation = MUTATIONS[name]
    copy = mutations.changed(mutation, tmp_path)
    done = mutations.compiled(copy, f"{mutation.breaks}.vo")
    assert mutations.broken_file(mutation, done) == mutation.breaks


def test_each_change_is_of_one_place_and_forty_are_listed() -> None:
    assert len(MUTATIONS) >= 40
    for mutation in MUTATIONS.values():
        source = record.COQ / f"{mutation.file}.v"
        assert source.read_text(encoding="utf-8").count(mutation.before) == 1
        assert not (mutation.breaks and mutation.proved)


def test_a_definition_that_is_not_recorded_is_a_difference() -> None:
    recorded = record.recorded()
    name = "Setting.assump_condorcet_gap"
    text = recorded.definitions[name].replace("a_N : (2 <= N)%nat", "a_N : (2 <= N <= 4)%nat")
    first, *others = recorded.theorems
    weaker = msgspec.structs.replace(first, statement="True")
    definitions = recorded.definitions | {name: text}
    assert proofs.compare(record.Record((weaker, *others), definitions)) == [
        f"{name}: defined otherwise than recorded",
        f"{first.name}: proved, or what it rests on, otherwise than recorded",
    ]
    del definitions[name]
    less = record.Record(tuple(others), definitions)
    assert proofs.compare(recorded, less) == [f"{one}: not recorded" for one in (name, first.name)]
    assert proofs.compare(less, recorded) == [
        f"{name}: no theorem rests on it any more",
        f"{first.name}: no longer proved",
    ]


CERTIFYING = {"beyond.certificate", "beyond.find_then_certify", "beyond.likelihood"}


def test_paths_tell_the_wrong_transcriptions(followed: Followed) -> None:
    excused = re.compile("|".join(DATA["not_followed"]))
    untold = []
    for mutant in mutants():
        code, certifies = mutated(mutant), mutant.module in CERTIFYING
        fit = [one for one in followed if one[0].certifies == certifies]
        if not excused.search(mutant.name) and not any(told(*one, code) for one in fit):
            untold.append(mutant.name)
    assert untold == []


def told(path: paths.FollowedPath, expected: list[int], code: Implementation) -> bool:
    """A crash, such as a refusal of what the wrong code makes, is none."""
    try:
        return paths.difference_from(path, expected, code) is not None
    except (InvalidInput, LookupError, ValueError):
        return False


def compile_one(directory: Path, *flags: str) -> None:
    command = ["coqc", "-q", "-w", "none", *flags, "-Q", ".", "TGITE", "Bad.v"]
    subprocess.run(command, cwd=directory, check=True)


# What is not proved is refused: by the sources' words, by the prover's and by the checker's.


def project(folder: Path, text: str, lines: str = "-Q . TGITE\nBad.v\n") -> Path:
    """Write a development of one file."""
    (folder / "_CoqProject").write_text(lines, encoding="utf-8")
    (folder / "Bad.v").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("text", DATA["refused"])
def test_what_no_proof_needs_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(gate.ProofsFailed, match=r"Bad\.v"):
        gate.refuse_unproved(project(tmp_path, text))


def test_words_in_comments_and_strings_are_not_taken_for_code(tmp_path: Path) -> None:
    text = '(* nothing (* here "*)" *) is Admitted *) Definition x := 0.'
    gate.refuse_unproved(project(tmp_path, text))
    assert gate.without_comments(text) == " Definition x := 0."


@pytest.mark.parametrize(("lines", "said"), DATA["project"])
def test_a_flag_or_a_file_that_is_not_listed_is_refused(
    tmp_path: Path, lines: str, said: str
) -> None:
    with pytest.raises(gate.ProofsFailed, match=said):
        gate.refuse_unproved(project(tmp_path, "", lines))


@pytest.mark.parametrize(("text", "flags", "said"), DATA["assumed"])
def test_what_the_prover_assumes_is_refused_by_its_own_words(
    compiled: Path, tmp_path: Path, text: str, flags: list[str], said: str
) -> None:
    """As if the sources' words had not been looked at."""
    compile_one(project(tmp_path, text), *flags)
    query = "From TGITE Require Bad. Print Assumptions Bad.t."
    with pytest.raises(gate.ProofsFailed, match=f"{said}|refuses a query"):
        gate.axioms_of(proofs.query(query, tmp_path), "t")
    command = ["coqchk", "-silent", "-o", "-Q", str(tmp_path), "TGITE", "TGITE.Bad"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    with pytest.raises(gate.ProofsFailed, match="summary"):
        gate.refuse_summary(done.stdout + done.stderr)


def test_the_checkers_summary_is_read_line_by_line() -> None:
    summary: str = DATA["summary"]
    gate.refuse_summary(summary)
    for old, new, said in [*DATA["summary_changes"], (summary, "", "summary")]:
        assert old in summary
        with pytest.raises(gate.ProofsFailed, match=said):
            gate.refuse_summary(summary.replace(old, new))


def test_the_provers_words_are_read_line_by_line() -> None:
    axiom = "Classical_Prop.classic : forall P : Prop, P \\/ ~ P"
    assert gate.axioms_of("Closed under the global context\n", "t") == ()
    assert gate.axioms_of(f"Axioms:\n{axiom}\n", "t") == ("Classical_Prop.classic",)
    for printed in DATA["printed"]:
        with pytest.raises(gate.ProofsFailed):
            gate.axioms_of(printed.replace("AXIOM", axiom), "t")


@pytest.mark.parametrize("name", ["sub/Rbasic_fun.v", "sub/Rbasic_fun.vo", "a/b/Bad.vos"])
def test_files_of_coq_in_subfolders_are_refused(tmp_path: Path, name: str) -> None:
    path = project(tmp_path, "") / name
    path.parent.mkdir(parents=True)
    path.touch()
    with pytest.raises(gate.ProofsFailed, match=path.name):
        gate.refuse_unproved(tmp_path)


@pytest.mark.parametrize(("libraries", "said"), DATA["loaded"])
def test_libraries_beyond_the_listed_files_are_refused(
    tmp_path: Path, libraries: str, said: str
) -> None:
    """And names of ours that a library has, so that a short name is that library's."""
    project(tmp_path, "Module Classical_Prop. End Classical_Prop." * ("Classical" in libraries))
    printed = "Loaded library files: \n" + "".join(f"  {one}\n" for one in libraries.split())
    with pytest.raises(gate.ProofsFailed, match=said) if said else nullcontext():
        gate.refuse_libraries(printed, tmp_path)


def test_what_is_compiled_anew_depends_on_the_sources_alone(
    compiled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Build files, objects and decoys of constants have no influence."""
    project(tmp_path, DATA["decoy"])
    for name in ("Makefile", "Makefile.coq", "Makefile.coq.local", "Makefile.coq.conf"):
        (tmp_path / name).write_text("all:\n\tfalse\n")
    (tmp_path / "Bad.vo").write_text("forged")
    with proofs.compiled_anew(tmp_path) as folder:
        (theorem,) = proofs.extract(folder).theorems
        for axioms in (theorem.axioms, ("another",)):  # recorded of it
            known = record.Record((msgspec.structs.replace(theorem, axioms=axioms),))
            monkeypatch.setattr(proofs, "recorded", lambda known=known: known)
            assert proofs.extract(folder).theorems == (theorem,)
    assert theorem.constants == {"C_big": "3"}
    project(tmp_path, DATA["decoy"].replace("reflexivity", "exact I"))
    with pytest.raises(gate.ProofsFailed), proofs.compiled_anew(tmp_path):
        pass


def test_constants_are_those_that_the_statement_depends_on() -> None:
    numbers = {"A.C_a": "2", "A.f_b": "fun g : R => 3 * g", "B.f_c": "fun g : R => f_b g + C_a"}
    numbers |= {"B.f_d": "fun g : R => g"}
    definitions = [f"{name} = {value}\n     : R" for name, value in numbers.items()]
    definitions += ["B.cheap = fun x : R => f_d x <= 1\n     : R -> Prop"]
    found = {"C_a": "2", "f_b": "3 * g", "f_c": "f_b g + C_a"}
    assert proofs._constants_in("forall x, cheap (f_c x)", definitions) == found
    with pytest.raises(gate.ProofsFailed, match="same name"):
        proofs._constants_in("C_a", [*definitions, "B.C_a = 2\n     : R"])


@pytest.mark.parametrize("changed", [False, True])
def test_the_audit_compiles_the_proofs_that_it_calls_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: bool
) -> None:
    """Without ``--proofs`` they are not compiled, whatever lies in the folder."""
    read = list[Path]()

    def extract(folder: Path) -> record.Record:
        read.append(folder)
        return record.Record(()) if changed else record.recorded()

    monkeypatch.setattr(proofs, "require_prover", lambda: None)
    monkeypatch.setattr(proofs, "compiled_anew", lambda: nullcontext(tmp_path))
    monkeypatch.setattr(proofs, "extract", extract)
    words = ["audit", "--ledger", "synthetic_ledger:SOUND", "--jobs", "1", "--depth", "quick"]
    for option, said in (([], False), (["--proofs"], not changed)):
        code = status([*words, *option, "--out", str(tmp_path)])
        page = (tmp_path / "audit.html").read_text(encoding="utf-8")
        assert bool(code) is (changed and bool(option))
        assert ("This run compiled" in page, "This run did not compile" in page) == (said, not said)
        assert read == ([tmp_path] if option else [])


def test_a_query_that_takes_too_much_memory_is_refused(
    compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proofs, "MOST_MEMORY", 0.5)
    long = "Eval vm_compute in Nat.eqb (Nat.pow 2 25) 0."
    assert "= false" in proofs.query(long.replace("25", "5"))
    with pytest.raises(gate.ProofsFailed, match=r"takes more than 0\.5 GiB"):
        proofs.query(long)


@pytest.mark.parametrize(("text", "said"), DATA["compiled"])
def test_what_compiles_and_proves_less_is_refused(
    compiled: Path, tmp_path: Path, text: str, said: str
) -> None:
    compile_one(project(tmp_path, text))
    with pytest.raises(gate.ProofsFailed, match=said):
        proofs.extract(tmp_path)
