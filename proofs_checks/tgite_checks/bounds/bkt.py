"""Truth of what is said of BKT (``lem:app-bkt-subset``): rounds, matches, levels, error and cost.

The rounds and matches are read off the transcription itself, which is asked for whole matches.
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite.questions import Arm, Match, match
from tgite_checks.bounds.comparing import AtMost, compared, rational, real
from tgite_checks.check import Cases, Check, Depth, Kind, Question, Result, result_of
from tgite_checks.explore import walk
from tgite_checks.implementation import Implementation
from tgite_checks.laws.balls import ball, log_integer_ball

_HALF = Confidence(Fraction(1, 2))


def rounds_of_bkt(under_test: Implementation, m: int, first_wins: bool = True) -> list[int]:
    """Return K_1, K_2, ...: how many matches a tournament of ``m`` arms plays in each round.

    Rounds are told apart by their levels, as the transcription sets them.
    """

    def decide(question: Match) -> Arm:
        return question.first if first_wins else question.second

    path = walk(under_test.bkt(tuple(range(m)), _HALF, match), decide, most_matches=m)
    return list(Counter(asked.delta for asked in path.matches).values())


def _sizes(depth: Depth) -> Iterable[int]:
    return range(1, 130) if depth is Depth.QUICK else range(1, 513)


def _ceil_log2(m: int) -> int:
    return (m - 1).bit_length()


def _halving_cases(under_test: Implementation, depth: Depth, rounded_up: bool) -> Cases:
    for m in _sizes(depth):
        for first_wins in (True, False):
            K = rounds_of_bkt(under_test, m, first_wins)
            X = [m, *itertools.accumulate(K, lambda left, played: left - played, initial=m)][1:]
            wrong = ""
            for r, (before, played) in enumerate(zip(X, K, strict=False), start=1):
                most = -(-m // 2 ** (r - 1)) if rounded_up else m // 2 ** (r - 1)
                if before > most or played > before // 2 or played > Fraction(m, 2**r) + 1:
                    wrong = f"m = {m}, round {r}: {before} arms, {played} matches; bound {most}"
            if sum(K) != max(m - 1, 0):
                wrong = f"m = {m}: {sum(K)} matches, not m - 1"
            if len(K) > _ceil_log2(m):
                wrong = f"m = {m}: {len(K)} rounds, more than ceil(log2 m) = {_ceil_log2(m)}"
            yield wrong


def _halving(under_test: Implementation, depth: Depth, *, rounded_up: bool = True) -> Result:
    return result_of(_halving_cases(under_test, depth, rounded_up), "tournament")


def _log_sum_cases(
    under_test: Implementation, depth: Depth, constant: Fraction
) -> Iterator[AtMost]:
    for m in _sizes(depth):
        K = rounds_of_bkt(under_test, m)
        total = functools.partial(_weighted_logs, K)
        yield AtMost(f"sum of K_r log r, m = {m}", real(total), rational(constant * m))
    # For m = 2^k: K_r = m/2^r, and the partial sums of log(r)/2^r only grow; beyond r = 64 there is
    # less than the sum of r/2^r, which is 66/2^64.
    K = [2 ** (64 - r) for r in range(1, 65)]
    series = real(lambda: _weighted_logs(K) / 2**64 + ball(Fraction(66, 2**64)))
    yield AtMost("the limit of sum K_r log r / m for m = 2^k", series, rational(constant))


def _weighted_logs(K: list[int]) -> arb:
    return sum((k * log_integer_ball(r) for r, k in enumerate(K, start=1)), arb(0))


def _log_sum(
    under_test: Implementation, depth: Depth, *, constant: Fraction = Fraction(51, 100)
) -> Result:
    return compared(_log_sum_cases(under_test, depth, constant), "sum over a tournament's rounds")


def _r_log_r_cases(constant: Fraction) -> Iterator[AtMost]:
    # R rounds belong to m >= 2^(R-1) + 1, the worst case for that R.
    for R in range(1, 65):
        m = 2 ** (R - 1) + 1
        yield AtMost(
            f"R log R, R = {R}, least m = {m}",
            real(functools.partial(lambda R: R * log_integer_ball(R), R)),
            rational(constant * m),
        )
    # For R >= 64: R log R <= R^2, and R^2 / 2^(R-1) falls by (1 + 1/R)^2 / 2 < 1 at each step.
    yield AtMost("R^2 at R = 64, beyond which R^2/2^(R-1) falls", rational(64**2), rational(2**40))


def _r_log_r(
    under_test: Implementation, depth: Depth, *, constant: Fraction = Fraction(2, 3)
) -> Result:
    return compared(_r_log_r_cases(constant), "number of rounds")


def level_share(rounds: int) -> arb:
    """Return a ball around ``sum of 6/(pi^2 r^2)`` over the rounds: what BKT can spend of delta."""
    squares = sum((Fraction(1, r * r) for r in range(1, rounds + 1)), Fraction(0))
    return ball(squares) * 6 / (arb.pi() * arb.pi())


def _levels_cases(under_test: Implementation, depth: Depth, share: Fraction) -> Iterator[AtMost]:
    delta = Confidence(Fraction(1, 10))
    for m in _sizes(depth):
        path = walk(
            under_test.bkt(tuple(range(m)), delta, match), lambda asked: asked.first, most_matches=m
        )
        levels = sorted({asked.delta for asked in path.matches}, reverse=True)
        total = functools.partial(_sum_of_levels, levels)
        yield AtMost(
            f"sum of delta_r over the rounds, m = {m}",
            real(total),
            rational(share * delta.rational),
        )


def _sum_of_levels(levels: list[Confidence]) -> arb:
    pi = arb.pi()
    return sum(
        (ball(level.rational) * (6 / (pi * pi) if level.basel else 1) for level in levels), arb(0)
    )


def _levels(under_test: Implementation, depth: Depth, *, share: Fraction = Fraction(1)) -> Result:
    return compared(_levels_cases(under_test, depth, share), "tournament's levels")


HALVING = Check(
    name="bkt-halving",
    question=Question.TRUTH,
    kind=Kind.EXHAUSTIVE,
    domain="m = 1..512 (quick: 1..129), the transcription's own rounds, first or second arguments "
    "winning: |X_{r-1}| <= ceil(m/2^{r-1}), K_r <= floor(|X_{r-1}|/2) <= m/2^r + 1, m - 1 matches "
    "in all, at most ceil(log2 m) rounds",
    run=_halving,
    refuses={
        "|X_{r-1}| <= floor(m/2^{r-1}), the bye forgotten": functools.partial(
            _halving, rounded_up=False
        )
    },
)

LOG_SUM = Check(
    name="bkt-log-rounds",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="sum of K_r log r <= 0.51 m for m = 1..512 (quick: 1..129), and in the limit of "
    "m = 2^k; this is the paper's C m + C R log R with its constant",
    run=_log_sum,
    refuses={"0.5 m instead of 0.51 m": functools.partial(_log_sum, constant=Fraction(1, 2))},
)

R_LOG_R = Check(
    name="bkt-r-log-r",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="R log R <= (2/3) m with R = ceil(log2 m), for every m >= 2",
    run=_r_log_r,
    refuses={
        "0.65 m, below the case m = 5": functools.partial(_r_log_r, constant=Fraction(13, 20))
    },
)

LEVELS_SUM = Check(
    name="bkt-levels-sum",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="delta = 1/10 (the sum is proportional to it), m = 1..512 (quick: 1..129), the "
    "transcription's own levels",
    run=_levels,
    refuses={
        "the levels sum to at most 3/4 of delta": functools.partial(_levels, share=Fraction(3, 4))
    },
)

CHECKS = (HALVING, LOG_SUM, R_LOG_R, LEVELS_SUM)
