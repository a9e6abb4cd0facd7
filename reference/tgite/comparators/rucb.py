"""RUCB: relative upper confidence bound.

Source: Zoghi, Whiteson, Munos and de Rijke, "Relative upper confidence bound for the K-armed
dueling bandit problem" (ICML 2014). Assumption: a Condorcet winner. Its regret is
O(N**2 + sum over i of log T/Delta_i), with high probability for alpha > 1/2, in expectation for
alpha > 1. A round costs O(N**2) time.

In each round the candidates are the arms whose upper bounds against all others reach 1/2. The
hypothesis is the last arm that was the only candidate; it is chosen with probability 1/2, and
otherwise another candidate is. The opponent is the arm with the highest upper bound against the
chosen arm. It is the chosen arm itself only if no other arm has a bound as high.

Tie policy: ``ties`` chooses among opponents that tie; the first arm is drawn.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import log
from typing import Never

from tgite.checked import checked
from tgite.comparators.ties import Ties, chosen, lowest_index, one_round, require_number_of_arms
from tgite.comparators.wins import Matrix, Wins
from tgite.errors import InvalidInput
from tgite.questions import Arm, Duel, Outcome, SelfPlay, Stream


@checked
def rucb(
    N: int, choices: random.Random, alpha: float = 0.51, ties: Ties = lowest_index
) -> Stream[Duel | SelfPlay, Outcome | None, Never]:
    """Play RUCB among ``N`` arms; never returns.

    Raises :class:`~tgite.errors.InvalidInput` if N is below 2 or ``alpha`` is not above 1/2.
    """
    require_number_of_arms(N)
    require_alpha(alpha)

    def algorithm() -> Stream[Duel | SelfPlay, Outcome | None, Never]:
        wins, hypothesis = Wins(N), None
        t = 0
        while True:
            t += 1
            upper, _ = wins.bounds(alpha * log(t))
            candidates = [arm for arm in range(N) if (upper[arm] >= 1 / 2).all()]
            if hypothesis not in candidates:
                hypothesis = None
            if len(candidates) == 1:
                hypothesis = candidates[0]
            champion = champion_of(candidates, hypothesis, N, choices)
            opponent = opponent_of(champion, upper, ties)
            outcome = yield from one_round(champion, opponent)
            wins.record(champion, opponent, outcome)

    return algorithm()


def champion_of(
    candidates: Sequence[Arm], hypothesis: Arm | None, N: int, choices: random.Random
) -> Arm:
    """Return the first arm of a duel: the hypothesis with probability 1/2, else a candidate."""
    if not candidates:
        return choices.randrange(N)
    if len(candidates) == 1:
        return candidates[0]
    if hypothesis is None:
        return choices.choice(candidates)
    if choices.random() < 1 / 2:
        return hypothesis
    return choices.choice([arm for arm in candidates if arm != hypothesis])


def opponent_of(champion: Arm, upper: Matrix, ties: Ties) -> Arm:
    """Return the arm with the highest upper bound against the champion, preferably another arm."""
    against = upper[:, champion]
    highest = against.max()
    tied = [arm for arm in range(len(against)) if against[arm] == highest and arm != champion]
    return chosen(tied, ties) if tied else champion


def require_alpha(alpha: float) -> None:
    """Refuse an exploration constant that is not a finite number above 1/2."""
    if not 1 / 2 < alpha < float("inf"):
        raise InvalidInput("alpha", alpha, "must be a finite number above 1/2")
