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

from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.exact import basel_factor_enclosure
from tgite.questions import Arm, Duel, Outcome, Stream

_LEVELS_KEPT = 1024


class Evidence:
    """``W(n, s)``, of n duels and s wins, in integers: ``total / ((n+1) binomial)``.

    ``binomial`` is C(n, s), ``total`` the sum of C(n+1, k) over k <= s. Starts at n = s = 0.
    """

    def __init__(self) -> None:
        """Start before the first duel."""
        self.n, self.s = 0, 0
        self.binomial, self.total = 1, 1

    def one_duel_more(self) -> None:
        """Go from ``W(n, s)`` to ``W(n+1, s)``."""
        # C(n+1, s); twice the old sum is the new one, and as C(n+2, k) = C(n+1, k) + C(n+1, k-1),
        # its last term C(n+1, s) too much.
        self.binomial = self.binomial * (self.n + 1) // (self.n + 1 - self.s)
        self.total = 2 * self.total - self.binomial
        self.n += 1

    def one_win_more(self) -> None:
        """Go from ``W(n, s)`` to ``W(n, s+1)``, for ``s < n``."""
        self.total += self.binomial * (self.n + 1) // (self.s + 1)  # C(n+1, s+1)
        self.binomial = self.binomial * (self.n - self.s) // (self.s + 1)
        self.s += 1

    def reaches(self, delta: Confidence) -> bool:
        """Say whether ``W(n, s) >= 1/delta``."""
        left = self.total * delta.rational.numerator
        right = (self.n + 1) * self.binomial * delta.rational.denominator
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


class _Leads:
    """For one level, the stopping leads of ``n = 0, 1, 2, ...``, found one after the other.

    ``W(n+1, s) <= W(n, s) <= W(n+1, s+1)``: one duel more asks for as many wins or for one more.
    """

    def __init__(self, delta: Confidence) -> None:
        self._delta = delta
        self._evidence = Evidence()
        self._leads = [2]

    def after(self, n: int) -> int:
        """Return the stopping lead of n duels; n + 2 where no lead is enough."""
        while len(self._leads) <= n:
            self._leads.append(self._next())
        return self._leads[n]

    def _next(self) -> int:
        evidence, delta = self._evidence, self._delta
        some_lead_was_enough = self._leads[-1] <= evidence.n
        evidence.one_duel_more()
        if not (some_lead_was_enough and evidence.reaches(delta)):
            evidence.one_win_more()
        if some_lead_was_enough or evidence.reaches(delta):
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
