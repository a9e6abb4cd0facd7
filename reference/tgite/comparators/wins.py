"""The wins of every arm over every other, and confidence bounds on the shares of wins."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tgite.questions import Arm, Outcome

Matrix = NDArray[np.float64]


class Wins:
    """``won[i, j]`` counts the duels that i won against j."""

    def __init__(self, N: int) -> None:
        """Start with no duels among ``N`` arms."""
        self.won: Matrix = np.zeros((N, N))

    def record(self, i: Arm, j: Arm, i_wins: Outcome | None) -> None:
        """Count a duel; ``None``, a self-comparison, counts nothing."""
        if i_wins is not None:
            winner, loser = (i, j) if i_wins else (j, i)
            self.won[winner, loser] += 1

    def bounds(self, width: float, unmet: float = 2.0) -> tuple[Matrix, Matrix]:
        """Return upper and lower bounds: the shares of wins plus and minus ``sqrt(width/duels)``.

        A pair without a duel has the bounds ``unmet`` and 0. By default ``unmet`` is 2: share and
        radius, both quotients by zero, count as 1. The diagonal is 1/2.
        """
        duels = self.won + self.won.T
        met = duels > 0
        share = np.divide(self.won, duels, out=np.ones_like(duels), where=met)
        radius = np.sqrt(np.divide(width, duels, out=np.ones_like(duels), where=met))
        upper, lower = np.where(met, share + radius, unmet), share - radius
        np.fill_diagonal(upper, 1 / 2)
        np.fill_diagonal(lower, 1 / 2)
        return upper, lower
