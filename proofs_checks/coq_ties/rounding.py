"""Check that the code's budget is one that the proofs allow.

Of all other decisions of the float code ``FloatCode.v`` proves it, at every number of duels, if
logarithms are off by at most ``2**12`` units in the last place; and
:mod:`tgite_checks.proofs.float_code` compares ``FloatCode.v`` with the code. This module decides
with ball arithmetic, for one gap and one level at a time.
"""

from __future__ import annotations

from fractions import Fraction

from tgite.confidence import Confidence
from tgite_laws.balls import ball, log_integer_ball, log_inverse_ball, sign
from tgite_laws.implementation import REFERENCE, Implementation

SLACK = Fraction(1, 16)
"""The slack that the theorems on BudgetedDuelTest allow under the radius's square root."""


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
