"""MixtureTest: DuelTest's guarantee for fewer duels (not in the paper).

After n duels of which one arm won s, the evidence that it is the better one is

    W(n, s) = (C(n+1, 0) + ... + C(n+1, s)) / ((n+1) C(n, s))
            = 2**(n+1) * integral of x**s (1-x)**(n-s) over x from 1/2 to 1:

the likelihood ratio against a fair coin, averaged over all p > 1/2. For a fair coin W is a
martingale that starts at 1; for an arm that is not the better one it is a supermartingale. So the
worse arm's evidence ever reaches ``1/delta`` with probability at most ``delta`` (Ville 1939;
Robbins 1970). Howard, Ramdas, McAuliffe and Sekhon (2021) call it the one-sided beta mixture.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction
from math import comb

from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.exact import basel_factor_enclosure
from tgite.questions import Arm, Duel, Outcome, Stream

_LEVELS_KEPT = 1024
_FACTORS = {False: (Fraction(1), Fraction(1)), True: basel_factor_enclosure(60)}


def is_evident(n: int, s: int, delta: Confidence) -> bool:
    """Return whether ``W(n, s) >= 1/delta``, by adding up the binomials."""
    term = total = 1
    for k in range(1, s + 1):
        term = term * (n + 2 - k) // k  # C(n+1, k)
        total += term
    left = total * delta.rational.numerator
    right = (n + 1) * comb(n, s) * delta.rational.denominator
    if not delta.basel:
        return left >= right
    # The level has the irrational factor 6/pi**2, so some enclosure of it decides.
    digits = 30
    while True:
        low, high = basel_factor_enclosure(digits)
        if left * low.numerator >= right * low.denominator:
            return True
        if left * high.numerator < right * high.denominator:
            return False
        digits *= 2


def _stopping_leads(delta: Confidence) -> Iterator[int]:
    """Yield the stopping leads of 0, 1, 2, ... duels; ``n + 2`` where no lead is enough.

    The loop uses ``W(n+2, s+1) <= W(n, s) <= W(n+1, s+1)``: a win adds evidence, and a win together
    with a loss does not, because 4x(1-x) <= 1. So if s is the least number of wins that is enough
    after n duels, then after n + 1 duels it is s or s + 1.

    Integers enclose ``r = (n+1) W(n, s)``, the sum over k <= s of ``C(n+1, k) / C(n, s)``. A
    loss changes r to ``2 r (n+1-s)/(n+1) - 1``, a win to ``2 r (s+1)/(n+1) + 1``.
    """
    one = 1 << 128
    least, most = _FACTORS[delta.basel]
    num, den = delta.rational.as_integer_ratio()
    too_few = one * den * most.denominator // (num * most.numerator)
    enough = one * den * least.denominator // (num * least.numerator) + 1

    def reaches(low: int, high: int) -> bool:
        if low >= (n + 1) * enough:
            return True
        if high < (n + 1) * too_few:
            return False
        return is_evident(n, s, delta)  # the integers are too coarse, as at equality

    n = s = 0
    low = high = one
    while not reaches(low, high):
        yield n + 2
        n, s = n + 1, s + 1
        low = high = 2 * low + one
    while True:
        yield 2 * s - n
        times = 2 * (n + 1 - s)
        n += 1
        low_lost, high_lost = low * times // n - one, -(-high * times // n) - one
        if reaches(low_lost, high_lost):
            yield 2 * s - n
            n += 1
            low, high = low_lost, high_lost
        s += 1
        times = 2 * s
        low, high = low * times // n + one, -(-high * times // n) + one


class _Leads:
    """The stopping leads of one level, computed on demand."""

    def __init__(self, delta: Confidence) -> None:
        self._delta = delta
        self._begin()

    def _begin(self) -> None:
        self._found: list[int] = []
        self._following = _stopping_leads(self._delta)

    def after(self, n: int) -> int:
        """Return the stopping lead of n duels."""
        try:
            while len(self._found) <= n:
                self._found.append(next(self._following))
        except BaseException:  # an interruption may have lost an entry
            self._begin()
            raise
        return self._found[n]


@functools.lru_cache(maxsize=_LEVELS_KEPT)
def leads_of(delta: Confidence) -> _Leads:
    """Return the stopping leads of a level, from a cache."""
    return _Leads(delta)


def stopping_lead(n: int, delta: Confidence) -> int:
    """Return the least lead ``2s - n`` with ``W(n, s) >= 1/delta``, for ``n >= 1`` duels.

    The result is exact, by integer arithmetic. It is ``n + 2`` where no number of wins is enough.
    Arguments are not checked at run time, because the lead is looked up at every duel.
    """
    return leads_of(delta).after(n)


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
    leads = leads_of(delta)

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
