"""The miss probability of the confidence sequence of ``lem:app-anytime-cs``, over all n.

A miss is that ``|mean_n - p| >= c(n, delta)`` for some ``n >= 1``, in real numbers, not floats. Up
to some n, dynamic programming over (n, S) gives its exact probability. Beyond that n, a stitched
maximal inequality bounds it (:mod:`tgite_laws.maximal_inequality`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.errors import InvalidInput, require_whole_number
from tgite_laws.arithmetic import LOST, around
from tgite_laws.balls import ball, log_integer_ball, log_inverse_ball, sign
from tgite_laws.boundary import Floats, Integers
from tgite_laws.enclosure import Enclosure
from tgite_laws.maximal_inequality import late_crossing
from tgite_laws.walk import ROUNDING

# A boundary this near to an integer is decided by ball arithmetic. Its float is far more accurate.
_NEAR = 1e-6


@dataclass(frozen=True, slots=True)
class MissProbability:
    """The probability that the sequence ever misses, and its parts.

    ``until_cut`` is the probability of a miss at some ``n <= cut``. ``beyond`` is an upper bound
    for the rest. ``by_balls`` counts the integer boundaries that ball arithmetic decided.
    """

    ever: Enclosure
    until_cut: Enclosure
    beyond: float
    cut: int
    by_balls: int


@checked
def miss_probability(delta: Confidence, p: Fraction, cut: int = 1 << 13) -> MissProbability:
    """Enclose ``P(exists n: |mean_n - p| >= c(n, delta))`` for outcomes with mean ``p``.

    Raises :class:`~tgite.errors.InvalidInput` unless ``0 < p < 1`` and ``cut >= 1``, and
    :class:`~tgite_laws.balls.NearTie` if a boundary cannot be told from an integer.
    """
    if not 0 < p < 1:
        raise InvalidInput("p", str(p), "must lie strictly between 0 and 1")
    require_whole_number("cut", cut, at_least=1)
    upper, upper_balls = _first_misses(delta, p, cut)
    # A miss below is a miss above of the other outcome, whose mean is 1 - p.
    losses, lower_balls = _first_misses(delta, 1 - p, cut)
    lower = np.arange(1, cut + 1) - losses
    missed = _missed(float(p), float(1 - p), lower, upper)
    # A step rounds each term four times (p, two products, a sum).
    until_cut = around(missed, ROUNDING * (6 * cut + 8), LOST)
    beyond = late_crossing(delta, cut).probability
    ever = around(missed, ROUNDING * (6 * cut + 8), LOST, beyond)
    return MissProbability(ever, until_cut, beyond, cut, upper_balls + lower_balls)


def _first_misses(delta: Confidence, p: Fraction, cut: int) -> tuple[Integers, int]:
    """Return, for n = 1..cut, the least integer S with ``S - n p >= n c(n, delta)``."""
    n = np.arange(1, cut + 1, dtype=np.float64)
    boundary = n * float(p) + np.sqrt(n * (np.log(2 * n * (n + 1)) + delta.log_inverse) / 2)
    least = np.ceil(boundary).astype(np.int64)
    nearest = np.rint(boundary)
    near = np.flatnonzero(np.abs(boundary - nearest) < _NEAR)
    for k in near.tolist():
        least[k] = _settled(delta, p, k + 1, int(nearest[k]))
    return least, len(near)


def _settled(delta: Confidence, p: Fraction, n: int, S: int) -> int:
    """Return the least integer beyond the boundary, which is S or S + 1."""
    excess = (S - n * p) ** 2
    beyond = sign(
        lambda: (
            2 * ball(excess) - n * (log_integer_ball(2 * n * (n + 1)) + log_inverse_ball(delta))
        ),
        f"S = {S} after {n} duels at level {delta}",
    )
    return S if beyond > 0 else S + 1


def _missed(p: float, q: float, lower: Integers, upper: Integers) -> float:
    """Return the probability that S leaves the open intervals between ``lower`` and ``upper``."""
    missed = 0.0
    start = 0
    row: Floats = np.array([1.0])
    for low, high in zip(lower.tolist(), upper.tolist(), strict=True):
        stepped = np.empty(len(row) + 1)
        stepped[0] = 0.0
        np.multiply(row, p, out=stepped[1:])
        stepped[:-1] += row * q
        # Cell k stands for S = start + k. Scores up to `low` and from `high` on have missed.
        first, last = max(0, low + 1 - start), max(0, high - start)
        if first > 0:
            missed += float(stepped[:first].sum())
        if last < len(stepped):
            missed += float(stepped[last:].sum())
        row = stepped[first:last]
        start += first
    return missed
