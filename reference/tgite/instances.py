"""The instances of the Experiments section (``sec:experiments``), as rules instead of tables.

The section leaves parts of its rule open. These are our rulings:

* The winner is *inserted* at ``floor(N/2)``; the other arms keep their order and get the cycle's
  labels 0..N-2.
* A label does not beat itself, so the rule's distance starts at 1.
* N is even, because for an odd N both arms of a pair could have the distance ``(N-1)/2``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tgite.checked import checked
from tgite.confidence import read_number, write_rational
from tgite.errors import InvalidInput, require_whole_number
from tgite.preferences import HALF
from tgite.questions import Arm

SPARSE_GAP = Fraction(44, 100)
"""The gap among the other arms of a sparse instance: probabilities 0.94 and 0.06."""


@dataclass(frozen=True, slots=True)
class CyclicInstance:
    """A winner that beats every other arm, and a directed cycle among the others, without a table.

    The winner, arm ``floor(N/2)``, beats every other arm with gap ``delta_star``. Among the others,
    label x beats label y with gap ``delta_cyc`` iff ``1 <= (y - x) mod (N-1) <= (N-1)/2``.

    Raises :class:`~tgite.errors.InvalidInput` unless N is even and at least 2 and both gaps lie
    strictly between 0 and 1/2.
    """

    N: int
    delta_star: Fraction
    delta_cyc: Fraction

    def __post_init__(self) -> None:
        """Check the number of arms and the gaps."""
        require_whole_number("N", self.N, at_least=2)
        if self.N % 2 == 1:
            raise InvalidInput(
                "N", self.N, "must be even: for odd N the cycle's rule contradicts itself"
            )
        for name in ("delta_star", "delta_cyc"):
            gap: object = getattr(self, name)
            if not isinstance(gap, Fraction):
                raise InvalidInput(name, gap, "must be a Fraction (see cyclic and sparse)")
            if not 0 < gap < HALF:
                raise InvalidInput(name, write_rational(gap), "must lie strictly between 0 and 1/2")

    @property
    def size(self) -> int:
        """The number of arms."""
        return self.N

    @property
    def names(self) -> tuple[str, ...]:
        """The arms' numbers."""
        return tuple(str(arm) for arm in range(self.N))

    def winner(self) -> Arm:
        """The Condorcet winner, ``floor(N/2)``."""
        return self.N // 2

    def winner_gap(self) -> Fraction:
        """``Delta*``."""
        return self.delta_star

    def global_gap(self) -> Fraction:
        """``Delta``: the smaller of the two gaps; with two arms it is the winner's."""
        return self.delta_star if self.N == 2 else min(self.delta_star, self.delta_cyc)

    def probability(self, i: Arm, j: Arm) -> Fraction:
        """Return ``p_ij``."""
        if i == j:
            return HALF
        winner = self.winner()
        if i == winner:
            return HALF + self.delta_star
        if j == winner:
            return HALF - self.delta_star
        distance = (self._label(j) - self._label(i)) % (self.N - 1)
        return HALF + self.delta_cyc if 2 * distance <= self.N - 1 else HALF - self.delta_cyc

    def _label(self, arm: Arm) -> int:
        return arm if arm < self.winner() else arm - 1


@checked
def cyclic(
    N: int, delta_star: str | float | Fraction, delta_cyc: str | float | Fraction
) -> CyclicInstance:
    """Return the cyclic instance of the Experiments section (see :class:`CyclicInstance`)."""
    return CyclicInstance(
        N, read_number("delta_star", delta_star), read_number("delta_cyc", delta_cyc)
    )


@checked
def sparse(
    N: int, delta_star: str | float | Fraction, delta_sub: str | float | Fraction = SPARSE_GAP
) -> CyclicInstance:
    """Return the sparse instance: the cyclic skeleton with all other pairs at 0.94 and 0.06.

    The paper says "pushed toward" these values. We read that as all pairs, not only some.
    """
    return cyclic(N, delta_star, delta_sub)
