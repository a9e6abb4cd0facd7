"""The least expected duration of DuelTest, for gaps too small to compute a law.

Let L = log(1/gap). The test continues while the lead |2S - n| is below f(n) = sqrt(2n
log(2n(n+1)/delta)). The lead exceeds the drift 2 gap n by x somewhere up to n = b with probability
at most 2 exp(-x^2/(2b)) (Hoeffding's lemma and Doob's inequality, both sides). So a block a <= n <=
b of times ends the test with probability at most 2 exp(-(f(a) - 2 gap b)^2/(2b)), if f(a) > 2 gap
b. In the scale y = gap^2 n:

- from n = 1 to y = y1, blocks of b = 2a: 8 y1 <= k^2 (log(2 y1^2/delta) + 4L) makes 2 gap b <= k
  f(a) in all of them (a/log(2a(a+1)/delta) increases if delta <= 1/e), and the probabilities sum
  to at most 2 (2/delta)^-q/(1 - 4^-q), with q = (1-k)^2/2, since f(a)^2 >= 2a log(2a^2/delta);
- from y1 to y2, blocks of b = (1 + 1/128) a, summed one by one.

Then E[tau] >= (1 - P(tau <= n2)) n2. As gap -> 0 this tends to 2 L/gap^2, the limit of the upper
bound in :mod:`.lines`.
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

    For every pair of that gap. The lower end of the ball is the bound. ``log_inverse`` is at least
    1.
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
