"""Demonstrations about BKT and TreeAscent: what the tree buys, what it costs, what a tie does."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite.instances import cyclic
from tgite.preferences import PreferenceMatrix
from tgite.questions import Arm, Match, match
from tgite_checks.bounds.bkt import level_share, rounds_of_bkt
from tgite_checks.bounds.budgeted_duel_test import budgeted_laws_of
from tgite_checks.bounds.comparing import AtMost, compared, rational, real
from tgite_checks.bounds.duel_test import laws_of, least_duels
from tgite_checks.bounds.tournaments import (
    Setting,
    anytime_laws,
    ascent,
    knockout,
    known_gap_laws,
    most_duels,
    paper_settings,
    tie_settings,
    tree_with_siblings,
)
from tgite_checks.bounds.tree_ascent import ONE_LEVEL
from tgite_checks.check import Depth, Result, by_depth, result_of
from tgite_checks.enclosure import Enclosure
from tgite_checks.explore import walk
from tgite_checks.implementation import Implementation
from tgite_checks.laws.balls import ball, log_integer_ball, log_inverse_ball
from tgite_checks.laws.tournament import bkt_law

QUARTER = Confidence(Fraction(1, 4))
TENTH = Confidence(Fraction(1, 10))


def _scaled(value: Enclosure, factor: Fraction) -> Enclosure:
    """Return a lower bound of a scaled number, as a point."""
    low = value.low * float(factor) * (1 - 1e-12)
    return Enclosure(low, low)


def knockout_alone_is_cheaper(
    under_test: Implementation, depth: Depth, *, factor: Fraction = Fraction(1)
) -> Result:
    """Show that BKT on all arms keeps its level too, and costs less than TreeAscent."""
    return compared(_knockout_cases(under_test, depth, factor), "setting")


def _knockout_cases(under_test: Implementation, depth: Depth, factor: Fraction) -> Iterator[AtMost]:
    laws = laws_of(under_test)
    for N in (8, *by_depth(depth, (64,), (64, 256), (64, 256, 1024))):
        for level in (QUARTER, Confidence.of("1e-5")):
            setting = Setting(
                f"N = {N}, all gaps .3, level {level}", cyclic(N, "0.3", "0.3"), level
            )
            one, other = knockout(under_test, setting, laws), ascent(under_test, setting, laws)
            if one.error is None:
                raise AssertionError("the winner takes part")
            yield AtMost(f"error of BKT([N]), {setting.name}", one.error, rational(level.rational))
            yield AtMost(
                f"E[duels] of BKT([N]) against TreeAscent's, {setting.name}",
                one.comparisons.mean,
                _scaled(other.comparisons.mean, factor),
            )


def start_does_not_matter(under_test: Implementation, depth: Depth) -> Result:
    """Show that no start saves even a fifth of a percent, the winner itself included."""
    return compared(_start_cases(under_test), "start")


def _start_cases(under_test: Implementation) -> Iterator[AtMost]:
    setting = paper_settings()[5]
    laws = laws_of(under_test)
    winner = setting.preferences.winner()
    # Leaves are the arms' numbers: the winner enters in block h from the start winner ^ 2^(h-1).
    starts = {0: winner, 1: winner ^ 1, 4: winner ^ 8, 8: winner ^ 128}
    costs = {h: ascent(under_test, setting, laws, b).comparisons.mean for h, b in starts.items()}
    for h, one in costs.items():
        for k, other in costs.items():
            if h != k:
                yield AtMost(
                    f"E[duels] with entry level {h} against 1.002 times level {k}'s",
                    one,
                    _scaled(other, Fraction(501, 500)),
                )


def one_blocks_level_is_enough(under_test: Implementation, depth: Depth) -> Result:
    """Show that beta_h = epsilon/2 for every block, valid by the same proof, sums to less.

    The winner is in one block only, so that the pass errs with probability at most
    1{h_star > 0} beta + the sum of eta_h, which is epsilon/2 + epsilon/2.
    """
    return ONE_LEVEL.run(under_test, depth)


def half_of_epsilon_is_spare(under_test: Implementation, depth: Depth) -> Result:
    """Show that the paper's own lemmas give TreeAscent an error of epsilon/2, for every N and b."""
    return compared(_spare_cases(), "entry level")


def _spare_cases() -> Iterator[AtMost]:
    # The error over epsilon: the rounds that a block's tournament has, and the merges from h* on.
    for L in (*range(1, 13), 20, 30, 60):
        for h in range(L + 1):
            yield AtMost(
                f"error over epsilon, L = {L}, h* = {h}",
                real(functools.partial(_spent, L, h), 256),
                rational(Fraction(1, 2) + (Fraction(1, 10**15) if h in (0, 1) else 0)),
            )


def _spent(L: int, h: int) -> arb:
    merges = ball(Fraction(L - max(h, 1) + 1, 2 * L))
    if h <= 1:
        return merges
    return merges + level_share(h - 1) * ball(Fraction(2 ** (h - 1), 2 * (2**L - 1)))


def rounds_are_few(under_test: Implementation, depth: Depth) -> Result:
    """Show how much of delta BKT can spend: its rounds are ceil(log2 m), not infinitely many."""
    return compared(
        (
            AtMost(
                f"share of delta spent by m = {m} arms",
                real(functools.partial(level_share, len(rounds_of_bkt(under_test, m)))),
                rational(bound),
            )
            for m, bound in (
                (2, Fraction(61, 100)),
                (8, Fraction(83, 100)),
                (64, Fraction(91, 100)),
            )
        ),
        "number of arms",
    )


def clustered_byes_cost_most(under_test: Implementation, depth: Depth) -> Result:
    """Show that N = 2^k + 1 with the byes in one block costs more per arm than 2^k and 2^(k+1).

    Counted are the fewest duels, which is what a pass costs as all gaps tend to 1/2.
    """
    return compared(_clustered_cases(under_test), "number of arms")


def _clustered_cases(under_test: Implementation) -> Iterator[AtMost]:
    level = Confidence.of("0.999")
    worst = Fraction(fewest_duels(under_test, 1025, level), 1025)
    for N in (1024, 2048):
        per_arm = Fraction(fewest_duels(under_test, N, level), N)
        yield AtMost(
            f"fewest duels per arm, N = {N}, against N = 1025", rational(per_arm), rational(worst)
        )


def fewest_duels(under_test: Implementation, N: int, level: Confidence) -> int:
    """Return the fewest duels of a pass from arm 0 with the byes last, whatever the outcomes."""

    def first_wins(asked: Match) -> Arm:
        return asked.first

    tree = under_test.BalancedTree.over(N)
    path = walk(under_test.tree_ascent(0, tree, level, match), first_wins, N)
    counts = Counter(asked.delta for asked in path.matches)
    return sum(count * least_duels(delta) for delta, count in counts.items())


def representative_is_an_accident(
    under_test: Implementation, depth: Depth, *, each: int = 8
) -> Result:
    """Show that without noise each arm of a 3-cycle represents its block in 8 of the 24 orders."""
    return result_of(_representatives(under_test, each), "number of orders")


_BEATEN_BY = {0: (1, 3), 1: (2, 3), 2: (0, 3), 3: ()}
"""Three arms in a cycle, 0 over 1 over 2 over 0, and arm 3, which loses to all."""


def _representatives(under_test: Implementation, each: int) -> Iterator[str]:
    def decide(asked: Match) -> Arm:
        return asked.first if asked.second in _BEATEN_BY[asked.first] else asked.second

    found: Counter[Arm | None] = Counter()
    for order in itertools.permutations(range(4)):
        found[walk(under_test.bkt(order, QUARTER, match), decide, 3).result] += 1
    for arm in range(4):
        expected = each if arm < 3 else 0
        yield "" if found[arm] == expected else f"arm {arm} represents {found[arm]} orders"


def a_tie_stops_the_pass(
    under_test: Implementation, depth: Depth, *, known_gap: bool = False
) -> Result:
    """Show that a pass with a tie among siblings almost surely never ends, though a* beats all."""
    return compared(_tie_cases(under_test, depth, known_gap), "instance with a tie")


def _tie_cases(under_test: Implementation, depth: Depth, known_gap: bool) -> Iterator[AtMost]:
    settings = tie_settings()
    # DuelTest's laws at arxiv6's small gaps take long; the three arms say the same.
    for setting, i, j in settings[:1] if depth is Depth.QUICK else settings:
        laws_for = known_gap_laws if known_gap else anytime_laws
        tree = tree_with_siblings(setting.preferences, i, j)
        never = ascent(under_test, setting, laws_for(under_test, setting), i, tree).never
        yield AtMost(
            f"0.999 against P(the pass from {i} never ends), {setting.name}",
            rational(Fraction(999, 1000)),
            never,
        )


def a_tie_stops_the_knockout(under_test: Implementation, depth: Depth) -> Result:
    """Show that BKT does not return an arm that beats all others where two others tie."""
    setting, i, j = tie_settings()[0]
    winner = setting.preferences.winner()
    law = bkt_law(
        (i, j, winner), TENTH, setting.preferences, laws_of(under_test), algorithm=under_test.bkt
    )
    case = AtMost(
        "P(BKT((x, y, w), 1/10) returns w), w beats x and y, which tie",
        law.survives[winner].probability,
        rational(Fraction(1, 1000)),
    )
    return compared((case,), "tournament")


def one_small_gap_costs_much(
    under_test: Implementation, depth: Depth, *, multiple: int = 5
) -> Result:
    """Show that with Delta* = 0.3 one other pair of gap x costs 1/x^2, and known gaps do not."""
    return compared(_small_gap_cases(under_test, depth, multiple), "gap")


def four_arms_with_gap(x: Fraction) -> PreferenceMatrix:
    """Return four arms: arm 1 beats all by 0.3, the other pairs have gap 0.3, but (2, 3) has x."""
    p, q = Fraction(4, 5), Fraction(1, 5)
    half = Fraction(1, 2)
    return PreferenceMatrix(
        (
            (half, q, p, p),
            (p, half, p, p),
            (q, q, half, half + x),
            (q, q, half - x, half),
        )
    )


def _small_gap_cases(under_test: Implementation, depth: Depth, multiple: int) -> Iterator[AtMost]:
    laws = laws_of(under_test)
    tree = under_test.BalancedTree.over(4)
    known = functools.partial(under_test.tree_ascent, 0, tree, TENTH)
    most = most_duels(under_test, known, Fraction(3, 10))
    for text in ("0.1", "0.03", *by_depth(depth, (), ("0.01",), ("0.01",))):
        x = Fraction(text)
        setting = Setting(f"x = {text}", four_arms_with_gap(x), TENTH)
        mean = ascent(under_test, setting, laws).comparisons.mean
        yield AtMost(
            f"{multiple}/x^2 against E[duels] of TreeAscent, x = {text}",
            rational(multiple / x**2),
            mean,
        )
        yield AtMost(
            f"most duels of TreeAscent with g = Delta* = 0.3, x = {text}", rational(most), mean
        )


def known_gap_is_not_an_allowance(under_test: Implementation, depth: Depth) -> Result:
    """Show that with g above Delta* the known-gap tournament may return an arm far from a*."""
    return compared(_allowance_cases(under_test), "winner's gap")


def _allowance_cases(under_test: Implementation) -> Iterator[AtMost]:
    g, delta = Fraction(1, 10), Confidence(Fraction(1, 20))
    half, far = Fraction(1, 2), Fraction(9, 20)
    for x in map(Fraction, ("0.02", "0.001")):
        preferences = PreferenceMatrix(
            (
                (half, half + x, half + far, half + far),
                (half - x, half, half - far, half + far),
                (half - far, half + far, half, half + far),
                (half - far, half - far, half - far, half),
            )
        )
        laws = budgeted_laws_of(under_test, g)
        law = bkt_law((0, 1, 2, 3), delta, preferences, laws, algorithm=under_test.bkt)
        yield AtMost(
            "0.2 against P(BKT_g returns arm 2, 0.45 below a*), g = 0.1, delta = 1/20, Delta* = "
            f"{x}",
            rational(Fraction(1, 5)),
            law.survives[2].probability,
        )


def merge_levels_of_no_use(under_test: Implementation, depth: Depth) -> Result:
    """Show the level set aside for merges that do not happen: all but one for the last arm."""
    tree = under_test.BalancedTree.over(17)
    empty = sum(not tree.sibling_block(16, h) for h in range(1, tree.L + 1))
    case = AtMost(
        "3/4 of the merges against the empty blocks' share, N = 17, b = 16",
        rational(Fraction(3, 4)),
        rational(Fraction(empty, tree.L)),
    )
    return compared((case,), "tree")


def bound_is_vacuous(under_test: Implementation, depth: Depth) -> Result:
    """Show that with the constant that the proofs import both strong bounds exceed the horizon.

    At gaps near 1/2 a pass costs at least its fewest duels, so that C is at least what that gives.
    """
    return compared(_vacuous_cases(under_test), "bound")


def _vacuous_cases(under_test: Implementation) -> Iterator[AtMost]:
    N, level, gap = 4097, Confidence.of("0.999"), Fraction(499, 1000)
    floor = fewest_duels(under_test, N, level)

    def least_constant() -> arb:
        return ball(floor * gap**2 / N) / (log_inverse_ball(level) - ball(gap).log() + 1)

    yield AtMost(
        "3.37 against the constant of the pass", rational(Fraction(337, 100)), real(least_constant)
    )
    arms, Delta, T = 256, Fraction(3, 10), 100_000

    def known() -> arb:
        bracketed = log_integer_ball(T + 1) - ball(Delta).log() + 1
        return ball(Fraction(337, 100) * arms / Delta**2) * bracketed

    yield AtMost("100 000 against the known-horizon bound at N = 256", rational(T), real(known))
