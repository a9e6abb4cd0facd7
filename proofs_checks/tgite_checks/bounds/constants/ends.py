"""Instances so costly that no smaller constant will do.

Most are found at the end of the domain, where the gap tends to 1/2 and the level to 1: there every
match lasts as few duels as it can, and nobody errs. The instance is a real one, with the gap 1/2 -
TINY and the level 1 - TINY: a match is always at least so long, and the probability that anything
else happens than that the better arm wins every duel is at most TINY times the number of duels. The
matches, their levels and their lengths are those of the implementation under examination.

With a known gap only the winner's pairs need a gap; the others may tie, and then their tests last
longest. Where a regret is expected, everybody else ties and the winner's gap is 1/2 - TINY, so that
it loses no duel.
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
from tgite_laws.explore import Asked, walk
from tgite_laws.fewest import fewest_duels, most_duels
from tgite_laws.implementation import Implementation

TINY = Fraction(1, 2**64)
"""How far the instances at the end of the domain are from it."""

NEARLY_ONE = Confidence(1 - TINY)
"""The level of these instances, where it is free."""


def below(value: arb) -> float:
    """Return a float that is not above the real number in the ball."""
    lowest = value.lower()
    guess = float(lowest.mid())
    while not bool(arb(guess) <= lowest):
        guess = nextafter(guess, -inf)
    return guess


@dataclass(frozen=True, slots=True)
class EndOfDomain:
    """``size`` arms, each better than the later ones, ``winner`` best; all gaps 1/2 - TINY."""

    size: int
    winner: Arm

    def decide(self, question: Match) -> Arm:
        """Name the better arm of a match."""
        if self.winner in (question.first, question.second):
            return self.winner
        return min(question.first, question.second)

    def cost(self, under_test: Implementation, matches: Iterable[Match], weak: bool = False) -> int:
        """Return the duels of the shortest matches; ``weak``: without the winner's."""
        return sum(
            fewest_duels(under_test.duel_test, m.delta)
            for m in matches
            if not (weak and self.winner in (m.first, m.second))
        )

    def expected(self, duels: int, of_all: int) -> Fraction:
        """Bound an expected cost from below: ``duels``, unless one of ``of_all`` is not won."""
        return duels * (1 - TINY * of_all)

    def need(
        self,
        under_test: Implementation,
        matches: Iterable[Match],
        level: Confidence | None,
        weak: bool = False,
    ) -> float:
        """Divide the expected cost by ``N/gap^2 (log(1/level) + log(1/gap) + 1)``, from below.

        Without a level, the first logarithm is left out.
        """
        played = tuple(matches)
        duels = self.cost(under_test, played, weak)
        gap = ball(HALF - TINY)
        on_top = arb(0) if level is None else log_inverse_ball(level)
        scale = self.size / (gap * gap) * (on_top - gap.log() + 1)
        return below(ball(self.expected(duels, self.cost(under_test, played))) / scale)


def clustered(exponent: int) -> EndOfDomain:
    """Return 2^exponent + 1 arms, the winner alone in the last block: nearly the worst trees."""
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
    """Return the matches of TG-ITE-Weak's warm start; without a level, at its own.

    Later there is no regret: the winner is found.
    """
    tree = under_test.BalancedTree.over(arms.size)
    delta = under_test.schedules.WEAK_WARM_START if level is None else level
    stream = under_test.tg_ite_weak(0, tree, match, warm_start=delta)
    return walk(stream, arms.decide, 2 * arms.size, announcements=1).matches


def known_gap_scaled(g: Fraction, duels: arb, size: int, bracket: arb) -> float:
    """Divide duels by ``size/g^2 bracket``, from below."""
    return below(duels * ball(g * g) / (size * bracket))


def longest(under_test: Implementation, g: Fraction, matches: Iterable[Match]) -> arb:
    """Return the most duels of matches: those of arms that win by turns."""
    levels, test = Counter(m.delta for m in matches), under_test.known_gap(g)
    return arb(sum(k * most_duels(test, delta) for delta, k in levels.items()))


def means(
    under_test: Implementation, g: Fraction, arms: EndOfDomain, matches: Iterable[Asked]
) -> tuple[arb, arb, arb]:
    """Return the expected duels without the winner, of the winner's, and the variance of all."""
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
