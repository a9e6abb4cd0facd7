"""Runs over more arms than a list can hold, of which they reach only a few.

The number of arms may have hundreds of digits if the horizon comes soon or the first match decides.
"""

from __future__ import annotations

from fractions import Fraction

from tgite import Arm, BalancedTree, Confidence, Conventions, InvalidInput
from tgite.conventions import Byes, End, Pairing
from tgite_checks.fidelity import rules
from tgite_checks.fidelity.rules import Due, Rules

MOST_LISTED = 1 << 12
"""The most arms of which trees and orders are lists."""

_MOST_REACHED = 1 << 12
_PAIRS = 1 << 8


class _Begun(tuple[Arm, ...]):
    __slots__ = ()


class LargeTree(BalancedTree):
    """The tree of the conventions over any number of arms, without a list of its leaves."""

    _by: Conventions

    def __init__(self, N: int, conventions: Conventions) -> None:
        """Make the tree over ``N`` arms."""
        L = (N - 1).bit_length()
        for name, value in {"N": N, "L": L, "M": 1 << L, "_by": conventions}.items():
            object.__setattr__(self, name, value)

    def sibling_block(self, b: Arm, h: int) -> tuple[Arm, ...]:
        """Return the arms below the sibling of b's ancestor at height ``h - 1``.

        Of a block that is too large, these are the arms of the first pairs in its first round.
        """
        N, M = self.N, self.M
        leaf = {Byes.LAST: b, Byes.FIRST: M - N + b, Byes.SPREAD: b * M // N}[self._by.byes]
        left = ((leaf >> (h - 1)) ^ 1) << (h - 1)
        first, end = map(self._first_from, (left, left + (1 << (h - 1))))
        half, odd = divmod(end - first, 2)
        if 2 * half <= _MOST_REACHED:
            return tuple(range(first, end))
        first += odd and self._by.bye is End.FIRST
        apart = {Pairing.CONSECUTIVE: _PAIRS, Pairing.FOLD: 2 * half - _PAIRS, Pairing.HALVES: half}
        second = first + apart[self._by.pairing]
        return _Begun((*range(first, first + _PAIRS), *range(second, second + _PAIRS)))

    def _first_from(self, leaf: int) -> Arm:
        """Return the first arm on this leaf or further right; N if there is none."""
        N, M = self.N, self.M
        on = {Byes.LAST: leaf, Byes.FIRST: leaf - (M - N), Byes.SPREAD: -(-leaf * N // M)}
        return min(max(on[self._by.byes], 0), N)


def ascent(
    b: Arm, N: int, epsilon: Fraction, conventions: Conventions, place: str = ""
) -> Rules[Arm]:
    """TreeAscent, as :func:`~tgite_checks.fidelity.rules.ascent`."""
    tree, champion = LargeTree(N, conventions), b
    for h in range(1, tree.L + 1):
        block, where = tree.sibling_block(b, h), f"{place} h{h}".lstrip()
        if block:
            share = epsilon * Fraction(2 ** (h - 1), 2 * (tree.M - 1))
            knockout = rules.knockout(block, share, conventions, where)
            if isinstance(block, _Begun):
                reply = yield next(knockout)
                for _ in range(1, _PAIRS):
                    reply = yield knockout.send(reply)
                raise InvalidInput("N", N, f"must be {_MOST_REACHED:,} where a block is played")
            challenger = yield from knockout
            pair, level = (champion, challenger), Confidence(epsilon / (2 * tree.L))
            champion, _ = yield Due(set(pair), level, f"{where} merge", pair=pair)
    return champion
