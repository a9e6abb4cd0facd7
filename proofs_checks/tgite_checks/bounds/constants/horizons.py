"""Certificates for strong regret with a known horizon: R_H <= H makes the constants small."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import log

from flint import arb

from tgite.checked import checked
from tgite_checks.bounds.constants.bills import Arms, all_arms
from tgite_checks.bounds.constants.certificates import (
    DUEL_TEST,
    Certificate,
    Pairwise,
    certified,
)
from tgite_checks.bounds.constants.cover import Cell, Cover, Shown, cover
from tgite_checks.laws.balls import ball, log_integer_ball

_STEP = 2**10
_GUESSES = 8


@checked
def known_horizon(
    constant: Fraction,
    test: Pairwise = DUEL_TEST,
    exactly_to: int = 128,
    trivial: bool = True,
) -> Certificate:
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
            shown = horizon_shown(C, arms, test) if trivial else _no_horizon(C, arms, test)
            yield str(arms), cover(shown)

    return certified(covers)


def _no_horizon(C: arb, arms: Arms, test: Pairwise) -> Shown:
    log_2 = log_integer_ball(2)
    paid = arms.bill.at(log_2)

    def shown(cell: Cell) -> bool:
        line = test.bound(cell, float(paid.logs / paid.tests))
        if line is None:
            return False
        at_gap = paid.tests * line.base + line.slope * paid.logs
        return cell.nowhere_negative(
            C * (1 + log_2) - at_gap, C * test.gap_logs - paid.tests * line.per_log
        )

    return shown


@checked
def horizon_shown(C: arb, arms: Arms, test: Pairwise = DUEL_TEST, factor: float = 1.0) -> Shown:
    """Return what shows the bound on a cell; ``factor`` changes the guess of y."""
    w, E = arms.bill.tests, arms.bill.logs
    # log(H + 1) + A holds log(1/gap) so often.
    gap_logs = 2 + test.gap_logs

    def shown(cell: Cell) -> bool:
        log_inverse = -log(cell.high)
        y = 2.0
        for _ in range(_GUESSES):
            # About where the two bounds meet.
            y = max(1.0, float(C) * (log(arms.N * y) + gap_logs * log_inverse + 1))
        y_taken = Fraction(round(factor * y * _STEP) - 1, _STEP)
        line = test.bound(cell, float(E / w) + log(arms.N * y) + 2 * log_inverse)
        if line is None or not bool(w * line.slope <= C):
            return False
        begun = (arms.N * ball(y_taken)).log()
        at_gap = w * line.base + line.slope * (E + w * begun)
        at_horizon = C * (begun + 1)
        return cell.nowhere_negative(
            at_horizon - ball(y_taken), C * gap_logs
        ) and cell.nowhere_negative(
            at_horizon - at_gap, C * gap_logs - w * (line.per_log + 2 * line.slope)
        )

    return shown
