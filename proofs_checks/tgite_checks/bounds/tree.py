"""Bounds of the tree: sibling blocks partition the arms (``lem:app-sibling-partition``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from tgite.conventions import Byes, Conventions
from tgite.tree import BalancedTree
from tgite_checks.check import Cases, Depth, Kind, at_most, by_depth, demonstration, truth
from tgite_laws.implementation import Implementation

_MOST = (33, 129, 129)
_MOST_ENTRIES = (17, 33, 33)
_BYES = " and ".join(", ".join(Byes).rsplit(", ", 1))


def _trees(under_test: Implementation, sizes: Iterable[int]) -> Iterator[tuple[str, BalancedTree]]:
    for N in sizes:
        for byes in Byes:
            yield f"N = {N}, byes {byes}", under_test.BalancedTree.over(N, Conventions(byes=byes))


@truth(
    "tree-partition",
    kind=Kind.EXHAUSTIVE,
    domain="The start and its sibling blocks partition the arms, and the blocks have the stated "
    f"sizes and capacities. Every start is tried, with byes {_BYES}.",
    sizes={"N from 2 to": _MOST},
    case="tree with its start",
    refuses={"|Q_h| = 2^(h-1) for every N, not only powers of two": {"full_blocks": True}},
)
def partition(under_test: Implementation, depth: Depth, *, full_blocks: bool = False) -> Cases:
    for which, tree in _trees(under_test, range(2, by_depth(depth, *_MOST) + 1)):
        N = tree.N
        for b in range(N):
            blocks = [tree.sibling_block(b, h) for h in range(1, tree.L + 1)]
            capacities = [tree.sibling_capacity(h) for h in range(1, tree.L + 1)]
            where = f"{which}, b = {b}"
            arms = [b, *(arm for block in blocks for arm in block)]
            if sorted(arms) != list(range(N)):
                yield f"{where}: {{b}} and the blocks {blocks} are no partition"
            elif capacities != [2 ** (h - 1) for h in range(1, tree.L + 1)]:
                yield f"{where}: capacities {capacities}"
            elif sum(capacities) != tree.M - 1 or sum(map(len, blocks)) != N - 1:
                yield f"{where}: the sizes do not sum to N - 1 and M - 1"
            elif (full_blocks or N == tree.M) and list(map(len, blocks)) != capacities:
                yield f"{where}: sizes {list(map(len, blocks))}, not 2^(h-1)"
            else:
                yield ""


@truth(
    "tree-capacity",
    kind=Kind.EXHAUSTIVE,
    domain="The completed tree has M <= 2N - 2 leaves, fewer than 2N, for N = 2 to 129, and for N "
    "= 2^k + 1, k = 7 to 14, the worst case between two powers of two.",
    case="completed tree",
    refuses={"M <= (19/10) N - 2": {"factor": Fraction(19, 10)}},
)
def capacity(under_test: Implementation, depth: Depth, *, factor: Fraction = Fraction(2)) -> Cases:
    # M is constant between powers of two, so that N = 2^k + 1 is the worst case.
    for N in (*range(2, 130), *(2**k + 1 for k in range(7, 15))):
        M = under_test.BalancedTree.over(N).M
        yield at_most(f"M = 2^ceil(log2 N), N = {N}", M, factor * N - 2)


@truth(
    "tree-entry-level",
    kind=Kind.EXHAUSTIVE,
    domain="The winner enters the path at exactly one level. Every start and winner is tried, "
    f"with byes {_BYES}.",
    sizes={"N from 2 to": _MOST_ENTRIES},
    case="start and winner",
    refuses={"the winner always lies in a sibling block, even if b = a*": {"blocks_only": True}},
)
def entry(under_test: Implementation, depth: Depth, *, blocks_only: bool = False) -> Cases:
    for which, tree in _trees(under_test, range(2, by_depth(depth, *_MOST_ENTRIES) + 1)):
        for b in range(tree.N):
            for winner in range(tree.N):
                levels = [h for h in range(1, tree.L + 1) if winner in tree.sibling_block(b, h)]
                if not blocks_only and b == winner:
                    levels.append(0)
                right = levels == [tree.winner_entry_level(b, winner)]
                yield "" if right else f"{which}, b = {b}, a* = {winner}: entry levels {levels}"


@demonstration(case="tree")
def merge_levels_of_no_use(under_test: Implementation, depth: Depth) -> Cases:
    """Show the level set aside for merges that do not occur; the last arm has only one merge."""
    tree = under_test.BalancedTree.over(17)
    empty = sum(not tree.sibling_block(16, h) for h in range(1, tree.L + 1))
    yield at_most(
        "3/4 of the merges against the empty blocks' share, N = 17, b = 16",
        Fraction(3, 4),
        Fraction(empty, tree.L),
    )
