"""What differs most between samples and a law, to help find the mistake. It is not another test."""

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
# Beside the most telling difference, what is half as telling is said too.
_HALF = 0.5
# What is less telling than this, of all samples together, is left to chance.
_STANDS_OUT = 8.0
# What is expected less often than this is as telling as this: the impossible is said apart.
_LEAST = 1e-6


_Share: TypeAlias = tuple[str, float, float]
"""What it is a share of, how much was seen, and how much is expected."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A share of the samples that was seen and another that is expected.

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
    """Return what differs most between the samples ``seen`` and the law, the most telling first.

    Looked at are answers, divisors of the count, single counts, short runs and long ones.
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
        # What is seen less often than expected only says that all else is seen more often.
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
    """Yield the shares of each answer, of none of them, and of the runs that were cut."""
    answered = lattice.answered()
    for place, answer in enumerate(lattice.answers):
        here = answered == place
        name = names.get(answer, f"the answer {answer}")
        yield name, float(seen[here].sum()), float(expected[here].sum())
    yield "an answer that is none", float(seen[-2]), float(expected[-2])
    yield f"runs cut after {lattice.cut}", float(seen[-1]), float(expected[-1])


def _divisors(seen: Floats, expected: Floats) -> Iterator[_Share]:
    """Yield the shares of the counts that leave each rest, when divided by some numbers."""
    for divisor in _DIVISORS:
        for rest in range(divisor):
            s, e = (float(one[rest::divisor].sum()) for one in (seen, expected))
            what = f"counts that leave {rest} when divided by {divisor}"
            yield what if rest else f"counts divisible by {divisor}", s, e


def _single(what: str, seen: Floats, expected: Floats) -> Iterator[_Share]:
    """Yield the most telling of such shares, one for each number."""
    if len(seen):
        best = int(np.argmax(np.where(seen > expected, _divergence(seen, expected), 0.0)))
        yield f"{what} {best}", float(seen[best]), float(expected[best])


def _divergence(seen: npt.ArrayLike, expected: npt.ArrayLike) -> Floats:
    """Return the Kullback-Leibler divergence of shares seen from shares expected."""
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
