"""Every check of a comparator passes, and fails on each broken version that it is there for.

PYTEST_DONT_REWRITE: pytest explains, where CI is set, how two traces of a thousand duels differ,
which takes longer than all tests together.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import pytest
import test_comparators_tournaments
import test_comparators_tsallis_inf
import test_comparators_wider_field
import test_comparators_winner_stays
import test_comparators_wr_exp3_ix

from comparator_breaking import CASES, Case, Check, broken
from tgite import InvalidInput

MODULES = (
    test_comparators_tournaments,
    test_comparators_tsallis_inf,
    test_comparators_wider_field,
    test_comparators_winner_stays,
    test_comparators_wr_exp3_ix,
)
CHANGES = [(case.check, case.module, *change) for case in CASES for change in case.broken]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.check.__name__)
def test_a_check_passes(case: Case) -> None:
    case.check(import_module(f"tgite.comparators.{case.module}"))


@pytest.mark.parametrize(
    ("check", "module", "original", "replaced"),
    CHANGES,
    ids=[f"{check.__name__}-{number}" for number, (check, *_) in enumerate(CHANGES)],
)
def test_a_broken_version_is_noticed(
    check: Check, module: str, original: str, replaced: str
) -> None:
    with pytest.raises((AssertionError, ArithmeticError, InvalidInput, StopIteration)):
        check(broken(module, original, replaced))


@pytest.mark.parametrize("make", [make for module in MODULES for make in module.BAD_PARAMETERS])
def test_bad_parameters(make: Callable[[], object]) -> None:
    with pytest.raises(InvalidInput):
        make()
