"""BKT on the whole set of arms, as a comparator of TreeAscent.

Source: ``alg:bkt`` of the paper, with S all arms. Assumption: a Condorcet winner (and no ties, with
DuelTest). It returns the winner with probability at least ``1 - delta``; by ``lem:app-bkt-subset``
its expected number of duels has the bound of ``thm:plr-repair-main``. It plays N - 1 matches in
``ceil(log2 N)`` rounds. Tie policy: none is needed; the conventions say how arms are paired.
"""

from __future__ import annotations

from tgite.bkt import bkt
from tgite.checked import checked
from tgite.comparators.ties import require_number_of_arms
from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.questions import A, Arm, PairwiseTest, Q, Stream


@checked
def bkt_all(
    N: int, delta: Confidence, test: PairwiseTest[Q, A], conventions: Conventions = RULINGS
) -> Stream[Q, A, Arm]:
    """Play ``BKT([N], delta)``; return the survivor.

    Raises :class:`~tgite.errors.InvalidInput` if N is below 2, and as BKT does.
    """
    require_number_of_arms(N)
    return bkt(range(N), delta, test, conventions)
