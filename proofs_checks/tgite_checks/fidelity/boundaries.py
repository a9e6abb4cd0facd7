"""Where the pairwise tests stop, decided for the real numbers by ball arithmetic.

After ``n`` duels, ``S`` won by its first argument, a test depends on the margin ``d = |2S - n|``
only. Each stopping rule says that ``d`` exceeds a real number. That number is enclosed in a ball,
at growing precision, until one integer is the least margin that stops.

By Lindemann's theorem the number is no integer at rational levels. At levels with ``6/pi**2`` the
loop ends because the balls show this. The two tests are stated by these margins.
"""

from __future__ import annotations

import functools
from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction
from math import inf

from flint import arb, ctx

from tgite.confidence import Confidence
from tgite.questions import Arm, Duel, Outcome, PairwiseTest, Stream
from tgite_laws.balls import ball, level_ball

_FIRST_BITS = 96
_MOST_BITS = 96 << 8


def log_inverse_ball(level: Confidence) -> arb:
    """Enclose ``log(1/level)`` at the current precision."""
    return _log_inverse_ball(level, ctx.prec)


@functools.lru_cache(maxsize=4096)
def _log_inverse_ball(level: Confidence, bits: int) -> arb:
    with ctx.workprec(bits):
        return -level_ball(level).log()


def _decided(floor_of: Callable[[], arb]) -> int:
    """Evaluate a floor at growing precision until the ball contains one integer only."""
    bits = _FIRST_BITS
    while bits <= _MOST_BITS:
        with ctx.workprec(bits):
            value = floor_of()
            if value.is_exact():
                return int(value.fmpz())
        bits *= 2
    raise ArithmeticError("no precision decides the integer boundary")


@functools.lru_cache(maxsize=65536)
def least_margin(n: int, delta: Confidence) -> int:
    """Return the least ``d`` for which DuelTest stops after ``n`` duels: ``d > 2n c(n, delta)``."""

    def floor_of() -> arb:
        return (2 * n * (arb(2 * n * (n + 1)).log() + log_inverse_ball(delta))).sqrt().floor()

    return _decided(floor_of) + 1


@functools.lru_cache(maxsize=65536)
def least_budgeted_margin(n: int, g: Fraction, delta: Confidence) -> int:
    """Return the least ``d`` for which BudgetedDuelTest stops early after ``n`` duels.

    This is the least integer with ``d > 2n (b_n(delta) - g)``.
    """

    def floor_of() -> arb:
        radius = (2 * n * (arb(8 * n * n).log() + log_inverse_ball(delta))).sqrt()
        return (radius - ball(2 * n * g)).floor()

    return _decided(floor_of) + 1


@functools.lru_cache(maxsize=4096)
def budget(g: Fraction, delta: Confidence, times: int = 4) -> int:
    """Return ``ceil(log(times/delta) / (2 g**2))``, BudgetedDuelTest's budget; the quotient is no
    integer.
    """

    def floor_of() -> arb:
        return ((arb(times).log() + log_inverse_ball(delta)) / ball(2 * g * g)).floor()

    return _decided(floor_of) + 1


class Margins:
    """The least margins that stop a test at one level, computed on demand and cached."""

    def __init__(self, least: Callable[[int], int]) -> None:
        """Begin with none; ``least`` computes the margin after a number of duels."""
        self._least = least
        self._known = [1]  # nothing stops before the first duel

    def __getitem__(self, n: int) -> int:
        """Return the least margin that stops after ``n`` duels."""
        while len(self._known) <= n:
            self._known.append(self._least(len(self._known)))
        return self._known[n]


@functools.lru_cache(maxsize=4096)
def margins(delta: Confidence) -> Margins:
    """Return DuelTest's margins at a level."""
    return Margins(functools.partial(least_margin, delta=delta))


@functools.lru_cache(maxsize=4096)
def budgeted_margins(g: Fraction, delta: Confidence) -> Margins:
    """Return BudgetedDuelTest's margins for an early stop at a known gap and a level."""
    return Margins(functools.partial(least_budgeted_margin, g=g, delta=delta))


def shortest(delta: Confidence) -> int:
    """Return the duels of a DuelTest whose first arm wins them all: the least ``n > 2n c``.

    ``c(n, delta)`` decreases in ``n``, so the least ``n`` is found by bisection.
    """
    most = 1
    while most < least_margin(most, delta):
        most *= 2
    return 1 + bisect_left(range(1, most), True, key=lambda n: n >= least_margin(n, delta))


def duel_test(u: Arm, v: Arm, delta: Confidence) -> Stream[Duel, Outcome, Arm]:
    """DuelTest: continue until one arm leads by the least margin that stops."""
    return until(Duel(u, v), margins(delta), inf)


def known_gap(g: Fraction) -> PairwiseTest[Duel, Outcome]:
    """BudgetedDuelTest at a known gap: DuelTest with other margins, up to the budget."""
    return lambda u, v, delta: until(Duel(u, v), budgeted_margins(g, delta), budget(g, delta))


def until(duel: Duel, margins: Margins, most: float) -> Stream[Duel, Outcome, Arm]:
    """Continue until an arm leads by the margin that stops, or to ``most`` duels; u wins a tie."""
    lead = played = 0
    while played < most and abs(lead) < margins[played]:
        lead += 1 if (yield duel) else -1
        played += 1
    return duel.first if lead >= 0 else duel.second
