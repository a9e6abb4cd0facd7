"""The constants with a known gap: BKT, TreeAscent and the policies with BudgetedDuelTest.

The test's constant is in :mod:`.budgeted_duel_test`, an epoch's in :mod:`.screen_and_replace`.
"""

from __future__ import annotations

import functools
from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite.questions import SelfPlay, match
from tgite_checks.bounds.constants.certificates import KNOWN_GAP
from tgite_checks.bounds.constants.constant import (
    STATED,
    Attained,
    Constant,
    of_budgets,
    of_doubled_budgets,
)
from tgite_checks.bounds.constants.extremal import (
    NEARLY_ONE,
    TINY,
    EndOfDomain,
    clustered,
    known_gap_scaled,
    longest,
    means,
    one_pass,
    warm_start_matches,
)
from tgite_checks.bounds.constants.horizons import known_horizon
from tgite_checks.bounds.constants.phases import anytime
from tgite_checks.bounds.constants.shares import budgeted_share, tree_share
from tgite_checks.bounds.constants.totals import Totals, bkt_totals, tail_totals, tree_totals
from tgite_checks.check import Depth, by_depth
from tgite_laws.balls import ball, log_integer_ball, log_inverse_ball
from tgite_laws.implementation import Implementation
from tgite_laws.match_paths import walk


def _longest_knockout(under_test: Implementation, depth: Depth) -> Attained:
    exponent, g = by_depth(depth, 13, 15, 17), Fraction("0.4816")
    m = 2**exponent
    stream = under_test.bkt(tuple(range(m)), NEARLY_ONE, match)
    duels = longest(under_test, g, walk(stream, lambda asked: asked.first, m).matches)
    value = known_gap_scaled(g, duels, m, log_inverse_ball(NEARLY_ONE) + 1)
    return Attained(value, f"m = 2^{exponent}, g = {float(g)}, delta -> 1")


def _longest_pass(under_test: Implementation, depth: Depth) -> Attained:
    exponent, g = by_depth(depth, 14, 15, 16), Fraction("0.4931")
    arms = clustered(exponent)
    duels = longest(under_test, g, one_pass(under_test, arms, NEARLY_ONE))
    value = known_gap_scaled(g, duels, arms.size, log_inverse_ball(NEARLY_ONE) + 1)
    return Attained(value, f"N = 2^{exponent} + 1, g = {float(g)}, epsilon -> 1")


def _weak(under_test: Implementation, depth: Depth, level: Confidence | None) -> Attained:
    exponent = by_depth(depth, 14, 15, 16)
    g = by_depth(depth, Fraction(1, 20), Fraction(1, 50), Fraction(1, 50))
    arms = clustered(exponent)
    regret, _, _ = means(under_test, g, arms, warm_start_matches(under_test, arms, level))
    log_inverse = arb(0) if level is None else log_inverse_ball(level)
    at_level = "" if level is None else ", delta -> 1"
    return Attained(
        known_gap_scaled(g, regret, arms.size, log_inverse + 1),
        f"N = 2^{exponent} + 1, g = {float(g)}{at_level}, all but the winner tie",
    )


def _strong_known(under_test: Implementation, depth: Depth) -> Attained:
    """Return the known-horizon regret, without the 1 of the bound.

    For every random tau, E max(tau - H, 0) <= (sqrt(variance + (H - mean)^2) - (H - mean))/2.
    """
    N, H, g = 65, 1657, Fraction("0.495")
    arms = EndOfDomain(N, N - 1)
    matches = one_pass(under_test, arms, under_test.schedules.known_horizon_level(H))
    others, winners, variance = means(under_test, g, arms, matches)
    mean = others + winners
    spare = H - mean
    regret = mean - ((variance + spare * spare).sqrt() - spare) / 2 - 1
    value = known_gap_scaled(g, regret, N, log_integer_ball(H + 1) + 1)
    return Attained(value, f"N = {N}, H = {H}, g = {float(g)}, all but the winner tie")


def _strong_anytime(under_test: Implementation, depth: Depth) -> Attained:
    """Return the anytime regret, less loglog(T+2) + 1, when the fifth pass has certainly ended."""
    N, phases, g = 257, 5, Fraction("0.499")
    arms = EndOfDomain(N, 0)
    tree = under_test.BalancedTree.over(N)
    stream = under_test.tg_ite_strong_anytime(0, tree, match)
    path = walk(stream, arms.decide, phases * N, announcements=phases)
    others, winners, _ = means(under_test, g, arms, path.asked)
    played = [asked.rounds for asked in path.asked if isinstance(asked, SelfPlay)]
    T = sum(played[: phases - 1]) + sum(under_test.budget(g, m.delta) for m in path.matches)
    # Unless the winner loses a duel, it is the starting arm of every pass.
    mean = (others + winners) * (1 - ball(TINY * T))
    double_log = log_integer_ball(T + 2).log() + 1
    value = known_gap_scaled(g, mean - double_log, N, log_integer_ball(T + 1) + double_log)
    return Attained(
        value, f"N = {N}, T = {T} (fifth pass ended), g = {float(g)}, all but the winner tie"
    )


def _weak_totals() -> Totals:
    # The pass has levels up to 1/8, the epochs up to 1/64.
    first = Fraction(1, 4) * tree_share() * budgeted_share(Fraction(1, 8))
    warm = tree_totals().at(log_integer_ball(4))
    return warm.plus(tail_totals(first, budgeted_share(Fraction(1, 64))))


def _high_confidence_totals() -> Totals:
    """Return TG-ITE-Weak's totals with a pass at delta, whose levels go up to 1/2."""
    first = tree_share() * budgeted_share(Fraction(1, 2))
    return tree_totals().plus(tail_totals(first, budgeted_share(Fraction(1, 64))))


BKT = Constant(
    stated=STATED["budgeted-bkt"],
    certify=of_budgets(bkt_totals),
    attained=_longest_knockout,
    weakened=of_doubled_budgets(bkt_totals),
)
TREE_ASCENT = Constant(
    stated=STATED["budgeted-tree-ascent"],
    certify=of_budgets(tree_totals),
    attained=_longest_pass,
    weakened=of_doubled_budgets(tree_totals),
)
WEAK = Constant(
    stated=STATED["budgeted-weak"],
    certify=of_budgets(_weak_totals),
    attained=functools.partial(_weak, level=None),
    weakened=of_doubled_budgets(_weak_totals),
)
WEAK_HIGH_CONFIDENCE = Constant(
    stated=STATED["budgeted-weak-high-confidence"],
    certify=of_budgets(_high_confidence_totals),
    attained=functools.partial(_weak, level=NEARLY_ONE),
    weakened=of_doubled_budgets(_high_confidence_totals),
)
STRONG_KNOWN_HORIZON = Constant(
    stated=STATED["budgeted-strong-known"],
    certify=functools.partial(known_horizon, test=KNOWN_GAP, exactly_to=256),
    attained=_strong_known,
    weakened={
        "a proof that does not use R_H <= H": functools.partial(
            known_horizon, test=KNOWN_GAP, exactly_to=256, trivial=False
        )
    },
)
STRONG_ANYTIME = Constant(
    stated=STATED["budgeted-strong-anytime"],
    certify=functools.partial(anytime, test=KNOWN_GAP),
    attained=_strong_anytime,
    weakened={
        "a proof that does not use R_T <= T": functools.partial(
            anytime, test=KNOWN_GAP, trivial=False
        )
    },
)

CONSTANTS = (BKT, TREE_ASCENT, WEAK, WEAK_HIGH_CONFIDENCE, STRONG_KNOWN_HORIZON, STRONG_ANYTIME)
bkt, tree_ascent, weak, weak_high_confidence, strong_known_horizon, strong_anytime = (
    constant.check() for constant in CONSTANTS
)
