"""Demonstrations about the Experiments section, besides the checks of its printed numbers."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from fractions import Fraction

from tgite.comparators.seq_elim import seq_elim
from tgite.confidence import Confidence
from tgite.questions import Arm, Match, match
from tgite_checks.bounds.budgeted_duel_test import budgeted_laws_of
from tgite_checks.bounds.comparing import AtMost, compared, rational
from tgite_checks.bounds.duel_test import laws_of, least_duels
from tgite_checks.bounds.instances import contradictions, literal_rule
from tgite_checks.bounds.keeping import kept
from tgite_checks.bounds.printed_numbers import HORIZON, N, exact_numbers
from tgite_checks.bounds.tournaments import ascent, knockout, paper_settings
from tgite_checks.check import Depth, Result, result_of
from tgite_checks.enclosure import Enclosure
from tgite_checks.explore import walk
from tgite_checks.implementation import Implementation
from tgite_checks.laws.bracket import bracket, bracket_law
from tgite_checks.laws.pairs import pairs
from tgite_checks.laws.policies import strong_regret_anytime, strong_regret_known_horizon
from tgite_checks.printed import (
    ANYTIME_REGRET,
    FLATTENING,
    KNOWN_HORIZON_REGRET,
    PLATEAU,
    STRONG,
    WEAK_REGRET,
)

_IN, _OUT = 1 - 1e-12, 1 + 1e-12
"""Factors that move a quotient of floats outwards by far more than its rounding."""


@kept
def levels_of_pass(under_test: Implementation, epsilon: Confidence) -> tuple[Confidence, ...]:
    """Return the levels of the 255 matches of a pass at N = 256 (the same for every start)."""

    def first_wins(asked: Match) -> Arm:
        return asked.first

    tree = under_test.BalancedTree.over(N)
    path = walk(under_test.tree_ascent(0, tree, epsilon, match), first_wins, N)
    return tuple(asked.delta for asked in path.matches)


@kept
def fewest(under_test: Implementation, epsilon: Confidence, spared: int = 0) -> int:
    """Return the fewest duels of a pass at N = 256, without its ``spared`` longest matches."""
    known = functools.cache(least_duels)
    durations = sorted(known(level) for level in levels_of_pass(under_test, epsilon))
    return sum(durations[: len(durations) - spared])


def matches_of_one_arm(under_test: Implementation) -> int:
    """Return the most matches of any one arm in a pass at N = 256, over all entry levels.

    An arm that enters in block h plays h - 1 rounds there and 8 - h + 1 merges; the start plays 8.
    """
    tree = under_test.BalancedTree.over(N)
    return max(tree.L, *((h - 1) + (tree.L - h + 1) for h in range(1, tree.L + 1)))


def anytime_floor(under_test: Implementation) -> int:
    """Return the least strong regret of the anytime policy after 100 000 rounds, of any run.

    A run that has ended the passes of phases 1 to 4 has spent their fewest duels; one that has
    not has self-played in phases 1 to 3 at most.
    """
    schedules = under_test.schedules
    passes = sum(fewest(under_test, schedules.anytime_level(s)) for s in range(1, 5))
    self_play = sum(schedules.self_play_rounds(s) for s in range(1, 4))
    return min(passes, HORIZON - self_play)


def weak_regret_is_too_low(under_test: Implementation, depth: Depth) -> Result:
    """Show that every run of the warm start pays more than the printed weak regret.

    DuelTest cannot stop before its fewest duels, TreeAscent always plays N - 1 matches at known
    levels, and the winner is in at most eight of them: this holds for every sequence of outcomes,
    every instance and every seed.
    """
    floor = fewest(under_test, under_test.schedules.WEAK_WARM_START, matches_of_one_arm(under_test))
    return _below("printed weak regret and ten deviations", WEAK_REGRET.up(10), floor)


def plateau_is_too_early(under_test: Implementation, depth: Depth) -> Result:
    """Show that more duels without the winner are needed than the plateau leaves rounds for."""
    floor = fewest(under_test, under_test.schedules.WEAK_WARM_START, matches_of_one_arm(under_test))
    return _below("printed time of the plateau", PLATEAU.enclosure(), floor)


def known_horizon_regret_is_too_low(under_test: Implementation, depth: Depth) -> Result:
    """Show that every pass takes more duels, of regret one each, than the printed regret."""
    floor = fewest(under_test, under_test.schedules.known_horizon_level(HORIZON))
    return _below("printed strong regret and ten deviations", KNOWN_HORIZON_REGRET.up(10), floor)


def flattening_is_too_early(under_test: Implementation, depth: Depth) -> Result:
    """Show that every pass takes more duels than the printed time of flattening."""
    floor = fewest(under_test, under_test.schedules.known_horizon_level(HORIZON))
    return _below("printed time of flattening", FLATTENING.enclosure(), floor)


def anytime_regret_is_too_low(under_test: Implementation, depth: Depth) -> Result:
    """Show that every run of the anytime policy pays more than printed by T = 100 000."""
    floor = anytime_floor(under_test)
    return _below("printed strong regret and ten deviations", ANYTIME_REGRET.up(10), floor)


def _below(what: str, printed: Enclosure, floor: int) -> Result:
    """Show that a printed number lies below what every run pays."""
    case = AtMost(f"{what}, against the least of any run", printed, rational(floor - 1))
    return compared((case,), "printed number")


def knockout_is_cheaper(under_test: Implementation, depth: Depth) -> Result:
    """Show that BKT on all arms is cheaper than TreeAscent at every N of the figure."""
    laws = laws_of(under_test)
    return compared(
        (
            AtMost(
                f"E[duels] of BKT([N]) against TreeAscent's, {setting.name}",
                knockout(under_test, setting, laws).comparisons.mean,
                ascent(under_test, setting, laws).comparisons.mean,
            )
            for setting in paper_settings()[:4]
        ),
        "number of arms",
    )


def sequential_elimination_grows(under_test: Implementation, depth: Depth) -> Result:
    """Show that sequential elimination by DuelTest costs more per arm as N grows: log N."""
    return compared(_elimination_cases(under_test), "number of arms")


def _elimination_cases(under_test: Implementation) -> Iterator[AtMost]:
    laws = laws_of(under_test)
    per_arm: list[tuple[int, Enclosure]] = []
    for setting in paper_settings()[:4]:
        size = setting.preferences.size
        played = bracket(functools.partial(seq_elim, tuple(range(size)), setting.level))
        law = bracket_law(played, pairs(setting.preferences), laws, setting.preferences.winner())
        mean = law.comparisons.mean
        per_arm.append((size, Enclosure(mean.low / size * _IN, mean.high / size * _OUT)))
    for (_, few), (size, many) in itertools.pairwise(per_arm):
        yield AtMost(
            f"1.05 times SeqElim's E[duels]/N at the N before, N = {size}",
            Enclosure(few.high * 1.05, few.high * 1.05),
            many,
        )


def ratio_fits_a_known_gap(under_test: Implementation, depth: Depth) -> Result:
    """Show that the printed pair's ratio is not DuelTest's, and is the known-gap test's."""
    return compared(_ratio_cases(under_test), "ratio")


def _ratio_cases(under_test: Implementation) -> Iterator[AtMost]:
    printed = Fraction(ANYTIME_REGRET.mean, KNOWN_HORIZON_REGRET.mean)
    exact = exact_numbers(under_test)
    yield AtMost(
        "ratio of the exact means with DuelTest, against 3",
        _quotient(exact["anytime"], exact["known"]),
        rational(3),
    )
    yield AtMost("4.2 against the printed ratio", rational(Fraction(42, 10)), rational(printed))
    instance = STRONG.preferences()
    laws = budgeted_laws_of(under_test, instance.winner_gap())
    tree = under_test.BalancedTree.over(256)
    known = strong_regret_known_horizon(0, tree, HORIZON, instance, laws).total
    anytime = strong_regret_anytime(0, tree, HORIZON, instance, laws).total
    ratio = _quotient(anytime, known)
    yield AtMost(
        "4.2 against the ratio with BudgetedDuelTest, g = Delta*", rational(Fraction(42, 10)), ratio
    )
    yield AtMost("the ratio with BudgetedDuelTest, g = Delta*", ratio, rational(Fraction(435, 100)))


def _quotient(above: Enclosure, below: Enclosure) -> Enclosure:
    return Enclosure(above.low / below.high * (1 - 1e-12), above.high / below.low * (1 + 1e-12))


def flattening_is_the_regret(under_test: Implementation, depth: Depth) -> Result:
    """Show that the curve flattens at a height equal to its time, 7 deviations off what is printed.

    Every round of the pass costs one, and after it none, unless the wrong arm was identified.
    """
    case = AtMost(
        "printed regret and six deviations, against the printed time of flattening",
        KNOWN_HORIZON_REGRET.up(6),
        FLATTENING.enclosure(),
    )
    return compared((case,), "printed number")


def printed_rule_contradicts_itself(under_test: Implementation, depth: Depth) -> Result:
    """Show that by the printed rule each arm beats itself and, for odd N, some beat each other."""
    return result_of(_rule_cases(), "number of arms")


def _rule_cases() -> Iterator[str]:
    for arms in range(3, 20):
        itself, each_other = contradictions(arms, literal_rule)
        expected = (arms - 1, (arms - 1) // 2 if arms % 2 else 0)
        yield "" if (itself, each_other) == expected else f"N = {arms}: {itself}, {each_other}"


def four_times_is_near_equality(under_test: Implementation, depth: Depth) -> Result:
    """Show that "roughly 4x" leaves no baseline between, if all are above Anytime."""
    return compared(_four_times_cases(), "ratio")


def _four_times_cases() -> Iterator[AtMost]:
    known, anytime = KNOWN_HORIZON_REGRET.mean, ANYTIME_REGRET.mean
    yield AtMost(
        "4.27 against Anytime / KnownHorizon",
        rational(Fraction(427, 100)),
        rational(Fraction(anytime, known)),
    )
    yield AtMost(
        "4.5 times KnownHorizon against Anytime and four of its deviations",
        rational(Fraction(9, 2) * known),
        ANYTIME_REGRET.up(4),
    )
