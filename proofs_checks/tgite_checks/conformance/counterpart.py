"""Whoever a run is played against: the referee, or an observer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from tgite import Arm


class Counterpart(Protocol):
    """Whoever a run is played against: the referee, or an observer."""

    @property
    def duels(self) -> int:
        """The number of duels so far."""

    @property
    def at_horizon(self) -> bool:
        """Say whether the player stops here."""

    def open(self, first: Arm, second: Arm) -> int:
        """Return a number for what a duel of these arms belongs to."""

    def left(self, number: int) -> list[bool] | Iterator[bool]:
        """Return the outcomes that are left there."""

    def count(self, number: int, duels: int) -> None:
        """Note that so many of them were given out."""

    def answer(self, first: Arm, second: Arm) -> bool:
        """Give out the next outcome of a single duel."""

    def self_play(self, arm: Arm, rounds: int) -> None:
        """Take a block of self-play."""

    def incumbent(self, arm: Arm) -> None:
        """Take an announcement."""

    def returned(self, result: Arm | None) -> None:
        """Take the run's end by itself."""

    def stopped_at_horizon(self) -> None:
        """Take the run's end by the player."""


class TooLong(Exception):
    """A run goes on longer than its counterpart watches it."""
