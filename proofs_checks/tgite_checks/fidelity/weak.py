"""Fidelity of TG-ITE-Weak (``alg:tlcr-weak``): warm start, epochs, and what they announce."""

from __future__ import annotations

from fractions import Fraction
from typing import Never

from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.questions import A, Arm, Incumbent, PairwiseTest, Q, Stream
from tgite_checks.check import Cases, Depth, by_depth, fidelity
from tgite_checks.fidelity import rules
from tgite_checks.fidelity.boundaries import shortest
from tgite_checks.fidelity.environments import (
    CONVENTIONS,
    FIXED_OUTCOMES,
    in_turns,
    under,
    won_duels,
)
from tgite_checks.fidelity.setting import Setting, budgeted_tests, duel_tests
from tgite_laws.implementation import Implementation

_EPOCHS = (
    ((2, 5), (3, 2), (4, 2)),
    ((2, 6), (3, 3), (4, 2)),
    ((2, 7), (3, 3), (4, 3), (5, 2), (6, 2)),
)
"""Numbers of arms, each with its number of announcements."""
_LONG = (30, 100, 300)
_QUESTIONS = (3000, 8000, 100_000)
_QUARTER = Fraction(1, 4)
_DELTA = Fraction(1, 1000)


def _setting(
    under_test: Implementation,
    N: int,
    b_0: Arm,
    conventions: Conventions = RULINGS,
    warm_start: Fraction = _QUARTER,
) -> Setting[Never]:
    tree = under_test.BalancedTree.over(N, conventions)

    def make(test: PairwiseTest[Q, A]) -> Stream[Q | Incumbent, A | None, Never]:
        if warm_start == _QUARTER:  # the policy's default is the paper's constant
            return under_test.tg_ite_weak(b_0, tree, test, conventions)
        level = Confidence(warm_start)
        return under_test.tg_ite_weak(b_0, tree, test, conventions, warm_start=level)

    return Setting(
        f"N = {N}, b_0 = {b_0}, level {warm_start}{under(conventions)}",
        make,
        lambda: rules.weak(b_0, rules.leaves_of(N, conventions), warm_start, conventions),
        5 * N,
    )


@fidelity(
    "weak-paths",
    domain="The matches, their exact levels and the announcements of the first epochs follow the "
    "text for every start and sequence of winners. The warm start is at level 1/4 or 1/1000.",
    sizes={"epochs:": [", ".join(f"{k - 1} with {N} arms" for N, k in one) for one in _EPOCHS]},
    case="sequence of winners",
)
def paths(under_test: Implementation, depth: Depth) -> Cases:
    for N, announcements in by_depth(depth, *_EPOCHS):
        for b_0 in range(N):
            for warm_start in (_QUARTER, _DELTA):
                setting = _setting(under_test, N, b_0, warm_start=warm_start)
                yield from setting.every_path(announcements)


@fidelity(
    "weak-epochs",
    domain="Every match and its exact level follow the text on one path, on which incumbents are "
    "replaced. This is tried with 2, 3, 5, 8 and 13 arms and up to three starts.",
    sizes={"epochs:": _LONG},
    case="run of many epochs",
)
def epochs(under_test: Implementation, depth: Depth) -> Cases:
    number = by_depth(depth, *_LONG)
    for N in (2, 3, 5, 8, 13):
        for b_0 in {0, 1, N - 1}:
            setting = _setting(under_test, N, b_0)
            yield setting.wrong(setting.walk(in_turns(), number + 1))


@fidelity(
    "weak-conventions",
    domain=f"Under each of {len(CONVENTIONS)} conventions, the policy plays TreeAscent, then "
    "ScreenAndReplace, by that convention. Three epochs are tried on one path of 3, 5, 6 and 11 "
    "arms.",
    case="run under other conventions",
)
def conventions(under_test: Implementation, depth: Depth) -> Cases:
    for chosen in CONVENTIONS:
        for N in (3, 5, 6, 11):
            setting = _setting(under_test, N, 1, chosen)
            yield setting.wrong(setting.walk(in_turns(), announcements=4))


@fidelity(
    "weak-rigged",
    domain="The first questions follow the text for 2, 3, 4, 5, 7 and 12 arms, with DuelTest "
    f"and with BudgetedDuelTest at g = 3/10. {FIXED_OUTCOMES}",
    sizes={"questions:": _QUESTIONS},
    case="run with fixed outcomes",
)
def rigged(under_test: Implementation, depth: Depth) -> Cases:
    most = by_depth(depth, *_QUESTIONS)
    for N in (2, 3, 4, 5, 7, 12):
        setting = _setting(under_test, N, N // 2)
        yield from setting.rigged(most, duel_tests(under_test), budgeted_tests(under_test))


LAST_EPOCH = 610
"""An epoch whose level, 4^-612, underflows a float when it divides 2n(n+1)."""


@fidelity(
    "weak-long",
    domain=f"Every match has the right length through epoch {LAST_EPOCH}, if the first of two "
    "arms wins every duel. The levels are below the least float.",
    case="epoch of two arms",
)
def long(under_test: Implementation, depth: Depth) -> Cases:
    stream = under_test.tg_ite_weak(0, under_test.BalancedTree.over(2), under_test.duel_test)
    for s in range(LAST_EPOCH + 1):
        level = Confidence(Fraction(1, 8) if s == 0 else Fraction(1, 4 ** (s + 2)))
        wanted = shortest(level), Incumbent(0)
        found = won_duels(stream, wanted[0])
        yield "" if found == wanted else f"epoch {s}: {found}, expected {wanted}"
