"""What a run will cost, before its first question: fewest, expected and most comparisons.

The levels of the matches of one pass do not depend on the outcomes: only who meets whom does. So
the fewest and the most comparisons are sums over these levels, and so is the expected number for
pairs that all have one stated gap.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from tgite import Arm, Confidence, Match, budget, drive, match, tg_ite_bai
from tgite.budgeted_duel_test import b
from tgite.conventions import Conventions
from tgite.duel_test import c
from tgite.tree import BalancedTree
from tgite_checks.enclosure import Enclosure
from tgite_checks.laws.arithmetic import ZERO, plus, times
from tgite_checks.laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_checks.laws.duel_test import DuelTestLaws
from tgite_checks.laws.match_law import MatchLaws

HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a test costs in one pass; ``most`` is ``None`` where there is no bound."""

    test: str
    fewest: int
    most: int | None
    expected: tuple[tuple[Fraction, Enclosure], ...]


def match_levels(
    N: int, start: Arm, delta: Confidence, conventions: Conventions
) -> Counter[Confidence]:
    """Return how many matches of a pass are played at each level."""
    levels: Counter[Confidence] = Counter()

    def first_wins(question: Match) -> Arm:
        levels[question.delta] += 1
        return question.first

    tree = BalancedTree.over(N, conventions)
    drive(tg_ite_bai(start, tree, delta, match, conventions), first_wins)
    return levels


def fewest_duels(delta: Confidence) -> int:
    """Return the fewest duels after which DuelTest can stop: the first n with 1/2 > c(n, delta)."""
    n = 1
    while not c(n, delta) < 1 / 2:
        n += 1
    return n


def fewest_budgeted_duels(g: Fraction, delta: Confidence) -> int:
    """Return the fewest duels after which BudgetedDuelTest can stop."""
    n, most = 1, budget(g, delta)
    while n < most and not b(n, delta) - float(g) < 1 / 2:
        n += 1
    return n


def duel_test_outlook(levels: Counter[Confidence], gaps: tuple[Fraction, ...]) -> Outlook:
    """Return the outlook of a pass with DuelTest, for pairs of each of the stated gaps."""
    laws = DuelTestLaws()
    fewest = sum(count * fewest_duels(level) for level, count in levels.items())
    expected = tuple((gap, _expected(laws, levels, gap)) for gap in gaps)
    return Outlook("DuelTest", fewest, None, expected)


def budgeted_outlook(
    levels: Counter[Confidence], g: Fraction, gaps: tuple[Fraction, ...]
) -> Outlook:
    """Return the outlook of a pass with BudgetedDuelTest at ``g``, for pairs of stated gaps."""
    laws = BudgetedDuelTestLaws(g)
    return Outlook(
        f"BudgetedDuelTest(g = {g})",
        sum(count * fewest_budgeted_duels(g, level) for level, count in levels.items()),
        sum(count * budget(g, level) for level, count in levels.items()),
        tuple((gap, _expected(laws, levels, gap)) for gap in gaps),
    )


def _expected(laws: MatchLaws, levels: Counter[Confidence], gap: Fraction) -> Enclosure:
    total = ZERO
    for level, count in levels.items():
        total = plus(total, times(Enclosure.exactly(count), laws.law(level, HALF + gap).mean))
    return total
