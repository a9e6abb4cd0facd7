"""Truth of the weak-regret theorems: the sums of the schedules, and the exact regret of instances.

``thm:app-online-weak``, ``thm:online-weak-linear-main`` (which is ``cor:app-weak-warm-start``) and
``cor:app-weak-high-confidence-warm-start``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite.instances import cyclic, sparse
from tgite.preferences import Preferences
from tgite.questions import Arm
from tgite_checks.bounds.comparing import AtMost, compared, rational, real
from tgite_checks.bounds.duel_test import laws_of
from tgite_checks.bounds.keeping import kept
from tgite_checks.bounds.proved_constants import cost_bound, proved_constant
from tgite_checks.bounds.screen_and_replace import epoch
from tgite_checks.check import Check, Depth, Kind, Plot, Question, Result, Series
from tgite_checks.enclosure import Enclosure
from tgite_checks.implementation import Implementation
from tgite_checks.laws.arithmetic import ONE, ZERO, plus, times
from tgite_checks.laws.balls import ball, log_inverse_ball
from tgite_checks.laws.policies import WeakRegret, weak_regret

_EPOCHS = 60


def _wrong_before(under_test: Implementation, s: int) -> Fraction:
    """Return the bound on ``p_s``, the probability that epoch s begins with a wrong incumbent."""
    if s == 1:
        return Fraction(1)
    levels = under_test.schedules
    return levels.screening_level(s - 1).rational + levels.replacement_level(s - 1).rational


def _summed(under_test: Implementation, weight: Callable[[int], int]) -> tuple[Fraction, Fraction]:
    """Return the sum of ``(p_s + rho_s) weight(s)``: its first 60 terms, and a bound for all.

    Beyond them ``p_s + rho_s <= 9 * 4**-(s+2)`` and ``weight(s) <= 2**s``, so that there is less
    than ``9 * 2**-(60+4)``.
    """
    rho = under_test.schedules.screening_level
    terms = [
        (_wrong_before(under_test, s) + rho(s).rational) * weight(s) for s in range(1, _EPOCHS + 1)
    ]
    low = sum(terms, Fraction(0))
    return low, low + Fraction(9, 2 ** (_EPOCHS + 4))


def _cases(
    under_test: Implementation, total: Fraction, weighted: Fraction, logs: Fraction
) -> Iterator[AtMost]:
    for s in range(2, _EPOCHS):
        yield AtMost(
            f"p_{s} <= rho_{s - 1} + kappa_{s - 1} against 2 * 4^-(s+1)",
            rational(_wrong_before(under_test, s)),
            rational(2 * Fraction(1, 4 ** (s + 1))),
        )
    slack = Fraction(1, 10**12)
    for name, weight, bound in (
        ("sum of p_s + rho_s", lambda s: 1, total),
        ("sum of (p_s + rho_s)(s + 1)", lambda s: s + 1, weighted),
        ("sum of (p_s + rho_s)(s + 2)", lambda s: s + 2, logs),
    ):
        yield AtMost(name, rational(*_summed(under_test, weight)), rational(bound + slack))


def _sums(
    under_test: Implementation,
    depth: Depth,
    *,
    total: Fraction = Fraction(17, 16),
    weighted: Fraction = Fraction(35, 16),
    logs: Fraction = Fraction(13, 4),
) -> Result:
    return compared(_cases(under_test, total, weighted, logs), "sum over the epochs")


def instances(depth: Depth) -> tuple[tuple[str, Preferences], ...]:
    """Return the instances whose weak regret is enclosed, the figure's among them."""
    few = (
        ("cyclic N = 4, all gaps .05", cyclic(4, "0.05", "0.05")),
        ("cyclic N = 4, gaps .30/.38", cyclic(4, "0.30", "0.38")),
        ("sparse N = 256, gaps .26/.44", sparse(256, "0.26")),
    )
    if depth is Depth.QUICK:
        return few
    return (*few, ("cyclic N = 6, gaps .26/.44", cyclic(6, "0.26", "0.44")))


WARM_STARTS = tuple(map(Confidence.of, ("1/4", "1/100", "1e-8", "1e-32")))
"""The constant warm start of 1/4, and high-confidence ones."""


@kept
def exact_weak_regret(
    under_test: Implementation, preferences: Preferences, warm_start: Confidence, b: Arm = 0
) -> WeakRegret:
    """Return the enclosed weak regret of the infinite run; kept for the next check."""
    tree = under_test.BalancedTree.over(preferences.size)
    return weak_regret(b, tree, preferences, laws_of(under_test), warm_start)


def _regret_cases(
    under_test: Implementation, depth: Depth, constant: Fraction | None, with_delta: bool
) -> Iterator[AtMost]:
    C_weak = constant or proved_constant("cor_app_weak_warm_start", "C_weak")
    C_delta = constant or proved_constant("cor_app_weak_high_confidence_warm_start", "C_weak_delta")
    for name, preferences in instances(depth):
        size, gap = preferences.size - 1, preferences.global_gap()
        no_level = functools.partial(cost_bound, C_weak, size, gap, ball(Fraction(0)))
        for warm_start in WARM_STARTS[:: 3 if depth is Depth.QUICK else 1]:
            total = exact_weak_regret(under_test, preferences, warm_start).total
            allowed = functools.partial(_with_level, C_delta, size, gap, warm_start)
            constant_start = warm_start is WARM_STARTS[0]
            yield AtMost(
                f"E[R_inf^weak], warm start {warm_start}, {name}",
                total,
                real(no_level if constant_start or not with_delta else allowed),
            )


def _with_level(constant: Fraction, size: int, gap: Fraction, level: Confidence) -> arb:
    return cost_bound(constant, size, gap, log_inverse_ball(level))


def _regret(
    under_test: Implementation,
    depth: Depth,
    *,
    constant: Fraction | None = None,
    with_delta: bool = True,
) -> Result:
    cases = _regret_cases(under_test, depth, constant, with_delta)
    return compared(cases, "expected weak regret", (_delta_plot(under_test),))


def _delta_plot(under_test: Implementation) -> Plot:
    """Draw how the weak regret grows with the confidence of the warm start."""
    preferences = sparse(64, "0.26")
    points = tuple(
        (level.log_inverse, exact_weak_regret(under_test, preferences, level).total)
        for level in WARM_STARTS
    )
    return Plot(
        "Weak regret of the infinite run against the warm start, sparse N = 64",
        "log(1/delta)",
        "E[R_inf^weak]",
        (Series("enclosed", points),),
    )


def tail_regret(
    under_test: Implementation, preferences: Preferences, c_0: Arm, epochs: int
) -> Enclosure:
    """Return the expected weak regret of the first epochs from the incumbent ``c_0``, exactly."""
    laws = laws_of(under_test)
    schedules = under_test.schedules
    held = {c_0: ONE}
    regrets: list[Enclosure] = []
    for s in range(1, epochs + 1):
        reached = dict.fromkeys(range(preferences.size), ZERO)
        for c, probability in held.items():
            if probability.high == 0:
                continue
            rho, kappa = schedules.screening_level(s), schedules.replacement_level(s)
            law = epoch(under_test, preferences, laws, c, rho, kappa)
            if law.weak_regret is None:
                raise AssertionError("every instance here has a winner")
            regrets.append(times(probability, law.weak_regret.mean))
            for arm, part in law.survives.items():
                reached[arm] = plus(reached[arm], times(probability, part.probability))
        held = reached
    return plus(*regrets)


def _tail_cases(
    under_test: Implementation, depth: Depth, constant: Fraction | None
) -> Iterator[AtMost]:
    C_tail = constant or proved_constant("thm_app_online_weak", "C_tail")
    for name, preferences in instances(depth):
        if preferences.size > 6:
            continue
        size, gap = preferences.size - 1, preferences.global_gap()
        for c_0 in range(preferences.size):
            yield AtMost(
                f"E[weak regret of epochs 1..4], c_0 = {c_0}, {name}",
                tail_regret(under_test, preferences, c_0, 4),
                real(functools.partial(cost_bound, C_tail, size, gap, ball(Fraction(0)))),
            )


def _tail(under_test: Implementation, depth: Depth, *, constant: Fraction | None = None) -> Result:
    return compared(_tail_cases(under_test, depth, constant), "expected weak regret of the tail")


TAIL_SUMS = Check(
    name="weak-tail-sums",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="the schedules' own levels, s = 1..60, and all beyond: sum of p_s + rho_s = 17/16, "
    "sum of (p_s + rho_s)(s + 1) = 35/16, with the weights s + 2 of log(1/rho_s) it is 13/4",
    run=_sums,
    refuses={
        "sum of p_s + rho_s <= 1": functools.partial(_sums, total=Fraction(1)),
        "sum of (p_s + rho_s)(s + 1) <= 2": functools.partial(_sums, weighted=Fraction(2)),
    },
)

REGRET = Check(
    name="weak-regret",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="three instances (standard: four), the figure's sparse N = 256 among them, warm starts "
    "1/4 and 1e-32 (standard: 1/100 and 1e-8 too): the infinite run's E[R_inf^weak], its tail "
    "enclosed, beside the proved bounds (with log(1/delta) for all but 1/4)",
    run=_regret,
    refuses={
        "C = 1/2": functools.partial(_regret, constant=Fraction(1, 2)),
        "a bound without log(1/delta) for every delta, C = 2": functools.partial(
            _regret, constant=Fraction(2), with_delta=False
        ),
    },
)

TAIL = Check(
    name="weak-tail-any-start",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="two instances with 4 arms (standard: one with 6 too), every incumbent c_0: the exact "
    "regret of the first four epochs beside the proved bound for all of them",
    run=_tail,
    refuses={"C = 1": functools.partial(_tail, constant=Fraction(1))},
)

CHECKS = (TAIL_SUMS, REGRET, TAIL)
