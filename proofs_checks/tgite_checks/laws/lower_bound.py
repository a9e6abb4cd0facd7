"""How few comparisons any algorithm needs, on average (``lower_bound`` of ``LowerBound.v``).

Whoever is wrong with probability at most delta, on an instance and on those that differ from it in
one arm's losses, spends on every arm i but the winner at least ``kl(delta, 1-delta) / D_i``, where
``D_i`` is the largest divergence, from a fair coin, of a pair that i loses (Kaufmann, Cappe and
Garivier 2016).
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from flint import arb

from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.errors import require
from tgite.preferences import HALF, Preferences
from tgite_checks.enclosure import Enclosure
from tgite_checks.laws.balls import ball, level_ball, real


def _divergence(p: arb, q: arb) -> arb:
    """Return the divergence of a coin p from a coin q."""
    return p * (p / q).log() + (1 - p) * ((1 - p) / (1 - q)).log()


@checked
def least_mean(delta: Confidence, preferences: Preferences, g: Fraction | None = None) -> Enclosure:
    """Enclose the bound on the expected comparisons of any algorithm, for ``delta <= 1/2``.

    Told that the winner's gap is at least ``g``, an algorithm need be right only on instances
    in which i wins by g: then the divergence is that from a coin of ``1/2 + g``, and a comparison
    of two arms that are nearer than g counts for both of them.

    Raises :class:`~tgite.errors.InvalidInput` for a larger ``delta``.
    """
    require(delta <= Confidence(HALF), "delta", str(delta), "must be at most 1/2")
    winner, N = preferences.winner(), preferences.size
    to_win = HALF if g is None else HALF + g
    # The divergence falls with p as long as p is below the other coin.
    worst = Counter(
        min(preferences.probability(i, j) for j in range(N) if j != i)
        for i in range(N)
        if i != winner
    )
    nearer = g is not None and any(
        abs(preferences.probability(i, j) - HALF) < g
        for i in range(N)
        for j in range(i)
        if winner not in (i, j)
    )

    def bound() -> arb:
        level = level_ball(delta)
        arms = sum(
            (count / _divergence(ball(p), ball(to_win)) for p, count in worst.items()), arb(0)
        )
        return _divergence(level, 1 - level) * arms / (2 if nearer else 1)

    return real(bound)
