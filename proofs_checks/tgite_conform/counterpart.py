"""Whoever a run is played against: the referee, or an observer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from tgite import Arm, SelfPlay
from tgite_conform.format import Answer
from tgite_conform.tally import Tally


class Counterpart(Protocol):
    """Whoever a run is played against; ``duels`` and ``rounds`` were played so far."""

    duels: int
    rounds: int
    horizon: int | None

    def __init__(self, horizon: int | None) -> None:
        """Begin a run that its player stops after ``horizon`` rounds, if ever."""
        self.horizon = horizon
        self.duels = 0
        self.rounds = 0

    @property
    def at_horizon(self) -> bool:
        """Say whether the player stops here."""
        return self.horizon is not None and self.rounds >= self.horizon

    def cuts(self, question: object) -> bool:
        """Say whether the player stops within what is asked: within a block of self-play."""
        return (
            isinstance(question, SelfPlay)
            and self.horizon is not None
            and self.rounds + question.rounds > self.horizon
        )

    def open(self, first: Arm, second: Arm) -> int:
        """Return a number for what a duel of these arms belongs to."""

    def left(self, number: int) -> Iterable[bool]:
        """Return the outcomes that are left there."""

    def count(self, number: int, duels: int) -> None:
        """Note that so many of them were given out."""

    def answer(self, first: Arm, second: Arm) -> bool:
        """Give out the next outcome of a single duel."""
        number = self.open(first, second)
        outcome = next(iter(self.left(number)))
        self.count(number, 1)
        return outcome

    def self_play(self, arm: Arm, rounds: int) -> None:
        """Take a block of self-play."""

    def incumbent(self, arm: Arm) -> None:
        """Take an announcement, which costs nothing and need not be made."""
        return

    def returned(self, result: Answer) -> None:
        """Take the run's end by itself."""

    def counted(self, stated: Tally) -> None:
        """Take what the run counted besides, after its end by itself."""
        return

    def stopped_at_horizon(self) -> None:
        """Take the run's end by the player."""
        return


class TooLong(Exception):
    """A run goes on longer than its counterpart watches it."""
