"""The fewest and the most duels of a match or a pass, from the algorithms under test.

A match is shortest when all outcomes are equal, because they move the mean farthest from 1/2 at
every n. It is longest when outcomes alternate. TreeAscent plays N - 1 matches at known levels. So
no instance and no run has fewer duels than the sum of the shortest matches.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from tgite import Arm, Confidence, Duel, Match, Outcome, PairwiseTest, drive, match
from tgite.conventions import RULINGS, Conventions
from tgite_laws.implementation import Implementation


@lru_cache(maxsize=4096)
def fewest_duels(test: PairwiseTest[Duel, Outcome], delta: Confidence) -> int:
    """Return the fewest duels of a match: its length if one side wins every duel."""
    return _duels(test, delta, alternating=False)


@lru_cache(maxsize=4096)
def most_duels(test: PairwiseTest[Duel, Outcome], delta: Confidence) -> int:
    """Return the most duels of a match: its length if the sides win alternately.

    This is for a test with a budget only. Other tests do not end.
    """
    return _duels(test, delta, alternating=True)


def _duels(test: PairwiseTest[Duel, Outcome], delta: Confidence, *, alternating: bool) -> int:
    asked = 0

    def answer(duel: Duel) -> Outcome:
        nonlocal asked
        asked += 1
        return asked % 2 == 1 or not alternating

    drive(test(0, 1, delta), answer)
    return asked


@dataclass(frozen=True, slots=True)
class Pass:
    """A TreeAscent pass: its matches by level."""

    levels: Counter[Confidence]

    @property
    def matches(self) -> int:
        """The number of matches."""
        return self.levels.total()

    def fewest(self, test: PairwiseTest[Duel, Outcome]) -> int:
        """Return the fewest duels of the pass."""
        return sum(count * fewest_duels(test, level) for level, count in self.levels.items())


@lru_cache(maxsize=32)
def one_pass(
    implementation: Implementation,
    N: int,
    b: Arm,
    epsilon: Confidence,
    arms: tuple[Arm, ...] | None = None,
    conventions: Conventions = RULINGS,
) -> Pass:
    """Return a pass, read from one run over whole matches for each arm, in which that arm wins.

    With ``arms``, only the runs for these arms are played, which is enough for the levels.
    """
    tree = implementation.BalancedTree.over(N, conventions)
    found: Counter[Confidence] = Counter()
    for arm in range(N) if arms is None else arms:
        levels: Counter[Confidence] = Counter()

        def answer(question: Match, best: Arm = arm) -> Arm:
            # Called only within this iteration of the loop.
            levels[question.delta] += 1  # noqa: B023
            return question.second if best == question.second else question.first

        drive(implementation.tree_ascent(b, tree, epsilon, match, conventions), answer)
        if found and levels != found:
            raise AssertionError("the levels of a pass depend on its outcomes")
        found = levels
    return Pass(found)
