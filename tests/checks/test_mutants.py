"""Wrong transcriptions: what they change, which check names each, and what a check makes of them.

That every check passes on the transcription and rejects each wrong one that it names is for
``tgite audit --mutants`` to say.
"""

from __future__ import annotations

import ast
import inspect
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from msgspec.structs import replace

import tgite
from tgite_checks.check import (
    Argument,
    Check,
    Demonstration,
    Depth,
    Kind,
    StatementCheck,
    fidelity,
    result_of,
)
from tgite_checks.claims.mutants import mutants
from tgite_checks.claims.registry import ledger
from tgite_checks.mutation import Mutant, mutated, mutated_source, source_of
from tgite_laws.implementation import REFERENCE, Implementation
from tgite_laws.match_paths import replaying, walk

LEDGER = ledger()
MUTANTS = mutants()


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_is_one_change_of_the_code(mutant: Mutant) -> None:
    original, changed = source_of(mutant.module), mutated_source(mutant)
    assert ast.dump(ast.parse(original)) != ast.dump(ast.parse(changed))
    assert mutant.mistake


def test_every_mutant_is_named_by_exactly_one_check_of_all_cases() -> None:
    owned = [name for name, of in LEDGER.owners.items() if of.startswith("tgite_checks.fidelity.")]
    checks = [LEDGER.checks[name] for name in owned]
    exact = [check for check in checks if check.kind is not Kind.STATISTICAL]
    named = Counter(name for check in exact for name in check.rejects)
    assert named == Counter(mutant.name for mutant in MUTANTS)


def test_there_are_sixty_mutants_and_two_for_every_label() -> None:
    assert len(MUTANTS) >= 60
    assert min(Counter(mutant.label for mutant in MUTANTS).values()) >= 2


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"original": "this text stands nowhere"}, "occurs 0 times in tgite.bkt bkt, not once"),
        ({"original": "delta"}, "times in tgite.bkt bkt, not once"),
        ({"function": "Bkt.rounds"}, "0 times Bkt.rounds in tgite.bkt, not once"),
    ],
)
def test_a_change_that_does_not_fit_is_refused(changed: dict[str, str], said: str) -> None:
    with pytest.raises(LookupError, match=said):
        mutated(replace(LEDGER.mutants["bkt-bye-lost"], **changed))


def test_a_change_is_made_within_the_function_only() -> None:
    """Both epochs' levels are written alike: the mutant of one leaves the other as it is."""
    mutant = LEDGER.mutants["schedules-rho-one-epoch-early"]
    assert source_of("schedules").count(mutant.original) == 2
    wrong = mutated(mutant)
    assert wrong.schedules.screening_level(1) == tgite.Confidence.of("1/16")
    assert wrong.schedules.replacement_level(1) == REFERENCE.schedules.replacement_level(1)


def test_a_mutant_leaves_the_package_alone() -> None:
    def matches(code: Implementation) -> tuple[tgite.Match, ...]:
        stream = code.bkt(range(4), tgite.Confidence.of("1/10"), tgite.match)
        return walk(stream, replaying(()), 10).matches

    before = matches(REFERENCE)
    assert matches(mutated(LEDGER.mutants["bkt-level-not-split"])) != before
    assert matches(REFERENCE) == before
    assert REFERENCE.bkt is tgite.bkt


def test_a_mutant_reaches_everything_built_on_its_module() -> None:
    """BKT's mistake shows in TreeAscent, in BAI and in every policy."""
    wrong = mutated(LEDGER.mutants["bkt-level-not-split"])
    for name in ("treeascent", "epoch", "bai", "weak", "anytime", "known-horizon"):
        result = LEDGER.checks[f"{name}-paths"].run(wrong, Depth.QUICK)
        assert (result.holds(), result.counterexample != "") == (False, True)


def test_a_refusal_is_a_wrong_case_and_other_errors_pass_through() -> None:
    def case(error: bool) -> Iterator[str]:
        yield ""
        if error:
            raise ZeroDivisionError
        tgite.Duel(0, 0)

    result = result_of(case(error=False), "case")
    assert (result.holds(), result.examined) == (False, 2)
    assert "must differ" in result.counterexample
    with pytest.raises(ZeroDivisionError):
        result_of(case(error=True), "case")


def test_every_wrong_change_can_be_made_and_names_tests_that_exist() -> None:
    """Those of ``tests/mutation``, which ``replay.py`` makes."""
    tests = Path(__file__).parents[1]
    rows = tomllib.loads((tests / "mutation" / "wrong_changes.toml").read_text("utf-8"))["change"]
    assert len(rows) == 104
    assert sum("unnoticed" in row for row in rows) <= 3
    for row in rows:
        assert (tests.parent / row["file"]).read_text("utf-8").count(row["old"]) == 1, row["what"]
        for file, _, name in (test.partition("::") for test in row["tests"]):
            if not file.startswith("audit "):
                function = f"def {name.partition('[')[0]}"
                assert function in (tests.parent / file).read_text("utf-8"), row["what"]


class _Used(BaseException):
    """The implementation was looked at: no check takes this for an error of its own."""


class _Sentinel(Implementation):
    """Raises as soon as anything of it but its name is looked at."""

    __hash__ = object.__hash__
    __eq__ = object.__eq__

    def __getattribute__(self, name: str) -> object:
        if name == "name":
            return "sentinel"
        if name in Implementation.__dataclass_fields__:
            raise _Used(name)
        return super().__getattribute__(name)


def _is_looked_at(check: Check | Demonstration) -> bool:
    try:
        check.run(object.__new__(_Sentinel), Depth.QUICK)
    except _Used:
        return True
    return False


@pytest.mark.parametrize("name", [*ledger().checks, *ledger().demonstrations])
def test_a_check_looks_at_its_argument(name: str) -> None:
    check = ledger().checks.get(name) or ledger().demonstrations[name]
    assert isinstance(check, StatementCheck | Argument) or _is_looked_at(check)


def test_a_check_that_looks_at_nothing_is_found_out() -> None:
    @fidelity("blind", domain="nothing", case="case")
    def blind(under_test: Implementation, depth: Depth) -> Iterator[str]:
        yield ""

    assert not _is_looked_at(blind)


def test_only_what_is_called_so_draws_seeds() -> None:
    draws = re.compile(r"SeededEnvironment|perform_together|play_together|random\.Random|sampled\(")
    drawing_nothing = ("certificate-refuses", "judged-best-error")  # beside others that do
    for name, check in ledger().checks.items():
        source = inspect.getsource(import_module(ledger().owners[name]))
        said = check.kind in (Kind.LISTED_SEEDS, Kind.STATISTICAL)
        assert said == bool(draws.search(source)) or name in drawing_nothing, name
