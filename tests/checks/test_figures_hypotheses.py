"""What the printed numbers tell of the test that was run: beside simulated runs and scipy."""

from __future__ import annotations

import random
from fractions import Fraction
from statistics import fmean

import pytest
from flint import arb
from scipy.stats import chi2

from tgite import Confidence, Duel, drive
from tgite_checks.check import Check, Demonstration, Depth
from tgite_checks.figures import hypotheses, readings
from tgite_checks.figures.hypotheses import _above, with_radius
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.fewest_duels import fewest_duels
from tgite_laws.implementation import REFERENCE

TENTH = Confidence.of("1/10")
SHOWN = [
    pytest.param(one, id=name)
    for module in (hypotheses, readings)
    for name, one in vars(module).items()
    if isinstance(one, Check | Demonstration) and one.refuses
]


@pytest.mark.parametrize("one", SHOWN)
def test_each_stands_and_refuses_what_is_false(one: Check | Demonstration) -> None:
    assert one.run(REFERENCE, Depth.QUICK).holds()
    for words, run in one.refuses.items():
        assert not run(REFERENCE, Depth.QUICK).holds(), words


def test_a_narrower_radius_is_the_test_whose_law_it_has() -> None:
    """The exact mean against 2000 matches of the test itself, within five standard errors."""
    narrower = with_radius(REFERENCE, Fraction(1, 2))
    p = Fraction(4, 5)
    law = DuelTestLaws(narrower).law(TENTH, p)
    rng = random.Random("narrower")
    lengths = []
    for _ in range(2000):
        asked = 0

        def answer(duel: Duel) -> bool:
            nonlocal asked
            asked += 1
            return rng.random() < p

        drive(narrower.duel_test(0, 1, TENTH), answer)
        lengths.append(asked)
    error = law.standard_deviation.high / 2000**0.5
    assert abs(fmean(lengths) - law.mean.middle) < 5 * error
    assert fewest_duels(narrower.duel_test, TENTH) < fewest_duels(REFERENCE.duel_test, TENTH)


def test_the_whole_radius_is_duel_test() -> None:
    whole = with_radius(REFERENCE, Fraction(1))
    ours, theirs = DuelTestLaws(whole), DuelTestLaws(REFERENCE)
    for p in (Fraction(3, 5), Fraction(1, 5)):
        assert ours.law(TENTH, p).mean == theirs.law(TENTH, p).mean


@pytest.mark.parametrize("degrees", [9, 27])
@pytest.mark.parametrize("value", [2.5, 11.8, 40.0, 97.0])
def test_chi_square_is_that_of_scipy(degrees: int, value: float) -> None:
    assert float(_above(arb(value), degrees)) == pytest.approx(chi2.sf(value, degrees), rel=1e-9)
