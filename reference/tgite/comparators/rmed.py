"""RMED1: relative minimum empirical divergence.

Source: Komiyama, Honda, Kashima and Nakagawa, "Regret lower bound and optimal algorithm in dueling
bandit problem" (COLT 2015). Assumption: a Condorcet winner. Its regret is O(N log T). It begins
with one duel of every pair.

The larger the divergence of an arm's losing records from 1/2, the less likely it is the winner.
Arms whose divergence is within ``log t + f`` of the least one are candidates, and each loop plays
every candidate once. ``f = 0.3 N**1.01`` is the source's choice.

Tie policy: the lowest index throughout.
"""

from __future__ import annotations

from math import log
from typing import Never

import numpy as np
from numpy.typing import NDArray

from tgite.checked import checked
from tgite.comparators.ties import one_round, require_number_of_arms, require_positive
from tgite.comparators.wins import Matrix, Wins
from tgite.questions import Arm, Duel, Outcome, SelfPlay, Stream


@checked
def rmed1(N: int, f: float | None = None) -> Stream[Duel | SelfPlay, Outcome | None, Never]:
    """Play RMED1 among ``N`` arms; never returns.

    ``f`` is the tolerance of the candidates, by default ``0.3 N**1.01``. Raises
    :class:`~tgite.errors.InvalidInput` if N is below 2 or ``f`` is not above 0.
    """
    require_number_of_arms(N)
    tolerance: float = 0.3 * N**1.01 if f is None else f
    require_positive("f", tolerance)

    def algorithm() -> Stream[Duel | SelfPlay, Outcome | None, Never]:
        wins, t = Wins(N), 0
        for i in range(N):
            for j in range(i + 1, N):
                outcome = yield from one_round(i, j)
                wins.record(i, j, outcome)
                t += 1
        current = list(range(N))
        while True:
            rest, following = list(current), set[Arm]()
            for arm in current:
                opponent = opponent_of(arm, wins.won)
                outcome = yield from one_round(arm, opponent)
                wins.record(arm, opponent, outcome)
                t += 1
                rest.remove(arm)
                divergence = divergences(wins.won)
                near = divergence - divergence.min() <= log(t) + tolerance
                following |= {j for j in range(N) if near[j] and j not in rest}
            current = sorted(following)

    return algorithm()


def divergences(won: Matrix) -> NDArray[np.float64]:
    """Return each arm's sum of ``duels * d(share, 1/2)`` over the opponents it does not beat."""
    duels = won + won.T
    with np.errstate(divide="ignore", invalid="ignore"):
        share = won / duels
        parts = np.where(share > 0, share * np.log(2 * share), 0.0) + np.where(
            share < 1, (1 - share) * np.log(2 * (1 - share)), 0.0
        )
    counted = share <= 1 / 2
    np.fill_diagonal(counted, False)
    result: NDArray[np.float64] = np.where(counted, duels * parts, 0.0).sum(axis=1)
    return result


def opponent_of(arm: Arm, won: Matrix) -> Arm:
    """Return the likeliest winner; if the arm loses only to others, its worst opponent."""
    likeliest = int(divergences(won).argmin())
    record, lost = won[arm], won[:, arm]
    losing = [j for j in range(len(record)) if j != arm and record[j] <= lost[j]]
    if likeliest in losing or not losing:
        return likeliest
    # The least share of wins; the lowest index among equals.
    return min(losing, key=lambda j: float(record[j] / (record[j] + lost[j])))
