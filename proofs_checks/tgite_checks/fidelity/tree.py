"""Fidelity of the completed tree: its blocks and the winner-entry level.

The blocks are compared with a tree that is halved from the root down
(:func:`~tgite_checks.fidelity.rules.sibling_runs`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tgite.conventions import Byes, Conventions
from tgite.questions import Arm
from tgite.tree import BalancedTree
from tgite_checks.check import Cases, Depth, by_depth, fidelity
from tgite_checks.fidelity.rules import arms_of, entry_levels, leaves_of, sibling_runs
from tgite_laws.implementation import Implementation

_PLACES = f"Byes are placed {', '.join(Byes)} and rotated."
_MOST_BLOCKS = (40, 80, 130)
_MOST_ENTRIES = (33, 80, 130)
LARGEST = 600
_ALL_STARTS_QUICK = 128


def starting_arms(N: int, depth: Depth) -> Sequence[Arm]:
    """Return the starting arms to examine: all, or those at powers of two and at the ends."""
    if depth is not Depth.QUICK or N <= _ALL_STARTS_QUICK:
        return range(N)
    edges = {0, N - 1}
    for h in range(N.bit_length()):
        edges |= {1 << h, (1 << h) - 1, N - (1 << h)}
    return sorted(arm for arm in edges if 0 <= arm < N)


@fidelity(
    "sibling-partition",
    domain="The start and its sibling blocks partition the arms, and the blocks' capacities are "
    f"1, 2, 4, ..., M/2. This is tried for 2 to {LARGEST} arms.",
    sizes={"starts above 128 arms:": ("powers of two and the ends", "all", "all")},
    case="number of arms and starting arm",
)
def partition(under_test: Implementation, depth: Depth) -> Cases:
    for N in range(2, LARGEST + 1):
        tree = under_test.BalancedTree.over(N)
        everybody = list(range(N))
        capacities = [tree.sibling_capacity(h) for h in range(1, tree.L + 1)]
        for b in starting_arms(N, depth):
            blocks = [tree.sibling_block(b, h) for h in range(1, tree.L + 1)]
            together = sorted([b, *(arm for block in blocks for arm in block)])
            where = f"N = {N}, b = {b}"
            if together != everybody:
                yield f"{where}: {{b}} and the blocks {blocks} are no partition of the arms"
            elif capacities != [2**h for h in range(tree.L)] or sum(capacities) != tree.M - 1:
                yield f"{where}: the capacities are {capacities}"
            elif any(map(_larger, blocks, capacities)):
                yield f"{where}: a block of {blocks} exceeds its capacity of {capacities}"
            else:
                yield ""


def _larger(block: Sequence[Arm], capacity: int) -> bool:
    return len(block) > capacity


def _placements(under_test: Implementation, largest: int) -> Iterator[tuple[str, BalancedTree]]:
    for N in range(2, largest + 1):
        for byes in Byes:
            yield (
                f"N = {N}, byes {byes}",
                under_test.BalancedTree.over(N, Conventions(byes=byes)),
            )
        leaves = leaves_of(N)
        rotated = (*leaves[N // 3 :], *leaves[: N // 3])
        yield f"leaves {rotated}", under_test.BalancedTree(rotated)


@fidelity(
    "tree-blocks",
    domain="For every start, each sibling block and each ancestor block is right, in the order "
    f"of the leaves. {_PLACES}",
    sizes={"2 to N arms, with N =": _MOST_BLOCKS},
    case="ancestor block and sibling block",
)
def blocks(under_test: Implementation, depth: Depth) -> Cases:
    for where, tree in _placements(under_test, by_depth(depth, *_MOST_BLOCKS)):
        for b in range(tree.N):
            runs = sibling_runs(tree.leaves, b)
            below = [b]
            yield _wrong_chain(tree, b, 0, below, where)
            for h, run in enumerate(runs, 1):
                found = tree.sibling_block(b, h)
                if found != tuple(arms_of(run)):
                    yield f"{where}: Q_{h}({b}) = {found}, not {arms_of(run)}"
                below = below + arms_of(run)
                yield _wrong_chain(tree, b, h, below, where)


def _wrong_chain(tree: BalancedTree, b: Arm, h: int, below: Sequence[Arm], where: str) -> str:
    found = tree.ancestor_block(b, h)
    order = [arm for arm in tree.leaves if arm in below]
    return "" if list(found) == order else f"{where}: U_{h}({b}) = {found}, not {order}"


@fidelity(
    "tree-winner-entry",
    domain="For every start and winner, the entry level is that of the block with the winner, "
    f"or 0 for the winner itself. {_PLACES}",
    sizes={"2 to N arms, with N =": _MOST_ENTRIES},
    case="starting arm and winner",
)
def entry(under_test: Implementation, depth: Depth) -> Cases:
    for where, tree in _placements(under_test, by_depth(depth, *_MOST_ENTRIES)):
        for b in range(tree.N):
            entry = entry_levels(tree.leaves, b)
            for winner in range(tree.N):
                found = tree.winner_entry_level(b, winner)
                said = f"{where}: h_star({b}) = {found} for the winner {winner}"
                yield "" if found == entry[winner] else f"{said}, not {entry[winner]}"
