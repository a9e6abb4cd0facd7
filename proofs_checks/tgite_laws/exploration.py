"""The exact law of any algorithm over matches, by exhaustive exploration of the transcription.

With a test that asks for whole matches, an algorithm is a decision tree. This module plays every
path through the tree and weighs it by the laws of its matches. The number of paths doubles with
every match. For brackets :mod:`tgite_laws.bracket` is faster, and this module checks it for small
N.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from tgite.errors import InvalidInput
from tgite.questions import Arm, Match, PairwiseTest, Stream, match
from tgite_laws.arithmetic import ZERO, between, plus
from tgite_laws.bracket import TournamentLaw, cost_law
from tgite_laws.enclosure import Enclosure
from tgite_laws.match_law import MatchLaws, Part
from tgite_laws.match_paths import paths
from tgite_laws.pairs import Pairs
from tgite_laws.walk import ROUNDING

R = TypeVar("R")

MakeStream = Callable[[PairwiseTest[Match, Arm]], Stream[Match, Arm, R]]

_MOST_MATCHES = 64


@dataclass(slots=True)
class _Moments:
    """One bound on a path's or result's probability and on a cost's first and second moments."""

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
        """Add the moments of a disjoint event."""
        self.mass += other.mass
        self.cost += other.cost
        self.square += other.square


# Lower and upper bounds for all duels, then for the duels without the free arm.
_Bounds = tuple[_Moments, _Moments, _Moments, _Moments]


@dataclass(slots=True)
class Explored(Generic[R]):
    """The result of an exploration: moments of all duels, and of those that cost, by result."""

    all_duels: dict[R, Part] = field(default_factory=dict)
    weak_regret: dict[R, Part] = field(default_factory=dict)
    never: Enclosure = ZERO


def explored_law(
    make_stream: MakeStream[Arm], instance: Pairs, match_laws: MatchLaws, winner: Arm | None
) -> TournamentLaw:
    """Return the exact law of an algorithm over matches: its result and its cost.

    ``make_stream(test)`` is the algorithm's stream with that test. ``winner`` is the instance's
    Condorcet winner, or ``None``.
    """
    found = explored(make_stream, instance, match_laws, winner)
    survives = dict(sorted(found.all_duels.items()))
    law = TournamentLaw(survives, found.never, cost_law(survives, found.never))
    if winner is None:
        return law
    error = plus(*(part.probability for arm, part in survives.items() if arm != winner))
    weak = dict(sorted(found.weak_regret.items()))
    return TournamentLaw(
        survives, found.never, law.comparisons, winner, error, cost_law(weak, found.never), weak
    )


def explored(
    make_stream: MakeStream[R], instance: Pairs, match_laws: MatchLaws, free_arm: Arm | None
) -> Explored[R]:
    """Return the moments over every path of a stream, by result.

    In ``weak_regret``, matches with ``free_arm`` cost nothing. Raises
    :class:`~tgite.errors.InvalidInput` for a path without an end.
    """
    results: dict[R, _Bounds] = {}
    never = [0.0, 0.0]
    number = longest = 0
    # The bounds before each match of the current path, and after its last match.
    along: list[_Bounds] = [(_Moments(1.0), _Moments(1.0), _Moments(1.0), _Moments(1.0))]
    before: tuple[Arm, ...] = ()
    for path in paths(lambda: make_stream(match), _MOST_MATCHES):
        if not path.ended or path.result is None:
            raise InvalidInput("stream", str(path), f"must end within {_MOST_MATCHES} matches")
        # The first match whose winner differs from that on the previous path.
        changed = next(
            (k for k, (a, b) in enumerate(zip(before, path.winners, strict=False)) if a != b), 0
        )
        del along[changed + 1 :]
        for k in range(changed, len(path.winners)):
            asked, winner, bounds = path.matches[k], path.winners[k], along[k]
            p = instance.probability(asked.first, asked.second)
            law = match_laws.law(asked.delta, p)
            if not before or k > changed:
                never[0] += bounds[0].mass * law.never.low
                never[1] += bounds[1].mass * law.never.high
            part = law.first if winner == asked.first else law.second
            along.append(_after(bounds, part, free_arm in (asked.first, asked.second)))
        if path.result not in results:
            results[path.result] = (_Moments(), _Moments(), _Moments(), _Moments())
        for total, one in zip(results[path.result], along[-1], strict=True):
            total.add(one)
        number += 1
        longest = max(longest, len(path.winners))
        before = path.winners
    # At most eight roundings for each match, and one in the sum for each path.
    error = ROUNDING * (8 * longest + number + 8)
    return Explored(
        {result: _part(low, high, error) for result, (low, high, _, _) in results.items()},
        {result: _part(low, high, error) for result, (_, _, low, high) in results.items()},
        _enclosed(never[0], never[1], error) if never[1] > 0 else ZERO,
    )


def _after(before: _Bounds, part: Part, free: bool) -> _Bounds:
    p, cost, square = part.probability, part.duels, part.squared_duels
    low, high, weak_low, weak_high = before
    weak, weak_square = (ZERO, ZERO) if free else (cost, square)
    return (
        low.then(p.low, cost.low, square.low),
        high.then(p.high, cost.high, square.high),
        weak_low.then(p.low, weak.low, weak_square.low),
        weak_high.then(p.high, weak.high, weak_square.high),
    )


def _part(low: _Moments, high: _Moments, error: float) -> Part:
    probability = _enclosed(low.mass, high.mass, error)
    return Part(
        Enclosure(min(1.0, probability.low), min(1.0, probability.high)),
        _enclosed(low.cost, high.cost, error),
        _enclosed(low.square, high.square, error),
    )


def _enclosed(low: float, high: float, error: float) -> Enclosure:
    return ZERO if low == high == 0 else between(low, high, error)
