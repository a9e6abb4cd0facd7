"""Interleaved Filter, in both versions (IF1 and IF2).

Source: Yue, Broder, Kleinberg and Joachims, "The K-armed dueling bandits problem" (JCSS 2012).
Assumption: strong stochastic transitivity and the stochastic triangle inequality; expected regret
O(N log T) for IF2, O(N log N log T) for IF1. **IF2's pruning is unsound without transitivity**: on
a cycle it may drop the winner. :mod:`tgite.comparators.facts` reports this for given preferences.

In each loop the candidate meets every remaining arm once. Arms that it confidently beats are
eliminated. An arm that confidently beats the candidate becomes the candidate. IF2 then also drops
all arms against which the old candidate led, even if not confidently.

Tie policy: the first candidate is arm 0 (the source draws it). If two arms beat the candidate, the
one with the lower index becomes the candidate.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Never

from tgite.checked import checked
from tgite.comparators.ties import require_number_of_arms
from tgite.errors import require_whole_number
from tgite.questions import Arm, Duel, Outcome, SelfPlay, Stream


@checked
def interleaved_filter(
    N: int, T: int, pruning: bool = True
) -> Stream[Duel | SelfPlay, Outcome | None, Never]:
    """Play Interleaved Filter among ``N`` arms at ``delta = 1/(T N**2)``; never returns.

    ``T`` is the horizon for which it is tuned. With ``pruning`` it is IF2, without it IF1. Raises
    :class:`~tgite.errors.InvalidInput` if N is below 2 or T below 1.
    """
    require_number_of_arms(N)
    require_whole_number("T", T, at_least=1)

    def radius(t: int) -> float:
        return sqrt(4 * log(T * N**2) / t)

    def algorithm() -> Stream[Duel | SelfPlay, Outcome | None, Never]:
        candidate: Arm = 0
        rest = list(range(1, N))
        wins, t = dict.fromkeys(rest, 0), 0
        while rest:
            t += 1
            for arm in rest:
                outcome = yield Duel(candidate, arm)
                wins[arm] += outcome is True
            share, c = {arm: wins[arm] / t for arm in rest}, radius(t)
            rest = [arm for arm in rest if share[arm] - c <= 1 / 2]
            better = next((arm for arm in rest if share[arm] + c < 1 / 2), None)
            if better is not None:
                if pruning:
                    rest = [arm for arm in rest if share[arm] <= 1 / 2]
                rest.remove(better)
                candidate, wins, t = better, dict.fromkeys(rest, 0), 0
        while True:
            yield SelfPlay(candidate, 1)

    return algorithm()
