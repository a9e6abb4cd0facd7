"""Check that the float rules are within the rounding errors that the proofs allow.

``rounded_rule_admissible`` covers a stopping rule that compares a mean to a radius, up to ``2**60``
duels. The mean may have an absolute error of at most ``2**-54``, the radius a relative error of at
most ``2**-40``. ``rounded_budgeted_admissible`` covers budgets up to ``2**52`` in the same way.

``FloatCode.v`` proves that the code is within these errors at every number of duels, if logarithms
are off by at most ``2**12`` units in the last place. :mod:`tgite_checks.proofs.float_code` compares
``FloatCode.v`` with the code. This module includes the error of logarithms. It decides with ball
arithmetic, for one number of duels and one level at a time.

A relative error alone would not suffice. From about ``5 * 10**9`` duels on, the mean's rounding
error exceeds ``2**-40`` of the radius. For example, at level 1/10 the float rule stops after
1000000028227 duels at a lead of 10794237, where the real boundary is 10794237.00002.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from tgite.confidence import Confidence
from tgite_checks.fidelity.formulas import RADIUS_ERROR
from tgite_laws.balls import ball, log_integer_ball, log_inverse_ball, sign
from tgite_laws.boundary import stopping_leads
from tgite_laws.implementation import REFERENCE, Implementation

MEAN_ERROR = Fraction(1, 2**54)
"""The absolute error of the mean that the theorem allows."""

SLACK = Fraction(1, 16)
"""The slack that the theorems on BudgetedDuelTest allow under the radius's square root."""


def radius_is_within(
    n: int, delta: Confidence, error: Fraction = RADIUS_ERROR, code: Implementation = REFERENCE
) -> bool:
    """Return whether the code's radius after ``n`` duels has at most this relative error.

    For the radius r and the error e, ball arithmetic decides
    ``(r/(1+e))**2 * 2n <= log(2n(n+1)/delta) <= (r/(1-e))**2 * 2n``.
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
    """Return whether the float ``S / n - 1/2`` is within the allowed error of the real number."""
    return abs(Fraction(S / n - 1 / 2) - (Fraction(S, n) - Fraction(1, 2))) <= MEAN_ERROR


def first_radius_outside(
    delta: Confidence,
    ns: Iterable[int],
    error: Fraction = RADIUS_ERROR,
    code: Implementation = REFERENCE,
) -> int | None:
    """Return the first of ``ns`` at which the radius exceeds the error, or ``None``."""
    return next((n for n in ns if not radius_is_within(n, delta, error, code)), None)


def first_budgeted_stop_outside(
    g: Fraction, delta: Confidence, code: Implementation = REFERENCE
) -> int | None:
    """Return the first n at which BudgetedDuelTest stops sooner than the proofs allow, or ``None``.

    These are the conditions ``ad_first`` and ``ad_second`` of ``admissible``, for every n up to the
    budget. At the least lead ``|2S - n|`` at which the code stops, ``(lead + 2ng)**2 / (2n)`` must
    be at least ``log(8 n**2/delta) - 1/16``. For larger leads it is larger.

    Raises :class:`~tgite_laws.balls.NearTie` if the code favours one of the arms.
    """
    gap = float(g)
    leads = stopping_leads(lambda n: code.b(n, delta) - gap, 1, code.budget(g, delta))

    def allowed(n: int, lead: int) -> bool:
        square = (lead + 2 * n * g) ** 2 / (2 * n)
        return (
            sign(
                lambda: (
                    ball(square + SLACK) - log_integer_ball(8 * n * n) - log_inverse_ball(delta)
                ),
                f"lead {lead} after {n} duels at level {delta}",
            )
            > 0
        )

    # A lead above n means that the code does not stop at n.
    return next(
        (n for n, lead in enumerate(map(int, leads), 1) if lead <= n and not allowed(n, lead)), None
    )


def budget_is_within(g: Fraction, delta: Confidence, code: Implementation = REFERENCE) -> bool:
    """Return whether the proofs allow the code's budget.

    By ``ad_enough`` and ``ad_most`` of ``admissible``, it must be at least
    ``(log(4/delta) - 1/16) / (2 g**2)`` and at most ``log(4/delta) / (2 g**2) + 1``.
    """
    M = code.budget(g, delta)

    def over(duels: Fraction) -> int:
        """Return the sign of ``2 g**2`` times ``duels`` minus ``log(4/delta)``."""
        return sign(
            lambda: ball(2 * g * g * duels) - log_integer_ball(4) - log_inverse_ball(delta),
            f"the budget {M} for the gap {g} at level {delta}",
        )

    return M > 0 and over(M + SLACK / (2 * g * g)) > 0 > over(Fraction(M - 1))
