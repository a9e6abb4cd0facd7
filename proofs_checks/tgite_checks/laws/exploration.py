"""The exact law of any algorithm over matches, by exhaustive exploration of the transcription.

Played with a test that asks for whole matches, an algorithm is a decision tree. Every path through
it is driven, and weighed with the laws of its matches. The number of paths doubles with every
match; brackets are done better by :mod:`tgite_checks.laws.bracket`, which this checks for small N.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from tgite.errors import InvalidInput
from tgite.questions import Arm, Match, PairwiseTest, Stream, match
from tgite_checks.enclosure import Enclosure
from tgite_checks.explore import paths
from tgite_checks.laws.arithmetic import ZERO, around, plus
from tgite_checks.laws.bracket import TournamentLaw, cost_law
from tgite_checks.laws.match_law import MatchLaws, Part
from tgite_checks.laws.pairs import Pairs
from tgite_checks.laws.walk import ROUNDING

MakeStream = Callable[[PairwiseTest[Match, Arm]], Stream[Match, Arm, Arm]]

_MOST_MATCHES = 64
# Products that leave the range of the floats lose less than this altogether.
_LOST = 2.0**-900


@dataclass(slots=True)
class _Moments:
    """Of one path or result: probability, first and second moment of the cost, one bound each."""

    mass: float = 0.0
    cost: float = 0.0
    square: float = 0.0

    def then(self, mass: float, cost: float, square: float) -> _Moments:
        """Return the moments after one more independent match."""
        return _Moments(
            self.mass * mass,
            self.cost * mass + self.mass * cost,
            self.square * mass + 2 * self.cost * cost + self.mass * square,
        )

    def add(self, other: _Moments) -> None:
        """Add the moments of an event that excludes this one."""
        self.mass += other.mass
        self.cost += other.cost
        self.square += other.square


_Bounds = tuple[_Moments, _Moments]


def _certain() -> _Bounds:
    return _Moments(1.0), _Moments(1.0)


def explored_law(
    make_stream: MakeStream, instance: Pairs, match_laws: MatchLaws, winner: Arm | None
) -> TournamentLaw:
    """Return the exact law of an algorithm over matches: what it returns, at what cost.

    ``make_stream(test)`` is its stream with that test, ``winner`` the instance's Condorcet winner
    or ``None``.
    """
    comparisons = _Exploration(instance, match_laws, free_arm=None).run(make_stream)
    survives, never = comparisons.parts(), comparisons.enclosed_never()
    if winner is None:
        return TournamentLaw(survives, never, cost_law(survives, never))
    error = plus(*(part.probability for arm, part in survives.items() if arm != winner))
    weak = _Exploration(instance, match_laws, free_arm=winner).run(make_stream).parts()
    return TournamentLaw(
        survives, never, cost_law(survives, never), winner, error, cost_law(weak, never), weak
    )


class _Exploration:
    """One walk through a decision tree; matches with ``free_arm`` cost nothing."""

    def __init__(self, instance: Pairs, match_laws: MatchLaws, free_arm: Arm | None) -> None:
        self._instance = instance
        self._match_laws = match_laws
        self._free_arm = free_arm
        self._results: dict[Arm, _Bounds] = {}
        self._never = [0.0, 0.0]
        self._paths = 0
        self._longest = 0

    def run(self, make_stream: MakeStream) -> _Exploration:
        """Weigh every path."""
        # The bounds before each match of the present path, and after its last.
        along: list[_Bounds] = [_certain()]
        before: tuple[Arm, ...] = ()
        for path in paths(lambda: make_stream(match), _MOST_MATCHES):
            if not path.ended or path.result is None:
                raise InvalidInput("stream", str(path), f"must end within {_MOST_MATCHES} matches")
            # The path differs from the one before in the winner of this match first.
            changed = next(
                (k for k, (a, b) in enumerate(zip(before, path.winners, strict=False)) if a != b), 0
            )
            del along[changed + 1 :]
            for k in range(changed, len(path.winners)):
                asked_before = bool(before) and k == changed
                along.append(self._after(along[k], path.matches[k], path.winners[k], asked_before))
            self._end(path.result, along[-1])
            self._paths += 1
            self._longest = max(self._longest, len(path.winners))
            before = path.winners
        return self

    def parts(self) -> dict[Arm, Part]:
        """Return the moments by result, as enclosures."""
        return {
            arm: Part(
                _probability(self._enclosed(low.mass, high.mass)),
                self._enclosed(low.cost, high.cost),
                self._enclosed(low.square, high.square),
            )
            for arm, (low, high) in sorted(self._results.items())
        }

    def enclosed_never(self) -> Enclosure:
        """Return the probability that a match does not end."""
        return self._enclosed(*self._never) if self._never[1] > 0 else ZERO

    def _after(self, before: _Bounds, asked: Match, winner: Arm, asked_before: bool) -> _Bounds:
        place = int(self._instance.index[asked.first, asked.second])
        law = self._match_laws.law(asked.delta, self._instance.probabilities[place])
        part = law.first if winner == asked.first else law.second
        free = self._free_arm is not None and self._free_arm in (asked.first, asked.second)
        cost, square = (ZERO, ZERO) if free else (part.duels, part.squared_duels)
        if not asked_before:
            self._never[0] += before[0].mass * law.never.low
            self._never[1] += before[1].mass * law.never.high
        return (
            before[0].then(part.probability.low, cost.low, square.low),
            before[1].then(part.probability.high, cost.high, square.high),
        )

    def _end(self, result: Arm, bounds: _Bounds) -> None:
        if result not in self._results:
            self._results[result] = (_Moments(), _Moments())
        for total, one in zip(self._results[result], bounds, strict=True):
            total.add(one)

    def _enclosed(self, low: float, high: float) -> Enclosure:
        # A match rounds a moment at most eight times, a sum once a path.
        error = ROUNDING * (8 * self._longest + self._paths + 8)
        if low == high == 0:
            return ZERO
        above = around(high, error, _LOST).high if high == high else inf
        return Enclosure(around(low, error, _LOST).low, above)


def _probability(value: Enclosure) -> Enclosure:
    return Enclosure(min(1.0, value.low), min(1.0, value.high))
