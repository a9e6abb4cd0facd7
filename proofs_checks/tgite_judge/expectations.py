"""What a run will cost, before its first question: fewest, expected and most comparisons.

The levels of the matches of one pass do not depend on the outcomes: only who meets whom does. So
the fewest and the most comparisons are sums over these levels, and so is the expected number for
pairs that all have one stated gap.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from tgite.preferences import HALF
from tgite_judge.journal import Stage
from tgite_judge.search import FIND_MOST, Meeting, Search, Ties
from tgite_laws.arithmetic import plus, times
from tgite_laws.enclosure import Enclosure
from tgite_laws.fewest import Pass
from tgite_laws.match_law import MatchLaws
from tgite_laws.pairwise import ChosenTest, PairwiseName

NEAR = Fraction(1, 20)
"""The gap below which two items count as a near tie, and the margin that is then offered."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a test costs in one pass; ``most`` is ``None`` where there is no bound."""

    test: str
    fewest: int
    most: int | None
    expected: tuple[tuple[Fraction, Enclosure], ...]


def outlook(played: Pass, test: ChosenTest, gaps: tuple[Fraction, ...]) -> Outlook:
    """Return the outlook of a pass with a test, for pairs of each of the stated gaps."""
    most = [test.most(level) for level in played.levels.elements()]
    return Outlook(
        str(test),
        played.fewest(test.test),
        None if None in most else sum(one for one in most if one is not None),
        _expected(test.laws(), played, gaps),
    )


@dataclass(frozen=True, slots=True)
class Remaining:
    """How many questions are left: the fewest, the most, about how many for pairs of a stated gap.

    ``most`` is ``None`` where there is no bound.
    """

    fewest: int
    likely: float
    most: int | None


def remaining(search: Search, test: ChosenTest | None, gap: Fraction) -> Remaining:
    """Say how many questions are left if all pairs have a gap and no candidate is rejected.

    ``test`` is the tournament's, ``None`` where each pair is asked once.
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
        if stage is Stage.FIND and search.searched.certify:
            mean = min(mean, FIND_MOST)
        fewest += one.fewest
        likely += max(one.fewest, mean - one.told)
        # A certificate has no bound: a near tie may take ever so long.
        of_one = None if stage is Stage.CERTIFY else test.most(one.level) if test else 1
        most.append(None if of_one is None else of_one - one.told)
    # An answer may be asked again: a question of both orders is asked twice, a tie without end.
    bounded = search.rules.ties is not Ties.AGAIN and not search.searched.certify
    known = [one for one in most if one is not None]
    orders = 2 if search.rules.both_orders else 1
    at_most = orders * sum(known) if bounded and len(known) == len(most) else None
    return Remaining(orders * fewest, orders * likely, at_most)


@dataclass(frozen=True, slots=True)
class NearTie:
    """A meeting that was told more outcomes than items with a gap of ``NEAR`` take on average.

    ``wins`` of the ``told`` outcomes were for its first item; ``mean`` is that average.
    """

    meeting: Meeting
    wins: int
    told: int
    mean: float


def near_tie(search: Search, test: ChosenTest | None) -> NearTie | None:
    """Return the longest meeting that goes on, if it looks like a tie, of which none need end.

    ``test`` is the tournament's, ``None`` where each pair is asked once.
    """
    searched, state = search.searched, search.certification
    goes_on = list(search.unfinished())
    if searched.certify:
        # The tournament gives up on near ties.
        test = ChosenTest(PairwiseName.MIXTURE)
        goes_on = [one for one in goes_on if one.meeting.stage is Stage.CERTIFY]
    if not goes_on or test is None or test.g is not None or searched.margin is not None:
        return None
    longest = max(goes_on, key=lambda one: one.told)
    told = search.told_of(longest.meeting)
    if len(told) <= FIND_MOST:
        return None
    # Whichever of the two is the better one: of a certificate's levels the stricter one.
    levels = state.levels(searched.delta, searched.size) if state else (longest.level,)
    mean = test.laws().law(min(levels), HALF + NEAR).mean.middle
    return NearTie(longest.meeting, sum(told), len(told), mean) if len(told) > mean else None


def ending_after(outlook: Outlook, most: int) -> Outlook:
    """Return an outlook where comparisons end after ``most`` in all."""
    limit = Enclosure.exactly(most)
    lowered = tuple((gap, mean if mean.high < most else limit) for gap, mean in outlook.expected)
    return replace(outlook, most=most, expected=lowered)


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
