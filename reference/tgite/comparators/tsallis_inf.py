"""Tsallis-INF: the weights that two of the comparators draw their arms from.

Source: Zimmert and Seldin, "Tsallis-INF" (JMLR 2021). For cumulative loss estimates L and a
learning rate eta the weights are the point of the simplex that minimises
``<p, L> - (4/eta) sum sqrt(p_i)``, that is ``p_i = 4 / (eta (L_i - x))**2`` with the one
``x < min L`` for which they sum to 1.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from tgite.comparators.several_runs import first_above, uniform_numbers
from tgite.comparators.ties import require_positive
from tgite.errors import require_whole_number
from tgite.questions import Arm

TOLERANCE = 1e-10
"""How far from 1 the sum of the weights may be before they are divided by it."""
MOST_STEPS = 100


class TsallisInf:
    """One learner over K arms for each run, all at the same learning rate.

    ``losses`` holds the cumulative loss estimates, ``weights`` the weights computed from them; each
    has a row for each run. Raises :class:`~tgite.errors.InvalidInput` if K or ``runs`` is below 1.
    """

    def __init__(self, K: int, runs: int = 1) -> None:
        """Start with no losses."""
        require_whole_number("K", K, at_least=1)
        require_whole_number("runs", runs, at_least=1)
        self.losses: NDArray[np.float64] = np.zeros((runs, K))
        self.weights: NDArray[np.float64] = np.full((runs, K), 1 / K)
        self._x = [-sqrt(K)] * runs
        self._roots, self._cumulated = np.empty((runs, K)), np.empty((runs, K))

    def weigh(self, eta: float) -> NDArray[np.float64]:
        """Compute the weights at the learning rate ``eta``; they are kept until the next call.

        It solves ``(sum of weights)**(-1/2) = 1`` for x with Newton's method, starting at the last
        x. The left side is a power mean of the distances L_i - x with exponent -2, hence concave
        and decreasing in x. So every step ends at or to the right of the root, and all later steps
        decrease x. Losses never shrink, so the last x is still below all of them. A row whose
        weights are found keeps its x while the others go on.

        Raises :class:`~tgite.errors.InvalidInput` unless ``eta`` is above 0. Raises
        ``ArithmeticError`` if the sum of the weights does not converge to 1, for example because a
        loss is NaN.
        """
        require_positive("eta", eta)
        x, roots, weights, twice = self._x, self._roots, self.weights, 2 / eta
        for _ in range(MOST_STEPS):
            np.subtract(self.losses, np.array(x)[:, None], roots)
            np.divide(twice, roots, roots)
            np.multiply(roots, roots, weights)
            # NumPy's own order of summation: vecdot uses BLAS, whose order depends on the
            # processor.
            total = np.add.reduce(weights, axis=1)
            totals: list[float] = total.tolist()
            going = [run for run, one in enumerate(totals) if not abs(one - 1) < TOLERANCE]
            if not going:
                weights /= total[:, None]
                return weights
            cubes: list[float] = np.add.reduce(weights * roots, axis=1).tolist()
            for run in going:
                root = sqrt(totals[run])
                step = 2 * totals[run] * (1 - root) / (eta * cubes[run])
                # Every distance is at least twice / root, so that a shorter step stays below all
                # losses.
                x[run] += min(step, 0.9 * twice / root)
        raise ArithmeticError(f"no Tsallis weights found for the losses {self.losses}")

    def draw(self, choices: Sequence[random.Random]) -> list[Arm]:
        """Draw an arm for each run from its weights, with the next number of its generator."""
        np.add.accumulate(self.weights, axis=1, out=self._cumulated)
        return self.arms_at(uniform_numbers(choices))

    def draw_two(self, choices: Sequence[random.Random]) -> tuple[list[Arm], list[Arm]]:
        """Draw two arms independently for each run from its weights, in the order returned."""
        return self.draw(choices), self.arms_at(uniform_numbers(choices))

    def arms_at(self, uniforms: NDArray[np.float64]) -> list[Arm]:
        """Return for each run the arm whose part of the unit interval contains the run's number."""
        # Every number beyond the last arm but one belongs to the last arm.
        self._cumulated[:, -1] = np.inf
        return first_above(self._cumulated, uniforms)


def learning_rate(c: float, t: int) -> float:
    """Return ``c / sqrt(t)``, the rate of round ``t >= 1``."""
    return c / sqrt(t)


def require_rate_constant(c: float) -> None:
    """Refuse a constant of the learning rate that is not above 0."""
    require_positive("c", c)
