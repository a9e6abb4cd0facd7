"""Fidelity of TG-ITE-BAI (``subsec:bai-policy``): one pass at delta, and stop."""

from __future__ import annotations

from fractions import Fraction

from tgite.conventions import RULINGS, Conventions
from tgite.questions import Arm
from tgite_checks.check import Cases, Depth, by_depth, fidelity
from tgite_checks.fidelity.environments import CONVENTIONS, decided_by, won_by
from tgite_checks.fidelity.setting import Setting, budgeted_tests, duel_tests
from tgite_checks.fidelity.tree_ascent import a_pass
from tgite_laws.implementation import Implementation

_DELTA = Fraction(1, 20)


def _setting(
    under_test: Implementation, N: int, b_0: Arm, conventions: Conventions = RULINGS
) -> Setting[Arm]:
    return a_pass(under_test, under_test.tg_ite_bai, N, b_0, conventions, _DELTA)


@fidelity(
    "bai-paths",
    domain="2 to 9 arms (quick: 6, standard: 7), every start, every sequence of winners: the "
    "matches and result of the appendix's TreeAscent at delta",
    case="sequence of winners",
)
def paths(under_test: Implementation, depth: Depth) -> Cases:
    """Follow every path."""
    for N in range(2, by_depth(depth, 6, 7, 9) + 1):
        for b_0 in range(N):
            yield from _setting(under_test, N, b_0).every_path()


@fidelity(
    "bai-conventions",
    domain=f"{len(CONVENTIONS)} conventions; 3, 5, 6, 7 and 11 arms, every start, one path: the "
    "same matches as TreeAscent under the same conventions",
    case="pass under other conventions",
)
def conventions(under_test: Implementation, depth: Depth) -> Cases:
    """Follow one path for each starting arm under every convention."""
    for chosen in CONVENTIONS:
        for N in (3, 5, 6, 7, 11):
            for b_0 in range(N):
                setting = _setting(under_test, N, b_0, chosen)
                yield setting.wrong(setting.walk(decided_by(won_by((b_0 + 2) % N))))


@fidelity(
    "bai-rigged",
    domain="2 to 40 arms (quick: 12, standard: 24), DuelTest, and BudgetedDuelTest at g = 3/10, "
    "with fixed outcomes: the first arm always wins or always loses, or arm 1 wins or loses all "
    "its duels. Every duel and the result",
    case="run with fixed outcomes",
)
def rigged(under_test: Implementation, depth: Depth) -> Cases:
    """Play duel by duel, with both tests."""
    for N in range(2, by_depth(depth, 12, 24, 40) + 1):
        setting = _setting(under_test, N, N - 1)
        yield from setting.rigged(1000 * N, duel_tests(under_test), budgeted_tests(under_test))
