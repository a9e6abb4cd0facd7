"""Beat-the-Mean.

Source: Yue and Joachims, "Beat the mean bandit" (ICML 2011). Assumption: relaxed strong stochastic
transitivity with constant gamma and the stochastic triangle inequality; regret O(N gamma**8 log T /
Delta) as the paper quotes it. **Not valid on cycles**: it ranks arms by their share of wins against
a random opponent. Without transitivity, another arm may have a larger share than the winner.
:mod:`tgite.comparators.facts` reports this for given preferences.

The active arm with fewest duels meets another active arm, drawn at random; the outcome counts only
in the record of the first one. An arm is eliminated when its share of wins plus the radius is below
the best share minus the radius. Its duels are then removed from the other records.

Tie policy: the lowest index, both for the arm with fewest duels and for the worst arm. The opponent
is drawn. (In the source an arm may draw itself; here it may not.)
"""

from __future__ import annotations

import random
from fractions import Fraction
from math import log, sqrt
from typing import Never

from tgite.checked import checked
from tgite.comparators.ties import require_number_of_arms
from tgite.errors import InvalidInput, require_whole_number
from tgite.questions import Arm, Duel, Outcome, SelfPlay, Stream


@checked
def beat_the_mean(
    N: int, T: int, choices: random.Random, gamma: Fraction | None = None
) -> Stream[Duel | SelfPlay, Outcome | None, Never]:
    """Play Beat-the-Mean among ``N`` arms at ``delta = 1/(2TN)``; never returns.

    ``T`` is the horizon it is tuned for. The radius after n duels is ``sqrt(log(1/delta)/n)``,
    times ``3 gamma**2`` where ``gamma`` is given. Raises :class:`~tgite.errors.InvalidInput` if N
    is below 2, T below 1 or ``gamma`` below 1.
    """
    require_number_of_arms(N)
    require_whole_number("T", T, at_least=1)
    if gamma is not None and gamma < 1:
        raise InvalidInput("gamma", str(gamma), "must be at least 1")
    factor = 1.0 if gamma is None else 3 * float(gamma) ** 2

    def radius(n: int) -> float:
        return 1.0 if n == 0 else factor * sqrt(log(2 * T * N) / n)

    def algorithm() -> Stream[Duel | SelfPlay, Outcome | None, Never]:
        active = list(range(N))
        played, won = [[0] * N for _ in range(N)], [[0] * N for _ in range(N)]

        def duels(arm: Arm) -> int:
            return sum(played[arm][other] for other in active)

        def share(arm: Arm) -> float:
            n = duels(arm)
            return 1 / 2 if n == 0 else sum(won[arm][other] for other in active) / n

        while len(active) > 1:
            arm = min(active, key=duels)
            opponent = choices.choice([other for other in active if other != arm])
            outcome = yield Duel(arm, opponent)
            played[arm][opponent] += 1
            won[arm][opponent] += outcome is True
            shares = {other: share(other) for other in active}
            worst = min(active, key=shares.__getitem__)
            margin = radius(min(duels(other) for other in active))
            if shares[worst] + margin <= max(shares.values()) - margin:
                active.remove(worst)
        while True:
            yield SelfPlay(active[0], 1)

    return algorithm()
