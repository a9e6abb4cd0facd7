"""Algorithms of one's own, for ``tgite compare``."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tgite import Duel, Preferences


def hesitant(preferences: Preferences, limit: int, choices: random.Random) -> Iterator[Duel]:
    """Compare two arms drawn at random, for ever."""
    while True:
        yield Duel(*choices.sample(range(preferences.size), 2))


def broken(preferences: Preferences, limit: int, choices: random.Random) -> Iterator[Duel]:
    """Compare two arms, and then raise an error."""
    yield Duel(0, 1)
    raise ZeroDivisionError("no arms")
