"""The whole law of a bracket's cost, up to a horizon: for few arms and short horizons.

The law of a sum of independent numbers of duels is a convolution of their laws. All terms are
non-negative and convolved directly (a Fourier transform would lose the small ones), which takes
about ``arms**2 * horizon**2`` operations.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tgite.confidence import Confidence
from tgite.questions import Arm
from tgite_checks.enclosure import Enclosure
from tgite_checks.laws.arithmetic import around
from tgite_checks.laws.boundary import Floats, Integers
from tgite_checks.laws.bracket import Bracket
from tgite_checks.laws.match_law import MatchLaws, StoppingLaw
from tgite_checks.laws.pairs import Pairs
from tgite_checks.laws.walk import ROUNDING


@dataclass(frozen=True, slots=True)
class CostDistribution:
    """``masses[arm][t] = P(the cost is t, that arm survives)`` for t = 0..horizon.

    Each is known up to the relative ``error``; besides, ``missing`` bounds the probability of all
    runs that the masses leave out although their cost may be within the horizon.
    """

    horizon: int
    masses: dict[Arm, Floats]
    error: float
    missing: float

    def expectation(self, arm: Arm, value: Floats) -> Enclosure:
        """Enclose ``E[value(cost); arm survives, cost <= horizon]`` for ``value >= 0``."""
        total = float(self.masses[arm] @ value)
        error = self.error + ROUNDING * (len(value) + 2)
        return around(total, error, 2.0**-900, self.missing * float(value.max()))

    def then(self, steps: dict[Arm, CostDistribution]) -> CostDistribution:
        """Return the law of a sum: after survivor c, an independent cost with the law ``steps[c]``.

        The survivor is that of the second. Survivors without a step are left out.
        """
        masses: dict[Arm, Floats] = {}
        error = missing = 0.0
        for c, step in steps.items():
            for arm, mass in step.masses.items():
                added = _convolved(self.masses[c], mass, self.horizon)
                masses[arm] = masses[arm] + added if arm in masses else added
            error = max(error, step.error)
            missing = max(missing, step.missing)
        roundings = self.horizon + len(steps) + 4
        return CostDistribution(
            self.horizon,
            masses,
            self.error + error + ROUNDING * roundings,
            self.missing + missing,
        )

    def later(self, rounds: int) -> CostDistribution:
        """Return the law with ``rounds`` added to the cost."""
        shifted = {
            arm: np.concatenate((np.zeros(rounds), mass))[: self.horizon + 1]
            for arm, mass in self.masses.items()
        }
        return CostDistribution(self.horizon, shifted, self.error, self.missing)


def certainly(arm: Arm, horizon: int) -> CostDistribution:
    """Return the law of no cost, with that arm."""
    mass = np.zeros(horizon + 1)
    mass[0] = 1.0
    return CostDistribution(horizon, {arm: mass}, 0.0, 0.0)


def cost_distribution(
    played: Bracket, instance: Pairs, match_laws: MatchLaws, horizon: int
) -> CostDistribution:
    """Return the law of a bracket's number of duels up to the horizon, by survivor."""
    return _Distributions(instance, match_laws, horizon).play(played)


class _Distributions:
    """One computation over a bracket."""

    def __init__(self, instance: Pairs, match_laws: MatchLaws, horizon: int) -> None:
        self._instance = instance
        self._match_laws = match_laws
        self._horizon = horizon

    def play(self, played: Bracket) -> CostDistribution:
        """Go through the matches in order; return the law at the root."""
        known: dict[int, CostDistribution] = {}

        def node(player: int) -> CostDistribution:
            return known.pop(player) if player in known else certainly(player, self._horizon)

        for k, meeting in enumerate(played.matches):
            first, second = node(meeting.first), node(meeting.second)
            known[Bracket.winner_of(k)] = self._merged(first, second, meeting.delta)
        return node(played.survivor)

    def _merged(
        self, first: CostDistribution, second: CostDistribution, delta: Confidence
    ) -> CostDistribution:
        """Let the survivors of two subtrees meet."""
        masses: dict[Arm, Floats] = {}
        error = missing = 0.0
        for i in first.masses:
            for j in second.masses:
                p = self._instance.probability(i, j)
                law = self._match_laws.stopping_law(delta, p)
                error = max(error, law.relative_error)
                missing = max(missing, _cut_off(law))
                both = _convolved(first.masses[i], second.masses[j], self._horizon)
                for arm, ending in ((i, law.first), (j, law.second)):
                    lasts = _by_duels(law.duels, ending, self._horizon)
                    added = _convolved(both, lasts, self._horizon)
                    masses[arm] = masses[arm] + added if arm in masses else added
        # Two convolutions, each a sum of at most horizon + 1 products, and a sum over opponents.
        roundings = 2 * (self._horizon + 2) + len(first.masses) + len(second.masses)
        return CostDistribution(
            self._horizon,
            masses,
            first.error + second.error + error + ROUNDING * (roundings + 4),
            first.missing + second.missing + missing,
        )


def _cut_off(law: StoppingLaw) -> float:
    return law.first_beyond.probability + law.second_beyond.probability


def _by_duels(duels: Integers, masses: Floats, horizon: int) -> Floats:
    """Spread a stopping law's masses over the numbers of duels 0..horizon."""
    within = duels <= horizon
    spread = np.zeros(horizon + 1)
    np.add.at(spread, duels[within], masses[within])
    return spread


def _convolved(a: Floats, b: Floats, horizon: int) -> Floats:
    """Convolve directly, up to the horizon, without the zeros at either end."""
    result = np.zeros(horizon + 1)
    in_a, in_b = np.flatnonzero(a), np.flatnonzero(b)
    if len(in_a) == 0 or len(in_b) == 0:
        return result
    start = int(in_a[0] + in_b[0])
    if start <= horizon:
        inner = np.convolve(a[in_a[0] : in_a[-1] + 1], b[in_b[0] : in_b[-1] + 1])
        kept = inner[: horizon + 1 - start]
        result[start : start + len(kept)] = kept
    return result
