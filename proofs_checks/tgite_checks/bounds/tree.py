"""Truth of the geometry: sibling blocks partition the arms (``lem:app-sibling-partition``)."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction

from tgite.conventions import Byes, Conventions
from tgite_checks.bounds.comparing import AtMost, compared, rational
from tgite_checks.check import Cases, Check, Depth, Kind, Question, Result, result_of
from tgite_checks.implementation import Implementation


def _partition_cases(under_test: Implementation, depth: Depth, full_blocks: bool) -> Cases:
    most = 34 if depth is Depth.QUICK else 130
    for N in range(2, most):
        for byes in Byes:
            tree = under_test.BalancedTree.over(N, Conventions(byes=byes))
            for b in range(N):
                blocks = [tree.sibling_block(b, h) for h in range(1, tree.L + 1)]
                capacities = [tree.sibling_capacity(h) for h in range(1, tree.L + 1)]
                where = f"N = {N}, byes {byes}, b = {b}"
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


def _partition(under_test: Implementation, depth: Depth, *, full_blocks: bool = False) -> Result:
    return result_of(_partition_cases(under_test, depth, full_blocks), "tree with its start")


def _capacity_cases(under_test: Implementation, factor: Fraction) -> Iterator[AtMost]:
    # M is constant between powers of two, so that N = 2^k + 1 is the worst case.
    for N in (*range(2, 130), *(2**k + 1 for k in range(7, 15))):
        M = under_test.BalancedTree.over(N).M
        yield AtMost(f"M = 2^ceil(log2 N), N = {N}", rational(M), rational(factor * N - 2))


def _capacity(
    under_test: Implementation, depth: Depth, *, factor: Fraction = Fraction(2)
) -> Result:
    return compared(_capacity_cases(under_test, factor), "completed tree")


def _entry_cases(under_test: Implementation, depth: Depth, blocks_only: bool) -> Cases:
    most = 18 if depth is Depth.QUICK else 34
    for N in range(2, most):
        for byes in Byes:
            tree = under_test.BalancedTree.over(N, Conventions(byes=byes))
            for b in range(N):
                for winner in range(N):
                    levels = [h for h in range(1, tree.L + 1) if winner in tree.sibling_block(b, h)]
                    if not blocks_only and b == winner:
                        levels.append(0)
                    stated = tree.winner_entry_level(b, winner)
                    yield (
                        ""
                        if levels == [stated]
                        else f"N = {N}, byes {byes}, b = {b}, a* = {winner}: entry levels {levels}"
                    )


def _entry(under_test: Implementation, depth: Depth, *, blocks_only: bool = False) -> Result:
    return result_of(_entry_cases(under_test, depth, blocks_only), "start and winner")


PARTITION = Check(
    name="tree-partition",
    question=Question.TRUTH,
    kind=Kind.EXHAUSTIVE,
    domain="N = 2..129 (quick: 2..33), every start b, byes last, first and spread",
    run=_partition,
    refuses={
        "|Q_h| = 2^(h-1) for every N, not only powers of two": functools.partial(
            _partition, full_blocks=True
        )
    },
)

CAPACITY = Check(
    name="tree-capacity",
    question=Question.TRUTH,
    kind=Kind.EXHAUSTIVE,
    domain="M <= 2N - 2, which is M < 2N, for N = 2..129 and N = 2^k + 1, k = 7..14, the worst "
    "case between two powers of two",
    run=_capacity,
    refuses={"M <= (19/10) N - 2": functools.partial(_capacity, factor=Fraction(19, 10))},
)

ENTRY = Check(
    name="tree-entry-level",
    question=Question.TRUTH,
    kind=Kind.EXHAUSTIVE,
    domain="N = 2..33 (quick: 2..17), all starts and winners, byes last, first and spread: exactly "
    "one level",
    run=_entry,
    refuses={
        "the winner always lies in a sibling block, b = a* forgotten": functools.partial(
            _entry, blocks_only=True
        )
    },
)

CHECKS = (PARTITION, CAPACITY, ENTRY)
