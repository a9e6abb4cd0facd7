"""Environments: what answers duels, from preferences, a tape or a function."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Protocol, runtime_checkable

from tgite.errors import require_whole_number
from tgite.preferences import Preferences
from tgite.questions import Arm, Duel, Outcome, require_arm


class TapeExhausted(Exception):
    """A tape has no outcome left; the player ends the run and says so."""


@runtime_checkable
class Environment(Protocol):
    """Anything that answers duels."""

    def outcomes(self, duel: Duel) -> Callable[[], Outcome]:
        """Return a function that draws one outcome of ``duel`` at each call.

        The player uses the function as long as the stream asks for the same duel.
        """


class SeededEnvironment:
    """Preferences with a seed: independent outcomes, ``P(u wins) = p_uv`` up to ``2**-53``.

    Equal preferences, seed and questions give equal outcomes.
    """

    def __init__(self, preferences: Preferences, seed: int) -> None:
        """Draw from ``preferences`` with the generator that ``seed`` starts."""
        require_whole_number("seed", seed, at_least=0)
        self._preferences = preferences
        self._random = random.Random(seed)

    def outcomes(self, duel: Duel) -> Callable[[], Outcome]:
        """Draw outcomes of ``duel``; refuse arms that the preferences do not have."""
        require_arm("u", duel.first, self._preferences.size)
        require_arm("v", duel.second, self._preferences.size)
        p = float(self._preferences.probability(duel.first, duel.second))
        uniform = self._random.random

        def draw() -> Outcome:
            return uniform() < p

        return draw


class TapeEnvironment:
    """A recorded list of outcomes, returned one after the other whichever duel is asked."""

    def __init__(self, outcomes: Iterable[Outcome]) -> None:
        """Play ``outcomes`` in their order; the run ends when they are used up."""
        self._left = iter(outcomes)

    def outcomes(self, duel: Duel) -> Callable[[], Outcome]:
        """Return the tape's outcomes one by one; raises :class:`TapeExhausted` at its end."""

        def draw() -> Outcome:
            try:
                return next(self._left)
            except StopIteration:
                raise TapeExhausted from None

        return draw


class CallbackEnvironment:
    """A function of the two arms that says whether the first one wins."""

    def __init__(self, first_wins: Callable[[Arm, Arm], Outcome]) -> None:
        """Ask ``first_wins(u, v)`` for every duel."""
        self._first_wins = first_wins

    def outcomes(self, duel: Duel) -> Callable[[], Outcome]:
        """Ask the function anew for every outcome of ``duel``."""
        first_wins, u, v = self._first_wins, duel.first, duel.second

        def draw() -> Outcome:
            return first_wins(u, v)

        return draw
