"""Findings about weak regret: the hidden delta, the value of a warm start, and the binary unit."""

from __future__ import annotations

import functools
from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite.instances import cyclic, sparse
from tgite.questions import match
from tgite_checks.bounds.exact_laws import error_of, laws_of, paper_settings, weak_regret_of
from tgite_checks.bounds.weak import WARM_STARTS, exact_weak_regret, tail_regret
from tgite_checks.check import Cases, Depth, Number, at_most, demonstration, statement
from tgite_laws.balls import ball, real
from tgite_laws.duel_test import HALF
from tgite_laws.enclosure import Enclosure
from tgite_laws.implementation import Implementation
from tgite_laws.match_paths import paths
from tgite_laws.tournaments import bkt_law

_QUARTER = WARM_STARTS[0]


@demonstration(case="warm start")
def weak_regret_hides_delta(under_test: Implementation, depth: Depth) -> Cases:
    """Show how the joint policy's weak regret grows with log(1/delta) at fixed N."""
    preferences = sparse(64, "0.26")
    totals = [exact_weak_regret(under_test, preferences, level).total for level in WARM_STARTS]
    yield Number("E[R_inf^weak] of the warm start 1/4", totals[0])
    for level, total, factor in zip(WARM_STARTS[1:], totals[1:], (1.2, 2.5, 7), strict=True):
        yield at_most(
            f"{factor} times E[R_inf^weak] of the warm start 1/4, against delta = {level}",
            Enclosure.exactly(totals[0].high * factor),
            total,
        )


@demonstration(case="schedule", refuses={"less than at delta = 1/4": {"factor": 0.99}})
def weak_regret_without_delta(
    under_test: Implementation, depth: Depth, *, factor: float = 1.01
) -> Cases:
    """Show a schedule that is delta-correct for every delta, with one weak regret for all of them.

    Warm start 1/4, then rho_s = kappa_s = 2^-2^(s+1); the answer is the incumbent after the first
    epoch with 2 rho_s <= delta. The weak regret of the infinite run is bounded: a wrong incumbent
    costs at most the whole epoch, the winner as incumbent a match for each false beater.
    """
    preferences = sparse(64, "0.26")
    laws = laws_of(under_test)
    gap, N = preferences.global_gap(), preferences.size
    base = exact_weak_regret(under_test, preferences, _QUARTER).warm_start
    warm = weak_regret_of(base).mean
    total, wrong, last = warm.high, error_of(base).high, 0.0
    for s in range(1, 9):
        level = Confidence(Fraction(1, 2 ** (2 ** (s + 1))))
        longest = laws.longest_mean(Confidence(level.rational / 36, basel=True), gap)
        # An error of one test, whatever its gap: exactly, or at most its level/24. BKT's six rounds
        # have smaller levels.
        whole_share = float(level.rational) / 24 * (1 + 1e-9)
        error = laws.largest_error(level).high if s <= 2 else whole_share
        last = 2 * (N - 1) * longest * wrong + (N - 1) * error * longest
        total += last
        wrong = 7 * error
    # From s = 9 on the errors are about squared at each step, the length at most doubled.
    total = (total + 2 * last) * (1 + 1e-9)
    yield at_most(
        f"weak regret for every delta, against {factor} times the one with the warm start 1/4",
        Enclosure(warm.low, total),
        Enclosure.exactly(factor * warm.low),
    )


@demonstration(case="warm start")
def warm_start_is_not_needed(under_test: Implementation, depth: Depth) -> Cases:
    """Show that BKT as warm start has less weak regret than the tree, on the figure's arms."""
    preferences = paper_settings()[4].preferences
    laws, arms = laws_of(under_test), tuple(range(preferences.size))
    knock = bkt_law(under_test.bkt, arms, _QUARTER, preferences, laws)
    tree = exact_weak_regret(under_test, preferences, _QUARTER).warm_start
    yield at_most(
        "E[weak regret] of BKT([N], 1/4) against the tree's, sparse N = 256",
        weak_regret_of(knock).mean,
        weak_regret_of(tree).mean,
    )
    # The tail corrects any incumbent: the theorem's bound holds from any start.
    small = cyclic(4, "0.30", "0.38")
    worst = max((tail_regret(under_test, small, c, 4) for c in range(4)), key=lambda e: e.high)
    yield at_most(
        "E[weak regret of epochs 1..4] from the worst start, against 9 N/Delta^2 (log(1/Delta) + "
        "1)",
        worst,
        real(lambda: ball(9 * 3 / Fraction(9, 100)) * (1 - ball(Fraction(3, 10)).log())),
    )


@demonstration(case="match", refuses={"nor have three": {"N": 3}})
def two_arms_have_no_weak_regret(under_test: Implementation, depth: Depth, *, N: int = 2) -> Cases:
    """Show that for N = 2 every match of the weak policy includes the winner."""
    tree = under_test.BalancedTree.over(N)
    make = functools.partial(under_test.tg_ite_weak, 0, tree, match)
    for path in paths(make, most_matches=8, announcements=4):
        for asked in path.matches:
            yield "" if {asked.first, asked.second} == {0, 1} else f"{asked} on {path}"


@statement(
    "binary-weak-regret-lower-bound",
    domain="By a change of measure, every policy has binary weak regret above 0.007 N/Delta^2 on "
    "some instance with N = 256 and all gaps Delta. This is computed for Delta = 1e-3 to 1e-6.",
    case="gap",
    refuses={"regret above 0.01 N/Delta^2, by the same argument": {"thousandths": 10}},
)
def binary_weak_regret_needs_more(depth: Depth, *, thousandths: int = 7) -> Cases:
    """Show the lower bound by a change of measure between two instances with all gaps Delta.

    1. The first instance is a cycle without a winner. In the second, one arm a beats all others.
    2. In n rounds on the first, arms take part 2n times. So half of them take part at most 4n/N
       times; let a be one of these.
    3. Then the divergence of the two laws is at most x = (4n/N) kl(1/2 - Delta, 1/2 + Delta).
    4. By Pinsker's inequality the regret on the second is at least n (1 - 4/N - sqrt(x/2)).
    """
    N, x = 256, Fraction(1, 2)

    def least_regret(gap: Fraction) -> arb:
        kl = ball(2 * gap) * (ball((HALF + gap) / (HALF - gap))).log()
        n = ball(x * N / 4) / kl
        return n * (1 - ball(Fraction(4, N)) - ball(x / 2).sqrt())

    for exponent in (3, 4, 5, 6):
        gap = Fraction(1, 10**exponent)
        multiple = Fraction(thousandths, 1000) / gap
        yield at_most(
            f"{float(multiple):.3g} N/Delta against what every policy must pay on some instance, "
            f"Delta = 1e-{exponent}, N = 256",
            multiple * N / gap,
            real(least_regret, gap),
        )
