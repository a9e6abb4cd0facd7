"""RUCB with a stopping rule: returns the winner with fixed confidence, without knowing a gap.

This is our construction: RUCB itself (:mod:`tgite.comparators.rucb`) minimises regret and never
ends. Here an arm is eliminated as soon as MixtureTest's evidence that some other arm is the better
one reaches ``(N-1)/delta``. Champions are chosen among the arms that are left, and the last arm
left is returned. The winner is eliminated with probability at most delta, since it has N-1
opponents. All duels of a pair count as evidence. The evidence is sharper than in published
algorithms such as SAVAGE (Urvoy et al. 2013). A comparison with our search therefore shows the
effect of the choice of pairs and not of the tests.

Tie policy: the same as RUCB's.
"""

from __future__ import annotations

import random
from math import log

from tgite.beyond.mixture_test import stopping_lead
from tgite.checked import checked
from tgite.comparators.rucb import champion_of, opponent_of
from tgite.comparators.ties import Ties, lowest_index, require_number_of_arms
from tgite.comparators.wins import Wins
from tgite.confidence import Confidence
from tgite.questions import Arm, Duel, Outcome, Stream
from tgite.schedules import require_rational_level

ALPHA = 0.51


@checked
def certified_rucb(
    N: int, delta: Confidence, choices: random.Random, ties: Ties = lowest_index
) -> Stream[Duel, Outcome, Arm]:
    """Play RUCB's duels among ``N`` arms until all arms but one are eliminated; return that one.

    If there is a winner, another arm is returned with probability at most ``delta``. Raises
    :class:`~tgite.errors.InvalidInput` if N is below 2 or ``delta`` carries ``6/pi**2``.
    """
    require_number_of_arms(N)
    require_rational_level("delta", delta)
    level = Confidence(delta.rational / (N - 1))

    def algorithm() -> Stream[Duel, Outcome, Arm]:
        wins, hypothesis, left = Wins(N), None, set(range(N))
        t = 0
        while len(left) > 1:
            t += 1
            upper, _ = wins.bounds(ALPHA * log(t))
            lowest = upper.min(axis=1)
            candidates = [arm for arm in sorted(left) if lowest[arm] >= 1 / 2]
            if hypothesis not in candidates:
                hypothesis = None
            if len(candidates) == 1:
                hypothesis = candidates[0]
            champion = champion_of(candidates or sorted(left), hypothesis, N, choices)
            upper[champion, champion] = -1  # a self-comparison carries no information
            opponent = opponent_of(champion, upper, ties)
            wins.record(champion, opponent, (yield Duel(champion, opponent)))
            for i, j in ((champion, opponent), (opponent, champion)):
                lost, won = int(wins.won[j, i]), int(wins.won[i, j])
                if lost - won >= stopping_lead(lost + won, level):
                    left.discard(i)
        (survivor,) = left
        return survivor

    return algorithm()
