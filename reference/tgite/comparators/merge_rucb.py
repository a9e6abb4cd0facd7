"""MergeRUCB: RUCB within small batches of arms that are merged as they shrink.

Source: Zoghi, Whiteson and de Rijke, "MergeRUCB" (WSDM 2015). Assumption: a Condorcet winner, and
few pairs that cannot be told apart. Its regret is O(N log T). In our reading, the counter of
merges S begins at 1, not 0.

Arms are in batches of about ``p``. Step t looks at batch t mod (number of batches). An arm with an
upper bound below 1/2 against another arm of its batch is eliminated. Then a random arm of the batch
meets the arm with the highest upper bound against it. When at most N/2**S arms are left, batches
are merged, the smallest with the largest, and S grows by 1. Batches are also merged when none holds
two arms (our ruling: otherwise no duel could be played).

Tie policy: the lowest index for opponents. The first arm of a duel and the initial batches are
drawn.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from math import ceil, log, pow
from typing import Never

import numpy as np

from tgite.checked import checked
from tgite.comparators.rucb import require_alpha
from tgite.comparators.ties import require_number_of_arms, require_positive
from tgite.comparators.wins import Matrix, Wins
from tgite.errors import InvalidInput, require_whole_number
from tgite.questions import Arm, Duel, Outcome, SelfPlay, Stream


@checked
def merge_rucb(
    N: int, choices: random.Random, p: int = 4, alpha: float = 1.01, delta: float = 0.01
) -> Stream[Duel | SelfPlay, Outcome | None, Never]:
    """Play MergeRUCB among ``N`` arms; never returns.

    ``p`` is the batch size, ``alpha`` the exploration constant, ``delta`` the allowed error.
    Raises :class:`~tgite.errors.InvalidInput` if N or ``p`` is below 2, ``alpha`` not above 1/2, or
    ``delta`` not in (0, 1).
    """
    require_number_of_arms(N)
    require_whole_number("p", p, at_least=2)
    require_alpha(alpha)
    require_positive("delta", delta)
    if delta >= 1:
        raise InvalidInput("delta", delta, "must be below 1")
    offset = time_offset(N, alpha, delta)

    def algorithm() -> Stream[Duel | SelfPlay, Outcome | None, Never]:
        wins = Wins(N)
        order = list(range(N))
        choices.shuffle(order)
        batches = [order[start : start + p] for start in range(0, N, p)]
        if len(batches) > 1 and len(batches[-1]) <= p // 2:
            batches[-2:] = [batches[-2] + batches[-1]]
        merges = 1
        for t in itertools.count(1):
            place = t % len(batches)
            width = alpha * log(t + offset)
            upper = batch_upper_bounds(wins, batches[place], width)
            # The diagonal is 1/2, so no arm is eliminated by itself.
            kept = [k for k in range(len(upper)) if not any(upper[k] < 1 / 2)]
            batch = batches[place] = [batches[place][k] for k in kept]
            upper = upper[np.ix_(kept, kept)]
            survivors = sum(map(len, batches))
            if survivors == 1:
                break
            if len(batch) >= 2:
                first = choices.randrange(len(batch))
                others = [k for k in range(len(batch)) if k != first]
                second = min(others, key=lambda k: (-upper[k, first], batch[k]))
                outcome = yield Duel(batch[first], batch[second])
                wins.record(batch[first], batch[second], outcome)
            stuck = max(map(len, batches)) < 2
            if len(batches) > 1 and (survivors <= N / 2**merges or stuck):
                batches = merged(batches, p)
                merges += 1
        (winner,) = (arm for arms in batches for arm in arms)
        while True:
            yield SelfPlay(winner, 1)

    return algorithm()


def time_offset(N: int, alpha: float, delta: float) -> int:
    """Return the constant that is added to t within the logarithm of the radius."""
    ratio = (4 * alpha - 1) * N**2 / ((2 * alpha - 1) * delta)
    return ceil(pow(ratio, 1 / (2 * alpha - 1)))


def batch_upper_bounds(wins: Wins, batch: Sequence[Arm], width: float) -> Matrix:
    """Return the upper bounds among the arms of a batch; a pair without a duel has the bound 1."""
    restricted = Wins(len(batch))
    restricted.won = wins.won[np.ix_(batch, batch)]
    upper, _ = restricted.bounds(width, unmet=1.0)
    return upper


def merged(batches: Sequence[Sequence[Arm]], p: int) -> list[list[Arm]]:
    """Return the batches after merging small ones with large ones.

    A merged batch holds at most 3p/2 arms, unless only two batches were left.
    """
    left = sorted((list(batch) for batch in batches), key=len)
    if len(left) == 2:
        return [left[0] + left[1]]
    result: list[list[Arm]] = []
    while len(left) > 1:
        smallest, largest = left[0], left[-1]
        if len(smallest) + len(largest) <= 3 * p / 2:
            result.append(smallest + largest)
            left = left[1:-1]
        else:
            result.append(largest)
            left = left[:-1]
    return result + left
