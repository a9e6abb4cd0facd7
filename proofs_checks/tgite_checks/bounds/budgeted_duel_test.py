"""Truth of what is said of BudgetedDuelTest (``lem:budgeted-dueltest-main``)."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite.questions import Duel, Outcome, drive
from tgite_checks.bounds.comparing import AtMost, compared, rational, real
from tgite_checks.check import Cases, Check, Depth, Kind, Question, Result, by_depth, result_of
from tgite_checks.implementation import Implementation
from tgite_checks.laws.balls import ball, log_integer_ball, log_inverse_ball
from tgite_checks.laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_checks.laws.duel_test import HALF

LEVELS = tuple(map(Confidence.of, ("0.999", "1/2", "1/10", "1/100", "1e-6")))
"""Levels at which laws are computed."""

KNOWN_GAPS = tuple(map(Fraction, ("0.49", "0.45", "0.38", "0.3", "0.2", "0.1")))
"""Known gaps g at which laws are computed."""


@functools.cache
def budgeted_laws_of(under_test: Implementation, g: Fraction) -> BudgetedDuelTestLaws:
    """Return the laws of BudgetedDuelTest with that implementation's radius and budget; kept."""
    return BudgetedDuelTestLaws(g, under_test.b, under_test.budget)


def _radius_excess(g: Fraction, n: int, delta: Confidence) -> arb:
    radius = ((log_integer_ball(8 * n * n) + log_inverse_ball(delta)) / (2 * n)).sqrt()
    return radius - ball(g)


def _radius_cases(under_test: Implementation, depth: Depth, margin: Fraction) -> Iterator[AtMost]:
    # For all g and delta. n <= M - 1: 2 n g^2 < log(4/delta) < log(8 n^2/delta). n = M: 2 M g^2 <
    # log(4/delta) + 2 g^2 <= log(4/delta) + 1/2 <= log(8 M^2/delta), because 1/2 <= log 2.
    yield AtMost("1/2 against log 2", rational(Fraction(1, 2)), real(lambda: log_integer_ball(2)))
    for g in (*KNOWN_GAPS, HALF):
        for delta in LEVELS:
            M = under_test.budget(g, delta)
            for n in sorted({1, (M + 1) // 2, max(1, M - 1), M}):
                yield AtMost(
                    f"margin against b_n - g, g = {g}, delta = {delta}, n = {n} of {M}",
                    rational(margin),
                    real(functools.partial(_radius_excess, g, n, delta)),
                )


def _radius(under_test: Implementation, depth: Depth, *, margin: Fraction = Fraction(0)) -> Result:
    return compared(_radius_cases(under_test, depth, margin), "radius")


def _union_cases(early: Fraction, whole: Fraction) -> Iterator[AtMost]:
    def basel() -> arb:
        return arb.pi() * arb.pi() / 48

    yield AtMost("sum of delta/(8n^2) over delta: pi^2/48", real(basel), rational(early))
    # exp(-2 M g^2) <= delta/4 as M >= log(4/delta)/(2 g^2).
    yield AtMost(
        "both parts over delta: pi^2/48 + 1/4", real(lambda: basel() + 0.25), rational(whole)
    )


def _union(
    under_test: Implementation,
    depth: Depth,
    *,
    early: Fraction = Fraction(1, 4),
    whole: Fraction = Fraction(1, 2),
) -> Result:
    return compared(_union_cases(early, whole), "part of the error bound")


def _error_cases(
    under_test: Implementation, depth: Depth, share: Fraction, nearer: Fraction
) -> Iterator[AtMost]:
    smaller = by_depth(depth, 0, 1, 1)
    for g in (*KNOWN_GAPS, *(Fraction("0.03"),) * smaller):
        laws = budgeted_laws_of(under_test, g)
        for delta in LEVELS:
            for gap in (g / nearer, (g + HALF) / 2):
                for p in (HALF + gap, HALF - gap):
                    law = laws.law(delta, p)
                    wrong = law.second if p > HALF else law.first
                    yield AtMost(
                        f"error, g = {g}, delta = {delta}, p_uv = {p}",
                        wrong.probability,
                        rational(share * delta.rational),
                    )


def _error(
    under_test: Implementation,
    depth: Depth,
    *,
    share: Fraction = Fraction(1, 2),
    nearer: Fraction = Fraction(1),
) -> Result:
    return compared(_error_cases(under_test, depth, share, nearer), "error probability")


def _duels_played(under_test: Implementation, g: Fraction, delta: Confidence) -> int:
    """Return how many duels the transcription plays on outcomes that alternate."""
    outcomes: list[Outcome] = []

    def answer(question: Duel) -> Outcome:
        outcomes.append(len(outcomes) % 2 == 0)
        return outcomes[-1]

    drive(under_test.known_gap(g)(0, 1, delta), answer)
    return len(outcomes)


def _attained_cases(under_test: Implementation, depth: Depth, fewer: int) -> Cases:
    for g in (*KNOWN_GAPS, HALF):
        for delta in LEVELS:
            played = _duels_played(under_test, g, delta)
            # The ceiling, from balls: M - 1 < log(4/delta)/(2 g^2) <= M.
            quotient = real(functools.partial(_quotient, g, delta))
            if not played - 1 <= quotient.high or not quotient.low <= played:
                yield f"g = {g}, delta = {delta}: {played} duels, quotient {quotient}"
            elif played > quotient.high + 1 - fewer:
                yield f"g = {g}, delta = {delta}: {played} duels are played, the bound is lower"
            else:
                yield ""


def _quotient(g: Fraction, delta: Confidence) -> arb:
    return (log_integer_ball(4) + log_inverse_ball(delta)) / ball(2 * g * g)


def _attained(under_test: Implementation, depth: Depth, *, fewer: int = 0) -> Result:
    return result_of(_attained_cases(under_test, depth, fewer), "run of alternating outcomes")


def _budget_cases(base: Fraction, slope: Fraction) -> Iterator[AtMost]:
    # M <= log(4/delta)/(2g^2) + 1 and 1 <= 1/(4g^2): g^2 M <= log(4)/2 + 1/4 + log(1/delta)/2.
    yield AtMost("log(4)/2 + 1/4", real(lambda: log_integer_ball(4) / 2 + 0.25), rational(base))
    yield AtMost("1/2, the coefficient of log(1/delta)", rational(HALF), rational(slope))


def _budget(
    under_test: Implementation, depth: Depth, *, base: Fraction = Fraction(19, 20)
) -> Result:
    return compared(_budget_cases(base, HALF), "coefficient of the budget")


RADIUS = Check(
    name="budgeted-radius-above-gap",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="b_n(delta) > g for every n <= M, all g in (0, 1/2] and all levels (the argument needs "
    "only log 2 >= 1/2); looked at besides for seven gaps, five levels, n = 1, M/2, M-1, M",
    run=_radius,
    refuses={"b_n(delta) > g + 1/10": functools.partial(_radius, margin=Fraction(1, 10))},
)

UNION = Check(
    name="budgeted-union-sum",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="all levels and gaps: pi^2/48 <= 1/4 for the early stops, with the final majority "
    "pi^2/48 + 1/4 <= 1/2",
    run=_union,
    refuses={
        "1/5 for the early stops": functools.partial(_union, early=Fraction(1, 5)),
        "9/20 for both": functools.partial(_union, whole=Fraction(9, 20)),
    },
)

ERROR = Check(
    name="budgeted-error",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="six known gaps from 0.49 to 0.1 (standard: 0.03 too), five levels, pairs at the gap g "
    "and halfway to 1/2, each with the better arm first and second: error at most delta/2",
    run=_error,
    refuses={
        "error <= delta/50": functools.partial(_error, share=Fraction(1, 50)),
        "pairs with a tenth of the gap g": functools.partial(_error, nearer=Fraction(10)),
    },
)

ATTAINED = Check(
    name="budgeted-budget-attained",
    question=Question.TRUTH,
    kind=Kind.EXHAUSTIVE,
    domain="seven gaps from 1/2 to 0.1, five levels: on alternating outcomes exactly "
    "ceil(log(4/delta)/(2g^2)) duels are played, so that the bound is met and attained",
    run=_attained,
    refuses={"one duel fewer": functools.partial(_attained, fewer=1)},
)

BUDGET = Check(
    name="budgeted-budget-form",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="M <= (19/20 + log(1/delta)/2)/g^2 for every g in (0, 1/2] and delta in (0, 1): the "
    "C/g^2 (log(1/delta) + 1) of the proofs, with its constants",
    run=_budget,
    refuses={
        "94/100 for 19/20, by the same steps": functools.partial(_budget, base=Fraction(47, 50))
    },
)

CHECKS = (RADIUS, UNION, ERROR, ATTAINED, BUDGET)
