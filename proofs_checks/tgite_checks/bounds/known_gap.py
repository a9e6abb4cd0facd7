"""Bounds with a known gap (``thm:known-gap-extension-main``), by exact laws of instances.

``lem:app-budgeted-bkt``, ``lem:app-budgeted-tree-ascent``, and the policies. No global gap is
needed. The constants are in :mod:`.known_gap_constants`.
"""

from __future__ import annotations

import functools
from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite.preferences import PreferenceMatrix
from tgite_checks.bounds import strong, weak
from tgite_checks.bounds.constants.proved import (
    known_gap_anytime_bound,
    known_gap_bound,
    proved_constant,
)
from tgite_checks.bounds.exact_laws import (
    LawsFor,
    anytime,
    anytime_run,
    budgeted_laws_of,
    error_of,
    known_gap,
    known_horizon_run,
    most_duels_of,
    passes_with_a_tie,
    weak_run,
)
from tgite_checks.check import Cases, Depth, Kind, at_most, by_depth, demonstration, truth
from tgite_laws.arithmetic import plus
from tgite_laws.balls import log_integer_ball, log_inverse_ball, real
from tgite_laws.enclosure import Enclosure, rational
from tgite_laws.implementation import Implementation
from tgite_laws.tournaments import bkt_law

_LARGE = ((), (257, 1025), (257, 1025, 4097))
_TIMES = (100, 10_000, 100_000)
_proved = functools.partial(proved_constant, "thm_known_gap_extension_main")


@truth(
    "known-gap-budgets",
    kind=Kind.EXHAUSTIVE,
    domain="BKT_g and TreeAscent_g can use up all their budgets, whose sum is at most C (N-1)/g^2 "
    "(log(1/level) + 1) with the proved C. N = 2, 3, 5, 8, 9 and 33 are tried.",
    sizes={"further N:": _LARGE},
    case="number of duels",
    refuses={"the bound with C = 1 for both algorithms": {"constant": Fraction(1)}},
)
def budgets(under_test: Implementation, depth: Depth, *, constant: Fraction | None = None) -> Cases:
    C_bkt = constant or proved_constant("lem_app_budgeted_bkt", "C_budgeted_bkt")
    C_ta = constant or proved_constant("lem_app_budgeted_tree_ascent", "C_budgeted_ta")
    for N in (2, 3, 5, 8, 9, 33, *by_depth(depth, *_LARGE)):
        # The last arm of the last block alone: the worst place for the byes.
        tree = under_test.BalancedTree.over(N)
        for g in map(Fraction, ("0.49", "0.47", "0.3", "0.05")):
            for level in map(Confidence.of, ("0.999", "1/10", "1e-12")):
                test_all = functools.partial(under_test.bkt, tuple(range(N)), level)
                ascend = functools.partial(under_test.tree_ascent, 0, tree, level)
                for name, C, stream in (("BKT", C_bkt, test_all), ("TreeAscent", C_ta, ascend)):
                    yield at_most(
                        f"most duels of {name}_g, N = {N}, g = {g}, level {level}",
                        most_duels_of(under_test, stream, g),
                        _known_gap_bound(C, N - 1, g, level),
                    )


def _known_gap_bound(C: Fraction, size: int, g: Fraction, level: Confidence) -> Enclosure:
    return real(lambda: known_gap_bound(C, size, g, log_inverse_ball(level)))


@truth(
    "known-gap-needs-no-global-gap",
    domain="TreeAscent_g with g = Delta* at level 1/10 errs with probability at most 1/10 "
    "although two arms tie. The pass starts at one of these two, and the other is its sibling. "
    "One instance has three arms. The other is the real matrix arxiv6, whose arms 3 and 5 tie.",
    case="pass on an instance with a tie",
    refuses={"the same error with DuelTest": {"laws_for": anytime}},
)
def ties(under_test: Implementation, depth: Depth, *, laws_for: LawsFor = known_gap) -> Cases:
    for setting, i, j, law in passes_with_a_tie(under_test, depth, laws_for):
        yield at_most(
            f"P(a* is not returned), TreeAscent from {i}, {i} and {j} siblings, {setting.name}",
            plus(error_of(law), law.never),
            setting.level.rational,
        )


@truth(
    "known-gap-weak-regret",
    domain="The exact weak regret with BudgetedDuelTest and g = Delta* is within its proved "
    "bounds, for warm starts at levels 1/4, 1/100 and 1e-8.",
    sizes={"cyclic instances:": ("two with 4 arms", *2 * ("also one with 6 arms",))},
    case="expected weak regret",
    refuses={"the bound with C = 1/4": {"C": Fraction(1, 4)}},
)
def weak_regret(under_test: Implementation, depth: Depth, *, C: Fraction | None = None) -> Cases:
    C_weak, C_delta = C or _proved("C_budgeted_weak"), C or _proved("C_budgeted_weak_delta")
    # The tail's bound (N = 256) is tight only for the small errors of DuelTest.
    for name, preferences in weak.small_instances(depth):
        g, size = preferences.winner_gap(), preferences.size - 1
        for warm_start in weak.WARM_STARTS[:3]:
            found = weak_run(under_test, preferences, budgeted_laws_of(under_test, g), warm_start)
            constant_start = warm_start is weak.WARM_STARTS[0]
            yield at_most(
                f"E[R_inf^weak], warm start {warm_start}, {name}",
                found.total,
                rational(C_weak * size / g**2)
                if constant_start
                else _known_gap_bound(C_delta, size, g, warm_start),
            )


def known_horizon_bound(C: Fraction, size: int, g: Fraction, H: int) -> arb:
    """Return a ball around ``C size/g^2 (log(H+1) + 1) + 1``."""
    return known_gap_bound(C, size, g, log_integer_ball(H + 1)) + 1


@truth(
    "known-gap-strong-regret",
    domain="The exact strong regrets with BudgetedDuelTest and g = Delta* are within their proved "
    "bounds, for both policies at 100, 10^4 and 10^5 rounds.",
    sizes={"cyclic instances with N =": ("4 and 16", "4, 16 and 256", "4, 16 and 256")},
    case="expected strong regret",
    refuses={"the bound with C = 1/10": {"C": Fraction(1, 10)}},
)
def strong_regret(under_test: Implementation, depth: Depth, *, C: Fraction | None = None) -> Cases:
    C_known, C_anytime = C or _proved("C_budgeted_known"), C or _proved("C_budgeted_anytime")
    extra = _proved("C'_budgeted_anytime")
    for name, preferences in strong.instances(depth):
        g, size = preferences.winner_gap(), preferences.size - 1
        laws = budgeted_laws_of(under_test, g)
        for T in _TIMES:
            yield at_most(
                f"E[R_H^str], H = {T}, {name}",
                known_horizon_run(under_test, preferences, laws, T),
                real(known_horizon_bound, C_known, size, g, T),
            )
            yield at_most(
                f"E[R_T^str], T = {T}, {name}",
                anytime_run(under_test, preferences, laws, T),
                real(known_gap_anytime_bound, C_anytime, extra, size, g, T),
            )


@demonstration(case="winner's gap")
def known_gap_is_not_an_allowance(under_test: Implementation, depth: Depth) -> Cases:
    """Show that with g above Delta* the known-gap tournament may return an arm far from a*."""
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
        law = bkt_law(under_test.bkt, (0, 1, 2, 3), delta, preferences, laws)
        yield at_most(
            "0.2 against P(BKT_g returns arm 2, 0.45 below a*), g = 0.1, delta = 1/20, Delta* = "
            f"{x}",
            Fraction(1, 5),
            law.survives[2].probability,
        )
