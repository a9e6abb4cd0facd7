"""The exact law of any algorithm over matches, by exhaustive exploration of the transcription.

With a test that asks for whole matches, an algorithm is a decision tree. This module plays every
path through the tree and weighs it by the laws of its matches. The number of paths doubles with
every match. For brackets :mod:`tgite_laws.bracket` is faster, and this module checks it for small
N.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from tgite.errors import InvalidInput
from tgite.questions import Arm, Match, PairwiseTest, Stream, match
from tgite_laws.arithmetic import ZERO, plus, times
from tgite_laws.bracket import TournamentLaw, cost_law
from tgite_laws.enclosure import Enclosure
from tgite_laws.match_law import NO_COST, NOTHING, MatchLaws, Part
from tgite_laws.match_paths import paths
from tgite_laws.pairs import Pairs

R = TypeVar("R")

MakeStream = Callable[[PairwiseTest[Match, Arm]], Stream[Match, Arm, R]]

_MOST_MATCHES = 64


@dataclass(slots=True)
class Explored(Generic[R]):
    """For each result of the algorithm, the moments of all duels and of the duels that cost."""

    all_duels: dict[R, Part] = field(default_factory=dict)
    weak_regret: dict[R, Part] = field(default_factory=dict)
    never: Enclosure = ZERO


def explored_law(
    make_stream: MakeStream[Arm], instance: Pairs, match_laws: MatchLaws, winner: Arm | None
) -> TournamentLaw:
    """Return the exact law of an algorithm over matches: its result and its cost.

    ``make_stream(test)`` is the algorithm's stream with that test. ``winner`` is the instance's
    Condorcet winner, or ``None``.
    """
    found = explored(make_stream, instance, match_laws, winner)
    survives = dict(sorted(found.all_duels.items()))
    law = TournamentLaw(survives, found.never, cost_law(survives, found.never))
    if winner is None:
        return law
    error = plus(*(part.probability for arm, part in survives.items() if arm != winner))
    weak = dict(sorted(found.weak_regret.items()))
    return TournamentLaw(
        survives, found.never, law.comparisons, winner, error, cost_law(weak, found.never), weak
    )


def explored(
    make_stream: MakeStream[R], instance: Pairs, match_laws: MatchLaws, free_arm: Arm | None
) -> Explored[R]:
    """Return the moments over every path of a stream, by result.

    In ``weak_regret``, matches with ``free_arm`` cost nothing. Raises
    :class:`~tgite.errors.InvalidInput` for a path without an end.
    """
    found = Explored[R]()
    # The moments before each match of the current path, and after its last match.
    along = [(NO_COST, NO_COST)]
    before: tuple[Arm, ...] = ()
    for path in paths(lambda: make_stream(match), _MOST_MATCHES):
        if not path.ended or path.result is None:
            raise InvalidInput("stream", str(path), f"must end within {_MOST_MATCHES} matches")
        # The first match whose winner differs from that on the previous path.
        changed = next(
            (k for k, (a, b) in enumerate(zip(before, path.winners, strict=False)) if a != b), 0
        )
        del along[changed + 1 :]
        for k in range(changed, len(path.winners)):
            asked, winner, (duels, weak) = path.matches[k], path.winners[k], along[k]
            law = match_laws.law(asked.delta, instance.probability(asked.first, asked.second))
            if not before or k > changed:
                found.never = plus(found.never, times(duels.probability, law.never))
            part = law.first if winner == asked.first else law.second
            free = free_arm in (asked.first, asked.second)
            paid = Part(part.probability, ZERO, ZERO) if free else part
            along.append((duels.then(part), weak.then(paid)))
        for total, one in zip((found.all_duels, found.weak_regret), along[-1], strict=True):
            total[path.result] = one.either(total.get(path.result, NOTHING))
        before = path.winners
    return found
