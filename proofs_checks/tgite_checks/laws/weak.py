"""Expected weak regret of TG-ITE-Weak (``alg:tlcr-weak``), enclosed.

The incumbents form a Markov chain over the epochs, whose steps are the exact laws of
ScreenAndReplace where arms are few; what comes after the last epoch computed is bounded by the
paper's own lemmas, with explicit constants.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.preferences import Preferences
from tgite.questions import Arm
from tgite.schedules import (
    WEAK_WARM_START,
    bkt_round_level,
    replacement_level,
    screening_level,
)
from tgite.tree import BalancedTree
from tgite_checks.enclosure import Enclosure
from tgite_checks.laws.arithmetic import ZERO, plus, times
from tgite_checks.laws.bracket import TournamentLaw
from tgite_checks.laws.match_law import MatchLaws
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


@checked
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
    Raises :class:`~tgite.errors.InvalidInput` where the test's guarantees do not hold.
    """
    match_laws.require(preferences)
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
            played.append(Epoch(s, wrong, Enclosure(0.0, regret * _OUTWARD), Enclosure(0.0, after)))
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
