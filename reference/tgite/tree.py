"""The completed balanced tree, its ancestor blocks and sibling blocks.

Section ``subsec:fixed-tree-path-decomposition`` and, for any number of arms, ``app:tree-geometry``.
A node is a run of leaves: the node of height h over leaf x holds ``2**h`` leaves, from
``(x >> h) << h`` on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tgite.checked import checked
from tgite.conventions import RULINGS, Conventions
from tgite.errors import InvalidInput, require_whole_number
from tgite.questions import Arm, require_arm


@dataclass(frozen=True, slots=True)
class BalancedTree:
    """A balanced binary tree over N arms, completed by formal byes to M = 2**ceil(log2 N) leaves.

    For every starting arm ``b``, the sibling blocks and ``b`` partition the arms
    (``lem:app-sibling-partition``). ``leaves`` holds the arms from left to right, and ``None`` for
    a formal bye. Any placement of the arms 0..N-1 is a tree in the paper's sense. :meth:`over`
    makes the tree of the given conventions.

    Raises :class:`~tgite.errors.InvalidInput` unless ``leaves`` holds N >= 2 arms, each of 0..N-1
    once, in M places.
    """

    leaves: tuple[Arm | None, ...]
    N: int = field(init=False, compare=False)
    M: int = field(init=False, compare=False)
    L: int = field(init=False, compare=False)
    _leaf_of: tuple[int, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Check all leaves and store the place of each arm."""
        leaves: object = self.leaves
        if not isinstance(leaves, tuple):
            raise InvalidInput("leaves", leaves, "must be a tuple of arms and None")
        for arm in leaves:
            if arm is not None:
                require_whole_number("leaves", arm, at_least=0)
        places = {arm: place for place, arm in enumerate(self.leaves) if arm is not None}
        N = sum(arm is not None for arm in self.leaves)
        if N < 2:
            raise InvalidInput("leaves", N, "must hold at least two arms")
        if sorted(places) != list(range(N)):
            raise InvalidInput("leaves", self.leaves, f"must hold each of the arms 0..{N - 1} once")
        L = (N - 1).bit_length()
        if len(self.leaves) != 1 << L:
            raise InvalidInput(
                "leaves", len(self.leaves), f"must be {1 << L} leaves for {N} arms, byes included"
            )
        object.__setattr__(self, "N", N)
        object.__setattr__(self, "M", 1 << L)
        object.__setattr__(self, "L", L)
        object.__setattr__(self, "_leaf_of", tuple(places[arm] for arm in range(N)))

    @staticmethod
    @checked
    def over(N: int, conventions: Conventions = RULINGS) -> BalancedTree:
        """Return the tree over ``N >= 2`` arms with its byes where the conventions place them."""
        require_whole_number("N", N, at_least=2)
        return BalancedTree(tuple(conventions.leaves(N, 1 << (N - 1).bit_length())))

    @checked
    def ancestor_block(self, b: Arm, h: int) -> tuple[Arm, ...]:
        """Return ``U_h(b)``: the arms below the ancestor of ``b`` at height ``h`` in 0..L."""
        require_arm("b", b, self.N)
        self._require_height(h, lowest=0)
        return self._arms_below(self._leaf_of[b] >> h, h)

    @checked
    def sibling_block(self, b: Arm, h: int) -> tuple[Arm, ...]:
        """Return ``Q_h(b) = U_h(b) minus U_{h-1}(b)``, from left to right; it may be empty.

        For ``h`` in 1..L, these are the arms below the sibling of ``b``'s ancestor at height
        ``h - 1``.
        """
        require_arm("b", b, self.N)
        self._require_height(h, lowest=1)
        return self._arms_below((self._leaf_of[b] >> (h - 1)) ^ 1, h - 1)

    @checked
    def sibling_capacity(self, h: int) -> int:
        """Return ``mbar_h = 2**(h-1)``: the leaves, byes included, of a sibling block at ``h``."""
        self._require_height(h, lowest=1)
        return 1 << (h - 1)

    @checked
    def winner_entry_level(self, b: Arm, winner: Arm) -> int:
        """Return ``h_star(b)`` (``def:app-winner-entry-level``).

        It is 0 if ``b`` is the winner, else the level whose sibling block holds the winner.
        """
        require_arm("b", b, self.N)
        require_arm("winner", winner, self.N)
        return (self._leaf_of[b] ^ self._leaf_of[winner]).bit_length()

    def _require_height(self, h: int, lowest: int) -> None:
        require_whole_number("h", h, at_least=lowest)
        if h > self.L:
            raise InvalidInput("h", h, f"must be at most L = {self.L}")

    def _arms_below(self, node: int, height: int) -> tuple[Arm, ...]:
        leaves: Sequence[Arm | None] = self.leaves[node << height : (node + 1) << height]
        return tuple(arm for arm in leaves if arm is not None)
