"""The fewest duels that any run can take, from the transcription's own stopping rules.

Whatever the outcomes, a match ends no sooner than with equal outcomes, which move the mean farthest
from 1/2 at every n; and TreeAscent plays N - 1 matches at known levels. So a printed number below
their sum is impossible for every instance and every run.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from tgite import Arm, Confidence, Duel, Match, Outcome, PairwiseTest, drive, match
from tgite_checks.implementation import Implementation


def fewest_duels(test: PairwiseTest[Duel, Outcome], delta: Confidence) -> int:
    """Return how many duels a match takes at least: as many as when one side wins them all."""
    asked = 0

    def first_wins(duel: Duel) -> Outcome:
        nonlocal asked
        asked += 1
        return True

    drive(test(0, 1, delta), first_wins)
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
            (fewest_duels(test, level) for level in self.levels for _ in range(self.levels[level])),
        )
        return sum(least[: len(least) - left_out])


@lru_cache(maxsize=32)
def one_pass(
    implementation: Implementation,
    N: int,
    b: Arm,
    epsilon: Confidence,
    arms: tuple[Arm, ...] | None = None,
) -> Pass:
    """Play a pass at match level, once for every arm as the one that wins all its matches.

    With ``arms`` for these arms only, which is enough for the levels.
    """
    tree = implementation.BalancedTree.over(N)
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

        drive(implementation.tree_ascent(b, tree, epsilon, match), answer)
        if found and levels != found:
            raise AssertionError("the levels of a pass depend on its outcomes")
        found = levels
        most = max(most, own)
    return Pass(found, most)
