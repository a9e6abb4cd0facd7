"""A certificate that an arm is the Condorcet winner, under no assumption (not in the paper).

An arm c plays one match against every other arm, each on its own comparisons, until the evidence
that c is the better one reaches ``1/delta``. If c wins all matches, it is certified. An arm that
does not beat every other arm is certified with probability at most ``delta``, whatever the
preferences. This needs no union bound over the arms: to be certified, such an arm must win one
particular match in which it is not the better one. The guarantee also covers ties, cycles and
instances without a winner.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

from tgite.beyond.likelihood import likelihood
from tgite.beyond.mixture_test import stopping_lead
from tgite.checked import checked
from tgite.confidence import Confidence, write_rational
from tgite.errors import require, require_whole_number
from tgite.questions import A, Arm, Duel, Outcome, Q, Stream, require_arm
from tgite.schedules import require_rational_level


class Verdict(StrEnum):
    """How a one-sided match ended for its first arm, or a certificate for its champion."""

    WON = "won"
    EQUIVALENT = "equivalent"
    LOST = "lost"
    BUDGET = "budget"


@dataclass(frozen=True, slots=True)
class Rule:
    """When a one-sided match ends, given the first arm's wins S after n duels.

    The first condition that holds decides: won if ``S >= won(n)``; lost if ``S <= lost(n)``; with a
    margin, equivalent if ``S <= no_better(n)`` and ``S >= no_worse(n)``.
    """

    won: Callable[[int], int]
    lost: Callable[[int], int]
    no_better: Callable[[int], int] | None = None
    no_worse: Callable[[int], int] | None = None

    def verdict(self, n: int, S: int) -> Verdict | None:
        """Return how the match ended, or ``None`` if it goes on."""
        if self.won(n) <= S:
            return Verdict.WON
        if self.lost(n) >= S:
            return Verdict.LOST
        if self.no_better is None or self.no_worse is None:
            return None
        return Verdict.EQUIVALENT if self.no_worse(n) <= S <= self.no_better(n) else None


Ended: TypeAlias = tuple[Verdict, int, int]
"""How a one-sided match ended for its first arm, after how many duels, and how many of them won."""

OneSided: TypeAlias = Callable[[Arm, Arm, Rule, int | None], Generator[Q, A, Ended]]
"""A one-sided match: given ``(u, v, rule, most)``, a stream that returns how it ended for ``u``,
after ``most`` duels at most."""


def one_sided(u: Arm, v: Arm, rule: Rule, most: int | None) -> Stream[Duel, Outcome, Ended]:
    """Compare ``u`` with ``v`` until the rule or the budget ends the match; checks no arguments."""
    duel = Duel(u, v)
    n, S = 0, 0
    while n != most:
        n += 1
        Y = yield duel
        S += Y
        verdict = rule.verdict(n, S)
        if verdict is not None:
            return verdict, n, S
    return Verdict.BUDGET, n, S


class Assumption(StrEnum):
    """What a certificate assumes."""

    NOTHING = "nothing"
    A_WINNER = "that there is a winner"


@dataclass(frozen=True, slots=True)
class Certificate:
    """What :func:`certify` found out about ``champion``, after ``duels`` duels.

    ``verdict`` is ``won`` if the champion beats every other arm. It is ``equivalent`` if no arm
    beats the champion by the margin or more, but some matches ended ``equivalent``. It is ``lost``
    if the champion lost to ``lost_to``; else the budget ended it. If what it ``assumes`` is true,
    the verdict is wrong with probability at most ``level``. For ``lost`` this is the probability
    for that one opponent.
    """

    champion: Arm
    verdict: Verdict
    level: Confidence
    duels: int
    lost_to: Arm | None = None
    equivalent: tuple[Arm, ...] = ()
    assumes: Assumption = Assumption.NOTHING


@checked
def certify(
    c: Arm,
    N: int,
    delta: Confidence,
    against: Confidence | None = None,
    margin: Fraction | None = None,
    budget: int | None = None,
    order: Sequence[Arm] | None = None,
) -> Stream[Duel, Outcome, Certificate]:
    """Try to certify that arm ``c`` of the arms ``0..N-1`` beats every other one.

    The arm plays one match against each other arm, in the given ``order`` (by default in the order
    of their numbers). A match is won when MixtureTest's evidence for ``c`` reaches ``1/delta``. It
    is lost when the evidence for the opponent reaches ``1/against``. By default ``against`` is
    ``delta/(N-1)``, so that an arm that beats every other one gets the verdict ``lost`` with
    probability at most ``delta``. The run ends at the first lost match, or after ``budget`` duels.

    With a ``margin`` a match can also end as equivalent, when neither arm is the better one by
    ``margin`` or more. The levels are then halved, so that an arm that some other arm beats by the
    margin is still certified with probability at most ``delta`` in all.

    A match of two arms that do not tie ends with probability 1. With a margin every match does.
    Without a margin, a match of two arms that tie ends with probability at most
    ``delta + against``.

    Raises :class:`~tgite.errors.InvalidInput` for a number that is not an arm, an order that does
    not hold each other arm once, a level with the factor ``6/pi**2``, a margin that is not above 0
    and below 1/2, or a budget below 1.
    """
    return certified(c, N, delta, against, margin, budget, order, one_sided)


def certified(
    c: Arm,
    N: int,
    delta: Confidence,
    against: Confidence | None,
    margin: Fraction | None,
    budget: int | None,
    order: Sequence[Arm] | None,
    one_sided: OneSided[Q, A],
) -> Stream[Q, A, Certificate]:
    """Return the stream of :func:`certify` for any kind of one-sided match."""
    require_whole_number("N", N, at_least=2)
    require_arm("c", c, N)
    opponents: Iterable[Arm] = (arm for arm in range(N) if arm != c)
    if order is not None:
        others, opponents = list(opponents), list(order)
        require(sorted(order) == others, "order", opponents, f"must hold each arm but {c} once")
    against = Confidence(delta.rational / (N - 1)) if against is None else against
    require_rational_level("delta", delta)
    require_rational_level("against", against)
    if margin is not None:
        below_half = 0 < margin < Fraction(1, 2)
        require(below_half, "margin", write_rational(margin), "must be above 0 and below 1/2")
    if budget is not None:
        require_whole_number("budget", budget, at_least=1)
    rule = evidence_rule(delta, against, margin)

    def algorithm() -> Stream[Q, A, Certificate]:
        duels = 0
        equivalent: list[Arm] = []
        for j in opponents:
            most = None if budget is None else budget - duels
            verdict, n, _ = yield from one_sided(c, j, rule, most)
            duels += n
            if verdict is Verdict.LOST:
                return Certificate(c, verdict, against, duels, j, tuple(equivalent))
            if verdict is Verdict.BUDGET:
                return Certificate(c, verdict, delta, duels, None, tuple(equivalent))
            if verdict is Verdict.EQUIVALENT:
                equivalent.append(j)
        won = Verdict.EQUIVALENT if equivalent else Verdict.WON
        return Certificate(c, won, delta, duels, None, tuple(equivalent))

    return algorithm()


def evidence_rule(delta: Confidence, against: Confidence, margin: Fraction | None) -> Rule:
    """Return the rule of MixtureTest's evidence for both arms, with or without a margin."""
    if margin is not None:
        delta, against = half(delta), half(against)

    def won(n: int) -> int:
        return (n + stopping_lead(n, delta)) // 2

    def lost(n: int) -> int:
        return (n - stopping_lead(n, against)) // 2

    if margin is None:
        return Rule(won, lost)
    better, worse = likelihood(margin, against), likelihood(margin, delta)

    def no_worse(n: int) -> int:
        return n - worse.most_wins(n)  # the opponent's wins are too few for it to be better

    return Rule(won, lost, better.most_wins, no_worse)


def half(level: Confidence) -> Confidence:
    """Return half of a level."""
    return Confidence(level.rational / 2, level.basel)
