"""Lower bound on the expected comparisons of any algorithm (``lower_bound`` of ``LowerBound.v``).

Take an algorithm, randomised or not, that errs with probability at most delta on an instance, and
where another arm wins instead. It spends on every arm i but the winner at least
``kl(delta, 1-delta) / D_i`` expected comparisons. ``D_i`` is the divergence, from a fair coin, of
the pair that i loses most often (Kaufmann, Cappe and Garivier 2016).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from flint import arb

from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.errors import require
from tgite.preferences import HALF, Preferences
from tgite.questions import Arm
from tgite_laws.balls import ball, level_ball, real
from tgite_laws.enclosure import Enclosure
from tgite_laws.pairs import pairs


def _divergence(p: arb, q: arb) -> arb:
    return p * (p / q).log() + (1 - p) * ((1 - p) / (1 - q)).log()


@checked
def least_mean(delta: Confidence, preferences: Preferences, g: Fraction | None = None) -> Enclosure:
    """Enclose the bound on the expected comparisons of any algorithm, for ``delta <= 1/2``.

    An algorithm with a known gap ``g`` need be right only on instances whose winner has that gap.
    Then the divergence is from a coin of ``1/2 + g``. A comparison of two arms whose gap is below
    g counts for both of them.

    Raises :class:`~tgite.errors.InvalidInput` for a larger ``delta``.
    """
    require(delta <= Confidence(HALF), "delta", str(delta), "must be at most 1/2")
    winner, all_pairs = preferences.winner(), pairs(preferences)
    to_win = HALF if g is None else HALF + g
    # Many pairs share few distinct probabilities. Arrays hold each pair's place in ascending order.
    order = sorted(range(len(all_pairs.probabilities)), key=all_pairs.probabilities.__getitem__)
    ascending = [all_pairs.probabilities[k] for k in order]
    place = np.argsort(order)[all_pairs.index]
    # The divergence decreases in p while p is below the other coin. The diagonal is never a row's
    # minimum, because every arm but the winner loses to some arm.
    least_of_row = np.delete(place.min(axis=1), winner)
    places, counts = np.unique(least_of_row, return_counts=True)
    worst = {ascending[k]: count for k, count in zip(places.tolist(), counts.tolist(), strict=True)}
    nearer = g is not None and _losers_nearer_than(g, place, ascending, winner)

    def bound() -> arb:
        level = level_ball(delta)
        arms = sum(
            (count / _divergence(ball(p), ball(to_win)) for p, count in worst.items()), arb(0)
        )
        return _divergence(level, 1 - level) * arms / (2 if nearer else 1)

    return real(bound)


def _losers_nearer_than(
    g: Fraction, place: npt.NDArray[np.intp], ascending: Sequence[Fraction], winner: Arm
) -> bool:
    """Return whether two arms other than the winner have a gap below ``g``."""
    near = np.array([abs(p - HALF) < g for p in ascending])[place]
    np.fill_diagonal(near, False)
    near[winner, :] = near[:, winner] = False
    return bool(near.any())
