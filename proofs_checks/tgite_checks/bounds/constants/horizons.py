"""Certificates for strong regret with a known horizon: R_H <= H makes the constants small."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import log

from flint import arb

from tgite.checked import checked
from tgite_checks.bounds.constants.bills import Arms, all_arms, tree_bill
from tgite_checks.bounds.constants.budgets import budgets
from tgite_checks.bounds.constants.certificates import Certificate, certified
from tgite_checks.bounds.constants.cover import Cell, Cover, Shown, cover
from tgite_checks.bounds.constants.lines import duration, touching
from tgite_checks.laws.balls import ball, log_integer_ball

_STEP = 2**10


@checked
def known_horizon(constant: Fraction, exactly_to: int = 128, trivial: bool = True) -> Certificate:
    """Show ``E[R_H] - 1 <= constant N/gap^2 (log(H+1) + A)`` for every H, N and tree.

    E[R_H] <= E min(tau, H) + H eps_H and H eps_H < 1, so that min(E[tau], H) has to be bounded. Per
    cell let log(H + 1) = log(N y) + 2 log(1/gap) =: h0 divide the horizons, for some y. Above,
    E[tau] is bounded by its bill at h0 (where the bound's slope in log(H+1) is at most the
    constant); below, H < e^h0, and H/(log(H+1) + A) increases with H: y <= constant (h0 + A) does.
    Both only improve with N.

    Without ``trivial``, R_H <= H is not used.
    """

    def covers() -> Iterator[tuple[str, Cover]]:
        C = ball(constant)
        for arms in all_arms(exactly_to):
            yield str(arms), cover(horizon_shown(C, arms) if trivial else _no_horizon(C, arms))

    return certified(covers)


def _no_horizon(C: arb, arms: Arms) -> Shown:
    paid = arms.bill.at(log_integer_ball(2))

    def shown(cell: Cell) -> bool:
        line = duration(touching(cell.middle, float(paid.logs / paid.tests)), cell.gap)
        if line is None:
            return False
        at_gap = paid.tests * line.base + line.slope * paid.logs
        return cell.nowhere_negative(
            C * (1 + log_integer_ball(2)) - at_gap, C - 4 * paid.tests * line.slope
        )

    return shown


@checked
def horizon_shown(C: arb, arms: Arms, factor: float = 1.0) -> Shown:
    """Return what shows the bound on a cell; ``factor`` changes the guess of y."""
    w, E = arms.bill.tests, arms.bill.logs

    def shown(cell: Cell) -> bool:
        log_inverse = -log(cell.high)
        y = 4.0
        for _ in range(8):
            # About where the two bounds meet.
            y = max(1.0, float(C) * (log(arms.N * y) + 3 * log_inverse + 1))
        y_taken = Fraction(round(factor * y * _STEP) - 1, _STEP)
        mean = float(E / w) + log(arms.N * y) + 2 * log_inverse
        line = duration(touching(cell.middle, mean), cell.gap)
        if line is None or not bool(w * line.slope <= C):
            return False
        begun = (arms.N * ball(y_taken)).log()
        at_gap = w * line.base + line.slope * (E + w * begun)
        return cell.nowhere_negative(
            C * (begun + 1) - ball(y_taken), 3 * C
        ) and cell.nowhere_negative(C * (begun + 1) - at_gap, 3 * C - 6 * w * line.slope)

    return shown


@checked
def budgeted_known_horizon(
    constant: Fraction, exactly_to: int = 256, trivial: bool = True
) -> Certificate:
    """Show ``E[R_H] - 1 <= constant N/g^2 (log(H+1) + 1)``, as :func:`known_horizon`."""
    if not trivial:
        return budgets(constant, lambda: tree_bill().at(log_integer_ball(2)))

    def covers() -> Iterator[tuple[str, Cover]]:
        C = ball(constant)
        for arms in all_arms(exactly_to):
            yield str(arms), cover(budgeted_horizon_shown(C, arms))

    return certified(covers)


@checked
def budgeted_horizon_shown(C: arb, arms: Arms, factor: float = 1.0) -> Shown:
    """Return what shows that bound on a cell; ``factor`` changes the guess of y."""
    w, E = arms.bill.tests, arms.bill.logs
    log_4 = log_integer_ball(4)

    def shown(cell: Cell) -> bool:
        log_inverse = -log(cell.high)
        y = 2.0
        for _ in range(8):
            y = max(1.0, float(C) * (log(arms.N * y) + 2 * log_inverse + 1))
        y_taken = Fraction(round(factor * y * _STEP) - 1, _STEP)
        begun = (arms.N * ball(y_taken)).log()
        g = ball(cell.high)
        cost = (w * (log_4 + begun) + E) / 2 + w * g * g
        return (
            bool(w / 2 <= C)
            and cell.nowhere_negative(C * (begun + 1) - ball(y_taken), 2 * C)
            and cell.nowhere_negative(C * (begun + 1) - cost, 2 * C - w)
        )

    return shown
