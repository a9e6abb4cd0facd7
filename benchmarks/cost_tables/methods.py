"""Methods of finding the winner, each with its cost.

They are the paper's algorithms, with its tests and with those beyond the paper, the comparators of
the figures, and comparing every pair a fixed number of times. If the matches have an exact law, the
mean is exact. Other methods are played. If that takes too long, their budgets are summed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import sqrt
from statistics import fmean, stdev
from typing import TypeAlias

from tgite import (
    Arm,
    BalancedTree,
    Confidence,
    Duel,
    Ended,
    Outcome,
    PairwiseTest,
    Preferences,
    SeededEnvironment,
    play,
)
from tgite.comparators.knockout import knockout, most_duels, round_tolerance
from tgite.comparators.seq_elim import seq_elim, seq_eliminate_pac
from tgite.comparators.ties import uniformly
from tgite.comparators.wsw_pe import wsw_pe
from tgite.confidence import ceil_of_log
from tgite_laws.bracket import Meeting, bracket, bracket_law
from tgite_laws.implementation import REFERENCE
from tgite_laws.match_law import MatchLaws
from tgite_laws.pairs import pairs
from tgite_laws.pairwise import ChosenTest, PairwiseName

RUNS = 20
"""The number of runs of a method without an exact law."""

MOST_PLAYED = 100_000
"""A method is not played if a run may take more duels."""

_MOST_IN_A_CHAIN = 1024
"""The most arms for which a bracket that is one long chain is computed."""


class How(StrEnum):
    """The way in which a cost is known, as ``docs/beyond.md`` explains."""

    EXACT = "exact"
    PLAYED = "played"
    AT_MOST = "at most"


@dataclass(frozen=True, slots=True)
class Cost:
    """Comparisons until the winner is found: their mean, or the most of any run."""

    comparisons: float
    error: float
    how: How


@dataclass(frozen=True, slots=True)
class Task:
    """Find the winner of these preferences; ``g`` is its gap, for methods with a known gap."""

    preferences: Preferences
    g: Fraction
    delta: Confidence


LawsOf: TypeAlias = Callable[[ChosenTest], MatchLaws]
"""A function that returns the laws of a test, so that tasks of one level can share them."""


@dataclass(frozen=True, slots=True)
class Method:
    """A method of finding the winner; its cost is ``None`` if it was not computed."""

    name: str
    told: bool
    cost: Callable[[Task, LawsOf], Cost | None]


Brackets: TypeAlias = Callable[
    [int, Confidence, PairwiseTest[Meeting, int]], Generator[Meeting, int, Arm]
]


_STREAMS: dict[str, Brackets] = {
    "TG-ITE-BAI": lambda N, delta, test: REFERENCE.tg_ite_bai(0, BalancedTree.over(N), delta, test),
    "BKT": lambda N, delta, test: REFERENCE.bkt(range(N), delta, test),
    "SeqElim": lambda N, delta, test: seq_elim(range(N), delta, test),
}


def _tournament(algorithm: str, test: PairwiseName) -> Method:
    """Return the method of an algorithm with a test, whose cost is exact."""

    def cost(task: Task, laws_of: LawsOf) -> Cost | None:
        N, winner = task.preferences.size, task.preferences.winner()
        if algorithm == "SeqElim" and N > _MOST_IN_A_CHAIN:
            return None
        played = bracket(lambda meet: _STREAMS[algorithm](N, task.delta, meet))
        laws = laws_of(ChosenTest(test, task.g if test.needs_known_gap else None))
        law = bracket_law(played, pairs(task.preferences), laws, winner)
        mean = law.comparisons.mean
        return Cost(mean.middle, (mean.high - mean.low) / 2, How.EXACT)

    return Method(f"{algorithm}, {test.label}", test.needs_known_gap, cost)


def _every_pair_so_often(task: Task, _: LawsOf) -> Cost:
    """Return the cost of comparing each pair often enough for correct majorities (Hoeffding)."""
    N = task.preferences.size
    each = ceil_of_log(N - 1, task.delta, 2 * task.g**2)
    return Cost(N * (N - 1) // 2 * each, 0.0, How.EXACT)


Made: TypeAlias = Callable[[Task, random.Random], Generator[Duel, Outcome, Arm]]


def _played(name: str, told: bool, make: Made, most: Callable[[Task], int] | None) -> Method:
    """Return the method of a comparator, which is played if its runs are short."""

    def cost(task: Task, _: LawsOf) -> Cost | None:
        if most is not None and most(task) > MOST_PLAYED:
            return Cost(most(task), 0.0, How.AT_MOST)
        counts: list[int] = []
        for seed in range(RUNS):
            run = play(
                make(task, random.Random(f"choices {seed}")),
                SeededEnvironment(task.preferences, seed),
                budget=MOST_PLAYED,
            )
            if run.ended is not Ended.RETURNED:
                return None
            counts.append(run.comparisons)
        return Cost(fmean(counts), stdev(counts) / sqrt(RUNS), How.PLAYED)

    return Method(name, told, cost)


def _most_of_knockout(task: Task) -> int:
    arms, i, most = task.preferences.size, 0, 0
    while arms > 1:
        i += 1
        level = Confidence(task.delta.rational / 2**i)
        most += arms // 2 * (int(most_duels(round_tolerance(task.g, Fraction(1), i), level)) + 1)
        arms -= arms // 2
    return most


def _most_of_seq_eliminate(task: Task) -> int:
    N = task.preferences.size
    # To tell a gap of 0 from a gap of g, the tolerance is g/2.
    level = Confidence(task.delta.rational / N)
    return (N - 1) * (int(most_duels(float(task.g) / 2, level)) + 1)


METHODS = (
    *(
        _tournament(algorithm, test)
        for algorithm in _STREAMS
        for test in (PairwiseName.DUEL, PairwiseName.MIXTURE)
    ),
    _played(
        "WSW-PE [our reconstruction]",
        False,
        lambda task, r: wsw_pe(task.preferences.size, task.delta, uniformly(r)),
        None,
    ),
    _tournament("TG-ITE-BAI", PairwiseName.SPRT),
    *(
        _tournament(algorithm, test)
        for algorithm in ("TG-ITE-BAI", "BKT")
        for test in (PairwiseName.BUDGETED, PairwiseName.TRUNCATED_SPRT)
    ),
    _played(
        "Knockout",
        True,
        lambda task, r: knockout(range(task.preferences.size), task.g, task.delta, shuffle=r),
        _most_of_knockout,
    ),
    _played(
        "SeqEliminate-PAC",
        True,
        lambda task, r: seq_eliminate_pac(
            range(task.preferences.size), Fraction(0), task.g, task.delta
        ),
        _most_of_seq_eliminate,
    ),
    Method("every pair a fixed number of times", True, _every_pair_so_often),
)
"""All methods; those with a known gap come last."""
