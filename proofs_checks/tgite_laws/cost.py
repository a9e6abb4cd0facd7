"""The full distribution of a cost, by survivor: for few arms, and short matches or horizons.

The law of a sum of independent numbers of duels is a convolution of their laws. All terms are
non-negative and convolved directly, because a Fourier transform would lose the small ones. This
takes about ``arms**2 * end**2`` operations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf

import numpy as np

from tgite.confidence import Confidence
from tgite.questions import Arm
from tgite_laws.arithmetic import LOST, around
from tgite_laws.boundary import Floats
from tgite_laws.bracket import Bracket
from tgite_laws.enclosure import Enclosure
from tgite_laws.match_law import MatchLaws, StoppingLaw
from tgite_laws.pairs import Pairs
from tgite_laws.walk import ROUNDING


@dataclass(slots=True)
class CostDistribution:
    """``masses[arm][t] = P(the cost is t, that arm survives)``, for costs below ``end`` if given.

    Each mass has at most the relative error ``error``. The masses may leave out runs whose cost may
    be below ``end``. ``missing`` bounds the probability of these runs, and each costs at least
    ``whole_below``.
    """

    end: int | None
    masses: dict[Arm, Floats] = field(default_factory=dict)
    error: float = 0.0
    missing: float = 0.0
    whole_below: float = inf

    def expectation(self, arm: Arm, value: Floats) -> Enclosure:
        """Enclose ``E[value(cost); arm survives, cost < end]`` for ``value >= 0``."""
        masses = self.masses[arm]
        error = self.error + ROUNDING * (len(value) + 2)
        most = self.missing * float(value.max())
        return around(float(masses @ value[: len(masses)]), error, LOST, most)

    def then(self, steps: dict[Arm, CostDistribution]) -> CostDistribution:
        """Return the law of this cost plus, after survivor c, an independent cost ``steps[c]``.

        The survivor of the second cost is the survivor of the sum. Survivors without a step are
        left out.
        """
        found = CostDistribution(self.end)
        for c, step in steps.items():
            for arm, mass in step.masses.items():
                found._add(arm, _convolved(self.masses[c], mass, self.end))
            found.error = max(found.error, step.error)
            found.missing = max(found.missing, step.missing)
        longest = max(map(len, found.masses.values()), default=0)
        found.error += self.error + ROUNDING * (longest + len(steps) + 4)
        found.missing += self.missing
        found.whole_below = min(found.whole_below, self.whole_below)
        return found

    def later(self, rounds: int) -> CostDistribution:
        """Return the law with ``rounds`` added to the cost."""
        shifted = {
            arm: np.concatenate((np.zeros(rounds), mass))[: self.end]
            for arm, mass in self.masses.items()
        }
        whole_below = self.whole_below + rounds
        return CostDistribution(self.end, shifted, self.error, self.missing, whole_below)

    def free(self) -> CostDistribution:
        """Return the law of the survivor at cost 0; the returned law has no ``end``."""
        longest = max(map(len, self.masses.values()))
        masses = {arm: mass.sum(keepdims=True) for arm, mass in self.masses.items()}
        error = self.error + ROUNDING * (longest + 1)
        return CostDistribution(None, masses, error, self.missing, 0)

    def add(self, other: CostDistribution) -> None:
        """Add the law of a disjoint event."""
        for arm, masses in other.masses.items():
            self._add(arm, masses)
        self.error = max(self.error, other.error) + ROUNDING
        self.missing += other.missing
        self.whole_below = min(self.whole_below, other.whole_below)

    def _add(self, arm: Arm, added: Floats) -> None:
        longer, shorter = sorted((self.masses.get(arm, np.zeros(0)), added), key=len)[::-1]
        self.masses[arm] = longer.copy()
        self.masses[arm][: len(shorter)] += shorter

    def _shorten(self, most: float) -> None:
        """Leave out the highest costs whose total probability is at most ``most``."""
        if most == 0:
            return
        longest = max(map(len, self.masses.values()))
        total = np.zeros(longest)
        for mass in self.masses.values():
            total[: len(mass)] += mass
        # The other half of ``most`` leaves room for the rounding of the sum.
        beyond = np.cumsum(total[::-1])[::-1] > most / 2
        length = int(np.flatnonzero(beyond)[-1]) + 1
        if length < longest:
            self.masses = {arm: mass[:length] for arm, mass in self.masses.items()}
            self.missing += most
            self.whole_below = min(self.whole_below, length)


def zero_cost(arm: Arm, end: int | None = None) -> CostDistribution:
    """Return the law of cost 0 and the survivor ``arm``."""
    return CostDistribution(end, {arm: np.ones(1)})


def match_distribution(law: StoppingLaw, end: int | None = None) -> CostDistribution:
    """Return the law of one match, with survivor 0 for its first argument and 1 for its second."""
    longest = int(law.duels.max(initial=0)) + 1
    masses: dict[Arm, Floats] = {
        place: np.bincount(law.duels, weights=weights, minlength=longest)[:end].astype(np.float64)
        for place, weights in enumerate((law.first, law.second))
    }
    missing = law.first_beyond.probability + law.second_beyond.probability
    error = law.relative_error + longest * 2 * ROUNDING
    return CostDistribution(end, masses, error, missing, longest)


def cost_distribution(
    played: Bracket,
    instance: Pairs,
    match_laws: MatchLaws,
    end: int | None = None,
    name: Callable[[Arm], Arm] = lambda arm: arm,
    dropped: float = 0.0,
    free_arm: Arm | None = None,
) -> CostDistribution:
    """Return the law of a bracket's number of duels, below ``end`` if given, by survivor.

    ``name`` maps an arm to its number in ``instance``. After each match, the highest costs are left
    out whose total probability is at most ``dropped``. Matches with ``free_arm`` (a number in
    ``instance``) cost nothing. If that is the winner, the cost is the weak regret.
    """

    def meet(
        first: CostDistribution, second: CostDistribution, delta: Confidence
    ) -> CostDistribution:
        found = CostDistribution(end)
        for i, of_i in first.masses.items():
            for j, of_j in second.masses.items():
                law = match_laws.stopping_law(delta, instance.probability(i, j))
                if free_arm in (i, j):
                    match = match_distribution(law).free()
                else:
                    match = match_distribution(law, end)
                both = _convolved(of_i, of_j, end)
                for place, arm in enumerate((i, j)):
                    found._add(arm, _convolved(both, match.masses[place], end))
                found.error = max(found.error, match.error)
                found.missing = max(found.missing, match.missing)
                found.whole_below = min(found.whole_below, match.whole_below)
        # Each mass is two convolutions of at most `longest` products, summed over opponents.
        longest = max(map(len, found.masses.values()))
        roundings = 2 * (longest + 1) + len(first.masses) + len(second.masses)
        found.error += first.error + second.error + ROUNDING * (roundings + 4)
        found.missing += first.missing + second.missing
        found.whole_below = min(found.whole_below, first.whole_below, second.whole_below)
        found._shorten(dropped)
        return found

    return played.folded(lambda arm: zero_cost(name(arm), end), meet)


def _convolved(a: Floats, b: Floats, end: int | None) -> Floats:
    """Return the direct convolution below ``end``, computed without zeros at either end."""
    in_a, in_b = np.flatnonzero(a), np.flatnonzero(b)
    if len(in_a) == 0 or len(in_b) == 0:
        return np.zeros(1)
    inner = np.convolve(a[in_a[0] : in_a[-1] + 1], b[in_b[0] : in_b[-1] + 1])
    return np.concatenate((np.zeros(in_a[0] + in_b[0]), inner))[:end]
