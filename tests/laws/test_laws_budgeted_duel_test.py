"""BudgetedDuelTest's law: against exact arithmetic, all outcome sequences, simulation, mutants."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import pytest

from rational_laws import RationalLaw, enumerate_outcomes, rational_law, real_leads
from tgite.budgeted_duel_test import budget, budgeted_duel_test
from tgite.confidence import Confidence
from tgite.errors import InvalidInput
from tgite_laws.boundary import Boundary
from tgite_laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_laws.enclosure import Enclosure
from tgite_laws.implementation import REFERENCE
from tgite_laws.match_law import Part

HALF = Fraction(1, 2)

CASES = [
    # gap, level, p: an even and an odd budget, both arms better, a tie, a gap that is too large
    ("0.3", "0.5", "8/10"),
    ("0.3", "0.5", "2/10"),
    ("0.25", "0.2", "3/4"),
    ("0.25", "0.2", "1/2"),
    ("0.05", "0.1", "45/100"),
    ("0.1", "1e-3", "51/100"),
    ("1/2", "1/3", "1/100"),
]


def exact_law(g: Fraction, delta: Confidence, p: Fraction) -> RationalLaw:
    M = budget(g, delta)
    return rational_law(real_leads(Boundary(delta, 8, 0, g), M), p, budget=M)


def same(value: Enclosure, exact: Fraction) -> None:
    assert Fraction(value.low) <= exact <= Fraction(value.high)
    assert value.high - value.low <= 1e-11 * value.high


def same_part(part: Part, masses: dict[int, Fraction]) -> None:
    same(part.probability, sum(masses.values(), Fraction(0)))
    same(part.duels, sum((n * mass for n, mass in masses.items()), Fraction(0)))
    same(part.squared_duels, sum((n * n * mass for n, mass in masses.items()), Fraction(0)))


@pytest.mark.parametrize(("gap", "level", "p"), CASES)
def test_law_agrees_with_exact_arithmetic(gap: str, level: str, p: str) -> None:
    g, delta, chance = Fraction(gap), Confidence.of(level), Fraction(p)
    exact = exact_law(g, delta, chance)
    assert exact.going_on == 0
    law = BudgetedDuelTestLaws(REFERENCE, g).law(delta, chance)
    same_part(law.first, exact.first)
    same_part(law.second, exact.second)
    assert law.never == Enclosure(0.0, 0.0)


def test_law_agrees_with_all_outcome_sequences_of_the_transcription() -> None:
    """Budgets of 14 and 15 duels: at the even one a tie goes to the first arm."""
    for g, level, M in (
        (Fraction("0.28"), Confidence.of("0.5"), 14),
        (Fraction("0.3"), Confidence.of("0.3"), 15),
    ):
        assert budget(g, level) == M
        found = enumerate_outcomes(partial(budgeted_duel_test, 0, 1, g, level), M)
        assert not found.open
        assert sum(count * 2 ** (M - n) for (n, _, _), count in found.ended.items()) == 2**M
        for p in (Fraction(3, 4), Fraction(1, 4), HALF):
            exact = found.rational_law(p, 0, M)
            assert exact == exact_law(g, level, p)
            law = BudgetedDuelTestLaws(REFERENCE, g).law(level, p)
            same_part(law.first, exact.first)
            same_part(law.second, exact.second)


def test_a_tie_at_an_even_budget_goes_to_the_first_arm() -> None:
    g, delta = Fraction("0.3"), Confidence.of("0.5")
    assert budget(g, delta) % 2 == 0
    law = BudgetedDuelTestLaws(REFERENCE, g).law(delta, HALF)
    assert law.first.probability.low > law.second.probability.high
    # At an odd budget nothing ties.
    odd = Confidence.of("0.45")
    assert budget(g, odd) % 2 == 1
    law = BudgetedDuelTestLaws(REFERENCE, g).law(odd, HALF)
    same(law.first.probability, HALF)
    same(law.second.probability, HALF)


@pytest.mark.parametrize("level", ["0.5", "0.45", "1e-6"])
def test_the_largest_error_is_above_that_of_every_pair(level: str) -> None:
    g, delta = Fraction("0.3"), Confidence.of(level)
    laws = BudgetedDuelTestLaws(REFERENCE, g)
    largest = laws.largest_error(delta)
    for gap in ("0.3", "0.31", "0.35", "0.45"):
        errors = (
            laws.law(delta, HALF + Fraction(gap)).second.probability,
            laws.law(delta, HALF - Fraction(gap)).first.probability,
        )
        assert all(error.low <= largest.high for error in errors)
        assert (max(error.high for error in errors) >= largest.low) == (gap == "0.3")
    assert largest.high <= float(delta.rational) / 2
    assert BudgetedDuelTestLaws(REFERENCE, HALF).largest_error(delta) == Enclosure(0.0, 0.0)


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(InvalidInput):
        BudgetedDuelTestLaws(REFERENCE, Fraction(0))
    with pytest.raises(InvalidInput, match="strictly between"):
        BudgetedDuelTestLaws(REFERENCE, Fraction(1, 4)).law(Confidence.of("0.1"), Fraction(1))
