"""Counts of wins and ties, the matrix that they estimate, and the leader with an error bound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from tgite import Arm, InvalidInput, PreferenceMatrix
from tgite.preferences import HALF
from tgite_judge.standings import PairTable, Standings, reached


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of comparisons: ``wins[i][j]`` is how often item ``i`` beat item ``j``.

    ``ties[i][j]``, equal to ``ties[j][i]``, is how often the two tied. Without ``ties`` there were
    none. ``doubts``, in the same way, is how often a question about the two was asked again.

    ``blocks`` holds, for judgements in blocks that depend on each other, the number of blocks about
    two items and the sum of an item's shares in them, rounded down.
    """

    names: tuple[str, ...]
    wins: PairTable
    ties: PairTable = ()
    doubts: PairTable = ()
    blocks: tuple[PairTable, PairTable] | None = None

    def trial(self, i: Arm, j: Arm) -> tuple[int, int]:
        """Return of how many independent comparisons ``i`` won how many against ``j`` for certain.

        Ties are left out, and questions that were asked again are lost. A block is one comparison
        with a result between 0 and 1. Its evidence is at most that of a bet on its mean: for q
        above 1/2, ``2 q**x (1-q)**(1-x) <= 1 + (2q-1)(2x-1)`` by the inequality of the weighted
        means. So the evidence from the sum of the results, and from less, is still bounded.
        """
        if self.blocks is not None:
            return self.blocks[0][i][j], self.blocks[1][i][j]
        again = self.doubts[i][j] if self.doubts else 0
        return self.wins[i][j] + self.wins[j][i] + again, self.wins[i][j]

    def same_as(self, other: Counts) -> bool:
        """Return whether the numbers are the same, though items may have other names."""
        return replace(self, names=other.names) == other

    @property
    def total(self) -> int:
        """The number of comparisons."""
        return sum(map(sum, self.wins)) + self.all_ties

    @property
    def all_ties(self) -> int:
        """The number of ties."""
        return sum(map(sum, self.ties)) // 2

    def tied(self, i: Arm, j: Arm) -> int:
        """Return how often the two items tied."""
        return self.ties[i][j] if self.ties else 0

    def played(self, i: Arm, j: Arm) -> int:
        """Return how often the two items were compared."""
        return self.wins[i][j] + self.wins[j][i] + self.tied(i, j)

    def standings(self, delta: Fraction) -> Standings:
        """Return who beats whom, at level ``delta`` for all statements together."""
        trial = None if self.blocks is None else self.trial
        return Standings(self.wins, delta, self.ties, self.names, self.doubts, trial)

    def missing(self) -> list[tuple[Arm, Arm]]:
        """Return the pairs that were never compared."""
        return [pair for pair in self._pairs() if self.played(*pair) == 0]

    def shutouts(self) -> list[tuple[Arm, Arm]]:
        """Return the pairs in which one item won every comparison, with that item first."""
        ordered = ((i, j) if self.wins[i][j] else (j, i) for i, j in self._pairs())
        return [(i, j) for i, j in ordered if self.played(i, j) == self.wins[i][j] > 0]

    def groups(self) -> list[tuple[Arm, ...]]:
        """Return groups of items that are not connected by comparisons, the largest first."""
        everyone = range(len(self.names))
        groups, left = list[tuple[Arm, ...]](), set(everyone)
        while left:
            group = reached(min(left), lambda i: (j for j in everyone if self.played(i, j)))
            groups.append(tuple(sorted(group)))
            left -= group
        return sorted(groups, key=lambda one: (-len(one), one))

    def matrix(self, prior: Fraction) -> PreferenceMatrix:
        """Return the estimates ``(wins + prior) / (comparisons + 2 prior)`` as a preference matrix.

        Raises :class:`~tgite.errors.InvalidInput` if a pair was never compared, or if there is a
        shutout and no ``prior`` (the model has no probability 0 or 1).
        """
        if missing := self.missing():
            pairs = "; ".join(f"{self.names[i]} and {self.names[j]}" for i, j in missing[:5])
            more = f" and {len(missing) - 5} more pairs" if len(missing) > 5 else ""
            raise InvalidInput("counts", f"{pairs}{more}", "must be compared at least once")
        if prior < 0:
            raise InvalidInput("prior", str(prior), "must be 0 or more")
        for i, j in self.shutouts() if prior == 0 else ():
            raise InvalidInput(
                "counts",
                f"{self.names[i]} won all {self.wins[i][j]} against {self.names[j]}",
                "gives a probability of 1, which the model excludes; state a prior, such as "
                "--prior 1/2, or compare the two more often",
            )
        everyone = range(len(self.names))
        rows = tuple(tuple(self._estimate(i, j, prior) for j in everyone) for i in everyone)
        return PreferenceMatrix(rows, self.names)

    def _estimate(self, i: Arm, j: Arm, prior: Fraction) -> Fraction:
        if i == j:
            return HALF
        won = self.wins[i][j] + Fraction(self.tied(i, j), 2)
        return (won + prior) / (self.played(i, j) + 2 * prior)

    def _pairs(self) -> Iterator[tuple[Arm, Arm]]:
        size = len(self.names)
        return ((i, j) for i in range(size) for j in range(i + 1, size))
