"""Expected strong regret of the two policies (``alg:tlcr-strong-known``, ``-anytime``), enclosed.

Every round costs one, except the winner's self-play: so all depends on when passes end with the
winner. For few arms and rounds that law is computed; else the regret is enclosed from a pass's
exact mean and standard deviation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.preferences import Preferences
from tgite.questions import Arm
from tgite.schedules import anytime_level, known_horizon_level, self_play_rounds
from tgite.tree import BalancedTree
from tgite.tree_ascent import tree_ascent
from tgite_checks.enclosure import Enclosure
from tgite_checks.laws.arithmetic import ONE, ZERO, minus, plus, times, up
from tgite_checks.laws.boundary import Floats
from tgite_checks.laws.bracket import TournamentLaw, bracket
from tgite_checks.laws.cost import CostDistribution, certainly, cost_distribution
from tgite_checks.laws.match_law import MatchLaws, Part
from tgite_checks.laws.pairs import Pairs, pairs
from tgite_checks.laws.tree_ascent import tree_ascent_law

# The law of the cost is computed where that takes no more operations than this.
_MOST_OPERATIONS = 5 * 10**9


@dataclass(frozen=True, slots=True)
class StrongRegret:
    """``E[R_T^str]``, with the laws of the passes that it was enclosed from.

    ``passes``: the law of each phase's pass from the winner (for the first phase, and for the known
    horizon, from ``b_0``). ``left_out`` bounds the probability of the runs that were not followed.
    ``exact``: whether it was computed from the whole law of the cost, so that the enclosure holds
    rounding errors only.
    """

    total: Enclosure
    passes: tuple[TournamentLaw, ...]
    exact: bool
    left_out: float = 0.0


@dataclass(frozen=True, slots=True)
class _Setting:
    """What the passes of a policy are played on."""

    tree: BalancedTree
    preferences: Preferences
    known: Pairs
    match_laws: MatchLaws
    conventions: Conventions

    def law(self, b: Arm, epsilon: Confidence) -> TournamentLaw:
        """Return the moments of a pass."""
        return tree_ascent_law(
            b,
            self.tree,
            epsilon,
            self.preferences,
            self.match_laws,
            self.conventions,
            sorted_pairs=self.known,
        )

    def distribution(self, b: Arm, epsilon: Confidence, horizon: int) -> CostDistribution:
        """Return the whole law of a pass up to the horizon."""
        played = bracket(lambda test: tree_ascent(b, self.tree, epsilon, test, self.conventions))
        return cost_distribution(played, self.known, self.match_laws, horizon)


@checked
def strong_regret_known_horizon(
    b_0: Arm,
    tree: BalancedTree,
    H: int,
    preferences: Preferences,
    match_laws: MatchLaws,
    exact: bool | None = None,
    conventions: Conventions = RULINGS,
) -> StrongRegret:
    """Enclose the expected strong regret of TG-ITE-Strong-KnownHorizon over its ``H`` rounds.

    It is ``H - E[(H - tau)^+; the winner is identified]``, tau the duels of the whole pass: from
    the law of tau if ``exact`` (by default where arms and rounds are few), else from its moments.
    Raises :class:`~tgite.errors.InvalidInput` where the test's guarantees do not hold.
    """
    match_laws.require(preferences)
    setting = _Setting(tree, preferences, pairs(preferences), match_laws, conventions)
    winner = preferences.winner()
    law = setting.law(b_0, known_horizon_level(H))
    if exact is None:
        exact = preferences.size**2 * H**2 <= _MOST_OPERATIONS
    if exact:
        cost = setting.distribution(b_0, known_horizon_level(H), H)
        free = cost.expectation(winner, _time_left_at(H, H))
    else:
        free = _time_left(law.survives[winner], H)
    return StrongRegret(minus(Enclosure.exactly(H), free), (law,), exact)


@checked
def strong_regret_anytime(
    b_0: Arm,
    tree: BalancedTree,
    T: int,
    preferences: Preferences,
    match_laws: MatchLaws,
    exact: bool | None = None,
    followed: Callable[[Arm], bool] | None = None,
    conventions: Conventions = RULINGS,
) -> StrongRegret:
    """Enclose the expected strong regret of TG-ITE-Strong-Anytime after ``T`` rounds.

    It is T less the expected rounds of the winner's self-play, phase by phase: from the law of the
    passes' duels if ``exact`` (by default where arms and rounds are few), else from their moments.
    A phase starts from the incumbent of the phase before; for the moments, those that ``followed``
    refuses are left out and bounded (by default all are followed up to 16 arms, only the winner
    beyond). Raises :class:`~tgite.errors.InvalidInput` where the test's guarantees do not hold.
    """
    match_laws.require(preferences)
    setting = _Setting(tree, preferences, pairs(preferences), match_laws, conventions)
    if exact is None:
        exact = preferences.size**3 * T**2 <= _MOST_OPERATIONS
    if exact:
        return _anytime_from_laws(b_0, T, setting)
    winner = preferences.winner()
    few = preferences.size <= 16
    return _anytime_from_moments(b_0, T, setting, followed or (lambda arm: few or arm == winner))


def _anytime_from_laws(b_0: Arm, T: int, setting: _Setting) -> StrongRegret:
    """Follow the law of (rounds so far, incumbent) from phase to phase."""
    winner = setting.preferences.winner()
    held = certainly(b_0, T)
    free: list[Enclosure] = []
    passes: list[TournamentLaw] = []
    s, started = 1, 0
    # Phase s starts at the earliest after all self-play before it.
    while started < T:
        epsilon, B = anytime_level(s), self_play_rounds(s)
        steps = {c: setting.distribution(c, epsilon, T) for c in held.masses}
        passes.append(setting.law(winner if s > 1 else b_0, epsilon))
        reached = held.then(steps)
        free.append(reached.expectation(winner, _time_left_at(T, T, most=B)))
        held = reached.later(min(B, T + 1))
        started += B
        s += 1
    return StrongRegret(minus(Enclosure.exactly(T), plus(*free)), tuple(passes), True)


def _time_left_at(K: int, horizon: int, most: int | None = None) -> Floats:
    """Return ``min(most, (K - t)^+)`` for t = 0..horizon."""
    left = np.maximum(0, K - np.arange(horizon + 1)).astype(np.float64)
    return left if most is None else np.minimum(left, float(most))


def _anytime_from_moments(
    b_0: Arm, T: int, setting: _Setting, followed: Callable[[Arm], bool]
) -> StrongRegret:
    """Follow the moments of the passes' duels from phase to phase."""
    winner = setting.preferences.winner()
    # At the end of each phase's pass: the duels of all passes, by incumbent.
    held: dict[Arm, Part] = {b_0: Part(ONE, ZERO, ZERO)}
    left_out = 0.0
    free: list[Enclosure] = []
    passes: list[TournamentLaw] = []
    s, rounds = 1, T
    while rounds > 0:
        epsilon, B = anytime_level(s), self_play_rounds(s)
        passes.append(setting.law(winner if s > 1 else b_0, epsilon))
        reached: dict[Arm, Part] = {}
        for c, so_far in held.items():
            for arm, part in setting.law(c, epsilon).survives.items():
                added = _one_after_the_other(so_far, part)
                reached[arm] = _either(reached[arm], added) if arm in reached else added
        played = _time_left(reached[winner], rounds)
        if rounds > B:
            played = minus(played, _time_left(reached[winner], rounds - B))
        most = up(min(B, rounds) * min(1.0, reached[winner].probability.high))
        unknown = up(left_out * min(B, rounds)) if left_out > 0 else 0.0
        free.append(Enclosure(min(played.low, most), up(min(played.high, most) + unknown)))
        held = {arm: part for arm, part in reached.items() if followed(arm)}
        lost = [part.probability for arm, part in reached.items() if not followed(arm)]
        left_out = plus(Enclosure(0.0, left_out), *lost).high
        rounds -= B
        s += 1
    total = minus(Enclosure.exactly(T), plus(*free))
    return StrongRegret(total, tuple(passes), False, left_out)


def _time_left(part: Part, K: int) -> Enclosure:
    """Enclose ``E[(K - X)^+; A]``, given the probability of A and the moments of X on it.

    At least ``E[K - X; A]`` and 0; and ``(K - X)^+ = (|K - X| + K - X) / 2``, where Cauchy and
    Schwarz bound ``E[|K - X|; A]`` by ``sqrt(P(A) E[(K - X)**2; A])``.
    """
    p, m, s = part.probability, part.duels, part.squared_duels
    low = max(0.0, K * p.low - m.high)
    # The terms of a sum are rounded a few times each, relative to the largest of them.
    squares = float(K) * K * p.high, 2.0 * K * m.low, s.high
    square = max(0.0, squares[0] - squares[1] + squares[2]) + 2.0**-50 * sum(squares)
    difference = K * p.high - m.low
    high = min(K * p.high, (sqrt(p.high * square) + difference) / 2)
    slack = 2.0**-50 * (K * p.high + m.high)
    return Enclosure(max(0.0, low - slack), max(low, high + slack))


def _one_after_the_other(first: Part, second: Part) -> Part:
    """Return the moments of a sum of independent costs, on the product of two events."""
    two = Enclosure(2.0, 2.0)
    return Part(
        times(first.probability, second.probability),
        plus(times(first.duels, second.probability), times(first.probability, second.duels)),
        plus(
            times(first.squared_duels, second.probability),
            times(two, first.duels, second.duels),
            times(first.probability, second.squared_duels),
        ),
    )


def _either(first: Part, second: Part) -> Part:
    """Return the moments on the union of two events that exclude each other."""
    return Part(
        plus(first.probability, second.probability),
        plus(first.duels, second.duels),
        plus(first.squared_duels, second.squared_duels),
    )
