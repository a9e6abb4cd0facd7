"""TreeAscent: tree-guided identification of the Condorcet winner, in the paper's two versions.

``alg:plr-pass`` is the main text's, for N a power of two. ``alg:app-plr`` is the appendix's, for
any N. A separate claim says that they agree where both apply.
"""

from __future__ import annotations

from tgite.bkt import bkt
from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.errors import InvalidInput
from tgite.questions import A, Arm, PairwiseTest, Q, Stream, require_arm
from tgite.schedules import block_level, merge_level, require_rational_level
from tgite.tree import BalancedTree


@checked
def tree_ascent_power_of_two(
    b: Arm,
    tree: BalancedTree,
    epsilon: Confidence,
    test: PairwiseTest[Q, A],
    conventions: Conventions = RULINGS,
) -> Stream[Q, A, Arm]:
    """Walk from leaf ``b`` up the tree, merging each sibling block's champion; N a power of two.

    ``alg:plr-pass``, with ``test`` in DuelTest's place. Returns the Condorcet winner with
    probability at least ``1 - epsilon``, after ``N - 1`` matches. The expected number of duels is
    at most ``C N/Delta**2 (log(1/epsilon) + log(1/Delta) + 1)`` (``thm:plr-repair-main``).

    Raises :class:`~tgite.errors.InvalidInput` if ``b`` is not an arm of the tree, if N is not a
    power of two (the main text assumes that it is), or if ``epsilon`` carries ``6/pi**2``.
    """
    require_arm("b", b, tree.N)
    require_rational_level("epsilon", epsilon)
    if tree.N != tree.M:
        raise InvalidInput("N", tree.N, "must be a power of two (otherwise use tree_ascent)")

    def algorithm() -> Stream[Q, A, Arm]:
        N, L = tree.N, tree.L
        blocks = {h: tree.sibling_block(b, h) for h in range(1, L + 1)}  # L1: the Q_h(b)
        c = {0: b}  # L2
        for h in range(1, L + 1):  # L3
            m_h = len(blocks[h])  # L4
            beta_h, eta_h = block_level(epsilon, m_h, N), merge_level(epsilon, L)  # L5
            g_h = yield from bkt(blocks[h], beta_h, test, conventions)  # L6
            c[h] = yield from test(c[h - 1], g_h, eta_h)  # L7
        return c[L]  # L9

    return algorithm()


@checked
def tree_ascent(
    b: Arm,
    tree: BalancedTree,
    epsilon: Confidence,
    test: PairwiseTest[Q, A],
    conventions: Conventions = RULINGS,
) -> Stream[Q, A, Arm]:
    """Walk from leaf ``b`` up the completed tree, merging each sibling block's champion.

    ``alg:app-plr``, with ``test`` in DuelTest's place. A block's level is proportional to its
    capacity, and empty blocks are skipped.

    * It returns the Condorcet winner if neither the tournament that holds the winner nor any later
      merge errs (``lem:app-plr-capture-preserve``). So it returns the winner with probability at
      least ``1 - epsilon`` (``thm:app-plr-correctness``).
    * It plays ``N - 1`` matches. The expected number of duels is at most
      ``C N/Delta**2 (log(1/epsilon) + log(1/Delta) + 1)`` (``thm:app-plr-cost``).

    With the known-gap test ``lem:app-budgeted-tree-ascent`` applies.

    Raises :class:`~tgite.errors.InvalidInput` if ``b`` is not an arm of the tree, or if
    ``epsilon`` carries the factor ``6/pi**2``.
    """
    require_arm("b", b, tree.N)
    require_rational_level("epsilon", epsilon)

    def algorithm() -> Stream[Q, A, Arm]:
        M, L = tree.M, tree.L  # L1
        blocks = {h: tree.sibling_block(b, h) for h in range(1, L + 1)}  # L1: the Q_h(b)
        c = {0: b}  # L2
        for h in range(1, L + 1):  # L3
            m_h, mbar_h = len(blocks[h]), tree.sibling_capacity(h)  # L4
            beta_h, eta_h = block_level(epsilon, mbar_h, M), merge_level(epsilon, L)  # L5
            if m_h == 0:  # L6
                c[h] = c[h - 1]  # L7
            else:
                g_h = yield from bkt(blocks[h], beta_h, test, conventions)  # L9
                c[h] = yield from test(c[h - 1], g_h, eta_h)  # L10
        return c[L]  # L13

    return algorithm()
