"""BudgetedDuelTest: known budgets, ties, and input."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log, sqrt

import pytest
from flint import arb, ctx

from tgite import Arm, Confidence, Duel, Outcome, budget, budgeted_duel_test, drive, known_gap
from tgite.budgeted_duel_test import b

TENTH = Confidence.of("1/10")
G = Fraction(3, 10)


def answer_and_length(g: Fraction, delta: Confidence, outcomes: list[Outcome]) -> tuple[Arm, int]:
    left = list(outcomes)
    winner = drive(budgeted_duel_test(4, 9, g, delta), lambda duel: left.pop(0))
    return winner, len(outcomes) - len(left)


@pytest.mark.parametrize(
    ("g", "level", "duels"),
    [
        ("1/2", "0.999", 3),  # 2 log 4.004 = 2.77
        ("3/10", "1/10", 21),  # log 40 / 0.18 = 20.49
        ("1/10", "1/10", 185),  # log 40 / 0.02 = 184.4
        ("1/100", "1e-9", 110548),  # (log 4 + 9 log 10) / 0.0002 = 110547.7
        ("1/2", "2^-1024", 1423),  # 2 * 1026 log 2 = 1422.3
    ],
)
def test_budgets(g: str, level: str, duels: int) -> None:
    delta = Confidence.of(level)
    assert budget(Fraction(g), delta) == duels
    assert duels == ceil((log(4) + delta.log_inverse) / (2 * float(Fraction(g)) ** 2))


@pytest.mark.parametrize("digits", [25, 30, 60])
def test_a_budget_of_many_digits_is_exact(digits: int) -> None:
    """More digits than the first precision that is tried."""
    g = Fraction(3, 10**digits)
    with ctx.workprec(1000):
        exact = (arb(40).log() * 10 ** (2 * digits) / 18).ceil().unique_fmpz()
    assert exact is not None
    assert budget(g, TENTH) == int(exact)


def test_the_radius_is_the_papers() -> None:
    for n in (1, 7, 1000):
        assert b(n, TENTH) == pytest.approx(sqrt(log(8 * n * n / 0.1) / (2 * n)), rel=1e-14)


def test_a_tie_at_an_even_budget_goes_to_the_first_arm() -> None:
    delta = Confidence.of("1/2")  # log 8 / 0.18 = 11.55
    assert answer_and_length(G, delta, [True, False] * 6) == (4, 12)
    assert answer_and_length(G, delta, [False, True] * 6) == (4, 12)


def test_an_odd_budget_goes_to_the_majority() -> None:
    assert answer_and_length(G, TENTH, [True, False] * 10 + [True]) == (4, 21)
    assert answer_and_length(G, TENTH, [False, True] * 10 + [False]) == (9, 21)


def test_an_early_stop() -> None:
    winner, duels = answer_and_length(G, TENTH, [True] * 21)
    assert winner == 4
    assert b(duels, TENTH) - 0.3 < 0.5
    assert all(b(n, TENTH) - 0.3 >= 0.5 for n in range(1, duels))
    assert answer_and_length(G, TENTH, [False] * 21) == (9, duels)


def test_an_early_stop_after_upsets() -> None:
    """At the stop the mean is between the two boundaries: above 1/3, below 1."""
    for won in (True, False):
        winner, duels = answer_and_length(
            Fraction(1, 10), TENTH, [not won if k % 8 == 0 else won for k in range(185)]
        )
        assert winner == (4 if won else 9)
        assert 8 < duels < 185
        upsets = len(range(0, duels, 8))
        assert abs((duels - upsets) / duels - 1 / 2) > b(duels, TENTH) - 0.1
    narrow = [k % 20 >= 12 for k in range(1400)]
    winner, duels = answer_and_length(Fraction(1, 30), TENTH, narrow)
    assert (winner, 1 / 3 < sum(narrow[:duels]) / duels < 1 / 2) == (9, True)
    assert duels < budget(Fraction(1, 30), TENTH)


def test_the_known_gap_variant_is_the_budgeted_test() -> None:
    asked: list[Duel] = []

    def losing(duel: Duel) -> Outcome:
        asked.append(duel)
        return False

    assert drive(known_gap(G)(2, 7, TENTH), losing) == 7
    alone = answer_and_length(G, TENTH, [False] * 21)
    assert asked == [Duel(2, 7)] * alone[1]
