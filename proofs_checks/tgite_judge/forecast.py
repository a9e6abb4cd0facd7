"""What a run will cost, in comparisons: the fewest, the expected number, and the most.

Outcomes decide who meets whom in a tournament, but not the levels of its matches. So the fewest and
the most comparisons are sums over these levels, and so is the expected number if all pairs have the
same gap.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from tgite.preferences import HALF
from tgite_judge.journal import Stage
from tgite_judge.search import FIND_MOST, Meeting, Search, Ties
from tgite_laws.arithmetic import plus, times
from tgite_laws.enclosure import Enclosure
from tgite_laws.fewest_duels import Pass
from tgite_laws.match_law import MatchLaws
from tgite_laws.pairwise import ChosenTest, PairwiseName

NEAR = Fraction(1, 20)
"""A gap below this is a near tie; the command then suggests it as a margin."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a tournament costs with a pairwise test; ``most`` is ``None`` without a bound.

    ``expected`` pairs each gap with the expected number of comparisons.
    """

    test: str
    fewest: int
    most: int | None
    expected: tuple[tuple[Fraction, Enclosure], ...]


def forecast(played: Pass, test: ChosenTest, gaps: tuple[Fraction, ...]) -> Forecast:
    """Return the cost of a pass with a test, expected for pairs of each of these gaps."""
    most = [test.most(level) for level in played.levels.elements()]
    return Forecast(
        str(test),
        played.fewest(test.test),
        None if None in most else sum(one for one in most if one is not None),
        _expected(test.laws(), played, gaps),
    )


@dataclass(frozen=True, slots=True)
class Remaining:
    """How many questions are left: at least, probably, and at most (``None`` without a bound)."""

    fewest: int
    likely: float
    most: int | None


def remaining(search: Search, test: ChosenTest | None, gap: Fraction) -> Remaining:
    """Return how many questions are left if all pairs have a gap and no candidate is rejected.

    ``test`` is that of the tournament, ``None`` if each pair is asked once.
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
    # Ties that are asked again have no bound either; both orders ask each question twice.
    bounded = search.rules.ties is not Ties.AGAIN and not search.goal.certify
    known = [one for one in most if one is not None]
    orders = 2 if search.rules.both_orders else 1
    at_most = orders * sum(known) if bounded and len(known) == len(most) else None
    return Remaining(orders * fewest, orders * likely, at_most)


@dataclass(frozen=True, slots=True)
class NearTie:
    """A meeting that took more comparisons than a pair with a gap of ``NEAR`` takes on average.

    Its first item won ``wins`` of ``played`` comparisons; ``mean`` is that average.
    """

    meeting: Meeting
    wins: int
    played: int
    mean: float


def near_tie(search: Search, test: ChosenTest | None) -> NearTie | None:
    """Return the longest open meeting if it looks like a tie, which may never be decided.

    ``test`` is that of the tournament, ``None`` if each pair is asked once.
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
    outcomes = search.outcomes_of(longest.meeting)
    if len(outcomes) <= FIND_MOST:
        return None
    # Either item may be the better one, so the stricter level of a certificate counts.
    levels = state.levels(goal.delta, goal.size) if state else (longest.level,)
    mean = test.laws().law(min(levels), HALF + NEAR).mean.middle
    return (
        NearTie(longest.meeting, sum(outcomes), len(outcomes), mean)
        if len(outcomes) > mean
        else None
    )


def limited(one: Forecast, most: int) -> Forecast:
    """Return a forecast for a tournament that stops after ``most`` comparisons in all."""
    limit = Enclosure.exactly(most)
    lowered = tuple((gap, mean if mean.high < most else limit) for gap, mean in one.expected)
    return replace(one, most=most, expected=lowered)


def _expected(
    laws: MatchLaws, played: Pass, gaps: tuple[Fraction, ...]
) -> tuple[tuple[Fraction, Enclosure], ...]:
    def mean(gap: Fraction) -> Enclosure:
        return plus(
            *(
                times(Enclosure.exactly(count), laws.law(level, HALF + gap).mean)
                for level, count in played.levels.items()
            )
        )

    return tuple((gap, mean(gap)) for gap in gaps)
