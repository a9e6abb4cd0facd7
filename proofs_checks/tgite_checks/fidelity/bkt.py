"""Fidelity of BKT (``alg:bkt``): who meets whom, at which level, and who survives."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from fractions import Fraction

from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.questions import Arm
from tgite_checks.check import Cases, Depth, by_depth, fidelity
from tgite_checks.fidelity.environments import CONVENTIONS, nearly_certain, under, won_by
from tgite_checks.fidelity.rules import knockout
from tgite_checks.fidelity.setting import Setting, duel_tests
from tgite_laws.implementation import Implementation
from tgite_laws.match_paths import Path

_MOST_ARMS = (6, 7, 9)
_DELTA = Fraction(1, 10)
_HIGH = Fraction(9, 10)


def _setting(
    under_test: Implementation,
    S: Sequence[Arm],
    conventions: Conventions = RULINGS,
    delta: Fraction = _DELTA,
) -> Setting[Arm]:
    return Setting(
        f"S = {S if len(S) < 12 else f'{len(S)} arms'}{under(conventions)}",
        lambda test: under_test.bkt(S, Confidence(delta), test, conventions),
        lambda: knockout(S, delta, conventions),
        2 * len(S),
        functools.partial(miscounted, len(S) - 1),
    )


def arm_sets(largest: int) -> Iterator[tuple[Arm, ...]]:
    """Return sets of each size up to ``largest``: arms 0, 1, ... in order, and others unordered."""
    for N in range(1, largest + 1):
        yield tuple(range(N))
        yield tuple((7 * arm + 3) % 11 for arm in range(N))


def miscounted(matches: int, path: Path[Arm]) -> str:
    """Return what is wrong if a path has the wrong number of matches, or a match twice."""
    pairs = [frozenset((question.first, question.second)) for question in path.matches]
    if len(pairs) != matches:
        return f"{len(pairs)} matches, not {matches}: {path}"
    if len(set(pairs)) != matches:
        return f"a match is played twice: {path}"
    return ""


@fidelity(
    "bkt-paths",
    domain="For 1 to 9 arms, in order or not, and every sequence of winners, the matches, their "
    "order, exact levels and the result follow the text. None of the |S| - 1 matches is played "
    "twice.",
    case="sequence of winners of up to nine arms",
)
def paths(under_test: Implementation, depth: Depth) -> Cases:
    for S in arm_sets(9):
        yield from _setting(under_test, S).every_path()


@fidelity(
    "bkt-survivor",
    domain="For every sequence of winners of 1 to 9 arms, only the returned arm lost no match.",
    case="sequence of winners of up to nine arms",
)
def survivor(under_test: Implementation, depth: Depth) -> Cases:
    for S in arm_sets(9):
        setting = _setting(under_test, S)
        for path in setting.paths():
            unbeaten = set(S)
            for question, winner in path.won:
                unbeaten -= {question.first, question.second} - {winner}
            wrong = unbeaten != {path.result}
            yield setting.case(f"{unbeaten} won all their matches, {path}" if wrong else "")


@fidelity(
    "bkt-conventions",
    domain=f"Under each of {len(CONVENTIONS)} conventions, for every sequence of winners, each "
    "round pairs all arms but at most one, at its exact level. Winners and byes advance.",
    sizes={"1 to N arms, with N =": _MOST_ARMS},
    case="sequence of winners",
)
def conventions(under_test: Implementation, depth: Depth) -> Cases:
    for chosen in CONVENTIONS:
        for S in arm_sets(by_depth(depth, *_MOST_ARMS)):
            yield from _setting(under_test, S, chosen).every_path()


LARGE = (*range(10, 34), 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 600)
"""Numbers of arms at which single paths are followed at quick depth."""


LARGE_IN_WORDS = (
    f"{len(LARGE)} from {LARGE[0]} to {LARGE[-1]}, around every power of two",
    "these and every seventh",
    f"all from {LARGE[0]} to {LARGE[-1]}",
)


def large_numbers(depth: Depth) -> Sequence[int]:
    """Return the numbers of arms at which single paths are followed."""
    return by_depth(depth, LARGE, sorted({*LARGE, *range(10, 600, 7)}), range(10, 601))


@fidelity(
    "bkt-large",
    domain="Every match, its level and the result follow the text when one arm wins all its "
    "matches. Its place is the first, the last, one next to these, the middle, or the largest "
    "power of two.",
    sizes={"numbers of arms:": LARGE_IN_WORDS},
    case="winner on a seat of a large tournament",
)
def large(under_test: Implementation, depth: Depth) -> Cases:
    for N in large_numbers(depth):
        S = [(5 * seat + 2) % N if N % 5 else N - 1 - seat for seat in range(N)]
        seats = {0, 1, N // 2, N - 2, N - 1, 1 << ((N - 1).bit_length() - 1)}
        setting = _setting(under_test, S)
        for seat in sorted(seats):
            yield setting.won_by(S[seat])


def numbers_for_duels(depth: Depth) -> Sequence[int]:
    """Return the numbers of arms at which tournaments are played duel by duel."""
    return by_depth(depth, (*range(2, 25), 31, 32, 33, 63, 64), range(2, 65), range(2, 65))


DUELS_IN_WORDS = ("2 to 24, 31 to 33, 63 and 64", "2 to 64", "2 to 64")


@fidelity(
    "bkt-duels",
    domain="Every duel and the survivor follow the text when each arm in turn is the winner. One "
    "duel in thirteen is an upset.",
    sizes={"numbers of arms:": DUELS_IN_WORDS},
    case="tournament played duel by duel",
)
def duels(under_test: Implementation, depth: Depth) -> Cases:
    for N in numbers_for_duels(depth):
        setting = _setting(under_test, range(N), delta=_HIGH)
        for winner in range(N):
            answer = nearly_certain(won_by(winner))
            yield setting.case(setting.by_duels(duel_tests(under_test), answer, 1000 * N))
