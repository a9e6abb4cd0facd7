"""Chernoff bounds on the probability of short runs, from the exact laws of the matches.

Whatever happened before, a match's Laplace transform is at most the largest over the pairs that may
meet in it. So the transform of a whole pass is at most the product over its matches, whoever wins
and whoever starts. Neither the tournament's law nor a normal approximation is needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from fractions import Fraction
from math import ceil, exp, inf, log

import numpy as np

from tgite.confidence import Confidence
from tgite_laws.enclosure import Enclosure
from tgite_laws.match_law import MatchLaws, StoppingLaw

# Bound on the relative error of a float sum here; bounds are moved up by it.
_ROUNDING = 1e-9
_RATES = tuple(2.0 ** (-k / 2) for k in range(8, 24))
_SMALLEST = -300


def log_transform(law: StoppingLaw, rate: float) -> float:
    """Bound ``log E[exp(-rate * duels)]`` of a match from above."""
    decay = np.exp(-rate * law.duels.astype(np.float64))
    ended = float(((law.first + law.second) * decay).sum()) * (1 + law.relative_error)
    longer = law.first_beyond.probability + law.second_beyond.probability
    return log(ended + longer * float(decay.min())) + _ROUNDING


def probability_of_few_duels(
    levels: Counter[Confidence],
    laws: MatchLaws,
    pairs: Collection[Fraction],
    most: Fraction,
    runs: int,
    ceiling: float = inf,
) -> Enclosure:
    """Enclose the probability that ``runs`` independent runs cost at most ``most`` on average.

    A run costs at least the duels of matches at these levels, or ``ceiling`` if that is less.
    ``pairs`` are the probabilities of all pairs that may meet. At every rate r, one run costs at
    most ``most`` with probability at most ``exp(r most) E[exp(-r cost)]``. For the average, that
    bound is raised to the power ``runs``. The result is the best bound over some rates, rounded up
    to a power of ten.
    """
    known = [
        (count, [laws.stopping_law(level, p) for p in pairs]) for level, count in levels.items()
    ]
    best = 0.0
    for rate in _RATES:
        product = sum(
            count * max(log_transform(law, rate) for law in of_level) for count, of_level in known
        )
        larger, smaller = max(product, -rate * ceiling), min(product, -rate * ceiling)
        cost = larger + log(1 + exp(smaller - larger)) if smaller > -inf else larger
        best = min(best, rate * float(most) + cost + _ROUNDING)
    exponent = min(0, ceil(runs * best / log(10) + _ROUNDING))
    return Enclosure(0.0, 10.0 ** max(_SMALLEST, exponent))
