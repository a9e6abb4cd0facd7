"""The joint law of an algorithm's answer and its number of comparisons, to be sampled against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np

from tgite import Arm, Confidence, Preferences
from tgite_checks.laws.boundary import Floats
from tgite_checks.laws.bracket import Bracket
from tgite_checks.laws.match_law import StoppingLaw

# Terms that leave the range of the floats lose less than this altogether.
_LOST = 2.0**-900


@dataclass(frozen=True, slots=True)
class CountLaw:
    """``masses[answer][n]`` is the probability of ``answer`` after n comparisons.

    Each is right up to ``relative_error``. Beyond the arrays there is at most ``beyond``.
    """

    masses: Mapping[Arm, Floats]
    relative_error: float
    beyond: float

    def highest(self, probability: float, open_end: bool) -> float:
        """Return an upper bound for a sum of masses, and of what lies beyond, if asked for."""
        bound = probability * (1 + self.relative_error) + _LOST
        return bound + (self.beyond if open_end else 0.0)


class StoppingLaws(Protocol):
    """The laws of a pairwise test, in full."""

    def stopping_law(self, delta: Confidence, p: Fraction) -> StoppingLaw:
        """Return the joint law of duels and the arm returned."""


def match_count_law(law: StoppingLaw) -> CountLaw:
    """Return the law of one match; the answer 0 is its first argument, 1 its second."""
    longest = int(law.duels.max(initial=0)) + 1
    masses: dict[Arm, Floats] = {
        answer: np.bincount(law.duels, weights=weights, minlength=longest).astype(np.float64)
        for answer, weights in ((0, law.first), (1, law.second))
    }
    beyond = law.first_beyond.probability + law.second_beyond.probability
    return CountLaw(masses, law.relative_error + longest * 2.0**-52, beyond)


def bracket_count_law(played: Bracket, preferences: Preferences, laws: StoppingLaws) -> CountLaw:
    """Return the law of a tournament: the subtrees' numbers of comparisons add up."""
    open_nodes: dict[int, CountLaw] = {}

    def node(player: int) -> CountLaw:
        leaf = CountLaw({player: np.ones(1)}, 0.0, 0.0)
        return open_nodes.pop(player) if player in open_nodes else leaf

    for number, meeting in enumerate(played.matches):
        first, second = node(meeting.first), node(meeting.second)
        masses: dict[Arm, Floats] = {}
        error = beyond = 0.0
        for u, of_u in first.masses.items():
            for v, of_v in second.masses.items():
                p = preferences.probability(u, v)
                match = match_count_law(laws.stopping_law(meeting.delta, p))
                before = np.convolve(of_u, of_v)
                for arm, answer in ((u, 0), (v, 1)):
                    played_out = np.convolve(before, match.masses[answer])
                    masses[arm] = _sum(masses.get(arm), played_out)
                error = max(error, match.relative_error + 2.0**-52 * 2 * len(before))
                beyond = max(beyond, match.beyond)
        open_nodes[Bracket.winner_of(number)] = CountLaw(
            masses,
            first.relative_error + second.relative_error + error,
            first.beyond + second.beyond + beyond,
        )
    return node(played.survivor)


def _sum(one: Floats | None, other: Floats) -> Floats:
    if one is None:
        return other
    if len(one) < len(other):
        one, other = other, one
    total = one.copy()
    total[: len(other)] += other
    return total
