"""Position bias: how often the item shown first is preferred, whatever the items.

If the order of showing is drawn at random, a judge without bias prefers the item shown first in
half of its answers. So the share of such answers measures the bias, and random orders keep the bias
from favouring an item: the better item still wins more than half of its comparisons.

If two items are always shown in the same order, the share measures nothing: a judge that prefers a
position looks the same as items that are listed in the order of their quality.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, exp, log

from tgite_judge.journal import Question, Record
from tgite_judge.replies import Said

INTERVAL_ERROR = 0.05
"""A bound on the probability that the bias's interval is ever wrong, whenever it is read."""

STOPPING_ERROR = Fraction(1, 100)
"""A bound on the probability, over a whole run, to stop a judge that does not follow the
position."""

FOLLOWING = Fraction(9, 10)
"""A judge that prefers one position with at least this probability follows the position."""

_TILTS = tuple(2.0**k for k in range(-4, 4))


@dataclass(slots=True)
class PositionBias:
    """How often the item shown first was preferred, ``first`` of ``answers``.

    Only the first answer without a tie to each question counts, because with both orders the order
    of the second answer is not random.
    """

    answers: int = 0
    first: int = 0
    _counted: set[Question] = field(default_factory=set, repr=False, compare=False)

    def add(self, record: Record) -> None:
        """Count one more answer, unless one to the same question was counted."""
        if record.said is not Said.TIE and record.question not in self._counted:
            self._counted.add(record.question)
            self.answers += 1
            self.first += record.said is Said.FIRST

    def share(self) -> tuple[float, float, float]:
        """Return the share of answers for the first position, and the ends of its interval.

        With probability at least ``1 - INTERVAL_ERROR`` the interval contains the mean of the
        answers' chances at all times at once, even if these differ. The reason: for a mean of p and
        each x, ``exp(x k) / (1 - p + p exp(x))**n`` is a supermartingale that begins at 1, because
        the logarithm of the divisor is concave in p. So is the average over several x, which
        reaches ``2/INTERVAL_ERROR`` with probability at most ``INTERVAL_ERROR/2``, on each side.
        """
        n, k = self.answers, self.first
        if n == 0:
            return 0.5, 0.0, 1.0
        return k / n, _least_mean(n, k), 1 - _least_mean(n, n - k)

    def follow(self) -> bool:
        """Return whether the answers follow the position and not the items.

        The hypothesis tested is: each answer, given those before it, prefers either position with
        probability at most ``FOLLOWING``. The evidence against it is a likelihood ratio averaged
        over larger chances: half of the weight on 1, half spread evenly. Under the hypothesis the
        evidence for each position is a supermartingale that begins at 1, so either one ever reaches
        ``2/STOPPING_ERROR`` with probability at most ``STOPPING_ERROR`` in all.
        """
        return any(
            _evidence(self.answers, k) >= 2 / STOPPING_ERROR
            for k in (self.first, self.answers - self.first)
        )


def _least_mean(n: int, k: int) -> float:
    """Return the lower end of the interval for the mean chance, given k of n answers."""

    def evidence(p: float) -> float:
        # Capped, so that no exponential overflows; 100 is far above the threshold.
        powers = (x * k - n * log(1 - p + p * exp(x)) for x in _TILTS)
        return sum(exp(min(power, 100.0)) for power in powers) / len(_TILTS)

    low, high = 0.0, k / n
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if evidence(middle) >= 2 / INTERVAL_ERROR else (low, middle)
    return low


def _evidence(n: int, k: int) -> Fraction:
    """Return the evidence, from k of n answers, for a preference above FOLLOWING.

    The average of a likelihood over the chances above ``f`` is a binomial tail: the integral of
    ``x**k (1-x)**(n-k)`` over x from f to 1 is ``P(Bin(n+1, f) <= k) / ((n+1) C(n, k))``.
    """
    a, b = FOLLOWING.numerator, FOLLOWING.denominator
    if k * b <= a * n:
        return Fraction(0)  # No probability above FOLLOWING explains such a share better.
    c = b - a
    above = sum(comb(n + 1, j) * a**j * c ** (n + 1 - j) for j in range(k + 1))
    spread = Fraction(above, c * (n + 1) * comb(n, k) * a**k * c ** (n - k))
    certain = Fraction(b, a) ** n if k == n else Fraction(0)
    return (certain + spread) / 2
