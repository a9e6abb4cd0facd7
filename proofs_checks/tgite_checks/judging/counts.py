"""Preferences from counts of wins: estimates, what is missing, and how sure the winner is."""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from tgite import Arm, InvalidInput, PreferenceMatrix
from tgite.errors import handled
from tgite.preferences import HALF
from tgite_checks.enclosure import Enclosure

JUDGEMENT_COLUMNS = ("winner", "loser")
PAIR_COLUMNS = ("first", "second", "first_wins", "second_wins")

_MOST_DIGITS = 15


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of wins: ``wins[i][j]`` is how often item ``i`` beat item ``j``."""

    names: tuple[str, ...]
    wins: tuple[tuple[int, ...], ...]

    @property
    def total(self) -> int:
        """The number of comparisons."""
        return sum(map(sum, self.wins))

    def played(self, i: Arm, j: Arm) -> int:
        """Return how often the two items were compared."""
        return self.wins[i][j] + self.wins[j][i]

    def pairs(self) -> list[tuple[Arm, Arm]]:
        """Return all pairs of items, the earlier one first."""
        size = len(self.names)
        return [(i, j) for i in range(size) for j in range(i + 1, size)]

    def missing(self) -> list[tuple[Arm, Arm]]:
        """Return the pairs that were never compared."""
        return [pair for pair in self.pairs() if self.played(*pair) == 0]

    def shutouts(self) -> list[tuple[Arm, Arm]]:
        """Return the pairs in which one item won every time, that item first."""
        found: list[tuple[Arm, Arm]] = []
        for i, j in self.pairs():
            if self.played(i, j) and self.wins[j][i] == 0:
                found.append((i, j))
            elif self.played(i, j) and self.wins[i][j] == 0:
                found.append((j, i))
        return found

    def matrix(self, prior: Fraction) -> PreferenceMatrix:
        """Return the estimates ``(wins + prior) / (comparisons + 2 prior)`` as a preference matrix.

        Raises :class:`~tgite.errors.InvalidInput` if a pair was never compared, or if there is a
        shutout and no ``prior`` (the model has no probability 0 or 1).
        """
        if missing := self.missing():
            pairs = "; ".join(f"{self.names[i]} and {self.names[j]}" for i, j in missing[:5])
            more = f" and {len(missing) - 5} more pairs" if len(missing) > 5 else ""
            raise InvalidInput("counts", f"{pairs}{more}", "must be compared at least once")
        if prior < 0:
            raise InvalidInput("prior", str(prior), "must be 0 or more")
        for i, j in self.shutouts():
            if prior == 0:
                raise InvalidInput(
                    "counts",
                    f"{self.names[i]} won all {self.wins[i][j]} against {self.names[j]}",
                    "gives a probability of 1, which the model excludes; state a prior, such as "
                    "--prior 1/2, or compare them more often",
                )
        return PreferenceMatrix(
            tuple(
                tuple(self._estimate(i, j, prior) for j in range(len(self.names)))
                for i in range(len(self.names))
            ),
            self.names,
        )

    def _estimate(self, i: Arm, j: Arm, prior: Fraction) -> Fraction:
        if i == j:
            return HALF
        return (self.wins[i][j] + prior) / (self.played(i, j) + 2 * prior)


@dataclass(frozen=True, slots=True)
class Leader:
    """The item that leads against every other one, and how sure that is.

    ``error`` encloses a bound of the probability that the counts single out an item that does not
    in truth beat every other one: N times the largest one-sided binomial p-value of its leads.
    It supposes independent comparisons, with numbers fixed before the first one.
    """

    arm: Arm
    closest: Arm
    error: Enclosure


def leader(counts: Counts, matrix: PreferenceMatrix) -> Leader:
    """Return the leader; raises :class:`~tgite.errors.NoCondorcetWinner` where there is none.

    The bound: an item that does not beat every other one has an opponent that it does not beat, and
    leads against that one with p-value alpha with probability at most alpha; there are N items.
    """
    from scipy.stats import binom  # Slow to import, and no other command needs it.

    arm = matrix.winner()
    others = [j for j in range(matrix.size) if j != arm]
    p_values = {
        j: float(binom.sf(counts.wins[arm][j] - 1, counts.played(arm, j), 0.5)) for j in others
    }
    closest = max(others, key=p_values.__getitem__)
    bound = matrix.size * p_values[closest]
    # The library states no error bound; this slack is far above what its tests show.
    return Leader(
        arm, closest, Enclosure(min(1.0, bound * (1 - 1e-9)), min(1.0, bound * (1 + 1e-9)))
    )


def read_counts(path: Path) -> Counts:
    """Read counts of wins from CSV, in one of two forms, known by the first line.

    ``winner,loser`` has one judgement a line; a third column ``count`` may say how many.
    ``first,second,first_wins,second_wins`` has one pair a line. Items are numbered in the order in
    which they first appear. Raises :class:`~tgite.errors.InvalidInput`, naming the line, for
    anything else.
    """
    with handled("counts", path):
        text = path.read_text(encoding="utf-8-sig")
    try:
        table = [
            (number, [cell.strip() for cell in row])
            for number, row in enumerate(csv.reader(io.StringIO(text), strict=True), start=1)
            if row
        ]
    except csv.Error as error:
        raise InvalidInput("counts", str(path), f"is not CSV ({error})") from None
    columns = tuple(cell.lower() for cell in table[0][1]) if table else ()
    if columns not in {JUDGEMENT_COLUMNS, (*JUDGEMENT_COLUMNS, "count"), PAIR_COLUMNS}:
        raise InvalidInput(
            "counts",
            f"{path}:1",
            "must begin with the line winner,loser or winner,loser,count or "
            "first,second,first_wins,second_wins",
        )
    wins: Counter[tuple[str, str]] = Counter()
    names: dict[str, None] = {}
    for number, row in table[1:]:
        where = f"{path}:{number}"
        if len(row) != len(columns):
            raise InvalidInput("counts", where, f"must have {len(columns)} columns")
        if not row[0] or not row[1] or row[0] == row[1]:
            raise InvalidInput("counts", where, "must name two different items")
        if not (row[0].isprintable() and row[1].isprintable()):
            raise InvalidInput("counts", where, "must name items without control characters")
        names[row[0]] = names[row[1]] = None
        if columns == PAIR_COLUMNS:
            wins[row[0], row[1]] += _count(where, row[2])
            wins[row[1], row[0]] += _count(where, row[3])
        else:
            wins[row[0], row[1]] += _count(where, row[2]) if len(row) == 3 else 1
    if len(names) < 2:
        raise InvalidInput("counts", str(path), "must compare at least two items")
    return Counts(tuple(names), tuple(tuple(wins[i, j] for j in names) for i in names))


def _count(where: str, cell: str) -> int:
    digits = cell.strip()
    if not (digits.isascii() and digits.isdecimal()):
        raise InvalidInput("counts", where, f"must count in whole numbers, not {cell!r}")
    if len(digits.lstrip("0")) > _MOST_DIGITS:
        raise InvalidInput("counts", where, f"must count less than 10^{_MOST_DIGITS}, not {cell!r}")
    return int(digits)
