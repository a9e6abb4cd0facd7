"""Tournament brackets, read from the transcription's own runs, and their exact laws.

BKT and TreeAscent only pass winners on and never ask who won. So :func:`bracket` runs the
transcription with a test that returns a new name for each winner. The matches that it asks are the
bracket, for any number of arms and any conventions.

The law then follows match by match. The two subtrees that meet in a match share no match, so their
outcomes are independent. Every term is non-negative:

    mass_i = sum over j of mass_i mass_j P(i beats j),

and likewise for the first and second moments of the cost on the event that i survives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from tgite.confidence import Confidence
from tgite.errors import InvalidInput
from tgite.questions import Arm, PairwiseTest, Stream, drive
from tgite_laws.arithmetic import ZERO, between, plus, standard_deviation
from tgite_laws.boundary import Floats
from tgite_laws.cache import cached
from tgite_laws.enclosure import Enclosure
from tgite_laws.match_law import MatchLaw, MatchLaws, Part
from tgite_laws.pairs import Pairs
from tgite_laws.walk import ROUNDING

R = TypeVar("R")

_FIRST_NAME = 1 << 40
# Processing this many rows at a time limits the memory for large brackets.
_ROWS = 256


@dataclass(frozen=True, slots=True)
class Meeting:
    """A match of a bracket, as a question; the reply is a name that stands for the winner."""

    first: int
    second: int
    delta: Confidence

    def check_reply(self, reply: object) -> None:
        """Refuse a reply that does not name the winner of a match."""
        if not isinstance(reply, int) or reply < _FIRST_NAME:
            raise InvalidInput("reply", reply, "must name the winner of a match")

    def rounds_taken(self, reply: object) -> int:
        """Count a match as one round."""
        return 1


@dataclass(frozen=True, slots=True)
class Bracket:
    """Matches in the order in which they are played.

    A player of a match is an arm, or ``winner_of(k)`` for the winner of the k-th match. Every arm,
    and every winner but the last, is a player of exactly one match. So the bracket is a binary tree
    with the root ``survivor``.
    """

    matches: tuple[Meeting, ...]
    survivor: int

    @staticmethod
    def winner_of(k: int) -> int:
        """Return the name of the winner of the k-th match."""
        return _FIRST_NAME + k

    def arms(self) -> list[Arm]:
        """Return the arms that take part."""
        players = [self.survivor]
        players += [player for m in self.matches for player in (m.first, m.second)]
        return sorted(player for player in players if player < _FIRST_NAME)

    def levels(self) -> Counter[Confidence]:
        """Count the matches at each level."""
        return Counter(match.delta for match in self.matches)

    def path(self, arm: Arm) -> list[int]:
        """Return the indices of the matches that an arm plays if it wins them all, in order."""
        holder, found = arm, []
        for k, match in enumerate(self.matches):
            if holder in (match.first, match.second):
                holder = Bracket.winner_of(k)
                found.append(k)
        return found

    def folded(self, leaf: Callable[[Arm], R], meet: Callable[[R, R, Confidence], R]) -> R:
        """Combine the values of the leaves match by match; return the survivor's value."""
        known: dict[int, R] = {}

        def of(player: int) -> R:
            return known.pop(player) if player in known else leaf(player)

        for k, meeting in enumerate(self.matches):
            known[self.winner_of(k)] = meet(of(meeting.first), of(meeting.second), meeting.delta)
        return of(self.survivor)


def bracket(
    make_stream: Callable[[PairwiseTest[Meeting, int]], Stream[Meeting, int, int]],
) -> Bracket:
    """Return the bracket of an algorithm; ``make_stream(test)`` returns its stream with that test.

    Raises :class:`~tgite.errors.InvalidInput` if the matches are not a tree: an arm or a winner
    plays twice, or does not play on.
    """
    matches: list[Meeting] = []

    def test(u: int, v: int, delta: Confidence) -> Stream[Meeting, int, int]:
        winner = yield Meeting(u, v, delta)
        return winner

    def answer(meeting: Meeting) -> int:
        matches.append(meeting)
        return Bracket.winner_of(len(matches) - 1)

    survivor = drive(make_stream(test), answer)
    found = Bracket(tuple(matches), survivor)
    players = [player for m in matches for player in (m.first, m.second)] + [survivor]
    names = {Bracket.winner_of(k) for k in range(len(matches))}
    if len(set(players)) != len(players) or not names <= set(players):
        raise InvalidInput("bracket", found, "must let every arm and every winner play on once")
    return found


@dataclass(frozen=True, slots=True)
class CostLaw:
    """The law of a cost: its mean and standard deviation."""

    mean: Enclosure
    standard_deviation: Enclosure


@dataclass(frozen=True, slots=True)
class TournamentLaw:
    """The law of a bracket: who survives, at what cost.

    - ``survives[arm]``: the probability that the arm survives, and the moments of the number of
      duels on that event.
    - ``never``: the probability that some match does not end.
    - ``winner``: the Condorcet winner, or ``None`` if there is none or it does not take part.
    - ``error``: the probability that an arm other than the winner survives.
    - ``comparisons``: the number of all duels.
    - ``weak_regret``: the number of duels without the winner, or ``None`` if there is no winner.

    If some match may not end, both costs have infinite means.
    """

    survives: dict[Arm, Part]
    never: Enclosure
    comparisons: CostLaw
    winner: Arm | None = None
    error: Enclosure | None = None
    weak_regret: CostLaw | None = None
    weak_regret_by_survivor: dict[Arm, Part] | None = None


@cached
def bracket_law(
    played: Bracket,
    instance: Pairs,
    match_laws: MatchLaws,
    winner: Arm | None,
) -> TournamentLaw:
    """Return the exact law of a bracket on an instance, in about ``size**2`` operations.

    ``winner`` is the instance's Condorcet winner, or ``None`` if it has none. Results are cached.
    """
    root = played.folded(_leaf, _Run(instance, match_laws, free_arm=None).merge)
    survives = root.parts()
    never = root.enclosed(root.never) if root.never[1] > 0 else ZERO
    comparisons = cost_law(survives, never)
    if winner is None or winner not in survives:
        return TournamentLaw(survives, never, comparisons)
    error = plus(*(part.probability for arm, part in survives.items() if arm != winner))
    weak = played.folded(_leaf, _Run(instance, match_laws, free_arm=winner).merge).parts()
    if len(survives) == 2:
        # This is exact: the winner plays in the only match.
        weak = {arm: Part(part.probability, ZERO, ZERO) for arm, part in weak.items()}
    return TournamentLaw(survives, never, comparisons, winner, error, cost_law(weak, never), weak)


def cost_law(parts: Mapping[R, Part], never: Enclosure) -> CostLaw:
    """Return the law of the cost, with the moments summed over the survivors."""
    mean = plus(*(part.duels for part in parts.values()))
    square = plus(*(part.squared_duels for part in parts.values()))
    if never.high > 0 and mean.high > 0:
        if never.low > 0:
            return CostLaw(Enclosure(inf, inf), Enclosure(inf, inf))
        return CostLaw(Enclosure(mean.low, inf), Enclosure(0.0, inf))
    return CostLaw(mean, standard_deviation(mean, square))


@dataclass(slots=True)
class _Node:
    """The law of a subtree: ``moments[bound, k, arm]`` is the k-th moment of the cost, k = 0, 1, 2.

    Up to rounding, bound 0 is below the true value and bound 1 above it. ``never[bound]`` is the
    probability that a match of the subtree does not end. ``roundings`` is at least the number of
    roundings in any number here.
    """

    arms: npt.NDArray[np.int64]
    moments: Floats
    never: Floats
    roundings: int

    def parts(self) -> dict[Arm, Part]:
        """Return the moments of all arms as enclosures."""
        found: dict[Arm, Part] = {}
        for place, arm in enumerate(self.arms.tolist()):
            probability, duels, squared = (
                self.enclosed(self.moments[:, k, place]) for k in range(3)
            )
            found[arm] = Part(
                Enclosure(min(1.0, probability.low), min(1.0, probability.high)), duels, squared
            )
        return found

    def enclosed(self, bounds: Floats) -> Enclosure:
        """Enclose a number between its two bounds, with its rounding errors."""
        return between(float(bounds[0]), float(bounds[1]), ROUNDING * self.roundings)


class _Tables:
    """The laws of all pairs at one level, as arrays indexed by the pair's class.

    ``first[bound, k, class]`` and ``second[bound, k, class]`` hold the k-th moments where the first
    or the second player wins. ``never[bound, class]`` is the probability that the match does not
    end.
    """

    def __init__(self, classes: int) -> None:
        self.known = np.zeros(classes, dtype=np.bool_)
        self.first = np.zeros((2, 3, classes))
        self.second = np.zeros((2, 3, classes))
        self.never = np.zeros((2, classes))

    def enter(self, place: int, law: MatchLaw) -> None:
        """Store the law of the class ``place``."""
        for table, part in ((self.first, law.first), (self.second, law.second)):
            for k, value in enumerate((part.probability, part.duels, part.squared_duels)):
                table[:, k, place] = value.low, value.high
        self.never[:, place] = law.never.low, law.never.high
        self.known[place] = True


class _Run:
    """One computation over a bracket; matches with ``free_arm`` cost nothing."""

    def __init__(self, instance: Pairs, match_laws: MatchLaws, free_arm: Arm | None) -> None:
        self._instance = instance
        self._match_laws = match_laws
        self._free_arm = free_arm
        self._tables: dict[Confidence, _Tables] = {}

    def merge(self, first: _Node, second: _Node, delta: Confidence) -> _Node:
        """Return the law of a subtree whose last match is between two subtrees' survivors."""
        merged = np.empty((2, 3, len(first.arms) + len(second.arms)))
        into_second = np.zeros((2, 3, len(second.arms)))
        going_on = np.zeros(2)
        for start in range(0, len(first.arms), _ROWS):
            rows = slice(start, start + _ROWS)
            arms, moments = first.arms[rows], first.moments[:, :, rows]
            index = self._instance.index[arms[:, None], second.arms[None, :]]
            tables = self._tables_of(delta, index)
            first_wins = np.take(tables.first, index, axis=2)
            second_wins = np.take(tables.second, index.T, axis=2)
            if self._free_arm is not None:
                # Matches of the free arm cost nothing. Only their outcomes count.
                free_rows, free_columns = arms == self._free_arm, second.arms == self._free_arm
                first_wins[:, 1:, free_rows] = second_wins[:, 1:, free_columns] = 0.0
                first_wins[:, 1:, :, free_columns] = second_wins[:, 1:, :, free_rows] = 0.0
            merged[:, :, start : start + len(arms)] = _survive(moments, second.moments, first_wins)
            into_second += _survive(second.moments, moments, second_wins)
            if tables.never.any():
                chances = np.take(tables.never, index, axis=1)
                going_on += np.einsum("bi,bij,bj->b", moments[:, 0], chances, second.moments[:, 0])
        merged[:, :, len(first.arms) :] = into_second
        never = first.never + first.moments[:, 0].sum(axis=1) * second.never + going_on
        return _Node(
            np.concatenate((first.arms, second.arms)),
            merged,
            never,
            first.roundings + second.roundings + len(first.arms) + len(second.arms) + 16,
        )

    def _tables_of(self, delta: Confidence, index: npt.NDArray[np.int32]) -> _Tables:
        classes = len(self._instance.probabilities)
        tables = self._tables.setdefault(delta, _Tables(classes))
        used = np.bincount(index.ravel(), minlength=classes) > 0
        for place in np.flatnonzero(used & ~tables.known).tolist():
            law = self._match_laws.law(delta, self._instance.probabilities[place])
            tables.enter(place, law)
        return tables


def _leaf(arm: Arm) -> _Node:
    moments = np.zeros((2, 3, 1))
    moments[:, 0, 0] = 1.0
    return _Node(np.array([arm], dtype=np.int64), moments, np.zeros(2), 0)


def _survive(own: Floats, other: Floats, table: Floats) -> Floats:
    """Return the moments of the arms of one side after the match with the other side.

    ``table[bound, k, i, j]`` holds the k-th moment of the match where i beats j. The cost is the
    sum of three independent costs: i's subtree, j's subtree, the match.
    """
    mass, cost, square = own[:, 0], own[:, 1], own[:, 2]
    beats, lasts, lasts_squared = table[:, 0], table[:, 1], table[:, 2]
    columns = np.swapaxes(other, 1, 2)
    with np.errstate(invalid="ignore"):
        won = beats @ columns
        played = lasts @ columns[:, :, :2]
        played_squared = (lasts_squared @ columns[:, :, :1])[:, :, 0]
        result: Floats = np.stack(
            (
                mass * won[:, :, 0],
                cost * won[:, :, 0] + mass * (won[:, :, 1] + played[:, :, 0]),
                square * won[:, :, 0]
                + 2 * cost * (won[:, :, 1] + played[:, :, 0])
                + mass * (won[:, :, 2] + 2 * played[:, :, 1] + played_squared),
            ),
            axis=1,
        )
    # Zero times infinity arises where a moment is unbounded. Its upper bound is infinity.
    return np.where(np.isnan(result), inf, result)
