"""Fidelity of find-then-certify (``beyond:find-then-certify``): its questions and their rules.

The rules are stated here by their definitions and not by boundaries, and the expected questions are
computed from the replies. The code is driven on random replies, over whole matches.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from typing import TypeAlias

from tgite.beyond.certificate import Assumption, Certificate, Verdict
from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.questions import Arm, Match
from tgite_checks.check import Cases, Depth, Kind, by_depth, fidelity
from tgite_checks.fidelity import rules
from tgite_checks.fidelity.boundaries_beyond import sprt_budget
from tgite_checks.fidelity.certificate import evidence, likelihood
from tgite_laws.implementation import Implementation
from tgite_laws.whole_matches import Knockout, OneSidedMatch, knockout, one_sided_match

_RUNS = (6, 25, 100)
_CHAMPION_OUT = (15, 85)
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
    """A one-sided match that is due: what is known before it, and what decides it.

    Each kind of evidence has the duels and wins so far, and the value at which it decides.
    """

    pair: tuple[Arm, Arm]
    place: str
    level: Confidence
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
        if likelihood(g, N + n, S + s) >= enough:
            return Verdict.WON
        g, (N, S), too_little = self.loses
        return Verdict.LOST if likelihood(g, N + n, S + s) <= too_little else None


Told: TypeAlias = tuple[int, ...]
"""The winner and the loser of a knockout match, or whether a match was won, its duels and wins."""

Matches: TypeAlias = Generator[rules.Step | Expected, Told, tuple[Arm, int]]
"""The matches that are due, and in the end the answer with the duels of the last stage."""


def matches_due(
    N: int, delta: Fraction, assuming_a_winner: bool, conventions: Conventions | None = None
) -> Matches:
    """Find, then certify: yield the matches that are due and receive how they ended."""
    share = Fraction(9, 10) if assuming_a_winner else Fraction(1, 2)
    known = dict.fromkeys(range(N), Known(delta)) if assuming_a_winner else dict[Arm, Known]()
    for s in count():
        g, conqueror = Fraction(3, 8 * 2**s), dict[Arm, Arm]()
        tournament = rules.knockout(range(N), Fraction(1, 8), conventions, f"s{s}")
        reply: tuple[Arm, Arm] | None = None
        while True:
            try:
                winner, loser = yield rules.next_due(tournament, reply)
            except StopIteration as stop:
                c: Arm = stop.value
                break
            conqueror[loser], reply = winner, (winner, loser)
        latest_first = list(conqueror)[::-1]
        order = [j for j in latest_first if conqueror[j] == c]
        order += [j for j in latest_first if conqueror[j] != c]
        if c not in known:
            none = (g, (0, 0), Fraction(256)), (g, (0, 0), Fraction(1, 32))
            first = Expected(
                (c, order[0]), f"s{s} screen", Confidence(Fraction(1, 256)), None, *none, 256 * 4**s
            )
            won, _, _ = yield first
            if not won:
                continue
            k = len(known)
            known[c] = Known(delta * (Fraction(1, 4 * k + 1) - Fraction(1, 4 * k + 5)))
        if not assuming_a_winner:
            conqueror = dict.fromkeys(order, c)
        here, m = known[c], known[c].stages
        here.stages += 1
        of_stage = (1 - share) * (Fraction(1, 4 * m + 1) - Fraction(1, 4 * m + 5))
        now = {(u, j): (0, 0) for j in order for u in (c, conqueror[j])}
        duels, going_on, a, r = 0, True, Fraction(1), -1
        while going_on and a > here.level:
            r += 1
            a = max(Fraction(1, 16 ** (2**r)), here.level)
            for j in order:
                if j in here.out:
                    continue
                for u in dict.fromkeys((conqueror[j], c)):
                    if u == c:
                        h, too_little, word = g, Fraction(1, (2 * N) ** 6), "certify"
                        most = 4 * (N - 1) * sprt_budget(g, Confidence(of_stage * a)) + 64 * 4**s
                        most -= sum(now[c, i][0] for i in order)
                    else:
                        h, too_little, word = min(2 * g, Fraction(3, 8)), Fraction(1, 8), "expose"
                        most = max(sprt_budget(h, Confidence(a)) - now[u, j][0], 0)
                    every = here.lost.get(j, (0, 0))
                    both = _sum(now[x, j] for x in {c, conqueror[j]})
                    match = Expected(
                        (u, j),
                        f"s{s} {word} r{r}",
                        Confidence(a),
                        (every, 1 / (share * a)),
                        (g, both, 1 / (of_stage * a)),
                        (h, now[u, j], too_little),
                        most,
                    )
                    ended = match.verdict(0, 0)
                    if ended is None and most:
                        won, *more = yield match
                        duels += more[0]
                        now[u, j] = _sum((now[u, j], more))
                        here.lost[j] = _sum((every, more))
                    else:
                        won = ended is Verdict.WON
                    if won:
                        break
                else:
                    going_on = False
                    break
                if a == here.level:
                    here.out.add(j)
        left = [arm for arm in range(N) if arm not in here.out]
        if len(left) < 2:
            return left[0] if left else c, duels
    raise AssertionError("the stages have no end")


def _sum(counts: Iterable[Sequence[int]]) -> tuple[int, int]:
    n, s = zip(*counts, strict=True)
    return sum(n), sum(s)


def departure(
    under_test: Implementation, N: int, delta: Confidence, assumes: Assumption, seed: int, most: int
) -> str:
    """Return where a stream differs from the expected questions on random replies, or nothing.

    The stream is cut after ``most`` questions.
    """
    chances = random.Random(seed)
    likely = chances.choice((0.6, 0.8, 0.95))
    expected = matches_due(N, delta.rational, assumes is Assumption.A_WINNER, RULINGS)
    stages = under_test.module("beyond.find_then_certify").stages
    stream = stages(N, delta, assumes, knockout, one_sided_match)
    reply: object = None
    told: Told | None = None
    for number in range(most):
        try:
            due: object = next(expected) if told is None else expected.send(told)
        except StopIteration as stop:
            best, duels = stop.value
            due = Certificate(best, Verdict.WON, delta, duels, assumes=assumes)
        try:
            asked: object = stream.send(reply)
        except StopIteration as stop:
            asked = stop.value
        if not _is(asked, due):
            return f"N = {N}, {assumes}, seed {seed}: question {number} is {asked}, not {due}"
        if isinstance(asked, Knockout):
            told = chances.choice(((asked.first, asked.second), (asked.second, asked.first)))
            reply = told[0]
        elif isinstance(asked, OneSidedMatch):
            won = chances.random() < likely
            n = min(asked.most or 0, 7)
            counts = n, (n + 2 * won) // 2
            lost = Verdict.BUDGET if number % 3 == 0 else Verdict.LOST
            told, reply = (won, *counts), (Verdict.WON if won else lost, *counts)
        else:
            break
    stream.close()
    return ""


def _is(asked: object, due: object) -> bool:
    if isinstance(due, rules.Due) and isinstance(asked, Knockout):
        stage = int(due.place.split()[0][1:])
        match = Match(asked.first, asked.second, asked.delta)
        return not due.wrong(match) and asked.g == Fraction(3, 8 * 2**stage)
    if not isinstance(due, Expected) or not isinstance(asked, OneSidedMatch):
        return asked == due
    if ((asked.first, asked.second), asked.most) != (due.pair, due.most):
        return False
    looked_at = ((n, s) for n in _DUELS_LOOKED_AT for s in range(n + 1))
    return all(asked.rule.verdict(n, s) is due.verdict(n, s) for n, s in looked_at)


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
