"""Errors: the largest ratio of an error probability to its level.

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
    """Return the largest ratio of DuelTest's error to its level, over all levels: 1/24.

    No run stops after ``n < earliest`` duels, since n/2 <= log(2n(n+1)) < log(2n(n+1)/delta) there.
    A wrong stop is on one side only. So the error is at most the sum of delta/(2n(n+1)) over
    n >= earliest, which is delta/(2 earliest). The result is 1 if a stop before ``earliest`` is not
    excluded.
    """
    for n in range(1, earliest):
        if not bool(ball(Fraction(n, 2)) <= log_integer_ball(2 * n * (n + 1))):
            return Fraction(1)
    return Fraction(1, 2 * earliest)


@checked
def budgeted_share(most: Fraction) -> Fraction:
    """Return the largest ratio of BudgetedDuelTest's error to its level, up to level ``most``.

    If log(8n^2/most) >= 2n, then b_n - g is at least 1/2, and no run stops after n duels. So wrong
    early stops have at most the sum of delta/(8n^2) over the other n. To this a wrong final
    majority is added.
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
    """Return a bound on P(a wrong or tied majority of all M duels) / delta, for delta <= most.

    The pair has gap g; a larger gap errs less. Let r = (1-2g)/(1+2g) be the ratio of the two
    probabilities. M/2 + d losses have probability C(M, M/2 + d) 2^-M (1 - 4g^2)^(M/2) r^d. Here

    - binomial coefficients are at most 2^M sqrt(2/(pi M));
    - the powers of r sum to at most (1+2g)/(4g);
    - (1-4g^2)^(M/2) <= exp(-2 M g^2) <= delta/4;
    - g sqrt(M) >= sqrt(log(4/delta)/2).

    Together this is at most delta/4 / sqrt(pi log(4/delta)).
    """
    return 1 / (4 * (arb.pi() * (log_integer_ball(4) - ball(most).log())).sqrt())


@checked
def tree_share(levels: int = _LEVELS) -> Fraction:
    """Return the share of epsilon that TreeAscent's own proof needs for one winner: a half.

    1. The winner enters at level h. Its block's tournament has h - 1 rounds (no match if h = 1) at
       beta_h = (epsilon/2) 2^(h-1)/(M-1). L - h + 1 merges follow at eta = epsilon/(2L).
    2. So the share is half of 2^(h-1)/(M-1) + (L-h+1)/L, without the first term for h = 1. This sum
       must be at most 1.
    3. It is convex in h. So for L >= 3 the cases h = 2 and h = L decide: 2/(2^L - 1) <= 1/L, and
       1/2 + 1/(2(2^L-1)) + 1/L <= 1.
    4. For L = 2, h = 2 the only round has 6/pi^2 < 2/3 of the first term.

    All L up to ``levels`` are also checked.
    """
    for L in range(1, levels + 1):
        for h in range(1, L + 1):
            spent = Fraction(0) if h == 1 else Fraction(2 ** (h - 1), 2**L - 1)
            if h == 2:
                spent *= Fraction(2, 3)
            if spent + Fraction(L - h + 1, L) > 1:
                return Fraction(1)
    return Fraction(1, 2)
