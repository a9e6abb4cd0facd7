"""WR-TINF, **our reconstruction of** the algorithm of Saad, Verzelen and Carpentier (2024).

Source: "On weak regret analysis for dueling bandits" (NeurIPS 2024); we had neither the text nor
the code of the algorithm. What is known of it: it is online mirror descent with the Tsallis-1/2
regulariser and assumes only a Condorcet winner. Its weak regret is bounded for all times. In
gap-weighted units, and if the winner's gaps are not small, it is of order N/Delta*. These choices
are ours: one vector of losses for both places, both arms drawn independently from one distribution,
the factor 1/2, and the constant c.

In round t two arms are drawn from Tsallis-INF's weights p at the rate c/sqrt(t). The loss of an arm
is the probability that it loses to an opponent drawn from p. Each place gives an unbiased estimate
of that loss, and the mean of the two is added. A round (i, i) counts as the loss 1/2, which keeps
the estimate unbiased. The expected weak regret of a round is (1 - p_winner)**2. Since 1 - p_winner
falls like N/(Delta*^2 t), its squares have a finite sum, of the published order in binary units.

Tie policy: none is needed, because arms are drawn.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Never

import numpy as np
from numpy.typing import NDArray

from tgite.checked import checked
from tgite.comparators.several_runs import Together, alone
from tgite.comparators.ties import require_number_of_arms
from tgite.comparators.tsallis_inf import TsallisInf, learning_rate, require_rate_constant
from tgite.questions import Arm, Duel, Outcome, SelfPlay, Stream


@checked
def wr_tinf(
    N: int, choices: random.Random, c: float = 2.0
) -> Stream[Duel | SelfPlay, Outcome | None, Never]:
    """Play our reconstruction of WR-TINF among ``N`` arms; never returns.

    ``choices`` draws the arms (not the outcomes); ``c`` is the constant of the learning rate.
    Raises :class:`~tgite.errors.InvalidInput` if N is below 2 or ``c`` is not above 0.
    """
    require_number_of_arms(N)
    require_rate_constant(c)
    return alone(wr_tinf_together(N, [choices], c))


def wr_tinf_together(N: int, choices: Sequence[random.Random], c: float = 2.0) -> Together:
    """Play ``wr_tinf`` with each of the generators; never returns."""
    learner = TsallisInf(N, len(choices))
    t = 0
    while True:
        t += 1
        p = learner.weigh(learning_rate(c, t))
        i, j = learner.draw_two(choices)
        i_wins = yield i, j
        for L, *of_run in zip(learner.losses, p, i, j, i_wins, strict=True):
            arm, increment = loss_estimate(*of_run)
            L[arm] += increment


def loss_estimate(
    p: NDArray[np.float64], i: Arm, j: Arm, i_wins: Outcome | None
) -> tuple[Arm, float]:
    """Return the arm whose estimated loss grows, and by how much, after the round (i, j).

    The arm is the loser of the duel. After a self-comparison (``None``) it is the arm itself, with
    half the loss in each of the two places.
    """
    loser = j if i_wins else i
    return loser, 1 / (2 * float(p[loser]))
