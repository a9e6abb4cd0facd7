"""BudgetedDuelTest's budget and radius. Its matches: ``algorithms.toml``."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log, sqrt

import pytest
from flint import arb, ctx

from tgite import Confidence, budget
from tgite.budgeted_duel_test import b

TENTH = Confidence.of("1/10")


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
