"""After how many samples the law check rejects a wrong law, and how many any test would need."""

from __future__ import annotations

from bisect import bisect_left
from math import inf, log, log1p, sqrt

import numpy as np

from tgite_conform.law.lattice import IMPOSSIBLE, LOWERED
from tgite_laws.boundary import Floats

_MOST_SAMPLES = 10**12
_POWERS = np.linspace(0.02, 1.0, 50)
# Two laws that are nearer to each other than this are the same up to their rounding.
_APART = 1e-8


def samples_enough(wrong: Floats, log_ratios: Floats, threshold: float, power: float) -> int | None:
    """Return after how many samples of a wrong law the bets reject with ``power``; None if never.

    Chernoff's bound, optimised over the exponent: ``P(sum of log ratios < t) <= exp(l t) E[exp(-l
    log ratio)]**n``.
    """
    outside = max(0.0, 1 - float(wrong.sum()))
    possible = wrong > 0
    wrong, log_ratios = wrong[possible], log_ratios[possible]
    fewest = inf
    for exponent in _POWERS:
        # What lies beyond the end of the wrong law counts as lost bets.
        mean = float(np.exp(np.log(wrong) - exponent * log_ratios).sum()) + outside
        if mean < 1:
            fewest = min(fewest, (exponent * threshold - log1p(-power)) / -log(mean))
    return None if fewest == inf else int(fewest) + 1


def samples_at_least(right: Floats, wrong: Floats, alpha: float, power: float) -> int | None:
    """Return how many samples any test at level ``alpha`` needs to reject the wrong law.

    None if the laws are equal up to rounding. See :func:`most_power`.
    """
    excluded = float(wrong[right < IMPOSSIBLE].sum())
    allowed = (right >= IMPOSSIBLE) & (wrong > 0)
    given = wrong[allowed] / wrong[allowed].sum() if excluded < 1 - 1e-6 else np.zeros(0)
    right = right[allowed][: len(given)]
    alike = min(1.0, float(np.sqrt(given * right).sum()))
    if excluded < LOWERED and alike > 1 - _APART:
        return None
    divergence = float(given @ (np.log(given) - np.log(right)))

    def enough(n: int) -> bool:
        return most_power(n, alpha, excluded, alike, divergence) >= power

    counts = range(1, _MOST_SAMPLES)
    fewest = bisect_left(counts, True, key=enough)
    return None if fewest == len(counts) else counts[fewest]


def most_power(
    samples: int, alpha: float, excluded: float, alike: float, divergence: float
) -> float:
    """Bound the power of any test that rejects the law with a probability of at most ``alpha``.

    With probability ``excluded`` a sample is one that the law excludes. Of the others, ``alike`` is
    the Bhattacharyya coefficient B and ``divergence`` the Kullback-Leibler divergence D from the
    law: n of them are rejected with a probability q for which ``kl(q, alpha) <= n D`` and
    ``B**n <= sqrt(alpha q) + sqrt((1 - alpha)(1 - q))``.
    """
    if excluded == 1:
        return 1.0

    def too_high(q: float) -> bool:
        affinity = sqrt(alpha * q) + sqrt((1 - alpha) * (1 - q))
        kl = q * log(q / alpha) + (1 - q) * log((1 - q) / (1 - alpha))
        return affinity < alike**samples or kl > samples * divergence

    low, high = alpha, 1.0 - 1e-12
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if too_high(middle) else (middle, high)
    return 1 - (1 - excluded) ** samples * (1 - high)
