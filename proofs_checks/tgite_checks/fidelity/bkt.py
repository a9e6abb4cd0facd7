"""Fidelity of BKT (``alg:bkt``): who meets whom, at which level, and who survives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.questions import Arm, match
from tgite_checks.check import Cases, Check, Depth, Kind, Question, Result, by_depth, result_of
from tgite_checks.explore import Path, paths, walk
from tgite_checks.fidelity import expected
from tgite_checks.fidelity.environments import (
    all_conventions,
    decided_by,
    nearly_certain,
    tally,
    won_by,
)
from tgite_checks.fidelity.referee import Referee, foul, knockout
from tgite_checks.implementation import Implementation

DELTA = Fraction(1, 10)
_LEVEL = Confidence(DELTA)


def arm_sets(largest: int) -> Iterator[tuple[Arm, ...]]:
    """Return arms 0, 1, ... in order and, of each number, some others in no order."""
    for N in range(1, largest + 1):
        yield tuple(range(N))
        yield tuple((7 * arm + 3) % 11 for arm in range(N))


def miscounted(path: Path[Arm], matches: int) -> str:
    """Say what is wrong if a path has another number of matches, or asks one twice."""
    pairs = [frozenset((question.first, question.second)) for question in path.matches]
    if len(pairs) != matches:
        return f"{len(pairs)} matches, not {matches}: {path}"
    if len(set(pairs)) != matches:
        return f"a match is played twice: {path}"
    return ""


def _all_paths(
    under_test: Implementation, S: Sequence[Arm], conventions: Conventions = RULINGS
) -> Iterator[Path[Arm]]:
    return paths(lambda: under_test.bkt(S, _LEVEL, match, conventions), most_matches=2 * len(S))


def _path_cases(under_test: Implementation, depth: Depth) -> Cases:
    for S in arm_sets(9):
        for path in _all_paths(under_test, S):
            yield expected.path_difference(path, expected.knockout(S, DELTA, match)) or miscounted(
                path, len(S) - 1
            )


def _paths(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_path_cases(under_test, depth), "sequence of winners, up to nine arms")


def _survivor_cases(under_test: Implementation, depth: Depth) -> Cases:
    for S in arm_sets(9):
        for path in _all_paths(under_test, S):
            unbeaten = set(S)
            for question, winner in zip(path.matches, path.winners, strict=True):
                unbeaten -= {question.first, question.second} - {winner}
            yield (
                ""
                if unbeaten == {path.result}
                else f"S = {S}: {unbeaten} won all their matches, {path}"
            )


def _survivor(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_survivor_cases(under_test, depth), "sequence of winners, up to nine arms")


def _convention_cases(under_test: Implementation, depth: Depth) -> Cases:
    largest = by_depth(depth, 6, 7, 9)
    for conventions in all_conventions():
        for S in arm_sets(largest):

            def judge(referee: Referee, arms: frozenset[Arm] = frozenset(S)) -> Arm:
                return knockout(referee, arms, DELTA)

            for path in _all_paths(under_test, S, conventions):
                wrong = foul(path, judge)
                yield f"{conventions}: {wrong}" if wrong else ""


def _conventions(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_convention_cases(under_test, depth), "sequence of winners")


LARGE = (*range(10, 34), 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 600)
"""Numbers of arms at which single paths are followed at quick depth."""


def large_numbers(depth: Depth) -> Sequence[int]:
    """Return the numbers of arms at which single paths are followed."""
    return by_depth(depth, LARGE, sorted({*LARGE, *range(10, 600, 7)}), range(10, 601))


def _large_cases(under_test: Implementation, depth: Depth) -> Cases:
    for N in large_numbers(depth):
        S = [(5 * seat + 2) % N if N % 5 else N - 1 - seat for seat in range(N)]
        seats = {0, 1, N // 2, N - 2, N - 1, 1 << ((N - 1).bit_length() - 1)}
        for winner in [S[seat] for seat in sorted(seats)]:
            decide = decided_by(won_by(winner))
            path = walk(under_test.bkt(S, _LEVEL, match), decide, 2 * N)
            wrong = expected.path_difference(path, expected.knockout(S, DELTA, match))
            wrong = wrong or miscounted(path, N - 1)
            if not wrong and path.result != winner:
                wrong = f"{path.result} returned, {winner} won all its matches"
            yield f"N = {N}: {wrong[:2000]}" if wrong else ""


def _large(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_large_cases(under_test, depth), "winner on a seat of a large tournament")


def numbers_for_duels(depth: Depth) -> Sequence[int]:
    """Return the numbers of arms at which tournaments are played duel by duel."""
    return by_depth(depth, (*range(2, 25), 31, 32, 33, 63, 64), range(2, 65), range(2, 65))


def _duel_cases(under_test: Implementation, depth: Depth) -> Cases:
    most_in_step = by_depth(depth, 16, 16, 64)
    high = Fraction(9, 10)
    for N in numbers_for_duels(depth):
        for winner in range(N):
            stream = under_test.bkt(range(N), Confidence(high), under_test.duel_test)
            answer = nearly_certain(won_by(winner))
            if most_in_step >= N:
                wanted = expected.knockout(range(N), high, expected.duel_test)
                wrong = expected.difference(stream, wanted, answer, 1000 * N)
            else:
                found = tally(stream, answer, 1000 * N)
                wrong = "" if found == (N - 1, winner) else f"(matches, survivor) = {found}"
            yield f"N = {N}, winner {winner}: {wrong}" if wrong else ""


def _duels(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_duel_cases(under_test, depth), "tournament played duel by duel")


PATHS = Check(
    name="bkt-paths",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="1 to 9 arms, in order and in no order; every winner of every match: which matches "
    "are asked, in which order, at which exact level, |S| - 1 of them, none twice, and the result",
    run=_paths,
    rejects=(
        "bkt-bye-lost",
        "bkt-round-not-counted",
        "bkt-rounds-from-2",
        "bkt-level-not-split",
        "bkt-level-by-arms-left",
        "bkt-arguments-swapped",
    ),
)

SURVIVOR = Check(
    name="bkt-survivor",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="1 to 9 arms, in order and in no order; every winner of every match: the result is the "
    "one arm that lost no match, so that an arm that wins its matches is kept",
    run=_survivor,
    rejects=("bkt-loser-kept", "bkt-first-arm-returned"),
)

CONVENTIONS = Check(
    name="bkt-conventions",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="36 conventions; 1 to 9 arms (quick: 6, standard: 7), every winner of every match: "
    "every round pairs all arms but one, at its exact level, and the winners and the bye go on",
    run=_conventions,
    rejects=("bkt-bye-plays-on", "bkt-conventions-ignored-by-bye"),
)

LARGE_BRACKETS = Check(
    name="bkt-large",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="10 to 600 arms (quick: 37 numbers, all powers of two and their neighbours among them; "
    "standard: every seventh besides), "
    "the winner on the seats at the edges, the middle and the largest power of two",
    run=_large,
    rejects=("bkt-level-capped",),
)

DUELS = Check(
    name="bkt-duels",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="2 to 64 arms (quick: to 24, and 31, 32, 33, 63, 64), each in turn the winner, played "
    "duel by duel with one upset in thirteen: the survivor and the number of matches; up to 16 "
    "arms (deep: 64) every duel",
    run=_duels,
    rejects=("bkt-plays-twice",),
)

CHECKS = (PATHS, SURVIVOR, CONVENTIONS, LARGE_BRACKETS, DUELS)
