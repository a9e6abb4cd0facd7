"""Why the proofs speak of the float rule: its errors are within what ``DuelTest.v`` allows.

``rounded_rule_admissible`` covers a stopping rule that compares a mean with an absolute error of at
most ``2**-54`` to a radius with a relative error of at most ``2**-40``, up to ``2**60`` duels and a
logarithm ``log(2n(n+1)/delta)`` of ``2**33``.

* The mean: ``S / n`` is the quotient rounded to nearest, so within ``2**-54`` below 1. The
  difference from 1/2 is exact for means of at least 1/4 (Sterbenz); below, quotient and difference
  are off by at most ``2**-56`` and ``2**-55``.
* The radius: given that ``log`` is off by at most one unit in the last place (that is *stated*, of
  the C library), and ``log_inverse`` by one, the sum of two positive terms, the quotient and the
  root leave a relative error below ``2**-50``. Ball arithmetic confirms it for the n tried.

A relative error alone would not do. From some ``5 * 10**9`` duels on the mean's rounding exceeds
``2**-40`` of the radius: at level 1/10 the float rule stops after 1000000028227 duels at a lead of
10794237, where the real boundary is 10794237.00002.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from tgite.confidence import Confidence
from tgite_checks.implementation import REFERENCE, Implementation
from tgite_checks.laws.balls import ball, log_integer_ball, log_inverse_ball, sign

RADIUS_ERROR = Fraction(1, 2**40)
"""The relative error of the radius that the theorem allows."""

MEAN_ERROR = Fraction(1, 2**54)
"""The absolute error of the mean that the theorem allows."""


def radius_is_within(
    n: int, delta: Confidence, error: Fraction = RADIUS_ERROR, code: Implementation = REFERENCE
) -> bool:
    """Say whether the code's radius after ``n`` duels is within a relative error of the real one.

    ``(r/(1+e))**2 * 2n <= log(2n(n+1)/delta) <= (r/(1-e))**2 * 2n``, decided by balls.
    """
    radius = Fraction(code.c(n, delta))

    def compared(scaled: Fraction) -> int:
        return sign(
            lambda: (
                ball(scaled * scaled * 2 * n)
                - log_integer_ball(2 * n * (n + 1))
                - log_inverse_ball(delta)
            ),
            f"the radius after {n} duels at level {delta}",
        )

    return compared(radius / (1 + error)) < 0 < compared(radius / (1 - error))


def mean_is_within(S: int, n: int) -> bool:
    """Say whether ``S / n - 1/2``, as floats, is within the allowed error of the real one."""
    return abs(Fraction(S / n - 1 / 2) - (Fraction(S, n) - Fraction(1, 2))) <= MEAN_ERROR


def first_radius_outside(
    delta: Confidence,
    ns: Iterable[int],
    error: Fraction = RADIUS_ERROR,
    code: Implementation = REFERENCE,
) -> int | None:
    """Return the first of ``ns`` at which the radius is outside of the error, if there is one."""
    return next((n for n in ns if not radius_is_within(n, delta, error, code)), None)
