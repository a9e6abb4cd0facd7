"""Demonstrations about BudgetedDuelTest: its two sides, its budget, what "improved" means."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite_checks.bounds.budgeted_duel_test import budgeted_laws_of
from tgite_checks.bounds.comparing import AtMost, compared, rational, real
from tgite_checks.bounds.duel_test import laws_of
from tgite_checks.check import Depth, Result, by_depth
from tgite_checks.enclosure import Enclosure
from tgite_checks.implementation import Implementation
from tgite_checks.laws.balls import ball
from tgite_checks.laws.duel_test import HALF


def sides_differ(under_test: Implementation, depth: Depth) -> Result:
    """Show that at an even budget the two arguments are not treated alike, unlike at an odd one."""
    return compared(_side_cases(under_test), "budget")


def _side_cases(under_test: Implementation) -> Iterator[AtMost]:
    for g_text, delta_text in (("0.3", "1/2"), ("0.45", "1/2"), ("0.4", "3/10"), ("0.3", "1/10")):
        g, delta = Fraction(g_text), Confidence.of(delta_text)
        M = under_test.budget(g, delta)
        laws = budgeted_laws_of(under_test, g)
        first = laws.law(delta, HALF + g).second.probability
        second = laws.law(delta, HALF - g).first.probability
        where = f"g = {g}, delta = {delta}, M = {M}"
        if M % 2 == 0:
            least = Enclosure.exactly(first.high * 2)
            yield AtMost(f"twice the error with the better arm first, {where}", least, second)
        else:
            yield AtMost(
                f"error with the better arm second, {where}",
                second,
                Enclosure.exactly(first.high * (1 + 1e-9)),
            )


def smaller_budget_suffices(under_test: Implementation, depth: Depth) -> Result:
    """Show that a budget with log(1.26/delta) keeps the error within delta by the same proof."""

    def spent() -> arb:
        return arb.pi() * arb.pi() / 48 + 1 / ball(Fraction(126, 100))

    return compared((AtMost("pi^2/48 + 1/1.26", real(spent), rational(1)),), "budget")


def bounds_are_not_improved(under_test: Implementation, depth: Depth) -> Result:
    """Show that a known gap far below the true one makes the test dearer than DuelTest."""
    return compared(_not_improved(under_test, depth), "known gap")


def _not_improved(under_test: Implementation, depth: Depth) -> Iterator[AtMost]:
    delta, true_gap = Confidence(Fraction(1, 20)), Fraction(3, 10)
    anytime = laws_of(under_test).law(delta, HALF + true_gap).mean
    for g in by_depth(depth, ("0.03",), ("0.03", "0.01"), ("0.03", "0.01")):
        known = Fraction(g)
        yield AtMost(
            f"Delta^-2 (log(1/Delta) + 1) against g^-2, Delta = 0.3, g = {g}",
            real(lambda: ball(1 / true_gap**2) * (1 - ball(true_gap).log())),
            rational(1 / known**2),
        )
        yield AtMost(
            f"E[tau] of DuelTest against the budget, gap 0.3, g = {g}, delta = 1/20",
            anytime,
            rational(under_test.budget(known, delta)),
        )
    if depth is not Depth.QUICK:
        law = budgeted_laws_of(under_test, Fraction(1, 100)).law(delta, HALF + true_gap)
        yield AtMost("E[tau] of DuelTest against BudgetedDuelTest's, g = 0.01", anytime, law.mean)
