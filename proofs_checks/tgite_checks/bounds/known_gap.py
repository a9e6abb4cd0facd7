"""Truth of the known-gap policies (``thm:known-gap-extension-main``), by instances' exact laws."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite_checks.bounds import strong, weak
from tgite_checks.bounds.budgeted_duel_test import budgeted_laws_of
from tgite_checks.bounds.comparing import AtMost, compared, real
from tgite_checks.check import Check, Depth, Kind, Question, Result
from tgite_checks.implementation import Implementation
from tgite_checks.laws.balls import ball, log_integer_ball, log_inverse_ball
from tgite_checks.laws.policies import (
    strong_regret_anytime,
    strong_regret_known_horizon,
    weak_regret,
)

C_WEAK, C_WEAK_DELTA = Fraction(27, 2), Fraction(51, 4)
C_KNOWN, C_ANYTIME, EXTRA_ANYTIME = Fraction(23, 5), Fraction(23, 3), Fraction(5, 3)
"""The constants of the proved theorem, with N - 1 for N; a test holds them against KnownGap.v."""

_TIMES = (100, 10_000, 100_000)


def _weak_cases(
    under_test: Implementation, depth: Depth, constant: Fraction | None
) -> Iterator[AtMost]:
    # Where the tail is only bounded (N = 256) the bound is good for the small errors of DuelTest.
    for name, preferences in weak.instances(depth):
        if preferences.size > 6:
            continue
        g = preferences.winner_gap()
        tree = under_test.BalancedTree.over(preferences.size)
        for warm_start in weak.WARM_STARTS[:3]:
            found = weak_regret(0, tree, preferences, budgeted_laws_of(under_test, g), warm_start)
            start = warm_start is weak.WARM_STARTS[0]
            C = constant or (C_WEAK if start else C_WEAK_DELTA)
            level = None if start else warm_start
            allowed = functools.partial(_bound, C, preferences.size - 1, g, level)
            yield AtMost(
                f"E[R_inf^weak], warm start {warm_start}, {name}", found.total, real(allowed)
            )


def _bound(constant: Fraction, size: int, g: Fraction, level: Confidence | None) -> arb:
    """Return ``constant (N-1)/g^2 (log(1/level) + 1)``; without a level the bracket is 1."""
    bracket = arb(1) if level is None else log_inverse_ball(level) + 1
    return ball(constant * size / g**2) * bracket


def _weak(under_test: Implementation, depth: Depth, *, constant: Fraction | None = None) -> Result:
    return compared(_weak_cases(under_test, depth, constant), "expected weak regret")


def _strong_cases(
    under_test: Implementation, depth: Depth, constant: Fraction | None
) -> Iterator[AtMost]:
    for name, preferences in strong.instances(depth):
        g, size = preferences.winner_gap(), preferences.size - 1
        tree = under_test.BalancedTree.over(preferences.size)
        laws = budgeted_laws_of(under_test, g)
        for T in _TIMES:
            yield AtMost(
                f"E[R_H^str], H = {T}, {name}",
                strong_regret_known_horizon(0, tree, T, preferences, laws).total,
                real(functools.partial(_known_bound, constant or C_KNOWN, size, g, T)),
            )
            yield AtMost(
                f"E[R_T^str], T = {T}, {name}",
                strong_regret_anytime(0, tree, T, preferences, laws).total,
                real(functools.partial(_anytime_bound, constant or C_ANYTIME, size, g, T)),
            )


def _known_bound(constant: Fraction, size: int, g: Fraction, H: int) -> arb:
    return ball(constant * size / g**2) * (log_integer_ball(H + 1) + 1) + 1


def _anytime_bound(constant: Fraction, size: int, g: Fraction, T: int) -> arb:
    phases = log_integer_ball(T + 2).log() + 1
    return (
        ball(constant * size / g**2) * (log_integer_ball(T + 1) + phases)
        + ball(EXTRA_ANYTIME) * phases
    )


def _strong(
    under_test: Implementation, depth: Depth, *, constant: Fraction | None = None
) -> Result:
    return compared(_strong_cases(under_test, depth, constant), "expected strong regret")


WEAK = Check(
    name="known-gap-weak-regret",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="BudgetedDuelTest with g = Delta*, two cyclic instances with 4 arms (standard: one "
    "with 6 too), warm starts 1/4, 1/100, 1e-8, beside the proved bounds",
    run=_weak,
    refuses={"C = 1/4": functools.partial(_weak, constant=Fraction(1, 4))},
)

STRONG = Check(
    name="known-gap-strong-regret",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="BudgetedDuelTest with g = Delta*, cyclic instances with 4 and 16 arms (standard: 256 "
    "too), both strong policies at 100, 10^4 and 10^5 rounds, beside the proved bounds",
    run=_strong,
    refuses={"C = 1/10": functools.partial(_strong, constant=Fraction(1, 10))},
)

CHECKS = (WEAK, STRONG)
