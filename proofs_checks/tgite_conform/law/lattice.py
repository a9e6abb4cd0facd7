"""The lattice of all samples that the law check distinguishes, with their probabilities.

DuelTest at delta = 1/10 stops after 18, 23, 27, 31, 35 ... duels and after no other number. So each
pair of an answer and a count has its own place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tgite import Arm
from tgite_laws.arithmetic import LOST
from tgite_laws.boundary import Floats
from tgite_laws.cost import CostDistribution
from tgite_laws.walk import ROUNDING

Labels: TypeAlias = npt.NDArray[np.int64]
Mask: TypeAlias = npt.NDArray[np.bool_]
Sample: TypeAlias = tuple[int, Arm | None]
"""The count and the answer; the answer is ``None`` for a run that was cut at that count."""

IMPOSSIBLE = 1e-100
"""Events with a smaller probability than this are treated as impossible."""
# Wrong versions' probabilities are lowered by this, which exceeds their rounding errors.
LOWERED = 1e-9
_RANGES = 12
_ATOM = 0.02
_RESIDUES = 8
_RARE = 1e-3
_LEAST = 2.0**-1000


@dataclass(frozen=True, slots=True)
class Lattice:
    """The places of all samples: each answer with each count below ``end``, or any higher count.

    Two more places are for all other answers together, and for all runs that were cut.
    """

    answers: tuple[Arm, ...]
    end: int
    cut: int | None = None

    @staticmethod
    def of(law: CostDistribution, cut: int | None = None) -> Lattice:
        """Return the lattice on which the law's masses lie, up to the cut if there is one."""
        longest = max(map(len, law.masses.values()))
        return Lattice(tuple(law.masses), longest if cut is None else min(longest, cut + 1), cut)

    @property
    def size(self) -> int:
        """The number of places."""
        return len(self.answers) * (self.end + 1) + 2

    def place(self, count: int, answer: Arm | None) -> int:
        """Return the place of a sample."""
        if answer is None:
            return self.size - 1
        if answer not in self.answers:
            return self.size - 2
        return self.answers.index(answer) * (self.end + 1) + min(count, self.end)

    def counts(self) -> Labels:
        """Return each place's count; -1 for the last two places, which have no single count."""
        return np.append(np.tile(np.arange(self.end + 1), len(self.answers)), [-1, -1])

    def answered(self) -> Labels:
        """Return each place's answer, as an index into the answers; -1 for the last two places."""
        return np.append(np.repeat(np.arange(len(self.answers)), self.end + 1), [-1, -1])

    def highest(self, law: CostDistribution) -> Floats:
        """Return upper bounds for the places' probabilities under a law with these answers."""
        others = upper_bounds(law, -1, 0)[-1:]
        bounds = [upper_bounds(law, answer, self.end) for answer in self.answers]
        if self.cut is None:
            return np.concatenate([*bounds, others, [LOST]])
        beyond = [upper_bounds(law, answer, self.cut + 1)[-1:] for answer in self.answers]
        if self.end == self.cut + 1:
            for one in bounds:
                one[-1] = LOST
        return np.concatenate([*bounds, others, [float(np.concatenate([*beyond, others]).sum())]])

    def lowest(self, law: CostDistribution) -> Floats:
        """Return lower bounds for the places' probabilities under a law."""
        found = np.zeros(self.size)
        for answer, masses in law.masses.items():
            for n in np.flatnonzero(masses).tolist():
                late = self.cut is not None and n > self.cut
                found[self.place(n, None if late else answer)] += masses[n]
        return found * (1 - LOWERED)

    def excluded(self, law: CostDistribution, highest: Floats) -> Mask:
        """Return which places a law excludes; a count without mass is always excluded."""
        counts = self.counts()
        single = (counts >= 0) & (counts < self.end)
        excluded: Mask = (highest < IMPOSSIBLE) | (single & (self.lowest(law) == 0))
        return excluded

    def partitions(self, highest: Floats, excluded: Mask) -> Sequence[Labels]:
        """Return three ways to group places into cells, as a cell's number for each place.

        The ways are ranges of equal probability, residues of the count, and rarity of the tails.
        The ``excluded`` places are one cell.
        """
        ranges, tails = np.zeros((2, self.size), np.int64)
        for one in range(len(self.answers)):
            here = slice(one * (self.end + 1), (one + 1) * (self.end + 1))
            total = highest[here].sum()
            if total > _RARE:
                up_to = np.cumsum(highest[here]) / total
                from_on = np.cumsum(highest[here][::-1])[::-1] / total
                ranges[here] = np.floor((1 - from_on) * _RANGES).clip(0, _RANGES - 1)
                # Halvings of the tail's probability: odd numbers are few comparisons, even many.
                few, many = (np.floor(-np.log2(part.clip(_LEAST, 1))) for part in (up_to, from_on))
                tails[here] = np.where(few > many, 2 * few + 1, 2 * many)
        likely = np.flatnonzero(highest > _ATOM)
        ranges[likely] = _RANGES + np.arange(len(likely))
        found = []
        for cells in (ranges, self.counts() % _RESIDUES, tails):
            labels = 2 + self.answered() + 1 + (len(self.answers) + 1) * cells
            labels[excluded] = 0
            if not excluded[-1]:
                labels[-1] = 1
            found.append(np.unique(labels, return_inverse=True)[1].astype(np.int64))
        return found

    def nearest(self, count: int, answer: Arm, excluded: Mask) -> tuple[int, ...]:
        """Return the possible counts next to this one, below and above, with that answer."""
        if answer not in self.answers:
            return ()
        start = self.place(0, answer)
        possible = np.flatnonzero(~excluded[start : start + self.end])
        at = int(np.searchsorted(possible, count))
        return tuple(possible[max(at - 1, 0) : at + 1].tolist())


def upper_bounds(law: CostDistribution, answer: int, length: int) -> Floats:
    """Bound ``P(the cost is t, with that answer)`` above for each ``t < length``.

    One more entry bounds the probability of all higher costs with that answer.
    """
    masses = law.masses.get(answer, np.zeros(0))
    bounds = np.zeros(length + 1)
    bounds[: min(len(masses), length)] = masses[:length]
    bounds[-1] = masses[length:].sum()
    # A sum in any order has at most one rounding for each term.
    bounds *= 1 + law.error + ROUNDING * (len(masses) + 4)
    bounds[int(min(law.whole_below, length)) :] += law.missing
    return bounds + LOST
