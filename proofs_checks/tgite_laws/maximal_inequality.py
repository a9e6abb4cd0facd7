"""A stitched maximal inequality: the probability that a mean leaves the confidence radius late.

Consider independent outcomes with mean p, and ``M_n = S_n - n p``. By Hoeffding's lemma
``exp(x M_n - n x**2 / 8)`` is a supermartingale. So by Doob's inequality
``P(max of M_n for n <= b reaches m)`` is at most ``exp(-2 m**2 / b)``.

The mean leaves the radius where ``M_n >= n c(n, delta) = sqrt(n L_n / 2)``, with the increasing
``L_n = log(2n(n+1)/delta)``. Within a block ``a <= n <= b`` this happens, on either side, with
probability at most ``2 exp(-L_a a / b)``. Blocks of relative length ``1/L_a`` give a sum beyond n
of the order ``delta L_n / n**2``. The union bound of ``lem:app-anytime-cs`` gives ``delta / n``.
"""

from __future__ import annotations

from math import exp, inf, log

from tgite.confidence import Confidence
from tgite_laws.match_law import Remainder

# Every float below is a sum of positive terms with far smaller rounding errors than this factor.
# It also covers a test that stops by floats, at n where no decision was certified.
_OUTWARD = 1.0 + 1e-8
# Upper bound on the sum of all terms that are too small for floats.
_LOST = 2.0**-1000
_BLOCKS_UP_TO = 1e6


def late_crossing(delta: Confidence, n: int) -> Remainder:
    """Bound ``P(|mean - p| >= c(n', delta) for some n' > n)`` for every p.

    ``duels`` bounds the expectation of the first such ``n'`` on the event that there is one. The
    bound on its square is infinite.
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
    # From a on, L >= 19. So every block has b < 1.06 a and L a / b >= L - 1, and is crossed with
    # probability at most e delta / a**2. The block's length is at least a / L. So the sum of b
    # times these probabilities is at most 1.4 e delta times the integral of L / a**2, which is
    # below (L + 2.1) / a.
    L = log(2 * a * (a + 1)) + delta.log_inverse
    rest = 1.4 * exp(1 - delta.log_inverse) * (L + 2.1) / a
    return Remainder(
        (probability + rest) * _OUTWARD + _LOST, (duels + rest) * _OUTWARD + _LOST, inf
    )
