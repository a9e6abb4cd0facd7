"""The player: plays a stream against an environment, and counts.

All counting is done in one place, so that records, budgets and regrets count the same duels. A run
of equal questions is counted in one step.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from itertools import repeat
from typing import Generic, Protocol, TypeVar, cast, runtime_checkable

from tgite.checked import checked
from tgite.errors import InvalidInput, InvalidReply, require_whole_number
from tgite.playing.environments import Environment, TapeExhausted
from tgite.questions import A, Arm, Duel, Incumbent, Outcome, SelfPlay, Stream, plain

_R = TypeVar("_R")
_R_co = TypeVar("_R_co", covariant=True)
_Told = TypeVar("_Told", bool, bool | None)

# The recorder gets a run of equal questions in pieces of at most this size, to bound memory.
_LONGEST_RUN = 65536


class Ended(StrEnum):
    """Why a run ended."""

    RETURNED = "returned"
    HORIZON = "horizon"
    BUDGET = "budget"
    TAPE_EXHAUSTED = "tape exhausted"
    INTERRUPTED = "interrupted"


@runtime_checkable
class Recorder(Protocol):
    """Receives everything that is played, in order."""

    def duels(self, duel: Duel, outcomes: bytes) -> None:
        """Take consecutive duels of one pair; a byte is 1 where the first arm won, else 0."""

    def self_play(self, arm: Arm, rounds: int) -> None:
        """Take the part of a block of self-play that was played."""

    def incumbent(self, arm: Arm) -> None:
        """Take an announcement."""


@dataclass(frozen=True, slots=True)
class Run(Generic[_R_co]):
    """What a run did and how it ended.

    ``returned`` is the stream's result if it ended by itself, else ``None``. ``comparisons`` counts
    duels; ``rounds`` counts duels and the rounds of self-play. ``weak_regret`` and
    ``strong_regret`` are the binary regrets of Section ``sec:pre``, ``None`` where the winner is
    not known. ``incumbent`` is the last arm announced.
    """

    ended: Ended
    returned: _R_co | None
    rounds: int
    comparisons: int
    weak_regret: int | None
    strong_regret: int | None
    incumbent: Arm | None


class Interrupted(KeyboardInterrupt):
    """The interrupt of a run. ``run`` is the part that was played.

    A caller that does not ask for it is interrupted, too: half a run is nothing to go on with.
    """

    def __init__(self, run: Run[None]) -> None:
        """Keep what was played."""
        super().__init__(run)
        self.run = run


@checked
def play(
    stream: Stream[Duel | SelfPlay | Incumbent, _Told, _R],
    environment: Environment,
    winner: Arm | None = None,
    horizon: int | None = None,
    budget: int | None = None,
    recorder: Recorder | None = None,
) -> Run[_R]:
    """Play a stream against an environment, to its end or to a limit.

    ``winner`` is the Condorcet winner, needed to count the regrets. ``horizon`` is the most rounds,
    self-play included, and ``budget`` the most duels. Both limits are exact, even in the middle of
    a match or block. ``recorder`` receives everything that is played.

    Raises :class:`~tgite.errors.InvalidInput` for a limit below 1 or a stream that has begun,
    :class:`~tgite.errors.InvalidReply` for an outcome that is not a ``bool``, and whatever the
    environment raises, except for :class:`TapeExhausted`, which ends the run. An interrupt is
    raised as :class:`Interrupted`. In both cases the rounds played so far are counted.
    """
    if winner is not None:
        require_whole_number("winner", winner, at_least=0)
    if horizon is not None:
        require_whole_number("horizon", horizon, at_least=1)
    if budget is not None:
        require_whole_number("budget", budget, at_least=1)
    if inspect.getgeneratorstate(stream) != inspect.GEN_CREATED:
        raise InvalidInput("stream", stream, "must be a new one: this stream has begun already")
    count = _Count(winner, horizon, budget, recorder)
    try:
        return count.run(Ended.RETURNED, _play(stream, environment, count))
    except _LimitReached as limit:
        return count.run(limit.ended, None)
    except TapeExhausted:
        return count.run(Ended.TAPE_EXHAUSTED, None)
    except KeyboardInterrupt:
        raise Interrupted(count.run(Ended.INTERRUPTED, None)) from None


class _LimitReached(Exception):
    """The horizon or the budget is used up, and the stream asks for more."""

    def __init__(self, ended: Ended) -> None:
        super().__init__(ended)
        self.ended = ended


class _Count:
    """The one place where rounds, duels and regrets are counted and recorded."""

    def __init__(
        self,
        winner: Arm | None,
        horizon: int | None,
        budget: int | None,
        recorder: Recorder | None,
    ) -> None:
        self._winner = winner
        self._horizon = horizon
        self._budget = budget
        self._recorder = recorder
        self.rounds = 0
        self.comparisons = 0
        self.weak_regret = None if winner is None else 0
        self.strong_regret = None if winner is None else 0
        self.incumbent: Arm | None = None

    def run(self, ended: Ended, returned: _R | None) -> Run[_R]:
        """Return what was played so far."""
        return Run(
            ended,
            returned,
            self.rounds,
            self.comparisons,
            self.weak_regret,
            self.strong_regret,
            self.incumbent,
        )

    def rounds_left(self, wanted: int) -> int:
        """Return how many of the wanted rounds the horizon leaves, at least one."""
        if self._horizon is None:
            return wanted
        if self.rounds == self._horizon:
            raise _LimitReached(Ended.HORIZON)
        return min(wanted, self._horizon - self.rounds)

    def duels_left(self) -> int:
        """Return how many duels may be played before the limits are checked again."""
        allowed = self.rounds_left(_LONGEST_RUN)
        if self._budget is None:
            return allowed
        if self.comparisons == self._budget:
            raise _LimitReached(Ended.BUDGET)
        return min(allowed, self._budget - self.comparisons)

    def duels(self, duel: Duel, outcomes: bytearray) -> None:
        """Count consecutive duels of one pair."""
        self.comparisons += len(outcomes)
        self._count_rounds(duel.first, duel.second, len(outcomes))
        if self._recorder is not None and outcomes:
            self._recorder.duels(duel, bytes(outcomes))

    def self_play(self, arm: Arm, rounds: int) -> None:
        """Count a block of self-play."""
        self._count_rounds(arm, arm, rounds)
        if self._recorder is not None and rounds:
            self._recorder.self_play(arm, rounds)

    def announce(self, arm: Arm) -> None:
        """Record the incumbent."""
        self.incumbent = arm
        if self._recorder is not None:
            self._recorder.incumbent(arm)

    def _count_rounds(self, i: Arm, j: Arm, rounds: int) -> None:
        self.rounds += rounds
        if self.weak_regret is not None and self.strong_regret is not None:
            self.weak_regret += rounds * (i != self._winner and j != self._winner)
            self.strong_regret += rounds * (1 - (i == self._winner and j == self._winner))


def _play(
    stream: Stream[Duel | SelfPlay | Incumbent, A, _R], environment: Environment, count: _Count
) -> _R:
    """Play until the stream returns; a limit or an interrupt raises an exception."""
    # A stream that asks only for duels is never sent None.
    send = cast(Callable[[Outcome | None], Duel | SelfPlay | Incumbent], stream.send)
    try:
        question: object = next(stream)
        while True:
            match question:
                case Duel():
                    question = _play_duels(question, environment, count, send)
                case SelfPlay(arm, rounds):
                    while rounds > 0:
                        played = count.rounds_left(rounds)
                        count.self_play(arm, played)
                        rounds -= played
                    question = send(None)
                case Incumbent(arm):
                    count.announce(arm)
                    question = send(None)
                case _:
                    must = "must be a Duel, SelfPlay or Incumbent; tgite.drive answers others"
                    raise InvalidInput("question", question, must)
    except StopIteration as stop:
        returned: _R = stop.value
        return returned


def _play_duels(
    duel: Duel,
    environment: Environment,
    count: _Count,
    send: Callable[[Outcome | None], Duel | SelfPlay | Incumbent],
) -> Duel | SelfPlay | Incumbent:
    """Play one run of the same duel; return the question that follows it."""
    draw = environment.outcomes(duel)
    while True:
        outcomes = bytearray()
        keep = outcomes.append
        try:
            for _ in repeat(None, count.duels_left()):
                outcome: object = draw()
                if outcome is not True and outcome is not False:
                    outcome = _boolean(outcome, duel)
                keep(outcome)
                question = send(outcome)
                if question is not duel:
                    return question
        finally:
            # Duels count also when the stream returns, the tape ends or the user interrupts.
            count.duels(duel, outcomes)


def _boolean(outcome: object, duel: Duel) -> Outcome:
    """Return an outcome as a Python ``bool``; refuse anything that is not a boolean."""
    if (value := plain(outcome)) is True or value is False:
        return value
    raise InvalidReply("outcome", outcome, f"must be True or False, for {duel}")
