"""One-sided matches (:mod:`tgite.beyond.certificate`) as single questions: law and simulation."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from tgite.beyond.certificate import Rule, Verdict
from tgite.beyond.sprt_test import budget, stopping_lead
from tgite.confidence import Confidence
from tgite.preferences import Preferences
from tgite.questions import Arm
from tgite_laws.arithmetic import around
from tgite_laws.boundary import Floats, Integers
from tgite_laws.enclosure import Enclosure
from tgite_laws.walk import ROUNDING
from tgite_laws.whole_matches import Asked, Knockout, Told


@dataclass(frozen=True, slots=True)
class VerdictLaw:
    """The law of how a one-sided match of at most ``most`` duels ends, and its mean duration."""

    chances: Mapping[Verdict, Enclosure]
    mean: Enclosure


def verdict_law(rule: Rule, p: Fraction, most: int) -> VerdictLaw:
    """Return the law of a match in which the first arm wins each duel with probability ``p``.

    A forward dynamic program over the wins S after n duels computes it. Every term is non-negative,
    so the rounding error is at most three units for each duel.
    """
    win, lose = float(p), float(1 - p)
    chances = dict.fromkeys(Verdict, 0.0)
    low, alive = 0, np.ones(1)  # alive[i] = P(the match goes on with low + i wins)
    mean = 0.0
    for n in range(1, most + 1):
        mean += float(alive.sum())
        after = np.zeros(len(alive) + 1)
        after[:-1] += alive * lose
        after[1:] += alive * win
        S = np.arange(low, low + len(after))
        won, lost = rule.won(n) <= S, rule.lost(n) >= S
        equal = np.zeros(len(S), dtype=np.bool_)
        if rule.no_better is not None and rule.no_worse is not None:
            equal = (rule.no_worse(n) <= S) & (rule.no_better(n) >= S) & ~won & ~lost
        for verdict, where in (
            (Verdict.WON, won),
            (Verdict.LOST, lost),
            (Verdict.EQUIVALENT, equal),
        ):
            chances[verdict] += float(after[where].sum())
        after[won | lost | equal] = 0.0
        (left,) = np.nonzero(after)
        if not len(left):
            break
        low, alive = low + int(left[0]), after[left[0] : left[-1] + 1]
    else:
        chances[Verdict.BUDGET] = float(alive.sum())
    error = ROUNDING * (4 * most + 8)
    tiny = most * 2.0**-1000
    return VerdictLaw(
        {verdict: around(chance, error, tiny) for verdict, chance in chances.items()},
        around(mean, error, tiny),
    )


_BLOCK = 16
_Between: TypeAlias = Callable[[int, int], tuple[Integers, Integers]]
"""Lower and upper boundaries on the wins, for each number of duels from the first to the last."""


@functools.lru_cache(maxsize=256)
def _until_a_lead(g: Fraction, delta: Confidence) -> tuple[int, _Between]:
    """Return the budget and the boundaries of the truncated SprtTest."""
    lead = stopping_lead(g, Confidence(delta.rational / 2, delta.basel))

    def between(first: int, last: int) -> tuple[Integers, Integers]:
        n = np.arange(first, last + 1)
        return (n + lead + 1) // 2, (n - lead) // 2

    return budget(g, delta), between


class Drawn:
    """Simulates whole matches on given preferences and counts their duels."""

    def __init__(self, preferences: Preferences, seed: int) -> None:
        """Start a random generator with this seed."""
        self.duels = 0
        self._probability = preferences.probability
        self._random = np.random.default_rng(seed)

    def __call__(self, question: Asked) -> Told:
        """Simulate the match and return its reply."""
        p = float(self._probability(question.first, question.second))
        if isinstance(question, Knockout):
            return self._knockout(question, p)
        n, S, won = self._until(p, question.most, _Boundaries(question.rule).between)
        self.duels += n
        if won is None:
            return Verdict.BUDGET, n, S
        return (Verdict.WON if won else Verdict.LOST), n, S

    def _knockout(self, asked: Knockout, p: float) -> Arm:
        n, S, _ = self._until(p, *_until_a_lead(asked.g, asked.delta))
        self.duels += n
        return asked.first if n <= 2 * S else asked.second

    def _until(
        self, p: float, most: int | None, boundaries: _Between
    ) -> tuple[int, int, bool | None]:
        """Return duels, wins, and whether the upper boundary was met (``None``: budget spent)."""
        n, S, block = 0, 0, _BLOCK
        while most is None or n < most:
            size = block if most is None else min(block, most - n)
            won = self._random.random(size) < p
            upper, lower = boundaries(n + 1, n + size)
            if n == 0:  # Most matches end soon, and then a plain loop is the fastest.
                columns = won.tolist(), upper.tolist(), lower.tolist()
                for n, (one, wins_it, loses_it) in enumerate(zip(*columns, strict=True), 1):
                    S += one
                    if not loses_it < S < wins_it:
                        return n, S, wins_it <= S
                block *= 2
                continue
            wins = S + np.cumsum(won)
            above, below = wins >= upper, wins <= lower
            ends = above | below
            at = int(ends.argmax())
            if ends[at]:
                return n + at + 1, int(wins[at]), bool(above[at])
            n, S, block = n + size, int(wins[-1]), 2 * block
        return n, S, None


class _Boundaries:
    """A rule's boundaries as arrays, extended on demand."""

    def __init__(self, rule: Rule) -> None:
        assert rule.no_better is None, "a rule with a margin is not drawn"
        self._rule = rule
        self._won: Integers = np.zeros(1, dtype=np.int64)
        self._lost: Integers = np.full(1, -1, dtype=np.int64)

    def between(self, first: int, last: int) -> tuple[Integers, Integers]:
        """Return for ``first..last`` duels the least wins that win and the most wins that lose."""
        known = len(self._won)
        if known <= last:
            more = range(known, max(last + 1, 2 * known))
            self._won = np.append(self._won, [self._rule.won(n) for n in more])
            self._lost = np.append(self._lost, [self._rule.lost(n) for n in more])
        return self._won[first : last + 1], self._lost[first : last + 1]


def means_and_errors(values: Floats) -> tuple[float, float]:
    """Return the mean of independent draws and its standard error."""
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))
