"""Find, then certify: a search for the winner that knows no gap (not in the paper).

If the paper's known-gap tournament is told a gap g that is at most the winner's gap Delta*, it
finds the winner whatever the other pairs do, ties included. Here Delta* is not known. The search
halves g from stage to stage, and tries to throw out every arm but the champion that the tournament
names. What is known against an arm is kept from stage to stage. The bound on the probability of
error needs no assumption, and no gap but the winner's affects how soon it is found.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Never

from tgite.beyond.certificate import Assumption, Certificate, OneSided, Rule, Verdict, one_sided
from tgite.beyond.likelihood import likelihood
from tgite.beyond.mixture_test import leads_of
from tgite.beyond.sprt_test import budget as sprt_budget
from tgite.beyond.sprt_test import known_gap_sprt
from tgite.bkt import bkt
from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.errors import require_whole_number
from tgite.questions import (
    A,
    Arm,
    Duel,
    Incumbent,
    Outcome,
    PairwiseTest,
    Q,
    SelfPlay,
    Stream,
)
from tgite.schedules import require_rational_level

FINDING = Confidence(Fraction(1, 8))
"""The level of every stage's tournament: its probability of missing a winner whose gap is g."""

SCREENING = Confidence(Fraction(1, 256))
"""The level at which a new champion must win a match."""

SCREENED_OUT = Confidence(Fraction(1, 32))
"""The likelihood of the gap at which it has lost that match."""

HOPELESS = Confidence(Fraction(1, 8))
"""The likelihood at which an arm's match against the arm that it lost to is given up."""

SHARE_OF_W = {Assumption.NOTHING: Fraction(1, 2), Assumption.A_WINNER: Fraction(9, 10)}
"""The weight of MixtureTest's evidence; the rest belongs to the likelihoods of the stages."""


def gap_tried(s: int) -> Fraction:
    """Return ``g_s = 3/2**(s+3)``, the gap that stage ``s >= 0`` takes for the winner's."""
    return Fraction(3, 2 ** (s + 3))


def part(k: int) -> Fraction:
    """Return ``4/((4k+1)(4k+5))``; the parts ``k = 0, 1, ...`` add up to 1, the first is 4/5."""
    return Fraction(4, (4 * k + 1) * (4 * k + 5))


def champion_level(delta: Confidence, k: int) -> Confidence:
    """Return ``a_k = delta part(k)``, the level of the new champion number ``k >= 0``."""
    return Confidence(delta.rational * part(k))


def level_in_round(a: Confidence | None, r: int) -> Confidence:
    """Return the level of round ``r >= 0``: ``2**-2**(r+2)``, but at least ``a`` if given."""
    level = Confidence(Fraction(1, 2 ** (2 ** (r + 2))))
    return level if a is None or a.rational < level.rational else a


def losing_level(N: int) -> Confidence:
    """Return ``e_N = (2N)**-6``: a match is lost when the likelihood of the gap falls to it."""
    return Confidence(Fraction(1, (2 * N) ** 6))


def screening_budget(s: int) -> int:
    """Return the most duels of stage s's screening match, ``4**(s+4)``."""
    return int(4 ** (s + 4))


def stage_budget(N: int, s: int, level: Confidence) -> int:
    """Return the most duels of the champion in stage s up to a round, after the screening match.

    It is ``4 (N-1) ceil(log(2/level) / (2 g_s**2)) + 4**(s+3)``, where ``level`` is that at which
    the likelihood decides in that round.
    """
    return int(4 * (N - 1) * sprt_budget(gap_tried(s), level) + 4 ** (s + 3))


def screening_rule(s: int) -> Rule:
    """Return the rule of stage s's screening match."""
    g = gap_tried(s)
    return Rule(likelihood(g, SCREENING).least_wins, likelihood(g, SCREENED_OUT).most_wins)


@dataclass(slots=True)
class Tally:
    """Duels in which an arm was exposed, and how many of them it lost."""

    n: int = 0
    S: int = 0

    def add(self, n: int, S: int) -> None:
        """Count n more duels, of which S were lost."""
        self.n, self.S = self.n + n, self.S + S


def _tallies() -> defaultdict[Arm, Tally]:
    return defaultdict(Tally)


@dataclass(slots=True)
class Cell:
    """What is known against the arms, from ``visits`` stages.

    It holds all duels in which they were exposed, and the arms that are out: the evidence against
    them reached ``1/a``. Without ``a`` no arm is ever out.
    """

    a: Confidence | None
    visits: int = 0
    tallies: defaultdict[Arm, Tally] = field(default_factory=_tallies)
    out: set[Arm] = field(default_factory=set)


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
    2. A champion that is new plays one short match against the arm that it met last.
    3. The champion plays every other arm, in rounds ``r = 0, 1, ...``: the evidence against each
       must reach ``2**2**(r+2)`` before the next round begins, and ``1/a`` in the last one. An arm
       against which it reaches ``1/a`` is out. The arms that the champion met in the tournament
       come first, the latest before the others, so that a wrong champion loses early.

    The evidence against an arm is MixtureTest's, of all duels so far, or the likelihood of the gap
    ``g_s``, of the duels of the stage. Each has a share of the level. When at most one arm is left
    that is not out, it is the answer (or the champion, if none is left).

    * Whatever the preferences, an arm that does not beat every other one is returned with
      probability at most ``delta``.
    * If there is a winner, the search ends almost surely, after an expected number of duels of at
      most ``C N/Delta*^2 (log(1/delta) + log log(1/Delta*) + 1)``. No other gap matters, and other
      arms may tie. If nothing is assumed, the cost over ``log(1/delta)`` tends to the least
      possible as ``delta`` tends to 0.
    * If there is no winner, the search need not end: give the player a budget.

    What is known is kept for each champion by itself, at level ``a_k`` for the one that was new as
    number ``k``. If ``assumes`` says that there is a winner, it is kept for all champions together
    at level ``a = delta``, and counts all duels in which an arm is exposed, to whomever. There is
    then no screening match, and an arm that the champion did not beat in the tournament is first
    exposed to the arm that beat it. An arm that is not the winner is returned with probability at
    most ``delta``, because the winner would have to be thrown out. This costs less
    where arms lose to some other arm by far more than to the winner.

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
        cells: dict[Arm, Cell] = {}
        if assumes is Assumption.A_WINNER:
            cells = dict.fromkeys(range(N), Cell(delta))  # one for all
        for s in itertools.count():
            c, lost_to = yield from _find(N, s, known_gap, conventions)
            if c not in cells:
                if not (yield from _screen(s, c, next(iter(lost_to)), one_sided)):
                    continue
                cells[c] = Cell(champion_level(delta, len(cells)))
            if assumes is Assumption.NOTHING:
                lost_to = dict.fromkeys(lost_to, c)
            stage = Stage(N, s, c, cells[c], SHARE_OF_W[assumes])
            for r in itertools.count():
                if not (yield from stage.round(r, lost_to, one_sided)) or stage.last(r):
                    break
            left = [arm for arm in range(N) if arm not in cells[c].out]
            if len(left) <= 1:
                best = left[0] if left else c
                return Certificate(best, Verdict.WON, delta, stage.duels, assumes=assumes)
        raise AssertionError("the stages have no end")

    return algorithm()


@checked
def endless_search(
    N: int, conventions: Conventions = RULINGS
) -> Stream[Duel | Incumbent | SelfPlay, Outcome | None, Never]:
    """Play for weak and for strong regret, only assuming a winner: the search without its end.

    It is the search that assumes nothing, but no level is the last one. After round ``r`` the
    champion is announced and plays itself ``2**(2**(r+2) - 2r)`` times. MixtureTest's evidence is
    kept over all stages.

    If there is a winner, the expected weak regret is at most a constant of the order
    ``N/Delta*^2 (log(1/Delta*) + 1)``, and the strong regret of the order
    ``N/Delta*^2 (log T + log(1/Delta*) + 1)``. No other gap matters, and other arms may tie.

    Raises :class:`~tgite.errors.InvalidInput` unless ``N >= 2``.
    """
    require_whole_number("N", N, at_least=2)

    def algorithm() -> Stream[Duel | Incumbent | SelfPlay, Outcome | None, Never]:
        cells: dict[Arm, Cell] = {}
        for s in itertools.count():
            c, lost_to = yield from _find(N, s, known_gap_sprt, conventions)
            if c not in cells:
                if not (yield from _screen(s, c, next(iter(lost_to)), one_sided)):
                    continue
                cells[c] = Cell(None)
            stage = Stage(N, s, c, cells[c], SHARE_OF_W[Assumption.NOTHING])
            for r in itertools.count():
                if not (yield from stage.round(r, dict.fromkeys(lost_to, c), one_sided)):
                    break
                yield Incumbent(c)
                yield SelfPlay(c, 2 ** (2 ** (r + 2) - 2 * r))
        raise AssertionError("the stages have no end")

    return algorithm()


class Stage:
    """Stage ``s``, in which champion ``c`` adds to ``cell``; ``share`` is the weight of W."""

    def __init__(self, N: int, s: int, c: Arm, cell: Cell, share: Fraction) -> None:
        """Begin the stage, without duels."""
        self.N, self.s, self.c, self.cell = N, s, c, cell
        self.share, self.share_of_stage = share, (1 - share) * part(cell.visits)
        self.own, self.others = _tallies(), _tallies()
        self.duels = 0
        cell.visits += 1

    def last(self, r: int) -> bool:
        """Return whether an arm that loses in round ``r`` is out."""
        return level_in_round(self.cell.a, r) == self.cell.a

    def round(
        self, r: int, lost_to: Mapping[Arm, Arm], one_sided: OneSided[Q, A]
    ) -> Stream[Q, A, bool]:
        """Play round ``r``; return whether enough is known against every arm of ``lost_to``."""
        for j in lost_to:
            if j in self.cell.out:
                continue
            for u in dict.fromkeys((lost_to[j], self.c)):
                verdict = yield from self._match(r, u, j, one_sided)
                if verdict is Verdict.WON:
                    break
            if verdict is not Verdict.WON:
                return False
            if self.last(r):
                self.cell.out.add(j)
        return True

    def _match(self, r: int, u: Arm, j: Arm, one_sided: OneSided[Q, A]) -> Stream[Q, A, Verdict]:
        """Expose ``j`` to ``u`` until enough is known; return how the match ended for ``u``."""
        rule, most = self.rule(r, u, j), self.most(r, u, j)
        verdict = rule.verdict(0, 0)
        if verdict is not None or most == 0:
            return verdict or Verdict.BUDGET
        verdict, n, S = yield from one_sided(u, j, rule, most)
        self.duels += n
        self.cell.tallies[j].add(n, S)
        (self.own if u == self.c else self.others)[j].add(n, S)
        return verdict

    def rule(self, r: int, u: Arm, j: Arm) -> Rule:
        """Return the rule of the match of ``u`` with ``j`` in round ``r``, as it goes on.

        It is won when MixtureTest's evidence of all duels or the likelihood of the gap, of the
        duels of the stage, is enough. The champion loses it when the likelihood of their own duels
        has fallen to ``e_N``. The match of another arm is given up earlier, and for the gap of the
        previous stage: it is won only where few duels suffice.
        """
        level, g = level_in_round(self.cell.a, r), gap_tried(self.s)
        all_of, own, others = self.cell.tallies[j], self.own[j], self.others[j]
        n_stage, S_stage = own.n + others.n, own.S + others.S
        lead = leads_of(Confidence(self.share * level.rational)).after
        least_wins = likelihood(g, self._level_of_stage(r)).least_wins
        mine, losing = own, likelihood(g, losing_level(self.N))
        if u != self.c:
            mine, losing = others, likelihood(gap_tried(max(self.s - 1, 0)), HOPELESS)

        def won(n: int) -> int:
            total = all_of.n + n
            enough = (total + lead(total)) // 2 - all_of.S
            return min(enough, least_wins(n_stage + n) - S_stage)

        def lost(n: int) -> int:
            return losing.most_wins(mine.n + n) - mine.S

        return Rule(won, lost)

    def most(self, r: int, u: Arm, j: Arm) -> int:
        """Return the most duels that are left for the match of ``u`` with ``j`` in round ``r``."""
        if u != self.c:
            level, g = level_in_round(self.cell.a, r), gap_tried(max(self.s - 1, 0))
            return max(sprt_budget(g, level) - self.others[j].n, 0)
        spent = sum(tally.n for tally in self.own.values())
        return stage_budget(self.N, self.s, self._level_of_stage(r)) - spent

    def _level_of_stage(self, r: int) -> Confidence:
        """Return the level at which the likelihood of the stage decides in round ``r``."""
        level = level_in_round(self.cell.a, r)
        return Confidence(self.share_of_stage * level.rational)


def _find(
    N: int,
    s: int,
    known_gap: Callable[[Fraction], PairwiseTest[Q, A]],
    conventions: Conventions,
) -> Stream[Q, A, tuple[Arm, dict[Arm, Arm]]]:
    """Return stage s's champion, and for every other arm the arm that it lost to.

    The other arms are in the order in which the champion meets them.
    """
    lost_to: dict[Arm, Arm] = {}
    told = known_gap(gap_tried(s))

    def test(u: Arm, v: Arm, delta: Confidence) -> Stream[Q, A, Arm]:
        winner = yield from told(u, v, delta)
        lost_to[v if winner == u else u] = winner
        return winner

    c = yield from bkt(range(N), FINDING, test, conventions)
    return c, {arm: lost_to[arm] for arm in suspects(c, lost_to)}


def suspects(c: Arm, lost_to: Mapping[Arm, Arm]) -> list[Arm]:
    """Return all arms but a tournament's champion, in the order in which the champion meets them.

    The arms that the champion beat come first. Within both groups, arms that lost later come first.
    """
    latest_first = list(lost_to)[::-1]
    return sorted(latest_first, key=lambda arm: lost_to[arm] != c)  # a stable sort


def _screen(s: int, c: Arm, j: Arm, one_sided: OneSided[Q, A]) -> Stream[Q, A, bool]:
    """Return whether the new champion wins a short match against ``j``, which it met last."""
    verdict, _, _ = yield from one_sided(c, j, screening_rule(s), screening_budget(s))
    return verdict is Verdict.WON
