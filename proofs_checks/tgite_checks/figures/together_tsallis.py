"""Many learners of ``tgite.comparators.tsallis_inf`` at once: each is a row of numpy's arrays.

Their sums are BLAS's dot products, which ``matmul`` of a row and a column takes too: so each row
has the weights of a learner by itself, to the last bit.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from tgite import Arm
from tgite.comparators.tsallis_inf import MOST_STEPS, TOLERANCE


class TsallisRows:
    """As many learners over K arms as wanted, all at the same learning rate.

    ``losses`` and ``weights`` hold a row for each, as the attributes of
    :class:`~tgite.comparators.tsallis_inf.TsallisInf` do for one.
    """

    def __init__(self, K: int, learners: int) -> None:
        """Start with no losses."""
        shape = (learners, K)
        self._losses = np.zeros(shape)
        self._weights = np.full(shape, 1 / K)
        self._x = [-sqrt(K)] * learners
        self._distances, self._roots, self._cumulated = (np.empty(shape) for _ in range(3))
        self._totals, self._slopes = (np.empty((learners, 1, 1)) for _ in range(2))
        self._beyond = np.empty(shape, np.bool_)
        # Views of the arrays, made once: rows as learners know them, and as factors of products.
        self.losses: list[NDArray[np.float64]] = list(self._losses)
        self.weights: list[NDArray[np.float64]] = list(self._weights)
        self._weights_across = self._weights[:, None, :]
        self._roots_across, self._roots_down = self._roots[:, None, :], self._roots[:, :, None]

    def weigh(self, eta: float) -> None:
        """Compute all weights at the learning rate ``eta``, each by the steps of its own learner.

        A row whose weights are found keeps its x while the others go on. Raises
        ``ArithmeticError`` as a learner does.
        """
        x, twice, every = self._x, 2 / eta, range(len(self._x))
        distances, roots, weights = self._distances, self._roots, self._weights
        for _ in range(MOST_STEPS):
            np.subtract(self._losses, np.array(x)[:, None], distances)
            np.divide(twice, distances, roots)
            np.multiply(roots, roots, weights)
            np.matmul(self._roots_across, self._roots_down, self._totals)
            totals: list[float] = self._totals.ravel().tolist()
            going = [row for row in every if not abs(totals[row] - 1) < TOLERANCE]
            if not going:
                np.divide(weights, self._totals[:, :, 0], weights)
                return
            np.matmul(self._weights_across, self._roots_down, self._slopes)
            slopes: list[float] = self._slopes.ravel().tolist()
            for row in going:
                total, slope = totals[row], eta * slopes[row]
                step = 2 * total * (1 - sqrt(total)) / slope
                if step * sqrt(total) < twice:
                    x[row] += step
                else:
                    x[row] = float(self.losses[row].min()) - twice
        raise ArithmeticError(f"no Tsallis weights found for the losses {self._losses}")

    def cumulate(self) -> None:
        """Prepare drawing from the present weights."""
        np.add.accumulate(self._weights, axis=1, out=self._cumulated)
        # The last arm is found for every number beyond the one before it.
        self._cumulated[:, -1] = np.inf

    def arms_at(self, uniforms: list[float]) -> list[Arm]:
        """Return for each learner the arm in whose part of the unit interval its number lies."""
        np.greater(self._cumulated, np.array(uniforms)[:, None], self._beyond)
        arms: list[Arm] = self._beyond.argmax(axis=1).tolist()
        return arms
