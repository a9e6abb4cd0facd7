"""Fidelity of find-then-certify (``beyond:find-then-certify``): its questions and their rules.

The rules are stated here by their definitions and not by boundaries, and the expected questions are
computed from the replies. The code is driven on random replies, over whole matches.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import ceil, comb
from typing import TypeAlias

from tgite.beyond.certificate import Assumption, Certificate, Rule, Verdict
from tgite.confidence import Confidence
from tgite.conventions import Conventions
from tgite.exact import log_enclosure
from tgite.questions import Arm
from tgite_checks.check import Cases, Depth, Kind, by_depth, fidelity
from tgite_checks.fidelity import rules
from tgite_laws.implementation import Implementation
from tgite_laws.one_sided import Knockout, OneSidedMatch, Told, knockout, one_sided_match

_RUNS = (6, 25, 100)
_DUELS_LOOKED_AT = (*range(1, 13), 20, 33)


def rules_of_matches(
    N: int, delta: Fraction, assuming_a_winner: bool, conventions: Conventions | None = None
) -> rules.Rules[Arm]:
    """Find, then certify: a tournament, a screening match and a certificate in each stage."""
    begun = 0
    for s in count():
        lost_to = dict[Arm, Arm]()
        tournament = rules.knockout(range(N), Fraction(1, 8), conventions, f"s{s}")
        reply: tuple[Arm, Arm] | None = None
        while True:
            try:
                reply = yield rules.next_due(tournament, reply)
            except StopIteration as stop:
                c: Arm = stop.value
                break
            winner, loser = reply
            lost_to[loser] = winner
        latest_first = list(lost_to)[::-1]
        order = [j for j in latest_first if lost_to[j] == c]
        order += [j for j in latest_first if lost_to[j] != c]
        level = Confidence(Fraction(1, 256))
        if not (yield from rules.certificate(c, order[:1], level, f"s{s} screen")):
            continue
        share = Fraction(1, 2 * begun + 1) - Fraction(1, 2 * begun + 3)
        level, begun = Confidence(delta * share / (2 if assuming_a_winner else 1)), begun + 1
        for j in order:
            if assuming_a_winner and (x := lost_to[j]) != c:
                winner, _ = yield rules.Due({x, j}, level, f"s{s} expose", x, (x, j))
                if winner == x:
                    continue
            if not (yield from rules.certificate(c, [j], level, f"s{s} certify")):
                break
        else:
            return c
    raise AssertionError("the stages have no end")


@dataclass(frozen=True)
class Expected:
    """An expected one-sided match: ``g``'s likelihoods, maybe MixtureTest's evidence, decide it."""

    first: Arm
    second: Arm
    g: Fraction
    won_at: Fraction
    lost_at: Fraction
    mixture: bool
    most: int


Script: TypeAlias = Iterator[bool]
"""The replies to come: whether the first arm wins a knockout match or a one-sided match."""


@functools.lru_cache(maxsize=4096)
def verdicts(
    g: Fraction, won_at: Fraction, lost_at: Fraction, mixture: bool
) -> tuple[tuple[Verdict | None, ...], ...]:
    """Return how a match ends after some numbers of duels, for all numbers of wins."""

    def verdict(n: int, s: int) -> Verdict | None:
        likelihood = (1 + 2 * g) ** s * (1 - 2 * g) ** (n - s)
        evidence = Fraction(sum(comb(n + 1, k) for k in range(s + 1)), (n + 1) * comb(n, s))
        if likelihood >= won_at or (mixture and evidence >= won_at):
            return Verdict.WON
        return Verdict.LOST if likelihood <= lost_at else None

    return tuple(tuple(verdict(n, s) for s in range(n + 1)) for n in _DUELS_LOOKED_AT)


@functools.lru_cache(maxsize=256)
def _applied(rule: Rule) -> tuple[tuple[Verdict | None, ...], ...]:
    return tuple(tuple(rule.verdict(n, s) for s in range(n + 1)) for n in _DUELS_LOOKED_AT)


def expected_questions(
    N: int, delta: Fraction, assumes: Assumption, script: Script
) -> Iterator[object]:
    """Yield the questions in order, if the replies follow the script; the last is the certificate.

    The numbers of duels are those of :func:`duels_of`.
    """
    begun = 0
    for s in count():
        g = Fraction(3, 8 * 2**s)
        alive, out = list(range(N)), list[tuple[Arm, Arm]]()
        r = 1
        while len(alive) > 1:
            for place in range(len(alive) // 2):
                u, v = alive[place : place + 2]
                yield Knockout(u, v, g, Confidence(Fraction(1, 8 * r * r), True))
                first = next(script)
                out.insert(0, (v, u) if first else (u, v))
                del alive[place + 1 if first else place]
            r += 1
        (c,) = alive
        order = [j for j, i in out if i == c] + [j for j, i in out if i != c]
        conqueror = dict(out)
        screen = Expected(c, order[0], g, Fraction(256), Fraction(1, 32), False, 256 * 4**s)
        yield screen
        if not next(script):
            continue
        share = Fraction(1, 2 * begun + 1) - Fraction(1, 2 * begun + 3)
        begun += 1
        level = delta * share / (2 if assumes is Assumption.A_WINNER else 1)
        least = _ceiling(4 / level, g)
        left = 4 * (N - 1) * least + 64 * 4**s
        again = _ceiling(2 / level, g)
        if assumes is Assumption.A_WINNER:
            left += (N - 1) * again
        own = 0
        for j in order:
            if assumes is Assumption.A_WINNER and conqueror[j] != c:
                wide = min(2 * g, Fraction(3, 8))
                most = min(again, left)
                match = Expected(conqueror[j], j, wide, 1 / level, Fraction(1, 8), False, most)
                yield match
                left, own = left - duels_of(most), own + duels_of(most)
                if next(script):
                    continue
            yield Expected(c, j, g, 2 / level, Fraction(1, (2 * N) ** 6), True, left)
            left, own = left - duels_of(left), own + duels_of(left)
            if not next(script):
                break
        else:
            yield Certificate(c, Verdict.WON, Confidence(delta), own, assumes=assumes)
            return


def duels_of(most: int) -> int:
    """Return how many duels a match takes here, if it may last ``most`` duels."""
    return min(most, 7)


def _ceiling(value: Fraction, g: Fraction) -> int:
    low, high = (ceil(end / (2 * g * g)) for end in log_enclosure(value, 60))
    assert low == high
    return low


def departure(
    under_test: Implementation, N: int, delta: Confidence, assumes: Assumption, seed: int, most: int
) -> str:
    """Return where a stream differs from the expected questions on random replies, or nothing.

    The stream is cut after ``most`` questions.
    """
    chances = random.Random(seed)
    flips = [chances.random() < 0.8 for _ in range(most + 1)]
    questions = expected_questions(N, delta.rational, assumes, iter(flips))
    stages = under_test.module("beyond.find_then_certify").stages
    stream = stages(N, delta, assumes, knockout, one_sided_match)
    reply: Told | None = None
    for number, flip in zip(range(most), flips, strict=False):
        expected = next(questions)
        try:
            asked: object = stream.send(reply)
        except StopIteration as stop:
            asked = stop.value
        if not _is(asked, expected):
            return f"N = {N}, {assumes}, seed {seed}: question {number} is {asked}, not {expected}"
        if isinstance(asked, Knockout):
            reply = asked.first if flip else asked.second
        elif isinstance(asked, OneSidedMatch):
            lost = Verdict.BUDGET if number % 3 == 0 else Verdict.LOST
            reply = (Verdict.WON if flip else lost, duels_of(asked.most or 0))
        else:
            break
    stream.close()
    return ""


def _is(asked: object, expected: object) -> bool:
    if not isinstance(expected, Expected) or not isinstance(asked, OneSidedMatch):
        return asked == expected
    rule = verdicts(expected.g, expected.won_at, expected.lost_at, expected.mixture)
    same = (asked.first, asked.second, asked.most)
    return same == (expected.first, expected.second, expected.most) and _applied(asked.rule) == rule


@fidelity(
    "find-then-certify-course",
    domain="On random replies to up to 60 questions, the matches, their rules and budgets and the "
    "answer follow the definition. 2, 3, 5 and 8 arms are tried, under both assumptions. Two "
    "rules count as equal if they give the same verdicts after some numbers of duels up to 33.",
    kind=Kind.LISTED_SEEDS,
    sizes={"seeds of each setting:": _RUNS},
    case="run on random replies",
)
def runs(under_test: Implementation, depth: Depth) -> Cases:
    for N in (2, 3, 5, 8):
        for assumes in Assumption:
            for seed in range(by_depth(depth, *_RUNS)):
                delta = Confidence.of("1/10")
                yield departure(under_test, N, delta, assumes, seed, 60)
