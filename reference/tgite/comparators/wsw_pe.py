"""WSW-PE, **our reconstruction of** the algorithm of Ma et al. (2025).

Source: cited in the paper for joint regret minimisation and identification; we did not have the
text of the algorithm. What is known of it: it turns any algorithm for regret, here WS-W, into one
that identifies the winner. It assumes a Condorcet winner and, for its bounds, a total order. Its
weak regret R_w is that of WS-W, and it takes O(R_w + N/Delta*^2 log(N/(Delta* delta))) duels.

Our reading: the inner algorithm plays without interference. After the k-th duel of a pair, arm i
*confidently beats* j if its share of wins exceeds 1/2 by more than
``sqrt(log(N(N-1)k(k+1)/delta)/(2k))``. Over all pairs, sides and k, the probabilities that a
worse arm does so add up to delta. The run ends with the arm that confidently beats all others.

This reading gives the quoted bound. R_w counts each duel without the winner. Any other duel adds to
one of the N - 1 counts of the winner's pairs, and each count needs about log(N/(Delta*
delta))/Delta*^2.

Tie policy: the same as WS-W's.
"""

from __future__ import annotations

from math import inf, log, sqrt
from typing import Never

from tgite.checked import checked
from tgite.comparators.ties import Ties, lowest_index, require_number_of_arms
from tgite.comparators.winner_stays import ws_w
from tgite.confidence import Confidence
from tgite.questions import Arm, Duel, Outcome, Stream


@checked
def wsw_pe(N: int, delta: Confidence, ties: Ties = lowest_index) -> Stream[Duel, Outcome, Arm]:
    """Play our reconstruction of WSW-PE among ``N`` arms; return the arm that it identifies.

    Raises :class:`~tgite.errors.InvalidInput` if N is below 2.
    """
    return verified(ws_w(N, ties), N, delta)


@checked
def verified(
    inner: Stream[Duel, Outcome, Never], N: int, delta: Confidence
) -> Stream[Duel, Outcome, Arm]:
    """Let ``inner`` play until some arm confidently beats all others; return that arm.

    The result is the Condorcet winner with probability at least ``1 - delta``. The run ends only if
    ``inner`` duels the winner with every other arm often enough. Raises
    :class:`~tgite.errors.InvalidInput` if N is below 2.
    """
    require_number_of_arms(N)

    def algorithm() -> Stream[Duel, Outcome, Arm]:
        won = [[0] * N for _ in range(N)]
        beaten: list[set[Arm]] = [set() for _ in range(N)]
        radii = [inf]  # radius after k = 0, 1, ... duels, computed when a pair first has k duels
        duel = next(inner)
        while True:
            outcome = yield duel
            i, j = (duel.first, duel.second) if outcome else (duel.second, duel.first)
            won[i][j] += 1
            k = won[i][j] + won[j][i]
            if k == len(radii):
                radii.append(radius(k, N, delta))
            if abs(won[i][j] / k - 1 / 2) > radii[k]:
                better, worse = (i, j) if won[i][j] > won[j][i] else (j, i)
                beaten[better].add(worse)
                if len(beaten[better]) == N - 1:
                    inner.close()
                    return better
            duel = inner.send(outcome)

    return algorithm()


def radius(k: int, N: int, delta: Confidence) -> float:
    """Return by how much the share of wins in ``k >= 1`` duels must exceed 1/2."""
    return sqrt((log(N * (N - 1) * k * (k + 1)) + delta.log_inverse) / (2 * k))
