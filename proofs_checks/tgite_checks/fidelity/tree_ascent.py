"""Fidelity of TreeAscent: the main text's version, the appendix's, and their agreement."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from fractions import Fraction

from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.errors import InvalidInput
from tgite.questions import Arm, Match, match
from tgite_checks.check import Cases, Depth, by_depth, fidelity
from tgite_checks.fidelity.bkt import (
    DUELS_IN_WORDS,
    LARGE_IN_WORDS,
    large_numbers,
    miscounted,
    numbers_for_duels,
)
from tgite_checks.fidelity.environments import (
    CONVENTIONS,
    FIXED_OUTCOMES,
    decided_by,
    nearly_certain,
    under,
    won_by,
)
from tgite_checks.fidelity.rules import arms_of, ascent, entry_levels, leaves_of, sibling_runs
from tgite_checks.fidelity.setting import Setting, budgeted_tests, difference, duel_tests
from tgite_laws.implementation import Implementation, TreeAscent
from tgite_laws.match_paths import Path, Won, replaying

_MOST_ARMS = (5, 6, 9)
_MOST_BY_DUELS = (18, 40, 64)
_EPSILON = Fraction(1, 10)
_LEVEL = Confidence(_EPSILON)
_HIGH = Fraction(9, 10)


def a_pass(
    under_test: Implementation,
    version: TreeAscent,
    N: int,
    b: Arm,
    conventions: Conventions = RULINGS,
    epsilon: Fraction = _EPSILON,
) -> Setting[Arm]:
    """Return the setting that pairs a version of TreeAscent with its rules."""
    tree, leaves = under_test.BalancedTree.over(N, conventions), leaves_of(N, conventions)
    return Setting(
        f"N = {N}, b = {b}{under(conventions)}",
        lambda test: version(b, tree, Confidence(epsilon), test, conventions),
        lambda: ascent(b, leaves, epsilon, conventions),
        2 * N,
        functools.partial(miscounted, N - 1),
    )


@fidelity(
    "treeascent-paths",
    domain="In the appendix's version, for every start and sequence of winners of 2 to 9 arms, "
    "matches, order, exact levels and result follow the text. None of the N - 1 matches is played "
    "twice.",
    case="sequence of winners of up to nine arms",
)
def paths(under_test: Implementation, depth: Depth) -> Cases:
    for N in range(2, 10):
        for b in range(N):
            yield from a_pass(under_test, under_test.tree_ascent, N, b).every_path()


@fidelity(
    "treeascent-main-paths",
    domain="In the main text's version, for every start and sequence of winners of 2, 4 and 8 "
    "arms, matches, order, exact levels and result follow the text. None of the N - 1 matches is "
    "played twice. Of 2 to 130 arms only powers of two are accepted.",
    case="sequence of winners or number of arms",
)
def main_paths(under_test: Implementation, depth: Depth) -> Cases:
    for N in (2, 4, 8):
        for b in range(N):
            version = under_test.tree_ascent_power_of_two
            yield from a_pass(under_test, version, N, b).every_path()
    for N in range(2, 131):
        tree = under_test.BalancedTree.over(N)
        for b in range(0, N, 5):
            try:
                under_test.tree_ascent_power_of_two(b, tree, _LEVEL, match).close()
                taken = True
            except InvalidInput:
                taken = False
            power_of_two = N in {2, 4, 8, 16, 32, 64, 128}
            yield "" if taken == power_of_two else f"N = {N} is {'taken' if taken else 'refused'}"


@fidelity(
    "treeascent-agreement",
    domain="Both versions play the same matches at the same levels and return the same arm, for "
    "every start and sequence of winners of 2, 4 and 8 arms, and on four paths for 16 to 1024 "
    "arms.",
    case="path of both versions",
)
def agreement(under_test: Implementation, depth: Depth) -> Cases:
    for N in (2, 4, 8):
        for b in range(N):
            for path in a_pass(under_test, under_test.tree_ascent, N, b).paths():
                yield _differ(under_test, N, b, replaying(path.winners))
    for N in (1 << L for L in range(4, 11)):
        for b, winner in ((0, N - 1), (N // 2, 0), (N - 1, N // 2 - 1), (1, 1)):
            yield _differ(under_test, N, b, decided_by(won_by(winner)))


def _differ(under_test: Implementation, N: int, b: Arm, decide: Callable[[Match], Arm]) -> str:
    tree = under_test.BalancedTree.over(N)
    wrong = difference(
        under_test.tree_ascent_power_of_two(b, tree, _LEVEL, match),
        under_test.tree_ascent(b, tree, _LEVEL, match),
        decide,
        2 * N,
    )
    return f"N = {N}, b = {b}, the main text's version beside the appendix's: {wrong}" * bool(wrong)


@fidelity(
    "treeascent-winner-kept",
    domain="Every arm that wins its matches from its entry level on is returned, for every start "
    "and every sequence of winners of 2 to 9 arms.",
    case="winner on a path on which it wins its matches",
)
def kept(under_test: Implementation, depth: Depth) -> Cases:
    for N in range(2, 10):
        for b in range(N):
            setting = a_pass(under_test, under_test.tree_ascent, N, b)
            counting = functools.partial(_from_its_entry_on, entry_levels(leaves_of(N), b))
            yield from setting.winners_kept(N, counting)


def _from_its_entry_on(entry: dict[Arm, int], path: Path[Arm], arm: Arm) -> Iterator[Won]:
    """Return the matches at the levels from an arm's entry level on.

    A match belongs to the level at which the later of its two arms joins the path.
    """
    for asked, winner in path.won:
        if max(entry[asked.first], entry[asked.second]) >= entry[arm]:
            yield asked, winner


@fidelity(
    "treeascent-conventions",
    domain=f"Under each of {len(CONVENTIONS)} conventions, the blocks, the brackets, the exact "
    "levels and the result follow the text. Every start and every sequence of winners is tried.",
    sizes={"2 to N arms, with N =": _MOST_ARMS},
    case="sequence of winners",
)
def conventions(under_test: Implementation, depth: Depth) -> Cases:
    for chosen in CONVENTIONS:
        for N in range(2, by_depth(depth, *_MOST_ARMS) + 1):
            for b in range(N):
                setting = a_pass(under_test, under_test.tree_ascent, N, b, chosen)
                yield from setting.every_path()


@fidelity(
    "treeascent-large",
    domain="Every match, its level and the result follow the text when one arm wins all its "
    "matches. From one start, that arm is in turn the first and the last of every block.",
    sizes={"numbers of arms:": LARGE_IN_WORDS},
    case="winner at the edge of a block",
)
def large_trees(under_test: Implementation, depth: Depth) -> Cases:
    for N in large_numbers(depth):
        b = (N * N // 3) % N
        edges = {b}
        for run in sibling_runs(leaves_of(N), b):
            edges |= {*arms_of(run)[:1], *arms_of(run)[-1:]}
        setting = a_pass(under_test, under_test.tree_ascent, N, b)
        for winner in sorted(edges):
            yield setting.won_by(winner)


@fidelity(
    "treeascent-duels",
    domain="Every duel and the result follow the text when each arm in turn is the winner. One "
    "duel in thirteen is an upset.",
    sizes={"numbers of arms:": DUELS_IN_WORDS},
    case="pass played duel by duel",
)
def duels(under_test: Implementation, depth: Depth) -> Cases:
    for N in numbers_for_duels(depth):
        for winner in range(N):
            b = (5 * winner + 3) % N
            setting = a_pass(under_test, under_test.tree_ascent, N, b, epsilon=_HIGH)
            answer = nearly_certain(won_by(winner))
            yield setting.case(setting.by_duels(duel_tests(under_test), answer, 1000 * N))


@fidelity(
    "treeascent-rigged",
    domain="Every duel and the result follow the text, with DuelTest and with BudgetedDuelTest "
    f"at g = 3/10. {FIXED_OUTCOMES}",
    sizes={"2 to N arms, with N =": _MOST_BY_DUELS},
    case="pass with fixed outcomes",
)
def rigged(under_test: Implementation, depth: Depth) -> Cases:
    for N in range(2, by_depth(depth, *_MOST_BY_DUELS) + 1):
        setting = a_pass(under_test, under_test.tree_ascent, N, N // 3)
        yield from setting.rigged(1000 * N, duel_tests(under_test), budgeted_tests(under_test))
