"""Bounds of BudgetedDuelTest (``lem:budgeted-dueltest-main``): its error, budget and constant."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite_checks.bounds.constants.certificates import one_budget
from tgite_checks.bounds.constants.constant import STATED, Attained, Constant, of_budgets
from tgite_checks.bounds.constants.extremal import NEARLY_ONE, known_gap_scaled
from tgite_checks.bounds.constants.totals import single_totals
from tgite_checks.bounds.exact_laws import budgeted_laws_of, laws_of
from tgite_checks.check import (
    Cases,
    Depth,
    Kind,
    Number,
    argument,
    at_most,
    by_depth,
    demonstration,
    statement,
    truth,
)
from tgite_laws.balls import ball, log_integer_ball, log_inverse_ball, real
from tgite_laws.duel_test import HALF
from tgite_laws.enclosure import Enclosure
from tgite_laws.fewest_duels import most_duels
from tgite_laws.implementation import Implementation

_SMALLEST = ("0.1", "0.03", "0.03")
LEVELS = tuple(map(Confidence.of, ("0.999", "1/2", "1/10", "1/100", "1e-6")))
"""Levels at which laws are computed."""

KNOWN_GAPS = tuple(map(Fraction, ("0.49", "0.45", "0.38", "0.3", "0.2", "0.1")))
"""Known gaps g at which laws are computed."""


def _radius_excess(g: Fraction, n: int, delta: Confidence) -> arb:
    radius = ((log_integer_ball(8 * n * n) + log_inverse_ball(delta)) / (2 * n)).sqrt()
    return radius - ball(g)


@truth(
    "budgeted-radius-above-gap",
    domain="The radius b_n(delta) exceeds g for every n <= M, every g in (0, 1/2] and every "
    "level, since log 2 >= 1/2. It is also computed at n = 1, M/2, M - 1 and M for some gaps and "
    "levels.",
    case="radius",
    refuses={"b_n(delta) > g + 1/10": {"margin": Fraction(1, 10)}},
)
def radius_above_gap(
    under_test: Implementation, depth: Depth, *, margin: Fraction = Fraction(0)
) -> Cases:
    # For all g and delta. n <= M - 1: 2 n g^2 < log(4/delta) < log(8 n^2/delta). n = M: 2 M g^2 <
    # log(4/delta) + 2 g^2 <= log(4/delta) + 1/2 <= log(8 M^2/delta), because 1/2 <= log 2.
    yield at_most("1/2 against log 2", HALF, real(lambda: log_integer_ball(2)))
    for g in (*KNOWN_GAPS, HALF):
        for delta in LEVELS:
            M = under_test.budget(g, delta)
            for n in sorted({1, (M + 1) // 2, max(1, M - 1), M}):
                yield at_most(
                    f"margin against b_n - g, g = {g}, delta = {delta}, n = {n} of {M}",
                    margin,
                    real(_radius_excess, g, n, delta),
                )


def _early_share() -> arb:
    """Return the sum of 1/(8n^2) over all n."""
    return arb.pi() * arb.pi() / 48


@statement(
    "budgeted-union-sum",
    domain="Wrong early stops have probability at most (pi^2/48) delta, so at most delta/4. "
    "Together with wrong final majorities they have at most (pi^2/48 + 1/4) delta, so at most "
    "delta/2.",
    case="part of the error bound",
    refuses={
        "wrong early stops with at most 1/5 of delta": {"early": Fraction(1, 5)},
        "both errors together at most 9/20 of delta": {"whole": Fraction(9, 20)},
    },
)
def union(
    depth: Depth, *, early: Fraction = Fraction(1, 4), whole: Fraction = Fraction(1, 2)
) -> Cases:
    yield at_most("sum of delta/(8n^2) over delta: pi^2/48", real(_early_share), early)
    # exp(-2 M g^2) <= delta/4 as M >= log(4/delta)/(2 g^2).
    both = real(lambda: _early_share() + 0.25)
    yield at_most("both parts over delta: pi^2/48 + 1/4", both, whole)


@truth(
    "budgeted-error",
    domain="The exact error is at most delta/2 at five levels. The gap of the pair is g, or "
    "halfway from g to 1/2, with the better arm first or second.",
    sizes={"known gaps g from 0.49 down to": _SMALLEST},
    case="error probability",
    refuses={
        "error <= delta/50": {"share": Fraction(1, 50)},
        "error <= delta/2 for pairs with a tenth of the gap g": {"nearer": Fraction(10)},
    },
)
def error(
    under_test: Implementation,
    depth: Depth,
    *,
    share: Fraction = Fraction(1, 2),
    nearer: Fraction = Fraction(1),
) -> Cases:
    for g in (*KNOWN_GAPS, *(Fraction("0.03"),) * by_depth(depth, 0, 1, 1)):
        laws = budgeted_laws_of(under_test, g)
        for delta in LEVELS:
            for gap in (g / nearer, (g + HALF) / 2):
                for p in (HALF + gap, HALF - gap):
                    law = laws.law(delta, p)
                    wrong = law.second if p > HALF else law.first
                    yield at_most(
                        f"error, g = {g}, delta = {delta}, p_uv = {p}",
                        wrong.probability,
                        share * delta.rational,
                    )


@truth(
    "budgeted-budget-attained",
    kind=Kind.EXHAUSTIVE,
    domain="Alternating outcomes take exactly ceil(log(4/delta)/(2g^2)) duels, so the budget is "
    "attained. Seven gaps from 1/2 to 0.1 and five levels are tried.",
    case="run of alternating outcomes",
    refuses={"a budget of one duel fewer": {"fewer": 1}},
)
def budget_attained(under_test: Implementation, depth: Depth, *, fewer: int = 0) -> Cases:

    def quotient(g: Fraction, delta: Confidence) -> arb:
        return (log_integer_ball(4) + log_inverse_ball(delta)) / ball(2 * g * g)

    for g in (*KNOWN_GAPS, HALF):
        test = under_test.known_gap(g)
        for delta in LEVELS:
            played = most_duels(test, delta)
            # The ceiling, from balls: M - 1 < log(4/delta)/(2 g^2) <= M.
            least = real(quotient, g, delta)
            if not played - 1 <= least.high or not least.low <= played:
                yield f"g = {g}, delta = {delta}: {played} duels, quotient {least}"
            elif played > least.high + 1 - fewer:
                yield f"g = {g}, delta = {delta}: {played} duels are played, the bound is lower"
            else:
                yield ""


@statement(
    "budgeted-budget-form",
    domain="The budget M is at most (19/20 + log(1/delta)/2)/g^2, for every g in (0, 1/2] and "
    "delta in (0, 1). This is the proofs' bound C/g^2 (log(1/delta) + 1) with its constants.",
    case="coefficient of the budget",
    refuses={"94/100 in place of 19/20, by the same steps": {"base": Fraction(47, 50)}},
)
def budget_form(depth: Depth, *, base: Fraction = Fraction(19, 20)) -> Cases:
    # M <= log(4/delta)/(2g^2) + 1 and 1 <= 1/(4g^2): g^2 M <= log(4)/2 + 1/4 + log(1/delta)/2.
    yield at_most("log(4)/2 + 1/4", real(lambda: log_integer_ball(4) / 2 + 0.25), base)
    yield at_most("1/2, the coefficient of log(1/delta)", HALF, HALF)


def _attained(under_test: Implementation, depth: Depth) -> Attained:
    """Return a test's longest run over its bound, with g^2 just below log(4)/6 and M = 4."""
    g = Fraction("0.480675")
    duels = most_duels(under_test.known_gap(g), NEARLY_ONE)
    value = known_gap_scaled(g, arb(duels), 1, log_inverse_ball(NEARLY_ONE) + 1)
    return Attained(value, f"g = {float(g)}, delta -> 1, arms win alternately")


CONSTANT = Constant(
    stated=STATED["budget"],
    certify=one_budget,
    attained=_attained,
    weakened={"a proof with ceil(x) <= x + 1 for every x": of_budgets(single_totals)},
)
constant = CONSTANT.check()


@demonstration(case="budget")
def sides_differ(under_test: Implementation, depth: Depth) -> Cases:
    """Show that an even budget treats the two arguments differently, unlike an odd one."""
    for g_text, delta_text in (("0.3", "1/2"), ("0.45", "1/2"), ("0.4", "3/10"), ("0.3", "1/10")):
        g, delta = Fraction(g_text), Confidence.of(delta_text)
        M = under_test.budget(g, delta)
        laws = budgeted_laws_of(under_test, g)
        first = laws.law(delta, HALF + g).second.probability
        second = laws.law(delta, HALF - g).first.probability
        where = f"g = {g}, delta = {delta}, M = {M}"
        yield Number(f"error with the better arm first, {where}", first)
        if M % 2 == 0:
            least = Enclosure.exactly(first.high * 2)
            yield at_most(f"twice the error with the better arm first, {where}", least, second)
        else:
            yield at_most(
                f"error with the better arm second, {where}",
                second,
                Enclosure.exactly(first.high * (1 + 1e-9)),
            )


@argument(case="budget", refuses={"log(1.25/delta) suffices, too": {"percent": 125}})
def smaller_budget_suffices(depth: Depth, *, percent: int = 126) -> Cases:
    """Show that a budget with log(1.26/delta) keeps the error within delta by the same proof."""
    spent = real(lambda: _early_share() + 1 / ball(Fraction(percent, 100)))
    yield at_most(f"pi^2/48 + 1/{percent / 100}", spent, 1)


@demonstration(case="known gap")
def bounds_are_not_improved(under_test: Implementation, depth: Depth) -> Cases:
    """Show that with a known gap far below the true one the test costs more than DuelTest."""
    delta, true_gap = Confidence(Fraction(1, 20)), Fraction(3, 10)
    anytime = laws_of(under_test).law(delta, HALF + true_gap).mean
    for g in by_depth(depth, ("0.03",), ("0.03", "0.01"), ("0.03", "0.01")):
        known = Fraction(g)
        yield at_most(
            f"Delta^-2 (log(1/Delta) + 1) against g^-2, Delta = 0.3, g = {g}",
            real(lambda: ball(1 / true_gap**2) * (1 - ball(true_gap).log())),
            1 / known**2,
        )
        yield at_most(
            f"E[tau] of DuelTest against the budget, gap 0.3, g = {g}, delta = 1/20",
            anytime,
            under_test.budget(known, delta),
        )
    if depth is not Depth.QUICK:
        law = budgeted_laws_of(under_test, Fraction(1, 100)).law(delta, HALF + true_gap)
        yield at_most("E[tau] of DuelTest against BudgetedDuelTest's, g = 0.01", anytime, law.mean)
