"""RUCB, RMED1, D-TS, Beat-the-Mean, Interleaved Filter, MergeRUCB: traces and measured regrets.

The measured regrets are of independent versions of the same algorithms on the cyclic instance with
gaps 0.30 and 0.38, eight arms and 20 000 rounds (means of three seeds): RUCB 775, RMED1 376, D-TS
293, Interleaved Filter 2 4476, Beat-the-Mean 3354. The first three are looked at after 5000 rounds,
when most of it is there.

``test_comparators_broken.py`` runs the checks, on broken versions too.
"""

from __future__ import annotations

import itertools
import math
import random
import statistics
from collections.abc import Callable
from fractions import Fraction
from types import ModuleType
from typing import Never

import numpy as np
import pytest

from comparator_breaking import Makers, noticing
from tgite import (
    CallbackEnvironment,
    Duel,
    Outcome,
    Run,
    SeededEnvironment,
    SelfPlay,
    Stream,
    cyclic,
    play,
)
from tgite.comparators import (
    beat_the_mean,
    double_ts,
    interleaved_filter,
    merge_rucb,
    rmed,
    rucb,
)
from tgite.comparators.ties import lowest_index

T = 20_000


Rounds = Stream[Duel | SelfPlay, Outcome | None, Never]


def questions(
    stream: Rounds, first_wins: Callable[[int, int], bool], number: int
) -> list[Duel | SelfPlay]:
    """The first questions of a stream, for sure outcomes."""
    asked: list[Duel | SelfPlay] = []
    question = next(stream)
    for _ in range(number):
        asked.append(question)
        reply = (
            None if isinstance(question, SelfPlay) else first_wins(question.first, question.second)
        )
        question = stream.send(reply)
    return asked


def regret(make: Callable[[int], Rounds], seeds: int = 3, horizon: int = T) -> float:
    """The mean strong regret on the instance of the measurements."""
    instance = cyclic(8, "0.30", "0.38")
    regrets = []
    for seed in range(seeds):
        environment = SeededEnvironment(instance, seed)
        run: Run[Never] = play(make(seed), environment, instance.winner(), horizon=horizon)
        regrets.append(run.strong_regret or 0)
    return statistics.fmean(regrets)


@noticing(
    "wins",
    (
        "out=np.ones_like(duels), where=met)\n        radius",
        "out=np.zeros_like(duels), where=met)\n        radius",
    ),
    ("share - radius\n", "share\n"),
)
def check_bounds(module: ModuleType) -> None:
    record = module.Wins(3)
    for i_wins in (True, True, False):
        record.told(0, 1, i_wins)
    record.told(2, 2, None)
    upper, lower = record.bounds(0.75)
    assert upper.ravel().tolist() == pytest.approx(
        [0.5, 2 / 3 + 0.5, 2, 1 / 3 + 0.5, 0.5, 2, 2, 2, 0.5]
    )
    assert lower.ravel().tolist() == pytest.approx(
        [0.5, 2 / 3 - 0.5, 0, 1 / 3 - 0.5, 0.5, 0, 0, 0, 0.5]
    )


def literal_rucb(
    N: int, choices: random.Random, outcomes: random.Random, rounds: int
) -> list[object]:
    """RUCB with loops and sets, from the published pseudocode, told its own outcomes."""
    W = [[0] * N for _ in range(N)]
    B: set[int] = set()
    pairs: list[object] = []
    for t in range(1, rounds + 1):
        U = [[0.5] * N for _ in range(N)]
        for i, j in itertools.permutations(range(N), 2):
            n = W[i][j] + W[j][i]
            U[i][j] = 2.0 if n == 0 else W[i][j] / n + math.sqrt(0.51 * math.log(t) / n)
        C = [c for c in range(N) if all(U[c][j] >= 0.5 for j in range(N))]
        B &= set(C)
        if len(C) == 1:
            B = set(C)
        if not C:
            c = choices.randrange(N)
        elif len(C) == 1:
            (c,) = C
        elif B and choices.random() < 0.5:
            (c,) = B
        else:
            c = choices.choice([arm for arm in C if arm not in B])
        top = max(U[j][c] for j in range(N))
        others = [j for j in range(N) if U[j][c] == top and j != c]
        d = others[0] if others else c
        pairs.append((c, d))
        if c != d:
            if outcomes.random() < (0.8 if c < d else 0.2):
                W[c][d] += 1
            else:
                W[d][c] += 1
    return pairs


@noticing(
    "rucb",
    ("upper[:, champion]", "upper[champion]"),
    ("hypothesis = candidates[0]", "hypothesis = None"),
)
def check_rucb_trace(module: ModuleType) -> None:
    for N, seed in ((2, 1), (3, 2), (5, 3)):
        outcomes = random.Random(seed)
        stream, pairs = module.rucb(N, random.Random(seed)), []
        question = next(stream)
        for _ in range(1200):
            if isinstance(question, SelfPlay):
                pairs.append((question.arm, question.arm))
                question = stream.send(None)
            else:
                pairs.append((question.first, question.second))
                first = 0.8 if question.first < question.second else 0.2
                question = stream.send(outcomes.random() < first)
        assert pairs == literal_rucb(N, random.Random(seed), random.Random(seed), 1200)
        assert (0, 0) in pairs


@noticing("rucb", ("and arm != champion", "and arm >= 0"))
def check_rucb_opponent(module: ModuleType) -> None:
    """Others come first where they tie with the champion; alone it meets itself."""
    assert module.opponent_of(0, np.full((3, 3), 2.0), lowest_index) == 1
    assert module.opponent_of(0, np.full((3, 3), 0.5), lowest_index) == 1
    assert module.opponent_of(0, np.array([[0.5, 0.9], [0.4, 0.5]]), lowest_index) == 0


@noticing("rucb", ("(upper[arm] >= 1 / 2)", "(upper[:, arm] >= 1 / 2)"))
def check_rucb_regret(module: ModuleType) -> None:
    assert (
        500 < regret(lambda seed: module.rucb(8, random.Random(seed)), seeds=1, horizon=5000) < 1000
    )


@noticing("rmed", ("range(i + 1, N)", "range(i, N)"))
def check_rmed_trace(module: ModuleType) -> None:
    """Sure outcomes: every pair once, then arm 0 alone is near, and plays itself for ever."""
    asked = questions(module.rmed1(3, 0.5), lambda u, v: u < v, 9)
    assert asked[:3] == [Duel(0, 1), Duel(0, 2), Duel(1, 2)]
    # The first loop holds all arms. Arm 0 loses to nobody; arms 1 and 2 lose to it.
    assert asked[3:6] == [SelfPlay(0, 1), Duel(1, 0), Duel(2, 0)]
    # Then I = (0, 2 log 2, 3 log 2) against log 6 + 0.5 = 2.29: all three, then all but arm 2.
    assert asked[6:] == [SelfPlay(0, 1), Duel(1, 0), Duel(2, 0)]


@noticing(
    "rmed",
    ("counted = share <= 1 / 2", "counted = share >= 1 / 2"),
    ("duels * parts", "parts"),
    ("if likeliest in losing or not losing", "if not losing"),
)
def check_rmed_divergence(module: ModuleType) -> None:
    won = np.array([[0.0, 1.0, 0.0], [3.0, 0.0, 2.0], [0.0, 2.0, 0.0]])
    d = 0.25 * math.log(0.5) + 0.75 * math.log(1.5)
    assert module.divergences(won).tolist() == pytest.approx([4 * d, 0, 0])
    won[2] = (5.0, 0.0, 0.0)
    assert module.divergences(won).tolist() == pytest.approx(
        [4 * d + 5 * math.log(2), 0, 2 * math.log(2)]
    )
    assert module.opponent_of(0, won) == 1
    assert module.opponent_of(1, won) == 1
    # Arm 2 loses to the likeliest arm, 1; without that duel to nobody.
    assert module.opponent_of(2, won) == 1
    cycle = np.array([[0.0, 9.0, 1.0], [1.0, 0.0, 9.0], [8.0, 1.0, 0.0]])
    assert module.divergences(cycle).argmin() == 0
    assert module.opponent_of(0, cycle) == 2


@noticing("rmed", ("<= log(t) + tolerance", "<= 50 * log(t) + tolerance"))
def check_rmed_regret(module: ModuleType) -> None:
    assert 220 < regret(lambda seed: module.rmed1(8), seeds=1, horizon=5000) < 500


@noticing(
    "double_ts",
    ("votes == votes.max()", "votes == votes.min()"),
    (
        "wins.won[:, first] + 1, wins.won[first] + 1",
        "wins.won[first] + 1, wins.won[:, first] + 1",
    ),
)
def check_double_ts(module: ModuleType) -> None:
    assert (
        180
        < regret(
            lambda seed: module.double_ts(8, np.random.default_rng(seed)), seeds=1, horizon=5000
        )
        < 420
    )


@noticing("beat_the_mean", ("log(2 * T * N)", "log(1 / (2 * T * N) + 2)"))
def check_beat_the_mean_trace(module: ModuleType) -> None:
    """Sure outcomes: the last arm leaves once both radii are below 1/2, the others follow."""
    run = play(
        module.beat_the_mean(3, 1000, random.Random(1)),
        CallbackEnvironment(lambda u, v: u < v),
        winner=0,
        horizon=5000,
    )
    # Two arms remain after 2 sqrt(log(6000)/n) <= 1: n = 35 duels of each of three arms.
    assert run.strong_regret is not None
    n = math.ceil(4 * math.log(2 * 1000 * 3))
    assert n == 35
    assert 3 * n - 2 <= run.strong_regret <= 3 * n + 2 * n


@noticing("beat_the_mean", ("min(active, key=shares", "max(active, key=shares"))
def check_beat_the_mean_regret(module: ModuleType) -> None:
    assert (
        2600 < regret(lambda seed: module.beat_the_mean(8, T, random.Random(seed)), seeds=1) < 4200
    )


@noticing(
    "interleaved_filter",
    ("4 * log(T * N**2)", "log(T * N**2)"),
    ("share[arm] - c <= 1 / 2]", "share[arm] - c <= 2]"),
)
def check_interleaved_filter_trace(module: ModuleType) -> None:
    """Sure outcomes with the last arm as winner: the candidates follow one another."""
    run = play(
        module.interleaved_filter(3, 100, pruning=True),
        CallbackEnvironment(lambda u, v: u > v),
        winner=2,
        horizon=3000,
    )
    # Candidate 0 loses surely to 1 and 2 when sqrt(4 log(900)/t) < 1/2: from t = 109 on. Arm 1
    # takes over, and arm 2 stays (it leads); then arm 1 loses to 2 after 109 more.
    t = math.floor(16 * math.log(900)) + 1
    assert t == 109
    assert run.comparisons == 2 * t + t
    kept = play(
        module.interleaved_filter(3, 100),
        CallbackEnvironment(lambda u, v: (u, v) in ((0, 1), (2, 0), (2, 1))),
        winner=2,
        horizon=3000,
    )
    # Arm 1 leaves and arm 2 takes over in the same loop: nobody is left.
    assert kept.comparisons == 2 * t
    best = play(
        module.interleaved_filter(3, 100), CallbackEnvironment(lambda u, v: u < v), 0, horizon=3000
    )
    assert best.comparisons == 2 * t


@noticing("interleaved_filter", ("if pruning:", "if not pruning:"))
def check_pruning(module: ModuleType) -> None:
    """IF2 drops an arm that the old candidate leads without being sure; IF1 keeps it."""
    left = []
    for pruning in (True, False):
        told = {1: 0, 2: 0}

        def nearly_even(u: int, v: int) -> bool:
            if v == 1 and u == 0:
                return False
            told[v] = told.get(v, 0) + 1  # noqa: B023
            return told[v] % 2 == 1  # noqa: B023

        stream = module.interleaved_filter(3, 100, pruning=pruning)
        left.append(questions(stream, nearly_even, 240)[-1])
    assert left[0] == SelfPlay(1, 1)
    assert left[1] == Duel(1, 2)


@noticing("interleaved_filter")
def check_interleaved_filter_regret(module: ModuleType) -> None:
    assert 3000 < regret(lambda seed: module.interleaved_filter(8, T)) < 5600


@noticing("merge_rucb", ("4 * alpha - 1", "4 * alpha"), ("any(upper[k] <", "any(upper[:, k] <"))
def check_merge_rucb(module: ModuleType) -> None:
    """Its constant is the published one; the winner alone stays, whatever N and its place."""
    assert module.time_offset(256, 1.01, 0.01) == 14_053_918
    for N, best in ((2, 1), (5, 3), (7, 0), (16, 9), (33, 32)):
        stream = module.merge_rucb(N, random.Random(N))
        environment = CallbackEnvironment(lambda u, v: u == best or (v != best and u < v))  # noqa: B023
        run = play(stream, environment, winner=best, horizon=40_000)
        assert run.strong_regret is not None
        assert run.comparisons < run.rounds == 40_000
        assert run.strong_regret == run.comparisons


@noticing("merge_rucb", ("left[1:-1]", "left[:-1]"))
def check_merging(module: ModuleType) -> None:
    assert module.merged([[1], [2, 3], [4, 5, 6]], 4) == [[1, 4, 5, 6], [2, 3]]
    assert module.merged([[1, 2, 3, 4, 5], [6, 7, 8, 9], [0]], 4) == [
        [0, 1, 2, 3, 4, 5],
        [6, 7, 8, 9],
    ]
    assert module.merged([[1], [2]], 2) == [[1, 2]]


@noticing("merge_rucb")
def check_merge_rucb_when_stuck(module: ModuleType) -> None:
    """Batches of one arm each are merged, even where the survivors are too many by the rule."""
    stream = module.merge_rucb(7, random.Random(1), p=2)
    run = play(stream, CallbackEnvironment(lambda u, v: u < v), winner=0, horizon=20_000)
    assert run.comparisons < run.rounds == 20_000
    assert run.strong_regret == run.comparisons


BAD_PARAMETERS: Makers = (
    lambda: rucb.rucb(1, random.Random(1)),
    lambda: rucb.rucb(4, random.Random(1), alpha=0.5),
    lambda: rmed.rmed1(1),
    lambda: rmed.rmed1(4, -1.0),
    lambda: double_ts.double_ts(1, np.random.default_rng(1)),
    lambda: double_ts.double_ts(4, np.random.default_rng(1), alpha=math.inf),
    lambda: beat_the_mean.beat_the_mean(4, 0, random.Random(1)),
    lambda: beat_the_mean.beat_the_mean(4, 9, random.Random(1), gamma=Fraction(1, 2)),
    lambda: interleaved_filter.interleaved_filter(1, 9),
    lambda: interleaved_filter.interleaved_filter(4, 0),
    lambda: merge_rucb.merge_rucb(4, random.Random(1), p=1),
    lambda: merge_rucb.merge_rucb(4, random.Random(1), delta=1.0),
)
