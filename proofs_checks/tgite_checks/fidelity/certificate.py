"""Fidelity of the certificate (``beyond:certificate``): its matches, duel by duel, and its answer.

The end of a match is stated here by the definitions of the two kinds of evidence, in rational
numbers, and not by boundaries. The code is driven duel by duel on random outcomes.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import comb

from tgite.beyond.certificate import Certificate, Verdict
from tgite.confidence import Confidence
from tgite.errors import InvalidInput
from tgite.questions import Arm, Duel
from tgite_checks.check import Cases, Depth, Kind, by_depth, fidelity
from tgite_checks.fidelity.mixture_test import TIES
from tgite_laws.implementation import Implementation

_RUNS = (12, 50, 200)
_LONGEST = 150
_HAIR = Fraction(1, 10**60)
_LIKELY_TIE = Fraction(81, 128)
"""With the margin 1/4 both likelihoods of four wins in eight duels are half of it, exactly."""


@dataclass(frozen=True)
class Setting:
    """Levels and margin of a certificate; ``against`` is ``None`` for the default."""

    delta: Fraction
    against: Fraction | None = None
    margin: Fraction | None = None


SETTINGS = (
    Setting(Fraction(1, 10)),
    Setting(Fraction(1, 3), Fraction(1, 100)),
    *(Setting(tie.rational, tie.rational) for tie in TIES[:6]),
    Setting(Fraction(1, 10), None, Fraction(1, 8)),
    Setting(Fraction(1, 2), Fraction(1, 9), Fraction(1, 4)),
    *(Setting(level, level, Fraction(1, 4)) for level in (_LIKELY_TIE, _LIKELY_TIE - _HAIR)),
)


@functools.lru_cache(maxsize=1 << 16)
def evidence(n: int, s: int) -> Fraction:
    """Return MixtureTest's evidence for an arm that won s of n duels."""
    term = total = 1
    for k in range(1, s + 1):
        term = term * (n + 2 - k) // k  # C(n+1, k)
        total += term
    return Fraction(total, (n + 1) * comb(n, s))


def likelihood(g: Fraction, n: int, s: int) -> Fraction:
    """Return the likelihood of a gap g for an arm that won s of n duels."""
    return (1 + 2 * g) ** s * (1 - 2 * g) ** (n - s)


@functools.cache
def verdict(
    n: int, s: int, delta: Fraction, against: Fraction, margin: Fraction | None
) -> Verdict | None:
    """Return how a match has ended for its first arm, which won s of n duels."""
    ways = 1 if margin is None else 2
    if evidence(n, s) >= ways / delta:
        return Verdict.WON
    if evidence(n, n - s) >= ways / against:
        return Verdict.LOST
    if margin is None:
        return None
    no_better = likelihood(margin, n, s) <= against / ways
    no_worse = likelihood(margin, n, n - s) <= delta / ways
    return Verdict.EQUIVALENT if no_better and no_worse else None


def certified(
    c: Arm, order: Sequence[Arm], at: Setting, budget: int | None, wins: Callable[[Arm, int], bool]
) -> tuple[list[Duel], Certificate]:
    """Return the duels and the answer of a certificate of ``c``; ``wins`` decides each duel.

    ``wins`` takes the opponent and the number of the duel against it.
    """
    against = at.delta / len(order) if at.against is None else at.against
    level = Confidence(at.delta)
    asked: list[Duel] = []
    equivalent: list[Arm] = []
    for j in order:
        s = 0
        for n in count(1):
            if len(asked) == budget:
                return asked, Certificate(c, Verdict.BUDGET, level, budget, None, tuple(equivalent))
            asked.append(Duel(c, j))
            s += wins(j, n)
            ended = verdict(n, s, at.delta, against, at.margin)
            if ended is Verdict.LOST:
                level, so_far = Confidence(against), tuple(equivalent)
                return asked, Certificate(c, ended, level, len(asked), j, so_far)
            if ended is not None:
                break
        if ended is Verdict.EQUIVALENT:
            equivalent.append(j)
    said = Verdict.EQUIVALENT if equivalent else Verdict.WON
    return asked, Certificate(c, said, level, len(asked), None, tuple(equivalent))


def departure(under_test: Implementation, at: Setting, N: int, seed: int) -> str:
    """Return where a certificate differs from its definition on random outcomes, or nothing."""
    chances = random.Random(seed)
    c, *others = chances.sample(range(N), N)
    order = chances.choice((None, others))
    # A budget ends every match in time; now and then there is nearly none.
    budget = chances.choice((_LONGEST, _LONGEST, chances.randint(1, 30)))
    likely = {j: chances.choice((0.1, 0.5, 0.5, 0.8, 0.9, 1.0)) for j in others}
    flips = {j: [chances.random() < likely[j] for _ in range(_LONGEST)] for j in others}
    if chances.random() < 0.25:  # in balance
        flips = {j: [n % 2 == 0 for n in range(_LONGEST)] for j in others}
    used = sorted(others) if order is None else order
    asked, says = certified(c, used, at, budget, lambda j, n: flips[j][n - 1])

    where = f"{at}, c = {c} of {N}, seed {seed}: "
    against = None if at.against is None else Confidence(at.against)
    stream = under_test.module("beyond.certificate").certify(
        c, N, Confidence(at.delta), against, at.margin, budget, order
    )
    played = dict.fromkeys(others, 0)
    reply: bool | None = None
    for number in range(len(asked) + 1):
        try:
            duel = stream.send(reply)  # None begins it
        except StopIteration as stop:
            right = (number, stop.value) == (len(asked), says)
            return "" if right else f"{where}after {number} duels {stop.value}, not {says}"
        if number == len(asked) or duel != asked[number]:
            wanted = "an answer" if number == len(asked) else asked[number]
            return f"{where}duel {number} is {duel}, not {wanted}"
        played[duel.second] += 1
        reply = flips[duel.second][played[duel.second] - 1]
    raise AssertionError("it asked for more duels than there are")


@fidelity(
    "certificate-course",
    domain="Every duel and verdict follows the definition on random or balanced outcomes, for 2, "
    "3 and 5 arms and up to 150 duels. Twelve settings with one or two levels are tried, with and "
    "without a margin. Some levels are just reached or just missed, by the evidence or by the "
    "margin's likelihood.",
    kind=Kind.LISTED_SEEDS,
    sizes={"seeds of each setting:": _RUNS},
    case="run of a certificate",
)
def runs(under_test: Implementation, depth: Depth) -> Cases:
    for at in SETTINGS:
        for N in (2, 3, 5):
            for seed in range(by_depth(depth, *_RUNS)):
                yield departure(under_test, at, N, seed)


@fidelity(
    "certificate-refuses",
    domain="These inputs are refused: an unknown arm, a single arm, an order that misses or "
    "repeats an arm or contains the champion, a margin of 0 or 1/2, a budget of 0, and a level "
    "with the factor 6/pi^2.",
    case="input that must be refused",
)
def refuses(under_test: Implementation, depth: Depth) -> Cases:
    tenth, round_level = Confidence.of("1/10"), Confidence.of("1/40 * 6/pi^2")
    right: dict[str, object] = {"c": 0, "N": 3, "delta": tenth}
    for field, value in (
        ("N", 1),
        ("c", 3),
        ("c", -1),
        ("delta", round_level),
        ("against", round_level),
        ("margin", Fraction(1, 2)),
        ("margin", Fraction(0)),
        ("budget", 0),
        ("order", (1,)),
        ("order", (1, 1)),
        ("order", (0, 1)),
    ):
        try:
            under_test.module("beyond.certificate").certify(**(right | {field: value}))
        except InvalidInput as refused:
            yield "" if refused.field == field else f"{field} = {value}: {refused}"
        else:
            yield f"{field} = {value} is not refused"
