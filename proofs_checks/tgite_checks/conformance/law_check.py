"""The law check: do samples of an implementation follow the exact law?

For implementations that draw their own randomness: each sample is an independent run's answer and
number of comparisons. The check bets against the law with an *e-process*: a mixture of likelihood
ratios of named wrong versions, on every single (answer, number of comparisons), and of bets that
learn from the samples and need no name. Under the exact law its expectation stays at most 1, at
whatever time one stops, so that it reaches ``1/alpha`` ever with a probability of at most ``alpha``
(Ville). So one may look after every sample and stop at the first rejection.

A law has a lattice: most numbers of comparisons are impossible. One impossible sample rejects.

The other way round, :meth:`LawCheck.samples_needed` states after how many samples a named wrong
version has been rejected with a given power, by Chernoff's bound, and
:meth:`LawCheck.fewest_samples` how many any test would need.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from math import exp, inf, log, log1p, sqrt
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tgite import Arm, InvalidInput
from tgite.checked import checked
from tgite.errors import require_whole_number
from tgite_checks.laws.boundary import Floats
from tgite_checks.laws.cost import CostDistribution

Labels: TypeAlias = npt.NDArray[np.int64]

_RANGES = 12
_ATOM = 0.02
_RESIDUES = 8
_RARE = 1e-3
_IMPOSSIBLE = 1e-100
_PRIOR_STRENGTH = 8.0
# The learning bets get half of the stake, the named versions share the other half.
_LEARNING = 0.5
# Ratios are taken with the wrong versions' probabilities lowered by this, beyond their rounding.
_LOWERED = 1e-9
_MOST_SAMPLES = 10**12
_POWERS = np.linspace(0.02, 1.0, 50)


class Counted(StrEnum):
    """What a sample counts."""

    COMPARISONS = "comparisons"
    WEAK_REGRET = "weak-regret"
    """The comparisons without the winner: binary weak regret (Section ``sec:pre``)."""

    def said(self, count: int) -> str:
        """Say that so many were counted."""
        if self is Counted.COMPARISONS:
            return f"after {count} comparisons"
        return f"with a weak regret of {count}"


@dataclass(frozen=True, slots=True)
class Lattice:
    """All samples that are told apart: each answer with each number of comparisons below ``end``.

    Besides, each answer with any number from ``end`` on, and all other answers together.
    """

    answers: tuple[Arm, ...]
    end: int

    @staticmethod
    def of(law: CostDistribution) -> Lattice:
        """Return the lattice on which the law's masses lie."""
        return Lattice(tuple(law.masses), max(map(len, law.masses.values())))

    @property
    def size(self) -> int:
        """The number of places."""
        return len(self.answers) * (self.end + 1) + 1

    def place(self, comparisons: int, answer: Arm) -> int:
        """Return the place of a sample."""
        if answer not in self.answers:
            return self.size - 1
        return self.answers.index(answer) * (self.end + 1) + min(comparisons, self.end)

    def highest(self, law: CostDistribution) -> Floats:
        """Return upper bounds for the places' probabilities under a law with these answers."""
        others = law.highest(-1, 0)[-1:]
        return np.concatenate([law.highest(answer, self.end) for answer in self.answers] + [others])

    def lowest(self, law: CostDistribution) -> Floats:
        """Return the places' probabilities under a law, without what it leaves out."""
        found = np.zeros(self.size)
        for answer, masses in law.masses.items():
            for n in np.flatnonzero(masses).tolist():
                found[self.place(n, answer)] += masses[n]
        return found * (1 - _LOWERED)

    def partitions(self, highest: Floats) -> Sequence[Labels]:
        """Return ways to put places together, as a cell's number for each place.

        By ranges of about equal probability, with the likely places by themselves; by residues of
        the number of comparisons; by how rarely there are as many or as few. In each, all places
        that the law excludes are one cell.
        """
        comparisons = np.append(np.tile(np.arange(self.end + 1), len(self.answers)), 0)
        answer = np.append(np.repeat(np.arange(len(self.answers)), self.end + 1), 0)
        ranges, tails = np.zeros((2, self.size), np.int64)
        for one in range(len(self.answers)):
            here = slice(one * (self.end + 1), (one + 1) * (self.end + 1))
            total = highest[here].sum()
            if total > _RARE:
                up_to = np.cumsum(highest[here]) / total
                from_on = np.cumsum(highest[here][::-1])[::-1] / total
                ranges[here] = np.floor((1 - from_on) * _RANGES).clip(0, _RANGES - 1)
                # How many halvings: odd numbers for few comparisons, even ones for many.
                few, many = (np.floor(-np.log2(part.clip(0, 1))) for part in (up_to, from_on))
                tails[here] = np.where(few > many, 2 * few + 1, 2 * many)
        likely = np.flatnonzero(highest > _ATOM)
        ranges[likely] = _RANGES + np.arange(len(likely))
        impossible = highest < _IMPOSSIBLE
        found = []
        for cells in (ranges, comparisons % _RESIDUES, tails):
            labels = 1 + answer + len(self.answers) * cells
            labels[impossible] = 0
            found.append(np.unique(labels, return_inverse=True)[1].astype(np.int64))
        return found


class _Learning:
    """A bet on the cells of a partition, by how often each was seen."""

    def __init__(self, labels: Labels, highest: Floats) -> None:
        self._labels = labels
        self._highest = np.bincount(labels, weights=highest)
        share, even = self._highest / self._highest.sum(), 1 / len(self._highest)
        self._seen = _PRIOR_STRENGTH * (share + even) / 2

    def log_factor(self, place: int) -> float:
        """Return the log of what the bet on the next sample is multiplied by; learn from it."""
        cell = self._labels[place]
        factor = log(self._seen[cell] / self._seen.sum()) - log(self._highest[cell])
        self._seen[cell] += 1
        return factor


@dataclass(frozen=True, slots=True)
class LawVerdict:
    """What the check says after some samples.

    ``rejected_after`` is the number of samples after which the law was rejected, at the error rate
    ``alpha``; None if it was not. ``log_evidence`` is the log of the e-process; ``best`` names
    the bet that did best, ``learning`` being those without a name. ``excluded`` names the wrong
    versions that would have been rejected by now with the stated power. ``impossible`` is the first
    sample that no run can give, as comparisons and answer, if there was one. ``counted`` says what
    the samples count: comparisons or the weak regret.
    """

    samples: int
    alpha: float
    power: float
    rejected_after: int | None
    log_evidence: float
    best: str
    excluded: tuple[str, ...]
    impossible: tuple[int, Arm] | None
    counted: Counted = Counted.COMPARISONS

    def __str__(self) -> str:
        """Write it for a reader."""
        if self.rejected_after is not None:
            said = (
                f"rejected after {self.rejected_after} samples, at an error rate of at most "
                f"{self.alpha:g}; the samples look most like: {self.best}"
            )
            if self.impossible is not None:
                count, answer = self.impossible
                said += f"; no run gives the answer {answer} {self.counted.said(count)}"
            return said
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
        kind: Callable[[Arm], Arm] = lambda answer: answer,
        counted: Counted = Counted.COMPARISONS,
    ) -> None:
        """Check against ``law``, with bets on ``wrong_versions``.

        The laws know answers by their ``kind``, where several answers are alike; their costs are
        what is ``counted``.
        Raises :class:`~tgite.errors.InvalidInput` unless ``alpha`` and ``power`` lie strictly
        between 0 and 1.
        """
        for name, value in (("alpha", alpha), ("power", power)):
            if not 0 < value < 1:
                raise InvalidInput(name, value, "must lie strictly between 0 and 1")
        self._alpha, self._power, self._kind, self._counted = alpha, power, kind, counted
        self._lattice = Lattice.of(law)
        self._highest = self._lattice.highest(law)
        self._names = tuple(wrong_versions)
        self._wrong = {name: self._lattice.lowest(one) for name, one in wrong_versions.items()}
        with np.errstate(divide="ignore"):
            self._log_ratios = {
                name: np.log(wrong) - np.log(self._highest) for name, wrong in self._wrong.items()
            }
        partitions = self._lattice.partitions(self._highest)
        self._learning = [_Learning(labels, self._highest) for labels in partitions]
        self._log_named = dict.fromkeys(self._names, 0.0)
        self._log_learned = np.zeros(len(partitions))
        self._samples = 0
        self._rejected_after: int | None = None
        self._impossible: tuple[int, Arm] | None = None

    def add(self, comparisons: int, answer: Arm) -> bool:
        """Take a sample; return whether the law is rejected by now.

        For a match the answer is 0 if its first argument was returned, 1 if its second was.
        Raises :class:`~tgite.errors.InvalidInput` for a number of comparisons below 0.
        """
        require_whole_number("comparisons", comparisons, at_least=0)
        place = self._lattice.place(comparisons, self._kind(answer))
        for name, ratios in self._log_ratios.items():
            self._log_named[name] += float(ratios[place])
        self._log_learned += [one.log_factor(place) for one in self._learning]
        self._samples += 1
        if self._impossible is None and self._highest[place] < _IMPOSSIBLE:
            self._impossible = comparisons, answer
        if self._rejected_after is None and self.log_evidence() >= -log(self._alpha):
            self._rejected_after = self._samples
        return self._rejected_after is not None

    def log_evidence(self) -> float:
        """Return the log of the e-process: of the mixture of all bets."""
        terms = [self._log_stake() + bet for bet in self._log_named.values()]
        return _log_sum([*terms, self._log_stake("learning") + self._log_of_learning()])

    def _log_of_learning(self) -> float:
        return _log_sum(self._log_learned.tolist()) - log(len(self._log_learned))

    def samples_needed(self, wrong_version: str) -> int | None:
        """Return after how many samples that version is rejected with the stated power.

        None if nothing tells it from the law. By Chernoff's bound, optimised over the exponent:
        ``P(sum of log ratios < t) <= exp(l t) E[exp(-l log ratio)]**n``.
        """
        wrong = self._wrong[wrong_version]
        outside = max(0.0, 1 - float(wrong.sum()))
        possible = wrong > 0
        wrong, ratios = wrong[possible], self._log_ratios[wrong_version][possible]
        threshold = -log(self._alpha) - self._log_stake()
        fewest = inf
        for exponent in _POWERS:
            # What lies beyond the end of the wrong version's law counts as lost bets.
            mean = float(np.exp(np.log(wrong) - exponent * ratios).sum()) + outside
            if mean < 1:
                needed = (exponent * threshold - log1p(-self._power)) / -log(mean)
                fewest = min(fewest, needed)
        return None if fewest == inf else int(fewest) + 1

    def fewest_samples(self, wrong_version: str) -> int | None:
        """Return how many samples any test needs at least to reject that version with the power.

        Any test that rejects the law with a probability of at most alpha. None if nothing tells
        the version from the law. See :func:`most_power`.
        """
        wrong = self._wrong[wrong_version]
        excluded = float(wrong[self._highest < _IMPOSSIBLE].sum())
        allowed = (self._highest >= _IMPOSSIBLE) & (wrong > 0)
        given = wrong[allowed] / wrong[allowed].sum() if excluded < 1 - 1e-6 else np.zeros(0)
        right = self._highest[allowed][: len(given)]
        alike = min(1.0, float(np.sqrt(given * right).sum()))
        if excluded == 0 and alike > 1 - 1e-8:
            return None
        divergence = float(given @ (np.log(given) - np.log(right)))

        def enough(n: int) -> bool:
            return most_power(n, self._alpha, excluded, alike, divergence) >= self._power

        counts = range(1, _MOST_SAMPLES)
        fewest = bisect_left(counts, True, key=enough)
        return None if fewest == len(counts) else counts[fewest]

    def all_samples_needed(self) -> dict[str, int | None]:
        """Return :meth:`samples_needed` of every wrong version."""
        return {name: self.samples_needed(name) for name in self._names}

    def to_json(self) -> dict[str, object]:
        """Return the verdict and the power as JSON."""
        return {**asdict(self.verdict()), "samples_needed": self.all_samples_needed()}

    def verdict(self) -> LawVerdict:
        """Return the verdict on the samples so far."""
        needed = self.all_samples_needed()
        bets = {**self._log_named, "learning": self._log_of_learning()}
        return LawVerdict(
            self._samples,
            self._alpha,
            self._power,
            self._rejected_after,
            self.log_evidence(),
            max(bets, key=lambda name: bets[name]),
            tuple(n for n, count in needed.items() if count is not None and count <= self._samples),
            self._impossible,
            self._counted,
        )

    def _log_stake(self, bet: str = "") -> float:
        """Return the log of the stake of the learning bets, or else of each named one."""
        if bet == "learning":
            return log(_LEARNING if self._names else 1.0)
        return log((1 - _LEARNING) / len(self._names))


def most_power(
    samples: int, alpha: float, excluded: float, alike: float, divergence: float
) -> float:
    """Bound the power of any test that rejects the law with a probability of at most ``alpha``.

    With probability ``excluded`` a sample is one that the law excludes. Of the others, ``alike`` is
    the Bhattacharyya coefficient B and ``divergence`` the Kullback-Leibler divergence D from the
    law: n of them are rejected with a probability q for which ``kl(q, alpha) <= n D`` and
    ``B**n <= sqrt(alpha q) + sqrt((1 - alpha)(1 - q))``.
    """
    if excluded == 1:
        return 1.0

    def too_high(q: float) -> bool:
        affinity = sqrt(alpha * q) + sqrt((1 - alpha) * (1 - q))
        kl = q * log(q / alpha) + (1 - q) * log((1 - q) / (1 - alpha))
        return affinity < alike**samples or kl > samples * divergence

    low, high = alpha, 1.0 - 1e-12
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if too_high(middle) else (middle, high)
    return 1 - (1 - excluded) ** samples * (1 - high)


def _log_sum(terms: Sequence[float]) -> float:
    """Return the log of a sum of exponentials."""
    largest = max(terms)
    if largest == -inf:
        return -inf
    return largest + log(sum(exp(term - largest) for term in terms))
