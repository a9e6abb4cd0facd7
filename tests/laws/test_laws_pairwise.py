"""DuelTest's law, BudgetedDuelTest's and the confidence sequence's, against exact arithmetic."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import inf

import numpy as np
import pytest

from rational_laws import RationalLaw, law_of_rule, rational_law, real_leads
from tgite.budgeted_duel_test import b, budget, known_gap
from tgite.confidence import Confidence
from tgite.duel_test import c, duel_test
from tgite.errors import InvalidInput
from tgite.questions import Arm, Duel, Outcome, PairwiseTest, Stream
from tgite_checks.fidelity.boundaries import least_budgeted_margin, least_margin, shortest
from tgite_laws import duel_test as duel_test_laws
from tgite_laws.balls import NearTie, ball, log_integer_ball, log_inverse_ball, sign
from tgite_laws.boundary import Boundary, _settle, certify, stopping_leads
from tgite_laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_laws.confidence_sequence import miss_probability
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.enclosure import Enclosure
from tgite_laws.fewest_duels import fewest_duels
from tgite_laws.implementation import REFERENCE
from tgite_laws.match_law import MatchLaw, MatchLaws
from tgite_laws.rule import Rule
from tgite_laws.walk import LevelTooSmall, StoppedWalk, rounding_error

HALF, TENTH = Fraction(1, 2), Confidence.of("0.1")
LAWS = DuelTestLaws(REFERENCE)
LEVELS = ["0.999", "1/2", "0.1", "1/7 * 6/pi^2", "1e-30", "2^-1024"]
OF_DUEL_TEST = [Boundary(Confidence.of(level), 2, 2) for level in LEVELS]
OF_BUDGETED = [
    Boundary(Confidence.of(level), 8, 0, Fraction(gap))
    for gap, level in (
        *(("1/2", "1/2"), ("0.3", "0.5"), ("0.05", "0.1"), ("0.1", "1e-30")),
        ("1/3", "1/8 * 6/pi^2"),
    )
]


def within(leads: list[int]) -> list[int | None]:
    """Return the leads, and None where one is above n: there the test cannot stop."""
    return [lead if lead <= n else None for n, lead in enumerate(leads, 1)]


@pytest.mark.parametrize("boundary", [*OF_DUEL_TEST, *OF_BUDGETED], ids=str)
def test_a_test_stops_where_the_real_numbers_say(boundary: Boundary) -> None:
    g, delta = boundary.gap, boundary.delta
    last = budget(g, delta) if g else 2500
    leads = stopping_leads(lambda n: b(n, delta) - float(g) if g else c(n, delta), 1, last)
    assert within(leads.tolist()) == within(real_leads(boundary, last))
    certify(boundary, leads, 1, every_by_balls=bool(g))
    # The transcription, read by its comparisons; the last duel within a budget ends it anyhow.
    read = Rule(known_gap(g) if g else duel_test, delta).leads(1, last + 1).tolist()
    assert within(read[: last - 1]) == within(leads.tolist()[: last - 1])
    assert len(read) == last + (not g)
    assert not g or read[-1] == 0


@pytest.mark.parametrize("every_by_balls", [False, True])
def test_one_wrong_boundary_is_found(every_by_balls: bool) -> None:
    boundary = Boundary(TENTH, 2, 2)
    leads, n = np.array(real_leads(boundary, 1000)), np.arange(1, 1001)
    # Two decisions an n, but for leads above n, which cannot occur.
    decisions = int((leads <= n).sum() + (leads - 2 >= 0).sum())
    found = certify(boundary, leads, 1, every_by_balls)
    assert (found == decisions) if every_by_balls else (found < 10)
    for shift in (-2, 2):
        with pytest.raises(NearTie, match="after 701 duels"):
            certify(boundary, leads + shift * (n == 701), 1, every_by_balls)


@pytest.mark.parametrize("level", LEVELS)
def test_the_margins_of_the_checks_are_those_of_the_real_numbers(level: str) -> None:
    """At small and large numbers of duels: the margin stops, and one less does not."""
    delta, g = Confidence.of(level), Fraction("0.001")
    for n in (1, 2, 99, 4999, 5000, 5001, 12_345, 77_777, 10**6, 10**6 + 1):
        for boundary, margin in (
            (Boundary(delta, 2, 2), least_margin(n, delta)),
            (Boundary(delta, 8, 0, g), least_budgeted_margin(n, g, delta)),
        ):
            for lead, stops in ((margin, True), (margin - 1, False)):
                _settle(boundary, n, lead, stops)
    assert shortest(delta) == fewest_duels(duel_test, delta)


def test_a_rule_that_favours_one_arm_is_reported() -> None:
    # 7/10 - 1/2 and 1/2 - 3/10 are the same number, but not the same float.
    above, below = abs(7 / 10 - 1 / 2), abs(3 / 10 - 1 / 2)
    assert above < below
    with pytest.raises(NearTie, match="favours one arm after n = 10"):
        stopping_leads(lambda n: above if n == 10 else 1.0, 1, 20)


@pytest.mark.parametrize("pieces", [[512], [2] * 256, [98, 202, 212], [6, 10, 84, 412]])
@pytest.mark.parametrize("level", ["0.999", "1e-12"])
def test_counts_of_the_walk_are_the_whole_numbers(level: str, pieces: list[int]) -> None:
    """However it is cut into pieces."""
    delta = Confidence.of(level)
    leads = stopping_leads(lambda n: c(n, delta), 1, 512)
    exact = rational_law(real_leads(Boundary(delta, 2, 2), 512), HALF)
    walk = StoppedWalk()
    for piece in pieces:
        walk.advance(leads[walk.n : walk.n + piece])
    stops = walk.stops()
    assert sorted(stops.duels.tolist()) == [n for n, p in exact.first.items() if p > 0]
    for n, mantissa, exponent in zip(
        stops.duels.tolist(), stops.mantissas.tolist(), stops.exponents.tolist(), strict=True
    ):
        found = Fraction(mantissa) * Fraction(2) ** exponent
        assert abs(found / exact.first[n] - 1) <= rounding_error(walk.n)


def close(value: Enclosure, low: Fraction, high: Fraction, width: float = 1e-11) -> bool:
    """Say whether an enclosure is narrow, and can hold a number that lies in [low, high]."""
    narrow = value.high - value.low <= width * value.high
    return narrow and Fraction(value.low) <= high and low <= Fraction(value.high)


def agrees(laws: MatchLaws, delta: Confidence, p: Fraction, exact: RationalLaw) -> None:
    """Compare the joint law, and the moments if hardly anything goes on after the exact law."""
    joint, law = laws.stopping_law(delta, p), laws.law(delta, p)
    for masses, known, part in (
        (joint.first, exact.first, law.first),
        (joint.second, exact.second, law.second),
    ):
        found: dict[int, Fraction] = defaultdict(Fraction)
        for n, mass in zip(joint.duels.tolist(), masses.tolist(), strict=True):
            found[n] += Fraction(mass)
        for n, mass in known.items():
            if n <= joint.duels[-1]:
                assert abs(found[n] - mass) <= joint.relative_error * mass
        if exact.going_on >= Fraction(1, 10**15):
            continue
        for power, value in enumerate((part.probability, part.duels, part.squared_duels)):
            moment = sum((n**power * mass for n, mass in known.items()), Fraction(0))
            # What goes on adds little, however long it takes: less than 1e-9.
            more = Fraction(1, 10**9) if exact.going_on and power else exact.going_on
            assert close(value, moment, moment + more, 1e-9 if exact.going_on else 1e-11)


def of(
    gap: str | None, delta: Confidence, last: int
) -> tuple[PairwiseTest[Duel, Outcome], MatchLaws, list[int], int | None]:
    """Return DuelTest with its laws and leads; or BudgetedDuelTest, with those and its budget."""
    if gap is None:
        return duel_test, LAWS, real_leads(Boundary(delta, 2, 2), last), None
    g = Fraction(gap)
    M = budget(g, delta)
    leads = real_leads(Boundary(delta, 8, 0, g), M)
    return known_gap(g), BudgetedDuelTestLaws(REFERENCE, g), leads, M


@pytest.mark.parametrize(
    ("gap", "level", "p"),
    [
        *((None, "0.5", "9/10"), (None, "0.5", "1/10"), (None, "0.1", "7/8")),
        *((None, "1e-12", "19/20"), (None, "1/2 * 6/pi^2", "5/6"), (None, "0.1", "1/2")),
        # An even and an odd budget, both arms better, ties, a gap that is too large.
        *(("0.3", "0.5", "8/10"), ("0.3", "0.5", "2/10"), ("0.25", "0.2", "3/4")),
        *(("0.25", "0.2", "1/2"), ("0.3", "0.5", "1/2"), ("0.05", "0.1", "45/100")),
        *(("0.1", "1e-3", "51/100"), ("1/2", "1/3", "1/100")),
    ],
)
def test_the_law_is_exact(gap: str | None, level: str, p: str) -> None:
    delta, chance = Confidence.of(level), Fraction(p)
    _, laws, leads, M = of(gap, delta, 360)
    exact = rational_law(leads, chance, M)
    assert (exact.going_on < Fraction(1, 10**15)) == (M is not None or chance != HALF)
    agrees(laws, delta, chance, exact)
    assert M is None or exact.going_on == laws.law(delta, chance).never.high == 0


@pytest.mark.parametrize(("level", "p"), [("0.1", "3/5"), ("1e-12", "4/5"), ("0.9", "11/20")])
def test_what_is_cut_off_is_bounded(level: str, p: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A law cut too early must still enclose the other, and not much more."""

    def numbers(law: MatchLaw) -> list[Enclosure]:
        parts = (law.first, law.second)
        return [one for of in parts for one in (of.probability, of.duels, of.squared_duels)]

    delta, chance = Confidence.of(level), Fraction(p)
    full = numbers(LAWS.law(delta, chance))
    for exponent in (2.0, 6.0, 12.0):
        monkeypatch.setattr(duel_test_laws, "_CUT_EXPONENT", exponent)
        early = numbers(DuelTestLaws(REFERENCE).law(delta, chance))
        for one, whole in zip(early, full, strict=True):
            assert one.low <= whole.high
            assert whole.low <= one.high
        assert early[1].low < full[1].low
        assert early[1].high > full[1].high


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
    law = LAWS.law(TENTH, HALF)
    assert law.first == law.second
    assert law.never.low > 0.99996
    assert law.mean == Enclosure(inf, inf)
    # The same event in other words: the confidence sequence misses 1/2.
    low, high = 2 * law.first.probability.low, 2 * law.first.probability.high
    missed = miss_probability(TENTH, HALF).ever
    assert low <= missed.high
    assert missed.low <= high <= 1.001 * low


@pytest.mark.parametrize("level", ["0.1", "0.999", "1e-9", "0.5", "0.45"])
def test_the_largest_error_is_above_all_errors_and_approached(level: str) -> None:
    """With a known gap it is reached, at an even and at an odd budget; else in the limit."""
    delta, known = Confidence.of(level), BudgetedDuelTestLaws(REFERENCE, Fraction("0.3"))
    largest = LAWS.largest_error(delta)
    gaps = ("0.4", "0.2", "0.1", "0.05", "0.02")
    errors = [LAWS.law(delta, HALF + Fraction(gap)).second.probability for gap in gaps]
    assert all(a.high < b.low for a, b in pairwise([*errors, largest]))
    assert largest.high < float(delta.rational) / (2 * fewest_duels(duel_test, delta))
    largest = known.largest_error(delta)
    for gap in ("0.3", "0.31", "0.35", "0.45"):
        errors = [
            known.law(delta, HALF + Fraction(gap)).second.probability,
            known.law(delta, HALF - Fraction(gap)).first.probability,
        ]
        assert all(error.low <= largest.high for error in errors)
        assert (max(error.high for error in errors) >= largest.low) == (gap == "0.3")
    assert largest.high <= float(delta.rational) / 2
    assert BudgetedDuelTestLaws(REFERENCE, HALF).largest_error(delta) == Enclosure(0.0, 0.0)


@pytest.mark.parametrize("gap", ["0.45", "0.2", "0.05", "0.005"])
def test_the_longest_mean_is_close_and_grows_at_most_linearly(gap: str) -> None:
    """In the logarithm of the level."""
    distance = Fraction(gap)
    for level in ("0.999", "0.1", "1e-30") if gap != "0.005" else ():
        mean = LAWS.law(Confidence.of(level), HALF + distance).mean
        assert mean.high <= LAWS.longest_mean(Confidence.of(level), distance) <= 1.2 * mean.high
    for power in (1, 3, 10, 40):
        base = LAWS.longest_mean(Confidence(Fraction(1, 2**power)), distance) + 1
        for factor in (2, 3, 7):
            level_of = Confidence(Fraction(1, 2 ** (power * factor)))
            assert LAWS.longest_mean(level_of, distance) + 1 <= factor * base


@pytest.mark.parametrize(
    ("level", "p"),
    [("0.1", "1/2"), ("0.999", "7/10"), ("0.5", "1/50"), ("1/2 * 6/pi^2", "9/10"), ("1e-9", "1/3")],
)
def test_the_miss_probability_is_exact(level: str, p: str) -> None:
    """Until the cut; with later cuts the enclosures of the whole meet and shrink."""
    delta, chance = Confidence.of(level), Fraction(p)

    def misses(n: int, S: int) -> bool:
        square = 2 * (S - n * chance) ** 2
        log_term = log_integer_ball(2 * n * (n + 1)) + log_inverse_ball(delta)
        return sign(lambda: ball(square) - n * log_term, "miss") > 0

    exact = law_of_rule(misses, chance, 90)
    missed = 1 - exact.going_on
    assert missed > 0
    assert close(miss_probability(delta, chance, cut=90).until_cut, missed, missed, 1e-12)
    cuts = [miss_probability(delta, chance, cut) for cut in (128, 1024, 8192)]
    for one, later in pairwise(cuts):
        assert one.until_cut.low <= later.until_cut.high
        assert later.ever.low <= one.ever.high
        assert later.ever.high - later.ever.low < (one.ever.high - one.ever.low) / 10
    assert cuts[-1].ever.high < float(delta.rational)


@pytest.mark.parametrize("p", [Fraction(0), Fraction(1), Fraction(-1, 2)])
@pytest.mark.parametrize(
    "law", [LAWS.law, BudgetedDuelTestLaws(REFERENCE, HALF).law, miss_probability]
)
def test_probabilities_outside_the_open_interval_are_refused(
    law: Callable[[Confidence, Fraction], object], p: Fraction
) -> None:
    with pytest.raises(InvalidInput, match="strictly between 0 and 1"):
        law(TENTH, p)


def test_what_has_no_law_is_refused_not_guessed() -> None:
    def until_three_ahead(u: Arm, v: Arm, delta: Confidence) -> Stream[Duel, Outcome, Arm]:
        lead = 0
        while abs(lead) < 3:
            won = yield Duel(u, v)
            lead += 2 * won - 1
        return u if lead > 0 else v

    laws = DuelTestLaws(replace(REFERENCE, duel_test=until_three_ahead))
    with pytest.raises(InvalidInput, match="must stop where a comparison holds"):
        laws.law(TENTH, Fraction(3, 5))
    with pytest.raises(LevelTooSmall):
        LAWS.law(Confidence.of("2^-4096"), Fraction(9, 10))
    with pytest.raises(InvalidInput, match="g = 0"):
        BudgetedDuelTestLaws(REFERENCE, Fraction(0))
    with pytest.raises(InvalidInput, match="cut = 0"):
        miss_probability(TENTH, HALF, cut=0)
