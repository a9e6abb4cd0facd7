"""Demonstrations about the Experiments section, besides the checks of its printed numbers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tgite.instances import cyclic
from tgite_checks.enclosure import Enclosure
from tgite_checks.fidelity.cases import result_of
from tgite_checks.implementation import Implementation
from tgite_checks.laws.policies import strong_regret_anytime, strong_regret_known_horizon
from tgite_checks.ledger.model import Depth, Result
from tgite_checks.truth.budgeted_duel_test import budgeted_laws_of
from tgite_checks.truth.comparing import AtMost, compared, rational
from tgite_checks.truth.instances import contradictions, literal_rule
from tgite_checks.truth.printed_numbers import (
    ANYTIME,
    FLATTENS_AT,
    HORIZON,
    KNOWN_HORIZON,
    exact_numbers,
)


def ratio_fits_a_known_gap(under_test: Implementation, depth: Depth) -> Result:
    """Show that the printed pair's ratio is not DuelTest's, and is the known-gap test's."""
    return compared(_ratio_cases(under_test), "ratio")


def _ratio_cases(under_test: Implementation) -> Iterator[AtMost]:
    printed = Fraction(ANYTIME.mean, KNOWN_HORIZON.mean)
    exact = exact_numbers(under_test)
    yield AtMost(
        "ratio of the exact means with DuelTest, against 3",
        _quotient(exact["anytime"], exact["known"]),
        rational(3),
    )
    yield AtMost("4.2 against the printed ratio", rational(Fraction(42, 10)), rational(printed))
    instance = cyclic(256, "0.30", "0.38")
    laws = budgeted_laws_of(under_test, instance.winner_gap())
    tree = under_test.BalancedTree.over(256)
    known = strong_regret_known_horizon(0, tree, HORIZON, instance, laws).total
    anytime = strong_regret_anytime(0, tree, HORIZON, instance, laws).total
    ratio = _quotient(anytime, known)
    yield AtMost(
        "4.2 against the ratio with BudgetedDuelTest, g = Delta*", rational(Fraction(42, 10)), ratio
    )
    yield AtMost("the ratio with BudgetedDuelTest, g = Delta*", ratio, rational(Fraction(435, 100)))


def _quotient(above: Enclosure, below: Enclosure) -> Enclosure:
    return Enclosure(above.low / below.high * (1 - 1e-12), above.high / below.low * (1 + 1e-12))


def flattening_is_the_regret(under_test: Implementation, depth: Depth) -> Result:
    """Show that the curve flattens at a height equal to its time, 7 deviations off what is printed.

    Every round of the pass costs one, and after it none, unless the wrong arm was identified.
    """
    six_up = KNOWN_HORIZON.mean + 6 * KNOWN_HORIZON.deviation
    case = AtMost(
        "printed regret and six deviations, against the printed time of flattening",
        rational(six_up),
        rational(FLATTENS_AT),
    )
    return compared((case,), "printed number")


def printed_rule_contradicts_itself(under_test: Implementation, depth: Depth) -> Result:
    """Show that by the printed rule each arm beats itself and, for odd N, some beat each other."""
    return result_of(_rule_cases(), "number of arms")


def _rule_cases() -> Iterator[str]:
    for N in range(3, 20):
        itself, each_other = contradictions(N, literal_rule)
        expected = (N - 1, (N - 1) // 2 if N % 2 else 0)
        yield "" if (itself, each_other) == expected else f"N = {N}: {itself}, {each_other}"


def four_times_is_near_equality(under_test: Implementation, depth: Depth) -> Result:
    """Show that "roughly 4x" leaves no baseline between, if all are above Anytime."""
    return compared(_four_times_cases(), "ratio")


def _four_times_cases() -> Iterator[AtMost]:
    known, anytime = KNOWN_HORIZON.mean, ANYTIME.mean
    yield AtMost(
        "4.27 against Anytime / KnownHorizon",
        rational(Fraction(427, 100)),
        rational(Fraction(anytime, known)),
    )
    yield AtMost(
        "4.5 times KnownHorizon against Anytime and four of its deviations",
        rational(Fraction(9, 2) * known),
        rational(anytime + 4 * ANYTIME.deviation),
    )
