"""Certificates for the known-gap versions: the budgets are explicit, so are their constants."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb, ctx

from tgite.checked import checked
from tgite_checks.bounds.constants.bills import Bill, log_rounds
from tgite_checks.bounds.constants.certificates import BITS, Certificate, least_over_rho
from tgite_checks.bounds.constants.cover import HALF
from tgite_checks.bounds.constants.shares import budgeted_share
from tgite_checks.laws.balls import ball, log_integer_ball


@checked
def budget(constant: Fraction) -> Certificate:
    """Show ``g^2 ceil(log(4/delta)/(2 g^2)) <= constant (log(1/delta) + 1)`` for g <= 1/2.

    Let M be the ceiling. If M <= 3, g^2 M <= 3/4. Else g^2 < log(4/delta)/(2(M-1)), so that g^2 M
    is below M/(M-1) log(4/delta)/2 <= 2/3 log(4/delta) <= 2/3 log 4 (log(1/delta) + 1), as log 4 >=
    1.
    """
    with ctx.workprec(BITS):
        log_4 = log_integer_ball(4)
        shown = bool(2 * log_4 / 3 <= ball(constant)) and constant >= Fraction(3, 4)
        return Certificate(shown and bool(log_4 >= 1), 1, "" if shown else "M = 4, delta -> 1")


@checked
def budgets(constant: Fraction, bill: Callable[[], Bill], doubled: bool = False) -> Certificate:
    """Show ``g^2 cost / N <= constant (log(1/argument) + 1)`` for a bill of budgeted tests.

    A test takes at most log(4/delta)/(2 g^2) + 1 duels, and g^2 <= 1/4: the cost is at most
    (w log 4 + E + v log(1/argument))/2 + w/4. ``doubled``: with ceil(x) <= 2x instead of x + 1.
    """
    with ctx.workprec(BITS):
        C, paid = ball(constant), bill()
        half = (paid.tests * log_integer_ball(4) + paid.logs) / 2
        most = 2 * half if doubled else half + paid.tests / 4
        per_level = paid.at_level if doubled else paid.at_level / 2
        shown = bool(most <= C) and bool(per_level <= C)
        return Certificate(shown, 1, "" if shown else f"{float(most):.6g} at argument 1, g = 1/2")


@checked
def budgeted_epoch(constant: Fraction, with_false_positives: bool = True) -> Certificate:
    """Show the bound of one epoch with a known gap, as :func:`one_epoch`, A being 1.

    (log 4 + z)/2 + (log 4 + y + LOG_ROUNDS)/2 + 1/2 <= constant (z + y + 1 + e^-z (y + 1)). With
    the winner as incumbent, a challenger enters B with probability at most budgeted_share(1) rho.
    """
    with ctx.workprec(BITS):
        C, half = ball(constant), ball(HALF)
        at_zero = log_integer_ball(4) + log_rounds() / 2 + half
        left = C - half
        right = C
        if bool(left > 0) and with_false_positives:
            right = C + least_over_rho(C, half, arb(1))
        wrong = bool(left > 0) and bool(at_zero <= right)
        share = budgeted_share(Fraction(1))
        kept = budgets(constant, lambda: Bill(arb(1), log_rounds(), arb(1)).times(share))
        missing = "" if wrong else "a wrong incumbent"
        return Certificate(wrong and kept.shown, 1 + kept.cells, missing or kept.missing)
