"""Truth of the strong-regret theorems: phases and levels, and the exact regret of instances.

``thm:app-strong-known`` and ``thm:app-strong-anytime``, the main text's twins of which are
``thm:strong-known-main`` and ``thm:strong-anytime-main``.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction

from flint import arb

from tgite.instances import cyclic
from tgite.preferences import Preferences
from tgite_checks.bounds.comparing import AtMost, compared, rational, real
from tgite_checks.bounds.duel_test import laws_of
from tgite_checks.bounds.keeping import kept
from tgite_checks.bounds.proved_constants import cost_bound, proved_constant
from tgite_checks.check import Cases, Check, Depth, Kind, Question, Result, result_of
from tgite_checks.enclosure import Enclosure
from tgite_checks.implementation import Implementation
from tgite_checks.laws.balls import ball, log_integer_ball
from tgite_checks.laws.policies import strong_regret_anytime, strong_regret_known_horizon

_PHASES = 10


def phase_bound(T: int) -> int:
    """Return the paper's ``S_T = 2 + ceil(log2 log2(T + 2))``, exactly, for ``T >= 1``."""
    k = 0
    while 2 ** (2**k) < T + 2:
        k += 1
    return 2 + k


def phases_begun(under_test: Implementation, T: int) -> int:
    """Return the most phases that can have begun by time T: all identifications instantaneous."""
    s, spent = 0, 0
    while spent <= T:
        s += 1
        spent += under_test.schedules.self_play_rounds(s)
    return s


def _times(depth: Depth) -> Iterator[int]:
    """Return the times at which a count changes: where a phase begins, and where S_T grows."""
    yield from range(2, 300 if depth is Depth.QUICK else 3000)
    spent = 0
    for s in range(1, _PHASES):
        spent += 2 ** (2**s)
        square = 2 ** (2**s)
        yield from (T for T in (spent - 1, spent, square - 2, square - 1, square) if T >= 2)


def _phase_cases(under_test: Implementation, depth: Depth, fewer: int) -> Cases:
    for T in _times(depth):
        S, K = phase_bound(T) - fewer, phases_begun(under_test, T)
        yield "" if K <= S else f"T = {T}: {K} phases may have begun, S_T = {S}"


def _phases(under_test: Implementation, depth: Depth, *, fewer: int = 0) -> Result:
    return result_of(_phase_cases(under_test, depth, fewer), "time")


def _sum_cases(constant: int, final: Fraction) -> Iterator[AtMost]:
    # S_T = 2 + k for 2^(2^(k-1)) < T + 2 <= 2^(2^k): the least T of each k is the worst.
    for k in range(1, _PHASES):
        T = max(2, 2 ** (2 ** (k - 1)) - 1)
        S = phase_bound(T)
        yield AtMost(
            f"sum of 2^s up to S_T = {S}, least T",
            rational(2 ** (S + 1) - 2),
            real(functools.partial(lambda T: constant * _log2(T + 2), T), 2048),
        )
    # 16 log2(T+2) / log(T+1) falls in T, from 29.13 at T = 2.
    for T in (2, 3, 10, 10**3, 10**9, 10**100):
        yield AtMost(
            f"16 log2(T + 2) against C log(T + 1), T = {T:.0e}",
            real(functools.partial(lambda T: 16 * _log2(T + 2), T)),
            real(functools.partial(lambda T: ball(final) * log_integer_ball(T + 1), T)),
        )


def _log2(value: int) -> arb:
    return log_integer_ball(value) / log_integer_ball(2)


def _sums(
    under_test: Implementation,
    depth: Depth,
    *,
    constant: int = 16,
    final: Fraction = Fraction(2913, 100),
) -> Result:
    return compared(_sum_cases(constant, final), "number of phases")


def _level_cases(under_test: Implementation, depth: Depth, horizon_shift: int) -> Cases:
    levels = under_test.schedules
    for H in (*range(1, 200), 10**5, 10**18):
        fallback = H * levels.known_horizon_level(H).rational
        if fallback != Fraction(H, H + 1) or fallback > Fraction(H + horizon_shift, H + 1):
            yield f"H = {H}: H epsilon_H = {fallback}"
        else:
            yield ""
    for s in range(1, 15):
        level, rounds = levels.anytime_level(s).rational, levels.self_play_rounds(s)
        yield "" if level * rounds == 1 else f"s = {s}: B_s epsilon_s is not 1"
        # log(1/epsilon_s) = 2^s log 2 says that 1/epsilon_s is 2^(2^s).
        yield "" if 1 / level == 2 ** (2**s) else f"s = {s}: epsilon_s = {level}"


def _levels(under_test: Implementation, depth: Depth, *, horizon_shift: int = 0) -> Result:
    return result_of(_level_cases(under_test, depth, horizon_shift), "level")


def instances(depth: Depth) -> tuple[tuple[str, Preferences], ...]:
    """Return the instances whose strong regret is enclosed, the figure's among them."""
    few = (
        ("cyclic N = 4, all gaps .1", cyclic(4, "0.1", "0.1")),
        ("cyclic N = 16, gaps .30/.38", cyclic(16, "0.30", "0.38")),
        ("cyclic N = 256, gaps .30/.38", cyclic(256, "0.30", "0.38")),
    )
    return few[:2] if depth is Depth.QUICK else few


@kept
def known_horizon_regret(under_test: Implementation, preferences: Preferences, H: int) -> Enclosure:
    """Return the enclosed strong regret over a known horizon; kept for the next check."""
    tree = under_test.BalancedTree.over(preferences.size)
    laws = laws_of(under_test)
    return strong_regret_known_horizon(0, tree, H, preferences, laws).total


@kept
def anytime_regret(under_test: Implementation, preferences: Preferences, T: int) -> Enclosure:
    """Return the enclosed strong regret of the anytime policy; kept for the next check."""
    tree = under_test.BalancedTree.over(preferences.size)
    return strong_regret_anytime(0, tree, T, preferences, laws_of(under_test)).total


_HORIZONS = (1, 100, 10_000, 100_000, 10**7)


def _known_cases(
    under_test: Implementation, depth: Depth, constant: Fraction | None
) -> Iterator[AtMost]:
    C_known = constant or proved_constant("thm_app_strong_known", "C_known")
    for name, preferences in instances(depth):
        size, gap = preferences.size - 1, preferences.global_gap()
        for H in _HORIZONS:
            yield AtMost(
                f"E[R_H^str], H = {H}, {name}",
                known_horizon_regret(under_test, preferences, H),
                real(functools.partial(_known_bound, C_known, size, gap, H)),
            )


def _known_bound(constant: Fraction, size: int, gap: Fraction, H: int) -> arb:
    return cost_bound(constant, size, gap, log_integer_ball(H + 1)) + 1


def _known(under_test: Implementation, depth: Depth, *, constant: Fraction | None = None) -> Result:
    return compared(_known_cases(under_test, depth, constant), "expected strong regret")


def _anytime_cases(
    under_test: Implementation, depth: Depth, constant: Fraction | None
) -> Iterator[AtMost]:
    theorem = "thm_app_strong_anytime"
    C = constant or proved_constant(theorem, "C_anytime")
    extra = proved_constant(theorem, "C'_anytime")
    for name, preferences in instances(depth):
        size, gap = preferences.size - 1, preferences.global_gap()
        for T in _HORIZONS[1:]:
            yield AtMost(
                f"E[R_T^str], T = {T}, {name}",
                anytime_regret(under_test, preferences, T),
                real(functools.partial(_anytime_bound, C, extra, size, gap, T)),
            )


def _anytime_bound(constant: Fraction, extra: Fraction, size: int, gap: Fraction, T: int) -> arb:
    phases = log_integer_ball(T + 2).log() + 1
    bracket = log_integer_ball(T + 1) + phases * (1 - ball(gap).log())
    return ball(constant * size / gap**2) * bracket + ball(extra) * phases


def _anytime(
    under_test: Implementation, depth: Depth, *, constant: Fraction | None = None
) -> Result:
    return compared(_anytime_cases(under_test, depth, constant), "expected strong regret")


PHASES = Check(
    name="strong-phase-count",
    question=Question.TRUTH,
    kind=Kind.EXHAUSTIVE,
    domain="T = 2..2999 (quick: 2..299), and to 2^1024 all T next to which a count changes: no "
    "more than S_T phases can have begun",
    run=_phases,
    refuses={
        "S_T lowered by 3 (by 2 it would still hold)": functools.partial(_phases, fewer=3),
    },
)

PHASE_SUMS = Check(
    name="strong-phase-sums",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="2^(S_T + 1) - 2 <= 16 log2(T + 2) at the least T of each S_T to T = 2^256, which is "
    "the worst; 16 log2(T + 2) <= 29.13 log(T + 1)",
    run=_sums,
    refuses={
        "15 log2(T + 2)": functools.partial(_sums, constant=15),
        "29 log(T + 1)": functools.partial(_sums, final=Fraction(29)),
    },
)

LEVELS = Check(
    name="strong-levels",
    question=Question.TRUTH,
    kind=Kind.EXHAUSTIVE,
    domain="H = 1..199, 10^5, 10^18: H epsilon_H = H/(H+1) <= 1; s = 1..14: B_s epsilon_s = 1 and "
    "1/epsilon_s = 2^(2^s), exactly",
    run=_levels,
    refuses={"H epsilon_H <= (H-1)/(H+1)": functools.partial(_levels, horizon_shift=-1)},
)

KNOWN_HORIZON = Check(
    name="strong-known-horizon-regret",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="cyclic instances with 4 and 16 arms (standard: the figure's with 256 too), horizons 1 "
    "to 10^7: E[R_H^str] enclosed, beside the proved bound",
    run=_known,
    refuses={"C = 1/2": functools.partial(_known, constant=Fraction(1, 2))},
)

ANYTIME = Check(
    name="strong-anytime-regret",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="cyclic instances with 4 and 16 arms (standard: the figure's with 256 too), times 100 "
    "to 10^7: E[R_T^str] enclosed, beside the proved bound",
    run=_anytime,
    refuses={"C = 1": functools.partial(_anytime, constant=Fraction(1))},
)

CHECKS = (PHASES, PHASE_SUMS, LEVELS, KNOWN_HORIZON, ANYTIME)
