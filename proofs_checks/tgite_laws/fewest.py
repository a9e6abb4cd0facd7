"""The fewest and the most duels of a match or a pass, as the algorithms under test play them.

Whatever the outcomes, a match ends no sooner than with equal outcomes, which move the mean farthest
from 1/2 at every n, and no later than with alternating ones; and TreeAscent plays N - 1 matches at
known levels. So a number below their least sum is impossible for every instance and every run.
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
    """Return how many duels a match takes at least: as many as when one side wins them all."""
    return _duels(test, delta, alternating=False)


@lru_cache(maxsize=4096)
def most_duels(test: PairwiseTest[Duel, Outcome], delta: Confidence) -> int:
    """Return how many duels a match takes at most: as many as when the sides win by turns.

    For a test with a budget only; others do not end.
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
    """One TreeAscent: its matches by level, and the most that any one arm plays."""

    levels: Counter[Confidence]
    most_of_one_arm: int

    @property
    def matches(self) -> int:
        """The number of matches."""
        return self.levels.total()

    def fewest(self, test: PairwiseTest[Duel, Outcome], left_out: int = 0) -> int:
        """Return the fewest duels of the pass, without the ``left_out`` longest matches."""
        least = sorted(
            duels
            for level, count in self.levels.items()
            for duels in [fewest_duels(test, level)] * count
        )
        return sum(least[: len(least) - left_out])


@lru_cache(maxsize=32)
def one_pass(
    implementation: Implementation,
    N: int,
    b: Arm,
    epsilon: Confidence,
    arms: tuple[Arm, ...] | None = None,
    conventions: Conventions = RULINGS,
) -> Pass:
    """Play a pass at match level, once for every arm as the one that wins all its matches.

    With ``arms`` for these arms only, which is enough for the levels.
    """
    tree = implementation.BalancedTree.over(N, conventions)
    found: Counter[Confidence] = Counter()
    most = 0
    for arm in range(N) if arms is None else arms:
        levels: Counter[Confidence] = Counter()
        own = 0

        def answer(question: Match, best: Arm = arm) -> Arm:
            nonlocal own
            # It is called within this round of the loop only.
            levels[question.delta] += 1  # noqa: B023
            own += best in (question.first, question.second)
            return question.second if best == question.second else question.first

        drive(implementation.tree_ascent(b, tree, epsilon, match, conventions), answer)
        if found and levels != found:
            raise AssertionError("the levels of a pass depend on its outcomes")
        found = levels
        most = max(most, own)
    return Pass(found, most)
