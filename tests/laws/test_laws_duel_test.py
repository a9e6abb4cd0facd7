"""DuelTest's law: against exact arithmetic, all outcome sequences, simulation, and wrong radii."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import inf

import numpy as np
import pytest

from rational_laws import enumerate_outcomes, rational_law, real_leads
from tgite.confidence import Confidence
from tgite.duel_test import c, duel_test
from tgite.errors import InvalidInput
from tgite.questions import Arm, Duel, Outcome, Stream
from tgite_laws import duel_test as duel_test_laws
from tgite_laws.boundary import Boundary, stopping_leads
from tgite_laws.confidence_sequence import miss_probability
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.enclosure import Enclosure
from tgite_laws.fewest_duels import fewest_duels
from tgite_laws.implementation import REFERENCE
from tgite_laws.walk import LevelTooSmall, StoppedWalk, rounding_error

HALF = Fraction(1, 2)
LAWS = DuelTestLaws(REFERENCE)


def relative_width(value: Enclosure) -> float:
    return (value.high - value.low) / value.high


def holds(value: Enclosure, low: Fraction, high: Fraction) -> bool:
    """Say whether the enclosure can hold a number that is known to lie in [low, high]."""
    return Fraction(value.low) <= high and low <= Fraction(value.high)


def separate(a: Enclosure, b: Enclosure) -> bool:
    return a.high < b.low or b.high < a.low


@pytest.mark.parametrize("level", ["0.999", "0.1", "1e-12", "1/7 * 6/pi^2"])
def test_counts_of_the_walk_are_the_whole_numbers(level: str) -> None:
    delta = Confidence.of(level)
    last = 512
    walk = StoppedWalk()
    leads = stopping_leads(lambda n: c(n, delta), 1, last)
    walk.advance(leads)
    stops = walk.stops()
    exact = rational_law(real_leads(Boundary(delta, 2, 2), last), HALF)
    assert sorted(stops.duels.tolist()) == [n for n, p in exact.first.items() if p > 0]
    for n, mantissa, exponent in zip(
        stops.duels.tolist(), stops.mantissas.tolist(), stops.exponents.tolist(), strict=True
    ):
        found = Fraction(mantissa) * Fraction(2) ** exponent
        assert abs(found / exact.first[n] - 1) <= rounding_error(walk.n)


@pytest.mark.parametrize("pieces", [[2] * 150, [8, 292], [98, 202], [6, 10, 84, 200]])
def test_the_walk_does_not_depend_on_how_it_is_cut_into_pieces(pieces: list[int]) -> None:
    delta = Confidence.of("0.5")
    leads = stopping_leads(lambda n: c(n, delta), 1, 300)
    whole, cut = StoppedWalk(), StoppedWalk()
    whole.advance(leads)
    start = 0
    for piece in pieces:
        cut.advance(leads[start : start + piece])
        start += piece
    a, b = whole.stops(), cut.stops()
    assert a.duels.tolist() == b.duels.tolist()
    assert a.leads.tolist() == b.leads.tolist()
    one, other = np.ldexp(a.mantissas, a.exponents), np.ldexp(b.mantissas, b.exponents)
    assert np.allclose(one, other, rtol=2 * rounding_error(whole.n), atol=0)


@pytest.mark.parametrize(
    ("level", "p"),
    [("0.5", "9/10"), ("0.5", "1/10"), ("0.1", "7/8"), ("1e-12", "19/20"), ("1/2 * 6/pi^2", "5/6")],
)
def test_law_agrees_with_exact_arithmetic(level: str, p: str) -> None:
    delta, chance = Confidence.of(level), Fraction(p)
    last = 360
    exact = rational_law(real_leads(Boundary(delta, 2, 2), last), chance)
    assert exact.going_on < Fraction(1, 10**15)
    joint = LAWS.stopping_law(delta, chance)
    for n, first, second in zip(joint.duels.tolist(), joint.first, joint.second, strict=True):
        if n <= last:
            assert abs(Fraction(first) / exact.first[n] - 1) <= joint.relative_error
            assert abs(Fraction(second) / exact.second[n] - 1) <= joint.relative_error
    law = LAWS.law(delta, chance)
    # What goes on after `last` duels adds little, however long it takes: less than 1e-9.
    beyond = Fraction(1, 10**9)
    for part, masses in ((law.first, exact.first), (law.second, exact.second)):
        total = sum(masses.values(), Fraction(0))
        assert holds(part.probability, total, total + exact.going_on)
        for value, power in ((part.duels, 1), (part.squared_duels, 2)):
            moment = sum((n**power * mass for n, mass in masses.items()), Fraction(0))
            assert holds(value, moment, moment + beyond)
        assert relative_width(part.probability) < 1e-11
        assert relative_width(part.duels) < 1e-11


def test_moments_given_the_arm_returned_agree_with_exact_arithmetic() -> None:
    delta, p = Confidence.of("0.5"), Fraction(9, 10)
    exact = rational_law(real_leads(Boundary(delta, 2, 2), 360), p).second
    chance = sum(exact.values(), Fraction(0))
    mean = sum((n * mass for n, mass in exact.items()), Fraction(0)) / chance
    square = sum((n * n * mass for n, mass in exact.items()), Fraction(0)) / chance
    part = LAWS.law(delta, p).second
    assert holds(part.mean, mean, mean * (1 + Fraction(1, 10**15)))
    deviation = part.standard_deviation
    assert Fraction(deviation.low) ** 2 <= square - mean**2 <= Fraction(deviation.high) ** 2
    assert relative_width(deviation) < 1e-7


def test_law_agrees_with_all_outcome_sequences_of_the_transcription() -> None:
    delta, p, last = Confidence.of("0.999"), Fraction(7, 10), 17
    found = enumerate_outcomes(lambda: duel_test(0, 1, delta), last)
    sequences = sum(found.open.values()) + sum(
        count * 2 ** (last - n) for (n, _, _), count in found.ended.items()
    )
    assert sequences == 2**last
    exact = found.rational_law(p, 0, last)
    assert exact == rational_law(real_leads(Boundary(delta, 2, 2), last), p)
    joint = LAWS.stopping_law(delta, p)
    for n, first, second in zip(joint.duels.tolist(), joint.first, joint.second, strict=True):
        if n <= last:
            assert abs(Fraction(first) / exact.first[n] - 1) <= joint.relative_error
            assert abs(Fraction(second) / exact.second[n] - 1) <= joint.relative_error
    assert joint.duels.min() == min(n for n, _, _ in found.ended) == fewest_duels(duel_test, delta)


@pytest.mark.parametrize(("level", "p"), [("0.1", "3/5"), ("1e-12", "4/5"), ("0.9", "11/20")])
def test_what_is_cut_off_is_bounded(level: str, p: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A law cut too early must still enclose the other, and not much more."""
    delta, chance = Confidence.of(level), Fraction(p)
    full = LAWS.law(delta, chance)
    for exponent in (2.0, 6.0, 12.0):
        monkeypatch.setattr(duel_test_laws, "_CUT_EXPONENT", exponent)
        early = DuelTestLaws(REFERENCE).law(delta, chance)
        for part, whole in ((early.first, full.first), (early.second, full.second)):
            for a, b in (
                (part.probability, whole.probability),
                (part.duels, whole.duels),
                (part.squared_duels, whole.squared_duels),
            ):
                assert a.low <= b.high
                assert b.low <= a.high
        assert early.first.duels.low < full.first.duels.low
        assert early.first.duels.high > full.first.duels.high


@pytest.mark.parametrize(("level", "gap"), [("0.1", "0.1"), ("1e-12", "0.3"), ("0.9", "0.05")])
def test_the_bounds_beyond_the_cut_sum_up_hoeffding_bounds(level: str, gap: str) -> None:
    """The closed form against the series ``sum over n of P(tau > n)`` that it bounds."""
    delta, g = Confidence.of(level), Fraction(gap)
    joint = LAWS.stopping_law(delta, HALF + g)
    start = LAWS.law_cut(delta, HALF + g)
    n = np.arange(start, 40 * start, dtype=np.float64)
    lead = np.sqrt(2 * n * (np.log(2 * n * (n + 1)) + delta.log_inverse))
    going_on = np.exp(-np.square(2 * float(g) * n - lead) / (2 * n))
    assert going_on[0] < 1e-13
    duels = (start + 1) * going_on[0] + going_on[1:].sum()
    squares = (start + 1) ** 2 * going_on[0] + ((2 * n[1:] + 1) * going_on[1:]).sum()
    beyond = joint.first_beyond
    for bound, series in (
        (beyond.probability, going_on[0]),
        (beyond.duels, duels),
        (beyond.squared_duels, squares),
    ):
        assert series <= bound <= 1.02 * series
    ratio = float((HALF - g) / (HALF + g)) ** float(lead[0])
    assert joint.second_beyond.duels == pytest.approx(beyond.duels * ratio, rel=1e-6)


def test_a_tie_hardly_ever_ends() -> None:
    delta = Confidence.of("0.1")
    law = LAWS.law(delta, HALF)
    assert law.first == law.second
    assert law.never.low > 0.99996
    assert law.mean == Enclosure(inf, inf)
    stops = Enclosure(2 * law.first.probability.low, 2 * law.first.probability.high)
    # The same event in other words: the confidence sequence misses 1/2.
    assert not separate(stops, miss_probability(delta, HALF).ever)
    assert relative_width(stops) < 1e-3


@pytest.mark.parametrize("level", ["0.1", "0.999", "1e-9"])
def test_the_largest_error_is_above_all_errors_and_approached(level: str) -> None:
    delta = Confidence.of(level)
    largest = LAWS.largest_error(delta)
    errors = [
        LAWS.law(delta, HALF + Fraction(gap)).second.probability
        for gap in ("0.4", "0.2", "0.1", "0.05", "0.02")
    ]
    assert all(a.high < b.low for a, b in zip(errors, [*errors[1:], largest], strict=True))
    assert largest.high < float(delta.rational) / (2 * fewest_duels(duel_test, delta))


@pytest.mark.parametrize("level", ["0.999", "0.1", "1e-30"])
@pytest.mark.parametrize("gap", ["0.45", "0.2", "0.05"])
def test_wald_and_jensen_bound_the_mean(level: str, gap: str) -> None:
    delta, distance = Confidence.of(level), Fraction(gap)
    mean = LAWS.law(delta, HALF + distance).mean
    bound = LAWS.longest_mean(delta, distance)
    assert mean.high <= bound <= 1.2 * mean.high


@pytest.mark.parametrize("gap", ["0.45", "0.1", "0.005"])
def test_the_bound_of_the_mean_grows_at_most_linearly_in_the_logarithm(gap: str) -> None:
    distance = Fraction(gap)
    for power in (1, 3, 10, 40):
        base = LAWS.longest_mean(Confidence(Fraction(1, 2**power)), distance) + 1
        for factor in (2, 3, 7):
            level = Confidence(Fraction(1, 2 ** (power * factor)))
            assert LAWS.longest_mean(level, distance) + 1 <= factor * base


@pytest.mark.parametrize("p", [Fraction(0), Fraction(1), Fraction(-1, 2)])
def test_probabilities_outside_the_open_interval_are_refused(p: Fraction) -> None:
    with pytest.raises(InvalidInput, match="strictly between 0 and 1"):
        LAWS.law(Confidence.of("0.1"), p)


def test_levels_beyond_the_floats_are_refused_not_guessed() -> None:
    with pytest.raises(LevelTooSmall):
        LAWS.law(Confidence.of("2^-4096"), Fraction(9, 10))


def test_a_test_that_goes_on_while_a_comparison_holds_is_refused() -> None:
    def until_three_ahead(u: Arm, v: Arm, delta: Confidence) -> Stream[Duel, Outcome, Arm]:
        lead = 0
        while abs(lead) < 3:
            won = yield Duel(u, v)
            lead += 2 * won - 1
        return u if lead > 0 else v

    laws = DuelTestLaws(replace(REFERENCE, duel_test=until_three_ahead))
    with pytest.raises(InvalidInput, match="must stop where a comparison holds"):
        laws.law(Confidence.of("0.1"), Fraction(3, 5))
