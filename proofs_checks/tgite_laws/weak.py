"""Expected weak regret of TG-ITE-Weak (``alg:tlcr-weak``), enclosed.

The warm start and the epochs are read from the policy's own stream. The incumbents of the epochs
form a Markov chain. Its steps are computed where arms are few. Later epochs are bounded by the
paper's own lemmas, with explicit constants.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Never

from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.errors import InvalidInput
from tgite.preferences import Preferences
from tgite.questions import A, Arm, Incumbent, Match, PairwiseTest, Q, Stream, drive, match
from tgite_laws.arithmetic import ZERO, plus, times
from tgite_laws.bracket import TournamentLaw, bracket_law, cost_law
from tgite_laws.enclosure import Enclosure
from tgite_laws.exploration import explored
from tgite_laws.implementation import Tree, Weak
from tgite_laws.match_law import MatchLaws
from tgite_laws.pairs import Pairs, pairs
from tgite_laws.policies import segment

_OUTWARD = 1.0 + 1e-9
_FEW = 8
_EXACT_EPOCHS = 3
"""Bounds of this number of epochs use exact laws, if there are at most ``_FEW`` kinds of pairs."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """One epoch of the weak policy: its expected weak regret, and its probabilities of error.

    ``wrong_before`` and ``wrong_after`` are the probabilities that the incumbent before and after
    the epoch is not the winner.
    """

    s: int
    wrong_before: Enclosure
    weak_regret: Enclosure
    wrong_after: Enclosure


@dataclass(frozen=True, slots=True)
class WeakRegret:
    """``E[R_inf^weak]`` and its terms: the warm start, the epochs, all later epochs."""

    total: Enclosure
    warm_start: TournamentLaw
    epochs: tuple[Epoch, ...]
    later: Enclosure


@checked
def weak_regret(
    algorithm: Weak,
    b_0: Arm,
    tree: Tree,
    preferences: Preferences,
    match_laws: MatchLaws,
    warm_start: Confidence | None = None,
    epochs: int = 20,
    exact_epochs: int | None = None,
    conventions: Conventions = RULINGS,
) -> WeakRegret:
    """Enclose the expected weak regret of the infinite run of TG-ITE-Weak from ``b_0``.

    The structure is read from ``algorithm``. The default of ``warm_start`` is the algorithm's own.
    There are three groups of epochs:

    - The first ``exact_epochs`` epochs (by default 4 up to 6 arms, else none) are computed exactly,
      as a Markov chain of incumbents.
    - The next ones, up to ``epochs`` in all, are bounded with the exact error probabilities of the
      winner's matches.
    - The infinitely many later ones are bounded with the paper's error probabilities.
    Raises :class:`~tgite.errors.InvalidInput` where the test's guarantees do not hold.
    """
    match_laws.require(preferences)

    def policy(test: PairwiseTest[Q, A]) -> Stream[Q | Incumbent, A | None, Never]:
        if warm_start is None:
            return algorithm(b_0, tree, test, conventions)
        return algorithm(b_0, tree, test, conventions, warm_start=warm_start)

    known, winner = pairs(preferences), preferences.winner()
    start = segment(policy, 0, b_0, self_play=False)
    if start is None:
        raise InvalidInput("algorithm", algorithm, "must announce an incumbent")
    first = bracket_law(start.played, known, match_laws, winner)
    chain = _Chain(policy, known, match_laws, winner)
    if exact_epochs is None:
        exact_epochs = 4 if preferences.size <= 6 else 0
    computed, wrong = chain.exact_epochs(first, exact_epochs)
    seen = chain.epoch_bounds(epochs + 1, preferences.global_gap())
    bounded: list[Epoch] = []
    for s in range(exact_epochs + 1, epochs + 1):
        beaters = chain.false_beaters(seen[s - 1].screened)
        bounded.append(seen[s - 1].bound(s, wrong, beaters))
        wrong = bounded[-1].wrong_after
    later = seen[epochs].bound_from_here(epochs + 1, wrong)
    # If the winner takes no part in the warm start, all duels count.
    cost = first.comparisons if first.weak_regret is None else first.weak_regret
    played = (*computed, *bounded)
    total = plus(cost.mean, *(epoch.weak_regret for epoch in played), later)
    return WeakRegret(total, first, played, later)


@dataclass(frozen=True, slots=True)
class _State:
    """The policy's state after an announcement: the announced arm and the next match.

    ``replies`` is one sequence of replies that leads to this state. The policy goes on in the same
    way after any other such sequence.
    """

    announced: Arm
    asks: Match
    replies: tuple[Arm | None, ...] = field(compare=False)


_Policy = Callable[[PairwiseTest[Match, Arm]], Stream[Match | Incumbent, Arm | None, Never]]


def _epoch(
    policy: _Policy, test: PairwiseTest[Match, Arm], replies: tuple[Arm | None, ...]
) -> Stream[Match, Arm, _State]:
    """Continue the policy after these replies; return its state at the next announcement."""
    stream = policy(test)
    question = next(stream)
    for reply in replies:
        question = stream.send(reply)
    so_far = list(replies)
    while not isinstance(question, Incumbent):
        winner = yield _required_match(question)
        so_far.append(winner)
        question = stream.send(winner)
    asks = _required_match(stream.send(None))
    stream.close()
    return _State(question.arm, asks, (*so_far, None))


def _required_match(question: object) -> Match:
    if not isinstance(question, Match):
        raise InvalidInput("policy", question, "must ask for its test's matches")
    return question


class _Chain:
    def __init__(self, policy: _Policy, known: Pairs, match_laws: MatchLaws, winner: Arm) -> None:
        self._policy = policy
        self._known = known
        self._match_laws = match_laws
        self._winner = winner

    def exact_epochs(
        self, first: TournamentLaw, epochs: int
    ) -> tuple[tuple[Epoch, ...], Enclosure]:
        """Return the epochs, and the probability of a wrong incumbent after the last of them."""
        wrong = plus(
            *(part.probability for arm, part in first.survives.items() if arm != self._winner)
        )
        if epochs == 0:
            return (), wrong
        held = {self._won_by(arm): part.probability for arm, part in first.survives.items()}
        played: list[Epoch] = []
        for s in range(1, epochs + 1):
            reached: dict[_State, Enclosure] = {}
            regrets: list[Enclosure] = []
            for state, chance in held.items():
                if chance.high == 0:
                    continue
                found = explored(
                    functools.partial(_epoch, self._policy, replies=state.replies),
                    self._known,
                    self._match_laws,
                    self._winner,
                )
                weak = cost_law(found.weak_regret, found.never)
                regrets.append(times(chance, weak.mean))
                for after, part in found.all_duels.items():
                    added = times(chance, part.probability)
                    reached[after] = plus(reached.get(after, ZERO), added)
            before, wrong = (
                wrong,
                plus(*(p for state, p in reached.items() if state.announced != self._winner)),
            )
            played.append(Epoch(s, before, plus(*regrets), wrong))
            held = reached
        return tuple(played), wrong

    def _won_by(self, arm: Arm) -> _State:
        """Return the state after a warm start in which that arm wins all its matches."""
        return drive(
            _epoch(self._policy, match, ()), lambda m: m.second if m.second == arm else m.first
        )

    def epoch_bounds(self, last: int, gap: Fraction) -> tuple[_EpochBounds, ...]:
        """Return bounds for the epochs 1 to ``last``, read from their least and most matches.

        The winner is the incumbent. An epoch has the fewest matches if it wins all of them. It has
        the most if it loses all screenings, so that all arms play the tournament.
        """
        least = self._matches([0] * last)
        most = self._matches([len(screened) for screened in least])

        def longest(level: Confidence) -> float:
            return self._match_laws.longest_mean(level, gap)

        def exactly(level: Confidence) -> float:
            """Return the longest mean of the instance's own pairs."""
            return max(self._match_laws.law(level, p).mean.high for p in self._known.met())

        few = len(self._known.met()) <= _FEW
        exact = min(_EXACT_EPOCHS, last - 1) if few else 0
        return tuple(
            _EpochBounds.of(
                screened,
                all_asked[len(screened) :],
                # The last epoch's bound also serves all later epochs, so it must grow slowly.
                exactly if s <= exact else longest,
                self._winner,
            )
            for s, (screened, all_asked) in enumerate(zip(least, most, strict=True), start=1)
        )

    def _matches(self, lost: list[int]) -> list[list[Match]]:
        """Return each epoch's matches; in epoch k the winner loses only the first ``lost[k]``."""
        stream = self._policy(match)
        asked: list[list[Match]] = []
        question = next(stream)
        while True:
            reply = None
            if isinstance(question, Incumbent):
                if len(asked) == len(lost):
                    return asked
                asked.append([])
            else:
                playing = _required_match(question)
                first_wins = playing.second != self._winner
                if asked:
                    asked[-1].append(playing)
                    first_wins ^= len(asked[-1]) <= lost[len(asked) - 1]
                reply = playing.first if first_wins else playing.second
            question = stream.send(reply)

    def false_beaters(self, screened: list[Match]) -> float:
        """Bound the expected number of these matches that the winner loses."""
        lost: list[Enclosure] = []
        for asked in screened:
            p = self._known.probability(asked.first, asked.second)
            law = self._match_laws.law(asked.delta, p)
            lost.append((law.second if asked.first == self._winner else law.first).probability)
        return plus(*lost).high


@dataclass(frozen=True, slots=True)
class _EpochBounds:
    """Bounds on an epoch that is not computed exactly, by the paper's lemmas.

    - ``screened``: the winner's matches as incumbent.
    - ``rho`` and ``kappa``: the levels of the screening and of the tournament.
    - ``whole`` and ``match``: bounds on the expected duels of the whole epoch and of one match of
      its tournament, with one duel added to each match.
    - ``defended``: whether the winner, as incumbent, plays in the tournament itself.
    """

    screened: list[Match]
    rho: Fraction
    kappa: Fraction
    whole: float
    match: float
    defended: bool

    @staticmethod
    def of(
        screened: list[Match],
        tournament: list[Match],
        longest_mean: Callable[[Confidence], float],
        winner: Arm,
    ) -> _EpochBounds:
        """Return bounds for an epoch with these matches of screening and full tournament."""
        rho = {asked.delta for asked in screened}
        rounds = {asked.delta for asked in tournament}
        screening = max(map(longest_mean, rho), default=0.0)
        replacement = max(map(longest_mean, rounds), default=0.0)
        whole = len(screened) * (screening + 1) + len(tournament) * (replacement + 1)
        return _EpochBounds(
            screened,
            max((level.rational for level in rho), default=Fraction(0)),
            # The first round's level is 6/pi^2 times that of the whole tournament.
            max((level.rational for level in rounds), default=Fraction(0)),
            whole * _OUTWARD,
            (replacement + 1) * _OUTWARD,
            any(winner in (asked.first, asked.second) for asked in tournament),
        )

    def bound(self, s: int, wrong: Enclosure, false_beaters: float) -> Epoch:
        """Bound epoch s, given the probability of a wrong incumbent before it.

        Let K be the number of arms that beat the winner as incumbent. ``false_beaters`` bounds
        E[K]. If the winner plays in their tournament of K matches, at most K - 1 of these cost
        anything. ``E[K - 1; K >= 2]`` is at most ``E[K (K - 1)] / 2``. Screenings are independent,
        so this is at most ``E[K]**2 / 2``.
        """
        paid, lost = false_beaters, 1.0
        if self.defended:
            paid, lost = false_beaters**2 / 2, float(self.kappa)
        regret = wrong.high * self.whole + paid * self.match
        # A wrong incumbent stays wrong with probability at most rho + kappa. The winner is replaced
        # only if there is a false beater. If it plays in the tournament, the probability of that is
        # at most kappa then.
        stays = float(self.rho + self.kappa)
        after = min(1.0, (wrong.high * stays + min(1.0, false_beaters) * lost) * _OUTWARD)
        return Epoch(s, wrong, Enclosure(0.0, regret * _OUTWARD), Enclosure(0.0, after))

    def bound_from_here(self, start: int, wrong: Enclosure) -> Enclosure:
        """Bound the expected weak regret of all epochs from ``start`` (this one) on.

        From here on, levels are taken to fall by a factor of four each epoch,
        ``rho_s = kappa_s = 4**-(s+2)``.

        - An incumbent that is not the winner costs at most the whole epoch. Its probability is at
          most ``wrong`` before this epoch, and at most ``rho_s + kappa_s`` after epoch s
          (``lem:app-one-step-repair``).
        - The winner as incumbent costs only one match for each false beater. The mean number of
          false beaters is at most ``(N-1) rho_s``.
        - A bound ``X(L)`` of a match's mean at ``log(1/delta) = L`` satisfies
          ``X(t L) + 1 <= t (X(L) + 1)`` for ``t >= 1``
          (:meth:`~tgite_laws.match_law.MatchLaws.longest_mean`). So the bounds grow no faster than
          ``s + 2``.
        """
        growth = start + 2
        wrong_later = (
            float(self.rho + self.kappa) * self.whole / growth * _geometric_sum(growth + 1)
        )
        beaters = (
            len(self.screened) * float(self.rho) * self.match / growth * _geometric_sum(growth)
        )
        return Enclosure(0.0, (wrong.high * self.whole + wrong_later + beaters) * _OUTWARD)


def _geometric_sum(first: int) -> float:
    """Return the sum over ``k >= 0`` of ``(first + k) 4**-k``."""
    return float(first * Fraction(4, 3) + Fraction(4, 9))
