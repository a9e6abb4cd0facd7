"""Errors: the largest share of a level that is actually spent.

DuelTest and BudgetedDuelTest err less often than their level, and TreeAscent spends only half of
its level. In a tournament or an epoch errors add up like levels, so a test's share is also theirs.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from tgite.checked import checked
from tgite_checks.bounds.constants.totals import upper_end
from tgite_laws.balls import ball, log_integer_ball

_LEVELS = 64


@checked
def error_share(earliest: int = 12) -> Fraction:
    """Return the largest share of its level that DuelTest's error takes, over all levels: 1/24.

    No run of ``n < earliest`` duels stops, since n/2 <= log(2n(n+1)) < log(2n(n+1)/delta) there,
    and a wrong stop is one-sided. So the error is at most the sum of delta/(2n(n+1)) over n >=
    earliest, which is delta/(2 earliest). The share is 1 if a stop before ``earliest`` is not
    excluded.
    """
    for n in range(1, earliest):
        if not bool(ball(Fraction(n, 2)) <= log_integer_ball(2 * n * (n + 1))):
            return Fraction(1)
    return Fraction(1, 2 * earliest)


@checked
def budgeted_share(most: Fraction) -> Fraction:
    """Return the largest share that BudgetedDuelTest's error takes, at levels up to ``most``.

    Wrong early stops: if log(8n^2/most) >= 2n, b_n - g is at least 1/2 and nothing stops. So they
    have at most the sum of delta/(8n^2) over the other n. A wrong final majority is added.
    """
    level = -ball(most).log()
    n = 1
    squares = arb.pi() * arb.pi() / 6
    while not bool(log_integer_ball(8 * n * n) + level < 2 * n):
        squares -= 1 / arb(n * n)
        n += 1
    return upper_end(squares / 8 + majority_share(most))


@checked
def majority_share(most: Fraction) -> arb:
    """Return a share of delta that bounds a wrong (or tied) majority of all M duels, delta <= most.

    For a pair of gap g; a larger gap errs less. Let r = (1-2g)/(1+2g) be the ratio of the two
    probabilities. An outcome with d losses more than M/2 has probability C(M, M/2 + d) 2^-M (1 -
    4g^2)^(M/2) r^d. Binomial coefficients are at most 2^M sqrt(2/(pi M)), the powers of r sum to at
    most (1+2g)/(4g), (1-4g^2)^(M/2) <= exp(-2 M g^2) <= delta/4, and g sqrt(M) >=
    sqrt(log(4/delta)/2). Together this is at most delta/4 / sqrt(pi log(4/delta)).
    """
    return 1 / (4 * (arb.pi() * (log_integer_ball(4) - ball(most).log())).sqrt())


@checked
def tree_share(levels: int = _LEVELS) -> Fraction:
    """Return the share of epsilon that TreeAscent's own proof needs for one winner: a half.

    The winner enters at level h. Its block's tournament has h - 1 rounds (no match if h = 1) at
    beta_h = (epsilon/2) 2^(h-1)/(M-1), and L - h + 1 merges follow at eta = epsilon/(2L). So the
    share is half of 2^(h-1)/(M-1) + (L-h+1)/L, without the first term for h = 1; this sum must be
    at most 1. It is convex in h, so for L >= 3 the cases h = 2 and h = L decide: 2/(2^L - 1) <=
    1/L, and 1/2 + 1/(2(2^L-1)) + 1/L <= 1. For L = 2, h = 2 the only round has 6/pi^2 < 2/3 of the
    first term. All L up to ``levels`` are also checked.
    """
    for L in range(1, levels + 1):
        for h in range(1, L + 1):
            spent = Fraction(0) if h == 1 else Fraction(2 ** (h - 1), 2**L - 1)
            if h == 2:
                spent *= Fraction(2, 3)
            if spent + Fraction(L - h + 1, L) > 1:
                return Fraction(1)
    return Fraction(1, 2)
