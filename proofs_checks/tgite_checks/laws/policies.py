"""Expected regret of the policies (``alg:tlcr-weak`` and the two ``alg:tlcr-strong``), enclosed.

Weak regret: the incumbents form a Markov chain over the epochs, whose steps are the exact laws of
ScreenAndReplace for few arms; what comes after the last epoch computed is bounded by the paper's
own lemmas, with explicit constants. Strong regret: every round costs one but the winner's
self-play, so that all depends on when passes end with the winner; from a pass's exact mean and
standard deviation this is enclosed, not computed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.preferences import Preferences, require_condorcet_gap
from tgite.questions import Arm
from tgite.schedules import (
    WEAK_WARM_START,
    anytime_level,
    bkt_round_level,
    known_horizon_level,
    replacement_level,
    screening_level,
    self_play_rounds,
)
from tgite.tree import BalancedTree
from tgite_checks.enclosure import Enclosure
from tgite_checks.laws.arithmetic import ONE, ZERO, minus, plus, times, up
from tgite_checks.laws.bracket import TournamentLaw
from tgite_checks.laws.match_law import MatchLaws, Part
from tgite_checks.laws.pairs import Pairs, pairs
from tgite_checks.laws.screen_and_replace import screen_and_replace_law
from tgite_checks.laws.tree_ascent import tree_ascent_law

_OUTWARD = 1.0 + 1e-9


@dataclass(frozen=True, slots=True)
class Epoch:
    """One epoch of the weak policy: its expected weak regret, and whether its incumbent is wrong.

    ``wrong_before`` and ``wrong_after``: the probability that the incumbent before and after it is
    not the winner.
    """

    s: int
    wrong_before: Enclosure
    weak_regret: Enclosure
    wrong_after: Enclosure


@dataclass(frozen=True, slots=True)
class WeakRegret:
    """``E[R_inf^weak]`` and what it is made of: the warm start, the epochs, all later epochs."""

    total: Enclosure
    warm_start: TournamentLaw
    epochs: tuple[Epoch, ...]
    later: Enclosure


def weak_regret(
    b_0: Arm,
    tree: BalancedTree,
    preferences: Preferences,
    match_laws: MatchLaws,
    warm_start: Confidence = WEAK_WARM_START,
    epochs: int = 20,
    exact_epochs: int | None = None,
    conventions: Conventions = RULINGS,
) -> WeakRegret:
    """Enclose the expected weak regret of the infinite run of TG-ITE-Weak from ``b_0``.

    The first ``exact_epochs`` epochs (by default 4 up to 6 arms, else none) are computed, as a
    Markov chain of incumbents; the next ones, up to ``epochs`` in all, are bounded with the exact
    error probabilities of the winner's matches; the infinitely many later ones by the paper's.
    Raises :class:`~tgite.errors.InvalidInput` where two arms tie, and
    :class:`~tgite.errors.NoCondorcetWinner` without a winner.
    """
    require_condorcet_gap(preferences)
    known = pairs(preferences)
    first = tree_ascent_law(
        b_0, tree, warm_start, preferences, match_laws, conventions, sorted_pairs=known
    )
    chain = _Chain(preferences, known, match_laws, conventions)
    if exact_epochs is None:
        exact_epochs = 4 if preferences.size <= 6 else 0
    computed, wrong = chain.exact_epochs(first, exact_epochs)
    bounded, wrong = chain.bounded_epochs(wrong, exact_epochs + 1, epochs)
    played = computed + bounded
    later = chain.later_epochs(wrong, epochs + 1)
    assert first.weak_regret is not None
    total = plus(first.weak_regret.mean, *(epoch.weak_regret for epoch in played), later)
    return WeakRegret(total, first, played, later)


class _Chain:
    """The epochs of the weak policy on one instance."""

    def __init__(
        self,
        preferences: Preferences,
        known: Pairs,
        match_laws: MatchLaws,
        conventions: Conventions,
    ) -> None:
        self._preferences = preferences
        self._known = known
        self._match_laws = match_laws
        self._conventions = conventions
        self._winner = preferences.winner()
        self._N = preferences.size

    def exact_epochs(
        self, first: TournamentLaw, epochs: int
    ) -> tuple[tuple[Epoch, ...], Enclosure]:
        """Compute the incumbents' chain; return the epochs and the last chance of a wrong one."""
        held = {arm: part.probability for arm, part in first.survives.items()}
        played: list[Epoch] = []
        wrong = self._wrong(held)
        for s in range(1, epochs + 1):
            reached = dict.fromkeys(range(self._N), ZERO)
            regrets: list[Enclosure] = []
            for c, probability in held.items():
                if probability.high == 0:
                    continue
                law = screen_and_replace_law(
                    c,
                    screening_level(s),
                    replacement_level(s),
                    self._preferences,
                    self._match_laws,
                    self._conventions,
                    sorted_pairs=self._known,
                )
                assert law.weak_regret is not None
                regrets.append(times(probability, law.weak_regret.mean))
                for arm, part in law.survives.items():
                    reached[arm] = plus(reached[arm], times(probability, part.probability))
            before, wrong = wrong, self._wrong(reached)
            played.append(Epoch(s, before, plus(*regrets), wrong))
            held = reached
        return tuple(played), wrong

    def _wrong(self, held: dict[Arm, Enclosure]) -> Enclosure:
        return plus(*(probability for arm, probability in held.items() if arm != self._winner))

    def bounded_epochs(
        self, wrong: Enclosure, start: int, last: int
    ) -> tuple[tuple[Epoch, ...], Enclosure]:
        """Bound the epochs ``start..last``, given the probability of a wrong incumbent before."""
        played: list[Epoch] = []
        for s in range(start, last + 1):
            rho, kappa = screening_level(s), replacement_level(s)
            whole, match = self._longest(s)
            false_beaters = plus(*(self._winner_loses(rho, j) for j in self._others()))
            regret = wrong.high * whole + false_beaters.high * match
            # A wrong incumbent stays wrong with at most rho + kappa; the winner is replaced by a
            # false beater only.
            stays = float(rho.rational + kappa.rational)
            after = min(1.0, (wrong.high * stays + false_beaters.high) * _OUTWARD)
            played.append(
                Epoch(s, wrong, Enclosure(0.0, regret * _OUTWARD), Enclosure(0.0, after))
            )
            wrong = Enclosure(0.0, after)
        return tuple(played), wrong

    def _others(self) -> list[Arm]:
        return [arm for arm in range(self._N) if arm != self._winner]

    def _winner_loses(self, delta: Confidence, j: Arm) -> Enclosure:
        place = int(self._known.index[self._winner, j])
        law = self._match_laws.law(delta, self._known.probabilities[place])
        return law.second.probability

    def _longest(self, s: int) -> tuple[float, float]:
        """Bound the expected duels of one whole epoch s, and of one of its replacement matches.

        Each match has one duel added, for :meth:`later_epochs`.
        """
        gap = self._preferences.global_gap()
        rounds = max(1, (self._N - 1).bit_length())
        screening = self._match_laws.longest_mean(screening_level(s), gap)
        # The last round of BKT has the smallest level, hence the largest bound.
        last_round = bkt_round_level(replacement_level(s), rounds)
        replacement = self._match_laws.longest_mean(last_round, gap)
        whole = (self._N - 1) * (screening + replacement + 2)
        return whole * _OUTWARD, (replacement + 1) * _OUTWARD

    def later_epochs(self, wrong: Enclosure, start: int) -> Enclosure:
        """Bound the expected weak regret of the epochs ``start, start + 1, ...`` to infinity.

        With ``rho_s = kappa_s = 4**-(s+2)``. An incumbent that is not the winner, of probability at
        most ``wrong`` before the first of them and ``2 * 4**-(s+1)`` before the others
        (``lem:app-one-step-repair``), costs at most the whole epoch. The winner as incumbent costs
        only what false beaters, ``(N-1) rho_s`` in the mean, play: a match each. A bound
        ``X(L)`` of a match's mean at ``log(1/delta) = L`` satisfies ``X(t L) + 1 <= t (X(L) + 1)``
        for ``t >= 1`` (:meth:`~tgite_checks.laws.match_law.MatchLaws.longest_mean`), so that the
        bounds grow no faster than ``s + 2`` does.
        """
        whole, match = self._longest(start)
        first = wrong.high * whole
        growth = start + 2
        wrong_later = 2 * whole / growth * _weighted_powers(start + 1, shift=1)
        false_beaters = (self._N - 1) * match / growth * _weighted_powers(start, shift=2)
        return Enclosure(0.0, (first + wrong_later + false_beaters) * _OUTWARD)


def _weighted_powers(start: int, shift: int) -> float:
    """Return the sum over ``s >= start`` of ``(s + 2) 4**-(s + shift)``."""
    scale = Fraction(1, 4 ** (start + shift))
    return float(scale * ((start + 2) * Fraction(4, 3) + Fraction(4, 9)))


@dataclass(frozen=True, slots=True)
class StrongRegret:
    """``E[R_T^str]``, with the laws of the passes that it was enclosed from.

    ``passes``: the law of each phase's pass from the winner (of the one pass from ``b_0``, for the
    known horizon). ``left_out`` bounds the probability of the runs that were not followed.
    """

    total: Enclosure
    passes: tuple[TournamentLaw, ...]
    left_out: float = 0.0


def strong_regret_known_horizon(
    b_0: Arm,
    tree: BalancedTree,
    H: int,
    preferences: Preferences,
    match_laws: MatchLaws,
    conventions: Conventions = RULINGS,
) -> StrongRegret:
    """Enclose the expected strong regret of TG-ITE-Strong-KnownHorizon over its ``H`` rounds.

    It is ``H - E[(H - tau)^+; the winner is identified]``, tau the duels of the whole pass. Raises
    :class:`~tgite.errors.InvalidInput` where two arms tie, and
    :class:`~tgite.errors.NoCondorcetWinner` without a winner.
    """
    require_condorcet_gap(preferences)
    law = tree_ascent_law(
        b_0, tree, known_horizon_level(H), preferences, match_laws, conventions
    )
    free = _time_left(law.survives[preferences.winner()], H)
    return StrongRegret(minus(Enclosure.exactly(H), free), (law,))


def strong_regret_anytime(
    b_0: Arm,
    tree: BalancedTree,
    T: int,
    preferences: Preferences,
    match_laws: MatchLaws,
    followed: Callable[[Arm], bool] | None = None,
    conventions: Conventions = RULINGS,
) -> StrongRegret:
    """Enclose the expected strong regret of TG-ITE-Strong-Anytime after ``T`` rounds.

    It is T less the expected rounds of the winner's self-play, phase by phase. A phase starts from
    the incumbent of the phase before; those that ``followed`` refuses are left out and bounded (by
    default all are followed up to 16 arms, only the winner beyond). Errors as for the known
    horizon.
    """
    require_condorcet_gap(preferences)
    winner = preferences.winner()
    if followed is None:
        few = preferences.size <= 16

        def followed(arm: Arm) -> bool:
            return few or arm == winner

    known = pairs(preferences)
    # At the end of each phase's pass: the duels of all passes, by incumbent.
    held: dict[Arm, Part] = {b_0: Part(ONE, ZERO, ZERO)}
    left_out = 0.0
    free: list[Enclosure] = []
    passes: list[TournamentLaw] = []
    rounds = T
    s = 1
    while rounds > 0:
        reached: dict[Arm, Part] = {}
        for c, so_far in held.items():
            law = tree_ascent_law(
                c, tree, anytime_level(s), preferences, match_laws, conventions, sorted_pairs=known
            )
            if c == winner or s == 1:
                passes.append(law)
            for arm, part in law.survives.items():
                added = _one_after_the_other(so_far, part)
                reached[arm] = _either(reached[arm], added) if arm in reached else added
        B = self_play_rounds(s)
        played = _time_left(reached[winner], rounds)
        if rounds > B:
            unplayed = _time_left(reached[winner], rounds - B)
            played = minus(played, unplayed)
        most = up(min(B, rounds) * min(1.0, reached[winner].probability.high))
        free.append(
            Enclosure(
                min(played.low, most), min(played.high, most) + up(left_out * min(B, rounds))
            )
        )
        held = {arm: part for arm, part in reached.items() if followed(arm)}
        left_out = up(
            left_out
            + plus(*(p.probability for arm, p in reached.items() if not followed(arm))).high
        )
        rounds -= B
        s += 1
    return StrongRegret(minus(Enclosure.exactly(T), plus(*free)), tuple(passes), left_out)


def _time_left(part: Part, K: int) -> Enclosure:
    """Enclose ``E[(K - X)^+; A]``, given the probability of A and the moments of X on it.

    At least ``E[K - X; A]`` and 0; and ``(K - X)^+ = (|K - X| + K - X) / 2``, where Cauchy and
    Schwarz bound ``E[|K - X|; A]`` by ``sqrt(P(A) E[(K - X)**2; A])``.
    """
    p, m, s = part.probability, part.duels, part.squared_duels
    low = max(0.0, K * p.low - m.high)
    square = max(0.0, float(K) * K * p.high - 2.0 * K * m.low + s.high)
    difference = K * p.high - m.low
    high = min(K * p.high, (sqrt(p.high * square) + difference) / 2)
    # The terms are rounded a few times each, relative to the largest of them.
    slack = 2.0**-50 * (K * p.high + m.high)
    return Enclosure(max(0.0, low - slack), max(low, high + slack))


def _one_after_the_other(first: Part, second: Part) -> Part:
    """Return the moments of a sum of independent costs, on the product of two events."""
    two = Enclosure(2.0, 2.0)
    return Part(
        times(first.probability, second.probability),
        plus(
            times(first.duels, second.probability), times(first.probability, second.duels)
        ),
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
