"""Certificates for strong regret with a known horizon; R_H <= H makes the constants small."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import log

from flint import arb

from tgite.checked import checked
from tgite_checks.bounds.constants.certificates import (
    DUEL_TEST,
    Certificate,
    Pairwise,
    certified,
    cost,
)
from tgite_checks.bounds.constants.cover import Affine, Cell, Cover, Shown, cover
from tgite_checks.bounds.constants.totals import Arms, all_arms
from tgite_laws.balls import ball, log_integer_ball

_STEP = 2**10
_GUESSES = 8


@checked
def known_horizon(
    constant: Fraction, test: Pairwise = DUEL_TEST, exactly_to: int = 128, trivial: bool = True
) -> Certificate:
    """Show ``E[R_H] - 1 <= constant N/gap^2 (log(H+1) + A)`` for every H, N and tree.

    1. E[R_H] <= E min(tau, H) + H eps_H and H eps_H < 1. So min(E[tau], H) must be bounded.
    2. On each cell split the horizons at log(H + 1) = h0 := log(N y) + 2 log(1/gap), for some y.
    3. Above h0, E[tau] is bounded by its totals at h0, because the slope of that bound in
       log(H + 1) is at most the constant.
    4. Below h0, H < e^h0. Since H/(log(H+1) + A) increases with H, y <= constant (h0 + A) suffices.
    5. Both bounds improve with N.

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
    paid = arms.totals.at(log_2)
    right = test.once.plus(Affine(log_2, arb(0))).times(C)

    def shown(cell: Cell) -> bool:
        line = test.bound(cell, float(paid.logs / paid.tests))
        return line is not None and cost(line, paid).below(right, cell)

    return shown


@checked
def horizon_shown(C: arb, arms: Arms, test: Pairwise = DUEL_TEST, factor: float = 1.0) -> Shown:
    """Return the function that shows the bound on a cell; ``factor`` changes the guess of y."""
    w = arms.totals.tests
    mean = float(arms.totals.logs / w)

    def shown(cell: Cell) -> bool:
        log_inverse = -log(cell.high)
        y = 2.0
        for _ in range(_GUESSES):
            # An approximate intersection of the two bounds.
            y = max(1.0, float(C) * (log(arms.N * y) + (2 + test.gap_logs) * log_inverse + 1))
        y_taken = Fraction(round(factor * y * _STEP) - 1, _STEP)
        line = test.bound(cell, mean + log(arms.N * y) + 2 * log_inverse)
        if line is None or not bool(w * line.slope <= C):
            return False
        # log(H + 1) = begun + 2 log(1/gap).
        begun = (arms.N * ball(y_taken)).log()
        above = cost(line, arms.totals.at(begun)).plus(Affine(arb(0), 2 * w * line.slope))
        right = test.once.plus(Affine(begun, arb(2))).times(C)
        return Affine(ball(y_taken), arb(0)).below(right, cell) and above.below(right, cell)

    return shown
