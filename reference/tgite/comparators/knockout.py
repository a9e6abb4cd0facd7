"""Knockout: rounds of budgeted comparisons whose tolerances add up to a known epsilon.

Source: Falahatgar, Orlitsky, Pichapati and Suresh, "Maximum selection and ranking under noisy
comparisons" (ICML 2017). It returns an epsilon-maximum with probability at least ``1 - delta``
after O(gamma**4 N/epsilon**2 log(1/delta)) duels. This guarantee assumes gamma-relaxed strong
stochastic transitivity and the stochastic triangle inequality. With only a Condorcet winner and
``epsilon <= Delta*``, it returns the winner with the same probability: the winner plays at most one
comparison in round i, and wins it with probability at least ``1 - delta/2**i``. The paper's
experiments do not state their epsilon.

Tie policy: a tied comparison goes to its second argument. Arms are paired at random with
``shuffle``, as in the source, and in order without it. An arm without a partner goes to the end of
the next round's order.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction
from math import log, sqrt

from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.errors import InvalidInput
from tgite.questions import Arm, Duel, Outcome, Stream, require_arms
from tgite.schedules import require_rational_level

_TOLERANCE_SHARE = 2 ** (1 / 3) - 1
"""The tolerances ``share * epsilon / 2**(i/3)`` of all rounds i sum up to epsilon."""


@checked
def knockout(
    S: Sequence[Arm],
    epsilon: Fraction,
    delta: Confidence,
    gamma: Fraction = Fraction(1),
    shuffle: random.Random | None = None,
) -> Stream[Duel, Outcome, Arm]:
    """Play Knockout among the arms ``S``; return the arm that survives.

    ``gamma`` is the constant of relaxed transitivity. Raises
    :class:`~tgite.errors.InvalidInput` if ``S`` is empty or repeats an arm, unless
    ``0 < epsilon <= 1/2`` and ``gamma >= 1``, or if ``delta`` carries the factor ``6/pi**2``.
    """
    require_arms(S)
    require_rational_level("delta", delta)
    if not 0 < epsilon <= Fraction(1, 2):
        raise InvalidInput("epsilon", str(epsilon), "must be above 0 and at most 1/2")
    if gamma < 1:
        raise InvalidInput("gamma", str(gamma), "must be at least 1")

    def algorithm() -> Stream[Duel, Outcome, Arm]:
        arms = list(S)
        for i in itertools.count(1):
            if len(arms) == 1:
                break
            tolerance = round_tolerance(epsilon, gamma, i)
            level = Confidence(delta.rational / 2**i)
            if shuffle is not None:
                shuffle.shuffle(arms)
            paired, odd_one = arms[: len(arms) // 2 * 2], arms[len(arms) // 2 * 2 :]
            winners: list[Arm] = []
            for u, v in zip(paired[0::2], paired[1::2], strict=True):
                most = most_duels(tolerance, level)
                gap = yield from compare(Duel(u, v), level, most, tolerance=tolerance)
                winners.append(v if gap <= 0 else u)
            arms = winners + odd_one
        return arms[0]

    return algorithm()


def round_tolerance(epsilon: Fraction, gamma: Fraction, i: int) -> float:
    """Return the tolerance of round ``i >= 1``."""
    return _TOLERANCE_SHARE * float(epsilon) / (float(gamma) * 2 ** (i / 3))


def most_duels(tolerance: float, delta: Confidence) -> float:
    """Return m; a comparison takes at most floor(m) + 1 duels."""
    return (log(2) + delta.log_inverse) / (2 * tolerance**2)


def compare(
    duel: Duel, delta: Confidence, most: float, middle: float = 0.0, tolerance: float = 0.0
) -> Stream[Duel, Outcome, float]:
    """Duel until the gap clearly differs from ``middle`` or past ``most`` duels; return the gap."""
    r, wins, gap, radius = 0, 0, 0.0, 1 / 2
    while abs(gap - middle) <= radius - tolerance and r <= most:
        wins += yield duel
        r += 1
        gap = wins / r - 1 / 2
        radius = sqrt((log(4 * r**2) + delta.log_inverse) / (2 * r))
    return gap
