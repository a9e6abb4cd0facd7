"""Truth of the lemmas on DuelTest: the confidence sequence, its errors, its expected duels.

``lem:app-anytime-cs``, ``lem:app-dueltest-correct`` and ``lem:app-dueltest-time``, by exact laws
that are computed with the radius of the implementation under examination.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite_checks.bounds.comparing import AtMost, compared, rational, real
from tgite_checks.bounds.proved_constants import cost_bound, proved_constant
from tgite_checks.check import (
    Cases,
    Check,
    Depth,
    Kind,
    Plot,
    Question,
    Result,
    Role,
    Series,
    by_depth,
    result_of,
)
from tgite_checks.enclosure import Enclosure
from tgite_checks.implementation import Implementation
from tgite_checks.laws.balls import ball, ends, log_integer_ball, log_inverse_ball, sign
from tgite_checks.laws.confidence_sequence import miss_probability
from tgite_checks.laws.duel_test import HALF, DuelTestLaws

LEVELS = tuple(map(Confidence.of, ("0.999", "1/2", "1/10", "1/100", "1e-6", "1e-30")))
"""Levels at which laws are computed, from useless to strict."""

GAPS = tuple(map(Fraction, ("0.44", "0.38", "0.32", "0.30", "0.26", "0.1", "0.05")))
"""The gaps of the paper's instances, and smaller ones."""

_SMALLER_GAPS = tuple(map(Fraction, ("0.02", "0.01", "0.005")))

_TELESCOPED = 10_000


@functools.cache
def laws_of(under_test: Implementation) -> DuelTestLaws:
    """Return the laws of DuelTest with that implementation's radius; kept for the next check."""
    return DuelTestLaws(under_test.c)


def gaps(depth: Depth) -> tuple[Fraction, ...]:
    """Return the gaps that a depth affords: a law's work grows like 1/gap^2."""
    smaller = by_depth(depth, 0, 1, 3)
    return (*GAPS, *_SMALLER_GAPS[:smaller])


def least_duels(delta: Confidence) -> int:
    """Return the fewest duels that DuelTest can use: the least n > 2 log(2n(n+1)/delta), by balls.

    That is where 1/2 > c(n, delta): before it not even a run won by one arm stops.
    """
    n = 1
    while sign(functools.partial(_beyond, n, delta), f"1/2 against c({n}, {delta})") < 0:
        n += 1
    return n


def _beyond(n: int, delta: Confidence) -> arb:
    return n - 2 * (log_integer_ball(2 * n * (n + 1)) + log_inverse_ball(delta))


def _union_cases(summand: str) -> Cases:
    """Add up the share of delta that Hoeffding's inequality allows each n, as exact fractions."""
    # 2 exp(-2 n c^2) = 2 delta / q(n) where c = sqrt(log(q(n)/delta) / (2n)).
    shares = {
        "2n(n+1)": lambda n: Fraction(2, 2 * n * (n + 1)),
        "2n^2": lambda n: Fraction(2, 2 * n * n),
        "2n": lambda n: Fraction(2, 2 * n),
    }
    total = Fraction(0)
    for n in range(1, 200):
        total += shares[summand](n)
        yield "" if total <= 1 else f"{summand}: the shares of n = 1..{n} sum to {float(total):.4g}"
    # The telescoping identity, exactly: the sum up to n is 1 - 1/(n+1).
    total = Fraction(0)
    for n in range(1, _TELESCOPED):
        total += Fraction(1, n) - Fraction(1, n + 1)
        if n % 1000 == 0:
            yield "" if total == 1 - Fraction(1, n + 1) else f"n = {n}: {total}"
    for delta in LEVELS:
        for n in (1, 2, 17, 10**6):
            yield _wrong_identity(n, delta)


def _wrong_identity(n: int, delta: Confidence) -> str:
    """Say what is wrong with ``2 exp(-2 n c(n, delta)^2) = delta/(n(n+1))``, to 30 digits."""

    def ratio() -> arb:
        level = (-log_inverse_ball(delta)).exp()
        c_squared = (log_integer_ball(2 * n * (n + 1)) + log_inverse_ball(delta)) / (2 * n)
        return 2 * (-2 * n * c_squared).exp() * n * (n + 1) / level

    low, high = ends(ratio)
    if abs(low - 1) < Fraction(1, 10**30) and abs(high - 1) < Fraction(1, 10**30):
        return ""
    return f"n = {n}, delta = {delta}: Hoeffding's share is not delta/(n(n+1))"


def _union(under_test: Implementation, depth: Depth, *, summand: str = "2n(n+1)") -> Result:
    return result_of(_union_cases(summand), "partial sum or identity")


def _miss_cases(depth: Depth, share: Fraction) -> Iterator[AtMost]:
    cut = by_depth(depth, 1 << 10, 1 << 13, 1 << 14)
    for delta in LEVELS[: by_depth(depth, 4, 6, 6)]:
        for p in map(Fraction, ("1/2", "0.3", "0.06", "0.9")):
            yield AtMost(
                f"P(|mean_n - p| >= c(n, delta) for some n), delta = {delta}, p = {p}",
                miss_probability(delta, p, cut).ever,
                rational(share * delta.rational),
            )


def _miss(under_test: Implementation, depth: Depth, *, share: Fraction = Fraction(1)) -> Result:
    return compared(_miss_cases(depth, share), "probability of a miss")


def _error_cases(
    under_test: Implementation, depth: Depth, share: Fraction, with_ties: bool
) -> Iterator[AtMost]:
    laws = laws_of(under_test)
    for delta in LEVELS:
        bound = rational(share * delta.rational)
        yield AtMost(
            f"largest error over all gaps, delta = {delta}", laws.largest_error(delta), bound
        )
        for gap in gaps(depth):
            law = laws.law(delta, HALF + gap)
            yield AtMost(f"error, delta = {delta}, gap {gap}", law.second.probability, bound)
        if with_ties:
            never = laws.law(delta, HALF).never
            yield AtMost(f"no arm returned, delta = {delta}, gap 0", never, bound)


def _error_plot(under_test: Implementation) -> Plot:
    laws = laws_of(under_test)
    return Plot(
        "DuelTest's error at delta = 1/10, exactly",
        "gap",
        "P(worse arm returned)",
        (
            Series(
                "exact",
                tuple(
                    (float(gap), laws.law(LEVELS[2], HALF + gap).second.probability)
                    for gap in sorted(GAPS)
                ),
            ),
            Series(
                "delta",
                tuple((float(gap), rational(LEVELS[2].rational)) for gap in sorted(GAPS)),
                Role.BOUND,
            ),
        ),
        log_y=True,
    )


def _error(
    under_test: Implementation,
    depth: Depth,
    *,
    share: Fraction = Fraction(1),
    with_ties: bool = False,
) -> Result:
    cases = _error_cases(under_test, depth, share, with_ties)
    return compared(cases, "error probability", (_error_plot(under_test),))


def _earliest_cases(n_min: int) -> Iterator[AtMost]:
    # For every delta < 1 and n < n_min: n/2 <= log(2n(n+1)) < log(2n(n+1)/delta), no stop.
    for n in range(1, n_min):
        yield AtMost(
            f"n/2 against log(2n(n+1)), n = {n}",
            rational(Fraction(n, 2)),
            real(functools.partial(log_integer_ball, 2 * n * (n + 1))),
        )
    # Before n_min(delta) nothing stops, and a wrong stop is one-sided: sum of delta/(2n(n+1)) from
    # there on, which telescopes to delta/(2 n_min).
    for delta in LEVELS:
        yield AtMost(
            f"{n_min} against n_min, delta = {delta}", rational(n_min), rational(least_duels(delta))
        )


def _earliest(under_test: Implementation, depth: Depth, *, n_min: int = 12) -> Result:
    return compared(_earliest_cases(n_min), "number of duels or level")


def _time_cases(under_test: Implementation, depth: Depth, constant: Fraction) -> Iterator[AtMost]:
    laws = laws_of(under_test)
    for delta in LEVELS:
        for gap in gaps(depth):
            yield AtMost(
                f"E[tau], delta = {delta}, gap {gap}",
                laws.law(delta, HALF + gap).mean,
                real(functools.partial(_allowed, constant, gap, delta)),
            )


def _allowed(constant: Fraction, gap: Fraction, delta: Confidence) -> arb:
    return cost_bound(constant, 1, gap, log_inverse_ball(delta))


def _time_plot(under_test: Implementation, constant: Fraction) -> Plot:
    laws = laws_of(under_test)
    exact: list[tuple[float, Enclosure]] = []
    bound: list[tuple[float, Enclosure]] = []
    for gap in sorted(GAPS):
        exact.append((float(gap), laws.law(LEVELS[2], HALF + gap).mean))
        allowed = functools.partial(_allowed, constant, gap, LEVELS[2])
        bound.append((float(gap), real(allowed)))
    series = (Series("exact", tuple(exact)), Series("bound", tuple(bound), Role.BOUND))
    return Plot("Expected duels of DuelTest at delta = 1/10", "gap", "E[tau]", series, True, True)


def _time(under_test: Implementation, depth: Depth, *, constant: Fraction | None = None) -> Result:
    C_dt = proved_constant("lem_app_dueltest_time", "C_dt") if constant is None else constant
    cases = _time_cases(under_test, depth, C_dt)
    return compared(cases, "expected number of duels", (_time_plot(under_test, C_dt),))


def _step_cases(constant: Fraction) -> Iterator[AtMost]:
    """Return the steps of the time lemma's proof with the explicit ``C_0 = constant``.

    With log n_star <= log(2 C_0) + log A + 2 log(1/gamma), what the proof needs follows from
    log 4 + 2 log(2 C_0) + 2 log A + 4 (A - 1) <= C_0 A / 2 for all A >= 1 + log 2.
    """
    at_least = functools.partial(lambda: 1 + log_integer_ball(2))

    def needed() -> arb:
        A = at_least()
        return log_integer_ball(4) + 2 * ball(2 * constant).log() + 2 * A.log() + 4 * (A - 1)

    yield AtMost(
        "boundary inversion at the least A = 1 + log 2",
        real(needed),
        real(lambda: ball(constant / 2) * at_least()),
    )
    # Beyond it: the left side's slope 2/A + 4 stays below the right side's C_0/2.
    yield AtMost(
        "slope of the left side against C_0/2",
        real(lambda: 4 + 2 / at_least()),
        rational(constant / 2),
    )
    # n_star >= 4/gamma^2 since C_0 A >= 4; and 1 - e^-x >= x/2 on (0, 1]: concave, 0 at 0.
    yield AtMost("4 against C_0 A", rational(4), real(lambda: ball(constant) * at_least()))
    yield AtMost("1/2 against 1 - e^-1", rational(Fraction(1, 2)), real(lambda: 1 - arb(-1).exp()))


def _steps(
    under_test: Implementation, depth: Depth, *, constant: Fraction = Fraction(16)
) -> Result:
    return compared(_step_cases(constant), "step of the proof")


UNION = Check(
    name="cs-union-sum",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="2 exp(-2n c(n, delta)^2) = delta/(n(n+1)) to 30 digits at six levels and four n; the "
    "sum of 1/(n(n+1)) telescopes, as exact fractions to n = 10^4",
    run=_union,
    refuses={
        "with 2n^2 in place of 2n(n+1)": functools.partial(_union, summand="2n^2"),
        "with 2n in place of 2n(n+1)": functools.partial(_union, summand="2n"),
    },
)

ERROR = Check(
    name="dueltest-error",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="six levels from 0.999 to 1e-30: the supremum over all gaps in (0, 1/2), by coupling "
    "with a tie; besides, seven gaps from 0.44 to 0.05 (standard: to 0.02, deep: to 0.005)",
    run=_error,
    refuses={
        "error <= delta/2000": functools.partial(_error, share=Fraction(1, 2000)),
        "an arm is returned with probability 1 - delta on a tie too": functools.partial(
            _error, with_ties=True
        ),
    },
)

EARLIEST = Check(
    name="dueltest-earliest-stop",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="every delta in (0, 1): no stop before 12 duels; so every error is at most "
    "delta/(2 n_min) <= delta/24, whatever the gap",
    run=_earliest,
    refuses={"no stop before 13 duels": functools.partial(_earliest, n_min=13)},
)

TIME = Check(
    name="dueltest-time",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="the exact mean at six levels and the gaps of dueltest-error, beside C_dt/gap^2 "
    "(log(1/delta) + log(1/gap) + 1) with the proved constant C_dt",
    run=_time,
    refuses={"C_dt = 2": functools.partial(_time, constant=Fraction(2))},
)

STEPS = Check(
    name="dueltest-time-steps",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="the proof's inequalities with C_0 = 16, for all gaps in (0, 1/2] and levels in (0, 1)",
    run=_steps,
    refuses={"C_0 = 12": functools.partial(_steps, constant=Fraction(12))},
)

MISS = Check(
    name="cs-miss-probability",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="means 1/2, 0.3, 0.06 and 0.9, four levels (standard: six): the probability of any "
    "miss over the infinite horizon, exact to n = 8192 (quick: 1024) and bounded beyond",
    run=_miss,
    refuses={"misses at most delta/500": functools.partial(_miss, share=Fraction(1, 500))},
)

CHECKS = (UNION, MISS, ERROR, EARLIEST, TIME, STEPS)
