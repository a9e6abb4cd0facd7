"""Playing the slowest comparators for many seeds at once: each seed is a row of numpy's arrays.

The streams in ``tgite.comparators`` are the definitions. The streams here ask the same duels for
each seed, after the same outcomes and from the same random numbers: a row goes through the
floating-point operations of its own run, so that not even a rounding differs.

The rounds of these comparators are short: played one by one, most of their time goes into calling
numpy.
"""

from __future__ import annotations

import itertools
import random
from array import array
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Never, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tgite import Arm, Outcome, Preferences
from tgite.comparators.tsallis_inf import learning_rate
from tgite.comparators.versatile_db import losses
from tgite.comparators.wr_tinf import loss_estimate
from tgite_checks.figures.together_tsallis import TsallisRows

Rows: TypeAlias = Generator[tuple[list[Arm], list[Arm]], list[Outcome | None], Never]
"""A stream for many seeds: asks all first and all second arms of a round, takes all outcomes.

The outcome of a self-comparison is ``None``.
"""


def wr_tinf_rows(N: int, choices: Sequence[random.Random], c: float = 2.0) -> Rows:
    """Play ``wr_tinf`` with each of the generators; never returns."""
    learners = TsallisRows(N, len(choices))
    draws = [one.random for one in choices]
    t = 0
    while True:
        t += 1
        learners.weigh(learning_rate(c, t))
        learners.cumulate()
        firsts, seconds = (learners.arms_at([draw() for draw in draws]) for _ in range(2))
        outcomes = yield firsts, seconds
        rows = zip(learners.weights, learners.losses, firsts, seconds, outcomes, strict=True)
        for p, its_losses, i, j, i_wins in rows:
            arm, increment = loss_estimate(p, i, j, i_wins)
            its_losses[arm] += increment


def versatile_db_rows(N: int, choices: Sequence[random.Random], c: float = 2.0) -> Rows:
    """Play ``versatile_db`` with each of the generators; never returns."""
    runs = len(choices)
    # First all learners of first places, then those of second places.
    learners = TsallisRows(N, 2 * runs)
    draws = [one.random for one in choices] * 2
    t = 0
    while True:
        t += 1
        learners.weigh(learning_rate(c, t))
        learners.cumulate()
        arms = learners.arms_at([draw() for draw in draws])
        outcomes = yield arms[:runs], arms[runs:]
        lost = [losses(i_wins) for i_wins in outcomes]
        parts = itertools.chain((of_i for of_i, _ in lost), (of_j for _, of_j in lost))
        rows = zip(learners.weights, learners.losses, arms, parts, strict=True)
        for p, its_losses, arm, loss in rows:
            its_losses[arm] += loss / p[arm]


def wr_exp3_ix_rows(N: int, choices: Sequence[random.Random]) -> Rows:
    """Play ``wr_exp3_ix`` with each of the generators; never returns.

    Needs ``N**2`` numbers of memory for each.
    """
    K, runs = N - 1, len(choices)
    # The losses of all attackers, of all targets of the first seed, then of the second, ...
    attackers = np.zeros((runs * N, N))
    attackers[range(runs * N), [*range(N)] * runs] = np.inf
    played = [0] * (runs * N)
    scores = list(np.zeros((runs, N), np.intp))
    weights, cumulated = np.empty((runs, N)), np.empty((runs, N))
    rows_of_weights, last = list(weights), cumulated[:, -1]
    draws = [one.random for one in choices]
    incumbents = [0] * runs
    while True:
        attacking = [row * N + i for row, i in enumerate(incumbents)]
        for attacker in attacking:
            played[attacker] += 1
        etas = [sqrt(log(K) / (K * played[attacker])) for attacker in attacking]
        # All numbers are in range; only a mode other than "raise" writes to ``out`` unbuffered.
        attackers.take(attacking, axis=0, out=weights, mode="clip")
        if K > 1:
            np.subtract(weights, weights.min(axis=1, keepdims=True), weights)
            np.multiply(weights, -np.array(etas)[:, None], weights)
            np.exp(weights, weights)
        else:
            np.isfinite(weights, weights)
        np.add.accumulate(weights, axis=1, out=cumulated)
        totals: list[float] = last.tolist()
        numbers = [draw() * total for draw, total in zip(draws, totals, strict=True)]
        opponents: list[Arm] = (cumulated > np.array(numbers)[:, None]).argmax(axis=1).tolist()
        outcomes = yield incumbents, opponents
        for row, i_wins in enumerate(outcomes):
            i, j, score = incumbents[row], opponents[row], scores[row]
            if i_wins:
                probability = float(rows_of_weights[row][j]) / totals[row]
                attackers[attacking[row], j] += 1 / (probability + etas[row] / 2)
                score[i] += 1
                continue
            score[i] -= 1
            leader = int(score.argmax())
            if score[i] < score[leader]:
                incumbents[row] = leader


TOGETHER: Mapping[str, Callable[[int, Sequence[random.Random]], Rows]] = {
    "versatile-db": versatile_db_rows,
    "wr-tinf": wr_tinf_rows,
    "wr-exp3-ix": wr_exp3_ix_rows,
}
"""The contestants that many seeds can be played of at once, with the parameters they play with."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """What was played: a row for each round, a column for each seed.

    ``won`` says whether the first arm won; it is false where an arm was compared with itself.
    """

    first: NDArray[np.intc]
    second: NDArray[np.intc]
    won: NDArray[np.bool_]


def play_rows(stream: Rows, preferences: Preferences, seeds: Sequence[int], horizon: int) -> Rounds:
    """Play so many rounds of a stream, against a ``SeededEnvironment`` of each seed."""
    arms = range(preferences.size)
    chances = [[float(preferences.probability(i, j)) for j in arms] for i in arms]
    draws = [random.Random(seed).random for seed in seeds]
    first, second, won = array("i"), array("i"), bytearray()
    firsts, seconds = next(stream)
    for left in reversed(range(horizon)):
        outcomes = [
            None if i == j else chances[i][j] > draw()
            for i, j, draw in zip(firsts, seconds, draws, strict=True)
        ]
        first.extend(firsts)
        second.extend(seconds)
        won.extend(map(bool, outcomes))
        if left:
            firsts, seconds = stream.send(outcomes)
    shape = horizon, len(seeds)
    return Rounds(
        np.frombuffer(first, np.intc).reshape(shape),
        np.frombuffer(second, np.intc).reshape(shape),
        np.frombuffer(won, np.bool_).reshape(shape),
    )
