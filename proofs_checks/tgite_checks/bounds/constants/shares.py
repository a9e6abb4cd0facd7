"""Errors: what share of a level is really spent, at most.

DuelTest and BudgetedDuelTest err less often than their level says, and TreeAscent spends only half
of its own. Along a tournament, or an epoch, errors add up like levels, so that a test's share is
theirs too.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from tgite.checked import checked
from tgite_checks.bounds.constants.bills import upper_end
from tgite_laws.balls import ball, log_integer_ball

_LEVELS = 64


@checked
def error_share(earliest: int = 12) -> Fraction:
    """Return what share of its level DuelTest's error is at most, at every level: 1/24.

    No run of ``n < earliest`` duels stops, n/2 <= log(2n(n+1)) < log(2n(n+1)/delta) for these; and
    a wrong stop is one-sided. So the error is at most the sum of delta/(2n(n+1)) over n >=
    earliest, which is delta/(2 earliest). All of the level if a stop before ``earliest`` is not
    excluded.
    """
    for n in range(1, earliest):
        if not bool(ball(Fraction(n, 2)) <= log_integer_ball(2 * n * (n + 1))):
            return Fraction(1)
    return Fraction(1, 2 * earliest)


@checked
def budgeted_share(most: Fraction) -> Fraction:
    """Return what share of its level BudgetedDuelTest's error is at most, at levels up to ``most``.

    Wrong early stops: where log(8n^2/most) >= 2n, b_n - g is at least 1/2 and nothing stops; so
    they have at most the sum of delta/(8n^2) over the other n. Besides, a wrong majority of all.
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
    """Return what share of delta bounds a wrong (or tied) majority of all M duels, delta <= most.

    For a pair of gap g; one of a greater gap errs less. With r = (1-2g)/(1+2g), the quotient of the
    two probabilities, an outcome with d losses more than M/2 has probability
    C(M, M/2 + d) 2^-M (1 - 4g^2)^(M/2) r^d. Binomial coefficients are at most 2^M sqrt(2/(pi M)),
    the powers of r sum to at most (1+2g)/(4g), (1-4g^2)^(M/2) <= exp(-2 M g^2) <= delta/4, and
    g sqrt(M) >= sqrt(log(4/delta)/2): together delta/4 / sqrt(pi log(4/delta)) at most.
    """
    return 1 / (4 * (arb.pi() * (log_integer_ball(4) - ball(most).log())).sqrt())


@checked
def tree_share(levels: int = _LEVELS) -> Fraction:
    """Return what share of epsilon TreeAscent's own proof needs for one winner: a half.

    The winner enters at level h: its block's tournament has h - 1 rounds (no match if h = 1) at
    beta_h = (epsilon/2) 2^(h-1)/(M-1), and L - h + 1 merges follow at eta = epsilon/(2L). So the
    share is half of 2^(h-1)/(M-1) + (L-h+1)/L, without the first term for h = 1, and it is to be
    shown that this is at most 1. It is convex in h, so that for L >= 3 h = 2 and h = L decide:
    2/(2^L - 1) <= 1/L, and 1/2 + 1/(2(2^L-1)) + 1/L <= 1. For L = 2, h = 2 the only round has
    6/pi^2 < 2/3 of the first term. All L up to ``levels`` are checked besides.
    """
    for L in range(1, levels + 1):
        for h in range(1, L + 1):
            spent = Fraction(0) if h == 1 else Fraction(2 ** (h - 1), 2**L - 1)
            if h == 2:
                spent *= Fraction(2, 3)
            if spent + Fraction(L - h + 1, L) > 1:
                return Fraction(1)
    return Fraction(1, 2)
