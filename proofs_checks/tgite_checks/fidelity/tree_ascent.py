"""Fidelity of TreeAscent, in the main text's version and the appendix's, and of their agreement."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.errors import InvalidInput
from tgite.questions import Arm, match
from tgite_checks.check import Cases, Check, Depth, Kind, Question, Result, by_depth, result_of
from tgite_checks.explore import Path, paths, walk
from tgite_checks.fidelity import expected
from tgite_checks.fidelity.bkt import large_numbers, miscounted, numbers_for_duels
from tgite_checks.fidelity.environments import (
    RIGGED,
    all_conventions,
    decided_by,
    nearly_certain,
    tally,
    won_by,
)
from tgite_checks.fidelity.referee import Referee, ascent, foul
from tgite_checks.implementation import Implementation, TreeAscent

EPSILON = Fraction(1, 10)
_LEVEL = Confidence(EPSILON)
_HIGH = Fraction(9, 10)
_GAP = Fraction(3, 10)


def _all_paths(
    under_test: Implementation,
    version: TreeAscent,
    N: int,
    b: Arm,
    conventions: Conventions = RULINGS,
) -> Iterator[Path[Arm]]:
    tree = under_test.BalancedTree.over(N, conventions)
    return paths(lambda: version(b, tree, _LEVEL, match, conventions), most_matches=2 * N)


def _path_cases(under_test: Implementation, depth: Depth) -> Cases:
    for N in range(2, 10):
        leaves = expected.completed(N)
        for b in range(N):
            for path in _all_paths(under_test, under_test.tree_ascent, N, b):
                wanted = expected.ascent(b, leaves, EPSILON, match)
                wrong = expected.path_difference(path, wanted) or miscounted(path, N - 1)
                yield f"N = {N}, b = {b}: {wrong}" if wrong else ""


def _paths(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_path_cases(under_test, depth), "sequence of winners, up to nine arms")


def _main_path_cases(under_test: Implementation, depth: Depth) -> Cases:
    for N in (2, 4, 8):
        for b in range(N):
            for path in _all_paths(under_test, under_test.tree_ascent_power_of_two, N, b):
                wanted = expected.ascent_of_main_text(b, list(range(N)), EPSILON, match)
                wrong = expected.path_difference(path, wanted) or miscounted(path, N - 1)
                yield f"N = {N}, b = {b}: {wrong}" if wrong else ""


def _refusal_cases(under_test: Implementation) -> Cases:
    """Make the main text's version for every number of arms up to 130 and every fifth start."""
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


def _main_paths(under_test: Implementation, depth: Depth) -> Result:
    cases = itertools.chain(_main_path_cases(under_test, depth), _refusal_cases(under_test))
    return result_of(cases, "sequence of winners, up to eight arms, or other number of arms")


def _agreement_cases(under_test: Implementation, depth: Depth) -> Cases:
    for N in (2, 4, 8):
        tree = under_test.BalancedTree.over(N)
        for b in range(N):
            for path in _all_paths(under_test, under_test.tree_ascent, N, b):
                other = under_test.tree_ascent_power_of_two(b, tree, _LEVEL, match)
                wrong = expected.path_difference(path, other)
                yield f"N = {N}, b = {b}: the main text's version {wrong}" if wrong else ""
    for L in range(4, 11):
        N = 1 << L
        tree = under_test.BalancedTree.over(N)
        for b, winner in ((0, N - 1), (N // 2, 0), (N - 1, N // 2 - 1), (1, 1)):
            decide = decided_by(won_by(winner))
            path = walk(under_test.tree_ascent(b, tree, _LEVEL, match), decide, 2 * N)
            other = under_test.tree_ascent_power_of_two(b, tree, _LEVEL, match)
            wrong = expected.path_difference(path, other)
            yield f"N = {N}, b = {b}: the main text's version {wrong[:2000]}" if wrong else ""


def _agreement(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_agreement_cases(under_test, depth), "path of both versions")


def _kept_cases(under_test: Implementation, depth: Depth) -> Cases:
    for N in range(2, 10):
        leaves = expected.completed(N)
        for b in range(N):
            entry = {b: 0}
            for h, run in enumerate(expected.sibling_runs(leaves, b), 1):
                entry |= dict.fromkeys(expected.arms_of(run), h)
            for path in _all_paths(under_test, under_test.tree_ascent, N, b):
                for winner in range(N):
                    if _wins_from_its_entry_on(path, winner, entry):
                        wrong = path.result != winner
                        yield f"N = {N}, b = {b}, winner {winner}: {path}" if wrong else ""


def _wins_from_its_entry_on(path: Path[Arm], winner: Arm, entry: dict[Arm, int]) -> bool:
    """Say whether the winner wins its matches at the levels from its entry level on.

    A match belongs to the level at which the later of its two arms joins the path.
    """
    return all(
        won == winner
        for question, won in zip(path.matches, path.winners, strict=True)
        if winner in (question.first, question.second)
        and max(entry[question.first], entry[question.second]) >= entry[winner]
    )


def _kept(under_test: Implementation, depth: Depth) -> Result:
    return result_of(
        _kept_cases(under_test, depth), "winner on a path on which it wins its matches"
    )


def _convention_cases(under_test: Implementation, depth: Depth) -> Cases:
    for conventions in all_conventions():
        for N in range(2, by_depth(depth, 5, 6, 9) + 1):
            leaves = under_test.BalancedTree.over(N, conventions).leaves
            for b in range(N):

                def judge(
                    referee: Referee,
                    b: Arm = b,
                    leaves: tuple[Arm | None, ...] = leaves,
                ) -> Arm:
                    return ascent(referee, b, leaves, EPSILON)

                for path in _all_paths(under_test, under_test.tree_ascent, N, b, conventions):
                    wrong = foul(path, judge)
                    yield f"N = {N}, b = {b}, {conventions}: {wrong}" if wrong else ""


def _conventions(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_convention_cases(under_test, depth), "sequence of winners")


def _large_cases(under_test: Implementation, depth: Depth) -> Cases:
    for N in large_numbers(depth):
        leaves = expected.completed(N)
        tree = under_test.BalancedTree.over(N)
        b = (N * N // 3) % N
        edges = {b}
        for run in expected.sibling_runs(leaves, b):
            edges |= {*expected.arms_of(run)[:1], *expected.arms_of(run)[-1:]}
        for winner in sorted(edges):
            decide = decided_by(won_by(winner))
            path = walk(under_test.tree_ascent(b, tree, _LEVEL, match), decide, 2 * N)
            wrong = expected.path_difference(path, expected.ascent(b, leaves, EPSILON, match))
            wrong = wrong or miscounted(path, N - 1)
            if not wrong and path.result != winner:
                wrong = f"{path.result} returned, {winner} won all its matches"
            yield f"N = {N}, b = {b}, winner {winner}: {wrong[:2000]}" if wrong else ""


def _large(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_large_cases(under_test, depth), "winner at the edge of a block")


def _duel_cases(under_test: Implementation, depth: Depth) -> Cases:
    most_in_step = by_depth(depth, 16, 16, 64)
    for N in numbers_for_duels(depth):
        leaves = expected.completed(N)
        tree = under_test.BalancedTree.over(N)
        for winner in range(N):
            b = (5 * winner + 3) % N
            stream = under_test.tree_ascent(b, tree, Confidence(_HIGH), under_test.duel_test)
            answer = nearly_certain(won_by(winner))
            if most_in_step >= N:
                wanted = expected.ascent(b, leaves, _HIGH, expected.duel_test)
                wrong = expected.difference(stream, wanted, answer, 1000 * N)
            else:
                found = tally(stream, answer, 1000 * N)
                wrong = "" if found == (N - 1, winner) else f"(matches, result) = {found}"
            yield f"N = {N}, b = {b}, winner {winner}: {wrong}" if wrong else ""


def _duels(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_duel_cases(under_test, depth), "pass played duel by duel")


def _known_gap_cases(under_test: Implementation, depth: Depth) -> Cases:
    test = under_test.known_gap(_GAP)
    for N in range(2, by_depth(depth, 18, 40, 64) + 1):
        leaves = expected.completed(N)
        tree = under_test.BalancedTree.over(N)
        for told, rigged in RIGGED.items():
            b = N * 2 // 3
            wrong = expected.difference(
                under_test.tree_ascent(b, tree, _LEVEL, test),
                expected.ascent(b, leaves, EPSILON, expected.budgeted(_GAP)),
                rigged(),
                1000 * N,
            )
            yield f"N = {N}, b = {b}, {told}: {wrong}" if wrong else ""


def _known_gap(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_known_gap_cases(under_test, depth), "pass with the budgeted test")


def _rigged_cases(under_test: Implementation, depth: Depth) -> Cases:
    for N in range(2, by_depth(depth, 18, 40, 64) + 1):
        leaves = expected.completed(N)
        tree = under_test.BalancedTree.over(N)
        for told, rigged in RIGGED.items():
            b = N // 3
            wrong = expected.difference(
                under_test.tree_ascent(b, tree, _LEVEL, under_test.duel_test),
                expected.ascent(b, leaves, EPSILON, expected.duel_test),
                rigged(),
                1000 * N,
            )
            yield f"N = {N}, b = {b}, {told}: {wrong}" if wrong else ""


def _rigged(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_rigged_cases(under_test, depth), "pass with rigged outcomes")


PATHS = Check(
    name="treeascent-paths",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="appendix version; 2 to 9 arms, every starting arm, every winner of every match: which "
    "matches are asked, in which order, at which exact level, N - 1 of them, none twice, and the "
    "result",
    run=_paths,
    rejects=(
        "treeascent-m-for-mbar",
        "treeascent-n-for-m",
        "treeascent-merge-level-by-height",
        "treeascent-block-at-merge-level",
        "treeascent-merge-at-block-level",
        "treeascent-empty-block-played",
        "treeascent-merge-arguments-swapped",
    ),
)

MAIN_PATHS = Check(
    name="treeascent-main-paths",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="main text's version; 2, 4 and 8 arms, every starting arm, every winner of every match: "
    "which matches are asked, in which order, at which exact level, N - 1 of them, none twice; "
    "of 2 to 130 arms only powers of two are taken",
    run=_main_paths,
    rejects=(
        "treeascent-main-m-over-n",
        "treeascent-main-block-at-epsilon",
        "treeascent-main-merge-arguments-swapped",
        "treeascent-main-start-not-updated",
        "treeascent-main-takes-any-number",
    ),
)

AGREEMENT = Check(
    name="treeascent-agreement",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="2, 4 and 8 arms, every starting arm and every winner of every match; 16 to 1024 arms "
    "on four paths each: both versions ask the same matches at the same levels and return the same",
    run=_agreement,
    rejects=("treeascent-main-merge-level-by-blocks", "treeascent-levels-by-leaves"),
)

KEPT = Check(
    name="treeascent-winner-kept",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="2 to 9 arms, every starting arm, every winner of every match, every arm that wins its "
    "matches at the levels from its entry level on: it is returned",
    run=_kept,
    rejects=(
        "treeascent-start-not-updated",
        "treeascent-last-merge-forgotten",
        "treeascent-one-arm-block-skipped",
    ),
)

CONVENTIONS = Check(
    name="treeascent-conventions",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="36 conventions; 2 to 9 arms (quick: 5, standard: 6), every starting arm and winner of "
    "every match: blocks, brackets, exact levels and result follow the text",
    run=_conventions,
    rejects=("treeascent-first-arm-champion",),
)

LARGE_TREES = Check(
    name="treeascent-large",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="10 to 600 arms (quick: 37 numbers, all powers of two and their neighbours among them; "
    "standard: every seventh besides), one starting arm each, the winner at both edges of every "
    "block: every match, its level, and the result",
    run=_large,
    rejects=("treeascent-top-level-share",),
)

DUELS = Check(
    name="treeascent-duels",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="2 to 64 arms (quick: to 24, and 31, 32, 33, 63, 64), each in turn the winner, played "
    "duel by duel with one upset in thirteen: the result and the number of matches; up to 16 "
    "arms (deep: 64) every duel",
    run=_duels,
    rejects=("treeascent-merge-twice",),
)

KNOWN_GAP = Check(
    name="treeascent-known-gap",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="2 to 64 arms (quick: 18, standard: 40), BudgetedDuelTest at g = 3/10, four rigged "
    "environments: every duel and the result",
    run=_known_gap,
    rejects=("treeascent-merge-by-dueltest",),
)

RIGGED_PASSES = Check(
    name="treeascent-rigged",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="2 to 64 arms (quick: 18, standard: 40), DuelTest; the first arm always wins, always "
    "loses, one arm beats all, and its outcomes swapped: every duel and the result",
    run=_rigged,
    rejects=("treeascent-answer-forgotten",),
)

CHECKS = (
    PATHS,
    MAIN_PATHS,
    AGREEMENT,
    KEPT,
    CONVENTIONS,
    LARGE_TREES,
    DUELS,
    KNOWN_GAP,
    RIGGED_PASSES,
)
