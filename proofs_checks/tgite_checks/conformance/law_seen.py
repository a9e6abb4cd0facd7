"""In what samples differ most from a law, in words that help to find the mistake.

A description of what was seen, not another test: whether the law is rejected does not hang on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tgite import Arm
from tgite_checks.conformance.law_lattice import IMPOSSIBLE, Labels, Lattice
from tgite_checks.laws.boundary import Floats

_DIVISORS = (2, 3, 4, 5, 6, 7, 8, 16, 32, 64)
_SHOWN = 2
# Beside the most telling difference, what is half as telling is said too.
_HALF = 0.5
# What is less telling than this, of all samples together, is left to chance.
_STANDS_OUT = 8.0
# What is expected less often than this is as telling as this: the impossible is said apart.
_LEAST = 1e-6


@dataclass(frozen=True, slots=True)
class Difference:
    """``what`` was seen of one share of the samples, and is expected of another.

    ``telling`` is the Kullback-Leibler divergence between the two shares, times the samples.
    """

    what: str
    seen: float
    expected: float
    telling: float

    def __str__(self) -> str:
        """Write it for a reader."""
        return f"{self.what} (seen {_said(self.seen)}, expected {_said(self.expected)})"


def differences(
    lattice: Lattice, highest: Floats, seen: Labels, names: Mapping[Arm, str]
) -> tuple[Difference, ...]:
    """Return in what samples differ most from what is expected, the most telling first.

    ``seen`` counts the samples at each place, ``highest`` is what the law says of it,
    ``names`` are of answers that do not go by their number. Looked at are the answers, the counts'
    divisors, short and long runs, single counts, and runs that were cut.
    """
    samples = int(seen.sum())
    if samples == 0:
        return ()
    found = [
        Difference(what, float(s), float(e), samples * float(_divergence(s, e)))
        for what, s, e in _shares(lattice, seen / samples, highest / highest.sum(), names)
    ]
    found.sort(key=lambda one: -one.telling)
    least = max(_STANDS_OUT, _HALF * found[0].telling)
    return tuple(one for one in found[:_SHOWN] if one.telling >= least)


def _shares(
    lattice: Lattice, seen: Floats, expected: Floats, names: Mapping[Arm, str]
) -> Iterator[tuple[str, float, float]]:
    """Yield what may differ, with the shares seen and expected of it."""
    answered, counts = lattice.answered(), lattice.counts()
    for place, answer in enumerate(lattice.answers):
        here = answered == place
        yield names.get(answer, f"the answer {answer}"), seen[here].sum(), expected[here].sum()
    yield "answers that are none", seen[-2], expected[-2]
    if lattice.cut is not None:
        yield f"runs cut after {lattice.cut}", seen[-1], expected[-1]
    by_count = [np.bincount(counts[:-2], one[:-2]) for one in (seen, expected)]
    for divisor in _DIVISORS:
        for rest in range(divisor):
            s, e = (one[rest : lattice.end : divisor].sum() for one in by_count)
            what = f"counts that leave {rest} when divided by {divisor}"
            yield what if rest else f"counts divisible by {divisor}", s, e
    for what, of_each in (
        ("the count", by_count),
        ("counts of at most", [np.cumsum(one) for one in by_count]),
        ("counts of at least", [np.cumsum(one[::-1])[::-1] for one in by_count]),
    ):
        s, e = (one[: lattice.end] for one in of_each)
        best = int(np.argmax(_divergence(s, e)))
        yield f"{what} {best}", s[best], e[best]


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
