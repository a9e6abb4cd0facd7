"""How likely a mean leaves the confidence radius late: a stitched maximal inequality.

For independent outcomes with mean p and ``M_n = S_n - n p``, Hoeffding's lemma makes ``exp(x M_n -
n x**2 / 8)`` a supermartingale, so that by Doob ``P(max of M_n for n <= b reaches m)`` is at most
``exp(-2 m**2 / b)``. The radius asks ``M_n >= n c(n, delta) = sqrt(n L_n / 2)`` with ``L_n =
log(2n(n+1)/delta)``, which increases: within a block ``a <= n <= b`` it is crossed, on either side,
with probability at most ``2 exp(-L_a a / b)``. With blocks of relative length ``1/L_a`` the sum
over all blocks beyond n is of the order ``delta L_n / n**2``, where the union bound of
``lem:app-anytime-cs`` gives ``delta / n``.
"""

from __future__ import annotations

from math import exp, inf, log

from tgite.confidence import Confidence
from tgite_laws.match_law import Remainder

# Every float below is a sum of positive terms with far smaller rounding errors than this; and so is
# what it matters that a test stops by floats, for n whose decisions nobody has certified.
_OUTWARD = 1.0 + 1e-8
# Terms too small for floats are smaller than this altogether.
_LOST = 2.0**-1000
_BLOCKS_UP_TO = 1e6


def late_crossing(delta: Confidence, n: int) -> Remainder:
    """Bound, for some ``n' > n``, ``P(|mean - p| >= c(n', delta))``, whatever p is.

    ``duels`` bounds the expectation of the first such ``n'`` on the event that there is one; its
    square has no bound (infinite).
    """
    start = n + 1
    probability = duels = 0.0
    a = start
    while a < _BLOCKS_UP_TO * start or a < 10**4:
        L = log(2 * a * (a + 1)) + delta.log_inverse
        b = int(a * (1 + 1 / L))
        crossing = 2 * exp(-L * a / b)
        probability += crossing
        duels += b * crossing
        a = b + 1
    # From a on: L >= 19, so that every block has b < 1.06 a and L a / b >= L - 1, whence a crossing
    # of at most e delta / a**2; and a / L is at most the block's length. So b times it, summed, is
    # at most 1.4 e delta times the integral of L / a**2, which is below (L + 2.1) / a.
    L = log(2 * a * (a + 1)) + delta.log_inverse
    rest = 1.4 * exp(1 - delta.log_inverse) * (L + 2.1) / a
    return Remainder(
        (probability + rest) * _OUTWARD + _LOST, (duels + rest) * _OUTWARD + _LOST, inf
    )
