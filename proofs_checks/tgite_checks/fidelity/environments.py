"""Answers to duels and matches for which a check knows the correct result."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Never

from tgite.conventions import RULINGS, Arguments, Byes, Candidates, Conventions, End, Order, Pairing
from tgite.questions import Arm, Duel, Incumbent, Match, Outcome, SelfPlay, Stream

_UPSET_EVERY = 13

Beats = Callable[[Arm, Arm], bool]
"""Says whether the first arm is the better one of the two."""

Answer = Callable[[Duel], Outcome]
"""Plays a duel."""


def won_by(winner: Arm) -> Beats:
    """Let ``winner`` beat every arm; the others beat each other in cycles."""

    def beats(u: Arm, v: Arm) -> bool:
        if winner in (u, v):
            return u == winner
        return (u < v) == ((u + v) % 2 == 1)

    return beats


def decided_by(beats: Beats) -> Callable[[Match], Arm]:
    """Decide every match for the better arm."""

    def decide(question: Match) -> Arm:
        return question.first if beats(question.first, question.second) else question.second

    return decide


def in_turns() -> Callable[[Match], Arm]:
    """Decide every third match for its second argument, so that incumbents change."""
    number = itertools.count()

    def decide(question: Match) -> Arm:
        return question.second if next(number) % 3 == 2 else question.first

    return decide


def nearly_certain(beats: Beats) -> Answer:
    """Answer duels for the better arm, except one in thirteen."""
    number = itertools.count()

    def answer(duel: Duel) -> Outcome:
        upset = next(number) % _UPSET_EVERY == _UPSET_EVERY - 1
        return beats(duel.first, duel.second) != upset

    return answer


RIGGED: dict[str, Callable[[], Answer]] = {
    "the first arm always wins": lambda: lambda duel: True,
    "the first arm always loses": lambda: lambda duel: False,
    "arm 1 beats all": lambda: nearly_certain(won_by(1)),
    "arm 1 beats all, outcomes swapped": lambda: nearly_certain(lambda u, v: not won_by(1)(u, v)),
}
"""Makers of answers to duels, by what they do."""

FIXED_OUTCOMES = "Outcomes follow four fixed patterns."
"""The answers of :data:`RIGGED` in words."""


def for_policies(
    answer: Answer,
) -> Callable[[Duel | Incumbent | SelfPlay], Outcome | None]:
    """Answer a policy's questions: duels by ``answer``, all others with ``None``."""

    def reply(question: Duel | Incumbent | SelfPlay) -> Outcome | None:
        return answer(question) if isinstance(question, Duel) else None

    return reply


def won_duels(
    policy: Stream[Duel | Incumbent | SelfPlay, Outcome | None, Never], most: int
) -> tuple[int, Duel | Incumbent | SelfPlay]:
    """Let the first arm win all duels, to the first other question after ``most`` duels."""
    question, played = next(policy), 0
    while isinstance(question, Duel) and played <= most:
        played += 1
        question = policy.send(True)
    return played, question


CONVENTIONS: tuple[Conventions, ...] = tuple(
    dict.fromkeys(
        [
            *itertools.starmap(Conventions, itertools.product(Pairing, End, End, Arguments)),
            *(
                Conventions(byes=byes, candidates=candidates, screening=screening)
                for byes, candidates, screening in itertools.product(Byes, Candidates, Order)
            ),
        ]
    )
)
"""Every choice for brackets, and every choice for trees and epochs, with the rulings elsewhere."""


def under(conventions: Conventions) -> str:
    """Return the part of a setting's name that names the conventions; empty for the defaults."""
    return "" if conventions == RULINGS else f", {conventions}"
