"""SAVAGE for arms with a Condorcet winner, with fixed confidence (not in the paper).

Source: Urvoy, Clerot, Feraud and Naamane, "Generic exploration and K-armed voting bandits" (ICML
2013), without a horizon. The next duel goes to the pair with the fewest duels, among the pairs that
may still matter. After t duels of a pair its mean has the confidence radius

    c(t) = sqrt(log(eta(t)/delta) / (2t)),    eta(t) = pi**2 P t**2 / 3,    P = N(N-1)/2 pairs,

The probability that any pair's mean is ever outside its radius is at most ``delta`` (Hoeffding). An
arm that loses to another by more than this radius is not the winner, and its pairs no longer
matter. This is the source's test of independence for arms with a winner, as Zoghi et al. (2014)
describe it. The last arm left is returned.

Tie policy: among pairs with equally few duels, the first in the order of their arms.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, count
from math import log, pi, sqrt

from tgite.checked import checked
from tgite.comparators.ties import require_number_of_arms
from tgite.confidence import Confidence
from tgite.questions import Arm, Duel, Outcome, Stream
from tgite.schedules import require_rational_level


def radius(t: int, pairs: int, delta: Confidence) -> float:
    """Return the confidence radius ``c(t)`` for this number of pairs."""
    return sqrt((log(pi**2 * pairs * t**2 / 3) + delta.log_inverse) / (2 * t))


@checked
def savage(N: int, delta: Confidence) -> Stream[Duel, Outcome, Arm]:
    """Compare ``N`` arms pair by pair until all but one of them are beaten; return that one.

    If there is a winner, another arm is returned with probability at most ``delta``, and the run
    ends with probability at least ``1 - delta``. Raises :class:`~tgite.errors.InvalidInput` if N is
    below 2 or ``delta`` carries ``6/pi**2``.
    """
    require_number_of_arms(N)
    require_rational_level("delta", delta)

    def algorithm() -> Stream[Duel, Outcome, Arm]:
        won = dict.fromkeys(combinations(range(N), 2), 0)
        pairs, left = len(won), set(range(N))

        def that_matter() -> Iterator[tuple[Arm, Arm]]:
            return ((i, j) for i, j in won if i in left and j in left)

        for t in count(1):  # All pairs that matter have t - 1 duels, or t.
            c = radius(t, pairs, delta)
            for i, j in that_matter():
                won[i, j] += yield Duel(i, j)
                lead = won[i, j] / t - 1 / 2
                if abs(lead) >= c:
                    left.discard(j if lead > 0 else i)
            won = {pair: won[pair] for pair in that_matter()}
            if len(left) == 1:
                break
        (survivor,) = left
        return survivor

    return algorithm()
