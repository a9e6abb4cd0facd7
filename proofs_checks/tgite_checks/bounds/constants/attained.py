"""What exact laws attain: instances so costly that no smaller constant will do.

Most are found at the end of the domain, where the gap tends to 1/2 and the level to 1: there every
match lasts as few duels as it can, :func:`least_duels`, and nobody errs. The instance is a real
one, with the gap 1/2 - TINY and the level 1 - TINY: a match is always at least so long, and the
probability that anything else happens than that the better arm wins every duel is at most TINY
times the number of duels. The matches and their levels are those that the transcription asks for.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import inf, nextafter

from flint import arb, ctx

from tgite.confidence import Confidence
from tgite.questions import Arm, Match, SelfPlay, match
from tgite_checks.bounds.constants.crossing import slow_test
from tgite_checks.bounds.constants.lines import duration, touching
from tgite_checks.check import Depth, Plot, Role, Series, by_depth
from tgite_checks.enclosure import Enclosure
from tgite_checks.explore import timed, walk
from tgite_checks.implementation import Implementation
from tgite_checks.laws.balls import ball, log_integer_ball, log_inverse_ball, sign
from tgite_checks.laws.duel_test import HALF, DuelTestLaws

TINY = Fraction(1, 2**64)
"""How far the instances at the end of the domain are from it."""

NEARLY_ONE = Confidence(1 - TINY)
"""The level of these instances, where it is free."""

_EARLIEST_STOP = 12
_CURVE = tuple(map(Fraction, ("0.49", "0.4", "0.3", "0.2", "0.1", "0.05", "0.02")))


@dataclass(frozen=True, slots=True)
class Attained:
    """A value that the constant cannot be below, and the instance at which that is so."""

    value: float
    where: str


def ratio(cost: arb, scale: arb) -> float:
    """Return a float that is not above ``cost / scale``."""
    return below((cost / scale).lower())


def below(value: arb) -> float:
    """Return a float that is not above the real number in the ball."""
    lowest = value.lower()
    guess = float(lowest.mid())
    while not bool(arb(guess) <= lowest):
        guess = nextafter(guess, -inf)
    return guess


@functools.cache
def least_duels(delta: Confidence) -> int:
    """Return the fewest duels of DuelTest at that level: the least n with n > 2 log(2n(n+1)/delta).

    The difference increases from n = 4 on and is negative up to there, so that the first n where it
    is positive is found by halving.
    """

    def stops(n: int) -> bool:
        def difference() -> arb:
            return n - 2 * (log_integer_ball(2 * n * (n + 1)) + log_inverse_ball(delta))

        return sign(difference, f"1/2 against c({n}, {delta})") > 0

    high = _EARLIEST_STOP
    while not stops(high):
        high *= 2
    low = 4
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if stops(middle) else (middle, high)
    return high


@dataclass(frozen=True, slots=True)
class EndOfDomain:
    """``size`` arms, each better than the later ones, ``winner`` best; all gaps 1/2 - TINY."""

    size: int
    winner: Arm

    def decide(self, question: Match) -> Arm:
        """Name the better arm of a match."""
        if self.winner in (question.first, question.second):
            return self.winner
        return min(question.first, question.second)

    def cost(self, matches: Iterable[Match], weak: bool = False) -> int:
        """Return the duels of the shortest matches; ``weak``: without the winner's."""
        return sum(
            least_duels(m.delta)
            for m in matches
            if not (weak and self.winner in (m.first, m.second))
        )

    def expected(self, duels: int, of_all: int) -> Fraction:
        """Bound an expected cost from below: ``duels``, unless one of ``of_all`` is not won."""
        return duels * (1 - TINY * of_all)

    def scale(self, level: Confidence | None) -> arb:
        """Return ``N/gap^2 (log(1/level) + log(1/gap) + 1)``, without the first log if no level."""
        gap = ball(HALF - TINY)
        on_top = arb(0) if level is None else log_inverse_ball(level)
        return self.size / (gap * gap) * (on_top - gap.log() + 1)


def precisely(
    computed: Callable[[Implementation, Depth], Attained],
) -> Callable[[Implementation, Depth], Attained]:
    """Compute with enough bits for TINY."""

    @functools.wraps(computed)
    def with_bits(under_test: Implementation, depth: Depth) -> Attained:
        with ctx.workprec(160):
            return computed(under_test, depth)

    return with_bits


def clustered(exponent: int) -> EndOfDomain:
    """Return 2^exponent + 1 arms, the winner alone in the last block: nearly the worst trees."""
    N = 2**exponent + 1
    return EndOfDomain(N, N - 1)


@functools.cache
def _laws(under_test: Implementation) -> DuelTestLaws:
    return DuelTestLaws(under_test.c)


@precisely
def duel_test(under_test: Implementation, depth: Depth) -> Attained:
    """Return DuelTest's exact mean at a small gap."""
    gap = by_depth(depth, Fraction(1, 50), Fraction(1, 100), Fraction(1, 200))
    mean = _laws(under_test).law(NEARLY_ONE, HALF + gap).mean.low
    scale = (log_inverse_ball(NEARLY_ONE) - ball(gap).log() + 1) / ball(gap * gap)
    return Attained(ratio(ball(Fraction(mean)), scale), f"gap {gap}, delta -> 1")


def duel_test_curve(under_test: Implementation) -> Plot:
    """Draw gap^2 E[tau]/(log(1/gap) + 1) at delta -> 1: exactly, and as the best lines bound it."""
    exact: list[tuple[float, Enclosure]] = []
    lines: list[tuple[float, Enclosure]] = []
    with ctx.workprec(160):
        for gap in _CURVE:
            scale = (1 - ball(gap).log()) / ball(gap * gap)
            mean = _laws(under_test).law(NEARLY_ONE, HALF + gap).mean
            low, high = (ball(Fraction(end)) / scale for end in (mean.low, mean.high))
            exact.append((float(gap), Enclosure(below(low), -below(-high))))
        for gap in (*_CURVE, *(Fraction(1, 10**k) for k in range(2, 13))):
            line = duration(touching(float(gap), 0.0), ball(gap))
            if line is not None:
                bound = (line.base - 4 * line.slope * ball(gap).log()) / (1 - ball(gap).log())
                lines.append((float(gap), Enclosure(below(bound), -below(-bound))))
    return Plot(
        "The constant that DuelTest's time needs, gap by gap (delta -> 1)",
        "gap",
        "gap^2 E[tau] / (log(1/gap) + 1)",
        (Series("exact law", tuple(exact)), Series("certified", tuple(lines), Role.BOUND)),
        log_x=True,
    )


@precisely
def bkt(under_test: Implementation, depth: Depth) -> Attained:
    """Return BKT's cost at the end of the domain."""
    exponent = by_depth(depth, 13, 15, 17)
    arms = EndOfDomain(2**exponent, 0)
    stream = under_test.bkt(tuple(range(arms.size)), NEARLY_ONE, match)
    duels = arms.cost(walk(stream, arms.decide, arms.size).matches)
    value = ratio(ball(arms.expected(duels, duels)), arms.scale(NEARLY_ONE))
    return Attained(value, f"m = 2^{exponent}, gap -> 1/2, delta -> 1")


def _pass(under_test: Implementation, arms: EndOfDomain, epsilon: Confidence) -> tuple[Match, ...]:
    tree = under_test.BalancedTree.over(arms.size)
    stream = under_test.tree_ascent(0, tree, epsilon, match)
    return walk(stream, arms.decide, arms.size).matches


@precisely
def tree_ascent(under_test: Implementation, depth: Depth) -> Attained:
    """Return TreeAscent's cost at the end of the domain."""
    exponent = by_depth(depth, 12, 14, 16)
    arms = clustered(exponent)
    duels = arms.cost(_pass(under_test, arms, NEARLY_ONE))
    value = ratio(ball(arms.expected(duels, duels)), arms.scale(NEARLY_ONE))
    return Attained(value, f"N = 2^{exponent} + 1, gap -> 1/2, epsilon -> 1")


def _weak(under_test: Implementation, depth: Depth, warm_start: Confidence | None) -> Attained:
    """Return the weak regret of the warm start; later there is none (the winner is found)."""
    exponent = by_depth(depth, 12, 14, 16)
    arms = clustered(exponent)
    tree = under_test.BalancedTree.over(arms.size)
    level = under_test.schedules.WEAK_WARM_START if warm_start is None else warm_start
    stream = under_test.tg_ite_weak(0, tree, match, level)
    path = walk(stream, arms.decide, 2 * arms.size, announcements=1)
    matches = path.matches
    value = ratio(
        ball(arms.expected(arms.cost(matches, weak=True), arms.cost(matches))),
        arms.scale(warm_start),
    )
    at_level = "" if warm_start is None else ", delta -> 1"
    return Attained(value, f"N = 2^{exponent} + 1, gap -> 1/2{at_level}")


@precisely
def weak(under_test: Implementation, depth: Depth) -> Attained:
    """Return TG-ITE-Weak's regret at the end of the domain."""
    return _weak(under_test, depth, None)


@precisely
def weak_high_confidence(under_test: Implementation, depth: Depth) -> Attained:
    """Return the same with a warm start at a level near 1."""
    return _weak(under_test, depth, NEARLY_ONE)


@precisely
def weak_tail(under_test: Implementation, depth: Depth) -> Attained:
    """Return the first epoch's regret from an incumbent that loses to everybody."""
    exponent = by_depth(depth, 12, 14, 16)
    arms = EndOfDomain(2**exponent, 0)
    schedules = under_test.schedules
    rho, kappa = schedules.screening_level(1), schedules.replacement_level(1)
    worst = arms.size - 1
    stream = under_test.screen_and_replace(worst, rho, kappa, arms.size, match)
    matches = walk(stream, arms.decide, 2 * arms.size).matches
    value = ratio(
        ball(arms.expected(arms.cost(matches, weak=True), arms.cost(matches))), arms.scale(None)
    )
    return Attained(value, f"N = 2^{exponent}, gap -> 1/2, c_0 loses to all")


@precisely
def epoch(under_test: Implementation, depth: Depth) -> Attained:
    """Return an epoch's regret from an incumbent that loses to everybody, for a tiny gap.

    The limit of small gaps: log(1/gap) = L is large, kappa a constant and rho = 1/L, so that the
    right side is close to L, while every test takes nearly 2 L/gap^2 duels (:func:`.slow_test`). N
    = 2^50, so that the few matches of the winner hardly count; B misses an arm with probability at
    most rho.
    """
    halvings = 2**24
    L = halvings * log_integer_ball(2)
    log_kappa = arb(20)
    log_rho = L.log()
    screening, replacing = slow_test(L, log_rho), slow_test(L, log_kappa)
    beaters = 1 - 1 / L
    # The winner's matches (one screening, at most 51 others) are less than 2^-40 of all.
    cost = (screening + beaters * replacing) * (1 - ball(Fraction(1, 2**40)))
    right = log_rho + log_kappa + L + 1 + (log_kappa + L + 1) / L
    value = below((cost / right).lower())
    return Attained(value, f"gap = 2^-{halvings}, rho = 1/log(1/gap), kappa = e^-20, N = 2^50")


@precisely
def strong_known(under_test: Implementation, depth: Depth) -> Attained:
    """Return the known-horizon regret, without the 1 of the bound, at the end of the domain."""
    N, H = 33, 1219
    arms = EndOfDomain(N, N - 1)
    tree = under_test.BalancedTree.over(N)
    shortest = timed(lambda question, winner: least_duels(question.delta))
    stream = under_test.tg_ite_strong_known_horizon(0, tree, H, shortest)
    path = walk(stream, arms.decide, N)
    duels = min(arms.cost(path.matches), H)
    regret = ball(arms.expected(duels, H) - 1)
    gap = ball(HALF - TINY)
    scale = N / (gap * gap) * (log_integer_ball(H + 1) - gap.log() + 1)
    return Attained(ratio(regret, scale), f"N = {N}, H = {H}, gap -> 1/2")


@precisely
def strong_anytime(under_test: Implementation, depth: Depth) -> Attained:
    """Return the anytime regret, without loglog(T+2) + 1, where the fifth pass ends.

    The winner is the starting arm, so that every pass sees the same, costly blocks.
    """
    N, phases = 129, 5
    arms = EndOfDomain(N, 0)
    tree = under_test.BalancedTree.over(N)
    stream = under_test.tg_ite_strong_anytime(0, tree, match)
    path = walk(stream, arms.decide, phases * N, announcements=phases)
    T = duels = played = 0
    for asked in path.asked:
        if isinstance(asked, Match):
            duels += least_duels(asked.delta)
        elif isinstance(asked, SelfPlay):
            played += asked.rounds
        else:
            # A pass has ended: the time up to here, before the self-play that follows.
            T = duels + played
    gap = ball(HALF - TINY)
    double_log = (log_integer_ball(T + 2)).log() + 1
    regret = ball(arms.expected(duels, duels)) - double_log
    scale = N / (gap * gap) * (log_integer_ball(T + 1) + double_log * (1 - gap.log()))
    return Attained(ratio(regret, scale), f"N = {N}, T = {T} (end of pass {phases}), gap -> 1/2")
