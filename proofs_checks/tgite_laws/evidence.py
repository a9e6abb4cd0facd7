"""MixtureTest's evidence along a path, in integers: for its laws and for margins of test cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

EVIDENCE_BITS = 128


def evidence_along(points: Iterable[tuple[int, int]]) -> Iterator[int]:
    """Yield ``r = (n+1) W(n, s)`` of MixtureTest for n duels and a lead 2s - n, point after point.

    The unit is ``2**-EVIDENCE_BITS``, and r is rounded down. From one point to the next, neither
    the wins nor the losses may decrease. A win changes r to ``2 r (s+1)/(n+1) + 1``, and a loss to
    ``2 r (n+1-s)/(n+1) - 1``.
    """
    one = 1 << EVIDENCE_BITS
    n, s, r = 0, 0, one
    for duels, lead in points:
        while n < duels:
            if 2 * s < duels + lead:
                r = 2 * r * (s + 1) // (n + 1) + one
                s += 1
            else:
                r = 2 * r * (n + 1 - s) // (n + 1) - one
            n += 1
        yield r
