"""Who beats whom, and how sure that is: the answer where no item is known to be the best.

All statements of a :class:`Standings` hold at once with the probability that it states, whenever
and for whatever reason the comparisons ended: the evidence for each of the ``N (N-1)`` ordered
pairs has its share of the error.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, count
from math import comb

from tgite import Arm, Outcome
from tgite.preferences import HALF, Preferences


def error_bound(n: int, s: int) -> Fraction:
    """Return ``1/W(n, s)``, at most 1: how likely s wins of n look for an arm that is not better.

    Whoever is not the better one ever has a value of at most x, over all n, with probability at
    most x (see :mod:`tgite.beyond.mixture_test`).
    """
    term = total = 1
    for k in range(1, s + 1):
        term = term * (n + 2 - k) // k  # C(n+1, k)
        total += term
    return min(Fraction(1), Fraction((n + 1) * comb(n, s), total))


def smith_set(size: int, beats: Callable[[Arm, Arm], bool]) -> tuple[Arm, ...]:
    """Return the smallest set of arms of which each beats every arm outside.

    ``beats(i, j)`` says whether i is known to beat j. Where that is known of too few pairs, the set
    holds the true one and maybe more: whoever is not known to be beaten may belong to it.
    """
    # Each member beats all outside, and nobody outside as many: so who beats the most is a member.
    number = [sum(beats(i, j) for j in range(size) if j != i) for i in range(size)]
    start = number.index(max(number))
    members, new = {start}, [start]
    while new:
        one = new.pop()
        unbeaten = [j for j in range(size) if j not in members and not beats(one, j)]
        members.update(unbeaten)
        new += unbeaten
    return tuple(sorted(members))


def top_of(preferences: Preferences) -> tuple[Arm, ...]:
    """Return the Smith set of preferences: a Condorcet winner alone, if there is one."""
    return smith_set(preferences.size, lambda i, j: preferences.probability(i, j) > HALF)


@dataclass(frozen=True, slots=True)
class Pair:
    """What is known of one pair: ``better`` won ``wins`` of ``played``, and ``ties`` were ties.

    ``error`` bounds the probability that any pair at all is given such a bound, or a smaller one,
    though its ``better`` is not the better one.
    """

    better: Arm
    worse: Arm
    wins: int
    played: int
    ties: int
    error: Fraction

    def counted(self) -> str:
        """Say how many comparisons were won, and how many were ties."""
        return f"{self.wins} of {self.played}" + (f", {self.ties} ties" if self.ties else "")

    def to_json(self, names: Sequence[str]) -> dict[str, object]:
        """Return it as JSON, with the items' names."""
        return {
            "better": names[self.better],
            "worse": names[self.worse],
            "wins": self.wins,
            "of": self.played,
            "ties": self.ties,
            "error_at_most": float(self.error),
        }

    @property
    def share(self) -> Fraction:
        """The share of the wins of ``better``, a tie being half of one."""
        return (self.wins + Fraction(self.ties, 2)) / self.played


class Standings:
    """What wins and ties come to, at level ``delta`` for all statements together.

    A tie is half a win in a share. The evidence leaves ties out: the better one of two, by its
    chance to win plus half the chance of a tie, is the better one in what is no tie.
    """

    def __init__(
        self,
        wins: tuple[tuple[int, ...], ...],
        delta: Fraction,
        ties: tuple[tuple[int, ...], ...] = (),
    ) -> None:
        """Take the wins of each item (row) over each other one (column), and the ties, if any."""
        self.delta = delta
        self.size = N = len(wins)
        self.wins = wins
        self.pairs: dict[tuple[Arm, Arm], Pair] = {}
        for i, j in combinations(range(N), 2):
            tied = ties[i][j] if ties else 0
            better, worse = (i, j) if wins[i][j] >= wins[j][i] else (j, i)
            won, lost = wins[better][worse], wins[worse][better]
            if played := won + lost + tied:
                error = self._error(won, lost)
                self.pairs[better, worse] = Pair(better, worse, won, played, tied, error)

    @staticmethod
    def of(
        size: int, outcomes: Iterable[tuple[Arm, Arm, Iterable[Outcome | None]]], delta: Fraction
    ) -> Standings:
        """Count the outcomes of meetings, of which ``None`` is a tie."""
        wins, ties = ([[0] * size for _ in range(size)] for _ in "wt")
        for first, second, told in outcomes:
            for first_won in told:
                if first_won is None:
                    ties[first][second] += 1
                    ties[second][first] += 1
                else:
                    winner, loser = (first, second) if first_won else (second, first)
                    wins[winner][loser] += 1
        return Standings(tuple(map(tuple, wins)), delta, tuple(map(tuple, ties)))

    def known(self, i: Arm, j: Arm) -> bool:
        """Say whether i is known to beat j, at the level of all statements."""
        pair = self.pairs.get((i, j))
        return pair is not None and pair.error <= self.delta

    @property
    def decided(self) -> list[Pair]:
        """The pairs that are decided, the surest first."""
        found = [pair for pair in self.pairs.values() if pair.error <= self.delta]
        return sorted(found, key=lambda pair: pair.error)

    @property
    def contenders(self) -> tuple[Arm, ...]:
        """A set that holds the Smith set."""
        return smith_set(self.size, self.known)

    @property
    def contenders_are_all_needed(self) -> bool:
        """Whether the contenders are the Smith set itself: each reaches each by known wins."""
        members = self.contenders
        for start in members:
            reached, new = {start}, [start]
            while new:
                one = new.pop()
                more = [j for j in members if j not in reached and self.known(one, j)]
                reached.update(more)
                new += more
            if len(reached) < len(members):
                return False
        return True

    @property
    def copeland(self) -> tuple[Arm, ...]:
        """The items that are ahead of the most others, as the counts stand."""
        ahead = [0] * self.size
        for pair in self.pairs.values():
            ahead[pair.better] += pair.share > HALF
        return tuple(i for i, number in enumerate(ahead) if number == max(ahead))

    @property
    def borda(self) -> tuple[Arm, ...]:
        """The items with the highest mean share over the others; 1/2 where two never met."""
        lead = [Fraction(0)] * self.size
        for pair in self.pairs.values():
            lead[pair.better] += pair.share - HALF
            lead[pair.worse] -= pair.share - HALF
        return tuple(i for i, one in enumerate(lead) if one == max(lead))

    def undecided(self) -> list[tuple[Arm, Arm]]:
        """Return the pairs of contenders of which nobody knows who is better."""
        members = self.contenders
        return [
            (i, j)
            for i in members
            for j in members
            if i < j and not self.known(i, j) and not self.known(j, i)
        ]

    def fewest_to_settle(self, i: Arm, j: Arm) -> int:
        """Return the fewest more comparisons that can decide a pair: all of them won by one item.

        How many it will take nobody can say: of an undecided pair the share is not known to be
        other than 1/2.
        """
        ahead, behind = sorted((self.wins[i][j], self.wins[j][i]), reverse=True)

        def decided(more: int) -> bool:
            return self._error(ahead + more, behind) <= self.delta

        most = next(2**k for k in count() if decided(2**k))
        return bisect_left(range(most), True, key=decided)

    def _error(self, wins: int, losses: int) -> Fraction:
        shares = self.size * (self.size - 1)
        return min(Fraction(1), shares * error_bound(wins + losses, wins))
