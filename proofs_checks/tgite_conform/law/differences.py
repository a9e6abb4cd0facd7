"""Describes what differs most between samples and a law; this is a hint, not another test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tgite import Arm
from tgite_conform.law.lattice import IMPOSSIBLE, Labels, Lattice
from tgite_laws.boundary import Floats

_DIVISORS = (2, 3, 4, 5, 6, 7, 8, 16, 32, 64)
_SHOWN = 2
# Differences at least half as strong as the strongest one are reported, too.
_HALF = 0.5
# Weaker differences than this, over all samples, are taken for chance.
_STANDS_OUT = 8.0
# Expected shares are taken to be at least this; impossible samples are reported separately.
_LEAST = 1e-6


_Share: TypeAlias = tuple[str, float, float]
"""A description of a share, the share seen, and the share expected."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A share of the samples: the share seen and the share expected.

    ``telling`` is the Kullback-Leibler divergence between the two, times the number of samples.
    """

    what: str
    seen: float
    expected: float
    telling: float

    def __str__(self) -> str:
        """Return the text for a reader."""
        return f"{self.what} (seen {_said(self.seen)}, expected {_said(self.expected)})"


def differences(
    lattice: Lattice, highest: Floats, seen: Labels, names: Mapping[Arm, str]
) -> tuple[Difference, ...]:
    """Return the largest differences between the samples ``seen`` and the law, in order.

    It compares answers, residues of the count, single counts, short runs and long runs.
    """
    samples = int(seen.sum())
    if samples == 0:
        return ()
    shares = seen / samples, highest / highest.sum()
    counts = lattice.counts()[:-2]
    numbers = [np.bincount(counts, one[:-2]).astype(np.float64)[: lattice.end] for one in shares]
    rising = [np.cumsum(one) for one in numbers]
    falling = [one.sum() - total + one for one, total in zip(numbers, rising, strict=True)]
    found = []
    for sort in (
        _answers(lattice, *shares, names),
        _divisors(*numbers),
        _single("the count", *numbers),
        _single("counts of at most", *rising),
        _single("counts of at least", *falling),
    ):
        # A share below expectation only repeats that the other shares are above it.
        told = [
            Difference(what, s, e, samples * float(_divergence(s, e)))
            for what, s, e in sort
            if s > e
        ]
        found += sorted(told, key=lambda one: -one.telling)[:1]
    found.sort(key=lambda one: -one.telling)
    return tuple(
        one for one in found[:_SHOWN] if one.telling >= max(_STANDS_OUT, _HALF * found[0].telling)
    )


def _answers(
    lattice: Lattice, seen: Floats, expected: Floats, names: Mapping[Arm, str]
) -> Iterator[_Share]:
    """Yield the shares of each answer, of other answers, and of runs that were cut."""
    answered = lattice.answered()
    for place, answer in enumerate(lattice.answers):
        here = answered == place
        name = names.get(answer, f"the answer {answer}")
        yield name, float(seen[here].sum()), float(expected[here].sum())
    yield "an answer that is not an arm", float(seen[-2]), float(expected[-2])
    yield f"runs cut after {lattice.cut}", float(seen[-1]), float(expected[-1])


def _divisors(seen: Floats, expected: Floats) -> Iterator[_Share]:
    """Yield the shares of the counts by their residues modulo some numbers."""
    for divisor in _DIVISORS:
        for rest in range(divisor):
            s, e = (float(one[rest::divisor].sum()) for one in (seen, expected))
            what = f"counts that leave {rest} when divided by {divisor}"
            yield what if rest else f"counts divisible by {divisor}", s, e


def _single(what: str, seen: Floats, expected: Floats) -> Iterator[_Share]:
    """Yield the entry in which the share seen most exceeds the expected one."""
    if len(seen):
        best = int(np.argmax(np.where(seen > expected, _divergence(seen, expected), 0.0)))
        yield f"{what} {best}", float(seen[best]), float(expected[best])


def _divergence(seen: npt.ArrayLike, expected: npt.ArrayLike) -> Floats:
    """Return the Kullback-Leibler divergence between the shares seen and those expected."""
    s = np.clip(np.asarray(seen, np.float64), 0, 1)
    e = np.clip(np.asarray(expected, np.float64), 0, 1)
    return _part(s, e) + _part(1 - s, 1 - e)


def _part(s: Floats, e: Floats) -> Floats:
    parts: Floats = s * np.log(np.maximum(s, _LEAST) / np.maximum(e, _LEAST))
    return parts


def _said(share: float) -> str:
    if share < IMPOSSIBLE:
        return "never"
    return "hardly ever" if share < _LEAST else f"{100 * share:.3g}%"
