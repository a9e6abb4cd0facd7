"""Plans for the outcomes of a case: who wins each match, and by which sequence of duels.

A data file writes a plan as an expression such as ``plan(cycle(7), late(2))``. A plan knows the
boundary of its match, so that outcomes can be chosen close to it. Plans give the same outcomes on
every machine.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import repeat
from typing import TypeAlias, cast

from tgite import Arm, InvalidInput, Outcome


@dataclass(frozen=True, slots=True)
class Bout:
    """A match that is about to be played: the ``number``-th of its run, at ``place``.

    ``stops(n, S)`` says whether the match is over after n duels, of which its first arm won S.
    """

    number: int
    first: Arm
    second: Arm
    place: str
    stops: Callable[[int, int], bool]


Plan: TypeAlias = Callable[[Bout], Iterator[Outcome]]
"""Chooses the outcomes of a match, without end; ``True`` means that its first arm wins."""

Winner: TypeAlias = Callable[[Bout], bool]
"""Says whether a match's first arm is to win."""

Way: TypeAlias = Callable[[Bout, bool], Iterator[Outcome]]
"""Chooses a match's outcomes, given whether its first arm is to win."""


def plan(winner: Winner, way: Way) -> Plan:
    """Return the plan with this choice of winners and this sequence of duels."""
    return lambda bout: way(bout, winner(bout))


# Choices of winners.


def lower_wins(bout: Bout) -> bool:
    """Let the arm with the lower number win."""
    return bout.first < bout.second


def higher_wins(bout: Bout) -> bool:
    """Let the arm with the higher number win."""
    return bout.first > bout.second


def arm_wins(arm: Arm) -> Winner:
    """Let ``arm`` win all its matches; in other matches the arm with the lower number wins."""
    return lambda bout: bout.first == arm or (bout.second != arm and lower_wins(bout))


def cycle(size: int) -> Winner:
    """Let each arm win against the next (size - 1) // 2 arms, in a circle of ``size`` arms."""
    return lambda bout: (bout.second - bout.first) % size <= (size - 1) // 2


def scripted(first_wins: str) -> Winner:
    """Take winners from a string in a cycle: ``u`` for the first arm, ``v`` for the second."""
    return lambda bout: first_wins[bout.number % len(first_wins)] == "u"


first_wins: Winner = scripted("u")
first_loses: Winner = scripted("v")


def loses_to(arm: Arm) -> Winner:
    """Let the first arm, a certificate's champion, win against all other arms but one."""
    return lambda bout: bout.second != arm


def in_screening(winner: Winner, others: Winner) -> Winner:
    """Choose the winners of screening matches by one rule and all others by another."""
    return lambda bout: (winner if "screen" in bout.place.split() else others)(bout)


# Plans by place.


def by_place(otherwise: Plan, **plans: Plan) -> Plan:
    """Return a plan for find-then-certify that depends on a match's place.

    ``plans`` are named ``find`` (the tournament), ``screen``, ``expose`` or ``certify``, or by
    stage, as ``s0_find``.
    """

    def outcomes(bout: Bout) -> Iterator[Outcome]:
        stage, word, *_ = bout.place.split()
        word = "find" if word[0] == "r" else word
        chosen = plans.get(f"{stage}_{word}", plans.get(word, otherwise))
        return chosen(bout)

    return outcomes


# Sequences of duels.


def late(rounds: int) -> Way:
    """Let the arms win in turn for ``rounds`` pairs of duels, and then only the winner."""

    def way(bout: Bout, first_wins: bool) -> Iterator[Outcome]:
        for _ in range(rounds):
            yield not first_wins
            yield first_wins
        yield from repeat(first_wins)

    return way


def tie(bout: Bout, first_wins: bool) -> Iterator[Outcome]:
    """Let the arms win in turn, without end, so that an even budget ends in a tie."""
    while True:
        yield first_wins
        yield not first_wins


def along_the_boundary(duels: int, own_side: bool = True) -> Way:
    """Keep the mean just inside one arm's boundary for a while, then let the winner win."""

    def way(bout: Bout, first_wins: bool) -> Iterator[Outcome]:
        ahead = first_wins if own_side else not first_wins
        S = 0
        for n in range(1, duels + 1):
            outcome = ahead
            if bout.stops(n, S + ahead):
                outcome = not ahead
            S += outcome
            yield outcome
        yield from repeat(first_wins)

    return way


straight: Way = late(0)
"""Let the winner win every duel."""
held: Way = along_the_boundary(10**6)
"""Keep a match undecided as long as there are duels."""


def noisy(seed: int, percent: int) -> Way:
    """Let the winner win each duel with probability ``percent`` in a hundred."""

    def way(bout: Bout, first_wins: bool) -> Iterator[Outcome]:
        draw = random.Random(f"{seed} {bout.number}").random
        while True:
            yield (draw() * 100 < percent) == first_wins

    return way


def by_turns(*ways: Way) -> Way:
    """Use the sequences in turn, match after match."""
    return lambda bout, first_wins: ways[bout.number % len(ways)](bout, first_wins)


def varied(seed: int) -> Way:
    """Use straight, late and noisy sequences in turn, match after match."""
    return by_turns(straight, late(2), straight, noisy(seed, 85))


# Expressions.

_NAMES = "lower_wins higher_wins first_wins first_loses arm_wins cycle scripted loses_to plan"
_NAMES += " in_screening by_place straight tie held late along_the_boundary noisy by_turns varied"
_VALUES: dict[str, object] = {name: globals()[name] for name in _NAMES.split()}


def read_plan(expression: str) -> Plan:
    """Return the plan of an expression; raises InvalidInput for any other text."""
    try:
        return cast(Plan, eval(expression, {"__builtins__": {}, **_VALUES}))
    except (SyntaxError, NameError, TypeError) as error:
        rule = f"must be an expression of the functions in cases/outcomes.py ({error})"
        raise InvalidInput("outcomes", expression, rule) from None
