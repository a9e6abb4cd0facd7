"""Fidelity of find-then-certify (``beyond:find-then-certify``): its questions and their rules.

The rules are stated here by their definitions and not by boundaries, and the expected questions are
computed from the replies. The code is driven on random replies, over whole matches.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from math import ceil
from typing import TypeAlias

from tgite.beyond.certificate import Assumption, Certificate, Verdict
from tgite.confidence import Confidence
from tgite.exact import log_enclosure
from tgite.questions import Arm
from tgite_checks.check import Cases, Depth, Kind, by_depth, fidelity
from tgite_checks.fidelity.certificate import evidence
from tgite_laws.implementation import Implementation
from tgite_laws.one_sided import Knockout, OneSidedMatch, Told, knockout, one_sided_match

_RUNS = (6, 25, 100)
_CHAMPION_OUT = (15, 121)
"""With these seeds a search among three arms ends when its champion is out itself."""
_DUELS_LOOKED_AT = (*range(1, 13), 20, 33)


@dataclass
class Known:
    """What is known against the arms: level, stages, duels with losses, and the arms out."""

    level: Fraction
    stages: int = 0
    lost: dict[Arm, tuple[int, int]] = field(default_factory=dict)
    out: set[Arm] = field(default_factory=set)


@dataclass(frozen=True)
class Expected:
    """An expected one-sided match, by what is known before it and what decides it.

    Each kind of evidence is a pair: the duels with their wins so far, and where it decides.
    """

    first: Arm
    second: Arm
    mixture: tuple[tuple[int, int], Fraction] | None
    likelihood: tuple[Fraction, tuple[int, int], Fraction]
    loses: tuple[Fraction, tuple[int, int], Fraction]
    most: int

    def verdict(self, n: int, s: int) -> Verdict | None:
        """Return how the match has ended after n more duels with s wins."""
        if self.mixture is not None:
            (N, S), enough = self.mixture
            if evidence(N + n, S + s) >= enough:
                return Verdict.WON
        g, (N, S), enough = self.likelihood
        if _likelihood(g, N + n, S + s) >= enough:
            return Verdict.WON
        g, (N, S), too_little = self.loses
        return Verdict.LOST if _likelihood(g, N + n, S + s) <= too_little else None


def _likelihood(g: Fraction, n: int, s: int) -> Fraction:
    return (1 + 2 * g) ** s * (1 - 2 * g) ** (n - s)


Script: TypeAlias = Sequence[bool]
"""Whether the first arm wins, for each question by its number."""


def expected_questions(
    N: int, delta: Fraction, assumes: Assumption, script: Script
) -> Iterator[object]:
    """Yield the questions in order, if the replies follow the script; the last is the certificate.

    A knockout takes its replies from the end of the script. The numbers of duels and wins are
    those of :func:`duels_and_wins`.
    """
    nothing = assumes is Assumption.NOTHING
    share = Fraction(1, 3) if nothing else Fraction(9, 10)
    known = dict[Arm, Known]() if nothing else dict.fromkeys(range(N), Known(delta))
    knockouts, matches = reversed(script), iter(script)
    for s in count():
        g = Fraction(3, 8 * 2**s)
        alive, losers = list(range(N)), list[tuple[Arm, Arm]]()
        r = 1
        while len(alive) > 1:
            for place in range(len(alive) // 2):
                u, v = alive[place : place + 2]
                yield Knockout(u, v, g, Confidence(Fraction(1, 8 * r * r), True))
                first = next(knockouts)
                losers.insert(0, (v, u) if first else (u, v))
                del alive[place + 1 if first else place]
            r += 1
        (c,) = alive
        order = [j for j, i in losers if i == c] + [j for j, i in losers if i != c]
        conqueror = dict.fromkeys(order, c) if nothing else dict(losers)
        if c not in known:
            none = (g, (0, 0), Fraction(32)), (g, (0, 0), Fraction(1, 16))
            yield Expected(c, order[0], None, *none, 256 * 4**s)
            if not next(matches):
                continue
            k = len(known)
            known[c] = Known(delta * (Fraction(1, 4 * k + 1) - Fraction(1, 4 * k + 5)))
        here, m = known[c], known[c].stages
        here.stages += 1
        of_stage = (1 - share) * (Fraction(1, 4 * m + 1) - Fraction(1, 4 * m + 5))
        now = {(u, j): (0, 0) for j in order for u in (c, conqueror[j])}
        duels, all_won, a, r = 0, True, Fraction(1), 0
        while all_won and a > here.level:
            a, r = max(Fraction(1, 16 ** (2**r)), here.level), r + 1
            for j in order:
                for u in () if j in here.out else dict.fromkeys((conqueror[j], c)):
                    if u == c:
                        n = sum(now[c, i][0] for i in order)
                        most = 4 * (N - 1) * _ceiling(2 / (of_stage * a), g) + 64 * 4**s - n
                        h, too_little = g, Fraction(1, (2 * N) ** 6)
                    else:
                        h, too_little = min(2 * g, Fraction(3, 8)), Fraction(1, 8)
                        most = max(_ceiling(2 / a, h) - now[u, j][0], 0)
                    every = here.lost.get(j, (0, 0))
                    both = _sum(now[x, j] for x in {u, c, conqueror[j]})
                    mixture = every, 1 / (share * a)
                    loses = h, now[u, j], too_little
                    match = Expected(u, j, mixture, (g, both, 1 / (of_stage * a)), loses, most)
                    ended = match.verdict(0, 0)
                    won = ended is Verdict.WON
                    if ended is None and most:
                        yield match
                        won = next(matches)
                        more = duels_and_wins(most, won)
                        duels += more[0]
                        now[u, j] = _sum((now[u, j], more))
                        here.lost[j] = _sum((every, more))
                    if won:
                        break
                else:
                    if j not in here.out:
                        all_won = False
                        break
                if a == here.level:
                    here.out.add(j)
        left = [arm for arm in range(N) if arm not in here.out]
        if len(left) < 2:
            best = left[0] if left else c
            yield Certificate(best, Verdict.WON, Confidence(delta), duels, assumes=assumes)
            return


def _sum(counts: Iterable[tuple[int, int]]) -> tuple[int, int]:
    n, s = zip(*counts, strict=True)
    return sum(n), sum(s)


def duels_and_wins(most: int, won: bool) -> tuple[int, int]:
    """Return the duels and wins of a match here, if it may last ``most`` duels."""
    n = min(most, 7)
    return n, (n + 2 if won else n) // 2


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
    likely = chances.choice((0.6, 0.8, 0.95))
    flips = [chances.random() < likely for _ in range(most)]
    flips += [chances.random() < 0.5 for _ in range(most)]
    questions = expected_questions(N, delta.rational, assumes, flips)
    knockouts, matches = reversed(flips), iter(flips)
    stages = under_test.module("beyond.find_then_certify").stages
    stream = stages(N, delta, assumes, knockout, one_sided_match)
    reply: Told | None = None
    for number in range(most):
        expected = next(questions)
        try:
            asked: object = stream.send(reply)
        except StopIteration as stop:
            asked = stop.value
        if not _is(asked, expected):
            return f"N = {N}, {assumes}, seed {seed}: question {number} is {asked}, not {expected}"
        if isinstance(asked, Knockout):
            reply = asked.first if next(knockouts) else asked.second
        elif isinstance(asked, OneSidedMatch):
            lost = Verdict.BUDGET if number % 3 == 0 else Verdict.LOST
            won = next(matches)
            reply = (Verdict.WON if won else lost, *duels_and_wins(asked.most or 0, won))
        else:
            break
    stream.close()
    return ""


def _is(asked: object, expected: object) -> bool:
    if not isinstance(expected, Expected) or not isinstance(asked, OneSidedMatch):
        return asked == expected
    if (asked.first, asked.second, asked.most) != (expected.first, expected.second, expected.most):
        return False
    looked_at = ((n, s) for n in _DUELS_LOOKED_AT for s in range(n + 1))
    return all(asked.rule.verdict(n, s) is expected.verdict(n, s) for n, s in looked_at)


@fidelity(
    "find-then-certify-course",
    domain="On random replies to up to 90 questions, the matches, their rules and budgets and the "
    "answer follow the definition. 2, 3, 5 and 8 arms are tried, under both assumptions, at two "
    "levels. Two rules count as equal if they give the same verdicts after some numbers of duels "
    "up to 33.",
    kind=Kind.LISTED_SEEDS,
    sizes={"seeds of each setting:": tuple(runs + len(_CHAMPION_OUT) for runs in _RUNS)},
    case="run on random replies",
)
def runs(under_test: Implementation, depth: Depth) -> Cases:
    for N in (2, 3, 5, 8):
        for assumes in Assumption:
            for seed in (*range(by_depth(depth, *_RUNS)), *_CHAMPION_OUT):
                delta = Confidence.of("1/10" if seed % 2 else "1e-9")
                yield departure(under_test, N, delta, assumes, seed, 90)
