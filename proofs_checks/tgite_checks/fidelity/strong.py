"""Fidelity of the strong-regret policies (``alg:tlcr-strong-known``, ``-anytime``)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Never

from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.questions import Arm, Incumbent, Match, SelfPlay
from tgite_checks.check import Cases, Depth, by_depth, fidelity
from tgite_checks.fidelity import rules
from tgite_checks.fidelity.boundaries import shortest
from tgite_checks.fidelity.environments import (
    CONVENTIONS,
    FIXED_OUTCOMES,
    RIGGED,
    decided_by,
    for_policies,
    in_turns,
    under,
    won_by,
    won_duels,
)
from tgite_checks.fidelity.setting import Setting, budgeted_tests, difference, duel_tests
from tgite_laws.implementation import Implementation
from tgite_laws.match_paths import timed

_HORIZONS = (
    ((2, 59), (3, 89), (5, 19)),
    ((2, 199), (3, 199), (5, 199), (8, 299)),
    ((2, 499), (3, 499), (5, 499), (8, 999)),
)
_MOST_ARMS = (5, 6, 8)
_PHASES = (
    ((2, 6), (3, 3), (4, 2)),
    ((2, 8), (3, 4), (4, 3), (5, 2)),
    ((2, 8), (3, 5), (4, 3), (5, 2), (6, 2)),
)
_QUESTIONS = (3000, 8000, 100_000)


def _rounds(question: Match, winner: Arm) -> int:
    return 5 + 2 * (winner == question.second)


def _rounds_due(due: rules.Step, reply: tuple[Arm, Arm]) -> int:
    return 5 + 2 * (isinstance(due, rules.Due) and due.pair == reply[::-1])


def _known(
    under_test: Implementation, N: int, b_0: Arm, H: int, conventions: Conventions = RULINGS
) -> Setting[Arm | None]:
    """Pair the known-horizon policy with its rules, for matches of 5 or 7 rounds."""
    tree, leaves = under_test.BalancedTree.over(N, conventions), rules.leaves_of(N, conventions)
    level = rules.horizon_level(H)
    return Setting(
        f"N = {N}, b_0 = {b_0}, H = {H}{under(conventions)}",
        lambda test: under_test.tg_ite_strong_known_horizon(b_0, tree, H, test, conventions),
        lambda: rules.known_horizon(rules.ascent(b_0, leaves, level, conventions), H, _rounds_due),
        2 * N,
        match=timed(_rounds),
    )


def _anytime(
    under_test: Implementation, N: int, b_0: Arm, conventions: Conventions = RULINGS
) -> Setting[Never]:
    tree, leaves = under_test.BalancedTree.over(N, conventions), rules.leaves_of(N, conventions)
    return Setting(
        f"N = {N}, b_0 = {b_0}{under(conventions)}",
        lambda test: under_test.tg_ite_strong_anytime(b_0, tree, test, conventions),
        lambda: rules.anytime(b_0, leaves, conventions),
        5 * N,
    )


def _ends_exactly() -> Iterator[int]:
    """Return the horizons at which a pass of two arms, the first winning, ends exactly."""
    for H in range(1, 100):
        if shortest(Confidence(Fraction(1, 2 * (H + 1)))) == H:
            yield H


@fidelity(
    "known-horizon-cut",
    domain="Every question follows the text, wherever the horizon falls: inside the pass, at "
    "its very end or after it. DuelTest and BudgetedDuelTest at g = 3/10 are played. "
    f"{FIXED_OUTCOMES}",
    sizes={"horizons to": [", ".join(f"{H} with {N} arms" for N, H in one) for one in _HORIZONS]},
    case="horizon with fixed outcomes",
)
def cut(under_test: Implementation, depth: Depth) -> Cases:
    exact = any(_ends_exactly())
    yield "" if exact else "no horizon at which the pass of two arms ends exactly"
    for N, most in by_depth(depth, *_HORIZONS):
        tree, leaves = under_test.BalancedTree.over(N), rules.leaves_of(N)
        for outcomes, rigged in RIGGED.items():
            for H in range(1, most + 1):
                b_0 = H % N
                wrong = ""
                for own, right in (duel_tests(under_test), budgeted_tests(under_test)):
                    pass_of = rules.ascent(b_0, leaves, rules.horizon_level(H), RULINGS)
                    wrong = wrong or difference(
                        under_test.tg_ite_strong_known_horizon(b_0, tree, H, own),
                        rules.known_horizon(rules.asked(pass_of, right), H, lambda *duel: 1),
                        for_policies(rigged()),
                        2 * H + 10,
                    )
                yield f"N = {N}, b_0 = {b_0}, H = {H}, {outcomes}: {wrong}" if wrong else ""


@fidelity(
    "known-horizon-paths",
    domain="The matches, their levels, the self-play and the result follow the text for every "
    "start, every sequence of winners and ten horizons. Matches take 5 or 7 rounds.",
    sizes={"2 to N arms, with N =": _MOST_ARMS},
    case="sequence of winners",
)
def known_paths(under_test: Implementation, depth: Depth) -> Cases:
    for N in range(2, by_depth(depth, *_MOST_ARMS) + 1):
        for b_0 in range(N):
            for H in (1, 4, 5, 6, 7, 8, 5 * (N - 1), 6 * (N - 1), 7 * (N - 1), 1000):
                setting = _known(under_test, N, b_0, H)
                yield from setting.every_path()


@fidelity(
    "anytime-paths",
    domain="The matches, their exact levels, the announcements and the self-play of the first "
    "phases follow the text for every start and every sequence of winners.",
    sizes={"phases:": [", ".join(f"{s} with {N} arms" for N, s in one) for one in _PHASES]},
    case="sequence of winners",
)
def anytime_paths(under_test: Implementation, depth: Depth) -> Cases:
    for N, phases in by_depth(depth, *_PHASES):
        for b_0 in range(N):
            setting = _anytime(under_test, N, b_0)
            yield from setting.every_path(phases)


LAST_PHASE = 14


@fidelity(
    "anytime-phases",
    domain="Every match, its exact level and self-play of 2^2^s rounds follow the text through "
    f"phase {LAST_PHASE}, for 2, 3, 5, 8 and 13 arms from three starts on two paths each.",
    case="run of fourteen phases",
)
def phases(under_test: Implementation, depth: Depth) -> Cases:
    for N in (2, 3, 5, 8, 13):
        for b_0, winner in ((0, N - 1), (N - 1, 0), (1, 1)):
            setting = _anytime(under_test, N, b_0)
            for decide in (decided_by(won_by(winner)), in_turns()):
                path = setting.walk(decide, LAST_PHASE)
                miscounted = len(path.matches) != (N - 1) * LAST_PHASE
                counted = f"{len(path.matches)} matches in {LAST_PHASE} phases"
                yield setting.wrong(path, also=counted if miscounted else "")


@fidelity(
    "strong-conventions",
    domain=f"Under each of {len(CONVENTIONS)} conventions, both policies play TreeAscent under "
    "that convention. This is tried on one path with each of 3, 5, 6 and 11 arms.",
    case="run under other conventions",
)
def conventions(under_test: Implementation, depth: Depth) -> Cases:
    for chosen in CONVENTIONS:
        for N in (3, 5, 6, 11):
            anytime = _anytime(under_test, N, 1, chosen)
            yield anytime.wrong(anytime.walk(in_turns(), announcements=3))
            known = _known(under_test, N, 1, 10 * N, chosen)
            yield known.wrong(known.walk(in_turns()))


@fidelity(
    "anytime-rigged",
    domain="The first questions follow the text for 2, 3, 4, 5, 7 and 12 arms, with DuelTest "
    f"and with BudgetedDuelTest at g = 3/10. {FIXED_OUTCOMES}",
    sizes={"questions:": _QUESTIONS},
    case="run with fixed outcomes",
)
def rigged(under_test: Implementation, depth: Depth) -> Cases:
    most = by_depth(depth, *_QUESTIONS)
    for N in (2, 3, 4, 5, 7, 12):
        setting = _anytime(under_test, N, N // 2)
        yield from setting.rigged(most, duel_tests(under_test), budgeted_tests(under_test))


@fidelity(
    "anytime-long",
    domain="Every match has the right length and self-play is one block through phase "
    f"{LAST_PHASE}, if the first of two arms wins every duel. Levels are far below the least "
    "float.",
    case="phase of two arms",
)
def long(under_test: Implementation, depth: Depth) -> Cases:
    tree = under_test.BalancedTree.over(2)
    stream = under_test.tg_ite_strong_anytime(0, tree, under_test.duel_test)
    for s in range(1, LAST_PHASE + 1):
        duels = shortest(Confidence(Fraction(1, 2 * 2 ** (2**s))))
        wanted = [(duels, Incumbent(0)), (0, SelfPlay(0, 2 ** (2**s)))]
        found = [won_duels(stream, most) for most, _ in wanted]
        yield "" if found == wanted else f"phase {s}: {found[0]}, then {found[1]}"
