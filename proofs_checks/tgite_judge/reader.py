"""Reads tables of judgements, counts of wins, or matrices of wins or probabilities.

The reader recognises the form of the table and reports it. If it would have to guess, it refuses
the table and names the option that decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path

from tgite import Arm, InvalidInput, PreferenceMatrix
from tgite.confidence import read_number
from tgite.errors import require
from tgite.playing.matrices import as_matrix
from tgite.preferences import HALF
from tgite_judge.copies import once_each
from tgite_judge.counts import Counts
from tgite_judge.journal import NOT_STORED, Question, Record, parse_journal, renumber
from tgite_judge.replies import Said, composed, require_items, require_printable
from tgite_judge.search import Rules
from tgite_judge.standings import tally
from tgite_judge.tables import Frame, Table, is_blank, read_text, table_of

_TOO_MANY = 10**15

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
    True: {"1", *(first for first, _ in _PAIRS)},
    False: {"2", *(second for _, second in _PAIRS)},
}
_BOTH_BAD = {"tie (bothbad)", "tie(bothbad)", "bothbad", "both_bad", "both bad"}
_TIES = {"tie", "ties", "draw", "equal", "=", *_BOTH_BAD}


class WinnerIs(StrEnum):
    """How a column names the winner: by its name, by its position, or either."""

    EITHER = "either"
    NAME = "name"
    POSITION = "position"


@dataclass(frozen=True, slots=True)
class Columns:
    """The names of the columns to read, if they are not among the usual ones."""

    first: str | None = None
    second: str | None = None
    winner: str | None = None
    loser: str | None = None
    count: str | None = None
    winner_is: WinnerIs = WinnerIs.EITHER


@dataclass(frozen=True, slots=True)
class Read:
    """The content of a table: counts of comparisons, or a matrix of probabilities.

    ``notes`` say in words what was recognised, corrected or left out.
    """

    counts: Counts | None
    matrix: PreferenceMatrix | None
    notes: tuple[str, ...]


def read_data(source: Path | Frame, columns: Columns | None = None) -> Read:
    """Read judgements, counts or a matrix from a file, from ``-`` (standard input), or a table.

    A table is a DataFrame of pandas or polars, or an array of NumPy. The header decides between
    these forms:

    * ``winner,loser``: one judgement a line, or as many as the column ``count`` says;
    * two items, in columns with one of the usual pairs of names, and a ``winner``: its name, its
      position, the name of its column, or a tie;
    * two items, ``first_wins``, ``second_wins``, and optionally ``ties``;
    * a square matrix, of wins or of probabilities, with names above it, beside it, or none;
    * a journal of a judge.

    Other columns are left out, and the notes list them. ``columns`` names columns with unusual
    names. Raises :class:`~tgite.errors.InvalidInput` for any other content.
    """
    if not isinstance(source, Path):
        must = "must be a Path, an array or a table of columns (a lazy one collected)"
        require(isinstance(source, Frame), "counts", type(source).__name__, must)
        return _recognise(Table.of_frame(source), columns or Columns())
    text, place = read_text(source)
    if text.lstrip().startswith('{"format":'):
        return _of_journal(text, place)
    return _recognise(table_of(text, place), columns or Columns())


def _of_journal(text: str, source: str) -> Read:
    """Count the questions of a journal, without an incomplete last line.

    Each question counts once, with its first result: a journal may hold copies, or two runs.
    """
    head, entries, old = parse_journal(text[: text.rfind("\n") + 1].encode(), source)
    require_items(head.items, source)
    rules = Rules.of(head.rules)
    kept: dict[Question, list[Record]] = {}
    again, copies, conflicts = set[Question](), 0, list[str]()
    for one in renumber(entries, head.items):
        if one.said is Said.NOTHING:
            again.add(one.question)
            continue
        earlier = kept.setdefault(one.question, [])
        if rules.outcome(earlier) is None and rules.fits(earlier, one):
            earlier.append(one)
        elif one in earlier:
            copies += 1
        else:
            pair = " and ".join(head.items[i] for i in (one.question.first, one.question.second))
            conflicts.append(f"question {one.question.number} about {pair}")
    results = list[tuple[Arm, Arm, bool | None]]()
    doubted = list[tuple[Arm, Arm, None]]()
    for question, records in kept.items():
        i, j = question.first, question.second
        if (decided := rules.decide(records)) is None and rules.both_orders:
            continue
        if question in again:
            doubted.append((i, j, None))
        else:
            results.append((i, j, None if decided is None or decided[1] else decided[0]))
    (wins, ties), (_, doubts) = (tally(len(head.items), one) for one in (results, doubted))
    notes = ["a journal", *([NOT_STORED.removesuffix(".")] if old and kept else [])]
    notes += [f"warning: {copies} answers are copies and do not count"] if copies else []
    if conflicts:
        shown = ", ".join(conflicts[:3]) + (", ..." if len(conflicts) > 3 else "")
        notes.append(
            f"warning: of {len(conflicts)} contradictory answers the first counts: {shown}"
        )
    counts = Counts(
        head.items, wins, ties if any(map(any, ties)) else (), doubts if doubted else ()
    )
    return Read(counts, None, tuple(notes))


def _recognise(table: Table, columns: Columns) -> Read:
    """Recognise the form of a table and return its content."""
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
            form = "two items and a winner"
            return _counted(table, (first, second), count, form, winner, columns)
        suffixed = [(f"{one}_wins", f"{other}_wins") for one, other in _PAIRS]
        usual_wins = (*suffixed, ("wins_a", "wins_b"), ("wins1", "wins2"))
        wins = [(names[a], names[b]) for a, b in usual_wins if a in names and b in names]
        if wins:
            return _wide(table, (first, second), wins[0], names.get("ties"))
    # A table of mostly numbers that is square, up to a line or column of names, is a matrix.
    numbers = [_is_number(cell) for _, row in table.rows[1:] or table.rows for cell in row[1:]]
    nearly = abs(len(header) - len(table.rows)) <= 1 and 2 * sum(numbers) > len(numbers)
    near = _near_misses(header)
    if nearly and not near:
        return _square(table)
    raise InvalidInput(
        "counts",
        where,
        "".join(
            f"{one} looks like {usual}: if it is, give --{usual} {one}; " for one, usual in near
        )
        + f"must begin with the line winner,loser, but has {_named(header)}; or with two items "
        "(first,second or model_a,model_b or left,right ...), winner or first_wins,second_wins; "
        "or be a square matrix; --winner, --loser, --first, --second say which columns are meant",
    )


def _near_misses(header: Sequence[str]) -> list[tuple[str, str]]:
    """Return the columns whose names are close to a usual name, each with that usual name."""
    usual = ("winner", "loser", "first", "second", "count")
    near = ((one, get_close_matches(one.lower(), usual, 1, 0.75)) for one in header)
    return [(one, found[0]) for one, found in near if found and one.lower() not in usual]


def _named(columns: Iterable[str]) -> str:
    return ", ".join(name or "a column without a name" for name in columns)


def _left_out(header: Sequence[str], used: Set[int | None]) -> tuple[str, ...]:
    left = [name for place, name in enumerate(header) if place not in used]
    return (f"left out: {_named(left)}",) if left else ()


def _number(cell: str) -> Fraction | None:
    """Return the number in a cell, ``None`` if there is none."""
    try:
        return read_number("cell", _point(cell))
    except InvalidInput:
        return None


def _is_number(cell: str) -> bool:
    """Return whether a cell holds a number or is empty."""
    return is_blank(cell) or _number(cell) is not None


def _point(cell: str) -> str:
    """Return a number with a point for its decimal comma."""
    return cell.replace(",", ".", 1)


class _Tally:
    """Wins and ties between items, which are numbered in order of appearance."""

    def __init__(self) -> None:
        self.names: dict[str, None] = {}
        self.wins: Counter[tuple[str, str]] = Counter()
        self.ties: Counter[tuple[str, str]] = Counter()
        self.blocks: dict[tuple[str, frozenset[str]], Counter[str]] = {}
        self.blocked = False

    def meet(self, where: str, one: str, other: str) -> None:
        different = "must name two different items"
        require(bool(one) and bool(other) and one != other, "counts", where, different)
        for name in (one, other):
            require_printable(name, "counts", f"{where}, {name!r}")
        self.names[one] = self.names[other] = None

    def block(self, name: str | None, one: str, other: str, halves: tuple[int, int]) -> None:
        """Add half wins of two items to a block, if there is one."""
        if name is not None:
            shares = self.blocks.setdefault((name, frozenset((one, other))), Counter())
            shares.update({one: halves[0], other: halves[1]})
            self.blocked |= shares.total() > 2

    def count(self, one: str, other: str, won: bool | None, number: int, block: str | None) -> None:
        """Count judgements, perhaps of a block."""
        halves = {True: 2, False: 0, None: 1}[won]
        self.block(block, one, other, (number * halves, number * (2 - halves)))
        if won is None:
            self.tie(one, other, number)
        else:
            self.wins[(one, other) if won else (other, one)] += number

    def tie(self, one: str, other: str, number: int) -> None:
        self.ties[one, other] += number
        self.ties[other, one] += number

    def meet_both(
        self,
        one: str,
        other: str,
        cells: Iterable[tuple[str, str]],
        ties: int = 0,
        block: str | None = None,
    ) -> None:
        """Count the wins of both items against each other, from two places and cells."""
        ((where, first), (elsewhere, second)) = cells
        self.meet(where, one, other)
        (wins, half), (losses, other_half) = _halves(where, first), _halves(elsewhere, second)
        must = f"must have the same number of half wins for {one} and {other}"
        require(half == other_half, "counts", where, must)
        self.wins[one, other] += wins
        self.wins[other, one] += losses
        self.tie(one, other, half + ties)
        self.block(block, one, other, (2 * wins + half + ties, 2 * losses + half + ties))

    def counts(self, source: str) -> Counts:
        names = tuple(self.names)
        require(len(names) > 1, "counts", source, "must compare at least two items")
        wins = tuple(tuple(self.wins[i, j] for j in names) for i in names)
        tied = tuple(tuple(self.ties[i, j] for j in names) for i in names)
        blocks = None
        if self.blocked:
            number, sums = Counter[tuple[str, str]](), dict[tuple[str, str], Fraction]()
            for (_, pair), shares in self.blocks.items():
                for i, j in permutations(pair) if shares.total() else ():
                    number[i, j] += 1
                    sums[i, j] = sums.get((i, j), Fraction(0)) + Fraction(shares[i], shares.total())
            blocks = (
                tuple(tuple(number[i, j] for j in names) for i in names),
                tuple(tuple(int(sums.get((i, j), 0)) for j in names) for i in names),
            )
        return Counts(names, wins, tied if self.ties.total() else (), (), blocks)


def _counted(
    table: Table,
    items: tuple[int, int],
    count: int | None,
    form: str,
    winner: int | None,
    columns: Columns,
) -> Read:
    """Count judgements; without a column for the winner, the first item is the winner."""
    tally = _Tally()
    header = table.rows[0][1]
    rows, question, warned = once_each(table)
    for where, row in rows:
        one, other = row[items[0]], row[items[1]]
        tally.meet(where, one, other)
        number = 1 if count is None else _whole(where, row[count])
        won: bool | None = True
        if winner is not None:
            pair = (header[items[0]].lower(), header[items[1]].lower())
            won = _first_won(where, row[winner], (one, other), pair, columns.winner_is)
        tally.count(one, other, won, number, _block(row, question, where))
    notes = (form, *table.notes, *warned, *_left_out(header, {*items, count, winner, question}))
    return Read(tally.counts(table.source), None, notes)


def _block(row: Sequence[str], question: int | None, where: str) -> str | None:
    """Return the name of a row's block, ``None`` if the table has no blocks."""
    if question is None:
        return None
    return f"in {where}" if is_blank(row[question]) else row[question].removesuffix(".0")


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
        must = "could be a name or a position: give --winner-is name or --winner-is position"
        raise InvalidInput("counts", f"{where}, winner {cell}", must)
    if not readings:
        must = f"must be {items[0]}, {items[1]}, a position (first, second) or tie"
        raise InvalidInput("counts", f"{where}, winner {cell or 'nothing'}", must)
    return readings.pop()


def _wide(table: Table, items: tuple[int, int], wins: tuple[int, int], ties: int | None) -> Read:
    tally = _Tally()
    rows, question, warned = once_each(table)
    for where, row in rows:
        more = 0 if ties is None else _whole(where, row[ties])
        cells = ((where, row[place]) for place in wins)
        block = _block(row, question, where)
        tally.meet_both(row[items[0]], row[items[1]], cells, more, block)
    left = _left_out(table.rows[0][1], {*items, *wins, ties, question})
    notes = ("wins of both items of a pair", *table.notes, *warned, *left)
    return Read(tally.counts(table.source), None, notes)


def _square(table: Table) -> Read:
    """Read a square matrix, without names, with names above it, or above and beside it."""
    rows, notes = list(table.rows), list(table.notes)
    names: tuple[str, ...] = ()
    header, labels = rows[0][1], [row[0] for _, row in rows[1:]]
    numbered = len(rows) == len(header) + 1 and list(header) in _numbers(len(header))
    named = table.named or numbered or not all(map(_is_number, header))
    if named or _are_labels(table.source, header, labels):
        names, rows = header, rows[1:]
        notes.append("names above")
    cells = [row for _, row in rows]
    beside = [row[0] for row in cells]
    rest, numbers_beside = list(names[1:]), beside in _numbers(len(cells))
    if is_blank(header[0]) and numbers_beside and beside != rest and len(rest) == len(cells):
        # pandas writes tables with the names above, and the rows' numbers beside.
        notes.append("left out: the numbers of the rows")
        names, cells = names[1:], [row[1:] for row in cells]
    if len(cells) + 1 == len(cells[0]):
        names = names[1:] if names else tuple(beside)
        place = f"{table.source}, rows {', '.join(beside)}"
        must = f"must have the names of the columns: {', '.join(names)}"
        require(sorted(names) == sorted(beside), "counts", place, must)
        order = [beside.index(name) for name in names]
        cells, rows = [cells[k][1:] for k in order], [rows[k] for k in order]
        notes.append("names beside")
    N = len(cells)
    square = f"must be square: {N} rows of {N} cells, with names above, beside or neither"
    require(len(cells[0]) == N > 1, "counts", f"{table.source}, {len(cells[0])} columns", square)
    for (where, _), row in zip(rows, cells, strict=True):
        for cell in row:
            require(_is_number(cell), "counts", f"{where}, {cell}", "must be a number")
    numbers = [["nan" if is_blank(cell) else _point(cell) for cell in row] for row in cells]
    if any("," in cell for row in cells for cell in row):
        notes.append("decimal commas")
    if not names:
        notes.append(f"no names: items are numbered from 0 to {N - 1}")
        names = tuple(map(str, range(N)))
    values = [[_number(cell) for cell in row] for row in numbers]
    off = [p for i, j in permutations(range(N), 2) if (p := values[i][j]) is not None]
    if any(0 < p < 1 and p != HALF for p in off) or all(0 < p < 1 for p in off):
        mended = as_matrix(numbers, names)
        return Read(None, mended.matrix, ("a matrix of probabilities", *notes, *mended.said))
    for i in range(N):
        # This refuses percentages and sums of rows, which are not numbers of comparisons.
        must = "must be 0 or empty on the diagonal: nothing is compared with itself"
        require(not values[i][i], "counts", f"{rows[i][0]}, {names[i]}: {numbers[i][i]}", must)
    tally = _Tally()
    for i, j in combinations(range(N), 2):
        both = ((rows[k][0], numbers[k][m].replace("nan", "0")) for k, m in ((i, j), (j, i)))
        tally.meet_both(names[i], names[j], both)
    return Read(tally.counts(table.source), None, ("a matrix of wins (row over column)", *notes))


def _are_labels(source: str, header: Sequence[str], labels: Sequence[str]) -> bool:
    """Return whether the numbers in the first line and column are names, counted from 0 or 1."""
    above = header[1:]
    if not is_blank(header[0]) or set(above) != set(labels) or len(set(above)) < len(above):
        return False
    if list(above) in _numbers(len(above)):
        return True
    must = "could be names or counts: write 0 on the diagonal of counts, or use names with letters"
    raise InvalidInput("counts", f"{source}:1, {', '.join(header)}", must)


def _numbers(size: int) -> list[list[str]]:
    """Return the default names of rows and columns: numbers from 0 or from 1."""
    return [[str(first + place) for place in range(size)] for first in (0, 1)]


def _halves(where: str, cell: str) -> tuple[int, int]:
    """Return the number of whole wins in a cell, and 1 if it has half a win (a tie), else 0."""
    number = _number(cell)
    if number is None or not 0 <= number < _TOO_MANY or (2 * number).denominator > 1:
        must = f"must be a whole number below 10^15, or end in .5 for a tie, not {cell!r}"
        raise InvalidInput("counts", where, must)
    return int(number), int(2 * number % 2)


def _whole(where: str, cell: str) -> int:
    """Return a whole number, which may be written as the float 3.0."""
    count, half = _halves(where, cell)
    require(not half, "counts", where, f"must be a whole number here, not {cell!r}")
    return count
