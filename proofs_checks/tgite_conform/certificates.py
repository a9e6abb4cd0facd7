"""Certificates, which are not in the paper: their streams, their rules, the ends of their matches.

A match is one-sided: its first argument wins, loses or is equivalent, or the budget ends it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from tgite import RULINGS, Confidence, Duel, Outcome, PairwiseTest, Stream
from tgite.beyond import Assumption, Certificate
from tgite.beyond.certificate import OneSided, Rule, half, one_sided
from tgite.errors import require
from tgite_checks.fidelity.certificate import evidence, likelihood
from tgite_checks.fidelity.find_then_certify import Expected, Matches, matches_due
from tgite_checks.fidelity.rules import Due, Rules
from tgite_conform.format import Parameters
from tgite_conform.parameters import Inputs
from tgite_conform.strict_json import read
from tgite_laws.implementation import Implementation

Test: TypeAlias = PairwiseTest[Duel, Outcome]
OneSidedMatch: TypeAlias = OneSided[Duel, Outcome]


@dataclass(frozen=True, slots=True)
class Watch:
    """Functions that wrap the matches of a stream, to watch them."""

    test: Callable[[Test], Test]
    one_sided: Callable[[OneSidedMatch], OneSidedMatch]


NOBODY = Watch(lambda test: test, lambda match: match)
"""Wraps nothing."""


def assumption(given: Inputs) -> Assumption:
    """Return a certificate's assumption; nothing is assumed by default."""
    text = read(given.values.get("assumes", str(Assumption.NOTHING)), str, "assumes")
    require(text in [*Assumption], "assumes", text, f"must be one of {', '.join(Assumption)}")
    return Assumption(text)


def certify(of: Implementation, given: Inputs, watch: Watch) -> Stream[Duel, Outcome, Certificate]:
    """Return the stream of ``certify``."""
    code = of.module("beyond.certificate")
    made: Stream[Duel, Outcome, Certificate] = code.certified(
        given.arm("c"),
        given.count("N"),
        given.level("delta"),
        given.level("against") if given.has("against") else None,
        given.gap("margin"),
        given.count("budget") if given.has("budget") else None,
        given.arms("order") if given.has("order") else None,
        watch.one_sided(code.one_sided),
    )
    return made


def find_then_certify(
    of: Implementation, given: Inputs, watch: Watch
) -> Stream[Duel, Outcome, Certificate]:
    """Return the stream of ``find_then_certify``."""

    def known_gap(g: Fraction) -> Test:
        return watch.test(of.module("beyond.sprt_test").known_gap_sprt(g))

    made: Stream[Duel, Outcome, Certificate] = of.module("beyond.find_then_certify").stages(
        given.count("N"),
        given.level("delta"),
        assumption(given),
        known_gap,
        watch.one_sided(one_sided),
        given.by,
    )
    return made


# Rules of the matches, and their ends.


def rules_of_certify(given: Inputs) -> Rules[bool]:
    """The rules of ``certify``: one match against each opponent, until one is not won.

    A match that ends as equivalent counts for ``c``; one that its budget ends, for the opponent.
    """
    c, level = given.arm("c"), given.level("delta")
    by_number = (arm for arm in range(given.count("N")) if arm != c)
    for opponent in given.arms("order") if given.has("order") else by_number:
        winner, _ = yield Due({c, opponent}, level, "certify", c, (c, opponent))
        if winner != c:
            return False
    return True


def rules_of_find_then_certify(given: Inputs) -> Matches:
    """Return the rules of the matches of ``find_then_certify``."""
    N, delta = given.count("N"), given.level("delta").rational
    return matches_due(N, delta, assumption(given) is Assumption.A_WINNER, given.by)


def stage_of(place: str) -> int | None:
    """Return the stage of a match of ``find_then_certify``; None for one of ``certify``."""
    return int(place.split()[0][1:]) if place.startswith("s") else None


def ending_of(parameters: Parameters, due: Due | Expected) -> Ending:
    """Return what ends the one-sided match that is due."""
    if isinstance(due, Due):
        return _ending_of_certify(Inputs(parameters, RULINGS))
    (g, before, enough), (h, own, too_little) = due.likelihood, due.loses
    won = [Weighing(Confidence(1 / enough), g, before=before)]
    if due.mixture is not None:
        won.append(Weighing(Confidence(1 / due.mixture[1]), before=due.mixture[0]))
    return Ending(tuple(won), Weighing(Confidence(too_little), h, falls=True, before=own))


def _ending_of_certify(given: Inputs) -> Ending:
    delta = given.level("delta")
    by_default = Confidence(delta.rational / (given.count("N") - 1))
    against = given.level("against") if given.has("against") else by_default
    m = given.gap("margin")
    if m is None:
        return Ending((Weighing(delta),), Weighing(against, for_the_second=True))
    delta, against = half(delta), half(against)
    no_better = Weighing(against, m, falls=True)
    no_worse = Weighing(delta, m, falls=True, for_the_second=True)
    return Ending((Weighing(delta),), Weighing(against, for_the_second=True), (no_better, no_worse))


@dataclass(frozen=True, slots=True)
class Weighing:
    """Evidence for the first arm of a one-sided match, and its threshold.

    The evidence is the likelihood of the gap ``g``, or MixtureTest's if ``g`` is None. If ``falls``
    is false, the evidence decides when it reaches ``1/level``. If ``falls`` is true, it decides
    when it falls to ``level``. It counts the duels and wins ``before`` the match, too.
    """

    level: Confidence
    g: Fraction | None = None
    falls: bool = False
    for_the_second: bool = False
    before: tuple[int, int] = 0, 0

    def __str__(self) -> str:
        """Return the text for a reader."""
        n, S = self.before
        of = "W" if self.g is None else f"L with g = {self.g}"
        of += " of the second arm" * self.for_the_second
        of += f" of {n} more duels, {S} of them won," * (n > 0)
        return f"{of} <= {self.level}" if self.falls else f"{of} >= {1 / self.level.rational}"

    def weighed(self, n: int, S: int) -> Fraction:
        """Return the evidence after n duels and S wins, divided by its threshold."""
        n, S = n + self.before[0], S + self.before[1]
        wins = n - S if self.for_the_second else S
        at = self.level.rational if self.falls else 1 / self.level.rational
        weight = evidence(n, wins) if self.g is None else likelihood(self.g, n, wins)
        return weight / at

    def wins(self, n: int) -> int:
        """Return the least S, or the greatest if it ``falls``, that decides after n duels."""
        # Ball arithmetic takes too long to load for a command that only shows its help.
        from tgite_checks.fidelity.boundaries_beyond import mixture_lead
        from tgite_laws.likelihood import least_likely, most_unlikely

        n += self.before[0]
        if self.g is None:
            wins = (n + mixture_lead(n, self.level)) // 2
        else:
            wins = (most_unlikely if self.falls else least_likely)(n, self.g, self.level)
        return (n - wins if self.for_the_second else wins) - self.before[1]


@dataclass(frozen=True, slots=True)
class Ending:
    """What ends a one-sided match: one of ``won``, ``lost``, or both of ``equivalent``."""

    won: tuple[Weighing, ...]
    lost: Weighing
    equivalent: tuple[Weighing, Weighing] | None = None

    @property
    def all(self) -> tuple[Weighing, ...]:
        """All evidence that can end the match."""
        return (*self.won, self.lost, *(self.equivalent or ()))

    @property
    def rule(self) -> Rule:
        """The rule that gives the wins at which the match ends after n duels."""

        def won(n: int) -> int:
            return min(one.wins(n) for one in self.won)

        if self.equivalent is None:
            return Rule(won, self.lost.wins)
        no_better, no_worse = self.equivalent
        return Rule(won, self.lost.wins, no_better.wins, no_worse.wins)
