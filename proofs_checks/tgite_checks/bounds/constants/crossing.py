"""The least expected duration of DuelTest, for gaps too small to compute a law.

Let L = log(1/gap), and f(n) = sqrt(2n log(2n(n+1)/delta)).

1. The test continues while the lead |2S - n| is below f(n).
2. The lead exceeds the drift 2 gap n by x somewhere up to n = b with probability at most
   2 exp(-x^2/(2b)) (Hoeffding's lemma and Doob's inequality, both sides).
3. So the test ends within a block a <= n <= b with probability at most
   2 exp(-(f(a) - 2 gap b)^2/(2b)), if f(a) > 2 gap b.
4. These probabilities are summed over blocks up to n2, and E[tau] >= (1 - P(tau <= n2)) n2.

In the scale y = gap^2 n, there are two kinds of blocks:

- From n = 1 to y = y1 they have b = 2a. If 8 y1 <= k^2 (log(2 y1^2/delta) + 4L), then
  2 gap b <= k f(a) in each, because a/log(2a(a+1)/delta) increases if delta <= 1/e. Since
  f(a)^2 >= 2a log(2a^2/delta), the probabilities sum to at most 2 (2/delta)^-q/(1 - 4^-q), with
  q = (1-k)^2/2.
- From y1 to y2 they have b = (1 + 1/128) a, and are summed one by one.

As gap -> 0 the bound tends to 2 L/gap^2, the limit of the upper bound in :mod:`.lines`.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from tgite.checked import checked
from tgite_laws.balls import ball, log_integer_ball

_DRIFT = Fraction(1, 10)
_BLOCK = 1 + Fraction(1, 128)
_SPARE = 40
"""The exponent required in the last block."""


@checked
def slow_test(L: arb, log_inverse: arb) -> arb:
    """Bound ``gap^2 E[tau]`` from below; ``L`` is log(1/gap), ``log_inverse`` log(1/delta).

    It holds for every pair of that gap. The lower end of the ball is the bound. ``log_inverse``
    must be at least 1.
    """
    if not bool(log_inverse >= 1):
        raise ArithmeticError("the level is too large for the doubling blocks")
    k = ball(_DRIFT)
    y = k * k * L / 4
    # For a large L this is about half of the allowed value.
    logs = log_integer_ball(2) + 2 * y.log() + 4 * L + log_inverse
    if not bool(8 * y <= k * k * logs):
        raise ArithmeticError("the doubling blocks reach too far")
    q = (1 - k) ** 2 / 2
    early = (
        2
        * (-q * (log_integer_ball(2) + log_inverse)).exp()
        / (1 - (-q * log_integer_ball(4)).exp())
    )
    growth = ball(_BLOCK)
    while True:
        end = y * growth
        boundary = (2 * y * (log_integer_ball(2) + 2 * y.log() + 4 * L + log_inverse)).sqrt()
        margin = boundary - 2 * end
        if not bool(margin > 0) or not bool(margin * margin / (2 * end) > _SPARE):
            break
        early += 2 * (-margin * margin / (2 * end)).exp()
        y = end
    return y * (1 - early)
