"""WR-EXP3-IX, **our reconstruction of** the algorithm of Saad, Verzelen and Carpentier (2024).

Source: "On weak regret analysis for dueling bandits" (NeurIPS 2024); we had neither the text nor
the code of the algorithm. What is known of it: it is meant for small gaps of the winner and large
gaps among the others. It discards arms by duels with strong opponents, chooses opponents by
EXP3-IX, treats the two places differently and never duels an arm with itself. The rest is ours.
EXP3-IX itself (Neu, NeurIPS 2015) is published: q_j is proportional to exp(-eta L_j), and the loss
l of the drawn j adds l/(q_j + gamma) to L_j, with eta = 2 gamma = sqrt(log K/(K n)) in the n-th
round.

Every arm has a score, its wins minus its losses as the incumbent. Every arm also has an attacker:
an EXP3-IX learner over the K = N-1 other arms that seeks an opponent to which the arm loses. The
incumbent stays while its score is the highest. Assumption: a Condorcet winner. Its strong regret is
linear, 1 in every round.

Tie policy: when the incumbent loses the lead, the lowest index among the highest scores. Opponents
are drawn. It stores N**2 numbers.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import log, sqrt
from typing import Never, cast

import numpy as np
from numpy.typing import NDArray

from tgite.checked import checked
from tgite.comparators.several_runs import Together, alone, first_above, uniform_numbers
from tgite.comparators.ties import require_number_of_arms
from tgite.questions import Arm, Duel, Outcome, Stream


@checked
def wr_exp3_ix(N: int, choices: random.Random) -> Stream[Duel, Outcome, Never]:
    """Play our reconstruction of WR-EXP3-IX among ``N`` arms; never returns.

    ``choices`` draws the opponents (not the outcomes). Raises
    :class:`~tgite.errors.InvalidInput` if N is below 2.
    """
    require_number_of_arms(N)
    # It never duels an arm with itself.
    return cast(Stream[Duel, Outcome, Never], alone(wr_exp3_ix_together(N, [choices])))


def wr_exp3_ix_together(N: int, choices: Sequence[random.Random]) -> Together:
    """Play ``wr_exp3_ix`` with each of the generators; never returns."""
    scores = [[0] * N for _ in choices]
    attackers = Attackers(N, len(choices))
    i = [0] * len(choices)
    while True:
        j = attackers.draw(i, choices)
        i_wins = yield i, j
        attackers.record(i, j, i_wins)
        for run, wins in enumerate(i_wins):
            score = scores[run]
            score[i[run]] += 1 if wins else -1
            if not wins:
                highest = max(score)
                if score[i[run]] < highest:
                    i[run] = score.index(highest)


class Attackers:
    """For each arm of each run an EXP3-IX learner that seeks an opponent to which the arm loses.

    ``losses[r, i, j]`` is the estimated loss that the attacker of arm i in run r had by choosing j;
    the probability of j = i is always 0. ``probabilities`` and ``eta`` are those of the last draw,
    for each run.
    """

    def __init__(self, N: int, runs: int = 1) -> None:
        """Attack ``N`` arms in each run."""
        self.losses: NDArray[np.float64] = np.zeros((runs, N, N))
        self.losses[:, range(N), range(N)] = np.inf
        self.eta: list[float] = [0.0] * runs
        self._rows = self.losses.reshape(-1, N)
        self._K = N - 1
        self._played = [[0] * N for _ in range(runs)]
        self._weights = np.ones((runs, N))
        self._cumulated = np.ones((runs, N))

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """The probability of each opponent at the last draw."""
        return self._weights / self._cumulated[:, -1:]

    def draw(self, targets: Sequence[Arm], choices: Sequence[random.Random]) -> list[Arm]:
        """Draw an opponent of each run's target."""
        K, weights, runs = self._K, self._weights, range(len(targets))
        for run in runs:
            self._played[run][targets[run]] += 1
        # With one opponent log K is 0, and the rate has no effect.
        self.eta = [sqrt(log(K) / (K * self._played[run][targets[run]])) for run in runs]
        attackers = [run * (K + 1) + target for run, target in enumerate(targets)]
        # All indices are in range; a mode other than "raise" only avoids a buffer.
        self._rows.take(attackers, axis=0, out=weights, mode="clip")
        if K > 1:
            np.subtract(weights, weights.min(axis=1, keepdims=True), weights)
            np.multiply(weights, -np.array(self.eta)[:, None], weights)
            np.exp(weights, weights)
        else:
            np.isfinite(weights, weights)
        np.add.accumulate(weights, axis=1, out=self._cumulated)
        # The first place whose cumulative weight exceeds the number has a weight above 0.
        return first_above(self._cumulated, uniform_numbers(choices) * self._cumulated[:, -1])

    def record(
        self, targets: Sequence[Arm], opponents: Sequence[Arm], won: Sequence[Outcome | None]
    ) -> None:
        """Add the loss estimates of the opponents: the loss is 1 where the target won."""
        for run, target_won in enumerate(won):
            if target_won:
                j, total = opponents[run], self._cumulated[run, -1]
                probability = self._weights[run, j] / total
                self.losses[run, targets[run], j] += 1 / (probability + self.eta[run] / 2)
