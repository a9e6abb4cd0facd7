"""Fidelity of TG-ITE-Weak (``alg:tlcr-weak``): warm start, epochs, and what they announce."""

from __future__ import annotations

from fractions import Fraction
from typing import Never

from tgite.confidence import Confidence
from tgite.conventions import Conventions
from tgite.questions import Arm, Incumbent, Match, Stream, match
from tgite.tree import BalancedTree
from tgite_checks.check import Cases, Check, Depth, Kind, Question, Result, by_depth, result_of
from tgite_checks.explore import MatchStream, paths, walk
from tgite_checks.fidelity import expected
from tgite_checks.fidelity.boundaries import shortest
from tgite_checks.fidelity.environments import (
    RIGGED,
    all_conventions,
    first_wins,
    for_policies,
    in_turns,
)
from tgite_checks.implementation import Implementation

_QUARTER = Fraction(1, 4)
_DELTA = Fraction(1, 1000)
_GAP = Fraction(3, 10)


def _stream(
    under_test: Implementation, tree: BalancedTree, b: Arm, warm_start: Fraction
) -> Stream[Match | Incumbent, Arm | None, Never]:
    """Make the match-level policy; the constant warm start is left to its default."""
    if warm_start == _QUARTER:
        return under_test.tg_ite_weak(b, tree, match)
    return under_test.tg_ite_weak(b, tree, match, Confidence(warm_start))


def _path_cases(under_test: Implementation, depth: Depth) -> Cases:
    for N, announcements in by_depth(
        depth,
        ((2, 5), (3, 2), (4, 2)),
        ((2, 6), (3, 3), (4, 2)),
        ((2, 7), (3, 3), (4, 3), (5, 2), (6, 2)),
    ):
        tree = under_test.BalancedTree.over(N)
        leaves = expected.completed(N)
        for b in range(N):
            for warm_start in (_QUARTER, _DELTA):

                def make(
                    tree: BalancedTree = tree, b: Arm = b, warm_start: Fraction = warm_start
                ) -> MatchStream[Never]:
                    return _stream(under_test, tree, b, warm_start)

                for path in paths(make, 5 * N * announcements, announcements):
                    wanted = expected.weak(b, leaves, warm_start, match)
                    wrong = expected.path_difference(path, wanted)
                    yield f"N = {N}, b_0 = {b}, level {warm_start}: {wrong}" if wrong else ""


def _paths(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_path_cases(under_test, depth), "sequence of winners")


def _epoch_cases(under_test: Implementation, depth: Depth) -> Cases:
    epochs = by_depth(depth, 30, 100, 300)
    for N in (2, 3, 5, 8, 13):
        tree = under_test.BalancedTree.over(N)
        leaves = expected.completed(N)
        for b in {0, 1, N - 1}:
            stream = _stream(under_test, tree, b, _QUARTER)
            path = walk(stream, in_turns(), 5 * N * epochs, epochs + 1)
            wrong = expected.path_difference(path, expected.weak(b, leaves, _QUARTER, match))
            yield f"N = {N}, b_0 = {b}: {wrong[:2000]}" if wrong else ""


def _epochs(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_epoch_cases(under_test, depth), "run of many epochs")


def _composed(
    under_test: Implementation, tree: BalancedTree, b: Arm, conventions: Conventions
) -> Stream[Match | Incumbent, Arm | None, Never]:
    """Put the policy together from the implementation's own parts."""
    c = yield from under_test.tree_ascent(b, tree, Confidence(_QUARTER), match, conventions)
    s = 0
    while True:
        s += 1
        yield Incumbent(c)
        level = Confidence(Fraction(1, 4 ** (s + 2)))
        c = yield from under_test.screen_and_replace(c, level, level, tree.N, match, conventions)


def _convention_cases(under_test: Implementation, depth: Depth) -> Cases:
    for conventions in all_conventions():
        for N in (3, 5, 6, 11):
            tree = under_test.BalancedTree.over(N, conventions)
            stream = under_test.tg_ite_weak(1, tree, match, conventions=conventions)
            path = walk(stream, in_turns(), 20 * N, announcements=4)
            wrong = expected.path_difference(path, _composed(under_test, tree, 1, conventions))
            yield f"N = {N}, {conventions}: {wrong[:2000]}" if wrong else ""


def _conventions(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_convention_cases(under_test, depth), "run under other conventions")


def _rigged_cases(under_test: Implementation, depth: Depth) -> Cases:
    duels = by_depth(depth, 3000, 8000, 100_000)
    for N in (2, 3, 4, 5, 7, 12):
        tree = under_test.BalancedTree.over(N)
        leaves = expected.completed(N)
        for told, rigged in RIGGED.items():
            b = N // 2
            wrong = expected.difference(
                under_test.tg_ite_weak(b, tree, under_test.duel_test),
                expected.weak(b, leaves, _QUARTER, expected.duel_test),
                for_policies(rigged()),
                duels,
            ) or expected.difference(
                under_test.tg_ite_weak(b, tree, under_test.known_gap(_GAP)),
                expected.weak(b, leaves, _QUARTER, expected.budgeted(_GAP)),
                for_policies(rigged()),
                duels,
            )
            yield f"N = {N}, b_0 = {b}, {told}: {wrong}" if wrong else ""


def _rigged(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_rigged_cases(under_test, depth), "run with rigged outcomes")


LAST_EPOCH = 610
"""An epoch whose level, 4^-612, is no positive float when it divides 2n(n+1)."""


def _long_cases(under_test: Implementation, depth: Depth) -> Cases:
    """Play two arms until epoch 610 is announced, duel by duel."""
    tree = under_test.BalancedTree.over(2)
    stream = under_test.tg_ite_weak(0, tree, under_test.duel_test)
    question = next(stream)
    for s in range(LAST_EPOCH + 1):
        level = Confidence(Fraction(1, 8) if s == 0 else Fraction(1, 4 ** (s + 2)))
        wanted = shortest(level)
        played = 0
        while not isinstance(question, Incumbent) and played <= wanted:
            played += 1
            question = stream.send(first_wins(question))
        if not isinstance(question, Incumbent) or played != wanted:
            yield f"epoch {s}: {played} duels or more, expected {wanted}"
            return
        yield ""
        question = stream.send(None)


def _long(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_long_cases(under_test, depth), "epoch of two arms")


PATHS = Check(
    name="weak-paths",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="2 to 4 arms (deep: 6), every starting arm, warm start at 1/4 and at "
    "1/1000, one to four epochs (fewer for more arms), every winner of every match: the matches, "
    "their exact levels and the announcements",
    run=_paths,
    rejects=(
        "weak-no-warm-start",
        "weak-warm-start-level-ignored",
        "weak-epochs-from-2",
        "weak-incumbent-not-updated",
    ),
)

EPOCHS = Check(
    name="weak-epochs",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="2, 3, 5, 8 and 13 arms, up to three starting arms, one path of 300 epochs (quick: 30, "
    "standard: 100) on which incumbents are replaced: every match and its exact level",
    run=_epochs,
    rejects=(
        "weak-screening-level-constant",
        "weak-replacement-level-next",
        "weak-byes-screened",
        "weak-levels-capped",
    ),
)

CONVENTIONS = Check(
    name="weak-conventions",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="36 conventions; 3, 5, 6 and 11 arms, one path of three epochs: the policy is "
    "TreeAscent and ScreenAndReplace put together, under the same conventions",
    run=_conventions,
    rejects=("weak-conventions-dropped",),
)

RIGGED_RUNS = Check(
    name="weak-rigged",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="2, 3, 4, 5, 7 and 12 arms, DuelTest, and BudgetedDuelTest at g = 3/10; the first arm "
    "always wins, always loses, one arm beats all, and its outcomes swapped: every question of the "
    "first 100000 (quick: 3000, standard: 8000)",
    run=_rigged,
    rejects=("weak-epochs-by-dueltest", "weak-announces-late"),
)

LONG = Check(
    name="weak-long",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="2 arms, the first of which wins every duel, played duel by duel through epoch 610, "
    "beyond the levels that floats can hold: the length of every match",
    run=_long,
    rejects=("weak-float-levels",),
)

CHECKS = (PATHS, EPOCHS, CONVENTIONS, RIGGED_RUNS, LONG)
