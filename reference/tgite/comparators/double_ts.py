"""Double Thompson sampling (D-TS).

Source: Wu and Liu, "Double Thompson sampling for dueling bandits" (NeurIPS 2016). Assumption: none
for Copeland winners; with a Condorcet winner its regret is O(N log T + N**2 log log T). A round
costs O(N**2) time.

The first arm is chosen among the arms that have the most upper bounds above 1/2: it is the one that
beats the most arms in a sample from the posterior. The second arm is chosen among the arms that are
not known to lose to the first: it does best against the first in a second sample.

Tie policy: uniformly at random, as in the source; it has no deterministic form.
"""

from __future__ import annotations

from math import log
from typing import Never

import numpy as np

from tgite.checked import checked
from tgite.comparators.rucb import require_alpha
from tgite.comparators.ties import one_round, require_number_of_arms
from tgite.comparators.wins import Wins
from tgite.questions import Duel, Outcome, SelfPlay, Stream


@checked
def double_ts(
    N: int, choices: np.random.Generator, alpha: float = 0.51
) -> Stream[Duel | SelfPlay, Outcome | None, Never]:
    """Play double Thompson sampling among ``N`` arms; never returns.

    ``choices`` draws the posterior samples and breaks ties (not the outcomes). Raises
    :class:`~tgite.errors.InvalidInput` if N is below 2 or ``alpha`` is not above 1/2.
    """
    require_number_of_arms(N)
    require_alpha(alpha)
    above, below = np.triu_indices(N, 1)

    def algorithm() -> Stream[Duel | SelfPlay, Outcome | None, Never]:
        wins = Wins(N)
        t = 0
        while True:
            t += 1
            upper, lower = wins.bounds(alpha * log(t))
            favoured = (upper > 1 / 2).sum(axis=1)
            sample = np.full((N, N), 1 / 2)
            drawn = choices.beta(wins.won[above, below] + 1, wins.won[below, above] + 1)
            sample[above, below], sample[below, above] = drawn, 1 - drawn
            votes = np.where(favoured == favoured.max(), (sample > 1 / 2).sum(axis=1), -1)
            first = int(choices.choice(np.flatnonzero(votes == votes.max())))
            against = choices.beta(wins.won[:, first] + 1, wins.won[first] + 1)
            against[first] = 1 / 2
            against[lower[:, first] > 1 / 2] = -1
            second = int(choices.choice(np.flatnonzero(against == against.max())))
            outcome = yield from one_round(first, second)
            wins.record(first, second, outcome)

    return algorithm()
