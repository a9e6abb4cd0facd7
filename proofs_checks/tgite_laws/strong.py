"""Expected strong regret of the two policies (``alg:tlcr-strong-known``, ``-anytime``), enclosed.

Every round costs 1, except the winner's self-play. So the regret depends on when passes end with
the winner. For few arms and rounds, the law of these times is computed. Otherwise the regret is
enclosed from a pass's exact mean and standard deviation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from tgite.checked import checked
from tgite.conventions import RULINGS, Conventions
from tgite.errors import InvalidInput
from tgite.preferences import Preferences
from tgite.questions import Arm
from tgite_laws.any_start import pass_from_anywhere
from tgite_laws.arithmetic import minus, plus, up
from tgite_laws.boundary import Floats
from tgite_laws.bracket import Bracket, TournamentLaw, bracket_law
from tgite_laws.cost import CostDistribution, cost_distribution, zero_cost
from tgite_laws.enclosure import Enclosure
from tgite_laws.implementation import StrongAnytime, StrongKnownHorizon, Tree
from tgite_laws.match_law import NO_COST, NOTHING, MatchLaws, Part
from tgite_laws.pairs import Pairs, pairs
from tgite_laws.policies import Block, Policy, segment

# The full law of the cost is computed if it takes at most this number of operations.
_MOST_OPERATIONS = 5 * 10**9
# For a pass from an unknown arm, laws are computed for at most this number of kinds of pairs.
_FEW = 8
_UNKNOWN = Enclosure(0.0, inf)


@dataclass(frozen=True, slots=True)
class StrongRegret:
    """An enclosure of ``E[R_T^str]``, with the laws of the passes behind it.

    - ``passes``: the law of each phase's pass from the winner. In the first phase, and for the
      known horizon, the pass starts from ``b_0``.
    - ``left_out``: a bound on the probability of the runs that were not followed.
    - ``exact``: whether the full law of the cost was used, so that the enclosure is only as wide as
      the rounding errors.
    """

    total: Enclosure
    passes: tuple[TournamentLaw, ...]
    exact: bool
    left_out: float = 0.0


@dataclass(frozen=True, slots=True)
class _Setting:
    policy: Policy
    known: Pairs
    match_laws: MatchLaws
    winner: Arm

    def phases(self, s: int, incumbents: Iterable[Arm]) -> tuple[dict[Arm, Bracket], Block]:
        """Return phase ``s + 1``: its pass from each of these incumbents, and its self-play."""
        found: dict[Arm, Bracket] = {}
        blocks: set[Block] = set()
        for c in incumbents:
            phase = segment(self.policy, s, c, self_play=True)
            if phase is None:
                raise InvalidInput("policy", s, "must go on after this announcement")
            found[c] = phase.played
            blocks.add(phase.after)
        if len(blocks) != 1:
            raise InvalidInput("policy", blocks, "must ask for the same self-play whoever starts")
        return found, blocks.pop()

    def self_played(self, block: Block, survivors: Iterable[Arm]) -> list[Arm]:
        """Return the survivors of a pass that make the following block self-play of the winner."""
        if block.arm is None:
            return [arm for arm in survivors if arm == self.winner]
        return list(survivors) if block.arm == self.winner else []

    def law(self, played: Bracket) -> TournamentLaw:
        """Return the survivor probabilities and moments of a pass."""
        return bracket_law(played, self.known, self.match_laws, self.winner)

    def distribution(self, played: Bracket, horizon: int) -> CostDistribution:
        """Return the full law of a pass's cost up to the horizon."""
        return cost_distribution(played, self.known, self.match_laws, horizon + 1)

    def from_anywhere(self, s: int, so_far: Part, played: dict[Arm, Bracket]) -> tuple[Part, Part]:
        """Bound phase ``s + 1``'s pass from unknown arms: winner survives, winner lost.

        ``played`` holds the phase's pass from some arms. These and a few more passes are compared:
        the levels of their matches, and the number of matches of the winner. If all are equal, they
        are assumed to be equal from every arm. If not, or with many kinds of pairs, the bounds are
        trivial.
        """
        some = played | self.phases(s, (0, self.known.size // 2, self.known.size - 1))[0]
        alike = {
            (frozenset(one.levels().items()), len(one.path(self.winner))) for one in some.values()
        }
        if len(alike) > 1 or len(self.known.met()) > _FEW:
            return NOTHING, Part(Enclosure(0.0, so_far.probability.high), _UNKNOWN, _UNKNOWN)
        one = next(iter(played.values()))
        anywhere = pass_from_anywhere(
            one.levels(), len(one.path(self.winner)), self.known, self.match_laws, self.winner
        )
        return anywhere.after(so_far)


@checked
def strong_regret_known_horizon(
    algorithm: StrongKnownHorizon,
    b_0: Arm,
    tree: Tree,
    H: int,
    preferences: Preferences,
    match_laws: MatchLaws,
    exact: bool | None = None,
    conventions: Conventions = RULINGS,
) -> StrongRegret:
    """Enclose the expected strong regret of TG-ITE-Strong-KnownHorizon over its ``H`` rounds.

    The regret is ``H - E[(H - tau)^+; the winner is self-played]``, where tau is the number of
    duels of the whole pass. It comes from the law of tau if ``exact`` (by default where arms and
    rounds are few), else from the moments of tau. The pass, its level and the self-play are read
    from ``algorithm``, in a run whose matches take one round each. Raises
    :class:`~tgite.errors.InvalidInput` where the test's guarantees do not hold.
    """
    match_laws.require(preferences)
    setting = _Setting(
        lambda test: algorithm(b_0, tree, H, test, conventions),
        pairs(preferences),
        match_laws,
        preferences.winner(),
    )
    found = segment(setting.policy, 0, b_0, self_play=True)
    if found is None:
        # There are more matches than rounds, so no pass ends in time.
        return StrongRegret(Enclosure.exactly(H), (), True)
    law = setting.law(found.played)
    last = min(H, len(found.played.matches) + found.after.rounds)
    if exact is None:
        exact = preferences.size**2 * H**2 <= _MOST_OPERATIONS
    free: list[Enclosure] = []
    cost = setting.distribution(found.played, H) if exact else None
    for arm in setting.self_played(found.after, law.survives):
        if cost is not None:
            free.append(cost.expectation(arm, _time_left_at(last, H)))
        else:
            free.append(_time_left(law.survives[arm], last))
    return StrongRegret(minus(Enclosure.exactly(H), plus(*free)), (law,), exact)


@checked
def strong_regret_anytime(
    algorithm: StrongAnytime,
    b_0: Arm,
    tree: Tree,
    T: int,
    preferences: Preferences,
    match_laws: MatchLaws,
    exact: bool | None = None,
    followed: Callable[[Arm], bool] | None = None,
    conventions: Conventions = RULINGS,
) -> StrongRegret:
    """Enclose the expected strong regret of TG-ITE-Strong-Anytime after ``T`` rounds.

    The regret is T minus the expected rounds of the winner's self-play, phase by phase. It comes
    from the law of the passes' duels if ``exact`` (by default where arms and rounds are few), else
    from their moments. A phase starts from the previous phase's incumbent, and is read from
    ``algorithm`` for each incumbent. With moments, runs with an incumbent that ``followed`` refuses
    are only bounded. By default all arms are followed up to 16 arms, and beyond only the winner.
    Raises :class:`~tgite.errors.InvalidInput` where the test's guarantees do not hold.
    """
    match_laws.require(preferences)
    winner, few = preferences.winner(), preferences.size <= 16
    setting = _Setting(
        lambda test: algorithm(b_0, tree, test, conventions), pairs(preferences), match_laws, winner
    )
    first = segment(setting.policy, 0, b_0, self_play=True)
    # The paper's policies have no self-play before their first pass.
    before = () if first is None else first.before
    self_play = sum(block.rounds for block in before)
    free = min(T, sum(block.rounds for block in before if block.arm == winner))
    if exact is None:
        exact = preferences.size**3 * T**2 <= _MOST_OPERATIONS
    if exact:
        return _anytime_from_laws(b_0, T, setting, self_play, free)
    keeps = followed or (lambda arm: few or arm == winner)
    return _anytime_from_moments(b_0, T, setting, self_play, free, keeps)


def _anytime_from_laws(
    b_0: Arm, T: int, setting: _Setting, started: int, free_before: int
) -> StrongRegret:
    """Return the regret from the law of (rounds so far, incumbent), phase by phase."""
    held = zero_cost(b_0, T + 1).later(min(started, T + 1))
    free = [Enclosure.exactly(free_before)]
    passes: list[TournamentLaw] = []
    s = 0
    # ``started`` counts the earlier self-play, so no phase starts before it.
    while started < T:
        starts = [c for c, mass in held.masses.items() if mass.any()]
        if not starts:
            break  # No earlier pass ends in time.
        played, block = setting.phases(s, starts)
        passes.append(setting.law(played.get(setting.winner, next(iter(played.values())))))
        reached = held.then({c: setting.distribution(played[c], T) for c in starts})
        for arm in setting.self_played(block, reached.masses):
            free.append(reached.expectation(arm, _time_left_at(T, T, most=block.rounds)))
        held = reached.later(min(block.rounds, T + 1))
        started += block.rounds
        s += 1
    return StrongRegret(minus(Enclosure.exactly(T), plus(*free)), tuple(passes), True)


def _time_left_at(K: int, horizon: int, most: int | None = None) -> Floats:
    """Return ``min(most, (K - t)^+)`` for t = 0..horizon."""
    left = np.maximum(0, K - np.arange(horizon + 1)).astype(np.float64)
    return left if most is None else np.minimum(left, float(most))


def _anytime_from_moments(
    b_0: Arm,
    T: int,
    setting: _Setting,
    started: int,
    free_before: int,
    followed: Callable[[Arm], bool],
) -> StrongRegret:
    """Return the regret from the moments of the passes' duels, phase by phase."""
    # At the end of each phase's pass: the duels of all passes so far, by incumbent. ``left_out``
    # holds the runs whose incumbent is not followed.
    held: dict[Arm, Part] = {b_0: NO_COST}
    left_out = NOTHING
    free = [Enclosure.exactly(free_before)]
    passes: list[TournamentLaw] = []
    s, rounds, winner = 0, T - started, setting.winner
    while rounds > 0:
        played, block = setting.phases(s, held)
        B = block.rounds
        laws = {c: setting.law(each) for c, each in played.items()}
        passes.append(laws.get(winner, next(iter(laws.values()))))
        reached: dict[Arm, Part] = {}
        for c, so_far in held.items():
            for arm, part in laws[c].survives.items():
                added = so_far.then(part)
                reached[arm] = reached[arm].either(added) if arm in reached else added
        unknown = NOTHING
        if left_out.probability.high > 0:
            found, unknown = setting.from_anywhere(s, left_out, played)
            reached[winner] = reached[winner].either(found) if winner in reached else found
        for arm in setting.self_played(block, reached):
            if rounds > B:
                left = _self_play_left(reached[arm], rounds, B)
            else:
                left = _time_left(reached[arm], rounds)
            most = up(min(B, rounds) * min(1.0, reached[arm].probability.high))
            free.append(Enclosure(min(left.low, most), min(left.high, most)))
        # After a pass that was left out, the winner may be self-played.
        free.append(Enclosure(0.0, up(unknown.probability.high * min(B, rounds))))
        held = {arm: part for arm, part in reached.items() if followed(arm)}
        for arm, part in reached.items():
            if not followed(arm):
                unknown = unknown.either(part)
        left_out = unknown
        rounds -= B
        s += 1
    total = minus(Enclosure.exactly(T), plus(*free))
    return StrongRegret(total, tuple(passes), False, left_out.probability.high)


def _time_left(part: Part, K: int) -> Enclosure:
    """Enclose ``E[(K - X)^+; A]``, given the probability of A and the moments of X on A."""
    p, m = part.probability, part.duels
    high = min(K * p.high, K * p.high - m.low + _overrun(part, K))
    slack = 2.0**-50 * (K * p.high + m.low)
    low = max(0.0, K * p.low - m.high - 2.0**-50 * (K * p.low + m.high))
    return Enclosure(low, max(low, high + slack))


def _self_play_left(part: Part, K: int, B: int) -> Enclosure:
    """Enclose ``E[min(B, (K - X)^+); A]`` for K above B, from the same moments.

    It equals ``B P(A) - E[(X - (K - B))^+; A] + E[(X - K)^+; A]``.
    """
    p, m = part.probability, part.duels
    slack = 2.0**-50 * (K * p.high + m.high)
    low = max(0.0, B * p.low - _overrun(part, K - B) - slack)
    begun = max(0.0, m.low - (K - B) * p.high)
    return Enclosure(low, max(low, B * p.high - begun + _overrun(part, K) + slack))


def _overrun(part: Part, K: int) -> float:
    """Bound ``E[(X - K)^+; A]`` from above.

    We have ``(X - K)^+ = (|X - K| - (K - X)) / 2``. Let ``d = E[K - X; A]`` and
    ``v = P(A) E[X**2; A] - E[X; A]**2``. By Cauchy-Schwarz, ``E[|X - K|; A]`` is at most
    ``sqrt(P(A) E[(K - X)**2; A]) = sqrt(d**2 + v)``. The bound decreases in d and increases in v.
    """
    p, m, s = part.probability, part.duels, part.squared_duels
    d = K * p.low - m.high
    # The rounding errors of both differences are relative to the larger of their terms.
    d -= 2.0**-50 * (K * p.low + m.high)
    v = max(0.0, p.high * s.high - m.low**2) + 2.0**-50 * (p.high * s.high + m.low**2)
    return max(0.0, sqrt(d * d + v) - d) / 2 + 2.0**-50 * (abs(d) + sqrt(v))
