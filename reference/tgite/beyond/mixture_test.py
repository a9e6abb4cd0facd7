"""MixtureTest: DuelTest's guarantee for a third of the duels (not in the paper).

After n duels of which one arm won s, the evidence that it is the better one is

    W(n, s) = (C(n+1, 0) + ... + C(n+1, s)) / ((n+1) C(n, s))
            = 2**(n+1) * integral of x**s (1-x)**(n-s) over x from 1/2 to 1:

its likelihood ratio against a fair coin, averaged over all p > 1/2. For a fair coin W is a
martingale that starts at 1, and for an arm that is not the better one a supermartingale. So the
worse arm's evidence ever reaches ``1/delta`` with probability at most ``delta`` (Ville 1939;
Robbins 1970; the one-sided beta mixture of Howard, Ramdas, McAuliffe and Sekhon 2021).
"""

from __future__ import annotations

import functools
from fractions import Fraction
from math import ceil, comb, floor

from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.exact import basel_factor_enclosure
from tgite.questions import Arm, Duel, Outcome, Stream

_LEVELS_KEPT = 1024


def is_evident(n: int, s: int, delta: Confidence) -> bool:
    """Say whether ``W(n, s) >= 1/delta``, by adding up the binomials."""
    term = total = 1
    for k in range(1, s + 1):
        term = term * (n + 2 - k) // k  # C(n+1, k)
        total += term
    left = total * delta.rational.numerator
    right = (n + 1) * comb(n, s) * delta.rational.denominator
    if not delta.basel:
        return left >= right
    # The level has a factor 6/pi**2, which is irrational: some enclosure of it decides.
    digits = 30
    while True:
        low, high = basel_factor_enclosure(digits)
        if left * low.numerator >= right * low.denominator:
            return True
        if left * high.numerator < right * high.denominator:
            return False
        digits *= 2


class Evidence:
    """Integers around ``2**BITS (n+1) W(n, s)``, step by step from n = s = 0 on.

    With ``r = (n+1) W(n, s)``, the sum over k <= s of ``C(n+1, k) / C(n, s)``, one duel more makes
    it ``2 r (n+1-s)/(n+1) - 1``, and one win more ``1 + (r+1) (s+1)/(n-s)``.
    """

    BITS = 128

    def __init__(self) -> None:
        """Start before the first duel, where W is 1."""
        self.n, self.s = 0, 0
        self.low = self.high = self._unit = 1 << self.BITS

    def one_duel_more(self) -> None:
        """Go from ``W(n, s)`` to ``W(n+1, s)``."""
        times, over = 2 * (self.n + 1 - self.s), self.n + 1
        self.low = self.low * times // over - self._unit
        self.high = -(-self.high * times // over) - self._unit
        self.n += 1

    def one_win_more(self) -> None:
        """Go from ``W(n, s)`` to ``W(n, s+1)``, for ``s < n``."""
        times, over = self.s + 1, self.n - self.s
        self.low = self._unit + (self.low + self._unit) * times // over
        self.high = self._unit - (-(self.high + self._unit) * times // over)
        self.s += 1

    def reaches(self, above: int, below: int, delta: Confidence) -> bool:
        """Say whether ``W(n, s) >= 1/delta``.

        ``2**BITS/delta`` is between ``below`` and ``above``. What the integers are too coarse for,
        an exact tie for one, the binomials decide.
        """
        if self.low >= (self.n + 1) * above:
            return True
        if self.high < (self.n + 1) * below:
            return False
        return is_evident(self.n, self.s, delta)


class _Leads:
    """For one level, the stopping leads of ``n = 0, 1, 2, ...``, found one after the other.

    ``W(n+1, s) <= W(n, s) <= W(n+1, s+1)``: one duel more asks for as many wins or for one more.
    """

    def __init__(self, delta: Confidence) -> None:
        self._delta = delta
        self._evidence = Evidence()
        self._leads = [2]
        low, high = basel_factor_enclosure(60) if delta.basel else (Fraction(1), Fraction(1))
        unit = 1 << Evidence.BITS
        self._bounds = ceil(unit / (low * delta.rational)), floor(unit / (high * delta.rational))

    def after(self, n: int) -> int:
        """Return the stopping lead of n duels; n + 2 where no lead is enough."""
        while len(self._leads) <= n:
            self._leads.append(self._next())
        return self._leads[n]

    def _next(self) -> int:
        evidence = self._evidence
        some_lead_was_enough = self._leads[-1] <= evidence.n
        evidence.one_duel_more()
        if not (some_lead_was_enough and evidence.reaches(*self._bounds, self._delta)):
            evidence.one_win_more()
        if some_lead_was_enough or evidence.reaches(*self._bounds, self._delta):
            return 2 * evidence.s - evidence.n
        return evidence.n + 2


@functools.lru_cache(maxsize=_LEVELS_KEPT)
def _leads(delta: Confidence) -> _Leads:
    return _Leads(delta)


def stopping_lead(n: int, delta: Confidence) -> int:
    """Return the least lead ``2s - n`` with ``W(n, s) >= 1/delta``, for ``n >= 1`` duels.

    Exactly, in integers. It is ``n + 2`` where no number of wins is enough. Not checked at run
    time: it is looked up once for every duel.
    """
    return _leads(delta).after(n)


@checked
def mixture_test(u: Arm, v: Arm, delta: Confidence) -> Stream[Duel, Outcome, Arm]:
    """Compare ``u`` with ``v`` until the evidence for one of them reaches 1/delta; return it.

    A drop-in for :func:`~tgite.duel_test.duel_test`. For a gap ``gamma = |p_uv - 1/2| > 0`` it ends
    almost surely and returns the better arm with probability at least ``1 - delta``. On every
    sequence of outcomes it stops no later than DuelTest. If the arms tie, it ends with probability
    at most ``2 delta``.

    Raises :class:`~tgite.errors.InvalidInput` unless ``u`` and ``v`` are two different arms.
    """
    duel = Duel(u, v)
    leads = _leads(delta)

    def algorithm() -> Stream[Duel, Outcome, Arm]:
        n, S = 0, 0
        while True:
            n += 1
            Y = yield duel
            S += Y
            lead = 2 * S - n
            if abs(lead) >= leads.after(n):
                break
        if lead > 0:
            return u
        return v

    return algorithm()
