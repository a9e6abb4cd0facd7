"""Every check speaks of the implementation that it is given, unless it is of a statement alone."""

from __future__ import annotations

import pytest

from tgite_checks.check import (
    Argument,
    Cases,
    Check,
    Demonstration,
    Depth,
    StatementCheck,
    fidelity,
)
from tgite_checks.claims.registry import ledger
from tgite_laws.implementation import Implementation

LEDGER = ledger()


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


@pytest.mark.parametrize("name", LEDGER.checks)
def test_a_check_looks_at_its_argument(name: str) -> None:
    check = LEDGER.checks[name]
    assert isinstance(check, StatementCheck) or _is_looked_at(check)


@pytest.mark.parametrize("name", LEDGER.demonstrations)
def test_a_demonstration_looks_at_its_argument(name: str) -> None:
    shown = LEDGER.demonstrations[name]
    assert isinstance(shown, Argument) or _is_looked_at(shown)


def _is_looked_at(check: Check | Demonstration) -> bool:
    try:
        check.run(object.__new__(_Sentinel), Depth.QUICK)
    except _Used:
        return True
    return False


def test_a_check_that_looks_at_nothing_is_found_out() -> None:
    @fidelity("blind", domain="nothing", case="case")
    def blind(under_test: Implementation, depth: Depth) -> Cases:
        yield ""

    assert not _is_looked_at(blind)
