"""SprtTest: Wald's test for a known gap, in BudgetedDuelTest's place (not in the paper).

The likelihood ratio of ``p = 1/2 + g`` against ``p = 1/2 - g`` depends only on the lead: it is
``((1+2g)/(1-2g))**k`` after a lead of k duels. With ``ratio = (1+2g)/(1-2g)``, the worse arm is the
first to lead by k duels with probability ``1/(1 + ratio**k)``. The test stops at the least lead k
for which that probability is at most delta (Wald 1945).
"""

from __future__ import annotations

import functools
from fractions import Fraction

from tgite.checked import checked
from tgite.confidence import Confidence, ceil_of_log, write_rational
from tgite.errors import InvalidInput
from tgite.exact import basel_factor_enclosure, power_enclosure
from tgite.questions import Arm, Duel, Outcome, PairwiseTest, Stream


@checked
def stopping_lead(g: Fraction, delta: Confidence) -> int:
    """Return the least ``k >= 1`` with ``1/(1 + ((1+2g)/(1-2g))**k) <= delta``, exactly.

    Raises :class:`~tgite.errors.InvalidInput` unless ``0 < g < 1/2``.
    """
    require_gap_below_half(g)
    return _stopping_lead(g, delta)


@functools.lru_cache(maxsize=4096)
def _stopping_lead(g: Fraction, delta: Confidence) -> int:
    ratio = (1 + 2 * g) / (1 - 2 * g)
    enough = 1
    while not _is_enough(ratio, enough, delta):
        enough *= 2
    short = enough // 2  # this lead is 0, or is not enough
    while enough - short > 1:
        middle = (short + enough) // 2
        short, enough = (short, middle) if _is_enough(ratio, middle, delta) else (middle, enough)
    return enough


def _is_enough(ratio: Fraction, k: int, delta: Confidence) -> bool:
    """Return whether ``1 <= delta (1 + ratio**k)``, exactly."""
    digits = 40
    while True:
        factors = basel_factor_enclosure(digits) if delta.basel else (Fraction(1), Fraction(1))
        powers = power_enclosure(ratio, k, digits)
        low, high = (delta.rational * f * (1 + p) for f, p in zip(factors, powers, strict=True))
        if low >= 1 or high < 1:
            return low >= 1
        digits *= 2


@checked
def sprt_test(u: Arm, v: Arm, g: Fraction, delta: Confidence) -> Stream[Duel, Outcome, Arm]:
    """Compare ``u`` with ``v`` until one leads by :func:`stopping_lead` duels; return it.

    For a gap of at least ``g`` the better arm is returned with probability at least ``1 - delta``.
    With k the stopping lead, the expected number of duels is at most ``k/(2 gap)``, and ``k**2`` if
    the arms tie. The number of duels has no upper limit. Where the paper's bounds must hold for
    pairs without a gap, use :func:`truncated_sprt_test`.

    Raises :class:`~tgite.errors.InvalidInput` unless ``u`` and ``v`` are two different arms and
    ``0 < g < 1/2``.
    """
    duel = Duel(u, v)
    k = stopping_lead(g, delta)

    def algorithm() -> Stream[Duel, Outcome, Arm]:
        n, S = 0, 0
        while True:
            n += 1
            Y = yield duel
            S += Y
            lead = 2 * S - n
            if abs(lead) >= k:
                break
        if lead > 0:
            return u
        return v

    return algorithm()


@checked
def budget(g: Fraction, delta: Confidence) -> int:
    """Return ``ceil(log(2/delta) / (2 g**2))``, the most duels of a truncated test, exactly.

    After this many duels of a pair with gap g, the probability that the better arm does not lead is
    at most ``delta/2`` (Hoeffding). Raises :class:`~tgite.errors.InvalidInput` unless
    ``0 < g < 1/2``.
    """
    require_gap_below_half(g)
    return ceil_of_log(2, delta, 2 * g * g)


@functools.lru_cache(maxsize=4096)
def _half(delta: Confidence) -> Confidence:
    return Confidence(delta.rational / 2, delta.basel)


@checked
def truncated_sprt_test(
    u: Arm, v: Arm, g: Fraction, delta: Confidence
) -> Stream[Duel, Outcome, Arm]:
    """Compare ``u`` with ``v`` as :func:`sprt_test` at level delta/2, at most ``budget`` times.

    If the budget ends the test, it returns the arm that leads, or ``u`` on a tie; this adds at most
    ``delta/2`` to the probability of error. For a gap of at least ``g`` the better arm is returned
    with probability at least ``1 - delta``. For every pair the test ends within :func:`budget`
    duels, which is less than the budget of BudgetedDuelTest.

    Raises :class:`~tgite.errors.InvalidInput` unless ``u`` and ``v`` are two different arms and
    ``0 < g < 1/2``.
    """
    duel = Duel(u, v)
    M = budget(g, delta)
    k = _stopping_lead(g, _half(delta))

    def algorithm() -> Stream[Duel, Outcome, Arm]:
        S = 0
        for n in range(1, M + 1):
            Y = yield duel
            S += Y
            lead = 2 * S - n
            if abs(lead) >= k:
                break
        if lead >= 0:
            return u
        return v

    return algorithm()


@checked
def known_gap_unlimited_sprt(g: Fraction) -> PairwiseTest[Duel, Outcome]:
    """Return :func:`sprt_test` for the known gap ``g`` as a pairwise test.

    Raises :class:`~tgite.errors.InvalidInput` unless ``0 < g < 1/2``.
    """
    require_gap_below_half(g)

    def test(u: Arm, v: Arm, delta: Confidence) -> Stream[Duel, Outcome, Arm]:
        return sprt_test(u, v, g, delta)

    return test


@checked
def known_gap_sprt(g: Fraction) -> PairwiseTest[Duel, Outcome]:
    """Return the truncated test for the known gap ``g``, a drop-in for ``tgite.known_gap``.

    Raises :class:`~tgite.errors.InvalidInput` unless ``0 < g < 1/2``.
    """
    require_gap_below_half(g)

    def test(u: Arm, v: Arm, delta: Confidence) -> Stream[Duel, Outcome, Arm]:
        return truncated_sprt_test(u, v, g, delta)

    return test


def require_gap_below_half(g: Fraction) -> None:
    """Refuse a gap that is not above 0 and below 1/2."""
    if not 0 < g < Fraction(1, 2):
        raise InvalidInput("g", write_rational(g), "must be above 0 and below 1/2")
