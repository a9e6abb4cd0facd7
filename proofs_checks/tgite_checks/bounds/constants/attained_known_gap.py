"""What is attained with a known gap: longest runs for the budgets, exact laws for the regrets.

Only the winner's pairs need a gap; the others may tie, and then their tests last longest. Where a
regret is expected, everybody else ties and the winner's gap is 1/2 - TINY, so that it loses no
duel.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite.questions import Duel, Match, SelfPlay, drive, match
from tgite_checks.bounds.constants.attained import (
    NEARLY_ONE,
    TINY,
    Attained,
    EndOfDomain,
    below,
    clustered,
    precisely,
)
from tgite_checks.check import Depth, by_depth
from tgite_checks.explore import Asked, walk
from tgite_checks.implementation import Implementation
from tgite_checks.laws.balls import ball, log_integer_ball, log_inverse_ball
from tgite_checks.laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_checks.laws.duel_test import HALF

_LONGEST_BLOCK = 12


@functools.cache
def longest_run(under_test: Implementation, g: Fraction, delta: Confidence) -> int:
    """Return how many duels BudgetedDuelTest takes if the arms win by turns: as many as it can."""
    duels = 0

    def by_turns(question: Duel) -> bool:
        nonlocal duels
        duels += 1
        return duels % 2 == 1

    drive(under_test.known_gap(g)(0, 1, delta), by_turns)
    return duels


def _scaled(g: Fraction, duels: arb, size: int, log_inverse: arb) -> float:
    return below(duels * ball(g * g) / (size * (log_inverse + 1)))


@precisely
def budget(under_test: Implementation, depth: Depth) -> Attained:
    """Return the longest run of one test, where g^2 is just below log(4)/6 (and M = 4)."""
    g = Fraction("0.480675")
    duels = longest_run(under_test, g, NEARLY_ONE)
    value = _scaled(g, arb(duels), 1, log_inverse_ball(NEARLY_ONE))
    return Attained(value, f"g = {float(g)}, delta -> 1, arms that win by turns")


def _longest(under_test: Implementation, g: Fraction, matches: Iterable[Match]) -> arb:
    levels = Counter(m.delta for m in matches)
    return arb(sum(k * longest_run(under_test, g, delta) for delta, k in levels.items()))


@precisely
def bkt(under_test: Implementation, depth: Depth) -> Attained:
    """Return the longest tournament."""
    exponent, g = by_depth(depth, 13, 15, 17), Fraction("0.4816")
    m = 2**exponent
    stream = under_test.bkt(tuple(range(m)), NEARLY_ONE, match)
    duels = _longest(under_test, g, walk(stream, lambda asked: asked.first, m).matches)
    value = _scaled(g, duels, m, log_inverse_ball(NEARLY_ONE))
    return Attained(value, f"m = 2^{exponent}, g = {float(g)}, delta -> 1")


@precisely
def tree_ascent(under_test: Implementation, depth: Depth) -> Attained:
    """Return the longest pass."""
    exponent, g = by_depth(depth, 12, 14, 16), Fraction("0.4931")
    arms = clustered(exponent)
    tree = under_test.BalancedTree.over(arms.size)
    stream = under_test.tree_ascent(0, tree, NEARLY_ONE, match)
    duels = _longest(under_test, g, walk(stream, arms.decide, arms.size).matches)
    value = _scaled(g, duels, arms.size, log_inverse_ball(NEARLY_ONE))
    return Attained(value, f"N = 2^{exponent} + 1, g = {float(g)}, epsilon -> 1")


@functools.cache
def _laws(under_test: Implementation, g: Fraction) -> BudgetedDuelTestLaws:
    return BudgetedDuelTestLaws(g, under_test.b, under_test.budget)


def _means(
    under_test: Implementation, g: Fraction, arms: EndOfDomain, matches: Iterable[Asked]
) -> tuple[arb, arb, arb]:
    """Return the expected duels without the winner, of the winner's, and the variance of all."""
    laws = _laws(under_test, g)
    kinds = Counter(
        (m.delta, arms.winner in (m.first, m.second)) for m in matches if isinstance(m, Match)
    )
    others = winners = variance = arb(0)
    for (delta, with_winner), k in kinds.items():
        law = laws.law(delta, 1 - TINY if with_winner else HALF)
        mean, deviation = arb(law.mean.low), arb(law.standard_deviation.high)
        winners, others = (
            (winners + k * mean, others) if with_winner else (winners, others + k * mean)
        )
        variance += k * deviation * deviation
    return others, winners, variance


def _weak(under_test: Implementation, depth: Depth, warm_start: Confidence | None) -> Attained:
    exponent = by_depth(depth, 12, 14, 16)
    g = by_depth(depth, Fraction(1, 20), Fraction(1, 50), Fraction(1, 50))
    arms = clustered(exponent)
    tree = under_test.BalancedTree.over(arms.size)
    level = under_test.schedules.WEAK_WARM_START if warm_start is None else warm_start
    stream = under_test.tg_ite_weak(0, tree, match, level)
    path = walk(stream, arms.decide, 2 * arms.size, announcements=1)
    regret, _, _ = _means(under_test, g, arms, path.asked)
    log_inverse = arb(0) if warm_start is None else log_inverse_ball(level)
    at_level = "" if warm_start is None else ", delta -> 1"
    return Attained(
        _scaled(g, regret, arms.size, log_inverse),
        f"N = 2^{exponent} + 1, g = {float(g)}{at_level}, all but the winner tie",
    )


@precisely
def weak(under_test: Implementation, depth: Depth) -> Attained:
    """Return the weak regret of the warm start."""
    return _weak(under_test, depth, None)


@precisely
def weak_high_confidence(under_test: Implementation, depth: Depth) -> Attained:
    """Return the same with a warm start at a level near 1."""
    return _weak(under_test, depth, NEARLY_ONE)


@precisely
def epoch(under_test: Implementation, depth: Depth) -> Attained:
    """Return an epoch's regret from an incumbent that all others beat by g, and that tie besides.

    For N = 2^40 arms. If q arms beat it, floor(q/2^(s-1)) >= (q+1)/2^(s-1) - 1 matches of the
    replacement are played in round s or later; the rounds' tests get longer. The incumbent and the
    winner are in fewer than 2^7 of the matches, less than 2^-30 of all.
    """
    g = by_depth(depth, Fraction(1, 20), Fraction(1, 50), Fraction(1, 50))
    rho, N = Confidence(HALF), 2**40
    laws = _laws(under_test, g)
    screening = laws.law(rho, HALF - g)
    beaters = (N - 1) * arb(screening.second.probability.low)
    rounds = [
        laws.law(under_test.schedules.bkt_round_level(NEARLY_ONE, s), HALF).mean
        for s in range(1, _LONGEST_BLOCK + 1)
    ]
    replacing = arb(rounds[0].low) * beaters
    for s in range(1, _LONGEST_BLOCK):
        longer = arb(rounds[s].low) - arb(rounds[s - 1].high)
        if not bool(longer > 0):
            raise ArithmeticError("a later round's tests are not longer")
        replacing += longer * ((beaters + 1) / 2**s - 1)
    regret = ((N - 2) * arb(screening.mean.low) + replacing) * (1 - ball(Fraction(1, 2**30)))
    log_kappa, level = log_inverse_ball(NEARLY_ONE), ball(rho.rational)
    right = log_inverse_ball(rho) + log_kappa + 1 + level * (log_kappa + 1)
    value = below(regret * ball(g * g) / (N * right))
    return Attained(value, f"g = {float(g)}, rho = 1/2, kappa -> 1, N = 2^40, c loses to all by g")


@precisely
def strong_known(under_test: Implementation, depth: Depth) -> Attained:
    """Return the known-horizon regret, without the 1 of the bound.

    For every random tau: E max(tau - H, 0) <= (sqrt(variance + (H - mean)^2) - (H - mean))/2.
    """
    N, H, g = 65, 1657, Fraction("0.495")
    arms = EndOfDomain(N, N - 1)
    tree = under_test.BalancedTree.over(N)
    epsilon = under_test.schedules.known_horizon_level(H)
    path = walk(under_test.tree_ascent(0, tree, epsilon, match), arms.decide, N)
    others, winners, variance = _means(under_test, g, arms, path.asked)
    mean = others + winners
    spare = H - mean
    regret = mean - ((variance + spare * spare).sqrt() - spare) / 2 - 1
    value = _scaled(g, regret, N, log_integer_ball(H + 1))
    return Attained(value, f"N = {N}, H = {H}, g = {float(g)}, all but the winner tie")


@precisely
def strong_anytime(under_test: Implementation, depth: Depth) -> Attained:
    """Return the anytime regret, without loglog(T+2) + 1, when the fifth pass has surely ended."""
    N, phases, g = 257, 5, Fraction("0.499")
    arms = EndOfDomain(N, 0)
    tree = under_test.BalancedTree.over(N)
    stream = under_test.tg_ite_strong_anytime(0, tree, match)
    path = walk(stream, arms.decide, phases * N, announcements=phases)
    others, winners, _ = _means(under_test, g, arms, path.asked)
    played = [asked.rounds for asked in path.asked if isinstance(asked, SelfPlay)]
    T = sum(played[: phases - 1]) + sum(under_test.budget(g, m.delta) for m in path.matches)
    # Unless the winner loses a duel, it is the starting arm of every pass.
    mean = (others + winners) * (1 - ball(TINY * T))
    double_log = log_integer_ball(T + 2).log() + 1
    scale = N * (log_integer_ball(T + 1) + double_log)
    value = below((mean - double_log) * ball(g * g) / scale)
    return Attained(
        value, f"N = {N}, T = {T} (fifth pass ended), g = {float(g)}, all but the winner tie"
    )
