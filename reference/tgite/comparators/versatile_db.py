"""Versatile-DB: two independent Tsallis-INF learners, one for each place of the pair.

Source: Saha and Gaillard, "Versatile dueling bandits" (ICML 2022), Algorithm 3. Assumption: none
for its O(sqrt(N T)) adversarial bound; with a Condorcet winner its expected regret (mean gap of the
two arms) is O(sum over i of log T / Delta_i). The source gives the order 1/sqrt(t) of the learning
rate. The constant c = 2 is our choice: it is Tsallis-INF's own for importance-weighted losses.

A round (i, i) counts as the loss 1/2 in both places. Leaving it out would favour arms that are
drawn twice. Tie policy: none is needed, because arms are drawn.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Never

from tgite.checked import checked
from tgite.comparators.several_runs import Together, alone
from tgite.comparators.ties import require_number_of_arms
from tgite.comparators.tsallis_inf import TsallisInf, learning_rate, require_rate_constant
from tgite.questions import Duel, Outcome, SelfPlay, Stream


@checked
def versatile_db(
    N: int, choices: random.Random, c: float = 2.0
) -> Stream[Duel | SelfPlay, Outcome | None, Never]:
    """Play Versatile-DB among ``N`` arms; never returns.

    ``choices`` draws the arms (not the outcomes), the first place's first; ``c`` is the constant of
    the learning rate. Raises :class:`~tgite.errors.InvalidInput` if N is below 2 or ``c`` is not
    above 0.
    """
    require_number_of_arms(N)
    require_rate_constant(c)
    return alone(versatile_db_together(N, [choices], c))


def versatile_db_together(N: int, choices: Sequence[random.Random], c: float = 2.0) -> Together:
    """Play ``versatile_db`` with each of the generators; never returns."""
    runs = len(choices)
    # The learners of all first places, then those of all second places.
    learners = TsallisInf(N, 2 * runs)
    t = 0
    while True:
        t += 1
        weights = learners.weigh(learning_rate(c, t))
        arms = learners.draw([*choices, *choices])
        i_wins = yield arms[:runs], arms[runs:]
        of_i, of_j = zip(*map(losses, i_wins), strict=True)
        for L, p, arm, loss in zip(learners.losses, weights, arms, of_i + of_j, strict=True):
            L[arm] += loss / p[arm]


def losses(i_wins: Outcome | None) -> tuple[float, float]:
    """Return the losses of the two places: 1 for the loser's, 1/2 each for a pair (i, i)."""
    if i_wins is None:
        return 1 / 2, 1 / 2
    return (0.0, 1.0) if i_wins else (1.0, 0.0)
