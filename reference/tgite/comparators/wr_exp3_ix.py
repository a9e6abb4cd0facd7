"""WR-EXP3-IX, **our reconstruction of** the algorithm of Saad, Verzelen and Carpentier (2024).

Known of the original ("On weak regret analysis for dueling bandits", NeurIPS 2024): meant for small
gaps of the winner and large ones among the others; it discards arms by duels with strong
opponents, chooses opponents by EXP3-IX, treats the two places differently and never duels an
arm with itself. Neither text nor code of the algorithm was at hand; the rest is ours. EXP3-IX
itself (Neu, NeurIPS 2015) is sure: q_j proportional to exp(-eta L_j), and the loss l of the drawn j
adds l/(q_j + gamma) to L_j, with eta = 2 gamma = sqrt(log K/(K n)) in the n-th round.

Every arm has a score, its wins minus losses as the incumbent, and an attacker: an EXP3-IX learner
over the K = N-1 other arms that wants the incumbent to lose. The incumbent stays while its score
is the highest. Assumption: a Condorcet winner. Its strong regret is linear: one in every round.

Tie policy: where the incumbent loses the lead, the lowest index among the highest scores. Opponents
are drawn. Needs N**2 numbers of memory.
"""

from __future__ import annotations

import random
from math import log, sqrt
from typing import Never

import numpy as np
from numpy.typing import NDArray

from tgite.checked import checked
from tgite.comparators.ties import require_number_of_arms
from tgite.questions import Arm, Duel, Outcome, Stream


@checked
def wr_exp3_ix(N: int, choices: random.Random) -> Stream[Duel, Outcome, Never]:
    """Play our reconstruction of WR-EXP3-IX among ``N`` arms; never returns.

    ``choices`` draws the opponents (not the outcomes). Raises
    :class:`~tgite.errors.InvalidInput` if N is below 2.
    """
    require_number_of_arms(N)

    def algorithm() -> Stream[Duel, Outcome, Never]:
        scores = [0] * N
        attackers = [Attacker(N, arm) for arm in range(N)]
        i = 0
        while True:
            attacker = attackers[i]
            j = attacker.draw(choices)
            i_wins = yield Duel(i, j)
            attacker.told(j, i_wins)
            scores[i] += 1 if i_wins else -1
            if not i_wins:
                highest = max(scores)
                if scores[i] < highest:
                    i = scores.index(highest)

    return algorithm()


class Attacker:
    """EXP3-IX over the opponents of one arm, in the role of whoever wants that arm to lose."""

    def __init__(self, N: int, target: Arm) -> None:
        """Attack ``target``, one of ``N`` arms; its own place never has any probability."""
        self.losses: NDArray[np.float64] = np.zeros(N)
        self.losses[target] = np.inf
        self.probabilities: NDArray[np.float64] = np.zeros(N)
        self.gamma = 0.0
        self._K = N - 1
        self._played = 0
        self._scratch = np.empty(N)

    def draw(self, choices: random.Random) -> Arm:
        """Draw the opponent of the next round."""
        self._played += 1
        # With one opponent log K is 0, and the rate plays no part.
        eta = sqrt(log(self._K) / (self._K * self._played))
        self.gamma = eta / 2
        scratch, losses = self._scratch, self.losses
        if eta > 0:
            np.subtract(losses, losses.min(), scratch)
            np.multiply(scratch, -eta, scratch)
            np.exp(scratch, scratch)
        else:
            np.isfinite(losses, scratch)
        np.add.accumulate(scratch, out=self.probabilities)
        total = float(self.probabilities[-1])
        # The first place whose cumulated weight exceeds the number has a weight above 0.
        j = int(self.probabilities.searchsorted(choices.random() * total, "right"))
        np.divide(scratch, total, self.probabilities)
        return j

    def told(self, j: Arm, target_won: Outcome) -> None:
        """Add the loss estimate of opponent ``j``: its loss is 1 where the target won."""
        if target_won:
            self.losses[j] += 1 / (float(self.probabilities[j]) + self.gamma)
