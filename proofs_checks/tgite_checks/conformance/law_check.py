"""The law check: do samples of an implementation follow the exact law?

For implementations that draw their own randomness: each sample is an independent run's answer and
number of comparisons. The check bets against the law with an *e-process*: a mixture of likelihood
ratios of named wrong versions and of a learning bet that needs no name, over cells of the law.
Under the exact law its expectation stays at most 1, at whatever time one stops, so that it reaches
``1/alpha`` ever with a probability of at most ``alpha`` (Ville). So one may look after every
sample and stop at the first rejection.

The other way round, :meth:`LawCheck.samples_needed` states after how many samples a named wrong
version has been rejected with a given power, by Chernoff's bound.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import exp, inf, log, log1p

import numpy as np

from tgite import Arm, InvalidInput
from tgite.checked import checked
from tgite.errors import require_whole_number
from tgite_checks.laws.boundary import Floats
from tgite_checks.laws.cost import CostDistribution

_CELLS_OF_AN_ANSWER = 12
_RARE = 1e-3
_PRIOR_STRENGTH = 8.0
# The learning bet gets half of the stake, the named versions share the other half.
_LEARNING = 0.5
# Ratios are taken with the wrong versions' probabilities lowered by this, beyond their rounding.
_LOWERED = 1e-9
_POWERS = np.linspace(0.02, 1.0, 50)


@dataclass(frozen=True, slots=True)
class Cells:
    """A partition of the possible samples: for each answer, ranges of the number of comparisons.

    ``edges[answer]`` begins with 0; the last range is open. Answers that are not there share one
    more cell, the last one.
    """

    edges: Mapping[Arm, tuple[int, ...]]

    @staticmethod
    def of(law: CostDistribution) -> Cells:
        """Cut the law into cells of about equal probability, rare answers into few."""
        edges: dict[Arm, tuple[int, ...]] = {}
        for answer, masses in law.masses.items():
            total = float(masses.sum())
            if total == 0:
                edges[answer] = (0,)
                continue
            first = int(np.flatnonzero(masses)[0])
            parts = _CELLS_OF_AN_ANSWER if total > _RARE else 1
            cumulative = np.cumsum(masses) / total
            cuts = np.searchsorted(cumulative, np.arange(1, parts) / parts) + 1
            edges[answer] = tuple(sorted({0, first, *cuts.tolist(), len(masses)}))
        return Cells(edges)

    @property
    def count(self) -> int:
        """The number of cells."""
        return sum(map(len, self.edges.values())) + 1

    def place(self, comparisons: int, answer: Arm) -> int:
        """Return the cell of a sample."""
        place = 0
        for one, edges in self.edges.items():
            if one == answer:
                return place + int(np.searchsorted(edges, comparisons, side="right")) - 1
            place += len(edges)
        return place

    def probabilities(self, law: CostDistribution) -> Floats:
        """Return the cells' probabilities under a law, without what is beyond its end."""
        found: list[float] = []
        for answer, edges in self.edges.items():
            masses = law.masses.get(answer, np.zeros(0))
            ends = (*edges[1:], max(len(masses), edges[-1]))
            found += [float(masses[low:high].sum()) for low, high in zip(edges, ends, strict=True)]
        found.append(sum(float(m.sum()) for a, m in law.masses.items() if a not in self.edges))
        return np.array(found)

    def highest(self, law: CostDistribution) -> Floats:
        """Return upper bounds for the cells' probabilities under a law."""
        open_ends: list[bool] = []
        for edges in self.edges.values():
            open_ends += [False] * (len(edges) - 1) + [True]
        open_ends.append(True)
        probabilities = self.probabilities(law)
        return np.array(
            [law.highest(p, end) for p, end in zip(probabilities, open_ends, strict=True)]
        )


@dataclass(frozen=True, slots=True)
class LawVerdict:
    """What the check says after some samples.

    ``rejected_after`` is the number of samples after which the law was rejected, at the error rate
    ``alpha``; None if it was not. ``log_evidence`` is the log of the e-process; ``best`` names
    the bet that did best, ``learning`` being the one without a name. ``excluded`` names the wrong
    versions that would have been rejected by now with the stated power.
    """

    samples: int
    alpha: float
    power: float
    rejected_after: int | None
    log_evidence: float
    best: str
    excluded: tuple[str, ...]

    def __str__(self) -> str:
        """Write it for a reader."""
        if self.rejected_after is not None:
            return (
                f"rejected after {self.rejected_after} samples, at an error rate of at most "
                f"{self.alpha:g}; the samples look most like: {self.best}"
            )
        names = ", ".join(self.excluded) or "none yet"
        return (
            f"not rejected after {self.samples} samples (error rate {self.alpha:g}); wrong "
            f"versions that would have been, with probability at least {self.power:g}: {names}"
        )


class LawCheck:
    """A check in progress: feed samples, look at the verdict whenever you like."""

    @checked
    def __init__(
        self,
        law: CostDistribution,
        wrong_versions: Mapping[str, CostDistribution],
        alpha: float = 1e-6,
        power: float = 0.99,
    ) -> None:
        """Check against ``law``, with bets on ``wrong_versions``.

        Raises :class:`~tgite.errors.InvalidInput` unless ``alpha`` and ``power`` lie strictly
        between 0 and 1.
        """
        for name, value in (("alpha", alpha), ("power", power)):
            if not 0 < value < 1:
                raise InvalidInput(name, value, "must lie strictly between 0 and 1")
        self._alpha, self._power = alpha, power
        self._cells = Cells.of(law)
        self._highest = self._cells.highest(law)
        self._names = tuple(wrong_versions)
        self._wrong = {
            name: self._cells.probabilities(wrong) * (1 - _LOWERED)
            for name, wrong in wrong_versions.items()
        }
        with np.errstate(divide="ignore"):
            self._log_ratios = {
                name: np.log(wrong) - np.log(self._highest) for name, wrong in self._wrong.items()
            }
        even = np.full(self._cells.count, 1 / self._cells.count)
        share = self._highest / self._highest.sum()
        self._prior = _PRIOR_STRENGTH * (share + even) / 2
        self._counts = np.zeros(self._cells.count)
        self._log_bets = dict.fromkeys((*self._names, "learning"), 0.0)
        self._samples = 0
        self._rejected_after: int | None = None

    def add(self, comparisons: int, answer: Arm) -> bool:
        """Take a sample; return whether the law is rejected by now.

        For a match the answer is 0 if its first argument was returned, 1 if its second was.
        Raises :class:`~tgite.errors.InvalidInput` for a number of comparisons below 0.
        """
        require_whole_number("comparisons", comparisons, at_least=0)
        cell = self._cells.place(comparisons, answer)
        for name, ratios in self._log_ratios.items():
            self._log_bets[name] += float(ratios[cell])
        chance = (self._counts[cell] + self._prior[cell]) / (self._samples + _PRIOR_STRENGTH)
        self._log_bets["learning"] += log(chance) - log(self._highest[cell])
        self._counts[cell] += 1
        self._samples += 1
        if self._rejected_after is None and self.log_evidence() >= -log(self._alpha):
            self._rejected_after = self._samples
        return self._rejected_after is not None

    def log_evidence(self) -> float:
        """Return the log of the e-process: of the mixture of all bets."""
        terms = [self._log_stake(name) + bet for name, bet in self._log_bets.items()]
        largest = max(terms)
        if largest == -inf:
            return -inf
        return largest + log(sum(exp(term - largest) for term in terms))

    def samples_needed(self, wrong_version: str) -> int | None:
        """Return after how many samples that version is rejected with the stated power.

        None if the cells do not tell it from the law. By Chernoff's bound, optimised over the
        exponent: ``P(sum of log ratios < t) <= exp(l t) E[exp(-l log ratio)]**n``.
        """
        wrong = self._wrong[wrong_version]
        outside = max(0.0, 1 - float(wrong.sum()))
        possible = wrong > 0
        wrong, ratios = wrong[possible], self._log_ratios[wrong_version][possible]
        threshold = -log(self._alpha) - self._log_stake(wrong_version)
        fewest = inf
        for exponent in _POWERS:
            # What lies beyond the end of the wrong version's law counts as lost bets.
            mean = float(np.exp(np.log(wrong) - exponent * ratios).sum()) + outside
            if mean < 1:
                needed = (exponent * threshold - log1p(-self._power)) / -log(mean)
                fewest = min(fewest, needed)
        return None if fewest == inf else int(fewest) + 1

    def all_samples_needed(self) -> dict[str, int | None]:
        """Return :meth:`samples_needed` of every wrong version."""
        return {name: self.samples_needed(name) for name in self._names}

    def to_json(self) -> dict[str, object]:
        """Return the verdict and the power as JSON."""
        return {**asdict(self.verdict()), "samples_needed": self.all_samples_needed()}

    def verdict(self) -> LawVerdict:
        """Return the verdict on the samples so far."""
        needed = self.all_samples_needed()
        return LawVerdict(
            self._samples,
            self._alpha,
            self._power,
            self._rejected_after,
            self.log_evidence(),
            max(self._log_bets, key=lambda name: self._log_bets[name]),
            tuple(n for n, count in needed.items() if count is not None and count <= self._samples),
        )

    def _log_stake(self, name: str) -> float:
        if name == "learning":
            return log(_LEARNING if self._names else 1.0)
        return log((1 - _LEARNING) / len(self._names))
