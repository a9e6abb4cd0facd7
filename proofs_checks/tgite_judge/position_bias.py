"""Position bias: how often the item shown first is preferred, whatever the items.

If the order of showing is drawn at random, a judge without bias prefers the item shown first in
half of its answers. So the share of such answers measures the bias, and random orders keep the bias
from favouring an item: the better item still wins more than half of its comparisons.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import exp, log

from tgite_judge.journal import Question, Record
from tgite_judge.replies import Said

INTERVAL_ERROR = 0.05
"""A bound on the probability that the interval of the bias is ever wrong."""
STOPPING_ERROR = Fraction(1, 100)
"""A bound on the probability to stop, ever, a judge that does not follow the position."""
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
        answers' chances at all times at once, even if these differ.
        """
        n, k = self.answers, self.first
        if n == 0:
            return 0.5, 0.0, 1.0
        return k / n, _least_mean(n, k), 1 - _least_mean(n, n - k)

    def follow(self) -> bool:
        """Return whether the answers follow the position and not the items.

        The hypothesis tested is: each answer, given those before it, prefers either position with
        probability at most ``FOLLOWING``.
        """
        n, p = self.answers, float(FOLLOWING)
        evidence = (_evidence(n, k, p) for k in (self.first, n - self.first))
        return max(evidence) >= 2 / STOPPING_ERROR


def _evidence(n: int, k: int, p: float) -> float:
    """Return the evidence, from k of n answers, that the mean of their chances is above p.

    If it is not, ``exp(x k) / (1 - p + p exp(x))**n`` is for each x > 0 a supermartingale that
    begins at 1, because the logarithm of the divisor is concave in p. So is the average over
    several x, which reaches ``2/error`` with probability at most ``error/2``, on each side.
    """
    powers = (x * k - n * log(1 - p + p * exp(x)) for x in _TILTS)
    # Capped, so that no exponential overflows; 100 is far above the threshold.
    return sum(exp(min(power, 100.0)) for power in powers) / len(_TILTS)


def _least_mean(n: int, k: int) -> float:
    """Return the lower end of the interval for the mean chance, given k of n answers."""
    low, high = 0.0, k / n
    for _ in range(40):
        middle = (low + high) / 2
        enough = _evidence(n, k, middle) >= 2 / INTERVAL_ERROR
        low, high = (middle, high) if enough else (low, middle)
    return low
