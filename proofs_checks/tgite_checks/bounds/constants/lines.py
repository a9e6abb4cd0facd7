"""One test: straight lines above DuelTest's expected duration, for every gap and every level.

For a pair with a gap of at least g > 0, and all t > 0 and m > 0 for which D = 2 - t - (1/m +
1/(m+g^2))/(2t) is positive,

    g^2 E[tau] <= g^2 + (g - 2 g^2)/D
                  + (log(2m(m+g^2)) - 1 - m/(m+g^2) + 4 log(1/g) + log(1/delta)) / (2 t D).

``docs/constants.md`` derives it by Wald's identity and two straight lines above the boundary, which
touch it at n = m/g^2. No equation is solved, and delta is arbitrary: for all t and m the right side
is a straight line in log(1/delta). At the best t and m it is Jensen's bound, the root x = E[tau] of
2 g x = f(x - 1) + 1 with f(n) = 2n c(n, delta).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log, sqrt

from flint import arb

from tgite.checked import checked
from tgite_laws.balls import ball

_NEWTON_STEPS = 6
_STEP = 2**14
"""Lines are rounded to multiples of 1/_STEP, which is harmless: any t and m give a bound."""


@dataclass(frozen=True, slots=True)
class Line:
    """The parameters of a line: ``t`` is its slope theta divided by the gap, ``m`` is n0 gap^2."""

    t: Fraction
    m: Fraction


@dataclass(frozen=True, slots=True)
class Duration:
    """``gap^2 E[tau] <= base + slope log(1/delta) + per_log log(1/gap)``, every delta in (0, 1)."""

    base: arb
    slope: arb
    per_log: arb


@checked
def duration(line: Line, gap: arb) -> Duration | None:
    """Return the bound of a line for all gaps in the ball ``gap`` (within [0, 1/2]).

    ``None`` if the line gives no bound because its D is not positive.
    """
    t, m = ball(line.t), ball(line.m)
    square = gap * gap
    D = 2 - t - (1 / m + 1 / (m + square)) / (2 * t)
    if not bool(D > 0):
        return None
    slope = 1 / (2 * t * D)
    base = (
        square
        + (gap - 2 * square) / D
        + slope * ((2 * m * (m + square)).log() - 1 - m / (m + square))
    )
    return Duration(base, slope, 4 * slope)


@checked
def touching(gap: float, log_inverse: float) -> Line:
    """Return, in floats, a guess of the best line at one gap and one ``log(1/delta)``."""

    n0 = 4.0
    while _excess(n0, gap, log_inverse) < 0:
        n0 *= 2
    # Newton's method from the right: the excess is convex.
    for _ in range(_NEWTON_STEPS):
        L = _log_quotient(n0) + log_inverse
        slope = 2 * gap - (L + 1 + n0 / (n0 + 1)) / sqrt(2 * n0 * L)
        n0 -= _excess(n0, gap, log_inverse) / slope
    theta = sqrt((_log_quotient(n0) + log_inverse) / (2 * n0))
    return Line(_near(theta / gap), _near(n0 * gap * gap))


def _excess(n: float, gap: float, log_inverse: float) -> float:
    """Return ``2 gap (n + 1) - f(n) - 1``, negative where E[tau] = n + 1 is not excluded."""
    return 2 * gap * (n + 1) - 1 - sqrt(2 * n * (_log_quotient(n) + log_inverse))


def _log_quotient(n: float) -> float:
    return log(2) + log(n) + log(n + 1)


def _near(value: float) -> Fraction:
    return Fraction(round(value * _STEP), _STEP)
