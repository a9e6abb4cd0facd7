"""Forecasts of a run's cost in comparisons: the fewest, the expected number, and the most.

The levels of a tournament's matches do not depend on the outcomes. So the fewest and the most
comparisons are sums over these levels, and so is the expected number if all pairs have the same
gap.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tgite.preferences import HALF
from tgite_judge.journal import Stage
from tgite_judge.search import FIND_MOST, Meeting, Search, Ties
from tgite_laws.arithmetic import plus, times
from tgite_laws.enclosure import Enclosure
from tgite_laws.fewest_duels import Pass
from tgite_laws.pairwise import ChosenTest, PairwiseName

NEAR = Fraction(1, 20)
"""A gap below this is a near tie; the command then suggests it as a margin."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """The cost of a tournament with a pairwise test, in comparisons.

    ``most`` is ``None`` without a bound. ``expected`` has the expected number for each gap.
    """

    test: str
    fewest: int
    most: int | None
    expected: dict[Fraction, Enclosure]


def forecast(
    played: Pass, test: ChosenTest, gaps: tuple[Fraction, ...], limit: int | None = None
) -> Forecast:
    """Return a tournament's cost, with its expectation for each of these gaps.

    With a ``limit``, the tournament stops after that number of comparisons.
    """
    most, laws = limit, test.laws()
    if limit is None:
        bounds = [test.most(level) for level in played.levels.elements()]
        most = None if None in bounds else sum(one for one in bounds if one is not None)
    expected = {}
    for gap in gaps:
        means = {level: laws.law(level, HALF + gap).mean for level in played.levels}
        counts = played.levels.items()
        mean = plus(*(times(Enclosure.exactly(count), means[level]) for level, count in counts))
        few = limit is None or mean.high < limit
        expected[gap] = mean if few else Enclosure.exactly(limit or 0)
    return Forecast(str(test), played.fewest(test.test), most, expected)


@dataclass(frozen=True, slots=True)
class Remaining:
    """The fewest, the expected and the most questions that are left (``None``: no bound)."""

    fewest: int
    likely: float
    most: int | None


def remaining(search: Search, test: ChosenTest | None, gap: Fraction) -> Remaining:
    """Return how many questions are left if all pairs have a gap and no candidate is rejected.

    ``test`` is the tournament's test, or ``None`` if each pair is asked once.
    """
    laws = {
        Stage.FIND: None if test is None else test.laws(),
        Stage.CERTIFY: ChosenTest(PairwiseName.MIXTURE).laws(),
    }
    fewest, likely = 0, 0.0
    most: list[int | None] = []
    for one in search.unfinished():
        stage = one.meeting.stage
        of_test = laws[stage]
        mean = 1.0 if of_test is None else of_test.law(one.level, HALF + gap).mean.middle
        if stage is Stage.FIND and search.goal.certify:
            mean = min(mean, FIND_MOST)
        fewest += one.fewest
        likely += max(one.fewest, mean - one.played)
        # A certificate has no bound: a near tie can take any number of comparisons.
        of_one = None if stage is Stage.CERTIFY else test.most(one.level) if test else 1
        most.append(None if of_one is None else of_one - one.played)
    # If ties are asked again, there is no bound, either. Both orders double the questions.
    bounded = search.rules.ties is not Ties.AGAIN and not search.goal.certify
    known = [one for one in most if one is not None]
    orders = 2 if search.rules.both_orders else 1
    at_most = orders * sum(known) if bounded and len(known) == len(most) else None
    return Remaining(orders * fewest, orders * likely, at_most)


def near_tie(search: Search, test: ChosenTest | None) -> tuple[Meeting, float] | None:
    """Return the longest open meeting if it looks like a tie, which may never be decided.

    Such a meeting took more comparisons than a pair with a gap of ``NEAR`` takes on average. That
    average is returned, too. ``test`` is the tournament's test, or ``None`` if each pair is asked
    once.
    """
    goal, state = search.goal, search.certification
    unfinished = list(search.unfinished())
    if goal.certify:
        # The tournament gives up on near ties.
        test = ChosenTest(PairwiseName.MIXTURE)
        unfinished = [one for one in unfinished if one.meeting.stage is Stage.CERTIFY]
    if not unfinished or test is None or test.g is not None or goal.margin is not None:
        return None
    longest = max(unfinished, key=lambda one: one.played)
    if longest.played <= FIND_MOST:
        return None
    # Either item may be the better one, so the stricter level of a certificate counts.
    levels = state.levels(goal.delta, goal.size) if state else (longest.level,)
    mean = test.laws().law(min(levels), HALF + NEAR).mean.middle
    return (longest.meeting, mean) if longest.played > mean else None
