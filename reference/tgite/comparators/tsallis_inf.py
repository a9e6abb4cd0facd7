"""Tsallis-INF: the weights that two of the comparators draw their arms from.

Source: Zimmert and Seldin, "Tsallis-INF" (JMLR 2021). For cumulative loss estimates L and a
learning rate eta the weights are the point of the simplex that minimises
``<p, L> - (4/eta) sum sqrt(p_i)``, that is ``p_i = 4 / (eta (L_i - x))**2`` with the one
``x < min L`` for which they sum to 1.
"""

from __future__ import annotations

import random
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from tgite.comparators.ties import require_positive
from tgite.errors import require_whole_number
from tgite.questions import Arm

TOLERANCE = 1e-10
"""How far from 1 the sum of the weights may be before they are divided by it."""
MOST_STEPS = 100


class TsallisInf:
    """A learner over K arms: its cumulative loss estimates and the weights that follow from them.

    Raises :class:`~tgite.errors.InvalidInput` if K is below 1.
    """

    def __init__(self, K: int) -> None:
        """Start with no losses."""
        require_whole_number("K", K, at_least=1)
        self.losses: NDArray[np.float64] = np.zeros(K)
        self.weights: NDArray[np.float64] = np.full(K, 1 / K)
        self._x = -sqrt(K)
        self._distances = np.empty(K)
        self._roots = np.empty(K)
        self._cumulated = np.empty(K)

    def weigh(self, eta: float) -> NDArray[np.float64]:
        """Compute the weights at the learning rate ``eta``; they are kept until the next call.

        Newton's method for ``(sum of weights)**(-1/2) = 1`` in x, from the last x. The left side is
        concave and decreasing in x (it is a power mean of the distances L_i - x, of exponent -2),
        so that every step ends at or to the right of the root, from where the steps fall.
        Losses never shrink, so the last x still lies below all of them.

        Raises :class:`~tgite.errors.InvalidInput` unless ``eta`` is above 0, and
        ``ArithmeticError`` if the weights do not come to a sum of 1, as with losses that are not
        numbers.
        """
        require_positive("eta", eta)
        losses, distances, roots, weights = (
            self.losses,
            self._distances,
            self._roots,
            self.weights,
        )
        x, twice = self._x, 2 / eta
        for _ in range(MOST_STEPS):
            np.subtract(losses, x, distances)
            np.divide(twice, distances, roots)
            np.multiply(roots, roots, weights)
            total = float(roots.dot(roots))
            if abs(total - 1) < TOLERANCE:
                self._x = x
                weights /= total
                return weights
            slope = eta * float(weights.dot(roots))
            step = 2 * total * (1 - sqrt(total)) / slope
            # Every distance is at least twice / sqrt(total): a shorter step stays below all losses.
            if step * sqrt(total) < twice:
                x += step
            else:
                x = float(losses.min()) - twice
        raise ArithmeticError(f"no Tsallis weights found for the losses {losses}")

    def draw(self, choices: random.Random) -> Arm:
        """Draw an arm from the weights: one uniform number, through their cumulated sums."""
        np.add.accumulate(self.weights, out=self._cumulated)
        return self.arm_at(choices.random())

    def draw_two(self, choices: random.Random) -> tuple[Arm, Arm]:
        """Draw two arms independently from the weights, the first one first."""
        np.add.accumulate(self.weights, out=self._cumulated)
        return self.arm_at(choices.random()), self.arm_at(choices.random())

    def arm_at(self, uniform: float) -> Arm:
        """Return the arm in whose part of the unit interval the number lies."""
        found = int(self._cumulated.searchsorted(uniform, "right"))
        return min(found, len(self.losses) - 1)


def learning_rate(c: float, t: int) -> float:
    """Return ``c / sqrt(t)``, the rate of round ``t >= 1``."""
    return c / sqrt(t)


def require_rate_constant(c: float) -> None:
    """Refuse a constant of the learning rate that is not above 0."""
    require_positive("c", c)
