"""Instances so costly that no smaller constant is possible.

Most are at the end of the domain, where the gap tends to 1/2 and the level to 1. There every match
takes its fewest duels, and there are no errors. An instance cannot be at the limit, so its gap is
1/2 - TINY and its level 1 - TINY. A match always takes at least its fewest duels. The better arm
wins every duel, except with probability at most TINY times the number of duels. The matches, their
levels and their lengths are those of the implementation under test.

With a known gap only the winner's pairs need a gap. Other arms may tie, and then their tests last
longest. For an expected regret, all others tie and the winner's gap is 1/2 - TINY, so that it loses
no duel.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import inf, nextafter

from flint import arb

from tgite.confidence import Confidence
from tgite.questions import Arm, Match, match
from tgite_checks.bounds.exact_laws import budgeted_laws_of
from tgite_laws.balls import ball, log_inverse_ball
from tgite_laws.duel_test import HALF
from tgite_laws.fewest_duels import fewest_duels, most_duels
from tgite_laws.implementation import Implementation
from tgite_laws.match_paths import Asked, walk

TINY = Fraction(1, 2**64)
"""The distance of the instances from the end of the domain."""

NEARLY_ONE = Confidence(1 - TINY)
"""The level of these instances, if it is free."""


def below(value: arb) -> float:
    """Return a float that is at most the real number in the ball."""
    lowest = value.lower()
    guess = float(lowest.mid())
    while not bool(arb(guess) <= lowest):
        guess = nextafter(guess, -inf)
    return guess


@dataclass(frozen=True, slots=True)
class EndOfDomain:
    """Arms that beat the later ones, except that ``winner`` beats all; all gaps are 1/2 - TINY."""

    size: int
    winner: Arm

    def decide(self, question: Match) -> Arm:
        """Name the better arm of a match."""
        if self.winner in (question.first, question.second):
            return self.winner
        return min(question.first, question.second)

    def cost(self, under_test: Implementation, matches: Iterable[Match], weak: bool = False) -> int:
        """Return the duels of the shortest matches; with ``weak``, without the winner's matches."""
        return sum(
            fewest_duels(under_test.duel_test, m.delta)
            for m in matches
            if not (weak and self.winner in (m.first, m.second))
        )

    def expected(self, duels: int, of_all: int) -> Fraction:
        """Bound the mean of a cost that is ``duels`` if better arms win all ``of_all`` duels."""
        return duels * (1 - TINY * of_all)

    def need(
        self,
        under_test: Implementation,
        matches: Iterable[Match],
        level: Confidence | None,
        weak: bool = False,
    ) -> float:
        """Return a lower bound of cost over ``N/gap^2 (log(1/level) + log(1/gap) + 1)``.

        Without a level, the first logarithm is omitted.
        """
        played = tuple(matches)
        duels = self.cost(under_test, played, weak)
        gap = ball(HALF - TINY)
        on_top = arb(0) if level is None else log_inverse_ball(level)
        scale = self.size / (gap * gap) * (on_top - gap.log() + 1)
        return below(ball(self.expected(duels, self.cost(under_test, played))) / scale)


def clustered(exponent: int) -> EndOfDomain:
    """Return 2^exponent + 1 arms with the winner alone in the last block, nearly the worst tree."""
    N = 2**exponent + 1
    return EndOfDomain(N, N - 1)


def one_pass(
    under_test: Implementation, arms: EndOfDomain, epsilon: Confidence
) -> tuple[Match, ...]:
    """Return the matches of a pass from arm 0."""
    tree = under_test.BalancedTree.over(arms.size)
    stream = under_test.tree_ascent(0, tree, epsilon, match)
    return walk(stream, arms.decide, arms.size).matches


def warm_start_matches(
    under_test: Implementation, arms: EndOfDomain, level: Confidence | None
) -> tuple[Match, ...]:
    """Return the matches of TG-ITE-Weak's warm start; without a level, at the paper's own.

    There is no later regret, since the winner is found.
    """
    tree = under_test.BalancedTree.over(arms.size)
    delta = under_test.schedules.WEAK_WARM_START if level is None else level
    stream = under_test.tg_ite_weak(0, tree, match, warm_start=delta)
    return walk(stream, arms.decide, 2 * arms.size, announcements=1).matches


def known_gap_scaled(g: Fraction, duels: arb, size: int, bracket: arb) -> float:
    """Return a lower bound of ``duels / (size/g^2 bracket)``."""
    return below(duels * ball(g * g) / (size * bracket))


def longest(under_test: Implementation, g: Fraction, matches: Iterable[Match]) -> arb:
    """Return the most duels of matches: those of arms that win alternately."""
    levels, test = Counter(m.delta for m in matches), under_test.known_gap(g)
    return arb(sum(k * most_duels(test, delta) for delta, k in levels.items()))


def means(
    under_test: Implementation, g: Fraction, arms: EndOfDomain, matches: Iterable[Asked]
) -> tuple[arb, arb, arb]:
    """Return the mean duels of the others' and of the winner's matches, and the total variance."""
    laws = budgeted_laws_of(under_test, g)
    kinds = Counter(
        (m.delta, arms.winner in (m.first, m.second)) for m in matches if isinstance(m, Match)
    )
    others = winners = variance = arb(0)
    for (delta, with_winner), k in kinds.items():
        law = laws.law(delta, 1 - TINY if with_winner else HALF)
        mean, deviation = arb(law.mean.low), arb(law.standard_deviation.high)
        if with_winner:
            winners += k * mean
        else:
            others += k * mean
        variance += k * deviation * deviation
    return others, winners, variance
