"""Counts of comparisons, and who beats whom by them, with error bounds.

All statements of :class:`Standings` hold together, except with the stated probability of error,
whenever the comparisons stopped. Each of the ``N (N-1)`` ordered pairs has an equal share of it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, count, permutations
from math import comb
from typing import TypeAlias

from tgite import Arm, InvalidInput, Outcome, PreferenceMatrix
from tgite.errors import require
from tgite.preferences import HALF, Preferences

_MOST_SHOWN = 10

PairTable: TypeAlias = tuple[tuple[int, ...], ...]
"""A number for each ordered pair of items."""


def error_bound(n: int, s: int) -> Fraction:
    """Return ``1/W(n, s)``, at most 1: a p-value for s wins in n comparisons, valid at all times.

    For an item that is not the better of two, the probability that this value is ever x or less is
    at most x (see :mod:`tgite.beyond.mixture_test`).
    """
    term = total = 1
    for k in range(1, s + 1):
        term = term * (n + 2 - k) // k  # C(n+1, k)
        total += term
    return min(Fraction(1), Fraction((n + 1) * comb(n, s), total))


def reached(start: Arm, following: Callable[[Arm], Iterable[Arm]]) -> set[Arm]:
    """Return ``start`` and all items that are reached from it by steps to ``following`` items."""
    found, new = {start}, [start]
    while new:
        more = set(following(new.pop())) - found
        found |= more
        new += more
    return found


def smith_set(size: int, beats: Callable[[Arm, Arm], bool]) -> tuple[Arm, ...]:
    """Return the smallest set whose items all beat every item outside.

    ``beats(i, j)`` says whether i is known to beat j. With too few known pairs it is too large.
    """
    # A member beats more items than any item outside, so the item that beats the most is a member.
    # Every item that a member does not beat is a member, too.
    wins = [sum(beats(i, j) for j in range(size) if j != i) for i in range(size)]
    start = wins.index(max(wins))
    return tuple(sorted(reached(start, lambda i: (j for j in range(size) if not beats(i, j)))))


def top_of(preferences: Preferences) -> tuple[Arm, ...]:
    """Return the Smith set of preferences: the Condorcet winner alone, if there is one."""
    return smith_set(preferences.size, lambda i, j: preferences.probability(i, j) > HALF)


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of comparisons: ``wins[i][j]`` is how often item ``i`` beat item ``j``.

    ``ties[i][j]``, equal to ``ties[j][i]``, is how often the two tied, and ``doubts``, in the same
    way, how often a question about them was asked again. ``blocks`` holds, for judgements that
    depend on each other, the number of blocks about two items and the sum of an item's shares in
    them, rounded down.
    """

    names: tuple[str, ...]
    wins: PairTable
    ties: PairTable = ()
    doubts: PairTable = ()
    blocks: tuple[PairTable, PairTable] | None = None

    @staticmethod
    def of(names: Sequence[str], asked: Iterable[tuple[Arm, Arm, Outcome | None, bool]]) -> Counts:
        """Count questions: who was asked about, whether the first won, and whether asked again."""
        wins, ties, doubts = ([[0] * len(names) for _ in names] for _ in range(3))
        for i, j, first_won, again in asked:
            if first_won is None or again:
                for one, other in ((i, j), (j, i)):
                    (doubts if again else ties)[one][other] += 1
            else:
                wins[i if first_won else j][j if first_won else i] += 1
        won, tied, doubted = (tuple(map(tuple, table)) for table in (wins, ties, doubts))
        return Counts(tuple(names), won, tied, doubted)

    def trial(self, i: Arm, j: Arm) -> tuple[int, int]:
        """Return of how many independent comparisons ``i`` won how many against ``j`` for certain.

        Ties are left out, and questions that were asked again are lost. A block is one comparison
        with a result between 0 and 1. Its evidence is at most that of a bet on its mean: for q
        above 1/2, ``2 q**x (1-q)**(1-x) <= 1 + (2q-1)(2x-1)`` by the inequality of the weighted
        means. So the evidence from the sum of the results, and from less, is still bounded.
        """
        if self.blocks is not None:
            return self.blocks[0][i][j], self.blocks[1][i][j]
        return self.wins[i][j] + self.wins[j][i] + self.doubted(i, j), self.wins[i][j]

    @property
    def total(self) -> int:
        """The number of comparisons."""
        return sum(map(sum, self.wins)) + self.all_ties

    @property
    def all_ties(self) -> int:
        """The number of ties."""
        return sum(map(sum, self.ties)) // 2

    def tied(self, i: Arm, j: Arm) -> int:
        """Return how often the two items tied."""
        return self.ties[i][j] if self.ties else 0

    def doubted(self, i: Arm, j: Arm) -> int:
        """Return how often a question about the two items was asked again."""
        return self.doubts[i][j] if self.doubts else 0

    def played(self, i: Arm, j: Arm) -> int:
        """Return how often the two items were compared."""
        return self.wins[i][j] + self.wins[j][i] + self.tied(i, j)

    def missing(self) -> list[tuple[Arm, Arm]]:
        """Return the pairs that were never compared."""
        pairs = combinations(range(len(self.names)), 2)
        return [pair for pair in pairs if self.played(*pair) == 0]

    def matrix(self, prior: Fraction) -> PreferenceMatrix:
        """Return the estimates ``(wins + prior) / (comparisons + 2 prior)`` as a preference matrix.

        Raises :class:`~tgite.errors.InvalidInput` if a pair was never compared, or if an item won
        all comparisons with another one and there is no ``prior``.
        """
        name, N = self.names, len(self.names)
        if missing := self.missing():
            pairs = "; ".join(f"{name[i]} and {name[j]}" for i, j in missing[:5])
            more = f" and {len(missing) - 5} more pairs" if len(missing) > 5 else ""
            raise InvalidInput("counts", f"{pairs}{more}", "must be compared at least once")
        rows = [[HALF] * N for _ in range(N)]
        for i, j in permutations(range(N), 2):
            won, played = self.wins[i][j] + Fraction(self.tied(i, j), 2), self.played(i, j)
            must = "gives a probability of 1, which the model excludes; state a prior, such as "
            must += "--prior 1/2, or compare the two more often"
            shown = f"{name[i]} won all {played} against {name[j]}"
            require(won < played or prior > 0, "counts", shown, must)
            rows[i][j] = (won + prior) / (played + 2 * prior)
        return PreferenceMatrix(tuple(map(tuple, rows)), name)


@dataclass(frozen=True, slots=True)
class Pair:
    """What is known of a pair: ``better`` won ``wins`` of ``played`` comparisons, ``ties`` tied.

    ``doubts`` had to be asked again, and count against ``better``. ``error`` bounds the probability
    that any pair ever gets a bound as small although its ``better`` is not the better item.
    """

    better: Arm
    worse: Arm
    wins: int
    played: int
    ties: int
    error: Fraction
    doubts: int = 0

    def said(self, names: Sequence[str]) -> str:
        """Return the pair in words."""
        ties = f", {self.ties} ties" if self.ties else ""
        ties += f", {self.doubts} asked again" if self.doubts else ""
        error = f"error at most {float(self.error):.1g}"
        beats = f"{names[self.better]} beats {names[self.worse]}"
        return f"{beats} ({self.wins} of {self.played}{ties}, {error})"

    def to_json(self, names: Sequence[str]) -> dict[str, object]:
        """Return the pair as JSON, with the items' names."""
        items = {"better": names[self.better], "worse": names[self.worse]}
        numbers = {"wins": self.wins, "of": self.played, "ties": self.ties}
        more = {"asked_again": self.doubts, "error_at_most": float(self.error)}
        return {**items, **numbers, **more}


class Standings:
    """The results of all pairs, at level ``delta`` for all statements together.

    In a share, a tie is half a win. The evidence leaves ties out: the item that is better by its
    chance to win plus half the chance of a tie is also better in the comparisons without a tie.
    A comparison that had to be asked again counts against each statement.
    """

    def __init__(self, counts: Counts, delta: Fraction) -> None:
        """Compare all pairs."""
        self.counts, self.delta = counts, delta
        self.names, self.wins, self.size = counts.names, counts.wins, len(counts.names)
        self.pairs: dict[tuple[Arm, Arm], Pair] = {}
        for i, j in combinations(range(self.size), 2):
            better, worse = (i, j) if self.wins[i][j] >= self.wins[j][i] else (j, i)
            won, tied, again = self.wins[better][worse], counts.tied(i, j), counts.doubted(i, j)
            if played := counts.played(i, j) + again:
                error = self._error(*counts.trial(better, worse))
                self.pairs[better, worse] = Pair(better, worse, won, played, tied, error, again)

    def known(self, i: Arm, j: Arm) -> bool:
        """Return whether i is known to beat j, at the level of all statements."""
        pair = self.pairs.get((i, j))
        return pair is not None and pair.error <= self.delta

    def error_of(self, arm: Arm) -> Fraction:
        """Return a bound on the probability that any item ever named does not beat all others.

        It is N times the largest bound of the item's leads, valid at all times: a union over the N
        items that could be named. One that does not beat every other item has an opponent that it
        does not beat, and its evidence against that one is a supermartingale, whatever was asked.
        """
        trials = (self.counts.trial(arm, other) for other in range(self.size) if other != arm)
        return min(Fraction(1), self.size * max(error_bound(*trial) for trial in trials))

    @property
    def decided(self) -> list[Pair]:
        """The decided pairs, the surest first."""
        found = [pair for pair in self.pairs.values() if pair.error <= self.delta]
        return sorted(found, key=lambda pair: pair.error)

    @property
    def contenders(self) -> tuple[Arm, ...]:
        """A set that contains the Smith set."""
        return smith_set(self.size, self.known)

    @property
    def contenders_are_all_needed(self) -> bool:
        """Whether the contenders are the Smith set: known wins lead from each one to each other."""
        members = self.contenders
        forward = reached(members[0], lambda i: (j for j in members if self.known(i, j)))
        backward = reached(members[0], lambda i: (j for j in members if self.known(j, i)))
        return forward == backward == set(members)

    def undecided(self) -> list[tuple[Arm, Arm]]:
        """Return the pairs of contenders for which the better item is not known."""
        pairs = combinations(self.contenders, 2)
        return [(i, j) for i, j in pairs if not (self.known(i, j) or self.known(j, i))]

    def fewest_to_settle(self, i: Arm, j: Arm) -> int:
        """Return the fewest further comparisons that can decide a pair, if one item wins them all.

        The actual number has no bound, because an undecided pair may be a tie.
        """
        (n, s), (_, other) = self.counts.trial(i, j), self.counts.trial(j, i)
        s = max(s, other)

        def decided(more: int) -> bool:
            return self._error(n + more, s + more) <= self.delta

        most = next(2**k for k in count() if decided(2**k))
        return bisect_left(range(most), True, key=decided)

    def lines(self, provided: str = "") -> list[str]:
        """Return the standings in words, line by line: what is decided, then what is not."""
        decided, top = self.decided, self.contenders
        shown = "; ".join(pair.said(self.names) for pair in decided[:_MOST_SHOWN])
        more = f"; and {len(decided) - _MOST_SHOWN} more" if len(decided) > _MOST_SHOWN else ""
        lines = [
            "Who beats whom, all of it with probability of error at most "
            f"{self.delta}{provided}: {shown or 'not known yet'}{more}."
        ]
        if len(top) < self.size or self.contenders_are_all_needed:
            exactly = "is" if self.contenders_are_all_needed else "lies within"
            items = ", ".join(self.names[arm] for arm in top)
            lines.append(f"The Smith set {exactly} {items}, with that error.")
        if undecided := self.undecided():
            fewest = sum(self.fewest_to_settle(*pair) for pair in undecided)
            pairs = "one pair" if len(undecided) == 1 else f"{len(undecided)} pairs"
            lines.append(
                f"Undecided: {pairs} of items that may be in the Smith set. To decide them takes "
                f"at least {fewest} more comparisons, and without end if items tie."
            )
        return lines

    def to_json(self) -> dict[str, object]:
        """Return the standings for programs."""
        name = self.names
        return {
            "pairs": [pair.to_json(name) for pair in self.pairs.values()],
            "smith_set": {
                "within": [name[arm] for arm in self.contenders],
                "exactly": self.contenders_are_all_needed,
                "error_at_most": str(self.delta),
            },
            "undecided": [
                {"pair": [name[i], name[j]], "comparisons_at_least": self.fewest_to_settle(i, j)}
                for i, j in self.undecided()
            ],
        }

    def _error(self, n: int, s: int) -> Fraction:
        shares = self.size * (self.size - 1)
        return min(Fraction(1), shares * error_bound(n, s))
