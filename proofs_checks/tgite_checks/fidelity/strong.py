"""Fidelity of the strong-regret policies (``alg:tlcr-strong-known``, ``-anytime``)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Never

from tgite.confidence import Confidence
from tgite.conventions import Conventions
from tgite.questions import Arm, Duel, Incumbent, Match, Outcome, SelfPlay, Stream, match
from tgite.tree import BalancedTree
from tgite_checks.check import Cases, Check, Depth, Kind, Question, Result, by_depth, result_of
from tgite_checks.explore import MatchStream, paths, timed, walk
from tgite_checks.fidelity import expected
from tgite_checks.fidelity.boundaries import shortest
from tgite_checks.fidelity.environments import (
    RIGGED,
    all_conventions,
    decided_by,
    first_wins,
    for_policies,
    in_turns,
    won_by,
)
from tgite_checks.implementation import Implementation

_GAP = Fraction(3, 10)


def _ends_exactly(N: int) -> Iterator[int]:
    """Return the horizons at which a pass of two arms, the first winning, ends exactly."""
    for H in range(1, 100):
        if shortest(Confidence(Fraction(1, 2 * (H + 1)))) == H:
            yield H


def _cut_cases(under_test: Implementation, depth: Depth) -> Cases:
    exact = list(_ends_exactly(2))
    yield "" if exact else "no horizon at which the pass of two arms ends exactly"
    for N, most in by_depth(
        depth,
        ((2, 60), (3, 90), (5, 20)),
        ((2, 200), (3, 200), (5, 200), (8, 300)),
        ((2, 500), (3, 500), (5, 500), (8, 1000)),
    ):
        tree = under_test.BalancedTree.over(N)
        leaves = expected.completed(N)
        for told, rigged in RIGGED.items():
            for H in range(1, most):
                b = H % N
                policy = under_test.tg_ite_strong_known_horizon
                wrong = expected.difference(
                    policy(b, tree, H, under_test.duel_test),
                    expected.known_horizon(b, leaves, H, expected.duel_test),
                    for_policies(rigged()),
                    2 * H + 10,
                ) or expected.difference(
                    policy(b, tree, H, under_test.known_gap(_GAP)),
                    expected.known_horizon(b, leaves, H, expected.budgeted(_GAP)),
                    for_policies(rigged()),
                    2 * H + 10,
                )
                yield f"N = {N}, b_0 = {b}, H = {H}, {told}: {wrong}" if wrong else ""


def _cut(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_cut_cases(under_test, depth), "horizon with rigged outcomes")


def _rounds(question: Match, winner: Arm) -> int:
    """Let a match take 5 rounds, and 2 more if its second argument wins."""
    return 5 + 2 * (winner == question.second)


def _known_path_cases(under_test: Implementation, depth: Depth) -> Cases:
    for N in range(2, by_depth(depth, 5, 6, 8) + 1):
        tree = under_test.BalancedTree.over(N)
        leaves = expected.completed(N)
        for b in range(N):
            for H in (1, 4, 5, 6, 7, 8, 5 * (N - 1), 6 * (N - 1), 7 * (N - 1), 1000):

                def make(
                    tree: BalancedTree = tree, b: Arm = b, H: int = H
                ) -> MatchStream[Arm | None]:
                    return under_test.tg_ite_strong_known_horizon(b, tree, H, timed(_rounds))

                for path in paths(make, 2 * N):
                    wanted = expected.known_horizon(b, leaves, H, timed(_rounds))
                    wrong = expected.path_difference(path, wanted)
                    yield f"N = {N}, b_0 = {b}, H = {H}: {wrong}" if wrong else ""


def _known_paths(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_known_path_cases(under_test, depth), "sequence of winners")


def _anytime_path_cases(under_test: Implementation, depth: Depth) -> Cases:
    for N, phases in by_depth(
        depth,
        ((2, 6), (3, 3), (4, 2)),
        ((2, 8), (3, 4), (4, 3), (5, 2)),
        ((2, 8), (3, 5), (4, 3), (5, 2), (6, 2)),
    ):
        tree = under_test.BalancedTree.over(N)
        leaves = expected.completed(N)
        for b in range(N):

            def make(tree: BalancedTree = tree, b: Arm = b) -> MatchStream[Never]:
                return under_test.tg_ite_strong_anytime(b, tree, match)

            for path in paths(make, 5 * N * phases, phases):
                wrong = expected.path_difference(path, expected.anytime(b, leaves, match))
                yield f"N = {N}, b_0 = {b}: {wrong[:2000]}" if wrong else ""


def _anytime_paths(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_anytime_path_cases(under_test, depth), "sequence of winners")


LAST_PHASE = 14


def _phase_cases(under_test: Implementation, depth: Depth) -> Cases:
    for N in (2, 3, 5, 8, 13):
        tree = under_test.BalancedTree.over(N)
        leaves = expected.completed(N)
        for b, winner in ((0, N - 1), (N - 1, 0), (1, 1)):
            for told, decide in (
                (f"winner {winner}", decided_by(won_by(winner))),
                ("every third match goes to the second argument", in_turns()),
            ):
                stream = under_test.tg_ite_strong_anytime(b, tree, match)
                path = walk(stream, decide, N * LAST_PHASE, LAST_PHASE)
                wrong = expected.path_difference(path, expected.anytime(b, leaves, match))
                if not wrong and len(path.matches) != (N - 1) * LAST_PHASE:
                    wrong = f"{len(path.matches)} matches in {LAST_PHASE} phases"
                yield f"N = {N}, b_0 = {b}, {told}: {wrong[:2000]}" if wrong else ""


def _phases(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_phase_cases(under_test, depth), "run of fourteen phases")


def _composed(
    under_test: Implementation, tree: BalancedTree, b: Arm, conventions: Conventions
) -> Stream[Match | Incumbent | SelfPlay, Arm | None, Never]:
    """Put the anytime policy together from the implementation's own TreeAscent."""
    c = b
    s = 0
    while True:
        s += 1
        level = Confidence(Fraction(1, 2 ** (2**s)))
        c = yield from under_test.tree_ascent(c, tree, level, match, conventions)
        yield Incumbent(c)
        yield SelfPlay(c, 2 ** (2**s))


def _convention_cases(under_test: Implementation, depth: Depth) -> Cases:
    for conventions in all_conventions():
        for N in (3, 5, 6, 11):
            tree = under_test.BalancedTree.over(N, conventions)
            anytime = under_test.tg_ite_strong_anytime(1, tree, match, conventions)
            path = walk(anytime, in_turns(), 10 * N, announcements=3)
            wrong = expected.path_difference(path, _composed(under_test, tree, 1, conventions))
            yield f"anytime, N = {N}, {conventions}: {wrong[:2000]}" if wrong else ""
            H = 10 * N
            known = under_test.tg_ite_strong_known_horizon(1, tree, H, match, conventions)
            end = walk(known, in_turns(), 2 * N)
            level = Confidence(Fraction(1, H + 1))
            only = walk(
                under_test.tree_ascent(1, tree, level, match, conventions), in_turns(), 2 * N
            )
            same = end.matches == only.matches and end.result == only.result
            yield "" if same else f"known horizon, N = {N}, {conventions}: {end}"[:2000]


def _conventions(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_convention_cases(under_test, depth), "run under other conventions")


def _rigged_cases(under_test: Implementation, depth: Depth) -> Cases:
    questions = by_depth(depth, 3000, 8000, 100_000)
    for N in (2, 3, 4, 5, 7, 12):
        tree = under_test.BalancedTree.over(N)
        leaves = expected.completed(N)
        for told, rigged in RIGGED.items():
            b = N // 2
            wrong = expected.difference(
                under_test.tg_ite_strong_anytime(b, tree, under_test.duel_test),
                expected.anytime(b, leaves, expected.duel_test),
                for_policies(rigged()),
                questions,
            ) or expected.difference(
                under_test.tg_ite_strong_anytime(b, tree, under_test.known_gap(_GAP)),
                expected.anytime(b, leaves, expected.budgeted(_GAP)),
                for_policies(rigged()),
                questions,
            )
            yield f"N = {N}, b_0 = {b}, {told}: {wrong}" if wrong else ""


def _rigged(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_rigged_cases(under_test, depth), "run with rigged outcomes")


def _long_cases(under_test: Implementation, depth: Depth) -> Cases:
    """Play two arms through phase 14, duel by duel, with self-play as one block each."""
    tree = under_test.BalancedTree.over(2)
    stream = under_test.tg_ite_strong_anytime(0, tree, under_test.duel_test)
    question: Duel | Incumbent | SelfPlay = next(stream)
    for s in range(1, LAST_PHASE + 1):
        wanted = shortest(Confidence(Fraction(1, 2 * 2 ** (2**s))))
        asked: list[Incumbent | SelfPlay] = []
        duels = 0
        while duels <= wanted and len(asked) < 2:
            reply: Outcome | None = None
            if isinstance(question, Duel):
                duels += 1
                reply = first_wins(question)
            else:
                asked.append(question)
            question = stream.send(reply)
        right = duels == wanted and asked == [Incumbent(0), SelfPlay(0, 2 ** (2**s))]
        yield "" if right else f"phase {s}: {duels} duels, expected {wanted}, then {len(asked)}"


def _long(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_long_cases(under_test, depth), "phase of two arms")


CUT = Check(
    name="known-horizon-cut",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="2, 3, 5 and 8 arms (quick: not 8), every horizon to 499, with 8 arms to 999 (quick: to "
    "59, 89, 19; standard: to 199, 299), DuelTest, and BudgetedDuelTest at g = 3/10, four rigged "
    "environments: every question, the horizon inside the pass, at its very end and after it",
    run=_cut,
    rejects=(
        "known-horizon-one-round-late",
        "known-horizon-self-play-full",
        "known-horizon-plays-start",
        "known-horizon-level-of-2h",
        "known-horizon-exact-end-expires",
    ),
)

KNOWN_PATHS = Check(
    name="known-horizon-paths",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="2 to 8 arms (quick: 5, standard: 6), every starting arm, matches of 5 or 7 rounds, ten "
    "horizons, every winner of every match: matches, levels, self-play and result",
    run=_known_paths,
    rejects=("known-horizon-counts-matches", "known-horizon-overshoot-counts"),
)

ANYTIME_PATHS = Check(
    name="anytime-paths",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="2 to 4 arms (standard: 5, deep: 6), every starting arm, two to eight phases (fewer for "
    "more arms), every winner of every match: matches, exact levels, announcements and self-play",
    run=_anytime_paths,
    rejects=(
        "anytime-restarts-at-start",
        "anytime-level-constant",
        "anytime-phases-from-2",
        "anytime-plays-start",
    ),
)

PHASES = Check(
    name="anytime-phases",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="2, 3, 5, 8 and 13 arms, three starting arms, two paths each through phase 14: every "
    "match, its exact level, and self-play of 2^2^s rounds",
    run=_phases,
    rejects=("anytime-self-play-capped", "anytime-level-capped"),
)

CONVENTIONS = Check(
    name="strong-conventions",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="36 conventions; 3, 5, 6 and 11 arms, one path each: both policies play TreeAscent "
    "under the same conventions",
    run=_conventions,
    rejects=("anytime-conventions-dropped", "known-horizon-conventions-dropped"),
)

RIGGED_RUNS = Check(
    name="anytime-rigged",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="2, 3, 4, 5, 7 and 12 arms, DuelTest, and BudgetedDuelTest at g = 3/10; the first arm "
    "always wins, always loses, one arm beats all, and its outcomes swapped: every question of the "
    "first 100000 (quick: 3000, standard: 8000)",
    run=_rigged,
    rejects=("anytime-passes-by-dueltest",),
)

LONG = Check(
    name="anytime-long",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="2 arms, the first of which wins every duel, played duel by duel through phase 14, far "
    "beyond the levels that floats can hold: the length of every match, and self-play as one block",
    run=_long,
    rejects=("anytime-self-play-before-pass",),
)

CHECKS = (CUT, KNOWN_PATHS, ANYTIME_PATHS, PHASES, CONVENTIONS, RIGGED_RUNS, LONG)
