"""Fidelity of ScreenAndReplace (``alg:screen-and-replace``)."""

from __future__ import annotations

import functools
from fractions import Fraction

from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.questions import Arm
from tgite_checks.check import Cases, Depth, by_depth, fidelity
from tgite_checks.fidelity.environments import CONVENTIONS, FIXED_OUTCOMES, under
from tgite_checks.fidelity.rules import epoch
from tgite_checks.fidelity.setting import Setting, budgeted_tests, duel_tests
from tgite_laws.implementation import Implementation
from tgite_laws.match_paths import Path, Won

_MOST_ARMS = (4, 5, 7)
_LARGE = ((8, 9, 33, 64), range(8, 130, 5), range(8, 600, 7))
_MOST_BY_DUELS = (12, 24, 40)
_RHO = Confidence.of("1/50")
"""A screening level, unlike the replacement level."""

_KAPPA = Fraction(1, 300)
"""A replacement level."""


def _setting(
    under_test: Implementation, N: int, c: Arm, conventions: Conventions = RULINGS
) -> Setting[Arm]:
    return Setting(
        f"N = {N}, c = {c}{under(conventions)}",
        lambda test: under_test.screen_and_replace(
            c, _RHO, Confidence(_KAPPA), N, test, conventions
        ),
        lambda: epoch(c, _RHO, _KAPPA, N, conventions),
        3 * N,
        functools.partial(_miscounted, c, N),
    )


def _miscounted(c: Arm, N: int, path: Path[Arm]) -> str:
    """Return what is wrong if an epoch has the wrong matches, or nothing.

    It has ``N - 1`` screening matches, and as many replacement matches as arms beat the incumbent.
    No match is asked twice at one level.
    """
    beaters = sum(winner != c for winner in path.winners[: N - 1])
    if len(path.matches) != N - 1 + beaters:
        return f"{len(path.matches)} matches, not {N - 1} + {beaters}: {path}"
    for part in (path.matches[: N - 1], path.matches[N - 1 :]):
        if len({frozenset((question.first, question.second)) for question in part}) != len(part):
            return f"a match is played twice: {path}"
    return ""


@fidelity(
    "epoch-paths",
    domain="For every incumbent and every sequence of winners of 2 to 7 arms, the matches, their "
    "order, their exact levels and the result follow the text. There are N - 1 matches, and one "
    "more for each arm that beats the incumbent. None is played twice at one level.",
    case="sequence of winners of up to seven arms",
)
def paths(under_test: Implementation, depth: Depth) -> Cases:
    for N in range(2, 8):
        for c in range(N):
            yield from _setting(under_test, N, c).every_path()


@fidelity(
    "epoch-winner-kept",
    domain="An arm that wins all its matches is returned, for every incumbent and sequence of "
    "winners of 2 to 7 arms. For the incumbent, only matches of the replacement tournament count.",
    case="winner on a path on which it wins its matches",
)
def kept(under_test: Implementation, depth: Depth) -> Cases:
    for N in range(2, 8):
        for c in range(N):
            counting = functools.partial(_that_count, c, N)
            yield from _setting(under_test, N, c).winners_kept(N, counting)


def _that_count(c: Arm, N: int, path: Path[Arm], arm: Arm) -> tuple[Won, ...]:
    """Return an arm's matches; for the incumbent only those of the replacement tournament."""
    return path.won[N - 1 if arm == c else 0 :]


@fidelity(
    "epoch-conventions",
    domain=f"Under each of {len(CONVENTIONS)} conventions, for every incumbent and sequence of "
    "winners, the screening, the bracket, the exact levels and the result follow the text.",
    sizes={"2 to N arms, with N =": _MOST_ARMS},
    case="sequence of winners",
)
def conventions(under_test: Implementation, depth: Depth) -> Cases:
    for chosen in CONVENTIONS:
        for N in range(2, by_depth(depth, *_MOST_ARMS) + 1):
            for c in range(N):
                setting = _setting(under_test, N, c, chosen)
                yield from setting.every_path()


@fidelity(
    "epoch-large",
    domain="Every match, its level and the result follow the text when one arm wins all its "
    "matches. Three incumbents and four winners are tried for each number of arms.",
    sizes={"numbers of arms:": _LARGE},
    case="winner of a large epoch",
)
def large(under_test: Implementation, depth: Depth) -> Cases:
    for N in by_depth(depth, *_LARGE):
        for c in (0, N // 2, N - 1):
            setting = _setting(under_test, N, c)
            for winner in (0, 1, c, N - 1):
                yield setting.won_by(winner)


@fidelity(
    "epoch-rigged",
    domain="Every duel and the result follow the text, with DuelTest and with BudgetedDuelTest "
    f"at g = 3/10. {FIXED_OUTCOMES}",
    sizes={"2 to N arms, with N =": _MOST_BY_DUELS},
    case="epoch with fixed outcomes",
)
def rigged(under_test: Implementation, depth: Depth) -> Cases:
    for N in range(2, by_depth(depth, *_MOST_BY_DUELS) + 1):
        for c in {0, 1, N - 1}:
            setting = _setting(under_test, N, c)
            yield from setting.rigged(1000 * N, duel_tests(under_test), budgeted_tests(under_test))
