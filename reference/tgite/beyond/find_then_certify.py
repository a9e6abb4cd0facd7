"""Find, then certify: a search for the winner that knows no gap (not in the paper).

If the paper's known-gap tournament is told a gap g that is at most the winner's gap Delta*, it
finds the winner whatever the other pairs do, ties included. Here Delta* is not known. The search
halves g from stage to stage, and the arm that the tournament finds must get a certificate
(:mod:`tgite.beyond.certificate`). The bound on the probability of error therefore needs no
assumption, and no gap but the winner's affects how soon it is found.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Mapping, MutableMapping
from fractions import Fraction

from tgite.beyond.certificate import (
    Assumption,
    Certificate,
    OneSided,
    Rule,
    Verdict,
    all_won,
    half,
    one_sided,
)
from tgite.beyond.likelihood import likelihood
from tgite.beyond.mixture_test import stopping_lead
from tgite.beyond.sprt_test import budget as sprt_budget
from tgite.beyond.sprt_test import known_gap_sprt
from tgite.bkt import bkt
from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.errors import require_whole_number
from tgite.questions import A, Arm, Duel, Outcome, PairwiseTest, Q, Stream
from tgite.schedules import require_rational_level

FINDING = Confidence(Fraction(1, 8))
"""The level of every stage's tournament: its probability of missing a winner whose gap is g."""

SCREENING = Confidence(Fraction(1, 256))
"""The level at which a champion must win a match before a certificate is begun for it."""

SCREENED_OUT = Confidence(Fraction(1, 32))
"""The likelihood of the gap at which it has lost that match."""

GIVEN_UP = Confidence(Fraction(1, 8))
"""The likelihood at which an arm's match against the arm that it lost to is given up."""


def gap_tried(s: int) -> Fraction:
    """Return ``g_s = 3/2**(s+3)``, the gap that stage ``s >= 0`` takes for the winner's."""
    return Fraction(3, 2 ** (s + 3))


def certificate_level(delta: Confidence, k: int) -> Confidence:
    """Return ``a_k = 2 delta/((2k+1)(2k+3))``, the level of certificate number ``k >= 0``.

    The levels ``a_0 + a_1 + ...`` add up to delta. The first is two thirds of delta.
    """
    return Confidence(2 * delta.rational / ((2 * k + 1) * (2 * k + 3)))


def losing_level(N: int) -> Confidence:
    """Return ``e_N = (2N)**-6``: a match is lost when the likelihood of the gap falls to it."""
    return Confidence(Fraction(1, (2 * N) ** 6))


def screening_budget(s: int) -> int:
    """Return the most duels of stage s's screening match, ``4**(s+4)``."""
    return int(4 ** (s + 4))


def certificate_budget(N: int, s: int, level: Confidence) -> int:
    """Return the most duels that the N-1 matches of a certificate in stage s may take together.

    It is ``4 (N-1) ceil(log(4/level) / (2 g_s**2)) + 4**(s+3)``. A winner whose gap is ``g_s`` or
    more needs more duels with probability at most 1/128.
    """
    return int(4 * (N - 1) * sprt_budget(gap_tried(s), half(level)) + 4 ** (s + 3))


@functools.lru_cache(maxsize=64)
def screening_rule(s: int) -> Rule:
    """Return the rule of stage s's screening match."""
    g = gap_tried(s)
    return Rule(
        won=likelihood(g, SCREENING).least_wins,
        lost=likelihood(g, SCREENED_OUT).most_wins,
    )


@functools.lru_cache(maxsize=64)
def certificate_rule(N: int, s: int, level: Confidence) -> Rule:
    """Return the rule of the matches of a certificate in stage s.

    A match is won when the likelihood of the gap or MixtureTest's evidence reaches ``2/level``. The
    mean of the two is then at least ``1/level``, and for an arm that is not the better one this
    mean is a supermartingale. The likelihood needs fewer duels near the gap, the evidence far above
    it.
    """
    g, each = gap_tried(s), half(level)
    least_wins = likelihood(g, each).least_wins

    def won(n: int) -> int:
        return min(least_wins(n), (n + stopping_lead(n, each)) // 2)

    return Rule(won, likelihood(g, losing_level(N)).most_wins)


@functools.lru_cache(maxsize=64)
def bold_rule(s: int, level: Confidence) -> Rule:
    """Return the rule of stage s's match of an arm against the arm that beat it in the tournament.

    It uses the gap of the previous stage. So such matches are won only where few duels suffice.
    """
    g = gap_tried(max(s - 1, 0))
    return Rule(likelihood(g, level).least_wins, likelihood(g, GIVEN_UP).most_wins)


def bold_budget(s: int, level: Confidence) -> int:
    """Return the most duels of a match under :func:`bold_rule`."""
    return sprt_budget(gap_tried(s), level)


@checked
def find_then_certify(
    N: int,
    delta: Confidence,
    assumes: Assumption = Assumption.NOTHING,
    conventions: Conventions = RULINGS,
) -> Stream[Duel, Outcome, Certificate]:
    """Find the Condorcet winner of the arms ``0..N-1`` and certify it, without knowing a gap.

    Stage ``s = 0, 1, ...`` takes ``g_s`` for the winner's gap and has three steps:

    1. A knockout tournament that is told ``g_s`` names a champion.
    2. The champion plays one match against the arm that it met last in the tournament.
    3. If the champion wins, it plays one match against every other arm, on new comparisons. The
       arms that it met in the tournament come first, the latest before the others, so that a wrong
       champion loses early.

    The first champion to win all matches of step 3 within the stage's budget is returned.

    * Whatever the preferences, an arm that does not beat every other one is returned with
      probability at most ``delta``.
    * If there is a winner, the search ends almost surely: a stage with ``g_s <= Delta*`` fails with
      probability below 1/6. The expected number of duels is at most
      ``C N/Delta*^2 (log(1/delta) + log log(1/Delta*) + 1)``. No other gap matters, and other arms
      may tie.
    * If there is no winner, the search may never end: give the player a budget.

    If ``assumes`` says that there is a winner, an arm that the champion did not beat in the
    tournament first plays the arm that beat it, at half the level. Only if it does not lose again
    does it play the champion, at the other half. An arm that is not the winner is then returned
    with probability at most ``delta``, because the winner would have to lose one of its own two
    matches. This costs less where many arms lose to some other arm by far more than to the winner.

    Raises :class:`~tgite.errors.InvalidInput` unless ``N >= 2``, and for a level that carries
    ``6/pi**2``.
    """
    return stages(N, delta, assumes, known_gap_sprt, one_sided, conventions)


def stages(
    N: int,
    delta: Confidence,
    assumes: Assumption,
    known_gap: Callable[[Fraction], PairwiseTest[Q, A]],
    one_sided: OneSided[Q, A],
    conventions: Conventions = RULINGS,
) -> Stream[Q, A, Certificate]:
    """Return the stream of :func:`find_then_certify` for any kind of match."""
    require_whole_number("N", N, at_least=2)
    require_rational_level("delta", delta)

    def algorithm() -> Stream[Q, A, Certificate]:
        k = 0
        for s in itertools.count():
            lost_to: dict[Arm, Arm] = {}
            test = _noting(lost_to, known_gap(gap_tried(s)))
            c = yield from bkt(range(N), FINDING, test, conventions)  # find
            out = suspects(c, lost_to)
            rule, most = screening_rule(s), screening_budget(s)
            screened, _ = yield from one_sided(c, out[0], rule, most)  # screen
            if screened is not Verdict.WON:
                continue
            a_k, match = certificate_level(delta, k), one_sided
            k += 1
            budget = certificate_budget(N, s, a_k)
            if assumes is Assumption.A_WINNER:
                a_k = half(a_k)
                bold = bold_budget(s, a_k)
                match = either(lost_to, bold_rule(s, a_k), bold, one_sided)
                budget = certificate_budget(N, s, a_k) + (N - 1) * bold
            won = yield from all_won(c, out, certificate_rule(N, s, a_k), budget, match)  # certify
            if won.verdict is Verdict.WON:
                return Certificate(c, Verdict.WON, delta, won.duels, assumes=assumes)
        raise AssertionError("the stages have no end")

    return algorithm()


def suspects(c: Arm, lost_to: Mapping[Arm, Arm]) -> list[Arm]:
    """Return all arms but a tournament's champion, in the order in which the champion meets them.

    The arms that the champion beat come first. Within both groups, arms that lost later come first.
    """
    out = list(reversed(lost_to))
    return sorted(out, key=lambda arm: lost_to[arm] != c)  # a stable sort


def either(
    lost_to: Mapping[Arm, Arm], bold: Rule, bold_budget: int, one_sided: OneSided[Q, A]
) -> OneSided[Q, A]:
    """Return a match of ``v`` with the arm that beat it and, unless ``v`` loses it, with ``u``."""

    def losing(u: Arm, v: Arm, rule: Rule, most: int | None) -> Stream[Q, A, tuple[Verdict, int]]:
        n = 0
        if lost_to[v] != u:
            least = bold_budget if most is None else min(bold_budget, most)
            verdict, n = yield from one_sided(lost_to[v], v, bold, least)
            if verdict is Verdict.WON:
                return verdict, n
        verdict, m = yield from one_sided(u, v, rule, None if most is None else most - n)
        return verdict, n + m

    return losing


def _noting(lost_to: MutableMapping[Arm, Arm], test: PairwiseTest[Q, A]) -> PairwiseTest[Q, A]:
    """Return the test, changed to record in ``lost_to`` which arm beat each loser."""

    def noting(u: Arm, v: Arm, delta: Confidence) -> Stream[Q, A, Arm]:
        winner = yield from test(u, v, delta)
        lost_to[v if winner == u else u] = winner
        return winner

    return noting
