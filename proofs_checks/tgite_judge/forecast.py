"""Forecasts of the comparisons that a search still needs: the fewest and the likely."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tgite.preferences import HALF
from tgite_judge.search import Certification, Goal, MeetingState, Search, Ties
from tgite_laws.pairwise import ChosenTest, PairwiseName

NEAR = Fraction(1, 20)
"""A gap below this is a near tie; the command then suggests it as a margin."""
TO_FIND = 8
"""How many questions for each item usually find a candidate."""
_MANY = 128
_LAWS = ChosenTest(PairwiseName.MIXTURE).laws()


def to_certify(goal: Goal, gap: Fraction) -> float:
    """Return the expected cost of the first certificate if its item has this gap to all others."""
    (level, _) = Certification(0, []).levels(goal.delta, goal.size)
    return (goal.size - 1) * _LAWS.law(level, HALF + gap).mean.middle


@dataclass(frozen=True, slots=True)
class Remaining:
    """The fewest and the likely questions that are left; ``exactly`` if no other number can be."""

    fewest: int
    likely: float
    exactly: bool = False


def remaining(search: Search, gap: Fraction) -> Remaining:
    """Return how many questions are left if all pairs have a gap and no candidate is rejected."""
    goal, orders = search.goal, 2 if search.rules.both_orders else 1
    asked = search.planned - search.open_to_find()
    if goal.consistent:
        left = orders * (goal.size - 1 - asked)
        return Remaining(left, left, search.rules.ties is not Ties.AGAIN)
    fewest = search.open_to_find() if search.champion is None else 0
    likely = 0.0 if search.champion is not None else max(fewest, TO_FIND * goal.size - asked)
    (level, _) = (search.certification or Certification(0, [])).levels(goal.delta, goal.size)
    for one in search.unfinished():
        fewest += one.fewest_left()
        mean = _LAWS.law(level, HALF + gap).mean.middle
        likely += max(one.fewest_left(), mean - len(one.outcomes))
    return Remaining(orders * fewest, orders * likely)


def near_tie(search: Search) -> MeetingState | None:
    """Return the longest open meeting if it looks like a tie, which need not be decided.

    Such a meeting took more comparisons than a pair with a gap of ``NEAR`` takes on average.
    """
    goal, unfinished = search.goal, search.unfinished()
    if not unfinished or search.certification is None or goal.margin is not None:
        return None
    longest = max(unfinished, key=lambda one: len(one.outcomes))
    if (played := len(longest.outcomes)) <= _MANY:
        return None
    # Either item may be the better one, so the stricter level of a certificate counts.
    level = min(search.certification.levels(goal.delta, goal.size))
    return longest if played > _LAWS.law(level, HALF + NEAR).mean.middle else None
