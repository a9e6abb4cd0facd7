"""Demonstrations about the policies for weak and strong regret."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite.instances import cyclic, sparse
from tgite.questions import match
from tgite.tree import BalancedTree
from tgite_checks.bounds.bkt import rounds_of_bkt
from tgite_checks.bounds.comparing import AtMost, compared, rational, real
from tgite_checks.bounds.duel_test import laws_of
from tgite_checks.bounds.screen_and_replace import epoch, instances, known_gap
from tgite_checks.bounds.strong import phase_bound, phases_begun
from tgite_checks.bounds.tournaments import paper_settings
from tgite_checks.bounds.weak import WARM_STARTS, exact_weak_regret, tail_regret
from tgite_checks.check import Depth, Result, by_depth, result_of
from tgite_checks.enclosure import Enclosure
from tgite_checks.explore import paths
from tgite_checks.implementation import Implementation
from tgite_checks.laws.balls import ball, log_integer_ball
from tgite_checks.laws.duel_test import HALF
from tgite_checks.laws.tournament import bkt_law

QUARTER = Confidence(Fraction(1, 4))


def weak_regret_hides_delta(under_test: Implementation, depth: Depth) -> Result:
    """Show how the weak regret of the joint policy grows with log(1/delta), N being the same."""
    return compared(_delta_cases(under_test), "warm start")


def _delta_cases(under_test: Implementation) -> Iterator[AtMost]:
    preferences = sparse(64, "0.26")
    totals = [exact_weak_regret(under_test, preferences, level).total for level in WARM_STARTS]
    for level, total, factor in zip(WARM_STARTS[1:], totals[1:], (1.2, 2.5, 7), strict=True):
        least = totals[0].high * factor
        yield AtMost(
            f"{factor} times E[R_inf^weak] of the warm start 1/4, against delta = {level}",
            Enclosure(least, least),
            total,
        )


def weak_regret_without_delta(under_test: Implementation, depth: Depth) -> Result:
    """Show a schedule that is delta-correct for every delta, at one weak regret for all of them.

    Warm start 1/4, then rho_s = kappa_s = 2^-2^(s+1); the answer is the incumbent after the first
    epoch with 2 rho_s <= delta. Bounded is the weak regret of the infinite run: a wrong incumbent
    costs at most the whole epoch, the winner as incumbent a match for each false beater.
    """
    preferences = sparse(64, "0.26")
    laws = laws_of(under_test)
    gap, N = preferences.global_gap(), preferences.size
    base = exact_weak_regret(under_test, preferences, QUARTER).warm_start
    if base.weak_regret is None or base.error is None:
        raise AssertionError("the winner takes part")
    total, wrong = base.weak_regret.mean.high, base.error.high
    last = 0.0
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
    case = AtMost(
        "weak regret for every delta, against 1.01 times the one with the warm start 1/4",
        Enclosure(0.0, total),
        Enclosure.exactly(1.01 * base.weak_regret.mean.low),
    )
    return compared((case,), "schedule")


def warm_start_is_not_needed(under_test: Implementation, depth: Depth) -> Result:
    """Show that BKT as warm start leaves less weak regret than the tree, on the figure's arms."""
    return compared(_warm_start_cases(under_test), "warm start")


def _warm_start_cases(under_test: Implementation) -> Iterator[AtMost]:
    setting = paper_settings()[4]
    arms = tuple(range(setting.preferences.size))
    laws = laws_of(under_test)
    knock = bkt_law(arms, QUARTER, setting.preferences, laws, algorithm=under_test.bkt)
    tree = exact_weak_regret(under_test, setting.preferences, QUARTER).warm_start
    if knock.weak_regret is None or tree.weak_regret is None:
        raise AssertionError("the winner takes part")
    yield AtMost(
        "E[weak regret] of BKT([N], 1/4) against the tree's, sparse N = 256",
        knock.weak_regret.mean,
        tree.weak_regret.mean,
    )
    # From any incumbent the tail alone repairs: the bound of the theorem holds from any start.
    small = cyclic(4, "0.30", "0.38")
    worst = max((tail_regret(under_test, small, c, 4) for c in range(4)), key=lambda e: e.high)
    yield AtMost(
        "E[weak regret of epochs 1..4] from the worst start, against 9 N/Delta^2 (log(1/Delta) + "
        "1)",
        worst,
        real(lambda: ball(9 * 3 / Fraction(9, 100)) * (1 - ball(Fraction(3, 10)).log())),
    )


def failure_needs_two_errors(under_test: Implementation, depth: Depth) -> Result:
    """Show that with c = a* an epoch fails with probability at most min(1, (N-1) rho) kappa."""
    return compared(_two_error_cases(under_test, depth), "epoch")


def _two_error_cases(under_test: Implementation, depth: Depth) -> Iterator[AtMost]:
    for name, preferences in instances(depth):
        laws = known_gap(under_test, preferences)
        winner, N = preferences.winner(), preferences.size
        for text in ("1/64", "1/256"):
            level = Confidence.of(text)
            law = epoch(under_test, preferences, laws, winner, level, level)
            if law.error is None:
                raise AssertionError("the winner takes part")
            bound = min(Fraction(1), (N - 1) * level.rational) * level.rational
            yield AtMost(
                f"P(c+ is wrong) from c = a*, rho = kappa = {text}, known gap, {name}",
                law.error,
                rational(bound),
            )
    rho = under_test.schedules.screening_level(5).rational
    yield AtMost(
        "the same bound against kappa, epoch 5, N = 256, sixty times smaller",
        rational(60 * 255 * rho * rho),
        rational(rho),
    )


def replacement_plays_as_many_as_beat(under_test: Implementation, depth: Depth) -> Result:
    """Show that BKT on |B| + 1 arms plays |B| matches: the factor 2 of the proof is not needed."""
    sizes = range(1, by_depth(depth, 200, 1000, 3000))
    return result_of(
        (
            "" if sum(rounds_of_bkt(under_test, B + 1)) == B else f"|B| = {B}: not |B| matches"
            for B in sizes
        ),
        "number of beaters",
    )


def one_arm_blocks_are_free(under_test: Implementation, depth: Depth) -> Result:
    """Show that BKT on one arm plays nothing, where the proof applies a bound stated for two."""
    free = rounds_of_bkt(under_test, 1) == []
    return result_of(iter(("" if free else "BKT on one arm plays a match",)), "tournament")


def two_arms_have_no_weak_regret(under_test: Implementation, depth: Depth) -> Result:
    """Show that for N = 2 every match of the weak policy is one of the winner's."""
    return result_of(_two_arm_cases(under_test), "match")


def _two_arm_cases(under_test: Implementation) -> Iterator[str]:
    tree = BalancedTree.over(2)
    make = functools.partial(under_test.tg_ite_weak, 0, tree, match)
    for path in paths(make, most_matches=8, announcements=4):
        for asked in path.matches:
            both = {asked.first, asked.second} == {0, 1}
            yield "" if both else f"{asked} on {path}"


def first_horizon_is_no_exception(under_test: Implementation, depth: Depth) -> Result:
    """Show that T = 1 needs no exclusion with log log(T+2), where the table's log log T fails."""
    return compared(_first_horizon_cases(), "time")


def _first_horizon_cases() -> Iterator[AtMost]:
    yield AtMost(
        "0 against log log(T + 2), T = 1", rational(0), real(lambda: log_integer_ball(3).log())
    )
    yield AtMost(
        "log log T + 1 against half of log log(T + 2) + 1, T = 2",
        real(lambda: log_integer_ball(2).log() + 1),
        real(lambda: (log_integer_ball(4).log() + 1) / 2),
    )


def phases_are_fewer(under_test: Implementation, depth: Depth) -> Result:
    """Show that S_T exceeds the phases that can have begun by 2 or 3, and what that costs."""
    return compared(_fewer_cases(under_test), "time")


def _fewer_cases(under_test: Implementation) -> Iterator[AtMost]:
    for T in (*range(2, 300), *(2**k for k in range(9, 400)), *(2**k - 1 for k in range(9, 400))):
        K = phases_begun(under_test, T)
        yield AtMost(f"phases begun and two, T = {T}", rational(K + 2), rational(phase_bound(T)))
        yield AtMost(
            f"2^(K+1) - 2 against 4 log2(T + 2), T = {T}",
            rational(2 ** (K + 1) - 2),
            real(functools.partial(_four_logs, T), 512),
        )


def _four_logs(T: int) -> arb:
    return 4 * log_integer_ball(T + 2) / log_integer_ball(2)


def binary_weak_regret_needs_more(
    under_test: Implementation, depth: Depth, *, thousandths: int = 7
) -> Result:
    """Show that no policy has binary weak regret of order N/Delta*: some instance needs N/Delta^2.

    Change of measure from a cycle of gap Delta without a winner to the one in which arm a beats
    all by Delta. In n rounds of the first the arms take part 2n times, so that half of them do
    4n/N times at most; for such an arm the divergence of the two laws is at most x = (4n/N)
    kl(1/2 - Delta, 1/2 + Delta), and by Pinsker the regret is at least n (1 - 4/N - sqrt(x/2)).
    """
    return compared(_binary_cases(thousandths), "gap")


def _binary_cases(thousandths: int) -> Iterator[AtMost]:
    N, x = 256, Fraction(1, 2)
    for exponent in (3, 4, 5, 6):
        gap = Fraction(1, 10**exponent)

        def regret(gap: Fraction = gap) -> arb:
            kl = ball(2 * gap) * (ball((HALF + gap) / (HALF - gap))).log()
            n = ball(x * N / 4) / kl
            return n * (1 - ball(Fraction(4, N)) - ball(x / 2).sqrt())

        multiple = Fraction(thousandths, 1000) / gap
        yield AtMost(
            f"{float(multiple):.3g} N/Delta against what every policy must pay on some instance, "
            f"Delta = 1e-{exponent}, N = 256",
            rational(multiple * N / gap),
            real(regret),
        )
