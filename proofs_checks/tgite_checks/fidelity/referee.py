"""Judging paths by the paper's rules alone, whatever the conventions.

The text leaves free who meets whom in a round, who gets the bye and in which order a pair is
given. A referee follows a path and accepts every choice that the text allows: it tracks sets of
arms, not orders.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from fractions import Fraction

from tgite.confidence import Confidence
from tgite.questions import Arm, Match
from tgite_checks.explore import Path, written
from tgite_checks.fidelity.expected import arms_of, sibling_runs


class Foul(Exception):
    """A path breaks a rule of the text."""


class Referee:
    """Follows a path match by match."""

    def __init__(self, path: Path[Arm]) -> None:
        """Stand at the beginning of ``path``."""
        self._played = iter(zip(path.matches, path.winners, strict=True))

    def match(self, allowed: Set[Arm], level: Confidence) -> tuple[Match, Arm]:
        """Take the next match; it must be between two ``allowed`` arms at ``level``."""
        question, winner = next(self._played, (None, 0))
        if question is None:
            raise Foul(f"a match among {set(allowed)} at {level} is missing")
        if question.delta != level:
            raise Foul(f"{written(question)} is not at {level}")
        if not {question.first, question.second} <= allowed:
            raise Foul(f"{written(question)} is not among {set(allowed)}")
        return question, winner

    def end(self) -> None:
        """Refuse further matches."""
        for question, _ in self._played:
            raise Foul(f"{written(question)} is one match too many")


def knockout(referee: Referee, arms: Set[Arm], delta: Fraction) -> Arm:
    """Judge BKT: in each round all arms meet in disjoint pairs, but for one if they are odd."""
    alive, r = set(arms), 1
    while len(alive) > 1:
        waiting, winners = set(alive), set()
        for _ in range(len(alive) // 2):
            question, winner = referee.match(waiting, Confidence(delta / r**2, basel=True))
            waiting -= {question.first, question.second}
            winners.add(winner)
        alive, r = winners | waiting, r + 1
    return alive.pop()


def ascent(referee: Referee, b: Arm, leaves: Sequence[Arm | None], epsilon: Fraction) -> Arm:
    """Judge TreeAscent: each sibling block's tournament, then the champion against its survivor."""
    champion = b
    blocks = sibling_runs(leaves, b)
    for run in blocks:
        block = arms_of(run)
        if block:
            share = epsilon * len(run) / (2 * (len(leaves) - 1))
            challenger = knockout(referee, set(block), share)
            merge = Confidence(epsilon / (2 * len(blocks)))
            question, winner = referee.match({champion, challenger}, merge)
            if question.first != champion:
                raise Foul(f"{written(question)} does not name the champion first")
            champion = winner
    return champion


def epoch(referee: Referee, c: Arm, rho: Confidence, kappa: Fraction, N: int) -> Arm:
    """Judge ScreenAndReplace: all others once against the incumbent, then those that beat it."""
    waiting = set(range(N)) - {c}
    candidates = {c}
    while waiting:
        question, winner = referee.match(waiting | {c}, rho)
        if question.first != c:
            raise Foul(f"{written(question)} does not name the incumbent first")
        waiting.remove(question.second)
        if winner != c:
            candidates.add(winner)
    return knockout(referee, candidates, kappa)


def foul(path: Path[Arm], judge: Callable[[Referee], Arm]) -> str:
    """Say which rule a path that ended breaks, if it breaks one."""
    referee = Referee(path)
    try:
        winner = judge(referee)
        referee.end()
    except Foul as broken:
        return f"{broken}: {path}"
    if not path.ended or path.result != winner:
        return f"is to return {winner}: {path}"
    return ""
