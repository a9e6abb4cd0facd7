"""The exact law of DuelTest (``alg:dueltest``), at every level and for every pair.

One dynamic program for each level serves all pairs. It counts the outcome sequences on which the
test stops, and a pair's probability only weighs them. The part beyond a cut is bounded by
Hoeffding's inequality for pairs with a gap, and by a maximal inequality for a tie.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import exp, expm1, inf, log, sqrt

from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.errors import InvalidInput
from tgite.preferences import Preferences, require_condorcet_gap
from tgite_laws.boundary import Boundary, certify
from tgite_laws.enclosure import Enclosure
from tgite_laws.fewest_duels import fewest_duels
from tgite_laws.implementation import REFERENCE, Implementation
from tgite_laws.match_law import MatchLaw, Remainder, StoppingLaw, nearest_log, stopping_law
from tgite_laws.maximal_inequality import late_crossing
from tgite_laws.rule import ONE_BY_ONE, Known, Rule, mean_beyond
from tgite_laws.walk import StoppedWalk, Stops, rounding_error

HALF = Fraction(1, 2)

# With a gap, the law is cut where Hoeffding bounds the probability of going on by exp(-30) ~ 1e-13.
_CUT_EXPONENT = 30.0
# A tie's law is cut at this multiple of the first n that can stop.
_TIE_CUT = 1024
# Floats here carry relative errors of some 1e-15; bounds are moved outwards by this.
_OUTWARD = 1.0 + 1e-9
_CHUNK = 1 << 16


@dataclass(slots=True)
class _Level:
    rule: Rule
    walk: StoppedWalk = field(default_factory=StoppedWalk)
    stops: Stops | None = None


class DuelTestLaws:
    """The laws of an implementation's DuelTest, computed on demand and cached.

    With the transcription's own ``c``, every stopping lead is certified against the real boundary.
    A mutant's radius is used without this check. The bounds beyond a cut need ``n -> 2 n c(n)`` to
    be increasing and concave.
    """

    _may_not_end_on_a_tie = True

    @checked
    def __init__(self, under_test: Implementation) -> None:
        """Make the laws of ``under_test.duel_test``."""
        self._test = under_test.duel_test
        self._radius = under_test.c
        self._certified = under_test.duel_test is REFERENCE.duel_test
        self._levels: dict[Confidence, _Level] = {}
        self._laws: dict[tuple[Confidence, Fraction], MatchLaw] = {}

    @checked
    def law(self, delta: Confidence, p: Fraction) -> MatchLaw:
        """Return the law at level ``delta`` of a pair with ``P(first wins) = p``.

        On a tie, ``p = 1/2``, the test need not end. The moments are then restricted to the event
        that it ends. Raises :class:`~tgite.errors.InvalidInput` unless ``0 < p < 1``,
        :class:`~tgite_laws.balls.NearTie` where the float rule is not certified, and
        :class:`~tgite_laws.walk.LevelTooSmall` for levels below about 1e-400.
        """
        key = (delta, p)
        if key not in self._laws:
            stopping = self.stopping_law(delta, p)
            self._laws[key] = stopping.match_law(self._may_not_end_on_a_tie and p == HALF)
        return self._laws[key]

    @checked
    def stopping_law(self, delta: Confidence, p: Fraction) -> StoppingLaw:
        """Return the joint law of the duels and the arm returned; raises as :meth:`law` does."""
        cut = self.law_cut(delta, p)
        stops, rule = self._stops(delta, cut), self._levels[delta].rule
        if p == HALF:
            late = self._late(delta, stops, cut)
            beyond = late, late
        else:
            beyond = self._beyond(delta, abs(p - HALF), cut)
        return stopping_law(rule, stops, p, rounding_error(cut), beyond)

    @checked
    def law_cut(self, delta: Confidence, p: Fraction) -> int:
        """Return the number of duels at which a pair's law is cut; raises as :meth:`law` does."""
        if not 0 < p < 1:
            raise InvalidInput("p", str(p), "must lie strictly between 0 and 1")
        if p == HALF:
            return _TIE_CUT * fewest_duels(self._test, delta)
        return self._cut(delta, abs(p - HALF))

    @checked
    def largest_error(self, delta: Confidence) -> Enclosure:
        """Return the supremum of the error probability over all pairs that do not tie.

        Couple a pair ``p > 1/2`` with a tie by shared uniform numbers. The tie's walk is never
        above the pair's walk. So whenever the pair's walk stops on the lower side, the tie's walk
        does. Hence the error is at most half the probability that a tie ever stops. As p tends to
        1/2, the error tends to that value, because the error within any number of duels is
        continuous in p.
        """
        return self.law(delta, HALF).first.probability

    @checked
    def longest_mean(self, delta: Confidence, gap: Fraction) -> float:
        """Bound the expected number of duels for every pair of at least that gap.

        By Wald's identity, with one duel of overshoot, and Jensen's inequality for the concave
        boundary ``f(n) = 2 n c(n)`` of the lead, ``2 gap E[tau] <= E|2S - tau| <= E f(tau - 1) + 1
        <= f(E[tau] - 1) + 1``. The bound X is the root of the convex function
        ``2 gap x - 1 - f(x - 1)``, which is negative at 1.

        Let L = log(1/delta), y = X - 1 and A = log(2 X y). Then ``X(t L) <= t X(L)`` for
        ``t >= 1``. To see this, put x = t X in
        ``(2 gap x - 1)**2 = 2 (x - 1)(log(2 x (x - 1)) + t L)``. The left side is then at least
        ``t**2 2 y (A + L)``. The right side is below that if ``y (A - 2)`` is at least
        ``A + L + 2``. This holds because y is at least 11 and at least 2 L - 1.
        """
        if gap <= 0:
            return inf
        drift = 2 * float(gap)

        def beyond(x: float) -> bool:
            n = x - 1
            lead = sqrt(2 * n * (log(2 * n * (n + 1)) + delta.log_inverse))
            return drift * x - 1 - lead > 1e-9 * x

        high = 16.0
        while not beyond(high):
            high *= 2
        low = high / 2
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (low, middle) if beyond(middle) else (middle, high)
        return high

    @checked
    def require(self, preferences: Preferences) -> None:
        """Refuse preferences that break ``assump:condorcet-gap``."""
        require_condorcet_gap(preferences)

    def _known(self, delta: Confidence) -> Known:
        """Return the comparisons that the test is known to make."""
        return mean_beyond(lambda n: self._radius(n, delta))

    def _lead(self, delta: Confidence, n: int) -> float:
        """Return ``2 n c(n)``, an upper bound on the lead while the test goes on."""
        return 2 * n * self._radius(n, delta)

    def _least_lead_beyond(self, delta: Confidence, cut: int) -> float:
        """Return a lower bound on the lead where the test stops beyond the cut."""
        return self._lead(delta, cut)

    def _late(self, delta: Confidence, stops: Stops, cut: int) -> Remainder:
        """Bound the part of a tie's law beyond the cut, for each of the arms."""
        return late_crossing(delta, cut).times(0.5)

    def _cut(self, delta: Confidence, gap: Fraction) -> int:
        def far_enough(n: int) -> bool:
            return 2 * float(gap) * n - self._lead(delta, n) >= sqrt(2 * n * _CUT_EXPONENT)

        high = 16
        while not far_enough(high):
            high *= 2
        low = high // 2
        while high - low > 8:
            middle = (low + high) // 2
            low, high = (low, middle) if far_enough(middle) else (middle, high)
        return high + high % 2

    def _beyond(self, delta: Confidence, gap: Fraction, cut: int) -> tuple[Remainder, Remainder]:
        """Bound the part of a law beyond the cut: better arm returned, and worse arm returned.

        Let ``drift = 2 gap``, and let s be the slope of the boundary's tangent at the cut c. The
        boundary lies below that tangent. So by Hoeffding the test goes on after c + j duels with
        probability at most ``exp(-h(c + j))``, where
        ``h(n) = (drift n - f(c) - s (n - c))**2 / (2n)`` is convex in n. This is at most
        ``Q exp(-a j)`` with ``Q = exp(-h(c))`` and ``a = h'(c)``. With lead d, the worse arm is
        returned r**d times as often as the better one, where r = (1/2-gap)/(1/2+gap). The lead d is
        at least f(c).
        """
        drift = 2 * float(gap)
        lead = self._lead(delta, cut)
        slope = lead - self._lead(delta, cut - 1) + 1e-9
        margin = drift * cut - lead
        exponent = margin * margin / (2 * cut)
        a = margin * (drift - slope) / cut - exponent / cut
        if margin <= 0 or a <= 0:
            raise AssertionError("the cut is too early for its bound")
        Q = exp(-exponent) * _OUTWARD
        steps = 1 / expm1(a)
        better = Remainder(
            Q,
            Q * (cut + 1 + steps) * _OUTWARD,
            Q * ((cut + 1) ** 2 + (2 * cut + 1) * steps + 2 * steps * (steps + 1)) * _OUTWARD,
        )
        log_ratio = nearest_log((HALF - gap) / (HALF + gap))
        least = self._least_lead_beyond(delta, cut) * (1 - 1e-9)
        return better, better.times(exp(log_ratio * least) * _OUTWARD)

    def _stops(self, delta: Confidence, cut: int) -> Stops:
        """Return the stops up to the cut; advance the level's walk if needed."""
        level = self._levels.pop(delta, None) or _Level(Rule(self._test, delta, self._known(delta)))
        while level.walk.n < cut:
            first = level.walk.n + 1
            last = min(cut, ONE_BY_ONE if first <= ONE_BY_ONE else level.walk.n + _CHUNK)
            leads = level.rule.leads(first, last)
            if len(leads) <= last - first:
                raise InvalidInput("test", self._test, "must stop where a comparison holds")
            if self._certified:
                certify(Boundary(delta, square=2, linear=2), leads, first)
            level.walk.advance(leads)
            level.stops = None
        # Stored only if all of it could be read.
        self._levels[delta] = level
        if level.stops is None:
            level.stops = level.walk.stops()
        return level.stops.until(cut)
