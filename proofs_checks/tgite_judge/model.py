"""A model of the answers, from which come the guess, the order and the next pairs to ask about.

Item i beats j with the log-odds ``x_i - x_j + e_ij``. The strengths ``x`` make a Bradley-Terry
model, with a weak prior; the small deviations ``e`` let the answers about a pair contradict it, as
in a cycle. The fit takes all answers, a tie as half a win on both sides. What follows from the
model holds only as far as the model does; bounds that need no model are in :mod:`.standings`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tgite import Arm
from tgite_judge.standings import Counts

Floats = NDArray[np.float64]

STRENGTHS = 1.5
"""The standard deviation of the prior of the strengths: log-odds of 1.5 are a chance of 82%."""
DEVIATIONS = 0.3
"""The standard deviation of the deviations of pairs from their strengths."""
_MOST_RIVALS = 64
_DRAWS = 400
_STEPS = 100


@dataclass(frozen=True)
class Model:
    """The posterior of a fit by Newton's method, as a normal distribution around its mode.

    ``odds`` are the modes of all pairs' log-odds. ``kept`` is the part of the prior's uncertainty
    about a pair that its own answers have left.
    """

    strengths: Floats
    covariance: Floats
    odds: Floats
    kept: Floats

    @staticmethod
    def of(wins: Floats, deviations: float = DEVIATIONS) -> Model:
        """Fit the model to wins, row over column."""
        number, variance = wins + wins.T, deviations**2
        odds = np.zeros_like(number)
        for _ in range(_STEPS):
            chance = 1 / (1 + np.exp(-odds))
            weight = number * chance * (1 - chance)
            kept = 1 / (1 + variance * weight)
            pull = kept * (weight * odds + wins - number * chance)
            precision = np.diag((weight * kept).sum(1) + STRENGTHS**-2) - weight * kept
            strengths = np.linalg.solve(precision, pull.sum(1))
            step = kept * np.subtract.outer(strengths, strengths) + variance * pull - odds
            longest = np.abs(step).max()
            odds += step * min(1.0, 2 / max(longest, 1e-300))
            if longest < 1e-9:
                break
        return Model(strengths, np.linalg.inv(precision).astype(np.float64), odds, kept)

    @staticmethod
    def of_counts(counts: Counts) -> Model:
        """Fit the model to counts: a tie is half a win, and so is a question asked again."""
        N = len(counts.names)
        wins, ties, doubts = (
            np.array(one or np.zeros((N, N)), float)
            for one in (counts.wins, counts.ties, counts.doubts)
        )
        wins += (ties + doubts) / 2
        if counts.blocks is not None:
            wins *= np.array(counts.blocks[0]) / np.maximum(wins + wins.T, 1)
        return Model.of(wins)

    def draw(self, number: int, source: np.random.Generator) -> tuple[NDArray[np.intp], Floats]:
        """Return the rivals, and for each draw from the posterior the log-odds of their pairs.

        The rivals are the items that are most often the strongest of a draw.
        """
        root = np.linalg.cholesky(self.covariance)
        drawn = self.strengths + source.normal(size=(number, len(root))) @ root.T
        often = np.bincount(drawn.argmax(1), minlength=len(root))
        rivals = np.lexsort((-self.strengths.round(9), -often))[:_MOST_RIVALS]
        square = np.ix_(rivals, rivals)
        mean, drawn, kept = self.strengths[rivals], drawn[:, rivals], self.kept[square]
        own = self.odds[square] - kept * np.subtract.outer(mean, mean)
        noise = np.triu(source.normal(size=(number, *kept.shape)), 1)
        noise = (noise - noise.transpose(0, 2, 1)) * DEVIATIONS * np.sqrt(kept)
        return rivals, kept * (drawn[:, :, None] - drawn[:, None, :]) + own + noise

    def chances(self) -> Floats:
        """Return for each item the chance, by the model, that it is the best one."""
        rivals, odds = self.draw(_DRAWS, np.random.default_rng(0))
        found = np.bincount(rivals[_best(odds)], minlength=len(self.strengths))
        return found / _DRAWS

    def pairs(self, number: int, seed: int) -> list[tuple[Arm, Arm]]:
        """Return the pairs to ask about next: the best item of a draw, and one that may beat it.

        The other item is the best one of the next draw in which another item is the best, or else
        the one that comes nearest to beating it.
        """
        rivals, odds = self.draw(number + _DRAWS, np.random.default_rng(seed))
        best, found = _best(odds), []
        for one in range(number):
            others = best[one + 1 :][best[one + 1 :] != best[one]]
            against = odds[one, :, best[one]].copy()
            against[best[one]] = -np.inf
            other = others[0] if len(others) else against.argmax()
            found.append((int(rivals[best[one]]), int(rivals[other])))
        return found


def _best(odds: Floats) -> NDArray[np.intp]:
    """Return for each draw the item that beats the most others, of several the clearest one."""
    beats = (odds > 0).sum(2) + odds.sum(2) / (1 + np.abs(odds).sum((1, 2)))[:, None]
    found: NDArray[np.intp] = beats.argmax(1)
    return found
