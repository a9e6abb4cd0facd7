"""Hypotheses on the pairwise test behind the figures, compared with the printed numbers.

The runs are not published, and nothing here is a reading of the text.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from fractions import Fraction

from flint import arb

from tgite import Arm, Confidence, Duel, Outcome, sparse
from tgite.instances import SPARSE_GAP
from tgite.questions import Stream
from tgite_checks.check import (
    AtMost,
    Cases,
    Depth,
    Number,
    Words,
    at_most,
    demonstration,
    experiment,
)
from tgite_checks.figures import exact
from tgite_checks.figures.contestants import START
from tgite_checks.figures.exact import SEEDS, ExactCost
from tgite_checks.figures.table import Reading
from tgite_checks.printed import ANYTIME_REGRET, KNOWN_HORIZON_REGRET, STRONG, WEAK, WEAK_REGRET
from tgite_laws.arithmetic import plus, quotient, times
from tgite_laws.balls import ball, real
from tgite_laws.bracket import Bracket, bracket, bracket_law
from tgite_laws.enclosure import Enclosure, rational
from tgite_laws.implementation import Implementation
from tgite_laws.pairs import pairs

FITTED_RADIUS = Fraction(55, 100)
"""The factor of DuelTest's radius that fits all three regrets."""

FITTED_GAP = Fraction(40, 100)
"""The sparse instance's other gap with which the weak regret fits."""


@functools.lru_cache(maxsize=8)
def with_radius(under_test: Implementation, factor: Fraction) -> Implementation:
    """Return an implementation whose DuelTest has ``factor`` times its radius.

    For a factor below 1 nothing guarantees its level.
    """

    def radius(n: int, delta: Confidence) -> float:
        return float(factor) * under_test.c(n, delta)

    def test(u: Arm, v: Arm, delta: Confidence) -> Stream[Duel, Outcome, Arm]:
        S = n = 0
        while True:
            S += yield Duel(u, v)
            n += 1
            if abs(S / n - 0.5) > radius(n, delta):
                return u if S / n >= 0.5 else v

    return replace(under_test, name=f"{factor} of the radius", c=radius, duel_test=test)


def _ratio(under_test: Implementation, g: Fraction | None = None) -> Enclosure:
    return quotient(exact.anytime(under_test, g).mean, exact.known_horizon(under_test, g).mean)


def _five_unsplit_passes_over_one(under_test: Implementation) -> Enclosure:
    """Return five passes' cost over one's, if every match had the whole level of its pass."""
    tree, schedules = under_test.BalancedTree.over(exact.N), under_test.schedules
    instance, laws = exact.CYCLIC, exact.laws_of(under_test, None)

    def mean(epsilon: Confidence) -> Enclosure:
        played = bracket(lambda test: under_test.tree_ascent(START, tree, epsilon, test))
        at_one_level = tuple(replace(match, delta=epsilon) for match in played.matches)
        unsplit = Bracket(at_one_level, played.survivor)
        return bracket_law(unsplit, pairs(instance), laws, instance.winner()).comparisons.mean

    passes = [mean(schedules.anytime_level(s)) for s in range(1, exact.SURE_PHASES + 2)]
    return quotient(plus(*passes), mean(schedules.known_horizon_level(exact.HORIZON)))


@demonstration(
    case="ratio",
    refuses={
        "DuelTest's own ratio is as printed": {"largest": Fraction(2)},
        "half the radius has the printed ratio to one part in a hundred": {
            "apart": Fraction(1, 100)
        },
    },
)
def ratio_is_of_five_passes(
    under_test: Implementation,
    depth: Depth,
    *,
    largest: Fraction = Fraction(3),
    apart: Fraction = Fraction(1, 20),
) -> Cases:
    """Show that tests short enough for five passes by T have about the printed ratio.

    This excludes DuelTest, with four passes by T. It does not distinguish a test with a known gap
    from a test without a known gap and with about half the radius.
    """
    printed = Fraction(ANYTIME_REGRET.mean, KNOWN_HORIZON_REGRET.mean)
    yield Number("ratio, printed", rational(printed))
    as_printed = _ratio(under_test)
    yield at_most("ratio, Algorithm 1", as_printed, largest)
    others = {
        "Algorithm 8 with g = Delta*": _ratio(under_test, STRONG.winner_gap),
        "half the radius": _ratio(with_radius(under_test, Fraction(1, 2))),
        "0.55 of the radius": _ratio(with_radius(under_test, FITTED_RADIUS)),
    }
    for name, ratio in others.items():
        yield Number(f"ratio, {name}", ratio)
        yield at_most(
            f"printed ratio less {float(apart):.0%}, {name}", (1 - apart) * printed, ratio
        )
        yield at_most(
            f"ratio, {name}, against that and {float(apart):.0%}", ratio, (1 + apart) * printed
        )
    unsplit = _five_unsplit_passes_over_one(with_radius(under_test, Fraction(1, 2)))
    yield Number("five passes over one, half the radius, levels not split", unsplit)
    yield at_most("four fifths of the printed ratio, levels not split", printed * 4 / 5, unsplit)
    yield at_most("ratio, levels not split, against the printed one", unsplit, printed)
    # Without a horizon, five passes of DuelTest have that ratio too.
    passes = plus(*(law.comparisons.mean for law in exact.anytime_regret(under_test).passes))
    five = quotient(passes, exact.known_horizon(under_test).mean)
    yield Number("ratio without a horizon, Algorithm 1", five)


@demonstration(
    case="printed number",
    refuses={
        "so does the whole radius": {"factor": Fraction(1)},
        "so does half the radius": {"factor": Fraction(1, 2)},
        "so does the other gap at .44": {"other_gap": SPARSE_GAP},
    },
)
def radius_fits_all_three(
    under_test: Implementation,
    depth: Depth,
    *,
    factor: Fraction = FITTED_RADIUS,
    other_gap: Fraction = FITTED_GAP,
) -> Cases:
    """Show that DuelTest with 0.55 of its radius fits all three regrets and their deviations.

    The sparse instance's other probabilities are .1 and .9. The fit was found by trial, and the
    text does not suggest it. Unlike ``one-gap-fits-all-three`` it fits the deviations too.
    """
    fitted = with_radius(under_test, factor)
    instance = sparse(exact.N, WEAK.winner_gap, other_gap)
    for name, cost, printed in (
        ("known horizon", exact.known_horizon(fitted), KNOWN_HORIZON_REGRET),
        ("anytime", exact.anytime(fitted), ANYTIME_REGRET),
        ("weak", exact.warm_start_on(fitted, None, instance), WEAK_REGRET),
    ):
        yield Number(f"mean, {name}", cost.mean, printed.enclosure())
        yield Number(f"standard deviation, {name}", cost.deviation)
        yield AtMost(f"least that fits, {name}", printed.up(-1), cost.mean)
        yield AtMost(f"mean, {name}, against the most that fits", cost.mean, printed.up(1))
        yield at_most(f"printed deviation, {name}", printed.deviation, _scaled(cost, 4, 3))
        yield at_most(f"exact deviation, {name}", _scaled(cost, 3, 4), printed.deviation)
    start, _ = exact.warm_start(fitted)
    yield Number("mean, weak, other gap .44", start.mean, WEAK_REGRET.enclosure())


def _scaled(cost: ExactCost, numerator: int, denominator: int) -> Enclosure:
    return times(cost.deviation, rational(Fraction(numerator, denominator)))


_PRINTED = (
    ("weak", exact.weak, WEAK, WEAK_REGRET),
    ("known horizon", exact.known_horizon, STRONG, KNOWN_HORIZON_REGRET),
    ("anytime", exact.anytime, STRONG, ANYTIME_REGRET),
)


@experiment(
    "printed-deviations",
    domain="By chi-square, the three printed deviations are together too small for Algorithm 1 "
    "and too large for Algorithm 8. Costs are taken as normal, as sums of 255 or more independent "
    "matches. The divisor is 9 or 10.",
    case="chance",
    refuses={
        "too small for DuelTest, with probability below 1/1000": {"small": Fraction(1, 1000)},
        "too large for Algorithm 8, with probability below 1e-20": {"large": Fraction(1, 10**20)},
    },
)
def printed_deviations(
    under_test: Implementation,
    depth: Depth,
    *,
    small: Fraction = Fraction(1, 50),
    large: Fraction = Fraction(1, 10**8),
) -> Cases:
    """For ten runs without errors, ``(n - 1) s**2 / sigma**2`` summed over the three numbers is
    chi-square with 27 degrees of freedom. Division by 10 is assumed where it favours the paper.
    """
    ratios: dict[Reading, list[arb]] = {reading: [] for reading in Reading}
    for name, of, panel, printed in _PRINTED:
        for reading, found in ratios.items():
            g = panel.winner_gap if reading is Reading.KNOWN_GAP else None
            cost = of(under_test, g)
            ratio = quotient(rational(printed.deviation), cost.deviation)
            yield Number(f"printed over exact, {name}, {reading}", ratio)
            yield Number(f"exact, {name}, {reading}", cost.deviation, rational(printed.deviation))
            squared = _ball(ratio) ** 2
            chance = real(functools.partial(_above, (SEEDS - 1) * squared, SEEDS - 1))
            yield Number(f"chance of as much or more, {name}, {reading}", chance)
            found.append(squared)
    degrees = 3 * (SEEDS - 1)
    by_ten = SEEDS * sum(ratios[Reading.AS_PRINTED], arb(0))
    chance_of_less = real(lambda: 1 - _above(by_ten, degrees))
    yield at_most("chance of as little or less, all, Algorithm 1", chance_of_less, small)
    by_nine = (SEEDS - 1) * sum(ratios[Reading.KNOWN_GAP], arb(0))
    chance_of_more = real(functools.partial(_above, by_nine, degrees))
    yield at_most("chance of as much or more, all, Algorithm 8", chance_of_more, large)
    yield Words(
        f"deviations as small have probability {chance_of_less.middle:.2g} with Algorithm 1; "
        f"as large, {chance_of_more.middle:.2g} with Algorithm 8"
    )


def _above(value: arb, degrees: int) -> arb:
    return (value / 2).gamma_upper(ball(Fraction(degrees, 2)), 1)


def _ball(number: Enclosure) -> arb:
    return arb(number.low).union(arb(number.high))
