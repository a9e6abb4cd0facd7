"""The wins of every arm over every other, and the bounds that comparators put around them."""

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

    def told(self, i: Arm, j: Arm, i_wins: Outcome | None) -> None:
        """Count a duel; ``None``, a self-comparison, counts nothing."""
        if i_wins is not None:
            winner, loser = (i, j) if i_wins else (j, i)
            self.won[winner, loser] += 1

    def bounds(self, width: float, unmet: float = 2.0) -> tuple[Matrix, Matrix]:
        """Return upper and lower bounds, the shares of wins with ``sqrt(width/duels)`` around them.

        Pairs without a duel have ``unmet`` (2: a quotient by zero is read as 1) and 0, the diagonal
        has 1/2.
        """
        duels = self.won + self.won.T
        met = duels > 0
        share = np.divide(self.won, duels, out=np.ones_like(duels), where=met)
        radius = np.sqrt(np.divide(width, duels, out=np.ones_like(duels), where=met))
        upper, lower = np.where(met, share + radius, unmet), share - radius
        np.fill_diagonal(upper, 1 / 2)
        np.fill_diagonal(lower, 1 / 2)
        return upper, lower
