"""Every check speaks of the implementation that it is given, unless it is of a statement alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tgite_checks.check import Argument, Check, Demonstration, Depth, StatementCheck, fidelity
from tgite_checks.claims.registry import ledger
from tgite_laws.implementation import Implementation


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
