"""The law of what one does without any tournament: compare every pair equally often.

Every pair has a match of its own, at ``delta/(N-1)``; in each round every pair is compared once,
also those whose match is decided, until some arm has won all its matches or all are decided.
The winner's matches share delta, so that another arm is certified with probability at most delta.

Let M be the longest of the winner's matches, and A the event that it wins them all. On A there are
exactly M rounds: nobody else can have won against the winner. Elsewhere there is one at least, and
at most as many as the longest match of all takes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.preferences import Preferences
from tgite_laws.arithmetic import times
from tgite_laws.boundary import Floats
from tgite_laws.enclosure import Enclosure
from tgite_laws.match_law import MatchLaws, StoppingLaw
from tgite_laws.pairs import pairs
from tgite_laws.walk import ROUNDING

Places: TypeAlias = npt.NDArray[np.int32]

# What logarithm, product and exponential lose of a power, where it is not below the floats.
_POWER = 1e-11


@checked
def equally_often_mean(
    delta: Confidence, preferences: Preferences, match_laws: MatchLaws
) -> Enclosure:
    """Enclose the expected comparisons of comparing every pair equally often, for a winner.

    Raises :class:`~tgite.errors.NoCondorcetWinner` without one.
    """
    winner, N = preferences.winner(), preferences.size
    level = Confidence(delta.rational / (N - 1), delta.basel) if N > 2 else delta
    index, probabilities = pairs(preferences).index, pairs(preferences).probabilities
    its = np.arange(N) == winner
    upper = np.triu(np.ones((N, N), np.bool_), 1)
    others = _counted(index[upper & ~its & ~its[:, None]], probabilities)
    own = _counted(index[winner, ~its], probabilities)

    laws = {p: match_laws.stopping_law(level, p) for p in {**own, **others}}
    rounds = 1 + max(int(law.duels[-1]) for law in laws.values())
    won, decided, all_others = (np.ones((2, rounds)) for _ in range(3))
    for p, count in own.items():
        won *= _power(_by(laws[p], laws[p].first, rounds), count)
        decided *= _power(_by(laws[p], laws[p].first + laws[p].second, rounds), count)
    for p, count in others.items():
        all_others *= _power(_by(laws[p], laws[p].first + laws[p].second, rounds), count)

    # P(A) and P(M <= n, not A), as far as it is over by the last round.
    right = won[:, -1]
    wrong = (decided[0] - won[1]).clip(0.0)
    slack = 1 + (rounds + 8) * ROUNDING
    low = float((right[0] - won[1]).clip(0.0).sum()) / slack
    high = float((right[1] - won[0]).sum()) * slack
    high += float((1.0 - right[0] - wrong * all_others[0]).clip(0.0).sum()) * slack
    for p, count in (own + others).items():
        law = laws[p]
        high += count * (law.first_beyond.duels + law.second_beyond.duels)
    # Without A there is a round, too.
    late = sum(count * laws[p].first_beyond.probability for p, count in own.items())
    low += max(0.0, 1.0 - right[1] - late)
    return times(Enclosure(low, high * slack), Enclosure.exactly(N * (N - 1) // 2))


def _counted(places: Places, probabilities: Sequence[Fraction]) -> Counter[Fraction]:
    """Count pairs by their probability."""
    found, counts = np.unique(places, return_counts=True)
    return Counter(
        {probabilities[k]: n for k, n in zip(found.tolist(), counts.tolist(), strict=True)}
    )


def _by(law: StoppingLaw, masses: Floats, rounds: int) -> Floats:
    """Enclose how much of the masses there is by n = 0, 1, ... duels: lower and upper bounds."""
    until = np.searchsorted(law.duels, np.arange(rounds), side="right")
    sums = np.concatenate(([0.0], np.cumsum(masses)))[until]
    error = law.relative_error + (len(masses) + 4) * ROUNDING
    return np.stack((sums * (1 - error), np.minimum(sums * (1 + error), 1.0)))


def _power(enclosed: Floats, count: int) -> Floats:
    """Enclose the probability that as many independent matches are over, or won."""
    with np.errstate(divide="ignore", under="ignore"):
        powers = np.exp(count * np.log(enclosed))
    return np.stack((powers[0] * (1 - _POWER), np.minimum(powers[1] * (1 + _POWER), 1.0)))
