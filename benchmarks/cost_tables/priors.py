"""Compare priors over the gap: MixtureTest's uniform prior, and others.

A prior is a set of weighted gaps g. If an arm won s of n duels, the evidence is the sum of
``weight (1+2g)**s (1-2g)**(n-s)``, the mean likelihood ratio against a fair coin. So a test that
stops at 1/delta errs with probability at most delta. The leads of these tests come from floats.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import ceil, inf, log

import numpy as np

from cost_tables.table import Row, Table
from tgite import Confidence
from tgite.beyond.certificate import Rule
from tgite.preferences import HALF
from tgite_laws.boundary import Floats, Integers
from tgite_laws.mixture_and_sprt import MixtureTestLaws
from tgite_laws.one_sided import verdict_law

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

    def ends(self, gap: float) -> bool:
        """Return whether some likelihood ratio grows at this gap, so that the test ends."""
        p, q = 0.5 + gap, 0.5 - gap
        return bool((self._A + (p - q) * self._B > 0).any())

    def leads(self, n: Floats, delta: Confidence) -> Integers:
        """Return the stopping leads, the least leads of n's parity with evidence 1/delta.

        The logarithm of the evidence is convex in the lead. So Newton's steps from above never go
        below the root.
        """
        root = ((delta.log_inverse - self._logs - self._A * n[:, None]) / self._B).min(axis=1)
        for _ in range(_STEPS):
            exponents = self._logs + self._A * n[:, None] + self._B * root[:, None]
            largest = exponents.max(axis=1)
            shares = np.exp(exponents - largest[:, None])
            total = shares.sum(axis=1)
            root -= (largest + np.log(total) - delta.log_inverse) / (shares @ self._B / total)
        found = np.ceil(root - 1e-9).astype(np.int64)
        leads: Integers = found + (found - n.astype(np.int64)) % 2
        return leads


def rule_of(prior: Prior, delta: Confidence) -> Rule:
    """Return when the test with this prior ends: an arm leads by the stopping lead."""
    known = np.full(1, 2)

    def lead(n: int) -> int:
        nonlocal known
        if n >= len(known):
            block = np.arange(len(known), len(known) + _BLOCK, dtype=np.float64)
            known = np.append(known, prior.leads(block, delta))
        return int(known[n])

    return Rule(lambda n: (n + lead(n) + 1) // 2, lambda n: (n - lead(n)) // 2)


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

LEVELS = ("1/10", "1e-6")
GAPS = ("0.4", "0.2", "0.1", "0.05", "0.02", "0.01")
_PLAYED_GAP = Fraction(1, 1000)
_RUNS = 4000


def wald(delta: Confidence, gap: Fraction) -> float:
    """Return ``log(1/delta)`` over the divergence of a pair of that gap from a fair coin."""
    p, q = float(HALF + gap), float(HALF - gap)
    return delta.log_inverse / (p * log(2 * p) + q * log(2 * q))


def over_wald(name: str, level: str, gap: str) -> float:
    """Return a match's exact mean over Wald's bound; infinite if no likelihood ratio grows."""
    delta, excess = Confidence.of(level), Fraction(gap)
    if not PRIORS[name].ends(float(excess)):
        return inf
    p, most = HALF + excess, ceil((delta.log_inverse + 60) / (2 * excess**2))
    laws = MixtureTestLaws()  # of the uniform prior; P(another match takes ``most`` duels) < 1e-6
    rule = rule_of(PRIORS[name], delta)
    found = laws.law(delta, p) if name == UNIFORM else verdict_law(rule, p, most)
    return found.mean.middle / wald(delta, excess)


def played_over_wald(name: str, level: str) -> float:
    """Return the mean of simulated matches over Wald's bound, at a gap too small for the laws.

    The test is evaluated every b duels only, which lengthens a match by a few thousandths. The
    standard error is about a hundredth.
    """
    delta, gap = Confidence.of(level), float(_PLAYED_GAP)
    if not PRIORS[name].ends(gap):
        return inf
    b, rng = ceil(1 / (1600 * gap**2)), np.random.default_rng(0)
    wins, lengths, n = np.zeros(_RUNS, np.int64), np.zeros(_RUNS), 0
    going = np.ones(_RUNS, np.bool_)
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
