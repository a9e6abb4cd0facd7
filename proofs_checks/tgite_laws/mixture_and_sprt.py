"""The exact laws of the tests beyond the paper: MixtureTest and SprtTest.

Like the laws of the paper's tests, they are computed from the tests' own code. Only the bounds
beyond a law's cut differ. The truncated SprtTest has a budget and needs no such bound, so
:mod:`tgite_laws.budgeted_duel_test` serves it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import ceil, exp, expm1, inf, log, pi, sin, sqrt

import numpy as np

from tgite.beyond.sprt_test import require_gap_below_half
from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.errors import InvalidInput
from tgite.preferences import HALF, Preferences, require_known_gap
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.evidence import EVIDENCE_BITS, evidence_along
from tgite_laws.fewest_duels import fewest_duels
from tgite_laws.implementation import REFERENCE, Implementation
from tgite_laws.match_law import Remainder, nearest_log
from tgite_laws.rule import Known
from tgite_laws.walk import ROUNDING, Stops, rounding_error

_OUTWARD = 1.0 + 1e-9
_CUT_EXPONENT = 30.0


def lead_reaches(lead: Callable[[int], int]) -> Known:
    """Return the comparisons ``abs(2*S - n) >= lead(n)``."""
    return Known(
        (2, 0.0, True, operator.ge),
        lambda n: (n, -n, 1, lead(n)),
        lambda first, last: np.array([lead(n) for n in range(first, last + 1)], np.int64),
    )


class MixtureTestLaws(DuelTestLaws):
    """The laws of an implementation's MixtureTest, provided that it obeys the bounds below.

    Beyond a cut we use the concave radius ``sqrt(log((n+1)/delta) / (2n))``. The test has stopped
    by the time that the mean leaves this radius, for three reasons:

    - in W's sum, for s >= n/2, the terms add up to at least 2**n;
    - ``C(n, s)`` is at most ``exp(n H(s/n))``;
    - ``log 2 - H(q) >= 2 (q - 1/2)**2``.

    The radius is no wider than DuelTest's.
    """

    @checked
    def __init__(self, under_test: Implementation = REFERENCE) -> None:
        """Make the laws of the MixtureTest of ``under_test``."""
        code = under_test.module("beyond.mixture_test")
        super().__init__(replace(REFERENCE, name="beyond", duel_test=code.mixture_test, c=_radius))
        self._stopping_lead = code.stopping_lead

    def _known(self, delta: Confidence) -> Known:
        return lead_reaches(lambda n: self._stopping_lead(n, delta))

    def _least_lead_beyond(self, delta: Confidence, cut: int) -> float:
        """Return one less than the stopping lead at the cut.

        As 4x(1-x) <= 1, W(n+2, s+1) <= W(n, s). So two more duels never lower the stopping lead.
        """
        leads = self._stops(delta, cut).leads
        # Where nothing has stopped, the stopping lead at the cut exceeds the cut.
        return float(leads[-1] - 1 if len(leads) else cut)

    def _late(self, delta: Confidence, stops: Stops, cut: int) -> Remainder:
        """Bound the probability that a tie stops beyond the cut in favour of one given arm.

        The evidence is a martingale of mean 1. The runs that stopped by the cut hold a part of
        that mean. The other runs reach 1/delta with probability at most delta times the rest.
        The number of duels has no mean there.
        """
        masses = np.ldexp(stops.mantissas, stops.exponents)
        at = list(zip(stops.duels.tolist(), stops.leads.tolist(), strict=True))
        taken = 0.0
        for (n, _), r, mass in zip(at, evidence_along(at), masses.tolist(), strict=True):
            taken += mass * (r / ((n + 1) << EVIDENCE_BITS))
        taken *= 1 - rounding_error(cut) - (len(masses) + 4) * ROUNDING
        late = max(0.0, 1 - taken) * float(delta.rational) * _OUTWARD
        return Remainder(min(late, 1.0), inf, inf)


def _radius(n: int, delta: Confidence) -> float:
    return sqrt((log(n + 1) + delta.log_inverse) / (2 * n))


class SprtTestLaws(DuelTestLaws):
    """The laws of an implementation's SprtTest for one gap g, which ends for every pair.

    The test stops at a lead of k. So k is also the length of a match that one side wins throughout.
    Let ``p >= 1/2``, q = 1-p, X the better arm's lead, and ``x = 2 sqrt(pq) cos(pi/(2k))``.
    Then ``(q/p)**(X/2) cos(pi X / (2k)) / x**n`` is a martingale that starts at 1. It is 0 where
    the test stops, and elsewhere at least ``(q/p)**((k-1)/2) sin(pi/(2k)) / x**n``. So the test
    goes on after n duels with probability at most
    ``Q(n) = x**n (p/q)**((k-1)/2) / sin(pi/(2k))``.
    """

    _may_not_end_on_a_tie = False

    @checked
    def __init__(self, g: Fraction, under_test: Implementation = REFERENCE) -> None:
        """Make the laws of the test with the known gap ``g``, ``0 < g < 1/2``."""
        require_gap_below_half(g)
        self._g = g
        test = under_test.module("beyond.sprt_test").known_gap_unlimited_sprt(g)
        super().__init__(replace(REFERENCE, name="beyond", duel_test=test))

    @checked
    def law_cut(self, delta: Confidence, p: Fraction) -> int:
        """Return the number of duels where a pair's law is cut; raises as :meth:`law` does."""
        if not 0 < p < 1:
            raise InvalidInput("p", str(p), "must lie strictly between 0 and 1")
        log_x, log_factor = self._decay(delta, p)
        cut = ceil((_CUT_EXPONENT + log_factor) / -log_x)
        return cut + cut % 2

    @checked
    def longest_mean(self, delta: Confidence, gap: Fraction) -> float:
        """Bound the expected number of duels: by ``k/(2 gap)`` and by ``k**2`` (Wald)."""
        k = fewest_duels(self._test, delta)
        return float(k * k) if gap <= 0 else min(float(k * k), k / (2 * float(gap)))

    @checked
    def require(self, preferences: Preferences) -> None:
        """Refuse preferences without a winner, and those whose winner's gap is below ``g``."""
        require_known_gap(preferences, self._g)

    def _beyond(self, delta: Confidence, gap: Fraction, cut: int) -> tuple[Remainder, Remainder]:
        log_x, log_factor = self._decay(delta, HALF + gap)
        Q = exp(cut * log_x + log_factor) * _OUTWARD
        steps = 1 / expm1(-log_x)
        better = Remainder(
            Q,
            Q * (cut + 1 + steps) * _OUTWARD,
            Q * ((cut + 1) ** 2 + (2 * cut + 1) * steps + 2 * steps * (steps + 1)) * _OUTWARD,
        )
        log_ratio = nearest_log((HALF - gap) / (HALF + gap))
        k = fewest_duels(self._test, delta)
        return better, better.times(exp(log_ratio * k * (1 - 1e-9)) * _OUTWARD)

    def _late(self, delta: Confidence, stops: Stops, cut: int) -> Remainder:
        return self._beyond(delta, Fraction(0), cut)[0].times(0.5)

    def _decay(self, delta: Confidence, p: Fraction) -> tuple[float, float]:
        """Return upper bounds on the logarithms of x and of Q(n) / x**n."""
        k = fewest_duels(self._test, delta)
        p = max(p, 1 - p)
        # cos(y) <= exp(-y**2/2), and cos(pi/2) = 0 needs no rounding.
        log_x = nearest_log(4 * p * (1 - p)) / 2 - (pi / (2 * k)) ** 2 / 2
        log_factor = nearest_log(p / (1 - p)) * (k - 1) / 2 - log(sin(pi / (2 * k)))
        return log_x * (1 - 1e-9), log_factor + 1e-9
