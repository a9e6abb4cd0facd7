"""The pairs of an instance, grouped by probability, so that many pairs share few laws."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from tgite.checked import checked
from tgite.errors import InvalidInput
from tgite.instances import CyclicInstance
from tgite.preferences import HALF, Preferences
from tgite_laws.cache import cached


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The pairs' probabilities: ``p_ij = probabilities[index[i, j]]`` for all arms i and j.

    The diagonal is 1/2 or unused.
    """

    probabilities: tuple[Fraction, ...]
    index: npt.NDArray[np.int32]

    @property
    def size(self) -> int:
        """The number of arms."""
        return len(self.index)

    def probability(self, i: int, j: int) -> Fraction:
        """Return ``p_ij``; raise :class:`~tgite.errors.InvalidInput` if i or j is not an arm."""
        for arm in (i, j):
            if not 0 <= arm < self.size:
                raise InvalidInput("arm", arm, f"must be one of the arms 0..{self.size - 1}")
        return self.probabilities[int(self.index[i, j])]

    def met(self, arm: int | None = None) -> tuple[Fraction, ...]:
        """Return the distinct probabilities of all pairs, or of the pairs of ``arm``."""
        apart = ~np.eye(self.size, dtype=np.bool_)
        if arm is not None:
            apart[np.arange(self.size) != arm] = False
        return tuple(self.probabilities[k] for k in np.unique(self.index[apart]).tolist())


@checked
def pairs(preferences: Preferences) -> Pairs:
    """Return all pairs grouped by probability; the result is cached."""
    return _sorted_pairs(preferences)


@cached
def _sorted_pairs(preferences: Preferences) -> Pairs:
    if isinstance(preferences, CyclicInstance):
        return _cyclic_pairs(preferences)
    N = preferences.size
    places: dict[Fraction, int] = {}
    index = np.zeros((N, N), dtype=np.int32)
    for i in range(N):
        for j in range(N):
            p = preferences.probability(i, j)
            index[i, j] = places.setdefault(p, len(places))
    return Pairs(tuple(places), index)


def _cyclic_pairs(instance: CyclicInstance) -> Pairs:
    N, winner = instance.N, instance.winner()
    probabilities = (
        HALF,
        HALF + instance.delta_cyc,
        HALF - instance.delta_cyc,
        HALF + instance.delta_star,
        HALF - instance.delta_star,
    )
    label = np.arange(N, dtype=np.int32)
    label[winner:] -= 1
    distance = (label[None, :] - label[:, None]) % np.int32(N - 1)
    index = np.where(2 * distance <= N - 1, np.int32(1), np.int32(2))
    index[winner, :] = 3
    index[:, winner] = 4
    np.fill_diagonal(index, 0)
    return Pairs(probabilities, index)
