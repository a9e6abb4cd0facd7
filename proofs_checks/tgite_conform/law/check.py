"""The law check: tests whether samples of an implementation follow the exact law.

Each sample is an independent run's answer and number of comparisons. The check bets against the law
with likelihood ratios of named wrong versions, and with bets that learn from the samples. Under the
law the wealth is a non-negative supermartingale that starts at 1. So it ever reaches ``1/alpha``
with probability at most ``alpha`` (Ville). The user may therefore look after every sample.

Most numbers of comparisons are impossible, and one impossible sample rejects. Runs may be *cut* at
a fixed number of comparisons; the law includes the probability of a cut.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import inf, log, log1p, sqrt

import numpy as np

from tgite import Arm, InvalidInput
from tgite.checked import checked
from tgite.errors import require, require_whole_number
from tgite_conform.law.lattice import IMPOSSIBLE, Labels, Lattice, Sample
from tgite_laws.boundary import Floats
from tgite_laws.cost import CostDistribution

ALPHA = 1e-6
POWER = 0.99
_LEARNING = "learning"
_PRIOR_STRENGTH = 8.0
# The learning bets get half of the stake; the named versions share the other half.
_STAKE_OF_LEARNING = 0.5


@dataclass(frozen=True, slots=True)
class Terms:
    """The settings of a check: false-alarm rate, power, and the cut.

    The cut must not depend on the runs' outcomes. Raises :class:`~tgite.errors.InvalidInput` unless
    ``alpha`` and ``power`` lie strictly between 0 and 1, and for a cut below 1.
    """

    alpha: float = ALPHA
    power: float = POWER
    cut: int | None = None

    def __post_init__(self) -> None:
        """Check the settings."""
        for name, value in (("alpha", self.alpha), ("power", self.power)):
            if not 0 < value < 1:
                raise InvalidInput(name, value, "must lie strictly between 0 and 1")
        if self.cut is not None:
            require_whole_number("cut", self.cut, at_least=1)


_USUAL = Terms()
_NO_NAMES: Mapping[Arm, str] = {}


@dataclass(frozen=True, slots=True)
class Impossible:
    """The first sample that no run gives; its number is ``after``, counted from 1.

    ``at_most`` bounds its probability if unlikely paths are left out. ``nearest`` are the closest
    possible counts with this answer.
    """

    after: int
    count: int
    answer: Arm | None
    nearest: tuple[int, ...]
    at_most: float


@dataclass(frozen=True, slots=True)
class LawVerdict:
    """The result of the check so far.

    ``best`` is the name of the most successful bet (``learning`` if it has no name). ``excluded``
    are the wrong versions that would have been rejected by now with the stated power. ``differs``
    is what differs most from the law.
    """

    samples: int
    alpha: float
    power: float
    rejected_after: int | None
    log_evidence: float
    best: str
    excluded: tuple[str, ...]
    impossible: Impossible | None
    differs: str
    cut: int | None

    def __str__(self) -> str:
        """Return the text for a reader."""
        if self.rejected_after is None:
            names = ", ".join(self.excluded) or "none yet"
            return (
                f"not rejected after {self.samples} samples (error rate {self.alpha:g}); wrong "
                f"versions that would have been, with probability at least {self.power:g}: {names}"
            )
        said = [
            f"rejected after {self.rejected_after} samples, at an error rate of at most "
            f"{self.alpha:g}"
        ]
        if self.best == _LEARNING:
            said.append("no known wrong version explains the samples well")
        else:
            said.append(f"the samples look most like: {self.best}")
        if self.impossible is not None:
            said.append(self._of_the_impossible(self.impossible))
        if self.differs:
            said.append(f"what differs most: {self.differs}")
        return "\n".join(said)

    def _of_the_impossible(self, one: Impossible) -> str:
        said = f"sample {one.after} is impossible"
        if one.at_most >= IMPOSSIBLE:
            said += f" (but for a chance below {one.at_most:.1g})"
        if one.answer is None:
            return f"{said}: every run is over by {one.count}"
        said += f": no run gives the answer {one.answer} after {one.count} comparisons"
        nearest = " and ".join(map(str, one.nearest))
        return said + (f"; the nearest that are possible: {nearest}" if nearest else ", or any")


class _Learning:
    """A bet on the cells of a partition, in proportion to how often each was seen."""

    def __init__(self, labels: Labels, highest: Floats) -> None:
        self._labels = labels
        self._highest = np.bincount(labels, weights=highest)
        share, even = self._highest / self._highest.sum(), 1 / len(self._highest)
        self._seen = _PRIOR_STRENGTH * (share + even) / 2

    def log_factors(self, places: Labels) -> Floats:
        """Return the logs of the bet's factors on the next samples, then learn from them."""
        cells = self._labels[places]
        # For each sample, the number of earlier ones of this batch in the same cell.
        order = np.argsort(cells, kind="stable")
        begins = np.flatnonzero(np.diff(cells[order], prepend=-1))
        lengths = np.diff(begins, append=len(cells))
        before = np.empty(len(cells))
        before[order] = np.arange(len(cells)) - np.repeat(begins, lengths)
        total = self._seen.sum() + np.arange(len(cells))
        factors: Floats = np.log((self._seen[cells] + before) / total / self._highest[cells])
        self._seen += np.bincount(cells, minlength=len(self._seen))
        return factors


class LawCheck:
    """A check in progress; its verdict may be read after any sample."""

    @checked
    def __init__(
        self,
        law: CostDistribution,
        wrong_versions: Mapping[str, CostDistribution],
        terms: Terms = _USUAL,
        kind: Callable[[Arm], Arm] = lambda answer: answer,
        names: Mapping[Arm, str] = _NO_NAMES,
    ) -> None:
        """Check against ``law``, with bets on ``wrong_versions``.

        Laws may know answers by their ``kind`` only, which ``names`` describes.
        """
        self.terms, self._kind, self._kinds = terms, kind, names
        self._lattice = Lattice.of(law, terms.cut)
        self._highest = self._lattice.highest(law)
        self._names = tuple(wrong_versions)
        self._wrong = [self._lattice.lowest(one) for one in wrong_versions.values()]
        with np.errstate(divide="ignore"):
            self._log_ratios = [np.log(one) - np.log(self._highest) for one in self._wrong]
        self._excluded = self._lattice.excluded(law, self._highest)
        partitions = self._lattice.partitions(self._highest, self._excluded)
        self._learning = [_Learning(labels, self._highest) for labels in partitions]
        # For each bet, the named ones first: its stake, and the log of its wealth per unit.
        learning = _STAKE_OF_LEARNING if self._names else 1.0
        self._stakes = np.array(
            [(1 - learning) / max(len(self._names), 1)] * len(self._names)
            + [learning / len(partitions)] * len(partitions)
        )
        self._log_bets = np.zeros(len(self._stakes))
        self._seen = np.zeros(self._lattice.size, np.int64)
        self._places: dict[Sample, int] = {}
        self._samples = 0
        self._rejected_after: int | None = None
        self._impossible: Impossible | None = None

    def add_all(self, samples: Sequence[Sample]) -> bool:
        """Take samples, as if one after the other; return whether the law is rejected by now.

        Raises :class:`~tgite.errors.InvalidInput` for an invalid count.
        """
        if not samples:
            return self._rejected_after is not None
        # Few samples are different, so each place is sought once.
        self._places |= {one: self._place_of(*one) for one in {*samples} - {*self._places}}
        places = np.array([self._places[one] for one in samples], np.int64)
        self._note_impossible(samples, places)
        steps = [ratios[places] for ratios in self._log_ratios]
        steps += [one.log_factors(places) for one in self._learning]
        bets = self._log_bets[:, None] + np.cumsum(steps, axis=1)
        self._log_bets = bets[:, -1]
        if self._rejected_after is None:
            rejects = np.flatnonzero(self._log_mixture(bets) >= -log(self.terms.alpha))
            if len(rejects):
                self._rejected_after = self._samples + int(rejects[0]) + 1
        self._samples += len(samples)
        self._seen += np.bincount(places, minlength=self._lattice.size)
        return self._rejected_after is not None

    def _place_of(self, count: int, answer: Arm | None) -> int:
        require_whole_number("comparisons", count, at_least=0)
        cut = self.terms.cut
        if answer is None:
            at = "no cut was given" if cut is None else f"runs are cut after {cut}"
            require(count == cut, "cut", count, f"must be where runs are cut: {at}")
            return self._lattice.place(count, None)
        if cut is not None and count > cut:
            raise InvalidInput("comparisons", count, f"must be at most the cut, {cut}")
        return self._lattice.place(count, self._kind(answer))

    def _note_impossible(self, samples: Sequence[Sample], places: Labels) -> None:
        """Record the sample if it is the first impossible one."""
        at = np.flatnonzero(self._excluded[places])
        if self._impossible is None and len(at):
            first = int(at[0])
            count, answer = samples[first]
            kind = -1 if answer is None else self._kind(answer)
            nearest = self._lattice.nearest(count, kind, self._excluded)
            at_most = float(self._highest[places[first]])
            self._impossible = Impossible(
                self._samples + first + 1, count, answer, nearest, at_most
            )

    def _log_mixture(self, log_bets: Floats) -> Floats:
        """Return the log of the mixture of all bets, for each column."""
        largest = log_bets.max(axis=0)
        mixture: Floats = largest + np.log(self._stakes @ np.exp(log_bets - largest))
        return mixture

    def log_evidence(self) -> float:
        """Return the log of the e-process, which is the mixture of all bets."""
        return float(self._log_mixture(self._log_bets[:, None])[0])

    @functools.cached_property
    def samples_needed(self) -> dict[str, int | None]:
        """The samples needed to reject each wrong version with the stated power, or None."""
        needed: dict[str, int | None] = dict.fromkeys(self._names)
        for at, (name, wrong) in enumerate(zip(self._names, self._wrong, strict=True)):
            threshold = -log(self.terms.alpha) - log(float(self._stakes[at]))
            alike = float(np.sqrt(wrong * self._highest).sum())
            if alike < (1 - _APART) * sqrt(float(wrong.sum())):
                ratios, power = self._log_ratios[at], self.terms.power
                needed[name] = samples_enough(wrong, ratios, threshold, power)
        return needed

    def to_json(self) -> dict[str, object]:
        """Return the verdict and the power as JSON."""
        return {**asdict(self.verdict()), "samples_needed": self.samples_needed}

    def _most_different(self) -> str:
        """Describe the sample that comes most too often; this is a hint, not another test."""
        seen = self._seen / max(self._samples, 1)
        expected = self._highest / self._highest.sum()
        excess = seen * np.log(np.maximum(seen, _LEAST_SHARE) / np.maximum(expected, _LEAST_SHARE))
        at = int(np.argmax(excess))
        if excess[at] <= 0:
            return ""
        count, answer = int(self._lattice.counts()[at]), int(self._lattice.answered()[at])
        name = "a cut run" if at == self._lattice.size - 1 else "an answer that is not an arm"
        if count >= 0:
            kind = self._lattice.answers[answer]
            name = f"{self._kinds.get(kind, f'the answer {kind}')} after {count} comparisons"
        return f"{name} (seen {100 * seen[at]:.3g}%, expected {100 * expected[at]:.3g}%)"

    def verdict(self) -> LawVerdict:
        """Return the verdict on the samples so far."""
        needed, named = self.samples_needed, len(self._names)
        bets = dict(zip(self._names, self._log_bets.tolist(), strict=False))
        learned = self._log_bets[named:]
        bets[_LEARNING] = float(np.logaddexp.reduce(learned)) - log(len(learned))
        return LawVerdict(
            self._samples,
            self.terms.alpha,
            self.terms.power,
            self._rejected_after,
            self.log_evidence(),
            max(bets, key=lambda name: bets[name]),
            tuple(n for n, count in needed.items() if count is not None and count <= self._samples),
            self._impossible,
            self._most_different(),
            self.terms.cut,
        )


_POWERS = np.linspace(0.02, 1.0, 50)
_LEAST_SHARE = 1e-6
# Two laws that are closer than this are equal up to rounding.
_APART = 1e-8


def samples_enough(wrong: Floats, log_ratios: Floats, threshold: float, power: float) -> int | None:
    """Return how many samples the bets need to reject a wrong law with ``power``, or None.

    Chernoff's bound, optimised over the exponent: ``P(sum of log ratios < t) <= exp(l t) E[exp(-l
    log ratio)]**n``.
    """
    outside = max(0.0, 1 - float(wrong.sum()))
    possible = wrong > 0
    wrong, log_ratios = wrong[possible], log_ratios[possible]
    fewest = inf
    for exponent in _POWERS:
        # Samples beyond the end of the wrong law count as lost bets.
        mean = float(np.exp(np.log(wrong) - exponent * log_ratios).sum()) + outside
        if mean < 1:
            fewest = min(fewest, (exponent * threshold - log1p(-power)) / -log(mean))
    return None if fewest == inf else int(fewest) + 1
