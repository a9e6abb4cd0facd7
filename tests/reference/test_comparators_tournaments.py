"""BKT on all arms, SeqElim in both readings, Knockout and WSW-PE: counts, traces, errors.

``test_comparators_broken.py`` runs the checks, on broken versions too.
"""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction
from types import ModuleType

import pytest

from comparator_breaking import Makers, noticing
from tgite import (
    CallbackEnvironment,
    Confidence,
    Duel,
    Match,
    SeededEnvironment,
    Stream,
    cyclic,
    drive,
    duel_test,
    match,
    play,
)
from tgite.comparators import bkt_all, knockout, seq_elim, wsw_pe
from tgite.comparators.winner_stays import ws_w

TENTH = Confidence(Fraction(1, 10))


def matches(stream: Stream[Match, int, int], best: int) -> list[Match]:
    """The matches that a stream plays when ``best`` always wins, else the lower number."""
    asked: list[Match] = []

    def answer(question: Match) -> int:
        asked.append(question)
        pair = (question.first, question.second)
        return best if best in pair else min(pair)

    assert drive(stream, answer) == best
    return asked


@noticing("bkt_all", ("bkt(range(N),", "bkt(range(1, N + 1),"))
def check_bkt_all(module: ModuleType) -> None:
    """N - 1 matches in ceil(log2 N) rounds, for every N and every place of the winner."""
    for N in (*range(2, 40), 256):
        for best in {0, N // 2, N - 1}:
            asked = matches(module.bkt_all(N, TENTH, match), best)
            assert len(asked) == N - 1
            assert len({question.delta for question in asked}) == math.ceil(math.log2(N))
            assert sum(best in (question.first, question.second) for question in asked) >= 1


@noticing(
    "seq_elim",
    ("rational / (len(S) - 1)", "rational / len(S)"),
    ("test(champion, challenger, level)", "test(S[0], challenger, level)"),
)
def check_seq_elim(module: ModuleType) -> None:
    """The champion meets each other arm once, at delta/(N-1), in the given order."""
    for N in range(2, 30):
        for best in range(N):
            asked = matches(module.seq_elim(range(N), TENTH, match), best)
            level = Confidence(Fraction(1, 10 * (N - 1)))
            champions = [0 if arm <= best else best for arm in range(1, N)]
            assert asked == [
                Match(champion, arm, level)
                for champion, arm in zip(champions, range(1, N), strict=True)
            ]


@noticing(
    "seq_elim",
    ("rational / len(S))", "rational)"),
    ("gap > middle", "gap < middle"),
    ("most = 2 * (log", "most = (log"),
    ("gap > middle", "gap >= middle"),
)
def check_seq_eliminate_pac(module: ModuleType) -> None:
    """An unbeaten challenger is compared until its gap leaves the middle by the radius."""
    for N in (2, 3, 7):
        level = Fraction(1, 10 * N)
        t = next(
            t for t in itertools.count(1) if math.sqrt(math.log(4 * t * t / level) / (2 * t)) < 0.5
        )
        for best in range(N):
            stream = module.seq_eliminate_pac(range(N), Fraction(-1, 4), Fraction(1, 4), TENTH)
            run = play(stream, CallbackEnvironment(lambda u, v: wins(u, v, best)))  # noqa: B023
            assert run.returned == best
            # The challenger's gap is +-1/2 at every t, and the middle 0: t duels decide.
            assert run.comparisons == (N - 1) * t
    # Never decided: floor(2 log(2/level) / (upper - lower)**2) + 1 duels; a tie keeps the anchor.
    outcomes = itertools.cycle((False, True))
    stream = module.seq_eliminate_pac((4, 6), Fraction(-13, 100), Fraction(13, 100), TENTH)
    run = play(stream, CallbackEnvironment(lambda u, v: next(outcomes)))
    assert run.comparisons == math.floor(2 * math.log(2 / 0.05) / 0.26**2) + 1 == 110
    assert run.returned == 4


def wins(u: int, v: int, best: int) -> bool:
    return u == best or (v != best and u < v)


@noticing("knockout", ("2 ** (i / 3)", "2**i"))
def check_knockout_numbers(module: ModuleType) -> None:
    assert module.round_tolerance(Fraction(32, 100), Fraction(1), 1) == pytest.approx(
        0.066016, abs=1e-6
    )
    level, tolerance = Confidence(Fraction(1, 20)), 0.066016
    assert module.most_duels(tolerance, level) == pytest.approx(423.22, abs=0.02)
    tolerances = [module.round_tolerance(Fraction(1, 3), Fraction(1), i) for i in range(1, 200)]
    assert sum(tolerances) == pytest.approx(1 / 3)
    assert module.round_tolerance(Fraction(1, 3), Fraction(2), 4) == pytest.approx(
        tolerances[3] / 2
    )


@noticing(
    "knockout",
    ("r <= most", "r < most - 1"),
    ("rational / 2**i", "rational"),
    ("radius - tolerance", "radius - 2 * tolerance"),
)
def check_knockout_ceiling(module: ModuleType) -> None:
    """Outcomes that alternate decide nothing: every comparison takes floor(m) + 1 duels."""
    for N, ceiling in ((8, 4762), (16, 12_172), (32, 29_052), (256, 319_212)):
        told: dict[Duel, int] = {}

        def alternating(u: int, v: int) -> bool:
            duel = Duel(u, v)
            told[duel] = told.get(duel, 0) + 1  # noqa: B023
            return told[duel] % 2 == 0  # noqa: B023

        run = play(
            module.knockout(range(N), Fraction(32, 100), TENTH), CallbackEnvironment(alternating)
        )
        assert run.comparisons == ceiling
        # At an even count the mean is 1/2, and the tie goes to the second argument.
        assert len(told) == N - 1


@noticing(
    "knockout", ("v if gap <= 0", "v if gap >= 0"), ("winners + odd_one", "odd_one + winners")
)
def check_knockout_trace(module: ModuleType) -> None:
    """Sure outcomes: an odd one out passes, every comparison is as short as it can be."""
    asked: list[tuple[int, int]] = []

    def sure(u: int, v: int) -> bool:
        if (u, v) not in asked:
            asked.append((u, v))
        return u < v

    run = play(module.knockout((3, 1, 4, 0, 5), Fraction(1, 4), TENTH), CallbackEnvironment(sure))
    assert asked == [(3, 1), (4, 0), (1, 0), (0, 5)]
    assert run.returned == 0
    share = 2 ** (1 / 3) - 1
    fewest = 0
    for i, comparisons in ((1, 2), (2, 1), (3, 1)):
        tolerance, level = share / 4 / 2 ** (i / 3), 0.1 / 2**i
        r = next(
            r
            for r in itertools.count(1)
            if math.sqrt(math.log(4 * r * r / level) / (2 * r)) - tolerance < 0.5
        )
        fewest += comparisons * r
    assert run.comparisons == fewest
    shuffled = module.knockout(range(8), Fraction(1, 4), TENTH, shuffle=random.Random(3))
    assert next(shuffled) != Duel(0, 1)


@noticing(
    "wsw_pe",
    ("k * (k + 1))", "k)"),
    ("== N - 1", "== N - 2 + (N == 2)"),
    ("won[i][j] + won[j][i]", "won[i][j]"),
)
def check_wsw_pe_marks(module: ModuleType) -> None:
    """It ends with the first arm that confidently beats all others, recounted from its duels."""
    for N, seed in ((2, 1), (3, 2), (6, 3), (6, 4)):
        played: dict[tuple[int, int], list[int]] = {}
        beaten: list[set[int]] = [set() for _ in range(N)]
        instance, outcomes = cyclic(N + N % 2, "0.2", "0.3"), random.Random(seed)
        stream, reference = module.wsw_pe(N, TENTH), ws_w(N)
        duel, unchanged = next(stream), next(reference)
        while True:
            assert duel == unchanged
            i, j = duel.first, duel.second
            outcome = outcomes.random() < instance.probability(i, j)
            for a, b, won in ((i, j, outcome), (j, i, not outcome)):
                count = played.setdefault((a, b), [0, 0])
                count[0] += won
                count[1] += 1
                k = count[1]
                margin = math.sqrt(math.log(N * (N - 1) * k * (k + 1) / 0.1) / (2 * k))
                if count[0] / k - margin > 1 / 2:
                    beaten[a].add(b)
            done = [arm for arm in range(N) if len(beaten[arm]) == N - 1]
            try:
                duel = stream.send(outcome)
                unchanged = reference.send(outcome)
            except StopIteration as stop:
                answer = stop.value
                break
            assert not done
        assert done == [answer]


@noticing("wsw_pe", ("/ (2 * k))", "/ (40 * k))"))
def check_wsw_pe_errors(module: ModuleType) -> None:
    """Its answers are right, and no pair of the winner is met too rarely."""
    least = next(k for k in itertools.count(1) if module.radius(k, 4, TENTH) < 0.5)
    for seed in range(60):
        run = play(module.wsw_pe(4, TENTH), SeededEnvironment(cyclic(4, "0.25", "0.3"), seed), 2)
        assert run.returned == 2
        assert run.comparisons >= 3 * least
        assert run.weak_regret is not None
        assert run.comparisons - run.weak_regret >= 3 * least


def test_seq_elim_with_duels() -> None:
    run = play(
        seq_elim.seq_elim(range(8), TENTH, duel_test),
        SeededEnvironment(cyclic(8, "0.3", "0.4"), 1),
        winner=4,
    )
    assert run.returned == 4


HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


BAD_PARAMETERS: Makers = (
    lambda: bkt_all.bkt_all(1, TENTH, match),
    lambda: seq_elim.seq_elim((), TENTH, match),
    lambda: seq_elim.seq_elim((1, 1), TENTH, match),
    lambda: seq_elim.seq_eliminate_pac((0, 1), QUARTER, QUARTER, TENTH),
    lambda: seq_elim.seq_eliminate_pac((0, 1), QUARTER, Fraction(2), TENTH),
    lambda: seq_elim.seq_eliminate_pac((0, 1), -QUARTER, QUARTER, Confidence(HALF, basel=True)),
    lambda: knockout.knockout((), QUARTER, TENTH),
    lambda: knockout.knockout((0, 1), Fraction(0), TENTH),
    lambda: knockout.knockout((0, 1), QUARTER, TENTH, gamma=HALF),
    lambda: wsw_pe.wsw_pe(1, TENTH),
    lambda: wsw_pe.verified(ws_w(2), 1, TENTH),
)
