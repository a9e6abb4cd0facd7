"""The law of the method without a tournament: compare every pair equally often.

Every pair has its own match, at level ``delta/(N-1)``. Each round compares every pair once, also
those whose match is decided. It ends when some arm has won all its matches, or all are decided. The
winner's matches share delta, so another arm is certified with probability at most delta.

Let M be the length of the winner's longest match, and A the event that it wins all its matches. On
A there are exactly M rounds, because no other arm can have won against the winner. Otherwise there
is at least one round, and there are at most as many as the longest of all matches takes.
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

# Relative error of a power by logarithm, product and exponential, if it does not underflow.
_POWER = 1e-11


@checked
def equally_often_mean(
    delta: Confidence, preferences: Preferences, match_laws: MatchLaws
) -> Enclosure:
    """Enclose the expected comparisons of comparing every pair equally often.

    Raises :class:`~tgite.errors.NoCondorcetWinner` if there is no winner.
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

    # P(A) and P(M <= n, not A), for n up to the last round.
    right = won[:, -1]
    wrong = (decided[0] - won[1]).clip(0.0)
    slack = 1 + (rounds + 8) * ROUNDING
    low = float((right[0] - won[1]).clip(0.0).sum()) / slack
    high = float((right[1] - won[0]).sum()) * slack
    high += float((1.0 - right[0] - wrong * all_others[0]).clip(0.0).sum()) * slack
    for p, count in (own + others).items():
        law = laws[p]
        high += count * (law.first_beyond.duels + law.second_beyond.duels)
    # There is at least one round without A too.
    late = sum(count * laws[p].first_beyond.probability for p, count in own.items())
    low += max(0.0, 1.0 - right[1] - late)
    return times(Enclosure(low, high * slack), Enclosure.exactly(N * (N - 1) // 2))


def _counted(places: Places, probabilities: Sequence[Fraction]) -> Counter[Fraction]:
    found, counts = np.unique(places, return_counts=True)
    return Counter(
        {probabilities[k]: n for k, n in zip(found.tolist(), counts.tolist(), strict=True)}
    )


def _by(law: StoppingLaw, masses: Floats, rounds: int) -> Floats:
    """Return lower and upper bounds on the masses' sums up to n duels, for n = 0, 1, ..."""
    until = np.searchsorted(law.duels, np.arange(rounds), side="right")
    sums = np.concatenate(([0.0], np.cumsum(masses)))[until]
    error = law.relative_error + (len(masses) + 4) * ROUNDING
    return np.stack((sums * (1 - error), np.minimum(sums * (1 + error), 1.0)))


def _power(enclosed: Floats, count: int) -> Floats:
    """Enclose the probability that ``count`` independent matches are over, or won."""
    with np.errstate(divide="ignore", under="ignore"):
        powers = np.exp(count * np.log(enclosed))
    return np.stack((powers[0] * (1 - _POWER), np.minimum(powers[1] * (1 + _POWER), 1.0)))
