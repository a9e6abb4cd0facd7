"""Bounds of strong regret: phases and levels, and the exact regret of instances.

``thm:app-strong-known`` and ``thm:app-strong-anytime``, which repeat ``thm:strong-known-main`` and
``thm:strong-anytime-main``, with their constants.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite.instances import cyclic
from tgite.preferences import Preferences
from tgite.questions import Match, SelfPlay, match
from tgite_checks.bounds.constants.constant import STATED, Attained, Constant
from tgite_checks.bounds.constants.extremal import TINY, EndOfDomain, below
from tgite_checks.bounds.constants.horizons import known_horizon
from tgite_checks.bounds.constants.phases import anytime
from tgite_checks.bounds.constants.proved import anytime_bound, cost_bound, proved_constant
from tgite_checks.bounds.exact_laws import anytime_run, known_horizon_run, laws_of
from tgite_checks.check import (
    Cases,
    Depth,
    Kind,
    Number,
    Words,
    argument,
    at_most,
    by_depth,
    demonstration,
    statement,
    truth,
)
from tgite_laws.arithmetic import plus, quotient, times
from tgite_laws.balls import ball, log_integer_ball, real
from tgite_laws.duel_test import HALF
from tgite_laws.enclosure import rational
from tgite_laws.fewest_duels import fewest_duels, one_pass
from tgite_laws.implementation import Implementation
from tgite_laws.match_paths import timed, walk

_CYCLIC = {"cyclic instances with N =": ("4 and 16", "4, 16 and 256", "4, 16 and 256")}
_LONGEST = (2000, 100_000, 100_000)
_PHASES = 10
_HORIZONS = (1, 100, 10_000, 100_000, 10**7)


def phase_bound(T: int) -> int:
    """Return the paper's ``S_T = 2 + ceil(log2 log2(T + 2))``, exactly, for ``T >= 1``."""
    k = 0
    while 2 ** (2**k) < T + 2:
        k += 1
    return 2 + k


def phases_begun(under_test: Implementation, T: int) -> int:
    """Return the most phases that can have begun by time T, if identification took no time."""
    s, spent = 0, 0
    while spent <= T:
        s += 1
        spent += under_test.schedules.self_play_rounds(s)
    return s


_TIMES_BELOW = (300, 3000, 3000)


def _times(depth: Depth) -> Iterator[int]:
    yield from range(2, by_depth(depth, *_TIMES_BELOW))
    spent = 0
    for s in range(1, _PHASES):
        spent += 2 ** (2**s)
        square = 2 ** (2**s)
        yield from (T for T in (spent - 1, spent, square - 2, square - 1, square) if T >= 2)


@truth(
    "strong-phase-count",
    kind=Kind.EXHAUSTIVE,
    domain="At most S_T phases can have begun by time T. Up to 2^1024 every T next to a change of "
    "one of the two counts is tried.",
    sizes={"and every T below": _TIMES_BELOW},
    case="time",
    refuses={"at most S_T - 3 phases (S_T - 2 would hold)": {"fewer": 3}},
)
def phase_count(under_test: Implementation, depth: Depth, *, fewer: int = 0) -> Cases:
    for T in _times(depth):
        S, K = phase_bound(T) - fewer, phases_begun(under_test, T)
        yield "" if K <= S else f"T = {T}: {K} phases may have begun, S_T = {S}"


def _logs2(factor: int, T: int) -> arb:
    return factor * log_integer_ball(T + 2) / log_integer_ball(2)


@statement(
    "strong-phase-sums",
    domain="The sum 2^(S_T + 1) - 2 is at most 16 log2(T + 2) at the least T of each S_T, the "
    "worst case, to T = 2^256. In turn 16 log2(T + 2) <= 29.13 log(T + 1).",
    case="number of phases",
    refuses={
        "the sum is at most 15 log2(T + 2)": {"factor": 15},
        "16 log2(T + 2) <= 29 log(T + 1)": {"final": Fraction(29)},
    },
)
def phase_sums(depth: Depth, *, factor: int = 16, final: Fraction = Fraction(2913, 100)) -> Cases:

    def logs(value: int) -> arb:
        return ball(final) * log_integer_ball(value)

    # S_T = 2 + k for 2^(2^(k-1)) < T + 2 <= 2^(2^k): the least T of each k is the worst.
    for k in range(1, _PHASES):
        T = max(2, 2 ** (2 ** (k - 1)) - 1)
        S = phase_bound(T)
        yield at_most(
            f"sum of 2^s up to S_T = {S}, least T",
            2 ** (S + 1) - 2,
            real(_logs2, factor, T, bits=2048),
        )
    # 16 log2(T+2) / log(T+1) falls in T, from 29.13 at T = 2.
    for T in (2, 3, 10, 10**3, 10**9, 10**100):
        yield at_most(
            f"16 log2(T + 2) against C log(T + 1), T = {T:.0e}",
            real(_logs2, 16, T),
            real(logs, T + 1),
        )


@truth(
    "strong-levels",
    kind=Kind.EXHAUSTIVE,
    domain="H epsilon_H = H/(H+1) <= 1 for H = 1 to 199, 10^5 and 10^18. B_s epsilon_s = 1 and "
    "1/epsilon_s = 2^(2^s), exactly, for s = 1 to 14.",
    case="level",
    refuses={"H epsilon_H <= (H-1)/(H+1)": {"horizon_shift": -1}},
)
def levels(under_test: Implementation, depth: Depth, *, horizon_shift: int = 0) -> Cases:
    schedules = under_test.schedules
    for H in (*range(1, 200), 10**5, 10**18):
        fallback = H * schedules.known_horizon_level(H).rational
        right = fallback == Fraction(H, H + 1) and fallback <= Fraction(H + horizon_shift, H + 1)
        yield "" if right else f"H = {H}: H epsilon_H = {fallback}"
    for s in range(1, 15):
        level, rounds = schedules.anytime_level(s).rational, schedules.self_play_rounds(s)
        yield "" if level * rounds == 1 else f"s = {s}: B_s epsilon_s is not 1"
        # log(1/epsilon_s) = 2^s log 2 says that 1/epsilon_s is 2^(2^s).
        yield "" if 1 / level == 2 ** (2**s) else f"s = {s}: epsilon_s = {level}"


def instances(depth: Depth) -> tuple[tuple[str, Preferences], ...]:
    """Return the instances whose strong regret is enclosed, including the figure's."""
    few = (
        ("cyclic N = 4, all gaps .1", cyclic(4, "0.1", "0.1")),
        ("cyclic N = 16, gaps .30/.38", cyclic(16, "0.30", "0.38")),
        ("cyclic N = 256, gaps .30/.38", cyclic(256, "0.30", "0.38")),
    )
    return few[:2] if depth is Depth.QUICK else few


@truth(
    "strong-known-horizon-regret",
    domain="The exact strong regret is within its proved bound for horizons from 1 to 10^7.",
    sizes=_CYCLIC,
    case="expected strong regret",
    refuses={"the bound with C = 1/2": {"C": Fraction(1, 2)}},
)
def known_horizon_regret(
    under_test: Implementation, depth: Depth, *, C: Fraction | None = None
) -> Cases:
    C_known = C or proved_constant("thm_app_strong_known", "C_known")

    def allowed(size: int, gap: Fraction, H: int) -> arb:
        return cost_bound(C_known, size, gap, log_integer_ball(H + 1)) + 1

    for name, preferences in instances(depth):
        size, gap = preferences.size - 1, preferences.global_gap()
        for H in _HORIZONS:
            yield at_most(
                f"E[R_H^str], H = {H}, {name}",
                known_horizon_run(under_test, preferences, laws_of(under_test), H),
                real(allowed, size, gap, H),
            )


@truth(
    "strong-short-horizons",
    kind=Kind.EXHAUSTIVE,
    domain="Every round has regret if the horizon is 1, 2, 3, the fewest rounds of any pass, or "
    "half of these. Cyclic instances have 2, 4 and 8 arms and gaps .30/.38.",
    case="horizon",
    refuses={
        "every round has regret at a horizon one round longer": {"longer": 1},
        "no regret at H = 1": {"free": 1},
    },
)
def short_horizons(
    under_test: Implementation, depth: Depth, *, longer: int = 0, free: int = 0
) -> Cases:
    """At H = 1, at level 1/2, the regret is 1; the bound's last term alone allows that."""
    least: list[int] = []
    for size in (2, 4, 8):
        preferences, laws = cyclic(size, "0.30", "0.38"), laws_of(under_test)

        def fewest(H: int, size: int = size) -> int:
            level = under_test.schedules.known_horizon_level(H)
            return one_pass(under_test, size, 0, level).fewest(under_test.duel_test)

        # The level decreases with H; the pass gets longer, but far more slowly.
        H = next(H for H in itertools.count(1) if fewest(H) <= H)
        least.append(H)
        for short in sorted({1, 2, 3, H // 2, H + longer}):
            paid = known_horizon_run(under_test, preferences, laws, short)
            all_but = f"H less 2^-30, H = {short}, N = {size}"
            yield at_most(all_but, short - Fraction(1, 2**30), paid)
            yield at_most(f"E[R_H^str], H = {short}, N = {size}", paid, short - free)
        yield Number(f"least H at which a pass can end, N = {size}", rational(H))
    yield Words(f"at N = 2, 4, 8 no pass ends before H = {', '.join(map(str, least))}")


@truth(
    "strong-anytime-regret",
    domain="The exact strong regret is within its proved bound at times from 100 to 10^7.",
    sizes=_CYCLIC,
    case="expected strong regret",
    refuses={"the bound with C = 1": {"C": Fraction(1)}},
)
def anytime_regret(under_test: Implementation, depth: Depth, *, C: Fraction | None = None) -> Cases:
    theorem = "thm_app_strong_anytime"
    C_anytime = C or proved_constant(theorem, "C_anytime")
    extra = proved_constant(theorem, "C'_anytime")
    for name, preferences in instances(depth):
        size, gap = preferences.size - 1, preferences.global_gap()
        for T in _HORIZONS[1:]:
            yield at_most(
                f"E[R_T^str], T = {T}, {name}",
                anytime_run(under_test, preferences, laws_of(under_test), T),
                real(anytime_bound, C_anytime, extra, size, gap, T),
            )


def _attained_known(under_test: Implementation, depth: Depth) -> Attained:
    N, H = 33, 1219
    arms = EndOfDomain(N, N - 1)
    tree = under_test.BalancedTree.over(N)
    shortest = timed(lambda question, winner: fewest_duels(under_test.duel_test, question.delta))
    stream = under_test.tg_ite_strong_known_horizon(0, tree, H, shortest)
    path = walk(stream, arms.decide, N)
    duels = min(arms.cost(under_test, path.matches), H)
    regret = ball(arms.expected(duels, H) - 1)
    gap = ball(HALF - TINY)
    scale = N / (gap * gap) * (log_integer_ball(H + 1) - gap.log() + 1)
    return Attained(below(regret / scale), f"N = {N}, H = {H}, gap -> 1/2")


def _attained_anytime(under_test: Implementation, depth: Depth) -> Attained:
    """Return the anytime regret, less loglog(T+2) + 1, when the fifth pass ends.

    The winner is the starting arm, so every pass has the same, costly blocks.
    """
    N, phases = 129, 5
    arms = EndOfDomain(N, 0)
    tree = under_test.BalancedTree.over(N)
    stream = under_test.tg_ite_strong_anytime(0, tree, match)
    path = walk(stream, arms.decide, phases * N, announcements=phases)
    T = duels = played = 0
    for asked in path.asked:
        if isinstance(asked, Match):
            duels += fewest_duels(under_test.duel_test, asked.delta)
        elif isinstance(asked, SelfPlay):
            played += asked.rounds
        else:
            # A pass has ended: the time up to here, before the self-play that follows.
            T = duels + played
    gap = ball(HALF - TINY)
    double_log = (log_integer_ball(T + 2)).log() + 1
    regret = ball(arms.expected(duels, duels)) - double_log
    scale = N / (gap * gap) * (log_integer_ball(T + 1) + double_log * (1 - gap.log()))
    value = below(regret / scale)
    return Attained(value, f"N = {N}, T = {T} (end of pass {phases}), gap -> 1/2")


KNOWN_HORIZON_CONSTANT = Constant(
    stated=STATED["strong-known"],
    certify=known_horizon,
    attained=_attained_known,
    weakened={
        "a proof that does not use R_H <= H": functools.partial(known_horizon, trivial=False)
    },
)
ANYTIME_CONSTANT = Constant(
    stated=STATED["strong-anytime"],
    certify=anytime,
    attained=_attained_anytime,
    weakened={"a proof that does not use R_T <= T": functools.partial(anytime, trivial=False)},
)
known_horizon_constant = KNOWN_HORIZON_CONSTANT.check()
anytime_constant = ANYTIME_CONSTANT.check()


@argument(case="time", refuses={"nor does it exclude T = 0": {"T": 0}})
def first_horizon_is_no_exception(depth: Depth, *, T: int = 1) -> Cases:
    """Show that log log(T+2) needs no exclusion of T = 1, where the table's log log T fails."""
    yield at_most(
        f"0 against log log(T + 2), T = {T}", 0, real(lambda: log_integer_ball(T + 2).log())
    )
    yield Number("log log(T + 2) + 1, T = 2", real(lambda: log_integer_ball(4).log() + 1))
    yield at_most(
        "log log T + 1 against half of log log(T + 2) + 1, T = 2",
        real(lambda: log_integer_ball(2).log() + 1),
        real(lambda: (log_integer_ball(4).log() + 1) / 2),
    )


@demonstration(case="time", refuses={"three more": {"more": 3}})
def phases_are_fewer(under_test: Implementation, depth: Depth, *, more: int = 2) -> Cases:
    """Show that S_T is 2 or 3 more than the phases that can have begun, and what that costs."""
    for T in (*range(2, 300), *(2**k for k in range(9, 400)), *(2**k - 1 for k in range(9, 400))):
        K = phases_begun(under_test, T)
        yield at_most(f"phases begun and {more}, T = {T}", K + more, phase_bound(T))
        yield at_most(
            f"2^(K+1) - 2 against 4 log2(T + 2), T = {T}",
            2 ** (K + 1) - 2,
            real(_logs2, 4, T, bits=512),
        )


def _merge_levels(under_test: Implementation, phases: int) -> list[Confidence]:
    """Return the level of the one match that a pass over two arms plays, for each phase."""
    schedules = under_test.schedules
    return [schedules.merge_level(schedules.anytime_level(s), 1) for s in range(1, phases + 1)]


@truth(
    "phases-may-share-samples",
    domain="For two arms of gap .1 or .3, a test that continues with earlier phases' outcomes "
    "stops where a new test would. All five first phases together take less than 2/5 of the "
    "duels.",
    sizes={"radii for n up to": _LONGEST},
    case="phase or gap",
    refuses={
        "less than 3/10 of the duels": {"share": Fraction(3, 10)},
        "the same saving if later phases have the larger levels": {"backwards": True},
    },
)
def phases_may_share_samples(
    under_test: Implementation,
    depth: Depth,
    *,
    share: Fraction = Fraction(2, 5),
    backwards: bool = False,
) -> Cases:
    """Show that each phase may continue the test of the previous phase, and what that saves.

    The radius grows as the level decreases. So no outcomes stop a phase's test before an earlier
    phase's test. Each answer is that of one test from its first outcome, at its own level.
    """
    levels = _merge_levels(under_test, 5)[:: -1 if backwards else 1]
    longest = by_depth(depth, *_LONGEST)
    for earlier, later in itertools.pairwise(levels):
        nested = all(
            under_test.c(n, earlier) <= under_test.c(n, later) for n in range(1, longest + 1)
        )
        yield "" if nested else f"level {later} may stop before {earlier}"
    laws = laws_of(under_test)
    for gap in (Fraction(1, 10), Fraction(3, 10)):
        means = [laws.law(level, HALF + gap).mean for level in levels]
        fresh = plus(*means)
        name = f"duels of five phases that go on, gap {float(gap)}"
        yield at_most(name, means[-1], times(rational(share), fresh))
        yield Number(
            f"their share of the duels of fresh phases, gap {float(gap)}",
            quotient(means[-1], fresh),
        )
