"""Position bias: how often the item shown first is preferred, and who follows positions alone.

Where the order of showing is drawn at random, a judge without a bias prefers the item shown first
in half of its answers, whatever the items. So the share of such answers, over all questions, tells
the bias, and random orders keep it from favouring an item: what is left of the better item's chance
is the mean over both orders.

Where two items are always shown in one order, the share tells nothing of that kind: a judge that
follows the position looks the same as items that are listed in the order of their worth.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import comb, exp, log

from tgite_judge.journal import Asking, Question
from tgite_judge.replies import Said

ALPHA = 0.05
"""The interval of the bias misses with at most this probability, at whatever time it is read."""

STOPPING_ERROR = Fraction(1, 100)
"""The probability, over a whole run, to stop a judge whose answers do not follow the position."""

FOLLOWING = Fraction(9, 10)
"""Who prefers one position with at least this probability follows the position."""

_TILTS = tuple(2.0**k for k in range(-4, 4))


@dataclass(slots=True)
class Positions:
    """How often the item shown first was preferred, of the answers in which the order was random.

    Of each question the first answer that is no tie counts: the second of both orders does not have
    an order drawn for it.
    """

    answers: int = 0
    first: int = 0

    @staticmethod
    def of(askings: Iterable[Asking]) -> Positions:
        """Count the askings of a journal."""
        found, seen = Positions(), set[Question]()
        for asking in askings:
            found.add(asking, seen)
        return found

    def add(self, asking: Asking, seen: set[Question]) -> None:
        """Count one more asking, unless its question is among those ``seen`` before."""
        if asking.said is not Said.TIE and asking.question not in seen:
            seen.add(asking.question)
            self.answers += 1
            self.first += asking.said is Said.FIRST

    def share(self) -> tuple[float, float, float]:
        """Return the share of answers for the first position, with its interval.

        The interval holds the mean of the answers' chances at all times at once with probability
        at least ``1 - ALPHA``, however they differ: with a mean of p, ``exp(x k)`` over
        ``(1 - p + p exp(x))**n`` is at most a martingale from 1 on, for every x, since the
        logarithm of the divisor is concave in p; so is a mean over some x, which reaches
        ``2/ALPHA`` with probability at most ``ALPHA/2``, on either side.
        """
        n, k = self.answers, self.first
        if n == 0:
            return 0.5, 0.0, 1.0
        return k / n, _least_mean(n, k), 1 - _least_mean(n, n - k)

    def follow(self) -> bool:
        """Say whether the answers follow the position and not the items.

        It is a test of "each answer, given those before it, prefers either position with
        probability at most ``FOLLOWING``". The evidence against it is a likelihood ratio averaged
        over chances above: half of the weight on 1, half of it spread evenly. If the hypothesis
        is true the evidence is a supermartingale from 1 on, one for each position, so that either
        ever reaches ``2/STOPPING_ERROR`` with probability at most ``STOPPING_ERROR`` in all.
        """
        return any(
            _evidence(self.answers, k) >= 2 / STOPPING_ERROR
            for k in (self.first, self.answers - self.first)
        )


def _least_mean(n: int, k: int) -> float:
    """Return the least mean of n chances that k of n answers do not speak against."""

    def evidence(p: float) -> float:
        # Beyond a hundred it is enough, and no exponential overflows.
        powers = (x * k - n * log(1 - p + p * exp(x)) for x in _TILTS)
        return sum(exp(min(power, 100.0)) for power in powers) / len(_TILTS)

    low, high = 0.0, k / n
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if evidence(middle) >= 2 / ALPHA else (low, middle)
    return low


def _evidence(n: int, k: int) -> Fraction:
    """Return the evidence that a position preferred k times of n has a chance above FOLLOWING.

    The mean of a likelihood over the chances above ``f`` is a binomial tail: the integral of
    ``x**k (1-x)**(n-k)`` over x from f to 1 is ``P(Bin(n+1, f) <= k) / ((n+1) C(n, k))``.
    """
    a, b = FOLLOWING.numerator, FOLLOWING.denominator
    if k * b <= a * n:
        return Fraction(0)  # No chance above FOLLOWING makes such a share likelier: it is below 1.
    c = b - a
    above = sum(comb(n + 1, j) * a**j * c ** (n + 1 - j) for j in range(k + 1))
    spread = Fraction(above, c * (n + 1) * comb(n, k) * a**k * c ** (n - k))
    all_of_them = Fraction(b, a) ** n if k == n else Fraction(0)
    return (all_of_them + spread) / 2
