"""Karnin's explore-then-verify: fixed confidence, without knowing a gap (not in the paper).

Source: Karnin, "Verification based solution for structured MAB problems" (NIPS 2016), for dueling
bandits with a Condorcet winner, in the version that Haddenhorst, Bengs and Hullermeier (NeurIPS
2021) ran. After t duels the mean ``m[x, y]`` of outcomes 1 and -1 has the confidence radius

    radius(t) = sqrt(2 log(2 t**2 N**2 / level) / t).

Round r = 1, 2, ... first explores at level ``kappa = min(1/3, 1/log(1/delta))``: each pair that is
still compared has one duel at a time, in turn. The comparison of x with y is over as soon as one of
these is known:

* x beats y;
* x loses to y, by an amount known within a factor of 2;
* x loses to another arm by more than to y.

An arm that is known to beat every other one becomes the candidate. It is then verified at level
``delta/(2 r**2)``, on new duels: every other arm x must lose to its witness, the arm against which
its upper bound was the least. If one of these arms wins instead, the next round begins.

Our reading, where the source is open: a pair has a duel while at least one of its arms asks for it,
and a round without a candidate is followed by the next one.
"""

from __future__ import annotations

from itertools import count
from math import log, sqrt

import numpy as np

from tgite.checked import checked
from tgite.comparators.ties import require_number_of_arms
from tgite.confidence import Confidence
from tgite.questions import Arm, Duel, Outcome, Stream
from tgite.schedules import require_rational_level


def radius(t: int, N: int, log_inverse: float) -> float:
    """Return the confidence radius after t duels; ``log_inverse`` is ``log(1/level)``."""
    return sqrt(2 * (log(2 * t**2 * N**2) + log_inverse) / t)


@checked
def explore_then_verify(N: int, delta: Confidence) -> Stream[Duel, Outcome, Arm]:
    """Explore for a candidate and verify it, round after round; return the first that is verified.

    If there is a winner, another arm is returned with probability at most ``delta``. Raises
    :class:`~tgite.errors.InvalidInput` if N is below 2 or ``delta`` carries ``6/pi**2``.
    """
    require_number_of_arms(N)
    require_rational_level("delta", delta)
    kappa = max(log(3), log(delta.log_inverse))  # log(1/kappa)

    def algorithm() -> Stream[Duel, Outcome, Arm]:
        for r in count(1):
            found = yield from explore(N, kappa)
            if found is not None:
                c, witnesses = found
                level = delta.log_inverse + log(2 * r**2)
                if (yield from verify(witnesses, N, level)):
                    return c
        raise AssertionError("the rounds have no end")

    return algorithm()


def explore(N: int, log_inverse: float) -> Stream[Duel, Outcome, tuple[Arm, dict[Arm, Arm]] | None]:
    """Return the candidate and each other arm's witness, or ``None`` if there is no candidate."""
    ahead, low = np.zeros((N, N)), np.ones((N, N))  # an arm is not its own witness
    high = np.full((N, N), np.inf)
    is_asked = ~np.eye(N, dtype=np.bool_)
    for t in count(1):
        pairs = is_asked | is_asked.T
        for x, y in np.argwhere(np.triu(pairs)).tolist():
            won = yield Duel(x, y)
            ahead[x, y] += 1 if won else -1
            ahead[y, x] = -ahead[x, y]
        c = radius(t, N, log_inverse)
        low, high = np.where(pairs, ahead / t - c, low), np.where(pairs, ahead / t + c, high)
        by_half = (high < 0) & (2 * high < low)
        loses_more = (low < 0) & (low > high.min(axis=1, keepdims=True))
        is_asked &= ~((low > 0) | by_half | loses_more)
        if not is_asked.any():
            break
    candidates = np.flatnonzero((low > 0).all(axis=1)).tolist()
    if not candidates:
        return None
    c = candidates[0]
    return c, {x: int(high[x].argmin()) for x in range(N) if x != c}


def verify(witnesses: dict[Arm, Arm], N: int, log_inverse: float) -> Stream[Duel, Outcome, bool]:
    """Return whether every arm loses to its witness; stop at the first arm that wins."""
    ahead = dict.fromkeys(witnesses, 0)
    for t in count(1):
        c = radius(t, N, log_inverse)
        for x in list(ahead):
            won = yield Duel(x, witnesses[x])
            ahead[x] += 1 if won else -1
            if ahead[x] / t + c < 0:
                del ahead[x]
            elif ahead[x] / t - c > 0:
                return False
        if not ahead:
            break
    return True
