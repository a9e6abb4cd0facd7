"""TG-ITE-BAI: identify, then stop (Section ``subsec:bai-policy``)."""

from __future__ import annotations

from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.questions import A, Arm, PairwiseTest, Q, Stream
from tgite.tree import BalancedTree
from tgite.tree_ascent import tree_ascent


@checked
def tg_ite_bai(
    b_0: Arm,
    tree: BalancedTree,
    delta: Confidence,
    test: PairwiseTest[Q, A],
    conventions: Conventions = RULINGS,
) -> Stream[Q, A, Arm]:
    """Identify the Condorcet winner: one pass of TreeAscent from ``b_0``, and stop.

    The result is the Condorcet winner with probability at least ``1 - delta``. The expected number
    of duels is at most ``C N/Delta**2 (log(1/delta) + log(1/Delta) + 1)`` (``cor:tlcr-bai``). With
    the budgeted test this is the policy of ``thm:known-gap-extension-main``, whose number of duels
    is bounded on every run.

    Raises :class:`~tgite.errors.InvalidInput` as TreeAscent does.
    """
    return tree_ascent(b_0, tree, delta, test, conventions)
