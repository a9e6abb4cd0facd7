"""Certificates in the kit: their streams, match by match, and what ends a match of theirs.

They are ``certify`` and ``find_then_certify`` (not in the paper). Their matches are one-sided: one
is won or lost by its first argument, or ends otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from tgite import Arm, Confidence, Duel, InvalidInput, Outcome, PairwiseTest, Stream
from tgite.beyond import Assumption, Certificate, Verdict
from tgite.beyond.certificate import OneSided, Rule, evidence_rule, half, one_sided
from tgite.beyond.find_then_certify import (
    GIVEN_UP,
    SCREENED_OUT,
    SCREENING,
    bold_rule,
    certificate_rule,
    gap_tried,
    losing_level,
    screening_rule,
)
from tgite_checks.conformance.given import Given
from tgite_checks.conformance.margins import evidence
from tgite_checks.conformance.strict_json import read
from tgite_checks.fidelity import rules
from tgite_checks.fidelity.rules import Rules
from tgite_checks.implementation import Implementation

Test: TypeAlias = PairwiseTest[Duel, Outcome]
OneSidedMatch: TypeAlias = OneSided[Duel, Outcome]


@dataclass(frozen=True, slots=True)
class Watch:
    """What is put around the matches of a stream, for whoever watches them."""

    test: Callable[[Test], Test]
    one_sided: Callable[[OneSidedMatch], OneSidedMatch]


NOBODY = Watch(lambda test: test, lambda match: match)
"""Nobody watches."""


def assumption(given: Given) -> Assumption:
    """Read what a certificate assumes: nothing, unless something is said."""
    if not given.has("assumes"):
        return Assumption.NOTHING
    text = read(given.values["assumes"], str, "assumes")
    try:
        return Assumption(text)
    except ValueError:
        rule = f"must be one of {', '.join(Assumption)}"
        raise InvalidInput("assumes", text, rule) from None


def certify(of: Implementation, given: Given, watch: Watch) -> Stream[Duel, Outcome, Certificate]:
    """Make the stream of ``certify``."""
    stream = of.beyond.certify(
        given.arm("c"),
        given.count("N"),
        given.level("delta"),
        given.level("against") if given.has("against") else None,
        given.gap("margin"),
        given.count("budget") if given.has("budget") else None,
        given.arms("order") if given.has("order") else None,
    )
    return stream if watch is NOBODY else _match_by_match(stream, _rule_of_certify(given), watch)


def find_then_certify(
    of: Implementation, given: Given, watch: Watch
) -> Stream[Duel, Outcome, Certificate]:
    """Make the stream of ``find_then_certify``."""

    def known_gap(g: Fraction) -> Test:
        return watch.test(of.beyond.known_gap_sprt(g))

    return of.beyond.stages(
        given.count("N"),
        given.level("delta"),
        assumption(given),
        known_gap,
        watch.one_sided(one_sided),
        given.by,
    )


def _match_by_match(
    stream: Stream[Duel, Outcome, Certificate], rule: Rule, watch: Watch
) -> Stream[Duel, Outcome, Certificate]:
    """Play the stream of ``certify`` as the matches that it consists of: one for each pair."""
    asked: Duel | Certificate = next(stream)

    def match(
        u: Arm, v: Arm, rule: Rule, most: int | None
    ) -> Stream[Duel, Outcome, tuple[Verdict, int]]:
        nonlocal asked
        this, n, S = asked, 0, 0
        while isinstance(asked, Duel) and asked == this:
            Y = yield asked
            n, S = n + 1, S + Y
            try:
                asked = stream.send(Y)
            except StopIteration as stop:
                asked = stop.value
        return rule.verdict(n, S) or Verdict.BUDGET, n

    while isinstance(asked, Duel):
        yield from watch.one_sided(match)(asked.first, asked.second, rule, None)
    return asked


# What is due, and what ends it.


def rules_of_certify(given: Given) -> Rules[bool]:
    """Return the rules of the matches of ``certify``."""
    c, level = given.arm("c"), given.level("delta")
    by_number = [arm for arm in range(given.count("N")) if arm != c]
    order = given.arms("order") if given.has("order") else by_number
    return rules.certificate(c, order, level, "certify")


def rules_of_find_then_certify(given: Given) -> Rules[Arm]:
    """Return the rules of the matches of ``find_then_certify``."""
    N, delta = given.count("N"), given.level("delta").rational
    return rules.find_then_certify(N, delta, assumption(given) is Assumption.A_WINNER, given.by)


def stage_of(place: str) -> int | None:
    """Return the stage of a match of ``find_then_certify``; None for one of ``certify``."""
    return int(place.split()[0][1:]) if place.startswith("s") else None


def rule_at(given: Given, place: str, level: Confidence) -> Rule | None:
    """Return what ends a one-sided match at ``level``; None at the place of a pairwise test."""
    s = stage_of(place)
    if s is None:
        return _rule_of_certify(given)
    match place.split()[1]:
        case "screen":
            return screening_rule(s)
        case "expose":
            return bold_rule(s, level)
        case "certify":
            return certificate_rule(given.count("N"), s, level)
    return None


def _rule_of_certify(given: Given) -> Rule:
    return evidence_rule(*_levels_of_certify(given), given.gap("margin"))


def _levels_of_certify(given: Given) -> tuple[Confidence, Confidence]:
    delta = given.level("delta")
    default = Confidence(delta.rational / (given.count("N") - 1))
    return delta, given.level("against") if given.has("against") else default


Weighed: TypeAlias = Callable[[int, int], Fraction]
"""Evidence after n duels, S of them won, over what it is compared with: 1 decides."""


def weighed_at(given: Given, place: str, level: Confidence) -> tuple[Weighed, ...]:
    """Return all the evidence that a one-sided match looks at, by the definitions."""
    s = stage_of(place)
    if s is None:
        delta, against = _levels_of_certify(given)
        margin = given.gap("margin")
        if margin is None:
            return _mixture(1 / delta.rational), _others(_mixture(1 / against.rational))
        a, b = half(delta).rational, half(against).rational
        return (
            *(_mixture(1 / a), _others(_mixture(1 / b))),
            *(_likelihood(margin, b), _others(_likelihood(margin, a))),
        )
    g = gap_tried(s)
    match place.split()[1]:
        case "screen":
            won, lost = 1 / SCREENING.rational, SCREENED_OUT.rational
        case "expose":
            g, won, lost = gap_tried(max(s - 1, 0)), 1 / level.rational, GIVEN_UP.rational
        case _:
            won, lost = 2 / level.rational, losing_level(given.count("N")).rational
            return _likelihood(g, won), _mixture(won), _likelihood(g, lost)
    return _likelihood(g, won), _likelihood(g, lost)


def _likelihood(g: Fraction, at: Fraction) -> Weighed:
    return lambda n, S: (1 + 2 * g) ** S * (1 - 2 * g) ** (n - S) / at


def _mixture(at: Fraction) -> Weighed:
    return lambda n, S: evidence(n, S) / at


def _others(weighed: Weighed) -> Weighed:
    """Look at it from the second arm's side."""
    return lambda n, S: weighed(n, n - S)
