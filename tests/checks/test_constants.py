"""The universal constants: each step of their certificates against an independent computation."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import exp, log, pi, sqrt

import pytest
from flint import arb, ctx
from msgspec import structs
from scipy.stats import binom

from cost_tables.constants import CONSTANTS
from tgite import BalancedTree, Confidence, bkt, duel_test, match, tree_ascent
from tgite.questions import Match, Stream
from tgite_checks.bounds.constants import certificates, crossing, phases, shares, totals
from tgite_checks.bounds.constants.certificates import DUEL_TEST, KNOWN_GAP, Pairwise, all_gaps
from tgite_checks.bounds.constants.cover import HALF, LIMIT, WHOLE, Affine, Cell, Cover, cover
from tgite_checks.bounds.constants.extremal import EndOfDomain
from tgite_checks.bounds.constants.horizons import horizon_shown
from tgite_checks.bounds.constants.lines import Line, duration, touching
from tgite_checks.bounds.constants.totals import Arms, Totals
from tgite_checks.check import Depth
from tgite_laws.balls import ball
from tgite_laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.fewest_duels import fewest_duels
from tgite_laws.implementation import REFERENCE
from tgite_laws.match_paths import walk

LAWS = DuelTestLaws(REFERENCE)
LEVELS = tuple(map(Confidence.of, ("0.999", "1/2", "1/10", "1e-6", "1e-30")))
GAPS = tuple(map(Fraction, ("0.499", "0.45", "0.3", "0.2", "0.1", "0.05")))
ROUNDS = log(pi * pi / 6) + 2 * sum(log(r) / 2**r for r in range(2, 100))
"""What BKT's rounds add to log(1/level) per match, in floats."""


def bounded(line: Line, gap: Fraction, delta: Confidence) -> float:
    """Return the upper end of a line's bound of E[tau] at one gap and level."""
    found = duration(line, ball(gap))
    assert found is not None
    scaled = found.base + found.slope * (4 * -ball(gap).log() + delta.log_inverse)
    return float((scaled / ball(gap * gap)).upper()) * (1 + 1e-12)


def root(gap: float, log_inverse: float) -> float:
    """Return the root x of 2 gap x = f(x - 1) + 1, by halving: Jensen's bound of E[tau]."""
    low, high = 12.0, 1e30
    for _ in range(120):
        x = sqrt(low * high)
        f = sqrt(2 * (x - 1) * (log(2 * (x - 1) * x) + log_inverse))
        low, high = (x, high) if 2 * gap * x < f + 1 else (low, x)
    return high


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("delta", LEVELS)
def test_every_line_is_above_the_exact_mean(gap: Fraction, delta: Confidence) -> None:
    mean = LAWS.law(delta, HALF + gap).mean
    best = touching(float(gap), delta.log_inverse)
    for t, m in itertools.product(map(Fraction, ("0.8", "1", "1.2")), repeat=2):
        line = Line(best.t * t, best.m * m)
        if duration(line, ball(gap)) is not None:
            assert mean.high <= bounded(line, gap, delta)
    # No more than the overshoot, two duels and an eighth are lost at the best.
    assert bounded(best, gap, delta) <= 1.13 * mean.low + 2


@pytest.mark.parametrize("gap", [0.5, 0.2, 0.01, 1e-4, 1e-8])
@pytest.mark.parametrize("log_inverse", [0.0, 1.5, 30.0])
def test_the_best_line_gives_jensens_bound(gap: float, log_inverse: float) -> None:
    found = duration(touching(gap, log_inverse), arb(gap))
    assert found is not None
    scaled = float(found.base + found.slope * (-4 * log(gap) + log_inverse))
    assert scaled / gap**2 == pytest.approx(root(gap, log_inverse), rel=2e-3)


def test_a_line_that_bounds_nothing_is_none() -> None:
    assert duration(Line(Fraction(2), Fraction(10)), arb("0.1")) is None
    assert duration(Line(Fraction(1), Fraction(1, 2)), arb("0.1")) is None


def test_a_cell_holds_its_gaps_and_knows_the_sign_of_a_line() -> None:
    cell, limit = Cell(Fraction(1, 10), Fraction(1, 5)), Cell(Fraction(0), Fraction(1, 10))
    assert all(cell.gap.contains(arb(gap)) for gap in (0.11, 0.15, 0.19))
    for constant, per_log in ((-1.0, 1.0), (2.0, -1.0), (3.0, -1.0), (-2.0, 1.0), (0.5, 0.1)):
        truth = min(constant + per_log * log(5), constant + per_log * log(10))
        assert cell.nowhere_negative(arb(constant), arb(per_log)) == (truth >= 0)
    assert limit.nowhere_negative(arb(-2), arb(1))
    assert not limit.nowhere_negative(arb(-3), arb(1))
    assert not limit.nowhere_negative(arb(10**6), arb("-1e-9"))


def test_a_cover_leaves_out_no_gap_and_stops_where_a_statement_is_not_shown() -> None:
    whole = cover(lambda cell: cell.low == 0 or cell.high < 2 * cell.low)
    assert whole.complete()
    assert whole.cells[0].high == HALF
    assert whole.cells[-1] == Cell(Fraction(0), LIMIT)
    for k in range(len(whole.cells)):
        assert not Cover(whole.cells[:k] + whole.cells[k + 1 :]).complete()
    assert not Cover(()).complete()
    assert not replace(whole, missing=whole.cells[0]).complete()
    stuck = cover(lambda cell: not cell.low <= Fraction(1, 7) <= cell.high).missing
    assert stuck is not None
    assert stuck.low <= Fraction(1, 7) <= stuck.high
    assert cover(lambda cell: cell.low > 0).missing == WHOLE[1]


def levels_of(stream: Stream[Match, int, int]) -> list[float]:
    """Return log(1/level) of a stream's matches; the first argument wins all."""
    return [m.delta.log_inverse for m in walk(stream, lambda m: m.first, 10**6).matches]


def test_bkt_pays_its_totals() -> None:
    with ctx.workprec(64):
        per_match = float(totals.log_rounds())
    assert per_match == pytest.approx(ROUNDS, abs=1e-12)
    for m in (2, 3, 4, 5, 7, 8, 9, 31, 33, 100, 513, 2**12):
        logs = levels_of(bkt(tuple(range(m)), Confidence(Fraction(1, 3)), match))
        assert len(logs) == m - 1
        assert sum(logs) <= (m - 1) * (log(3) + per_match) + 1e-9
    # It is nearly attained by many arms.
    assert sum(logs) >= (2**12 - 1) * (log(3) + 0.995 * per_match)


def test_tree_ascent_pays_its_totals() -> None:
    chance = random.Random(1)
    worst = totals.worst_trees(64)
    with ctx.workprec(64):
        per_arm = float(totals.tree_totals().logs)
    for N in range(2, 34):
        byes = 2 ** (N - 1).bit_length() - N
        greatest = 0.0
        for attempt in range(6):
            leaves: list[int | None] = [*range(N), *([None] * byes)]
            if attempt:
                chance.shuffle(leaves)
            tree = BalancedTree(tuple(leaves))
            for b in {0, N // 2, N - 1}:
                logs = levels_of(tree_ascent(b, tree, Confidence(Fraction(1, 3)), match))
                assert len(logs) == N - 1
                greatest = max(greatest, sum(logs) - (N - 1) * log(3))
        assert greatest <= float(worst[N]) + 1e-9
        assert float(worst[N]) <= N * per_arm
    # The worst trees nearly pay what is allowed: BKT's rounds are all that is not exact.
    assert greatest >= 0.75 * float(worst[33])


@pytest.mark.parametrize("delta", LEVELS)
def test_duel_test_errs_no_more_than_its_share(delta: Confidence) -> None:
    assert shares.error_share() == Fraction(1, 24)
    assert LAWS.largest_error(delta).high <= float(Fraction(1, 24) * delta.rational)
    assert shares.error_share(earliest=13) == 1


@pytest.mark.parametrize("g", tuple(map(Fraction, ("0.45", "0.3", "0.1"))))
@pytest.mark.parametrize("level", tuple(map(Fraction, ("0.999", "1/2", "1/8", "1/64", "1/4096"))))
def test_the_budgeted_test_errs_no_more_than_its_share(g: Fraction, level: Fraction) -> None:
    """Nor with a larger gap or a lower level."""
    laws = BudgetedDuelTestLaws(REFERENCE, g)
    share = shares.budgeted_share(level)
    for gap, at in ((g, level), ((g + HALF) / 2, level), (g, level / 7)):
        errors = (
            laws.law(Confidence(at), HALF + gap).second.probability.high,
            laws.law(Confidence(at), HALF - gap).first.probability.high,
        )
        assert max(errors) <= float(share * at)


@pytest.mark.parametrize("g", [0.02, 0.1, 0.3, 0.45])
@pytest.mark.parametrize("delta", [0.9, 0.1, 1e-4])
def test_a_majority_is_wrong_no_more_often_than_its_share(g: float, delta: float) -> None:
    M = -int(-log(4 / delta) // (2 * g * g))
    wrong = float(binom.cdf(M // 2, M, 0.5 + g))
    share = float(shares.majority_share(Fraction(delta)))
    assert wrong <= share * delta
    assert g >= 0.05 or wrong >= share * delta / 4


def test_tree_ascent_spends_half_of_its_level() -> None:
    assert shares.tree_share() == Fraction(1, 2)


def test_the_slow_test_is_below_the_exact_mean() -> None:
    gap, delta = Fraction(1, 40), Confidence.of("1e-6")
    with ctx.workprec(160):
        low = crossing.slow_test(-ball(gap).log(), arb(delta.log_inverse))
        tiny = crossing.slow_test(2**20 * arb(2).log(), arb(20))
    mean = LAWS.law(delta, HALF + gap).mean
    assert 0 < float(low) <= mean.low * float(gap) ** 2
    # As the gap falls it tends to 2 log(1/gap), the limit of the upper bound.
    assert 0.98 <= float(tiny) / (2 * 2**20 * log(2)) <= 1 + 1e-4


def test_the_slow_test_pays_for_both_sides_of_every_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """The formulas of the module once more, in floats, with blocks that are likely to end it."""
    monkeypatch.setattr(crossing, "_SPARE", 1)
    L, log_inverse, k = 300.0, 5.0, 0.1
    y = k * k * L / 4
    q = (1 - k) ** 2 / 2
    ended = 2 * exp(-q * (log(2) + log_inverse)) / (1 - 4**-q)
    while True:
        end = y * (1 + 1 / 128)
        margin = sqrt(2 * y * (log(2 * y * y) + 4 * L + log_inverse)) - 2 * end
        if margin <= 0 or margin**2 / (2 * end) <= 1:
            break
        ended += 2 * exp(-(margin**2) / (2 * end))
        y = end
    slow = crossing.slow_test(arb(L), arb(log_inverse))
    assert float(slow) == pytest.approx(y * (1 - ended), rel=1e-9)


def test_what_is_attained_is_below_an_exact_law() -> None:
    delta = Confidence(Fraction(1, 3))
    stream = tree_ascent(0, BalancedTree.over(5), delta, match)
    path = walk(stream, EndOfDomain(5, 4).decide, 9)
    assert path.result == 4
    for m in path.matches:
        law = LAWS.law(m.delta, 1 - Fraction(1, 10**9))
        fewest = fewest_duels(duel_test, m.delta)
        assert fewest <= law.mean.high <= fewest + 1e-6


def test_the_tail_adds_up_over_all_epochs() -> None:
    for first, share in ((1.0, 1.0), (0.25, 1 / 24)):
        tests = logs = 0.0
        for s in range(1, 60):
            level = 4.0 ** -(s + 2)
            wrong = first if s == 1 else share * 2 * 4.0 ** -(s + 1)
            tests += 2 * wrong + share * level
            logs += wrong * (2 * log(1 / level) + ROUNDS)
            logs += share * level * (log(1 / level) + ROUNDS)
        with ctx.workprec(64):
            found = totals.tail_totals(Fraction(first), Fraction(share).limit_denominator(100))
        assert float(found.tests) == pytest.approx(tests, rel=1e-12)
        assert float(found.logs) == pytest.approx(logs, rel=1e-12)


@pytest.mark.parametrize("groups", [[*totals.all_arms(20)], [*totals.heights_of_arms(5)]])
def test_every_number_of_arms_is_in_a_group_that_pays_for_it(groups: list[Arms]) -> None:
    worst = totals.worst_trees(64)
    following = 2
    for group in groups:
        assert following == group.N
        following = (group.last or 64) + 1
        for N in range(group.N, following):
            assert float(group.totals.tests) >= (N - 1) / N - 1e-12
            assert float(group.totals.at_level) >= (N - 1) / N - 1e-12
            assert float(group.totals.logs) >= worst[N] / N - 1e-12
    assert groups[-1].last is None


def scaled(gap: float, log_inverse: float) -> float:
    """Return gap^2 times Jensen's bound."""
    return gap * gap * root(gap, log_inverse)


def point(gap: float) -> Cell:
    """Return a cell of hardly more than one gap."""
    return Cell(Fraction(gap) * (1 - Fraction(1, 10**7)), Fraction(gap))


@pytest.mark.parametrize("gap", [0.5, 0.1, 1e-3, 1e-9])
def test_an_epoch_needs_what_it_needs_at_every_gap(gap: float) -> None:
    A = 1 - log(gap)
    needed = max(
        (scaled(gap, z) + scaled(gap, ROUNDS)) / (z + A + A * exp(-z))
        for z in (k / 10 for k in range(60))
    )
    assert certificates.epoch_shown(arb(1.005 * needed))(point(gap))
    assert not certificates.epoch_shown(arb(0.995 * needed))(point(gap))


def test_a_budgeted_epoch_needs_what_it_needs() -> None:
    needed = max(
        ((log(4) + z) / 2 + (log(4) + ROUNDS) / 2 + 0.5) / (z + 1 + exp(-z))
        for z in (k / 1000 for k in range(3000))
    )
    share = shares.budgeted_share(Fraction(1))
    for factor in (1.0001, 0.9999):
        epoch = certificates.one_epoch(Fraction(factor * needed), KNOWN_GAP, lambda: share)
        assert epoch.shown == (factor > 1)


def passes(gap: float, arms: Arms, test: Pairwise) -> Callable[[float], float]:
    """Return gap^2/N times a bound of a pass's cost, by log(1/epsilon)."""
    w, E = float(arms.totals.tests), float(arms.totals.logs)
    if test is KNOWN_GAP:
        return lambda inverse: (w * (log(4) + inverse) + E) / 2 + w * gap * gap
    return lambda inverse: w * scaled(gap, E / w + inverse)


CASES = pytest.mark.parametrize(
    ("arms", "gap", "test"),
    [
        (arms, gap, test)
        for arms in totals.all_arms(33)
        if arms.N in (2, 5, 33, 34)
        for gap in (0.5, 0.1, 1e-3)
        for test in (DUEL_TEST, KNOWN_GAP)
    ],
)


@CASES
def test_a_horizon_needs_what_it_needs_at_every_gap(arms: Arms, gap: float, test: Pairwise) -> None:
    A = 1 - test.gap_logs * log(gap)
    cost = passes(gap, arms, test)
    # The horizon's own bound grows with H and the cost's falls: the worst is where they meet.
    low, high = 0.0, 100.0
    for _ in range(50):
        h = (low + high) / 2
        low, high = (h, high) if exp(h) * gap * gap / arms.N < cost(h) else (low, h)
    needed = cost(low) / (low + A)

    def shown(C: float, factor: float = 1.0) -> bool:
        return horizon_shown(arb(C), arms, test, factor)(point(gap))

    assert shown(1.01 * needed)
    assert not shown(0.99 * needed)
    # A division of the horizons too high, or (where the cost depends on it) too low shows nothing.
    assert not shown(1.01 * needed, 2.0)
    assert gap < 0.5 or not shown(1.01 * needed, 0.2)


@CASES
def test_a_time_needs_what_it_needs_at_every_gap(arms: Arms, gap: float, test: Pairwise) -> None:
    # With a known gap log(T+1) + loglog(T+2) + 1 is what A = 1 makes of it.
    A = 1 - test.gap_logs * log(gap)
    V = [passes(gap, arms, test)(2**s * log(2)) for s in range(1, 8)]
    needed = 0.0
    for K in range(1, 8):
        played = sum(2.0 ** (2**s) for s in range(1, K))
        for step in range(3000):
            T = max(2.0, played) + 1.01**step
            most = min(
                T * gap * gap / arms.N,
                sum(V[: K - 1]) + (T - played) * gap * gap / arms.N,
                sum(V[:K]),
            )
            needed = max(needed, most / (log(T + 1) + (log(log(T + 2)) + 1) * A))
    bound, growth = phases.pass_of(arms, test), phases.Growth(test)
    for factor in (0.98, 1.04):
        shown = phases.phases_shown(arb(factor * needed), arms.N, bound, growth)
        assert shown(point(gap)) == (factor > 1)


@pytest.mark.parametrize(
    ("constant", "slope", "right"),
    [
        *((0.0, 0.249, True), (20.0, 0.0, False)),
        # The slope is too large though the eighth phase is within the bound.
        *((0.0, 0.26, False), (-1.0, 0.2505, False)),
        # The ninth pass costs more than the bound grows by.
        *((0.7, 0.25, False), (0.6, 0.25, True)),
    ],
)
def test_later_phases_are_not_taken_for_granted(constant: float, slope: float, right: bool) -> None:
    def bound(cell: Cell, guess: float) -> Callable[[arb], Affine]:
        return lambda inverse: Affine(constant + slope * inverse, arb(0))

    growth = phases.Growth(KNOWN_GAP)
    assert phases.later_phases_shown(arb(1), point(0.3), bound, growth) == right


@pytest.mark.parametrize(
    ("constant", "paid", "test", "right"),
    [
        # Half the matches would cost less.
        ("1.3", lambda: totals.bkt_totals().times(HALF), DUEL_TEST, True),
        # The limits of small gaps, and of small levels, where each log(1/delta) costs a half.
        ("1.99", totals.single_totals, DUEL_TEST, False),
        ("0.49", lambda: Totals(arb("0.01"), arb(0), arb(1)), DUEL_TEST, False),
        ("0.55", lambda: Totals(arb("0.01"), arb(0), arb(1)), DUEL_TEST, True),
        # A budget is rounded up.
        ("0.6931", totals.single_totals, KNOWN_GAP, False),
    ],
)
def test_a_certificate_shows_no_constant_below_a_limit(
    constant: str, paid: Callable[[], Totals], test: Pairwise, right: bool
) -> None:
    assert all_gaps(Fraction(constant), paid, test).shown == right


def test_an_attained_value_refutes_a_constant() -> None:
    (constant,) = (c for c in CONSTANTS if c.stated.key == "budget")
    believing = replace(
        constant,
        certify=lambda C: certificates.one_budget(Fraction(1)),
        stated=structs.replace(constant.stated, certified=Fraction(9, 10)),
    )
    result = believing.check().run(REFERENCE, Depth.QUICK)
    assert not result.passed
    assert "above the certified" in result.counterexample
