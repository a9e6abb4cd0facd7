"""WSW-PE, **our reconstruction of** the algorithm of Ma et al. (2025).

Known of the original (cited in the paper as joint regret minimisation and identification): a
reduction that turns any algorithm for regret into one that identifies the winner, here WS-W; a
Condorcet winner and, for its bounds, a total order; weak regret as WS-W's and
O(R_w + N/Delta*^2 log(N/(Delta* delta))) duels. The text of the algorithm was not at hand.

Ours: the inner algorithm plays as it pleases. For each pair, after its k-th duel, arm i
*confidently beats* j if its share of wins exceeds 1/2 by more than
``sqrt(log(N(N-1)k(k+1)/delta)/(2k))``; over all pairs, sides and k these errors sum up to delta.
The run ends with the arm that confidently beats all others. A duel without the winner is one of
R_w; any other raises one of the N - 1 counts of the winner's pairs, of which each needs about
log(N/(Delta* delta))/Delta*^2: that is the quoted bound, which is why we read it so.

Tie policy: WS-W's.
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
    """Play our reconstruction of WSW-PE among ``N`` arms; return the arm that it is sure of.

    Raises :class:`~tgite.errors.InvalidInput` if N is below 2.
    """
    return verified(ws_w(N, ties), N, delta)


@checked
def verified(
    inner: Stream[Duel, Outcome, Never], N: int, delta: Confidence
) -> Stream[Duel, Outcome, Arm]:
    """Let ``inner`` play until some arm confidently beats all others; return that arm.

    The result is the Condorcet winner with probability at least ``1 - delta``. It ends only if
    ``inner`` duels the winner with every other arm often enough. Raises
    :class:`~tgite.errors.InvalidInput` if N is below 2.
    """
    require_number_of_arms(N)

    def algorithm() -> Stream[Duel, Outcome, Arm]:
        won = [[0] * N for _ in range(N)]
        beaten: list[set[Arm]] = [set() for _ in range(N)]
        radii = [inf]  # of k = 0, 1, ... duels, each computed when a pair first gets there
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
