"""Preferences from what people have: judgements, counts of wins, or matrices of either.

What is recognised is said; what would have to be guessed is refused, with the option that says it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

from tgite import Arm, InvalidInput, PreferenceMatrix
from tgite.confidence import read_number
from tgite.errors import require
from tgite.playing.matrices import as_matrix
from tgite.preferences import HALF
from tgite_judge.journal import parse, renumbered
from tgite_judge.tables import Frame, Table, composed, is_blank, read_text, table_of
from tgite_laws.enclosure import Enclosure

_MOST_DIGITS = 15

_PAIRS = (
    ("model_a", "model_b"),
    ("left", "right"),
    ("first", "second"),
    ("item_a", "item_b"),
    ("option_a", "option_b"),
    ("player_a", "player_b"),
    ("item1", "item2"),
    ("player1", "player2"),
    ("a", "b"),
)
_WINNERS = ("winner", "preferred", "choice")
_POSITIONS = {
    True: {"first", "1", "a", "left", "model_a", "item_a", "option_a", "player_a"},
    False: {"second", "2", "b", "right", "model_b", "item_b", "option_b", "player_b"},
}
_BOTH_BAD = {"tie (bothbad)", "tie(bothbad)", "bothbad", "both_bad", "both bad"}
_TIES = {"tie", "ties", "draw", "equal", "=", *_BOTH_BAD}


class WinnerIs(StrEnum):
    """How a column names the winner: by its name, by its position, or in either way."""

    EITHER = "either"
    NAME = "name"
    POSITION = "position"


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns that hold what is counted, where these do not have the usual names."""

    first: str | None = None
    second: str | None = None
    winner: str | None = None
    loser: str | None = None
    count: str | None = None
    winner_is: WinnerIs = WinnerIs.EITHER


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of wins: ``wins[i][j]`` is how often item ``i`` beat item ``j``.

    ``ties[i][j]``, the same as ``ties[j][i]``, is how often neither did; none, if left out.
    """

    names: tuple[str, ...]
    wins: tuple[tuple[int, ...], ...]
    ties: tuple[tuple[int, ...], ...] = ()

    @property
    def total(self) -> int:
        """The number of comparisons."""
        return sum(map(sum, self.wins)) + sum(map(sum, self.ties)) // 2

    def tied(self, i: Arm, j: Arm) -> int:
        """Return how often the two items tied."""
        return self.ties[i][j] if self.ties else 0

    def played(self, i: Arm, j: Arm) -> int:
        """Return how often the two items were compared."""
        return self.wins[i][j] + self.wins[j][i] + self.tied(i, j)

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
            if self.tied(i, j) == 0 < self.played(i, j):
                if self.wins[j][i] == 0:
                    found.append((i, j))
                elif self.wins[i][j] == 0:
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
        won = self.wins[i][j] + Fraction(self.tied(i, j), 2)
        return (won + prior) / (self.played(i, j) + 2 * prior)

    def groups(self) -> list[tuple[Arm, ...]]:
        """Return the items in groups never compared with each other, the largest first."""
        group = list(range(len(self.names)))
        for i, j in self.pairs():
            if self.played(i, j) and group[i] != group[j]:
                one, other = group[i], group[j]
                group = [one if found == other else found for found in group]
        members = [
            tuple(i for i, found in enumerate(group) if found == one)
            for one in dict.fromkeys(group)
        ]
        return sorted(members, key=lambda one: (-len(one), one))


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
        # A tie is no evidence for either: of the others the worse item wins half at most.
        j: float(binom.sf(counts.wins[arm][j] - 1, counts.wins[arm][j] + counts.wins[j][arm], 0.5))
        for j in others
    }
    closest = max(others, key=p_values.__getitem__)
    bound = matrix.size * p_values[closest]
    # The library states no error bound; this slack is far above what its tests show.
    return Leader(
        arm, closest, Enclosure(min(1.0, bound * (1 - 1e-9)), min(1.0, bound * (1 + 1e-9)))
    )


@dataclass(frozen=True, slots=True)
class Read:
    """What a table was read as: counts of wins or, where it holds them, probabilities."""

    counts: Counts | None
    matrix: PreferenceMatrix | None
    said: tuple[str, ...]


def read_data(source: Path | Frame, columns: Columns | None = None, field: str = "counts") -> Read:
    """Read judgements, counts or a matrix from a file, ``-`` for standard input, or a table.

    A table is one of pandas or polars, or an array of NumPy; a file is read by its text.

    The forms, of which a table's header tells which one it is:

    * ``winner,loser``, one judgement a line, or ``count`` of them;
    * two items, under one of the usual pairs of names, and a ``winner``: its name, its position,
      the name of its column, or a tie;
    * two items, ``first_wins``, ``second_wins`` and maybe ``ties``;
    * a square matrix, of wins or of probabilities, with names above it, beside it, or none;
    * a journal of a judge.

    Other columns are left out, and that is said. ``columns`` says which ones are meant where the
    names do not, ``field`` is what a refusal calls the input. Raises
    :class:`~tgite.errors.InvalidInput` for anything else.
    """
    if not isinstance(source, Path):
        must = "must be a Path, an array or a table of columns (a lazy one collected)"
        require(isinstance(source, Frame), field, type(source).__name__, must)
        return recognised(Table.of_frame(source), columns or Columns())
    text, place = read_text(field, source)
    if text.lstrip().startswith('{"format":'):
        return Read(_of_journal(text, place), None, ("a journal",))
    return recognised(table_of(field, text, place), columns or Columns())


def _of_journal(text: str, source: str) -> Counts:
    """Count the answers of a journal; a line that was cut off in writing is none."""
    head, kept = parse(text[: text.rfind("\n") + 1].encode(), source)
    N = len(head.items)
    wins, ties = ([[0] * N for _ in range(N)] for _ in range(2))
    for asking in renumbered(kept, head.items):
        i, j = asking.question.first, asking.question.second
        if asking.first_won is None:
            ties[i][j] += 1
            ties[j][i] += 1
        else:
            winner, loser = (i, j) if asking.first_won else (j, i)
            wins[winner][loser] += 1
    tied = tuple(map(tuple, ties)) if any(map(any, ties)) else ()
    return Counts(head.items, tuple(map(tuple, wins)), tied)


def read_counts(path: Path, columns: Columns | None = None) -> Counts:
    """Read counts of wins as :func:`read_data` does; refuse probabilities."""
    read = read_data(path, columns)
    if read.counts is None:
        raise InvalidInput("counts", str(path), "must hold counts, not probabilities")
    return read.counts


def recognised(table: Table, columns: Columns) -> Read:
    """Say what a table holds."""
    require(bool(table.rows), "counts", table.source, "is empty")
    where, header = table.rows[0]
    lowered = [name.lower().replace(" ", "_") for name in header]
    names = {name: place for place, name in enumerate(lowered)}
    for one in names:
        once = lowered.count(one) == 1 or _is_number(one)
        require(once, "counts", where, f"must name each column once, and has {one} twice")
    given = [columns.first, columns.second, columns.winner, columns.loser, columns.count]
    for name in given:
        if name is not None and composed(name) not in header:
            known = ", ".join(header)
            raise InvalidInput("column", name, f"must be one of the columns {known}")

    def column(named: str | None, *usual: str) -> int | None:
        if named is not None:
            return header.index(composed(named))
        return next((names[one] for one in usual if one in names), None)

    winner, loser = column(columns.winner, *_WINNERS), column(columns.loser, "loser")
    usual = next((pair for pair in _PAIRS if set(pair) <= names.keys()), ("", ""))
    first, second = column(columns.first, usual[0]), column(columns.second, usual[1])
    count = column(columns.count, "count")
    if winner is not None and loser is not None:
        return _counted(table, (winner, loser), count, "winner and loser", None, columns)
    if first is not None and second is not None:
        if winner is not None:
            return _counted(
                table, (first, second), count, "two items and a winner", winner, columns
            )
        wins = [
            (names[a], names[b])
            for a, b in (
                ("first_wins", "second_wins"),
                *((f"{one}_wins", f"{other}_wins") for one, other in _PAIRS),
                ("wins_a", "wins_b"),
                ("wins1", "wins2"),
            )
            if a in names and b in names
        ]
        if wins:
            return _wide(table, (first, second), wins[0], names.get("ties"))
    # What is square up to a line or column of names, and mostly numbers, is meant as a matrix.
    numbers = [_is_number(cell) for _, row in table.rows[1:] or table.rows for cell in row[1:]]
    nearly = abs(len(header) - len(table.rows)) <= 1 and 2 * sum(numbers) > len(numbers)
    near = _near_misses(header)
    if nearly and not near:
        return _square(table)
    raise InvalidInput(
        "counts",
        where,
        "".join(
            f"{one} looks like {usual}: --{usual} {one} says that it is; " for one, usual in near
        )
        + f"must begin with the line winner,loser, but has {_named(header)}; or with two items "
        "(first,second or model_a,model_b or left,right ...), winner or first_wins,second_wins; "
        "or be a square matrix; --winner, --loser, --first, --second say which columns are meant",
    )


def _near_misses(header: Sequence[str]) -> list[tuple[str, str]]:
    """Return the columns with nearly the name of one that an option names, and that name."""
    usual = ("winner", "loser", "first", "second", "count")
    near = ((one, get_close_matches(one.lower(), usual, 1, 0.75)) for one in header)
    return [(one, found[0]) for one, found in near if found and one.lower() not in usual]


def _named(columns: Iterable[str]) -> str:
    return ", ".join(name or "a column without a name" for name in columns)


def _left_out(header: Sequence[str], used: Set[int | None]) -> tuple[str, ...]:
    left = [name for place, name in enumerate(header) if place not in used]
    return (f"left out: {_named(left)}",) if left else ()


def _is_number(cell: str) -> bool:
    try:
        read_number("cell", _point(cell))
    except InvalidInput:
        return is_blank(cell)
    return True


def _point(cell: str) -> str:
    """Return a number with its decimal comma as a point: where it is one cell, it is no other."""
    return cell.replace(",", ".", 1)


class _Tally:
    """Wins and ties between items that are numbered as they appear."""

    def __init__(self) -> None:
        self.names: dict[str, None] = {}
        self.wins: Counter[tuple[str, str]] = Counter()
        self.ties: Counter[tuple[str, str]] = Counter()

    def meet(self, where: str, one: str, other: str) -> None:
        different = "must name two different items"
        require(bool(one) and bool(other) and one != other, "counts", where, different)
        printable = "must name items without control characters"
        require(one.isprintable() and other.isprintable(), "counts", where, printable)
        self.names[one] = self.names[other] = None

    def tie(self, one: str, other: str, number: int) -> None:
        self.ties[one, other] += number
        self.ties[other, one] += number

    def counts(self, source: str) -> Counts:
        names = tuple(self.names)
        require(len(names) > 1, "counts", source, "must compare at least two items")
        wins = tuple(tuple(self.wins[i, j] for j in names) for i in names)
        tied = tuple(tuple(self.ties[i, j] for j in names) for i in names)
        return Counts(names, wins, tied if self.ties.total() else ())


def _counted(
    table: Table,
    items: tuple[int, int],
    count: int | None,
    form: str,
    winner: int | None,
    columns: Columns,
) -> Read:
    """Count judgements; without a winner's column the first of the items is the winner."""
    tally = _Tally()
    header = table.rows[0][1]
    for where, row in table.rows[1:]:
        one, other = row[items[0]], row[items[1]]
        tally.meet(where, one, other)
        number = 1 if count is None else _whole(where, row[count])
        won: bool | None = True
        if winner is not None:
            pair = (header[items[0]].lower(), header[items[1]].lower())
            won = _first_won(where, row[winner], (one, other), pair, columns.winner_is)
        if won is None:
            tally.tie(one, other, number)
        else:
            tally.wins[(one, other) if won else (other, one)] += number
    said = (form, *table.said, *_left_out(header, {*items, count, winner}))
    return Read(tally.counts(table.source), None, said)


def _first_won(
    where: str, cell: str, items: tuple[str, str], columns: tuple[str, str], how: WinnerIs
) -> bool | None:
    """Return whether the first item won, ``None`` for a tie."""
    word = cell.lower()
    readings: set[bool | None] = set()
    if how is not WinnerIs.POSITION and cell in items:
        readings.add(cell == items[0])
    if how is not WinnerIs.NAME:
        readings |= {first for first, words in _POSITIONS.items() if word in words}
        if word in columns:
            readings.add(word == columns[0])
    if word in _TIES and cell not in items:
        readings.add(None)
    if len(readings) > 1:
        must = "could be a name or a position: --winner-is name or --winner-is position says which"
        raise InvalidInput("counts", f"{where}, winner {cell}", must)
    if not readings:
        must = f"must be {items[0]}, {items[1]}, a position (first, second) or tie"
        raise InvalidInput("counts", f"{where}, winner {cell or 'nothing'}", must)
    return readings.pop()


def _wide(table: Table, items: tuple[int, int], wins: tuple[int, int], ties: int | None) -> Read:
    tally = _Tally()
    for where, row in table.rows[1:]:
        one, other = row[items[0]], row[items[1]]
        tally.meet(where, one, other)
        (a, halves), (b, other_halves) = (_halves(where, row[place]) for place in wins)
        both = "must have as many half wins on both sides"
        require(halves == other_halves, "counts", where, both)
        tally.wins[one, other] += a
        tally.wins[other, one] += b
        tally.tie(one, other, halves + (0 if ties is None else _whole(where, row[ties])))
    left = _left_out(table.rows[0][1], {*items, *wins, ties})
    said = ("wins of both items of a pair", *table.said, *left)
    return Read(tally.counts(table.source), None, said)


def _square(table: Table) -> Read:
    """Read a square matrix: without names, with names above it, or above and beside it."""
    rows, said = list(table.rows), list(table.said)
    names: tuple[str, ...] = ()
    header, labels = rows[0][1], [row[0] for _, row in rows[1:]]
    numbered = len(rows) == len(header) + 1 and list(header) in _numbers(len(header))
    if (
        table.named
        or numbered
        or not all(map(_is_number, header))
        or _are_labels(table.source, header, labels)
    ):
        names, rows = header, rows[1:]
        said.append("names above")
    cells = [row for _, row in rows]
    beside = [row[0] for row in cells]
    rest = list(names[1:])
    if (
        is_blank(header[0])
        and len(rest) == len(cells)
        and beside in _numbers(len(cells))
        and beside != rest
    ):
        # As pandas writes a table: the names above, and beside it the numbers of its rows.
        said.append("left out: the numbers of the rows")
        names, cells = names[1:], [row[1:] for row in cells]
    if len(cells) + 1 == len(cells[0]):
        names = names[1:] if names else tuple(beside)
        require(
            sorted(names) == sorted(beside),
            "counts",
            f"{table.source}, rows {', '.join(beside)}",
            f"must have the names of the columns: {', '.join(names)}",
        )
        order = [beside.index(name) for name in names]
        cells = [cells[place][1:] for place in order]
        rows = [rows[place] for place in order]
        said.append("names beside")
    N = len(cells)
    square = f"must be square: {N} rows of {N} cells, with names above, beside or neither"
    require(len(cells[0]) == N > 1, "counts", f"{table.source}, {len(cells[0])} columns", square)
    for (where, _), row in zip(rows, cells, strict=True):
        for cell in row:
            require(_is_number(cell), "counts", f"{where}, {cell}", "must be a number")
    numbers = [["nan" if is_blank(cell) else _point(cell) for cell in row] for row in cells]
    if any(not is_blank(cell) and "," in cell for row in cells for cell in row):
        said.append("decimal commas")
    if not names:
        said.append(f"no names: items are numbered from 0 to {N - 1}")
        names = tuple(map(str, range(N)))
    off = [
        read_number("cell", numbers[i][j])
        for i in range(N)
        for j in range(N)
        if i != j and numbers[i][j] != "nan"
    ]
    if any(0 < p < 1 and p != HALF for p in off) or all(0 < p < 1 for p in off):
        healed = as_matrix(numbers, names)
        return Read(None, healed.matrix, ("a matrix of probabilities", *said, *healed.said))
    for i in range(N):
        # Percentages and sums of rows would else be read as comparisons that nobody made.
        played = numbers[i][i] != "nan" and read_number("cell", numbers[i][i]) != 0
        must = "must be 0 or empty on the diagonal: nothing is compared with itself"
        require(not played, "counts", f"{rows[i][0]}, {names[i]}: {numbers[i][i]}", must)
    tally = _Tally()
    for i in range(N):
        for j in range(i + 1, N):
            tally.meet(rows[i][0], names[i], names[j])
            (a, halves), (b, others) = (
                _halves(rows[k][0], "0" if numbers[k][m] == "nan" else numbers[k][m])
                for k, m in ((i, j), (j, i))
            )
            both = f"must have as many half wins on both sides of {names[i]} and {names[j]}"
            require(halves == others, "counts", rows[i][0], both)
            tally.wins[names[i], names[j]] += a
            tally.wins[names[j], names[i]] += b
            tally.tie(names[i], names[j], halves)
    return Read(tally.counts(table.source), None, ("a matrix of wins (row over column)", *said))


def _are_labels(source: str, header: Sequence[str], labels: Sequence[str]) -> bool:
    """Say whether the numbers in the first line and column are names: those from 0 or from 1 on."""
    above = header[1:]
    if not is_blank(header[0]) or set(above) != set(labels) or len(set(above)) < len(above):
        return False
    if list(above) in _numbers(len(above)):
        return True
    must = "could be names or counts: write 0 on the diagonal of counts, or letters into names"
    raise InvalidInput("counts", f"{source}:1, {', '.join(header)}", must)


def _numbers(size: int) -> list[list[str]]:
    """Return the numbers that libraries give to rows and columns: from 0 on, or from 1 on."""
    return [[str(first + place) for place in range(size)] for first in (0, 1)]


def _halves(where: str, cell: str) -> tuple[int, int]:
    """Return how many whole wins a cell counts, and whether there is half a win for a tie."""
    text = _point(cell)
    if "e" in text.lower() and _is_number(text):
        # As libraries write floats: 6.7e+01 is 67.
        twice = 2 * read_number("counts", text)
        if twice.denominator == 1 and 0 <= twice < 2 * 10**_MOST_DIGITS:
            return int(twice // 2), int(twice % 2)
    whole, point, rest = text.partition(".")
    if point and not rest.strip("0"):
        return _count(where, whole), 0
    if point and rest.rstrip("0") == "5":
        return _count(where, whole or "0"), 1
    return _count(where, cell), 0


def _whole(where: str, cell: str) -> int:
    """Return a count without a half, which floats may write as 3.0."""
    count, half = _halves(where, cell)
    require(not half, "counts", where, f"must count in whole numbers here, not {cell!r}")
    return count


def _count(where: str, cell: str) -> int:
    digits = cell.strip()
    if not (digits.isascii() and digits.isdecimal()):
        must = f"must count in whole numbers (or halves, for ties), not {cell!r}"
        raise InvalidInput("counts", where, must)
    if len(digits.lstrip("0")) > _MOST_DIGITS:
        raise InvalidInput("counts", where, f"must count less than 10^{_MOST_DIGITS}, not {cell!r}")
    return int(digits)
