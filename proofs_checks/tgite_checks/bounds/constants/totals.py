"""Whole algorithms: how many tests they pay for, and the sum of log(1/level) over these tests.

All bounds of :mod:`.lines` are straight lines in log(1/level). So only two totals of an algorithm's
tests matter, here per arm (divided by N): its :class:`Totals`. Both are bounded for every number of
arms, every tree and every run of the algorithm.

*BKT.* Let q = m - 1 be the matches on m arms. In round r or later, floor(q/2^(r-1)) of them are
played, at most q/2^(r-1). Since log r increases, sum K_r log r <= q sum log(r)/2^r, with equality
in the limit. Per match, the rounds' levels add LOG_ROUNDS = log(pi^2/6) + 2 sum log(r)/2^r =
1.513... to log(1/delta).

*TreeAscent.* A block of k arms has k - 1 matches and a merge.

1. A match of block h, of capacity 2^(h-1) = M/2^j, adds to log(1/epsilon)
   log 2 + log((M-1)/2^(h-1)) + LOG_ROUNDS < (j+1) log 2 + LOG_ROUNDS. A merge adds log(2L).
2. Suppose first that merges pay like matches. A smaller block adds more per match, and N > M/2. So
   the worst case has all blocks below the last full. With n arms in the last block this is
   N (log 2 + LOG_ROUNDS) + log 2 (3 M/2 - L - 2 + n)
   <= N (4 log 2 + LOG_ROUNDS) - (L + 2) log 2.
3. A match adds at least j log 2 + LOG_ROUNDS. So a merge pays more than a match by at most
   x - (j-1) log 2 with x = log L - LOG_ROUNDS.
4. Summed over all j where this is positive, it is at most x^2/log 2 + x, which is below
   (L + 2) log 2 for every L.

So 4 log 2 + LOG_ROUNDS per arm suffices for every N and every tree. It is the limit at N = 2^k + 1
with all byes in the last block. For small N the worst tree is found exactly.

*ScreenAndReplace.* At most N - 2 screenings cost regret, and N - 1 matches of the replacement. If
the incumbent is the winner, |B| matches do, with E|B| <= (N - 1) rho times the share of errors.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from flint import arb, ctx, fmpz

from tgite.checked import checked
from tgite_laws.balls import ball, log_integer_ball

_ROUNDS = 128
_EPOCHS = 64
_LEVELS = 64


@dataclass(frozen=True, slots=True)
class Totals:
    """Per arm: at most ``tests`` tests are paid, and log(1/level) sums to at most ``logs``.

    ``at_level`` of the tests have a level that is an argument of the algorithm times a constant.
    Their log(1/argument) is added to ``logs``.
    """

    tests: arb
    logs: arb
    at_level: arb = field(default_factory=arb)

    def plus(self, other: Totals) -> Totals:
        """Add the totals of another part."""
        return Totals(
            self.tests + other.tests, self.logs + other.logs, self.at_level + other.at_level
        )

    def times(self, factor: Fraction) -> Totals:
        """Return the totals of a part that is played with probability at most ``factor``."""
        p = ball(factor)
        return Totals(self.tests * p, self.logs * p, self.at_level * p)

    def at(self, log_inverse: arb) -> Totals:
        """Return the totals with ``log(1/argument) = log_inverse`` inserted."""
        return Totals(self.tests, self.logs + self.at_level * log_inverse)


@checked
def log_rounds() -> arb:
    """Return a ball around LOG_ROUNDS, which BKT's rounds add to log(1/delta) per match."""
    total = sum((log_integer_ball(r) / fmpz(2) ** r for r in range(2, _ROUNDS)), arb(0))
    # log r <= r, and the sum of r/2^r from R on is (R + 1)/2^(R-1).
    rest = ball(Fraction(_ROUNDS + 1, 2 ** (_ROUNDS - 1)))
    return (arb.pi() * arb.pi() / 6).log() + 2 * (total + rest.union(arb(0)))


@checked
def single_totals() -> Totals:
    """Return the totals of one test at level delta (of one "arm")."""
    return Totals(arb(1), arb(0), arb(1))


@checked
def bkt_totals(per_match: arb | None = None) -> Totals:
    """Return the totals of BKT at level delta; ``per_match`` replaces LOG_ROUNDS."""
    return Totals(arb(1), log_rounds() if per_match is None else per_match, arb(1))


@checked
def tree_totals(leaves_as_arms: bool = False) -> Totals:
    """Return the totals of TreeAscent at level epsilon, for every N and every tree.

    They are infinite if the step about merges does not hold. With ``leaves_as_arms`` they are the
    larger totals of the paper's proof, in which all M - 1 < 2N leaves pay.
    """
    log_2 = log_integer_ball(2)
    if leaves_as_arms:
        return Totals(arb(2), 2 * (3 * log_2 + log_rounds()), arb(2))
    if not merges_pay_enough():
        return Totals(arb("inf"), arb("inf"))
    return Totals(arb(1), 4 * log_2 + log_rounds(), arb(1))


@functools.cache
@checked
def merges_pay_enough(most: int = _LEVELS) -> bool:
    """Check the step about merges in TreeAscent's totals, for every L.

    The step is x^2/log 2 + x <= (L + 2) log 2 where ``x = log L - LOG_ROUNDS`` is positive. Balls
    decide it up to L = ``most``. From there on x <= log L, and (log L)^2/log 2 + log L grows by
    less than log 2 from each L to the next.
    """
    log_2 = log_integer_ball(2)
    for L in range(1, most + 1):
        x = log_integer_ball(L) - log_rounds()
        if not bool(x <= 0) and not bool(x * x / log_2 + x <= (L + 2) * log_2):
            return False
    log_L = log_integer_ball(most)
    growth = (2 * log_L / log_2 + 1) / most
    return bool(log_L * log_L / log_2 + log_L <= (most + 2) * log_2) and bool(growth <= log_2)


@functools.cache
@checked
def worst_trees(most: int) -> Sequence[Fraction]:
    """Return, for N = 0..most, the greatest sum of logs over TreeAscent's tests, over all trees.

    The values (0 for N < 2) are upper ends. They come from a table over the blocks: the worst way
    to put n arms into the first h blocks.
    """
    found = [Fraction(0)] * (most + 1)
    with ctx.workprec(96):
        for L in range(1, (most - 1).bit_length() + 1):
            table = _worst_blocks(L)
            for N in range(2 ** (L - 1) + 1, min(2**L, most) + 1):
                found[N] = table[N - 1]
    return tuple(found)


def _worst_blocks(L: int) -> list[Fraction]:
    """Return the greatest sum of logs, at height L, with n = 0..2^L - 1 arms in the blocks."""
    per_round, merge = upper_end(log_rounds()), upper_end(log_integer_ball(2 * L))
    M = 2**L
    table = [Fraction(0)]
    for h in range(1, L + 1):
        capacity = 2 ** (h - 1)
        match = per_round + upper_end(ball(Fraction(2 * (M - 1), capacity)).log())
        pays = [Fraction(0), *((k - 1) * match + merge for k in range(1, capacity + 1))]
        reach = len(table) + capacity
        table = [
            max(table[n - k] + pays[k] for k in range(capacity + 1) if 0 <= n - k < len(table))
            for n in range(reach)
        ]
    return table


@checked
def upper_end(value: arb) -> Fraction:
    """Return a multiple of 2^-32 that is at least ``value``."""
    least = int(float(value.mid()) * 2**32) - 1
    while not bool(value <= ball(Fraction(least, 2**32))):
        least += 1
    return Fraction(least, 2**32)


@checked
def epoch_levels(log_inverse: arb) -> tuple[Totals, Totals]:
    """Return an epoch's totals at rho = kappa: with a wrong incumbent, and per false beater."""
    screening = Totals(arb(1), log_inverse)
    replacement = Totals(arb(1), log_inverse + log_rounds())
    return screening.plus(replacement), replacement


@checked
def tail_totals(first_wrong: Fraction, share: Fraction) -> Totals:
    """Return the totals of all epochs; the first begins wrong with probability ``first_wrong``.

    ``share`` bounds a test's error, as a multiple of its level. Epoch s has rho = kappa = 4^-(s+2)
    and begins wrong with probability at most ``share (rho + kappa)`` of the epoch before.
    """
    log_4 = log_integer_ball(4)
    totals = Totals(arb(0), arb(0))
    for s in range(1, _EPOCHS):
        wrong, per_beater = epoch_levels((s + 2) * log_4)
        p = first_wrong if s == 1 else 2 * share * Fraction(1, 4 ** (s + 1))
        totals = totals.plus(wrong.times(p)).plus(
            per_beater.times(share * Fraction(1, 4 ** (s + 2)))
        )
    # Epoch s pays less than 4^-s (2s + 4) tests, and logs; their sum from S on is less than this.
    rest = ball(Fraction(16 * (2 * _EPOCHS + 6), 4**_EPOCHS)).union(arb(0))
    return Totals(totals.tests + rest, totals.logs + rest)


@dataclass(frozen=True, slots=True)
class Arms:
    """The numbers of arms from ``N`` to ``last``; if ``last`` is ``None``, all from ``N`` on.

    ``totals`` bounds TreeAscent's totals per arm, for each of these numbers.
    """

    N: int
    last: int | None
    totals: Totals

    def __str__(self) -> str:
        """Name the numbers."""
        if self.last is None:
            return f"N >= {self.N}"
        return f"N = {self.N}" + (f"..{self.last}" if self.last > self.N else "")


@checked
def all_arms(exactly_to: int) -> Iterator[Arms]:
    """Return every number of arms: each up to ``exactly_to`` alone, all others as one group."""
    for N, logs in enumerate(worst_trees(exactly_to)):
        if N >= 2:
            yield Arms(N, N, _within(N, logs / N))
    yield Arms(exactly_to + 1, None, tree_totals())


@checked
def heights_of_arms(highest: int) -> Iterator[Arms]:
    """Return every number of arms: a group for each height L to ``highest``, one for all others."""
    worst = worst_trees(2**highest)
    for L in range(1, highest + 1):
        first, last = 2 ** (L - 1) + 1, 2**L
        yield Arms(first, last, _within(last, max(worst[N] / N for N in range(first, last + 1))))
    yield Arms(2**highest + 1, None, tree_totals())


def _within(last: int, logs: Fraction) -> Totals:
    tests = ball(Fraction(last - 1, last))
    return Totals(tests, ball(logs), tests)
