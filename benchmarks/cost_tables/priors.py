"""Compare priors over the gap: MixtureTest's uniform prior, and others.

A prior is a set of weighted gaps g. If an arm won s of n duels, the evidence is the sum of
``weight (1+2g)**s (1-2g)**(n-s)``, the mean likelihood ratio against a fair coin. For every prior
this is a martingale under a fair coin. So a test that stops at 1/delta errs with probability at
most delta. The tests here are only compared, so their leads come from floats. Their laws are exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil, inf, log

import numpy as np

from cost_tables.table import Row, Table
from tgite import Arm, Confidence, Duel, Outcome, Stream
from tgite.preferences import HALF
from tgite_laws.boundary import Floats, Integers
from tgite_laws.cache import cached
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.implementation import REFERENCE
from tgite_laws.mixture_and_sprt import MixtureTestLaws, lead_reaches
from tgite_laws.rule import Known

_BLOCK = 512
_STEPS = 16


class Prior:
    """A discrete prior: gaps and their weights, normalised to the sum 1.

    Let ``A = log(1-4g**2)/2`` and ``B = log((1+2g)/(1-2g))/2``. The likelihood ratio for a gap g is
    ``exp(A n + B lead)``. So the test has stopped if ``A n + B lead >= log(1/(weight delta))`` for
    any of the gaps. The minimum of these lines is a concave bound on the lead.
    """

    def __init__(self, gaps: Floats, weights: Floats) -> None:
        """Compute the logarithms."""
        self._A = np.log1p(-4 * gaps * gaps) / 2
        self._B = np.log((1 + 2 * gaps) / (1 - 2 * gaps)) / 2
        self._logs = np.log(weights / weights.sum())

    def lines(self, n: Floats, delta: Confidence) -> Floats:
        """Return for each n an upper bound on the stopping lead."""
        ends = (delta.log_inverse - self._logs - self._A * n[:, None]) / self._B
        least: Floats = ends.min(axis=1)
        return least

    def ends(self, gap: float) -> bool:
        """Return whether some likelihood ratio grows at this gap, so that the test ends."""
        p, q = 0.5 + gap, 0.5 - gap
        return bool((self._A + (p - q) * self._B > 0).any())

    def leads(self, n: Floats, delta: Confidence) -> Integers:
        """Return the stopping leads, the least leads of n's parity with evidence 1/delta.

        The logarithm of the evidence is convex in the lead. So Newton's steps from above never go
        below the root.
        """
        root = self.lines(n, delta)
        for _ in range(_STEPS):
            exponents = self._logs + self._A * n[:, None] + self._B * root[:, None]
            largest = exponents.max(axis=1)
            shares = np.exp(exponents - largest[:, None])
            total = shares.sum(axis=1)
            root -= (largest + np.log(total) - delta.log_inverse) / (shares @ self._B / total)
        found = np.ceil(root - 1e-9).astype(np.int64)
        leads: Integers = found + (found - n.astype(np.int64)) % 2
        return leads


class _Leads:
    """The stopping leads of one level, a block at a time."""

    def __init__(self, prior: Prior, delta: Confidence) -> None:
        self._prior, self._delta = prior, delta
        self._known: list[int] = [2]

    def __call__(self, n: int) -> int:
        """Return the stopping lead after n duels."""
        while len(self._known) <= n:
            block = np.arange(len(self._known), len(self._known) + _BLOCK, dtype=np.float64)
            self._known += self._prior.leads(block, self._delta).tolist()
        return self._known[n]


class PriorLaws(DuelTestLaws):
    """The exact laws of the test with a prior, for pairs that do not tie."""

    def __init__(self, prior: Prior) -> None:
        """Make the test with this prior, and its laws."""
        self._leads: dict[Confidence, _Leads] = {}

        def leads_of(delta: Confidence) -> _Leads:
            return self._leads.setdefault(delta, _Leads(prior, delta))

        def test(u: Arm, v: Arm, delta: Confidence) -> Stream[Duel, Outcome, Arm]:
            duel, leads, n, S = Duel(u, v), leads_of(delta), 0, 0
            while True:
                n += 1
                S += yield duel
                lead = 2 * S - n
                if abs(lead) >= leads(n):
                    break
            if lead > 0:
                return u
            return v

        def radius(n: int, delta: Confidence) -> float:
            return float(prior.lines(np.array([float(n)]), delta)[0]) / (2 * n)

        super().__init__(replace(REFERENCE, name="prior", duel_test=test, c=radius))
        self._leads_of = leads_of

    def _known(self, delta: Confidence) -> Known:
        return lead_reaches(self._leads_of(delta))

    def _least_lead_beyond(self, delta: Confidence, cut: int) -> float:
        """Return the stopping lead at the cut minus 1; two more duels never lower the lead."""
        return self._leads_of(delta)(cut) - 1.0


_OCTAVES = np.arange(0.0, 20.0, 1 / 8)
_FINE = 0.499 * 2.0**-_OCTAVES
_ABOVE = _FINE[_FINE > 0.05]
_HALVES = np.arange(1.0, 41.0)
_TEN = 2.0 ** -np.arange(2.0, 12.0)

UNIFORM = "uniform: MixtureTest"

PRIORS = {
    UNIFORM: Prior(_FINE, _FINE),
    "uniform from 0.05 on": Prior(_ABOVE, _ABOVE),
    "like 1/sqrt(g)": Prior(_FINE, np.sqrt(_FINE)),
    "like 1/(g log(1/g)^2)": Prior(_FINE, 1 / (np.log(2.0) * _OCTAVES + 1) ** 2),
    "1/4, 1/8, ...: 1/(k(k+1)) each": Prior(2.0 ** -(_HALVES + 1), 1 / (_HALVES * (_HALVES + 1))),
    "1/4, ..., 1/2048: 1/10 each": Prior(_TEN, np.ones_like(_TEN)),
}
"""The priors by name; a density is approximated by eight gaps an octave, down to 0.0000005."""

LEVELS = ("1/10", "1/100", "1e-6")
GAPS = ("0.4", "0.2", "0.1", "0.05", "0.02", "0.01")
_PLAYED_GAP = Fraction(1, 1000)
_RUNS = 4000


@cached
def laws_of(name: str) -> DuelTestLaws:
    """Return the laws of the test with a prior; for the uniform prior, those of MixtureTest."""
    return MixtureTestLaws() if name == UNIFORM else PriorLaws(PRIORS[name])


def wald(delta: Confidence, gap: Fraction) -> float:
    """Return ``log(1/delta)`` over the divergence of a pair of that gap from a fair coin."""
    p, q = float(HALF + gap), float(HALF - gap)
    return delta.log_inverse / (p * log(2 * p) + q * log(2 * q))


def over_wald(name: str, level: str, gap: str) -> float:
    """Return a match's exact mean over Wald's bound; infinite if no likelihood ratio grows."""
    delta, excess = Confidence.of(level), Fraction(gap)
    if not PRIORS[name].ends(float(excess)):
        return inf
    mean = laws_of(name).law(delta, HALF + excess).mean
    return mean.middle / wald(delta, excess)


def played_over_wald(name: str, level: str) -> float:
    """Return the mean of simulated matches over Wald's bound, at a gap too small for the laws.

    The test is evaluated every b duels only, which lengthens a match by a few thousandths. The
    standard error is about a hundredth.
    """
    delta, gap, runs = Confidence.of(level), float(_PLAYED_GAP), _RUNS
    if not PRIORS[name].ends(gap):
        return inf
    b = ceil(1 / (1600 * gap**2))
    rng = np.random.default_rng(0)
    wins, lengths, n = np.zeros(runs, np.int64), np.zeros(runs), 0
    going = np.ones(runs, np.bool_)
    while going.any():
        n += b
        wins[going] += rng.binomial(b, 0.5 + gap, int(going.sum()))
        (lead,) = PRIORS[name].leads(np.array([float(n)]), delta)
        over = going & (np.abs(2 * wins - n) >= lead)
        lengths[over] = n
        going &= ~over
    return float(lengths.mean()) / wald(delta, _PLAYED_GAP)


def lines(_: Iterable[Row]) -> Iterator[list[str]]:
    """Yield the lines of the table, with the best prior of each level and gap in bold."""
    yield ["delta", "prior of the gap", *GAPS, f"{float(_PLAYED_GAP)} (played)"]
    for level in LEVELS:
        columns = [{name: over_wald(name, level, gap) for name in PRIORS} for gap in GAPS]
        columns.append({name: played_over_wald(name, level) for name in PRIORS})
        for name in PRIORS:
            cells = [_cell(column[name], min(column.values())) for column in columns]
            yield [level, name, *cells]


def _cell(ratio: float, best: float) -> str:
    shown = "need not end" if ratio == inf else f"{ratio:.2f}"
    return f"**{shown}**" if shown == f"{best:.2f}" else shown


TABLE = Table("beyond.md", lines, name="priors")
