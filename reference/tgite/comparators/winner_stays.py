"""Winner Stays for weak regret (WS-W) and for strong regret (WS-S).

Source: Chen and Frazier, "Dueling bandits with weak regret" (ICML 2017). Assumption: a Condorcet
winner; the better bounds ask for a total order. Let p be the least probability, over all pairs,
that the better arm of a pair wins. Expected weak regret of WS-W, whatever the time:
``N/(2p-1)**2 + p N**2/(2p-1)**3``; in a total order
``2 p**3 N (log N + 1)/(2p-1)**6 + N/(2p-1)**2``. WS-S has strong regret O(N**2 + N log T), or O(N
log N + N log T) in a total order, for 1 < beta <= p/(1-p).

Each arm has a score, its wins minus its losses. WS-W always duels two arms with the highest scores,
and among equals prefers the arms of the last duel. This leads to rounds and iterations, which are
what the code follows. In round l an incumbent duels a challenger until one of them has score ``-l``
and sits out the round. The other one is the incumbent of the next iteration, whose challenger is
one of the arms still waiting, all with score ``-(l-1)``. The round ends when no arm waits. The next
round begins with the same pair, since the last duel's arms are preferred.

Tie policy: ``ties`` chooses among waiting arms with equal scores, and the arms of the first duel.
The source breaks ties at random. If the lowest index is chosen, the cost of WS-W depends much on
the winner's number, so the figures do not use that policy.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Never

from tgite.checked import checked
from tgite.comparators.ties import Ties, chosen, lowest_index, require_number_of_arms
from tgite.errors import InvalidInput
from tgite.questions import Arm, Duel, Outcome, SelfPlay, Stream


@checked
def ws_w(N: int, ties: Ties = lowest_index) -> Stream[Duel, Outcome, Never]:
    """Play Winner Stays for weak regret among ``N`` arms; never returns.

    Raises :class:`~tgite.errors.InvalidInput` if N is below 2.
    """
    require_number_of_arms(N)
    rounds = _Rounds(N, ties)

    def algorithm() -> Stream[Duel, Outcome, Never]:
        round_number = 0
        while True:
            round_number += 1
            yield from rounds.play(round_number)

    return algorithm()


@checked
def ws_s(
    N: int, beta: Fraction, ties: Ties = lowest_index
) -> Stream[Duel | SelfPlay, Outcome | None, Never]:
    """Play Winner Stays for strong regret among ``N`` arms; never returns.

    After each round l of WS-W its winner plays itself for ``floor(beta**l)`` rounds, which leave
    the scores as they are. (In our reading, the power is rounded down.)

    Raises :class:`~tgite.errors.InvalidInput` if N is below 2 or ``beta`` is not above 1.
    """
    require_number_of_arms(N)
    if beta <= 1:
        raise InvalidInput("beta", str(beta), "must be above 1")
    rounds = _Rounds(N, ties)

    def algorithm() -> Stream[Duel | SelfPlay, Outcome | None, Never]:
        round_number = 0
        while True:
            round_number += 1
            winner = yield from rounds.play(round_number)
            yield SelfPlay(winner, floor(beta**round_number))

    return algorithm()


class _Rounds:
    """The scores of WS-W and the pair of its last duel."""

    def __init__(self, N: int, ties: Ties) -> None:
        self._scores = [0] * N
        self._ties = ties
        self._last: tuple[Arm, Arm] | None = None

    def play(self, round_number: int) -> Stream[Duel, Outcome, Arm]:
        """Play one round; return its winner."""
        scores, ties = self._scores, self._ties
        if self._last is None:
            everybody = range(len(scores))
            incumbent = chosen(everybody, ties)
            challenger = chosen([arm for arm in everybody if arm != incumbent], ties)
        else:
            incumbent, challenger = self._last
        waiting = [arm for arm in range(len(scores)) if arm not in (incumbent, challenger)]
        while True:
            first, second = incumbent, challenger
            duel = Duel(first, second)
            while scores[first] > -round_number and scores[second] > -round_number:
                first_wins = yield duel
                change = 1 if first_wins else -1
                scores[first] += change
                scores[second] -= change
                # The arm with the higher score is the duel's first arm; equals keep their places.
                if scores[second] > scores[first]:
                    first, second = second, first
                    duel = Duel(first, second)
            incumbent = first
            if not waiting:
                self._last = first, second
                return incumbent
            challenger = chosen(waiting, ties)
            waiting.remove(challenger)
