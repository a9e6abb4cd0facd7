"""Fidelity of ScreenAndReplace (``alg:screen-and-replace``)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.questions import Arm, match
from tgite_checks.check import Cases, Check, Depth, Kind, Question, Result, by_depth, result_of
from tgite_checks.explore import Path, paths, walk
from tgite_checks.fidelity import expected
from tgite_checks.fidelity.environments import RIGGED, all_conventions, decided_by, won_by
from tgite_checks.fidelity.referee import Referee, epoch, foul
from tgite_checks.implementation import Implementation

RHO = Confidence.of("1/50")
"""A screening level, unlike the replacement level."""

KAPPA = Fraction(1, 300)
"""A replacement level."""

_KAPPA = Confidence(KAPPA)
_GAP = Fraction(3, 10)


def _all_paths(
    under_test: Implementation, N: int, c: Arm, conventions: Conventions = RULINGS
) -> Iterator[Path[Arm]]:
    return paths(
        lambda: under_test.screen_and_replace(c, RHO, _KAPPA, N, match, conventions),
        most_matches=3 * N,
    )


def miscounted(path: Path[Arm], c: Arm, N: int) -> str:
    """Say what is wrong if an epoch has other matches than it may.

    It has ``N - 1`` screening matches, and as many replacement matches as arms beat the incumbent;
    no match is asked twice at one level.
    """
    beaters = sum(winner != c for winner in path.winners[: N - 1])
    if len(path.matches) != N - 1 + beaters:
        return f"{len(path.matches)} matches, not {N - 1} + {beaters}: {path}"
    for part in (path.matches[: N - 1], path.matches[N - 1 :]):
        if len({frozenset((question.first, question.second)) for question in part}) != len(part):
            return f"a match is played twice: {path}"
    return ""


def _path_cases(under_test: Implementation, depth: Depth) -> Cases:
    for N in range(2, 8):
        for c in range(N):
            for path in _all_paths(under_test, N, c):
                wanted = expected.epoch(c, RHO, KAPPA, N, match)
                wrong = expected.path_difference(path, wanted) or miscounted(path, c, N)
                yield f"N = {N}, c = {c}: {wrong}" if wrong else ""


def _paths(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_path_cases(under_test, depth), "sequence of winners, up to seven arms")


def _kept_cases(under_test: Implementation, depth: Depth) -> Cases:
    for N in range(2, 8):
        for c in range(N):
            for path in _all_paths(under_test, N, c):
                for winner in range(N):
                    if _wins_what_counts(path, c, winner, N):
                        wrong = path.result != winner
                        yield f"N = {N}, c = {c}, winner {winner}: {path}" if wrong else ""


def _wins_what_counts(path: Path[Arm], c: Arm, winner: Arm, N: int) -> bool:
    """Say whether the winner wins its matches; of the incumbent only the replacement's count."""
    first = N - 1 if winner == c else 0
    return all(
        won == winner
        for question, won in zip(path.matches[first:], path.winners[first:], strict=True)
        if winner in (question.first, question.second)
    )


def _kept(under_test: Implementation, depth: Depth) -> Result:
    return result_of(
        _kept_cases(under_test, depth), "winner on a path on which it wins its matches"
    )


def _convention_cases(under_test: Implementation, depth: Depth) -> Cases:
    for conventions in all_conventions():
        for N in range(2, by_depth(depth, 4, 5, 7) + 1):
            for c in range(N):

                def judge(referee: Referee, c: Arm = c, N: int = N) -> Arm:
                    return epoch(referee, c, RHO, KAPPA, N)

                for path in _all_paths(under_test, N, c, conventions):
                    wrong = foul(path, judge)
                    yield f"N = {N}, c = {c}, {conventions}: {wrong}" if wrong else ""


def _conventions(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_convention_cases(under_test, depth), "sequence of winners")


def _large_cases(under_test: Implementation, depth: Depth) -> Cases:
    for N in by_depth(depth, (8, 9, 33, 64), range(8, 130, 5), range(8, 600, 7)):
        for c in (0, N // 2, N - 1):
            for winner in (0, 1, c, N - 1):
                decide = decided_by(won_by(winner))
                stream = under_test.screen_and_replace(c, RHO, _KAPPA, N, match)
                path = walk(stream, decide, 3 * N)
                wanted = expected.epoch(c, RHO, KAPPA, N, match)
                wrong = expected.path_difference(path, wanted) or miscounted(path, c, N)
                if not wrong and path.result != winner:
                    wrong = f"{path.result} returned, {winner} won all its matches"
                yield f"N = {N}, c = {c}, winner {winner}: {wrong[:2000]}" if wrong else ""


def _large(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_large_cases(under_test, depth), "winner of a large epoch")


def _rigged_cases(under_test: Implementation, depth: Depth) -> Cases:
    for N in range(2, by_depth(depth, 12, 24, 40) + 1):
        for told, rigged in RIGGED.items():
            for c in {0, 1, N - 1}:
                wrong = expected.difference(
                    under_test.screen_and_replace(c, RHO, _KAPPA, N, under_test.duel_test),
                    expected.epoch(c, RHO, KAPPA, N, expected.duel_test),
                    rigged(),
                    1000 * N,
                ) or expected.difference(
                    under_test.screen_and_replace(c, RHO, _KAPPA, N, under_test.known_gap(_GAP)),
                    expected.epoch(c, RHO, KAPPA, N, expected.budgeted(_GAP)),
                    rigged(),
                    1000 * N,
                )
                yield f"N = {N}, c = {c}, {told}: {wrong}" if wrong else ""


def _rigged(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_rigged_cases(under_test, depth), "epoch with rigged outcomes")


PATHS = Check(
    name="epoch-paths",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="2 to 7 arms, every incumbent, every winner of every match: which matches are asked, in "
    "which order, at which exact level, N - 1 and as many as arms beat the incumbent, none twice "
    "at one level, and the result",
    run=_paths,
    rejects=(
        "epoch-last-arm-not-screened",
        "epoch-incumbent-missing",
        "epoch-screening-at-kappa",
        "epoch-replacement-at-rho",
        "epoch-arguments-swapped",
        "epoch-union-bound-added",
        "epoch-stops-at-first-beater",
    ),
)

KEPT = Check(
    name="epoch-winner-kept",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="2 to 7 arms, every incumbent, every winner of every match, every arm that wins its "
    "matches (the incumbent: those of the replacement tournament): it is returned",
    run=_kept,
    rejects=(
        "epoch-beaten-arms-collected",
        "epoch-single-beater-ignored",
        "epoch-last-beater-takes-over",
    ),
)

CONVENTIONS = Check(
    name="epoch-conventions",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="36 conventions; 2 to 7 arms (quick: 4, standard: 5), every incumbent and winner of "
    "every match: screening, bracket, exact levels and result follow the text",
    run=_conventions,
    rejects=("epoch-screens-without-conventions",),
)

LARGE_EPOCHS = Check(
    name="epoch-large",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="8 to 600 arms (quick: four numbers to 64, standard: to 128), three incumbents and four "
    "winners each: every match, its level, and the result",
    run=_large,
    rejects=("epoch-beaters-capped",),
)

RIGGED_EPOCHS = Check(
    name="epoch-rigged",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="2 to 40 arms (quick: 12, standard: 24), DuelTest, and BudgetedDuelTest at g = 3/10; "
    "the first arm always wins, always loses, one arm beats all, and its outcomes swapped: every "
    "duel and the result",
    run=_rigged,
    rejects=("epoch-screening-by-dueltest",),
)

CHECKS = (PATHS, KEPT, CONVENTIONS, LARGE_EPOCHS, RIGGED_EPOCHS)
