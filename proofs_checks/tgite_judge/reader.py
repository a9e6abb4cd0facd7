"""Reads tables of judgements, counts of wins, rankings, or matrices of wins or probabilities.

The reader recognises the form of the table and reports it. If it would have to guess, it refuses
the table and names the options that decide.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import blake2b
from itertools import chain, combinations, combinations_with_replacement, islice
from pathlib import Path

from tgite import Arm, InvalidInput, PreferenceMatrix
from tgite.errors import require
from tgite.playing.matrices import as_matrix
from tgite.preferences import HALF
from tgite_judge import layouts
from tgite_judge.items import check_items
from tgite_judge.journal import Question, Record, parse_journal, renumber
from tgite_judge.layouts import Reading, both_wins, is_blank, number, plain
from tgite_judge.replies import Said, composed, require_printable
from tgite_judge.search import Rules
from tgite_judge.standings import Counts, PairTable
from tgite_judge.tables import Table, read_lines, table_of

_MOST_SHOWN = 3
_PERCENT = "has pairs that sum to 100: write percentages as 63%, counts as winner,loser,count"


@dataclass(frozen=True, slots=True)
class Read:
    """The content of a table: counts of comparisons, or a matrix of probabilities.

    ``notes`` say in words what was recognised, corrected or left out.
    """

    counts: Counts | None
    matrix: PreferenceMatrix | None
    notes: tuple[str, ...]


def read_data(
    source: object, columns: Mapping[str, str] | None = None, winner_is: str | None = None
) -> Read:
    """Read judgements, counts or a matrix from a file, from ``-`` (standard input), or a table.

    A table is a DataFrame of pandas or polars, or an array of NumPy; its columns decide how it is
    read. A file can also hold rankings, or a judge's journal.

    ``columns`` gives columns to roles: ``{"first": "home", "second": "away", "winner": "FTR"}``.
    ``winner_is`` says what a result is: ``name``, or what it says if the first item won and if the
    second one did, such as ``1/0``. Raises :class:`~tgite.errors.InvalidInput` for a table that can
    be read in two ways, or in none.
    """
    named = columns or {}
    if not isinstance(source, Path):
        return _recognise(Table.of_frame(source), named, winner_is)
    lines, place = read_lines(source)
    first = next(lines, "")
    lines = chain([first], lines)
    if first.lstrip().startswith('{"format":'):
        return _of_journal("".join(lines), place)
    return _recognise(table_of(lines, place), named, winner_is)


def _of_journal(text: str, source: str) -> Read:
    """Count the questions of a journal, without an incomplete last line.

    Each question counts once, with its first result: a journal may hold copies, or two runs.
    """
    head, entries = parse_journal(text[: text.rfind("\n") + 1].encode(), source)
    check_items(head.items, source)
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
    asked = list[tuple[Arm, Arm, bool | None, bool]]()
    for question, records in kept.items():
        if (decided := rules.decide(records)) is not None or not rules.both_orders:
            won = None if decided is None or decided[1] else decided[0]
            asked.append((question.first, question.second, won, question in again))
    notes = ["a journal"]
    notes += [f"warning: {copies} answers are copies and do not count"] if copies else []
    if conflicts:
        what = f"warning: of {len(conflicts)} contradictory answers the first counts: "
        notes.append(what + _listed(conflicts))
    counts = Counts.of(head.items, asked)
    return Read(counts, None, tuple(notes))


def _recognise(table: Table, columns: Mapping[str, str], winner_is: str | None) -> Read:
    """Recognise the form of a table and return its content."""
    names = [plain(name) for name in table.header]
    for one in names:
        once = names.count(one) == 1 or number(one) is not None or not one
        require(once, "counts", table.where, f"must name each column once, and has {one} twice")
    known = ", ".join(name or "a column without a name" for name in table.header)
    given = {}
    for role, name in columns.items():
        must = f"must be one of the roles {', '.join(layouts.ROLES)}"
        require(role in layouts.ROLES, "columns", role, must)
        has = composed(name) in table.header
        require(has, "columns", f"{role}={name}", f"must be one of the columns {known}")
        given[role] = table.header.index(composed(name))
    if ways := layouts.readings(table.header, given, winner_is):
        return _compared(table, ways, Seen(table.header, given))
    # A table of mostly numbers that is square, up to a line or column of names, is a matrix.
    rows = [(at, [*map(composed, row)]) for at, row in islice(table.rows, len(table.header) + 2)]
    cells = [cell for _, row in rows or [("", names)] for cell in row[1:]]
    numbers, away = sum(map(_is_number, cells)), abs(len(names) - len(rows) - 1)
    if away <= 1 and 2 * numbers > len(cells):
        return _square(table, rows)
    must = f"has the columns {known}, which fit no layout: name them in line 1, or with --columns "
    must += "first=...,second=...,winner=... or --columns winner=...,loser=... (there are also "
    must += f"{', '.join(layouts.ROLES[2:5] + layouts.ROLES[7:])})"
    raise InvalidInput("counts", table.where, must)


def _compared(table: Table, ways: Sequence[Reading], seen: Seen) -> Read:
    """Count the comparisons in a table, in each way that all of its rows fit."""
    tallies = {way: Tally(many=seen.question is not None) for way in ways}
    empty, count = list[str](), 0
    for where, row in table.rows:
        new, block = seen.take(where, row)
        failures, found = list[str](), 0
        for way in list(tallies) if new else ():
            try:
                found += tallies[way].add(way.compared(row), block)
            except InvalidInput as why:
                failures.append(why.rule)
                del tallies[way]
        require(bool(tallies), "counts", where, "".join(failures[:1]))
        if new and not found:
            empty, count = [*empty[:_MOST_SHOWN], where], count + 1
    counts = {way: tallies[way].counts(table.source) for way in layouts.agreed(list(tallies))}
    way = next(iter(counts))
    # Readings that differ in the names of items only say the same.
    same = {other: replace(one, names=counts[way].names) for other, one in counts.items()}
    others = {str(counts[one]): one for one in same if same[one] != counts[way]}
    if others:
        differing = [way, *others.values()]
        shown = "; or ".join(one.flags(differing) for one in differing)
        must = f"can be read in {len(others) + 1} ways: say which with {shown}"
        raise InvalidInput("counts", table.source, must)
    notes = [str(way), *table.notes, *seen.notes()]
    if empty:
        notes.append(f"warning: {count} rows without a result do not count: {_listed(empty)}")
    if way.winner_is == "name" and len({one.winner_is for one in ways}) > 1:
        named = map(plain, tallies[way].names)
        both = ", ".join(one for one in named if way.words[one] and layouts.says("name", None, one))
        must = f"has {both} as an item and as a tie: give --winner-is name if a row with this item "
        require(not both, "counts", table.source, f"{must}names it, or rename the item")
    require({*way.words} != {"sum 100"}, "counts", table.source, _PERCENT)
    used = {*way.places.values(), seen.question}
    if left := [name for at, name in enumerate(table.header) if at not in used]:
        notes.append(f"left out: {', '.join(one or 'a column without a name' for one in left)}")
    return Read(counts[way], None, tuple(notes))


def _listed(several: Sequence[str]) -> str:
    return ", ".join([*several[:_MOST_SHOWN], *(["..."] if len(several) > _MOST_SHOWN else [])])


class Seen:
    """The rows that were seen, in a temporary database that may be larger than the memory.

    Copies (rows with the same identifier, or with the same content and time) count once. Rows about
    the same question (prompt, task), or with the same identifier and different contents, are one
    block: a single comparison, whose result is the share of wins.
    """

    def __init__(self, header: Sequence[str], given: Mapping[str, int]) -> None:
        """Find the columns of identifiers, questions and times; ``given`` names some."""
        self._header = header
        usual = {role: re.compile(layouts.DATA.names[role]) for role in layouts.EXTRA_ROLES}
        names = list(enumerate(map(plain, header)))
        found = {role: [at for at, name in names if usual[role].fullmatch(name)] for role in usual}
        found |= {role: [at] for role, at in given.items()}
        self._key, self.question, self._time = (next(iter(found[role]), None) for role in usual)
        self._copies = 0
        self._rows = sqlite3.connect("")
        self._rows.execute("CREATE TABLE seen (id, row, block, place, PRIMARY KEY (id, row))")

    def take(self, where: str, row: Sequence[str]) -> tuple[bool, str | None]:
        """Return whether a row is no copy, and its block, ``None`` if there are no blocks."""
        # pandas writes whole numbers as 3.0 in a column that is in part empty.
        key, asked, time = (
            None if at is None or is_blank(row[at]) else row[at].strip().removesuffix(".0")
            for at in (self._key, self.question, self._time)
        )
        block = key if self.question is None else asked or f"in {where}"
        if key is None and time is None:
            return True, block
        earlier = self._rows.execute("SELECT block FROM seen WHERE id = ? LIMIT 1", (key,))
        block = next((one for (one,) in earlier), block)
        values = (key or "", blake2b(repr(row).encode(), digest_size=16).digest(), block, where)
        new = self._rows.execute("INSERT OR IGNORE INTO seen VALUES (?, ?, ?, ?)", values).rowcount
        self._copies += not new
        return bool(new), block

    def notes(self) -> list[str]:
        """Return what to say about copies, questions and contradictions."""
        asked, key = (None if at is None else self._header[at] for at in (self.question, self._key))
        notes = [f"rows with the same {asked} are one block"] if asked else []
        if self._copies:
            notes.insert(0, f"warning: {self._copies} rows are copies of others and do not count")
        query = "SELECT group_concat(place, ' and ') FROM seen WHERE id != '' GROUP BY id "
        if several := [places for (places,) in self._rows.execute(query + "HAVING count(*) > 1")]:
            what = f"warning: {len(several)} values of {key} have rows with different contents, "
            notes.append(f"{what}which are one block: {', '.join(several):.200}")
        return notes


class Tally:
    """Wins and ties between items, which are numbered in order of appearance."""

    def __init__(self, *, many: bool = False) -> None:
        """Begin with no comparison; ``many`` says that those of one row depend on each other."""
        self.names: dict[str, None] = {}
        self.wins: Counter[tuple[str, str]] = Counter()
        self.ties: Counter[tuple[str, str]] = Counter()
        self._many = many
        self._blocks = sqlite3.connect("")
        self._blocks.execute("CREATE TABLE blocks (name, one, other, won, lost)")

    def add(self, compared: Iterable[layouts.Compared], block: str | None = None) -> int:
        """Count comparisons, perhaps of a block; return their number."""
        found = 0
        for one, other, wins, losses, ties in compared:
            named = bool(one) and bool(other) and one != other
            require(named, "counts", one, "must name two different items")
            for name in {one, other} - self.names.keys():
                require_printable(name, "counts", name)
            self.names |= {one: None, other: None}
            for names, times in (((one, other), wins), ((other, one), losses)):
                self.wins[names] += times
                self.ties[names] += ties
            found += wins + losses + ties
            if block is not None:
                ahead, behind = 2 * wins + ties, 2 * losses + ties
                row = min((one, other, ahead, behind), (other, one, behind, ahead))
                self._blocks.execute("INSERT INTO blocks VALUES (?, ?, ?, ?, ?)", (block, *row))
        return found

    def counts(self, source: str) -> Counts:
        """Return the counts, and the sums of the shares of blocks that hold several."""
        names = tuple(self.names)
        require(len(names) > 1, "counts", source, "must compare at least two items")
        met, blocked = Counter[tuple[str, str]](), False
        shared = defaultdict[tuple[str, str], Fraction](Fraction)
        for rows, one, other, won, lost in self._blocks.execute(
            "SELECT count(*), one, other, sum(won), sum(lost) FROM blocks "
            "GROUP BY name, one, other HAVING sum(won) + sum(lost) > 0"
        ):
            blocked |= rows > 1 or (self._many and won + lost > 2)
            for pair, share in (((one, other), won), ((other, one), lost)):
                met[pair] += 1
                shared[pair] += Fraction(share, won + lost)

        def table(of: Mapping[tuple[str, str], Fraction | int]) -> PairTable:
            return tuple(tuple(int(of.get((i, j), 0)) for j in names) for i in names)

        ties = table(self.ties) if self.ties.total() else ()
        blocks = (table(met), table(shared)) if blocked else None
        return Counts(names, table(self.wins), ties, (), blocks)


def _square(table: Table, rows: list[tuple[str, list[str]]]) -> Read:
    """Read a square matrix, without names, with names above it, or above and beside it."""
    header, notes, names = list(table.header), list(table.notes), list[str]()
    default = [[str(first + at) for at in range(len(rows))] for first in (0, 1)]
    if table.named or header in default or not all(map(_is_number, header)):
        names = header
    elif is_blank(header[0]) and sorted(header[1:]) == sorted(row[0] for _, row in rows):
        must = "could be names or counts: write 0 on the diagonal of counts, or name items by words"
        shown = f"{table.where}, {', '.join(header)}"
        require(header[1:] in default, "counts", shown, must)
        names = header
    notes += ["names above"] if names else []
    rows = rows if names else [(table.where, header), *rows]
    places, cells = [where for where, _ in rows], [row for _, row in rows]
    if len(header) == len(rows) + 1:
        beside, cells = [row[0] for row in cells], [row[1:] for row in cells]
        names = names[1:] if names else beside
        if beside in default and beside != names:  # pandas writes the rows' numbers beside.
            notes.append("left out: the numbers of the rows")
        else:
            upright = re.match(layouts.DATA.corner, header[0].casefold()) is None
            must = "must have the wins in rows: transpose the table, or leave the corner empty"
            require(upright, "counts", f"{table.where}, {header[0]}", must)
            must = f"must have the names of the columns: {', '.join(names)}"
            shown = f"{table.source}, rows {', '.join(beside)}"
            require(sorted(names) == sorted(beside), "counts", shown, must)
            order = [beside.index(name) for name in names]
            cells, places = [cells[k] for k in order], [places[k] for k in order]
            notes.append("names beside")
    N, shown = len(cells), f"{table.source}, {len(header)} columns"
    square = f"must be square: {N} rows of {N} cells, no totals, names above, beside or neither"
    require(N > 1 and len(cells[0]) == N, "counts", shown, square)
    for where, row in zip(places, cells, strict=True):
        for cell in row:
            require(_is_number(cell), "counts", f"{where}, {cell}", "must be a number")
    if not names:
        notes.append(f"no names: items are numbered from 0 to {N - 1}")
        names = list(map(str, range(N)))
    values = [[number(cell) for cell in row] for row in cells]
    above = [(values[i][j], values[j][i]) for i, j in combinations(range(N), 2)]
    empty = [{*half} == {None} for half in zip(*above, strict=True)]
    must = "must have both triangles: 0 where an item never won, or of probabilities 1 - p"
    require(empty[0] == empty[1], "counts", shown, must)
    sums = {one + other for one, other in above if one is not None and other is not None}
    require(sums != {Fraction(100)}, "counts", table.source, _PERCENT)
    off = [p for both in above for p in both if p is not None]
    if any(0 < p < 1 and p != HALF for p in off) or all(0 < p < 1 for p in off):
        exact = [["nan" if p is None else str(p) for p in row] for row in values]
        mended = as_matrix(exact, names)
        return Read(None, mended.matrix, ("a matrix of probabilities", *notes, *mended.said))
    tally = Tally()
    for i, j in combinations_with_replacement(range(N), 2):
        # This refuses percentages and sums of rows, which are not numbers of comparisons.
        must = "must be 0 or empty on the diagonal: nothing is compared with itself"
        where = f"{places[i]}, {names[i]}: {cells[i][i]}"
        require(i < j or not values[i][i], "counts", where, must)
        wins = ("0" if is_blank(cell) else cell for cell in (cells[i][j], cells[j][i]))
        try:
            tally.add([both_wins(names[i], names[j], *wins)] if i < j else [])
        except InvalidInput as why:
            raise InvalidInput("counts", places[i], why.rule) from None
    said = ("a matrix of wins (row over column)", *notes)
    return Read(tally.counts(table.source), None, said)


def _is_number(cell: str) -> bool:
    return is_blank(cell) or number(cell) is not None
