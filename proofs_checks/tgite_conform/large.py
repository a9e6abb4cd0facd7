"""Runs over more arms than a list can hold, of which they reach only a few.

The number of arms may have hundreds of digits if the horizon comes soon or the first match decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tgite import Arm, BalancedTree, Confidence, Conventions, InvalidInput
from tgite.conventions import Byes
from tgite_checks.fidelity import rules
from tgite_checks.fidelity.rules import Due, Rules

MOST_LISTED = 1 << 12
"""The most arms of which trees and orders are lists."""

_MOST_REACHED = 1 << 17


class _Block(tuple[Arm, ...]):
    __slots__ = ()

    def __iter__(self) -> Iterator[Arm]:
        raise InvalidInput("N", "more", f"must be {_MOST_REACHED:,} where a whole block is played")


class LargeTree(BalancedTree):
    """The tree of the conventions over any number of arms, without a list of its leaves."""

    _byes: Byes

    def __init__(self, N: int, conventions: Conventions) -> None:
        """Make the tree over ``N`` arms."""
        L = (N - 1).bit_length()
        for name, value in {"N": N, "L": L, "M": 1 << L, "_byes": conventions.byes}.items():
            object.__setattr__(self, name, value)

    def sibling_block(self, b: Arm, h: int) -> tuple[Arm, ...]:
        """Return the arms below the sibling of b's ancestor at height ``h - 1``."""
        N, M = self.N, self.M
        leaf = {Byes.LAST: b, Byes.FIRST: M - N + b, Byes.SPREAD: b * M // N}[self._byes]
        left = ((leaf >> (h - 1)) ^ 1) << (h - 1)
        first, end = map(self._first_from, (left, left + (1 << (h - 1))))
        return tuple(range(first, end)) if end - first <= _MOST_REACHED else _Block((first, end))

    def _first_from(self, leaf: int) -> Arm:
        """Return the first arm on this leaf or further right; N if there is none."""
        N, M = self.N, self.M
        on = {Byes.LAST: leaf, Byes.FIRST: leaf - (M - N), Byes.SPREAD: -(-leaf * N // M)}
        return min(max(on[self._byes], 0), N)


def ascent(
    b: Arm, N: int, epsilon: Fraction, conventions: Conventions, place: str = ""
) -> Rules[Arm]:
    """TreeAscent, as :func:`~tgite_checks.fidelity.rules.ascent`."""
    tree, champion = LargeTree(N, conventions), b
    for h in range(1, tree.L + 1):
        block, where = tree.sibling_block(b, h), f"{place} h{h}".lstrip()
        if block:
            share = epsilon * Fraction(2 ** (h - 1), 2 * (tree.M - 1))
            challenger = yield from rules.knockout(block, share, conventions, where)
            pair, level = (champion, challenger), Confidence(epsilon / (2 * tree.L))
            champion, _ = yield Due(set(pair), level, f"{where} merge", pair=pair)
    return champion
