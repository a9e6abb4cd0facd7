"""The law of one match: which arm is returned, after how many duels.

A :class:`MatchLaw` holds the probabilities and moments that tournaments need
(:mod:`tgite_laws.bracket`). A :class:`StoppingLaw` holds the full joint law.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf, log
from typing import Protocol, runtime_checkable

import numpy as np

from tgite.confidence import Confidence
from tgite.preferences import Preferences
from tgite_laws.arithmetic import (
    ONE,
    ZERO,
    around,
    minus,
    plus,
    quotient,
    standard_deviation,
    times,
)
from tgite_laws.balls import ball, ends
from tgite_laws.boundary import Floats, Integers
from tgite_laws.enclosure import Enclosure
from tgite_laws.rule import Rule
from tgite_laws.walk import ROUNDING, Stops

# Largest error of numpy's exp, in units of the last place (tested against ball arithmetic).
_EXP_UNITS = 4
# Absolute error of a term below the normal floats, which may have lost all relative accuracy.
_LOST = 2.0**-1020
_TWO = Enclosure(2.0, 2.0)


@dataclass(frozen=True, slots=True)
class Part:
    """The part of a law on the event that one given arm is returned.

    ``probability`` is the probability of that event. ``duels`` and ``squared_duels`` are the
    expectations of the number of duels and of its square, each times the event's indicator.
    """

    probability: Enclosure
    duels: Enclosure
    squared_duels: Enclosure

    @property
    def mean(self) -> Enclosure:
        """The expected number of duels, given that the arm is returned."""
        return quotient(self.duels, self.probability)

    @property
    def standard_deviation(self) -> Enclosure:
        """The standard deviation of the number of duels, given that the arm is returned."""
        return standard_deviation(self.mean, quotient(self.squared_duels, self.probability))

    def then(self, other: Part) -> Part:
        """Return the moments of the sum of two independent costs, on the product of the events."""
        return Part(
            times(self.probability, other.probability),
            plus(times(self.duels, other.probability), times(self.probability, other.duels)),
            plus(
                times(self.squared_duels, other.probability),
                times(_TWO, self.duels, other.duels),
                times(self.probability, other.squared_duels),
            ),
        )

    def either(self, other: Part) -> Part:
        """Return the moments on the union of two disjoint events."""
        return Part(
            plus(self.probability, other.probability),
            plus(self.duels, other.duels),
            plus(self.squared_duels, other.squared_duels),
        )


NO_COST = Part(ONE, ZERO, ZERO)
"""The moments of no duels, on the sure event."""

NOTHING = Part(ZERO, ZERO, ZERO)
"""The moments on the impossible event."""


@dataclass(frozen=True, slots=True)
class MatchLaw:
    """The law of a pairwise test of ``u`` and ``v``.

    ``first`` is the part where ``u`` is returned, ``second`` the part where ``v`` is returned.
    ``never`` is the probability that the test does not end.
    """

    first: Part
    second: Part
    never: Enclosure = ZERO

    @property
    def mean(self) -> Enclosure:
        """The expected number of duels; infinite if the test may not end."""
        if self.never.low > 0:
            return Enclosure(inf, inf)
        return plus(self.first.duels, self.second.duels)

    @property
    def standard_deviation(self) -> Enclosure:
        """The standard deviation of the number of duels; infinite if the test may not end."""
        if self.never.low > 0:
            return Enclosure(inf, inf)
        return standard_deviation(
            self.mean, plus(self.first.squared_duels, self.second.squared_duels)
        )


@dataclass(frozen=True, slots=True)
class Remainder:
    """Upper bounds on the part beyond a cut: its probability and its two expectations."""

    probability: float = 0.0
    duels: float = 0.0
    squared_duels: float = 0.0

    def plus(self, other: Remainder) -> Remainder:
        """Return the bounds of the two parts together."""
        return Remainder(
            self.probability + other.probability,
            self.duels + other.duels,
            self.squared_duels + other.squared_duels,
        )

    def times(self, factor: float) -> Remainder:
        """Return the bounds multiplied by ``factor``."""
        return Remainder(
            self.probability * factor, self.duels * factor, self.squared_duels * factor
        )


@dataclass(frozen=True, slots=True)
class StoppingLaw:
    """The joint law of (number of duels, arm returned), up to a cut.

    With probability ``first[k]`` the test ends after ``duels[k]`` duels and returns ``u``. With
    probability ``second[k]`` it ends then and returns ``v``. Both are exact up to
    ``relative_error`` and up to ``2**-1020``. A number of duels may occur for several k. The parts
    beyond the last number are bounded by ``first_beyond`` and ``second_beyond``.
    """

    duels: Integers
    first: Floats
    second: Floats
    relative_error: float
    first_beyond: Remainder = Remainder()
    second_beyond: Remainder = Remainder()

    def match_law(self, may_not_end: bool = False) -> MatchLaw:
        """Return probabilities and moments.

        Where the test is known to end, the two probabilities add up to 1.
        """
        first = self._part(self.first, self.first_beyond)
        second = self._part(self.second, self.second_beyond)
        if may_not_end:
            return MatchLaw(first, second, minus(ONE, plus(first.probability, second.probability)))
        return MatchLaw(_complemented(first, second), _complemented(second, first))

    def _part(self, masses: Floats, beyond: Remainder) -> Part:
        n = self.duels.astype(np.float64)
        return Part(
            self._sum(masses, 1.0, beyond.probability),
            self._sum(masses * n, n[-1] if len(n) else 0.0, beyond.duels),
            self._sum(masses * n * n, n[-1] ** 2 if len(n) else 0.0, beyond.squared_duels),
        )

    def _sum(self, terms: Floats, largest_factor: float, beyond: float) -> Enclosure:
        """Enclose a sum of non-negative terms, each with the law's relative error."""
        # A sum in any order has one rounding for each term, and the factors n and n**2 two more.
        error = self.relative_error + ROUNDING * (len(terms) + 4)
        return around(float(terms.sum()), error, len(terms) * largest_factor * _LOST, beyond)


def _complemented(part: Part, other: Part) -> Part:
    """Return ``part``, with its probability also enclosed by 1 minus that of ``other``."""
    complement = minus(ONE, other.probability)
    low = max(part.probability.low, complement.low)
    high = min(part.probability.high, complement.high)
    return Part(Enclosure(low, high), part.duels, part.squared_duels)


def stopping_law(
    rule: Rule,
    stops: Stops,
    p: Fraction,
    walk_error: float,
    beyond: tuple[Remainder, Remainder] = (Remainder(), Remainder()),
) -> StoppingLaw:
    """Return the law of a pair with ``P(first wins) = p``, strictly between 0 and 1.

    Let A = log(4pq), B = log(p/q) and q = 1-p. A stop after n duels with lead d has the probability
    ``W 2**-n exp((n A + d B) / 2)`` with the first arm in front. With the second arm in front, the
    last factor is ``exp((n A - d B) / 2)``. ``rule`` says which arm the test then returns. The
    parts beyond the stops are bounded by ``beyond``, for the better arm in front and for the worse.
    """
    if not rule.first_asked:
        p = 1 - p
    q = 1 - p
    per_duel = nearest_log(4 * p * q)
    per_lead = nearest_log(p / q)
    n, d = stops.duels.astype(np.float64), stops.leads.astype(np.float64)
    common = n * (per_duel / 2) + stops.exponents * log(2)
    lead_part = d * (per_lead / 2)
    ahead = stops.mantissas * np.exp(common + lead_part)
    behind = stops.mantissas * np.exp(common - lead_part)
    behind[stops.leads == 0] = 0.0
    # Each of the exponent's three terms has three roundings, and their sum has two more.
    largest = 0.0
    if len(n):
        size = n * abs(per_duel / 2) + np.abs(stops.exponents) * log(2) + np.abs(lead_part)
        largest = float(size.max())
    exponent_error = 6 * ROUNDING * largest
    error = walk_error + 1.01 * exponent_error + ROUNDING * (2 * _EXP_UNITS + 4)
    u_ahead, u_behind = rule.returns_first(stops.duels, stops.leads)
    first = np.where(u_ahead, ahead, 0.0) + np.where(u_behind, behind, 0.0)
    second = np.where(u_ahead, 0.0, ahead) + np.where(u_behind, 0.0, behind)
    if (u_ahead == u_behind).any():
        error += ROUNDING
    ahead_beyond, behind_beyond = beyond if p >= q else beyond[::-1]
    first_beyond = second_beyond = Remainder()
    for of_u, remainder in zip(rule.early, (ahead_beyond, behind_beyond), strict=True):
        if of_u:
            first_beyond = first_beyond.plus(remainder)
        else:
            second_beyond = second_beyond.plus(remainder)
    return StoppingLaw(
        stops.duels + rule.uncounted, first, second, error, first_beyond, second_beyond
    )


def nearest_log(value: Fraction) -> float:
    """Return ``log(value)`` as the nearest float or its neighbour."""
    low, _ = ends(lambda: ball(value).log())
    return float(low)


@runtime_checkable
class MatchLaws(Protocol):
    """The laws of a pairwise test, for every level and pair."""

    def law(self, delta: Confidence, p: Fraction) -> MatchLaw:
        """Return the law at level ``delta`` of a pair with ``P(first wins) = p``."""

    def stopping_law(self, delta: Confidence, p: Fraction) -> StoppingLaw:
        """Return the joint law of duels and the arm returned."""

    def longest_mean(self, delta: Confidence, gap: Fraction) -> float:
        """Bound the expected number of duels at ``delta`` for every pair of at least that gap.

        As a function X of ``L = log(1/delta)``, the bound grows at most linearly:
        ``X(t L) + 1 <= t (X(L) + 1)`` for ``t >= 1``.
        """

    def require(self, preferences: Preferences) -> None:
        """Refuse preferences for which the test's guarantees do not hold."""
