"""Published ways to identify the winner, as published and with MixtureTest's evidence.

MixtureTest has the largest levels for which the argument that the answer is right still holds.

* **SAVAGE**: Urvoy, Clerot, Feraud and Naamane, "Generic exploration and K-armed voting bandits"
  (ICML 2013), without a horizon, as Zoghi et al. (2014) describe it for arms with a winner. The
  pair with the fewest duels is next. An arm that is shown to lose to another is out. The last arm
  left is the answer. It is right if the winner loses none of its N-1 pairs: ``delta/(N-1)`` each.
* **Explore, then verify**: Karnin, "Verification based solution for structured MAB problems" (NIPS
  2016), as Haddenhorst, Bengs and Hullermeier (NeurIPS 2021) ran it. Round r explores for a
  candidate and for each other arm's witness. Then each other arm must lose to its witness, on new
  duels. If the candidate is wrong, the winner must lose one particular match: ``delta/(2 r**2)``.
  To explore at ``kappa/(N-1)`` makes the winner a candidate with probability ``1 - kappa``.
* **DKW tournament**: Haddenhorst, Bengs and Hullermeier, "Identification of the generalized
  Condorcet winner in multi-dueling bandits" (NeurIPS 2021), for pairs, as their program plays it,
  but without its repetition of the last match. The winner stays: it meets the next arm. No pair
  may tie. The answer is right if the winner wins its matches: at most N-1, ``delta/(N-1)`` each.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from math import ceil, log, pi
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln, xlogy

from tgite import Arm, Confidence, Preferences
from tgite.beyond.mixture_test import stopping_lead
from tgite_laws.pairs import pairs

Array: TypeAlias = npt.NDArray[np.float64]
Bools: TypeAlias = npt.NDArray[np.bool_]

Lead: TypeAlias = Callable[[Array], Array]
"""For numbers of duels of a pair, the least leads that show which arm is better."""

Radius: TypeAlias = Callable[[Array, Array], Array]
"""For numbers of duels and leads, the radii around the means of the outcomes 1 and -1."""


class TooLongError(Exception):
    """A run took more duels than allowed."""


class Duels:
    """Seeded duels, which are counted: a run may take ``most`` of them."""

    def __init__(self, preferences: Preferences, seed: int, most: int) -> None:
        """Start with no duels."""
        known = pairs(preferences)
        self.chances = np.array([float(p) for p in known.probabilities])[known.index]
        self.random = np.random.default_rng(seed)
        self.total, self._most = 0, most

    def count(self, duels: int) -> None:
        """Count these duels."""
        self.total += duels
        if self.total > self._most:
            raise TooLongError


@dataclass
class Pairs:
    """Pairs that have one duel each in a round, and the lead of each first arm after ``t``."""

    first: npt.NDArray[np.int64]
    second: npt.NDArray[np.int64]
    ahead: Array
    t: int = 0

    def rounds(self, duels: Duels) -> tuple[Array, Array]:
        """Return the numbers of some next rounds, and the leads after each; counts nothing."""
        times = self.t + np.arange(1.0, 2 + self.t // 16)
        chances = duels.chances[self.first, self.second]
        outcomes = 2.0 * (duels.random.random((len(times), len(chances))) < chances) - 1
        return times, self.ahead + outcomes.cumsum(axis=0)

    def decide(self, duels: Duels, enough: Lead) -> Array:
        """Play until a round decides a pair; return its leads, 0 for the pairs not decided.

        Only the duels of the earlier rounds are counted.
        """
        while True:
            times, leads = self.rounds(duels)
            decided = np.abs(leads) >= enough(times)[:, None]
            row = first_true(decided)
            self.t, self.ahead = self.t + row + 1, leads[row]
            duels.count(row * len(self.first))
            if decided[row].any():
                return np.where(decided[row], self.ahead, 0.0)
            duels.count(len(self.first))

    def keep(self, which: Bools) -> None:
        """Drop all other pairs."""
        self.first, self.second = self.first[which], self.second[which]
        self.ahead = self.ahead[which]


def first_true(rows: Bools) -> int:
    """Return the number of the first row that has a true value, or of the last row."""
    found = rows.reshape(len(rows), -1).any(axis=1)
    return int(found.argmax()) if found.any() else len(rows) - 1


@functools.cache
def mixture_lead(delta: Confidence, parts: int) -> Lead:
    """Return the lead of MixtureTest at level ``delta/parts``."""
    level, known = Confidence(delta.rational / parts), np.zeros(1)

    def lead(times: Array) -> Array:
        nonlocal known
        if times[-1] >= len(known):
            new = range(len(known), 2 * int(times[-1]))
            known = np.append(known, [float(stopping_lead(n, level)) for n in new])
        leads: Array = known[times.astype(int)]
        return leads

    return lead


def savage_lead(delta: Confidence, N: int) -> Lead:
    """Return the published lead of SAVAGE: Hoeffding's bounds for all pairs and t add to delta."""
    number = N * (N - 1) // 2
    return lambda t: np.sqrt(2 * t * (np.log(pi**2 * number * t**2 / 3) + delta.log_inverse))


def savage(duels: Duels, delta: Confidence, mixture: bool) -> Arm:
    """Give each pair of the arms that are left one duel, again and again, until one is left."""
    N = len(duels.chances)
    enough = mixture_lead(delta, N - 1) if mixture else savage_lead(delta, N)
    left = np.ones(N, np.bool_)
    first, second = np.triu_indices(N, 1)
    them = Pairs(first, second, np.zeros(len(first)))
    while left.sum() > 1:
        leads = them.decide(duels, enough)
        # The pairs of an arm that is out have no further duel, in this round neither.
        for i, j, lead in np.stack((them.first, them.second, leads.astype(int)), 1).tolist():
            if left[i] and left[j]:
                duels.count(1)
                left[j if lead > 0 else i] = lead == 0
        them.keep(left[them.first] & left[them.second])
    return int(left.argmax())


def karnin_lead(log_inverse: float, N: int) -> Lead:
    """Return Karnin's lead, for all pairs and t together, at a level ``exp(-log_inverse)``."""
    return lambda t: np.sqrt(2 * t * (np.log(2 * t**2 * N**2) + log_inverse))


def mixture_radius(log_inverse: float, N: int) -> Radius:
    """Return the radius of one pair, at a level ``exp(-log_inverse)/(N-1)``.

    The evidence against p, averaged over all other probabilities, is ``1/((n+1) C(n, s))`` over
    ``p**s (1-p)**(n-s)``. By Pinsker's bound it has reached the level for each p beyond the radius.
    """

    def radius(t: Array, ahead: Array) -> Array:
        won, lost = (t + ahead) / 2, (t - ahead) / 2
        highest = gammaln(t + 1) - gammaln(won + 1) - gammaln(lost + 1)
        highest += xlogy(won, won / t) + xlogy(lost, lost / t)
        found: Array = np.sqrt(2 * (highest + np.log((t + 1) * (N - 1)) + log_inverse) / t)
        return found

    return radius


def explore(duels: Duels, radius: Radius) -> tuple[Arm, dict[Arm, Arm]] | None:
    """Return the candidate and each other arm's witness, or ``None`` if there is no candidate.

    Each pair that is still compared has one duel in each round. Its comparison is over once it is
    known that x beats y, or by how much x loses within a factor of 2, or that x loses to another
    arm by more. A pair that is no longer compared keeps its bounds.
    """
    N, t = len(duels.chances), 0
    low, high = np.ones((N, N)), np.full((N, N), np.inf)  # an arm is not its own witness
    ahead, is_asked = np.zeros((N, N)), ~np.eye(N, dtype=np.bool_)
    while is_asked.any():
        going = is_asked | is_asked.T
        i, j = np.nonzero(np.triu(going))
        times, leads = Pairs(i, j, ahead[i, j], t).rounds(duels)
        c, mean = radius(times[:, None], leads), leads / times[:, None]
        lows, highs = (np.repeat(one[None], len(times), axis=0) for one in (low, high))
        lows[:, i, j], lows[:, j, i] = mean - c, -mean - c
        highs[:, i, j], highs[:, j, i] = mean + c, c - mean
        by_half = (highs < 0) & (2 * highs < lows)
        loses_more = (lows < 0) & (lows > highs.min(axis=2, keepdims=True))
        over = is_asked & ((lows > 0) | by_half | loses_more)
        row = first_true(over)
        t, ahead[i, j], low, high = t + row + 1, leads[row], lows[row], highs[row]
        duels.count((row + 1) * len(i))
        is_asked &= ~over[row]
    candidates = np.flatnonzero((low > 0).all(axis=1)).tolist()
    if not candidates:
        return None
    return candidates[0], {x: int(high[x].argmin()) for x in range(N) if x != candidates[0]}


def verify(duels: Duels, witnesses: dict[Arm, Arm], enough: Lead) -> bool:
    """Return whether every arm loses to its witness; stop at the first arm that wins."""
    first, second = (np.array(list(side)) for side in (witnesses.keys(), witnesses.values()))
    them = Pairs(first, second, np.zeros(len(first)))
    while len(them.first):
        leads = them.decide(duels, enough)
        won = leads > 0
        duels.count(int(won.argmax()) + 1 if won.any() else len(won))
        if won.any():
            return False
        them.keep(leads == 0)
    return True


def explore_then_verify(duels: Duels, delta: Confidence, mixture: bool) -> Arm:
    """Explore and verify, round after round; return the first candidate that is verified."""
    N, r = len(duels.chances), 1
    kappa = max(log(3), log(delta.log_inverse))  # log(1/kappa)
    explored = karnin_lead(kappa, N)
    radius = mixture_radius(kappa, N) if mixture else lambda t, _: explored(t) / t
    while True:
        found = explore(duels, radius)
        published = karnin_lead(delta.log_inverse + log(2 * r**2), N)
        enough = mixture_lead(delta, 2 * r**2) if mixture else published
        if found is not None and verify(duels, found[1], enough):
            return found[0]
        r += 1


def dkw_tournament(duels: Duels, delta: Confidence, mixture: bool) -> Arm:
    """Let the winner of each match meet the next arm, in random order; return the last winner."""
    N = len(duels.chances)
    enough = mixture_lead(delta, N - 1)
    champion, *others = duels.random.permutation(N).tolist()
    for arm in others:
        if mixture:
            lead = Pairs(np.array([champion]), np.array([arm]), np.zeros(1)).decide(duels, enough)
            duels.count(1)
            is_better = lead[0] > 0
        else:
            is_better = dkw_match(duels, champion, arm, delta.log_inverse + log(N))
        champion = champion if is_better else arm
    return int(champion)


def dkw_match(duels: Duels, u: Arm, v: Arm, log_inverse: float) -> bool:
    """Return whether u is found better than v, at a level ``exp(-log_inverse)``.

    Batch s has ``8 log(4/level) / h**2`` duels at ``6/(pi s)**2`` times the level. It is decisive
    if the arms' shares differ by more than ``h = 2**-(s+1)``.
    """
    for s in count(1):
        batch = ceil(8 * (log(4 * (pi * s) ** 2 / 6) + log_inverse) * 4 ** (s + 1))
        duels.count(batch)
        lead = 2 * int(duels.random.binomial(batch, duels.chances[u, v])) - batch
        if abs(lead) * 2 ** (s + 1) > batch:
            break
    return bool(lead > 0)
