"""How comparators choose among arms that tie, and what every comparator checks."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeAlias

from tgite.checked import checked
from tgite.errors import InvalidInput, require_whole_number
from tgite.questions import Arm, Duel, Outcome, SelfPlay, Stream

Ties: TypeAlias = Callable[[Sequence[Arm]], Arm]
"""A tie policy: chooses one of two or more arms, given in ascending order."""


def lowest_index(tied: Sequence[Arm]) -> Arm:
    """Choose the arm with the lowest number."""
    return tied[0]


@checked
def uniformly(choices: random.Random) -> Ties:
    """Return the policy that chooses uniformly at random, with a generator of its own."""
    return choices.choice


def chosen(tied: Sequence[Arm], ties: Ties) -> Arm:
    """Return the arm that the policy chooses; a single arm is returned without a draw."""
    return tied[0] if len(tied) == 1 else ties(tied)


def require_number_of_arms(N: int) -> None:
    """Refuse fewer than two arms."""
    require_whole_number("N", N, at_least=2)


def require_positive(field: str, value: float) -> None:
    """Refuse a parameter that is not a finite number above 0."""
    if not 0 < value < float("inf"):
        raise InvalidInput(field, value, "must be a finite number above 0")


def one_round(i: Arm, j: Arm) -> Stream[Duel | SelfPlay, Outcome | None, Outcome | None]:
    """Play the pair (i, j) once; return whether i won, ``None`` for a self-comparison."""
    if i == j:
        yield SelfPlay(i, 1)
        return None
    outcome = yield Duel(i, j)
    return outcome
