"""The law of the cost of any algorithm over matches, along its likely paths.

Where gaps are large, a test's true error is tiny. So few paths matter, however many arms there are.
The paths that are left out are bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from tgite.errors import InvalidInput
from tgite.questions import Arm, Match, match
from tgite_laws.cost import CostDistribution, match_distribution, zero_cost
from tgite_laws.exploration import MakeStream
from tgite_laws.match_law import MatchLaws
from tgite_laws.match_paths import Path, Won, walk
from tgite_laws.pairs import Pairs

_MOST_MATCHES = 1 << 16


def likely_cost_distribution(
    make_stream: MakeStream[Arm],
    instance: Pairs,
    match_laws: MatchLaws,
    unlikely: float,
    most_paths: int,
    free_arm: Arm | None = None,
) -> CostDistribution:
    """Return the law of the number of duels by result, without unlikely paths.

    Matches with ``free_arm`` cost nothing. If that is the winner, the cost is the weak regret. A
    path is dropped once its probability is below ``unlikely``. Raises
    :class:`~tgite.errors.InvalidInput` if more than ``most_paths`` paths remain.
    """
    likely = _LikelyPaths(make_stream, instance, match_laws, unlikely)
    paths = list(islice(likely, most_paths + 1))
    if len(paths) > most_paths:
        raise InvalidInput(
            "preferences",
            f"more than {most_paths} likely paths",
            "must have gaps so large that few matches are won by the worse arm",
        )
    found = CostDistribution(None)
    for path in paths:
        assert path.result is not None
        law = zero_cost(path.result)
        for question, winner in path.won:
            chance = instance.probability(question.first, question.second)
            played = match_distribution(match_laws.stopping_law(question.delta, chance))
            if free_arm in (question.first, question.second):
                played = played.free()
            won = played.masses[int(winner == question.second)]
            step = CostDistribution(
                None, {path.result: won}, played.error, played.missing, played.whole_below
            )
            law = law.then({path.result: step})
        found.add(law)
    found.missing += likely.left
    found.whole_below = 0
    return found


class _LikelyPaths:
    """The likely paths, as an iterator; ``left`` bounds the total probability of dropped paths."""

    def __init__(
        self,
        make_stream: MakeStream[Arm],
        instance: Pairs,
        match_laws: MatchLaws,
        unlikely: float,
    ) -> None:
        self._make_stream = make_stream
        self._instance, self._match_laws = instance, match_laws
        self._unlikely = unlikely
        self.left = 0.0

    def __iter__(self) -> Iterator[Path[Arm]]:
        """Yield paths, following the likelier winner of each match first."""
        begun: list[tuple[Won, ...]] = [()]
        while begun:
            yield walk(self._make_stream(match), self._deciding(begun), _MOST_MATCHES)

    def _deciding(self, begun: list[tuple[Won, ...]]) -> Callable[[Match], Arm]:
        """Return the decisions along the last path in ``begun``; add the paths that branch off."""
        forced = begun.pop()
        won: list[Won] = []
        reached = 1.0

        def decide(question: Match) -> Arm:
            nonlocal reached
            chances = self._chances(question)
            worse, better = sorted(chances, key=lambda arm: chances[arm])
            winner = better
            if len(won) < len(forced):
                winner = forced[len(won)][1]
            elif reached * chances[worse] >= self._unlikely:
                begun.append((*won, (question, worse)))
            else:
                self.left += reached * chances[worse]
            reached *= chances[winner]
            won.append((question, winner))
            return winner

        return decide

    def _chances(self, question: Match) -> dict[Arm, float]:
        chance = self._instance.probability(question.first, question.second)
        law = self._match_laws.law(question.delta, chance)
        return {
            question.first: law.first.probability.high,
            question.second: law.second.probability.high,
        }
