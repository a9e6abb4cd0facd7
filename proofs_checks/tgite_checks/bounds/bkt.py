"""Bounds of BKT (``lem:app-bkt-subset``): rounds, matches, levels, and the constant of its cost.

The rounds and matches are read off the transcription, which plays whole matches. BKT's exact error
and cost are in :mod:`.identification`, beside TreeAscent's.
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite.questions import Arm, Match, match
from tgite_checks.bounds.constants.constant import (
    STATED,
    Attained,
    Constant,
    not_of_all_gaps,
    of_gaps,
)
from tgite_checks.bounds.constants.extremal import NEARLY_ONE, EndOfDomain
from tgite_checks.bounds.constants.totals import bkt_totals, log_rounds
from tgite_checks.bounds.exact_laws import laws_of, tie_settings
from tgite_checks.check import (
    Cases,
    Depth,
    Kind,
    at_most,
    by_depth,
    demonstration,
    statement,
    truth,
)
from tgite_laws.balls import ball, log_integer_ball, real
from tgite_laws.implementation import Implementation
from tgite_laws.match_paths import walk
from tgite_laws.tournaments import bkt_law

_BEATEN_BY = {0: (1, 3), 1: (2, 3), 2: (0, 3), 3: ()}
"""Three arms in a cycle, 0 over 1 over 2 over 0, and arm 3, which loses to all."""

_HALF = Confidence(Fraction(1, 2))
_TENTH = Confidence(Fraction(1, 10))


def rounds_of_bkt(under_test: Implementation, m: int, first_wins: bool = True) -> list[int]:
    """Return K_1, K_2, ...: how many matches a tournament of ``m`` arms plays in each round.

    Rounds are distinguished by their levels, as the transcription sets them.
    """

    def decide(question: Match) -> Arm:
        return question.first if first_wins else question.second

    path = walk(under_test.bkt(tuple(range(m)), _HALF, match), decide, most_matches=m)
    return list(Counter(asked.delta for asked in path.matches).values())


_MOST = (129, 512, 512)
_SIZES = {"1 to m arms, with m =": _MOST}


def _sizes(depth: Depth) -> Iterable[int]:
    return range(1, by_depth(depth, *_MOST) + 1)


@truth(
    "bkt-halving",
    kind=Kind.EXHAUSTIVE,
    domain="Each round halves the arms: |X_{r-1}| <= ceil(m/2^{r-1}) and K_r <= "
    "floor(|X_{r-1}|/2) <= m/2^r + 1. There are m - 1 matches and at most ceil(log2 m) rounds. In "
    "one run the first argument wins every match, in another the second.",
    sizes=_SIZES,
    case="tournament",
    refuses={"|X_{r-1}| <= floor(m/2^{r-1}), without the bye": {"rounded_up": False}},
)
def halving(under_test: Implementation, depth: Depth, *, rounded_up: bool = True) -> Cases:
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
            if len(K) > (rounds := (m - 1).bit_length()):
                wrong = f"m = {m}: {len(K)} rounds, more than ceil(log2 m) = {rounds}"
            yield wrong


@truth(
    "bkt-log-rounds",
    domain="The sum of K_r log r over the rounds is at most 0.51 m, also in the limit of m = 2^k. "
    "This gives the constant of the paper's C m + C R log R.",
    sizes=_SIZES,
    case="sum over a tournament's rounds",
    refuses={"the sum is at most 0.5 m": {"constant": Fraction(1, 2)}},
)
def log_sum(
    under_test: Implementation, depth: Depth, *, constant: Fraction = Fraction(51, 100)
) -> Cases:
    for m in _sizes(depth):
        total = functools.partial(_weighted_logs, rounds_of_bkt(under_test, m))
        yield at_most(f"sum of K_r log r, m = {m}", real(total), constant * m)
    # For m = 2^k: K_r = m/2^r, and the partial sums of log(r)/2^r increase; beyond r = 64 there is
    # less than the sum of r/2^r, which is 66/2^64.
    K = [2 ** (64 - r) for r in range(1, 65)]
    series = real(lambda: _weighted_logs(K) / 2**64 + ball(Fraction(66, 2**64)))
    yield at_most("the limit of sum K_r log r / m for m = 2^k", series, constant)


def _weighted_logs(K: list[int]) -> arb:
    return sum((k * log_integer_ball(r) for r, k in enumerate(K, start=1)), arb(0))


@statement(
    "bkt-r-log-r",
    domain="R log R is at most (2/3) m for every m >= 2, where R = ceil(log2 m).",
    case="number of rounds",
    refuses={"R log R <= 0.65 m, which m = 5 exceeds": {"constant": Fraction(13, 20)}},
)
def r_log_r(depth: Depth, *, constant: Fraction = Fraction(2, 3)) -> Cases:

    def with_log(R: int) -> arb:
        return R * log_integer_ball(R)

    # R rounds belong to m >= 2^(R-1) + 1, the worst case for that R.
    for R in range(1, 65):
        m = 2 ** (R - 1) + 1
        yield at_most(f"R log R, R = {R}, least m = {m}", real(with_log, R), constant * m)
    # For R >= 64: R log R <= R^2, and R^2 / 2^(R-1) falls by (1 + 1/R)^2 / 2 < 1 at each step.
    yield at_most("R^2 at R = 64, beyond which R^2/2^(R-1) falls", 64**2, 2**40)


def level_share(rounds: int) -> arb:
    """Return a ball around the share of delta that BKT spends: ``6/(pi^2 r^2)`` over rounds r."""
    squares = sum((Fraction(1, r * r) for r in range(1, rounds + 1)), Fraction(0))
    return ball(squares) * 6 / (arb.pi() * arb.pi())


@truth(
    "bkt-levels-sum",
    domain="The levels of a tournament's rounds sum to at most delta, to which they are "
    "proportional.",
    sizes=_SIZES,
    case="tournament",
    refuses={"the levels sum to at most 3/4 of delta": {"share": Fraction(3, 4)}},
)
def levels_sum(under_test: Implementation, depth: Depth, *, share: Fraction = Fraction(1)) -> Cases:
    for m in _sizes(depth):
        stream = under_test.bkt(tuple(range(m)), _TENTH, match)
        path = walk(stream, lambda asked: asked.first, most_matches=m)
        levels = sorted({asked.delta for asked in path.matches}, reverse=True)
        yield at_most(
            f"sum of delta_r over the rounds, m = {m}",
            real(_sum_of_levels, levels),
            share * _TENTH.rational,
        )


def _sum_of_levels(levels: list[Confidence]) -> arb:
    pi = arb.pi()
    return sum(
        (ball(level.rational) * (6 / (pi * pi) if level.basel else 1) for level in levels), arb(0)
    )


def _attained(under_test: Implementation, depth: Depth) -> Attained:
    exponent = by_depth(depth, 13, 15, 17)
    arms = EndOfDomain(2**exponent, 0)
    stream = under_test.bkt(tuple(range(arms.size)), NEARLY_ONE, match)
    value = arms.need(under_test, walk(stream, arms.decide, arms.size).matches, NEARLY_ONE)
    return Attained(value, f"m = 2^{exponent}, gap -> 1/2, delta -> 1")


def _coarse_rounds() -> arb:
    """Return LOG_ROUNDS with r - 1 in place of log r, so that the sum over r/2^r is 1."""
    return log_rounds() + 2 * (1 - log_integer_ball(2) / 2)


CONSTANT = Constant(
    stated=STATED["bkt"],
    certify=of_gaps(bkt_totals),
    attained=_attained,
    weakened={
        **not_of_all_gaps(bkt_totals),
        "a proof with r - 1 in place of log r": of_gaps(lambda: bkt_totals(_coarse_rounds())),
    },
)
constant = CONSTANT.check()


@demonstration(case="number of arms")
def rounds_are_few(under_test: Implementation, depth: Depth) -> Cases:
    """Show how much of delta BKT can spend in its ceil(log2 m) rounds."""
    for m, bound in ((2, "0.61"), (8, "0.83"), (64, "0.91")):
        yield at_most(
            f"share of delta spent by m = {m} arms",
            real(level_share, len(rounds_of_bkt(under_test, m))),
            Fraction(bound),
        )


@demonstration(case="tournament", refuses={"BKT on two arms plays none": {"arms": 2}})
def one_arm_blocks_are_free(under_test: Implementation, depth: Depth, *, arms: int = 1) -> Cases:
    """Show that BKT on one arm plays no match; the proof applies a bound for m >= 2 to it."""
    yield f"BKT on {arms} plays a match" if rounds_of_bkt(under_test, arms) else ""


@demonstration(case="tournament")
def a_tie_stops_the_knockout(under_test: Implementation, depth: Depth) -> Cases:
    """Show that BKT may not return an arm that beats all others if two others tie."""
    setting, i, j = tie_settings()[0]
    winner = setting.preferences.winner()
    law = bkt_law(under_test.bkt, (i, j, winner), _TENTH, setting.preferences, laws_of(under_test))
    yield at_most(
        "P(BKT((x, y, w), 1/10) returns w), w beats x and y, which tie",
        law.survives[winner].probability,
        Fraction(1, 1000),
    )


@truth(
    "block-representative",
    kind=Kind.EXHAUSTIVE,
    domain="Three of four arms beat each other in a cycle, without noise, and the fourth loses to "
    "all. Each of the three represents the block in 8 of the 24 orders.",
    case="number of orders",
    refuses={"one arm represents the block in all orders": {"each": 24}},
)
def representative_is_an_accident(
    under_test: Implementation, depth: Depth, *, each: int = 8
) -> Cases:

    def decide(asked: Match) -> Arm:
        return asked.first if asked.second in _BEATEN_BY[asked.first] else asked.second

    found: Counter[Arm | None] = Counter()
    for order in itertools.permutations(range(4)):
        found[walk(under_test.bkt(order, _HALF, match), decide, 3).result] += 1
    for arm in range(4):
        expected = each if arm < 3 else 0
        yield "" if found[arm] == expected else f"arm {arm} represents {found[arm]} orders"
