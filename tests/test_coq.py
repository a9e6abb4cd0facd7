"""The machine-checked proofs: they compile, say what is recorded, and speak of the Python code.

What needs Coq is skipped, with its reason, where Coq is missing. The mutations recompile, in a
copy, what stands between a changed definition and the proof that must fail. That a proof breaks
shows that it rests on the definition; where it breaks is no refutation of the changed claim.
"""

from __future__ import annotations

import dataclasses
import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions, Pairing
from tgite.questions import A, Arm, PairwiseTest, Q, Stream
from tgite.screen_and_replace import screen_and_replace
from tgite_checks.implementation import REFERENCE, Implementation
from tgite_checks.proofs import extract as proofs
from tgite_checks.proofs import gate, record
from tgite_checks.proofs import trees as proof_trees

pytestmark = pytest.mark.coq

RECORDED = tuple(record.proved().values())


@pytest.fixture(scope="module")
def compiled() -> Path:
    """The compiled development."""
    try:
        proofs.require_prover()
    except proofs.ProverMissing as missing:
        pytest.skip(str(missing))
    proofs.build()
    return record.COQ


@pytest.mark.skipif(
    "TGITE_PROOFS" not in os.environ,
    reason="minutes of the prover's work: set TGITE_PROOFS=1, or run "
    "`python -m tgite_checks.proofs.extract compare`, as continuous integration does",
)
def test_what_is_proved_is_what_is_recorded(compiled: Path) -> None:
    assert proofs.compare(proofs.extract(compiled)) == []


def test_a_changed_statement_is_a_difference() -> None:
    first, *others = RECORDED
    weaker = msgspec.structs.replace(first, statement="True")
    assert proofs.compare([weaker, *others]) == [f"{first.name}: proved otherwise than recorded"]
    assert proofs.compare(others) == [f"{first.name}: no longer proved"]


# The Python functions behave as the printed trees, which are the theorems' own functions.


@pytest.mark.parametrize(("conventions", "most_arms"), [("standard", 8), ("contrary", 7)])
def test_trees_are_the_same(compiled: Path, conventions: str, most_arms: int) -> None:
    assert proof_trees.tree_differences(range(2, most_arms + 1), conventions) == []


def test_laws_of_matches_are_the_same(compiled: Path) -> None:
    assert proof_trees.match_law_differences(range(2, 6)) == []


def test_laws_of_tests_are_the_same(compiled: Path) -> None:
    assert proof_trees.duel_law_differences() == []


def screening_and_replacement_levels_exchanged(
    c: Arm,
    rho: Confidence,
    kappa: Confidence,
    N: int,
    test: PairwiseTest[Q, A],
    conventions: Conventions = RULINGS,
) -> Stream[Q, A, Arm]:
    return screen_and_replace(c, kappa, rho, N, test, conventions)


def round_paired_otherwise(
    S: Sequence[Arm],
    delta: Confidence,
    test: PairwiseTest[Q, A],
    conventions: Conventions = RULINGS,
) -> Stream[Q, A, Arm]:
    return REFERENCE.bkt(S, delta, test, dataclasses.replace(conventions, pairing=Pairing.FOLD))


@pytest.mark.parametrize(
    "wrong",
    [
        dataclasses.replace(
            REFERENCE, screen_and_replace=screening_and_replacement_levels_exchanged
        ),
        dataclasses.replace(REFERENCE, bkt=round_paired_otherwise),
    ],
    ids=["levels exchanged", "paired otherwise"],
)
def test_trees_tell_a_wrong_transcription(compiled: Path, wrong: Implementation) -> None:
    assert proof_trees.tree_differences([4], code=wrong) != []


# A wrong definition cannot be proved correct.


MUTATIONS: list[dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("coq_mutations.toml").read_text(encoding="utf-8")
)["mutation"]


@pytest.mark.parametrize("mutation", MUTATIONS, ids=[one["name"] for one in MUTATIONS])
def test_a_wrong_definition_breaks_the_proofs(
    compiled: Path, tmp_path: Path, mutation: dict[str, str]
) -> None:
    copy = tmp_path / "coq"
    shutil.copytree(compiled, copy)
    source = copy / f"{mutation['file']}.v"
    text = source.read_text(encoding="utf-8")
    assert text.count(mutation["before"]) == 1
    source.write_text(text.replace(mutation["before"], mutation["after"]), encoding="utf-8")
    done = subprocess.run(
        ["make", "-f", "Makefile.coq", f"{mutation['breaks']}.vo"],
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    # It fails in a proof, not because the change cannot be read.
    assert re.findall(r'File "\./(\w+)\.v"', done.stderr) == [mutation["breaks"]]
    assert "Syntax error" not in done.stderr
    assert "was not found in the current" not in done.stderr


def compile_one(directory: Path, name: str, *flags: str) -> subprocess.CompletedProcess[str]:
    command = ["coqc", "-q", "-w", "none", *flags, "-Q", ".", "TGITE", f"{name}.v"]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)


# What is not proved is refused: by the sources' words, by the prover's and by the checker's.


def project(folder: Path, text: str, lines: str = "-Q . TGITE\nBad.v\n") -> Path:
    """Write a development of one file."""
    (folder / "_CoqProject").write_text(lines, encoding="utf-8")
    (folder / "Bad.v").write_text(text, encoding="utf-8")
    return folder


LOOP = "Fixpoint loop (n : nat) : 1 = 2 := loop n. "
THEOREM = (
    "Definition t_statement : Prop := 1 = 2. Theorem t : t_statement. Proof. exact (loop 0). Qed."
)


@pytest.mark.parametrize(
    "text",
    [
        "Lemma l : 1 = 2. Admitted.",
        "Axiom a : False.",
        "Lemma l : 1 = 2. admit. Admitted.",
        "(* a (* nested *) comment *) Parameter p : nat.",
        "Unset  Guard Checking. " + LOOP,
        "Lemma l : True. Proof. Unset\nGuard Checking. exact I. Qed.",
        "#[bypass_check(guard)] " + LOOP,
        "#[local, bypass_check(guard)] " + LOOP,
        "Set Universe Polymorphism.",
        "Time Unset Universe Checking.",
        "Local Unset Positivity Checking.",
        'Notation "(*" := 0. Unset Guard Checking. (* *)',
        '(* " *) *" *) Unset Guard Checking.',
        "Hypothesis h : 1 = 2.",
        "Section S. Variable n : nat. End S. Variable m : nat.",
        "Module M. End M. Hypothesis h : 1 = 2.",
        "Module Type S. End S.",
        "Module M := N.",
        "Require Import Elsewhere.",
        "From Elsewhere Require Import All.",
        'Load "Elsewhere".',
        'Declare ML Module "elsewhere".',
        "Conjecture c : 1 = 2.",
        "- { Unset Guard Checking. }",
    ],
)
def test_what_no_proof_needs_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(gate.ProofsFailed, match=r"Bad\.v"):
        gate.refuse_unproved(project(tmp_path, text))


def test_words_in_comments_and_strings_are_not_taken_for_code(tmp_path: Path) -> None:
    text = '(* nothing (* here *) is Admitted *) Notation "Axiom. Unset" := 0.'
    gate.refuse_unproved(project(tmp_path, text))


@pytest.mark.parametrize("line", ["-arg -type-in-type", "-R . TGITE", "-impredicative-set", "-I ."])
def test_a_flag_that_is_not_listed_is_refused(tmp_path: Path, line: str) -> None:
    with pytest.raises(gate.ProofsFailed, match="_CoqProject"):
        gate.sources(project(tmp_path, "", f"-Q . TGITE\n{line}\nBad.v\n"))


def test_a_file_that_is_not_compiled_is_refused(tmp_path: Path) -> None:
    with pytest.raises(gate.ProofsFailed, match=r"Bad\.v"):
        gate.refuse_unproved(project(tmp_path, "", "-Q . TGITE\n"))


@pytest.mark.parametrize(
    ("text", "flags", "said"),
    [
        ("Unset  Guard Checking. " + LOOP + THEOREM, [], "guarded"),
        (
            "Unset Positivity Checking. Inductive bad := B : (bad -> False) -> bad. "
            "Definition f (b : bad) : False := match b with B g => g b end. "
            "Definition t_statement : Prop := False. Theorem t : t_statement. "
            "Proof. exact (f (B f)). Qed.",
            [],
            "positive",
        ),
        (
            "Definition T : Type := Type. Definition t_statement : Prop := (T : T) = (T : T). "
            "Theorem t : t_statement. Proof. reflexivity. Qed.",
            ["-type-in-type"],
            "unsafe hierarchy",
        ),
    ],
)
def test_what_the_prover_assumes_is_refused_by_its_own_words(
    compiled: Path, tmp_path: Path, text: str, flags: list[str], said: str
) -> None:
    """As if the sources' words had not been looked at."""
    assert compile_one(project(tmp_path, text), "Bad", *flags).returncode == 0
    query = "From TGITE Require Bad. Print Assumptions Bad.t."
    printed = proofs.query(query, tmp_path, allow_failure=True)
    if printed is not None:
        with pytest.raises(gate.ProofsFailed, match=said):
            gate.axioms_of(printed, "t")
    command = ["coqchk", "-silent", "-o", "-Q", str(tmp_path), "TGITE", "TGITE.Bad"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    with pytest.raises(gate.ProofsFailed, match="summary"):
        gate.refuse_summary(done.stdout + done.stderr)


SUMMARY = """
CONTEXT SUMMARY
===============

* Theory: Set is predicative

* Axioms:
    Coq.Logic.Classical_Prop.classic

* Constants/Inductives relying on type-in-type: <none>

* Constants/Inductives relying on unsafe (co)fixpoints: <none>

* Inductives whose positivity is assumed: <none>

"""


def test_the_checkers_summary_is_read_line_by_line() -> None:
    gate.refuse_summary(SUMMARY)
    for line in ("type-in-type", "unsafe (co)fixpoints", "positivity is assumed"):
        with pytest.raises(gate.ProofsFailed, match="summary"):
            gate.refuse_summary(SUMMARY.replace(f"{line}: <none>", f"{line}: TGITE.Bad.loop"))
    for changed in (SUMMARY.replace("predicative", "impredicative"), "", SUMMARY[:200]):
        with pytest.raises(gate.ProofsFailed, match="summary"):
            gate.refuse_summary(changed)
    with pytest.raises(gate.ProofsFailed, match=r"TGITE\.Bad\.a"):
        gate.refuse_summary(SUMMARY.replace("* Axioms:", "* Axioms:\n    TGITE.Bad.a"))


def test_the_provers_words_are_read_line_by_line() -> None:
    axiom = "Classical_Prop.classic : forall P : Prop, P \\/ ~ P"
    assert gate.axioms_of("Closed under the global context\n", "t") == ()
    assert gate.axioms_of(f"Axioms:\n{axiom}\n", "t") == ("Classical_Prop.classic",)
    for printed in (
        "",
        "Closed under the global context\nAxioms:\na : False",
        f"Axioms:\n{axiom}\na : False",
        f"Axioms:\n{axiom}\nloop is assumed to be guarded.",
        "Axioms:\nBad.Classical_Prop.classic : False",
    ):
        with pytest.raises(gate.ProofsFailed):
            gate.axioms_of(printed, "t")


def test_proofs_are_rechecked_here_if_compiling_left_its_note_of_just_these_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    project(tmp_path, "Definition d := 0.")
    assert not record.rechecked_here(tmp_path)
    note = ["sha256sum", "_CoqProject", "Bad.v"]
    printed = subprocess.run(note, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    (tmp_path / ".compiled").write_text(printed, encoding="utf-8")
    assert not record.rechecked_here(tmp_path)
    (tmp_path / "Bad.vo").touch()
    assert record.rechecked_here(tmp_path)
    (tmp_path / "Bad.v").write_text("Definition d := 1.", encoding="utf-8")
    assert not record.rechecked_here(tmp_path)
    project(tmp_path, "Definition d := 0.")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert not record.rechecked_here(tmp_path)


def test_an_axiom_is_refused(compiled: Path, tmp_path: Path) -> None:
    project(
        tmp_path,
        """From Coq Require Import ClassicalEpsilon.
Definition chosen : nat := epsilon (inhabits 0) (fun n => n = n).
Definition t_statement : Prop := chosen = chosen.
Theorem t : t_statement.
Proof. reflexivity. Qed.
""",
    )
    assert compile_one(tmp_path, "Bad").returncode == 0
    with pytest.raises(gate.ProofsFailed, match="constructive_indefinite_description"):
        proofs.extract(tmp_path)
