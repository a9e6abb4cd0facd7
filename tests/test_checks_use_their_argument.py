"""Every check speaks of the implementation that it is given, unless it is of a statement alone."""

from __future__ import annotations

from typing import Never, cast

import pytest

from tgite_checks.check import Cases, Check, Depth, StatementCheck, fidelity
from tgite_checks.claims.registry import ledger
from tgite_checks.implementation import Implementation

LEDGER = ledger()
NOT_YET_STATEMENTS = frozenset(
    [
        "instances-assumption",
        "real-matrices-assumption",
        "instances-total-order",
        "budgeted-union-sum",
        "budgeted-budget-form",
        "cs-union-sum",
        "cs-miss-probability",
        "dueltest-earliest-stop",
        "dueltest-time-steps",
        "bkt-r-log-r",
        "treeascent-entropy-sum",
        "treeascent-merge-sum",
        "constant-epoch",
        "strong-phase-sums",
        "stitched-radius-crosses-earlier",
        "treeascent-one-level-for-all-blocks",
        "sparse-ratio",
        "binary-weak-regret-lower-bound",
        "ws-w-varies-most",
    ]
)
"""Checks of statements alone whose type does not say so yet."""


class _Used(BaseException):
    """The implementation was looked at: no check takes this for an error of its own."""


class _Sentinel:
    """Raises as soon as anything of it but its name is looked at."""

    name = "sentinel"

    def __getattr__(self, attribute: str) -> Never:
        raise _Used(attribute)


@pytest.mark.parametrize("name", LEDGER.checks)
def test_a_check_looks_at_its_argument(name: str) -> None:
    check = LEDGER.checks[name]
    if isinstance(check, StatementCheck):
        assert name not in NOT_YET_STATEMENTS
    elif name not in NOT_YET_STATEMENTS:
        assert _is_looked_at(check)


def _is_looked_at(check: Check) -> bool:
    try:
        check.run(cast(Implementation, _Sentinel()), Depth.QUICK)
    except _Used:
        return True
    return False


def test_a_check_that_looks_at_nothing_is_found_out() -> None:
    @fidelity("blind", domain="nothing", case="case", rejects=())
    def blind(under_test: Implementation, depth: Depth) -> Cases:
        yield ""

    assert not _is_looked_at(blind)
