"""Record regret over time from the duels and self-play of a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from tgite import Arm, Duel, InvalidInput


class Regret(StrEnum):
    """The two binary regrets of Section ``sec:pre``."""

    WEAK = "weak"
    STRONG = "strong"


@dataclass(slots=True)
class RegretCurve:
    """A recorder that keeps the regret at given times.

    ``times`` are ascending rounds of 1 or more; other values raise
    :class:`~tgite.errors.InvalidInput`. ``values`` holds the regret after each time reached.
    """

    regret: Regret
    winner: Arm
    times: Sequence[int]
    values: list[int] = field(default_factory=list)
    _rounds: int = 0
    _total: int = 0
    _cost: Callable[[Arm, Arm], bool] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Check the times."""
        if not self.times or self.times[0] < 1 or list(self.times) != sorted(set(self.times)):
            raise InvalidInput("times", self.times, "must be ascending rounds, of 1 or more")
        winner = self.winner
        if self.regret is Regret.WEAK:
            self._cost = lambda i, j: i != winner and j != winner
        else:
            self._cost = lambda i, j: i != winner or j != winner

    def duels(self, duel: Duel, outcomes: bytes) -> None:
        """Record consecutive duels of one pair."""
        self._play(len(outcomes), self._cost(duel.first, duel.second))

    def self_play(self, arm: Arm, rounds: int) -> None:
        """Record a block of self-play."""
        self._play(rounds, arm != self.winner)

    def incumbent(self, arm: Arm) -> None:
        """Record an announcement, which costs nothing."""

    def _play(self, rounds: int, cost: bool) -> None:
        end = self._rounds + rounds
        while len(self.values) < len(self.times) and self.times[len(self.values)] <= end:
            since = self.times[len(self.values)] - self._rounds
            self.values.append(self._total + cost * since)
        self._rounds = end
        self._total += cost * rounds


def evenly(horizon: int, points: int) -> tuple[int, ...]:
    """Return ``points`` rounds, spread evenly over a horizon and including its end."""
    return tuple(sorted({max(1, horizon * k // points) for k in range(1, points + 1)}))
