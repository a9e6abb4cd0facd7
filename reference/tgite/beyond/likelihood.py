"""The likelihood of one gap against a fair coin (not in the paper).

After n duels of which an arm won s, and for a gap ``0 < g < 1/2``,

    L(n, s) = (1+2g)**s (1-2g)**(n-s)

is the likelihood ratio of ``p = 1/2 + g`` against a fair coin. Both bounds follow from Ville's
inequality (Wald 1945; Ville 1939):

* for an arm that is not the better one, L is a supermartingale that starts at 1, so that L ever
  reaches ``1/delta`` with probability at most ``delta``;
* for an arm that is better by g or more, 1/L is such a supermartingale, so that L ever falls to
  ``delta`` with probability at most ``delta``.
"""

from __future__ import annotations

import functools
from fractions import Fraction
from math import ceil, floor

from tgite.confidence import Confidence, log_inverse_enclosure
from tgite.exact import log_enclosure

_UNIT = 1 << 128
_DIGITS = 50


class Likelihood:
    """Where the likelihood of a gap reaches ``1/level``, and where it falls to ``level``, exactly.

    Both boundaries are linear in n: ``log L = s log((1+2g)/(1-2g)) - n log(1/(1-2g))``. Integers
    enclose the logarithms times ``2**128``. Where these do not decide, for example at equality,
    exact powers do.
    """

    def __init__(self, g: Fraction, level: Confidence) -> None:
        """Take the logarithms, for ``0 < g < 1/2`` and a rational level."""
        self._g, self._level = g, level.rational
        self._to_reach = _integers(*log_inverse_enclosure(level, _DIGITS))
        self._a_duel = _integers(*log_enclosure(1 / (1 - 2 * g), _DIGITS))
        self._a_win = _integers(*log_enclosure((1 + 2 * g) / (1 - 2 * g), _DIGITS))
        self._least: list[int] = []
        self._most: list[int] = []

    def least_wins(self, n: int) -> int:
        """Return the least s with ``L(n, s) >= 1/level``; it exceeds n if no ``s <= n`` will do."""
        while len(self._least) <= n:
            self._least.append(self._find_least(len(self._least)))
        return self._least[n]

    def most_wins(self, n: int) -> int:
        """Return the greatest s with ``L(n, s) <= level``; negative if no ``s >= 0`` will do."""
        while len(self._most) <= n:
            self._most.append(self._find_most(len(self._most)))
        return self._most[n]

    def _find_least(self, n: int) -> int:
        low = self._to_reach[0] + n * self._a_duel[0]
        high = self._to_reach[1] + n * self._a_duel[1]
        s, enough = -(-low // self._a_win[1]), -(-high // self._a_win[0])
        while s < enough and self._value(n, s) * self._level < 1:
            s += 1
        return s

    def _find_most(self, n: int) -> int:
        low = n * self._a_duel[0] - self._to_reach[1]
        high = n * self._a_duel[1] - self._to_reach[0]
        # Which denominator makes a quotient smaller depends on the sign of its numerator.
        least, s = min(low // a for a in self._a_win), max(high // a for a in self._a_win)
        while s > least and self._value(n, s) > self._level:
            s -= 1
        return s

    def _value(self, n: int, s: int) -> Fraction:
        return (1 + 2 * self._g) ** s * (1 - 2 * self._g) ** (n - s)


def _integers(low: Fraction, high: Fraction) -> tuple[int, int]:
    return floor(low * _UNIT), ceil(high * _UNIT)


@functools.lru_cache(maxsize=1024)
def likelihood(g: Fraction, level: Confidence) -> Likelihood:
    """Return the boundaries for ``0 < g < 1/2`` and a rational ``level``, from a cache."""
    return Likelihood(g, level)
