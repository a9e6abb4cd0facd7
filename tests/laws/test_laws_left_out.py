"""What the laws leave out is bounded, not dropped: each remainder against what it must hold.

Where a remainder is small, comparing whole laws would not show that it is missing.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, exp, fsum, log

import numpy as np
import pytest

from tgite.confidence import Confidence
from tgite.instances import cyclic
from tgite.questions import Match
from tgite.strong import tg_ite_strong_anytime
from tgite.tree import BalancedTree
from tgite.tree_ascent import tree_ascent
from tgite_checks.figures.exact import Unguaranteed
from tgite_laws.any_start import pass_from_anywhere
from tgite_laws.arithmetic import ONE, ZERO, plus
from tgite_laws.bracket import Bracket, bracket, bracket_law
from tgite_laws.cost import CostDistribution
from tgite_laws.enclosure import Enclosure
from tgite_laws.implementation import REFERENCE
from tgite_laws.match_law import Part
from tgite_laws.maximal_inequality import late_crossing
from tgite_laws.pairs import pairs
from tgite_laws.strong import strong_regret_anytime
from tgite_laws.weak import _EpochBounds, _geometric_sum

TENTH = Confidence.of("1/10")


@pytest.mark.parametrize("level", ["0.999", "0.1", "1e-9"])
@pytest.mark.parametrize("n", [1, 100, 8192])
def test_all_blocks_of_the_maximal_inequality_are_paid_for(level: str, n: int) -> None:
    """Also those far beyond the ones that are added up one by one."""
    delta = Confidence.of(level)
    crossings, duels, a = [], [], n + 1
    while a < 10**12 * (n + 1):
        L = log(2 * a * (a + 1) / float(delta.rational))
        b = int(a * (1 + 1 / L))
        # Either side is left within the block with probability at most exp(-2 m^2/b), m^2 = a L/2.
        crossings.append(2 * exp(-L * a / b))
        duels.append(b * crossings[-1])
        a = b + 1
    found = late_crossing(delta, n)
    assert found.probability >= fsum(crossings)
    assert found.duels >= fsum(duels)
    assert found.duels <= 1.001 * fsum(duels)


@pytest.mark.parametrize("first", [1, 3, 22])
def test_what_falls_by_four_is_summed_to_its_end(first: int) -> None:
    assert _geometric_sum(first) == pytest.approx(
        fsum((first + k) / 4**k for k in range(80)), rel=1e-14
    )


def test_a_wrong_incumbent_stays_if_its_screening_or_its_tournament_errs() -> None:
    rho, kappa = Fraction(1, 64), Fraction(1, 32)
    seen = _EpochBounds([Match(0, 1, TENTH)], rho, kappa, 100.0, 10.0, defended=False)
    after = seen.bound(1, Enclosure(1.0, 1.0), 0.0).wrong_after
    assert after.high >= float(rho + kappa)
    assert seen.bound(1, Enclosure(0.0, 0.0), 0.25).wrong_after.high >= 0.25
    # It costs at most all matches of the epoch, each with one duel more.
    assert 100 <= seen.bound(1, Enclosure(1.0, 1.0), 0.0).weak_regret.high <= 100.1
    screened, tournament = [Match(0, 1, TENTH)] * 2, [Match(1, 2, TENTH)] * 3
    of = _EpochBounds.of(screened, tournament, lambda level: 9.0, winner=0)
    assert 50 <= of.whole <= 50.1
    assert (10 <= of.match <= 10.1, of.defended) == (True, False)


def test_a_winner_that_defends_itself_pays_for_two_false_beaters_or_more() -> None:
    """A hundred arms that each beat it with 1/400: K is binomial, a match costs 10."""
    kappa, n, q = Fraction(1, 32), 100, 1 / 400
    seen = _EpochBounds([Match(0, 1, TENTH)], Fraction(1, 64), kappa, 100.0, 10.0, defended=True)
    found = seen.bound(1, Enclosure(0.0, 0.0), n * q)
    chances = [comb(n, k) * q**k * (1 - q) ** (n - k) for k in range(n + 1)]
    paid = 10 * fsum((k - 1) * chance for k, chance in enumerate(chances) if k)
    assert paid <= found.weak_regret.high <= 1.2 * paid
    assert (1 - chances[0]) * kappa <= found.wrong_after.high <= n * q * 1.001 * kappa


def test_what_is_missing_of_two_costs_is_missing_of_their_sum() -> None:
    first = CostDistribution(None, {0: np.array([0.9])}, missing=0.1)
    second = CostDistribution(None, {1: np.array([0.0, 0.8])}, missing=0.2)
    total = first.then({0: second})
    assert total.masses[1].sum() + total.missing >= 1


def _pass_from(b: int, tree: BalancedTree) -> Bracket:
    return bracket(lambda test: tree_ascent(b, tree, TENTH, test))


@pytest.mark.parametrize("g", ["0.3", "0.45"])
def test_a_pass_from_anywhere_holds_that_from_every_arm(g: str) -> None:
    """Also for a gap above the winner's, where the test guarantees nothing."""
    instance, tree = cyclic(8, Fraction(3, 10), Fraction(2, 5)), BalancedTree.over(8)
    laws, known, winner = Unguaranteed(REFERENCE, Fraction(g)), pairs(instance), instance.winner()
    brackets = [_pass_from(c, tree) for c in range(8)]
    (own,) = {len(one.path(winner)) for one in brackets}
    levels = brackets[0].levels()
    anywhere = pass_from_anywhere(levels, own, known, laws, winner)
    found, rest = anywhere.after(Part(ONE, ZERO, ZERO))
    for one in brackets:
        assert one.levels() == levels
        law = bracket_law(one, known, laws, winner)
        lost = [part for arm, part in law.survives.items() if arm != winner]
        assert anywhere.whole.duels.low <= law.comparisons.mean.low
        assert law.comparisons.mean.high <= anywhere.whole.duels.high
        kept = law.survives[winner]
        together = [
            plus(*(getattr(part, name) for part in lost))
            for name in ("probability", "duels", "squared_duels")
        ]
        for of_pass, bound in ((kept, found), (Part(*together), rest)):
            assert bound.probability.low <= of_pass.probability.low
            assert of_pass.probability.high <= bound.probability.high
            assert bound.duels.low <= of_pass.duels.low
            assert of_pass.duels.high <= bound.duels.high
            assert of_pass.squared_duels.high <= bound.squared_duels.high


def test_a_pass_has_the_same_levels_whoever_starts() -> None:
    """What the enclosure of the anytime policy takes from three arms, for all 256 of the figure."""
    tree, winner = BalancedTree.over(256), 128
    found = {
        (frozenset(one.levels().items()), len(one.path(winner)))
        for c in range(256)
        for one in [_pass_from(c, tree)]
    }
    assert len(found) == 1


@pytest.mark.parametrize("g", ["0.2", "0.3"])
@pytest.mark.parametrize("T", [1000, 20_000, 100_000])
def test_wrong_incumbents_are_bounded_closely(g: str, T: int) -> None:
    """Following the winner alone, against following all; a test told too much errs often."""
    instance = cyclic(8, Fraction(1, 5), Fraction(2, 5))
    laws, tree = Unguaranteed(REFERENCE, Fraction(g)), BalancedTree.over(8)

    def regret(*followed: int) -> Enclosure:
        return strong_regret_anytime(
            tg_ite_strong_anytime, 0, tree, T, instance, laws, False, followed.__contains__
        ).total

    alone, everybody = regret(instance.winner()), regret(*range(8))
    assert alone.low <= everybody.low
    assert everybody.high <= alone.high
    if g == "0.2" and T > 1000:
        assert alone.high - alone.low <= everybody.low / 1000
