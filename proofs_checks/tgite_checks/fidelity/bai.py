"""Fidelity of TG-ITE-BAI (``subsec:bai-policy``): one pass at delta, and stop."""

from __future__ import annotations

from fractions import Fraction

from tgite.conventions import RULINGS, Conventions
from tgite.questions import Arm
from tgite_checks.check import Cases, Depth, by_depth, fidelity
from tgite_checks.fidelity.environments import CONVENTIONS, FIXED_OUTCOMES, decided_by, won_by
from tgite_checks.fidelity.setting import Setting, budgeted_tests, duel_tests
from tgite_checks.fidelity.tree_ascent import a_pass
from tgite_laws.implementation import Implementation

_MOST_ARMS = (6, 7, 9)
_MOST_BY_DUELS = (12, 24, 40)
_DELTA = Fraction(1, 20)


def _setting(
    under_test: Implementation, N: int, b_0: Arm, conventions: Conventions = RULINGS
) -> Setting[Arm]:
    return a_pass(under_test, under_test.tg_ite_bai, N, b_0, conventions, _DELTA)


@fidelity(
    "bai-paths",
    domain="The policy plays the matches of the appendix's TreeAscent at level delta and returns "
    "its answer, for every start and every sequence of winners.",
    sizes={"2 to N arms, with N =": _MOST_ARMS},
    case="sequence of winners",
)
def paths(under_test: Implementation, depth: Depth) -> Cases:
    for N in range(2, by_depth(depth, *_MOST_ARMS) + 1):
        for b_0 in range(N):
            yield from _setting(under_test, N, b_0).every_path()


@fidelity(
    "bai-conventions",
    domain=f"Under each of {len(CONVENTIONS)} conventions the policy plays TreeAscent's matches "
    "under that convention, with 3, 5, 6, 7 and 11 arms on one path from every start.",
    case="pass under other conventions",
)
def conventions(under_test: Implementation, depth: Depth) -> Cases:
    for chosen in CONVENTIONS:
        for N in (3, 5, 6, 7, 11):
            for b_0 in range(N):
                setting = _setting(under_test, N, b_0, chosen)
                yield setting.wrong(setting.walk(decided_by(won_by((b_0 + 2) % N))))


@fidelity(
    "bai-rigged",
    domain="Every duel and the result follow the text, with DuelTest and with BudgetedDuelTest "
    f"at g = 3/10. {FIXED_OUTCOMES}",
    sizes={"2 to N arms, with N =": _MOST_BY_DUELS},
    case="run with fixed outcomes",
)
def rigged(under_test: Implementation, depth: Depth) -> Cases:
    for N in range(2, by_depth(depth, *_MOST_BY_DUELS) + 1):
        setting = _setting(under_test, N, N - 1)
        yield from setting.rigged(1000 * N, duel_tests(under_test), budgeted_tests(under_test))
