"""Every known mistake has a case that tells it, and the vectors say so rightly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import msgspec
import pytest

from golden import table
from shipped_vectors import CASES, subject_of
from tgite_checks.claims.mutants import mutants
from tgite_checks.mutation import Mutant, mutated
from tgite_conform.format import VERSIONS, Case, MutantNote, read_folder
from tgite_conform.runner import CaseResult, Status, examine, settled
from tgite_conform.subjects import StreamSubject

NOTED = {case.mutant.name: case for case in CASES if case.mutant is not None}
MUTANTS = {mutant.name: mutant for mutant in mutants()}
FILE = "conform/mutants_without_a_case.toml"
NEVER, LONG = table(FILE, "never parts"), table(FILE, "parts in")
KEEPS_STATE = {"dueltest-stale-samples"}
"""It carries something over from one run to the next: each run needs a new one."""


def parting_duel(subject: StreamSubject, case: Case) -> int | None:
    """Return the duel at which a subject parts from the reference, 0 for a fault, None if never."""
    (found,) = examine(subject, [case], long=True)
    return found.divergence.duel if found.divergence else 0 if found.fault else None


def test_every_mutant_has_a_case_or_stands_among_those_without() -> None:
    missing = sorted(set(MUTANTS) - {*NOTED, *NEVER, *LONG})
    assert not missing, "\n".join(what_to_add(missing))
    assert sorted([*NOTED, *NEVER, *LONG]) == sorted(MUTANTS), "names a mutant that is not there"


def what_to_add(missing: list[str]) -> Iterator[str]:
    """Yield for each mutant a note for the shortest row of the newest version that tells it."""
    free = [case for case in read_folder(VERSIONS[-1].folder()) if case.mutant is None]
    free.sort(key=lambda case: case.duels)
    for name in missing:
        mutant, subject = MUTANTS[name], subject_of(mutated(MUTANTS[name]))
        found = ((parting_duel(subject, case), case) for case in free)
        duel, case = next((pair for pair in found if pair[0] is not None), (None, None))
        if duel is None or case is None:
            yield f"{name}: no case of the newest version fails; add it to {FILE}"
            continue
        free.remove(case)
        others = {one: subject_of(mutated(MUTANTS[one])) for one in MUTANTS if one != name}
        also = [one for one, of in others.items() if parting_duel(of, case) == duel]
        note = MutantNote(name, mutant.label, mutant.mistake, duel, tuple(sorted(also)))
        row = f"{case.algorithm}, {case.name!r} of version {VERSIONS[-1]}"
        yield f'{row}: add "mutant":{msgspec.json.encode(note).decode()}'


def test_every_mutant_parts_where_its_case_says() -> None:
    """If not, either the mutant has changed or the referee is wrong: the vectors stay."""
    for name, case in NOTED.items():
        assert case.mutant is not None
        mutant = MUTANTS[name]
        assert parting_duel(subject_of(mutated(mutant)), case) == case.mutant.duel, name
        assert case.mutant.label == mutant.label


def test_a_mutant_without_a_case_of_its_own_parts_in_the_one_named_or_never() -> None:
    for name in LONG:
        (case,) = (case for case in CASES if case.name == LONG[name])
        assert parting_duel(subject_of(mutated(MUTANTS[name])), case) is not None, name
    short = [case for case in CASES if case.duels < 150][::7]
    for name in NEVER:
        subject = subject_of(mutated(MUTANTS[name]))
        assert all(parting_duel(subject, case) is None for case in short), name


@pytest.mark.parametrize("name", sorted(set(NOTED) - KEEPS_STATE)[::9])
def test_the_others_that_part_there_are_named(name: str) -> None:
    """For a part of the mutants: in every mutant's case it parts there if and only if named."""
    subject = subject_of(mutated(MUTANTS[name]))
    for owner, case in NOTED.items():
        if owner != name and case.duels < 3000:
            assert case.mutant is not None
            parts_there = parting_duel(subject, case) == case.mutant.duel
            assert parts_there == (name in case.mutant.also), f"{name} in {owner}'s case"


def _planted(module: str, original: str, replaced: str, cases: list[Case]) -> list[CaseResult]:
    mutant = Mutant("planted", "alg", module, original, replaced, "a planted mistake")
    return list(examine(subject_of(mutated(mutant)), cases))


def test_what_no_convention_explains_is_not_said_to_be_one() -> None:
    """A block of two from its end swaps its arguments, which is a convention; one of four no."""
    cases = [case for case in CASES if case.algorithm == "tree_ascent" and case.duels < 1500]
    block = "yield from bkt(blocks[h], beta_h, test, conventions)  # L9"
    results = _planted("tree_ascent", block, block.replace("[h]", "[h][::-1]"), cases)
    wrong = [one for one in results if one.status is Status.WRONG]
    by_convention = [one for one in results if one.status is Status.DIFFERS_BY_CONVENTION]
    assert len(by_convention) > len(wrong) > 10
    assert all(one.explanations is not None for one in wrong[2:])
    # Of more than that they are taken to be what they are like.
    by_convention = by_convention[: len(wrong) // 2]
    told = settled([*by_convention, *wrong])
    assert {(one.status, one.detail) for one in told} == {(Status.WRONG, "")}
    # Those that no conventions were sought for say neither.
    unsought = [replace(one, explanations=None) for one in wrong]
    assert settled([*by_convention, *unsought])[: len(by_convention)] == tuple(by_convention)
