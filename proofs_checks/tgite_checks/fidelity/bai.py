"""Fidelity of TG-ITE-BAI (``subsec:bai-policy``): one pass at delta, and stop."""

from __future__ import annotations

from fractions import Fraction

from tgite.confidence import Confidence
from tgite.questions import Arm, Match, Stream, match
from tgite.tree import BalancedTree
from tgite_checks.check import Cases, Check, Depth, Kind, Question, Result, by_depth, result_of
from tgite_checks.explore import paths, walk
from tgite_checks.fidelity import expected
from tgite_checks.fidelity.environments import RIGGED, all_conventions, decided_by, won_by
from tgite_checks.implementation import Implementation

DELTA = Fraction(1, 20)
_LEVEL = Confidence(DELTA)
_GAP = Fraction(3, 10)


def _path_cases(under_test: Implementation, depth: Depth) -> Cases:
    for N in range(2, by_depth(depth, 6, 7, 9) + 1):
        tree = under_test.BalancedTree.over(N)
        leaves = expected.completed(N)
        for b in range(N):

            def make(b: Arm = b, tree: BalancedTree = tree) -> Stream[Match, Arm, Arm]:
                return under_test.tg_ite_bai(b, tree, _LEVEL, match)

            for path in paths(make, 2 * N):
                wanted = expected.ascent(b, leaves, DELTA, match)
                wrong = expected.path_difference(path, wanted)
                yield f"N = {N}, b_0 = {b}: {wrong}" if wrong else ""


def _paths(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_path_cases(under_test, depth), "sequence of winners")


def _convention_cases(under_test: Implementation, depth: Depth) -> Cases:
    for conventions in all_conventions():
        for N in (3, 5, 6, 7, 11):
            tree = under_test.BalancedTree.over(N, conventions)
            for b in range(N):
                decide = decided_by(won_by((b + 2) % N))
                path = walk(
                    under_test.tg_ite_bai(b, tree, _LEVEL, match, conventions), decide, 2 * N
                )
                same = under_test.tree_ascent(b, tree, _LEVEL, match, conventions)
                wrong = expected.path_difference(path, same)
                yield f"N = {N}, b_0 = {b}, {conventions}: {wrong}" if wrong else ""


def _conventions(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_convention_cases(under_test, depth), "pass under other conventions")


def _rigged_cases(under_test: Implementation, depth: Depth) -> Cases:
    for N in range(2, by_depth(depth, 12, 24, 40) + 1):
        tree = under_test.BalancedTree.over(N)
        leaves = expected.completed(N)
        for told, rigged in RIGGED.items():
            b = N - 1
            wrong = expected.difference(
                under_test.tg_ite_bai(b, tree, _LEVEL, under_test.duel_test),
                expected.ascent(b, leaves, DELTA, expected.duel_test),
                rigged(),
                1000 * N,
            ) or expected.difference(
                under_test.tg_ite_bai(b, tree, _LEVEL, under_test.known_gap(_GAP)),
                expected.ascent(b, leaves, DELTA, expected.budgeted(_GAP)),
                rigged(),
                1000 * N,
            )
            yield f"N = {N}, b_0 = {b}, {told}: {wrong}" if wrong else ""


def _rigged(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_rigged_cases(under_test, depth), "run with rigged outcomes")


PATHS = Check(
    name="bai-paths",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="2 to 9 arms (quick: 6, standard: 7), every starting arm, every winner of every match: "
    "the appendix's TreeAscent at delta, match by match, and its result",
    run=_paths,
    rejects=("bai-delta-halved", "bai-main-text-version"),
)

CONVENTIONS = Check(
    name="bai-conventions",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="36 conventions; 3, 5, 6, 7 and 11 arms, every starting arm, one path: the same matches "
    "as TreeAscent under the same conventions",
    run=_conventions,
    rejects=("bai-conventions-dropped",),
)

RIGGED_RUNS = Check(
    name="bai-rigged",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="2 to 40 arms (quick: 12, standard: 24), DuelTest, and BudgetedDuelTest at g = 3/10; "
    "the first arm always wins, always loses, one arm beats all, and its outcomes swapped: every "
    "duel and the result",
    run=_rigged,
    rejects=("bai-starts-at-arm-0",),
)

CHECKS = (PATHS, CONVENTIONS, RIGGED_RUNS)
