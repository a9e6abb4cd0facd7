"""RMED1 and RMED2: relative minimum empirical divergence.

Source: Komiyama, Honda, Kashima and Nakagawa, "Regret lower bound and optimal algorithm in dueling
bandit problem" (COLT 2015), with the first author's program. Assumption: a Condorcet winner. The
regret of RMED1 is O(N log T), and that of RMED2 has the least constant of log T. Both begin with
one duel of every pair.

The larger the divergence of an arm's losing records from 1/2, the less likely it is the winner.
Arms whose divergence is within ``log t + f`` of the least one are candidates, and each loop plays
every candidate once. ``f = 0.3 N**1.01`` is the source's choice. Before each loop, RMED2 duels
every pair until it has ``alpha log log t`` duels, with the source's ``alpha = 3``.

Tie policy: the lowest index throughout.
"""

from __future__ import annotations

from math import ceil, log
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
    return _rmed(N, f, None)


@checked
def rmed2(
    N: int, f: float | None = None, alpha: float = 3.0
) -> Stream[Duel | SelfPlay, Outcome | None, Never]:
    """Play RMED2 among ``N`` arms; never returns.

    ``f`` and ``alpha`` are as above. Raises :class:`~tgite.errors.InvalidInput` if N is below 2, or
    ``f`` or ``alpha`` is not above 0.
    """
    require_positive("alpha", alpha)
    return _rmed(N, f, alpha)


def _rmed(
    N: int, f: float | None, alpha: float | None
) -> Stream[Duel | SelfPlay, Outcome | None, Never]:
    require_number_of_arms(N)
    tolerance: float = 0.3 * N**1.01 if f is None else f
    require_positive("f", tolerance)

    def algorithm() -> Stream[Duel | SelfPlay, Outcome | None, Never]:
        wins, t = Wins(N), 0
        current, least = list(range(N)), 1.0
        while True:
            duels = wins.won + wins.won.T
            for i, j in np.argwhere(np.triu(duels < least, 1)).tolist():
                for _ in range(ceil(least - duels[i, j])):
                    wins.record(i, j, (yield from one_round(i, j)))
                    t += 1
            rest, following = list(current), set[Arm]()
            for arm in current:
                opponent = opponent_of(arm, wins.won)
                if alpha is not None:
                    opponent = cheapest_opponent_of(arm, wins.won, t, opponent)
                outcome = yield from one_round(arm, opponent)
                wins.record(arm, opponent, outcome)
                t += 1
                rest.remove(arm)
                found = divergences(wins.won)
                near = found - found.min() <= log(t) + tolerance
                following |= {j for j in range(N) if near[j] and j not in rest}
            current = sorted(following)
            if alpha is not None:
                least = alpha * log_log(t)

    return algorithm()


def log_log(t: int) -> float:
    """Return ``log log t``, with the source's 0.01 that makes it finite from t = 1 on."""
    return log(log(t) + 0.01)


def cheapest_opponent_of(arm: Arm, won: Matrix, t: int, otherwise: Arm) -> Arm:
    """Return the opponent that shows most cheaply that the arm loses, or ``otherwise``.

    The cost is the regret against the likeliest winner, at least 0.01, over the divergence of the
    arm's record. This opponent is chosen once the likeliest winner has had ``1/log log t`` of its
    duels against the arm.
    """
    duels = won + won.T
    share = np.divide(won, duels, out=np.full_like(won, 1 / 2), where=duels > 0)
    likeliest = int(divergences(won).argmin())
    losing = [j for j in range(len(won)) if share[arm, j] < 1 / 2]
    if not losing:
        return otherwise

    def cost(j: Arm) -> float:
        regret = share[likeliest, arm] + share[likeliest, j] - 1
        return float(max(regret, 0.01) / divergence(share[arm, j]))

    best = min(losing, key=cost)
    is_time = duels[arm, likeliest] * log_log(t) >= duels[arm, best]
    return best if is_time else otherwise


def divergence(share: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the divergence of each share of wins from 1/2."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(share > 0, share * np.log(2 * share), 0.0) + np.where(
            share < 1, (1 - share) * np.log(2 * (1 - share)), 0.0
        )


def divergences(won: Matrix) -> NDArray[np.float64]:
    """Return each arm's sum of ``duels * d(share, 1/2)`` over the opponents it does not beat."""
    duels = won + won.T
    with np.errstate(divide="ignore", invalid="ignore"):
        share = won / duels
    counted = share <= 1 / 2
    np.fill_diagonal(counted, False)
    result: NDArray[np.float64] = np.where(counted, duels * divergence(share), 0.0).sum(axis=1)
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
