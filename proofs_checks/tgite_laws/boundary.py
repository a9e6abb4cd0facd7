"""Integer stopping boundaries of a pairwise test, from the transcription's own float comparison.

The *lead* after n duels is ``|2S - n|``, the number of duels by which one arm is ahead. Both tests
stop after n duels as soon as the lead is large enough. So a test is given by its *stopping leads*:
for each n, the least lead of n's parity at which the test stops.

The leads come from the float rule of ``alg:dueltest`` L6 and ``alg:budgeted-dueltest`` L5, exactly
as the transcription evaluates it, with either arm in front. :func:`certify` checks that real
numbers give the same decisions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from tgite.confidence import Confidence
from tgite_laws.balls import NearTie, ball, log_integer_ball, log_inverse_ball, sign

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

# The radii and the terms compared below are accurate to a few units of 2**-53. So the floats of two
# terms with at least this relative distance have the right order.
_CLEAR = 2.0**-40


def stopping_leads(margin: Callable[[int], float], first: int, last: int) -> Integers:
    """Return the stopping leads of ``n = first..last``, by the float rule of the transcription.

    ``margin(n)`` is what ``abs(S / n - 1/2)`` must exceed: ``c(n, delta)`` or
    ``b(n, delta) - float(g)``. Raises the errors of :func:`least_leads`.
    """
    n = np.arange(first, last + 1, dtype=np.int64)
    margins = np.array([margin(k) for k in range(first, last + 1)], dtype=np.float64)
    near = n * (0.5 + np.maximum(margins, 0.0))
    return least_leads(n, near, lambda S: np.abs(S / n[:, None] - 0.5) > margins[:, None])


def least_leads(
    n: Integers, near: Floats, stops: Callable[[Integers], npt.NDArray[np.bool_]]
) -> Integers:
    """Return the stopping lead for each n, given which scores stop.

    ``stops(S)`` decides a matrix of scores with one row for each n. ``near`` approximates the least
    score above n/2 that stops. A lead above n means that the test cannot stop at n.

    Raises :class:`~tgite_laws.balls.NearTie` if the rule treats the two arms differently at
    some n.
    """
    lowest = (n + 1) // 2
    S = np.clip(np.floor(near).astype(np.int64) - 1, lowest, n + 1)[:, None] + np.arange(4)
    stopping = stops(S)
    least = S[np.arange(len(n)), np.argmax(stopping, axis=1)]
    # The window must contain the least score that stops, unless no S <= n stops.
    begun = stopping[:, 0] & (S[:, 0] > lowest)
    unfinished = ~stopping[:, -1] & (S[:, -1] <= n)
    if begun.any() or unfinished.any():
        raise AssertionError("the window of candidate scores misses the stopping boundary")
    least = np.where(stopping.any(axis=1), least, n + 1)
    # The decisions must not change when the arms, S and n - S, are exchanged.
    mirrored = stops(np.stack((n - least, n - least + 1), axis=1))
    uneven = ((least <= n) & ~mirrored[:, 0]) | ((least > lowest) & mirrored[:, 1])
    if uneven.any():
        raise NearTie(f"the float rule favours one arm after n = {n[uneven][0]} duels")
    leads: Integers = 2 * least - n
    return leads


@dataclass(frozen=True, slots=True)
class Boundary:
    """The real boundary of a test: it stops iff ``lead + 2 g n > sqrt(2 n log(q(n)/delta))``.

    Here ``q(n) = square * n**2 + linear * n``. DuelTest has ``q(n) = 2n(n+1)`` and ``gap = 0``;
    BudgetedDuelTest has ``q(n) = 8 n**2`` and ``gap = g``.
    """

    delta: Confidence
    square: int
    linear: int
    gap: Fraction = Fraction(0)


def certify(boundary: Boundary, leads: Integers, first: int, every_by_balls: bool = False) -> int:
    """Check that the stopping leads from ``n = first`` on agree with the real boundary.

    Floats decide where the two sides are farther apart than their rounding errors. Ball arithmetic
    decides the others, or all with ``every_by_balls``. Returns the number that balls decided.

    Raises :class:`~tgite_laws.balls.NearTie` if a lead is not the real one or could not be
    settled.
    """
    n = np.arange(first, first + len(leads), dtype=np.int64)
    quotients = np.float64(boundary.square) * n * n + np.float64(boundary.linear) * n
    right = 2.0 * n * (np.log(quotients) + boundary.delta.log_inverse)
    by_balls = 0
    # The lead itself must stop. Two less, where that is a lead, must not.
    for lead, stops in ((leads, True), (leads - 2, False)):
        relevant = lead <= n if stops else lead >= 0
        left = np.square(lead + 2.0 * float(boundary.gap) * n)
        distance = (left - right if stops else right - left) / right
        clear = distance > _CLEAR
        settled_by_balls = relevant if every_by_balls else relevant & ~clear
        for k in np.flatnonzero(settled_by_balls):
            _settle(boundary, int(n[k]), int(lead[k]), stops)
            by_balls += 1
    return by_balls


def _settle(boundary: Boundary, n: int, lead: int, stops: bool) -> None:
    left = (lead + 2 * n * boundary.gap) ** 2
    quotient = boundary.square * n**2 + boundary.linear * n
    what = f"lead {lead} after {n} duels at level {boundary.delta}"
    over = sign(
        lambda: (
            ball(left) - 2 * n * (log_integer_ball(quotient) + log_inverse_ball(boundary.delta))
        ),
        what,
    )
    if (over > 0) != stops:
        raise NearTie(f"{what}: the float rule and the real numbers decide differently")
