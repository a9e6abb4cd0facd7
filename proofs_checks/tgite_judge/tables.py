"""Splits tables into rows: CSV and similar texts, JSON, rankings, pandas, polars or NumPy.

Rows are read one after the other, so a table may be larger than the memory. The separator of a text
is the one that divides all its first lines into the same number of cells. What the cells mean is
decided in :mod:`.layouts` and :mod:`.reader`.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import TextIOWrapper
from itertools import chain, islice
from pathlib import Path
from typing import TypeAlias

from tgite import InvalidInput
from tgite.errors import handled, require
from tgite_judge.layouts import ABOVE, LEVEL, NESTED, plain
from tgite_judge.replies import BLANKS, composed, once_each

Row: TypeAlias = tuple[str, Sequence[str]]
"""The place of a row in the source, and its cells."""

_SEPARATORS = {"\t": "tabs", ";": "semicolons", ",": "commas", "|": "bars", None: "blanks"}
_ALTERNATIVE = re.compile(r"# ALTERNATIVE NAME (\d+): (.*)")
_RANK = re.compile(r"(?:rank|choice|place|pref|preference)\d+|\d+(?:st|nd|rd|th)(?:choice|place)?")
_BETWEEN = re.compile(r"[\s,\[\]]*")
_SAMPLE = 1000
_LONGEST_CELL = 1 << 24
_MUST_BE_TEXT = "must be a text in UTF-8, and no UTF-16 or spreadsheet: save it as CSV in UTF-8"


@dataclass(frozen=True, slots=True)
class Table:
    """The names of the columns, and rows of cells.

    ``notes`` say how the cells were split. ``named`` is true if ``header`` is known to hold the
    names of the columns, even if these are numbers.
    """

    source: str
    where: str
    header: tuple[str, ...]
    rows: Iterator[Row]
    notes: tuple[str, ...] = ()
    named: bool = False

    @staticmethod
    def of_frame(frame: object) -> Table:
        """Return an array of NumPy, or a table of pandas or polars, as rows.

        pandas has an index; if it names the rows as the columns are, they are put in that order.
        """
        array: object = getattr(frame, "__array__", lambda: None)()
        cells: object = array.tolist() if hasattr(array, "tolist") else array
        must = "must be a Path, an array or a table with rows and columns (a lazy one collected)"
        if not isinstance(cells, list) or not all(isinstance(row, list) for row in cells):
            raise InvalidInput("counts", type(frame).__name__, must)
        header, names = (
            [composed(str(name)) for name in named] if isinstance(named, Iterable) else []
            for named in (getattr(frame, "columns", None), getattr(frame, "index", None))
        )
        if len({*names}) == len(names) == len(cells) and sorted(names) == sorted(header):
            cells = [cells[names.index(name)] for name in header]
        rows = iter([(f"row {at}", [_text(cell) for cell in row]) for at, row in enumerate(cells)])
        if not header:
            return _headed("table", rows)
        return Table("table", "the columns' names", tuple(header), rows, named=True)


def _headed(source: str, rows: Iterator[Row], *notes: str) -> Table:
    """Return a table whose first row is its header; columns of ranks are put into one ranking."""
    where, header = next(rows, (source, []))
    ranks = [at for at, name in enumerate(header) if _RANK.fullmatch(plain(name))]
    if len(ranks) > 2:
        ranks.sort(key=lambda at: int(re.sub(r"\D", "", header[at])))
        own, below = [at for at in range(len(header)) if at not in ranks], rows
        header = [*(header[k] for k in own), "ranking"]
        ranked = ((at, row, ABOVE.join(row[k] for k in ranks if row[k])) for at, row in below)
        rows = ((at, [*(row[k] for k in own), text]) for at, row, text in ranked)
    return Table(source, where, tuple(map(composed, header)), rows, notes)


def _text(cell: object) -> str:
    """Return a cell as text, empty if a library marks it as missing."""
    if isinstance(cell, dict | list):
        return f"{NESTED}{cell}"
    text = "" if cell is None else str(cell)
    return "" if not isinstance(cell, str) and text in ("nan", "<NA>", "NaT") else text


def read_lines(path: Path) -> tuple[Iterator[str], str]:
    """Return the lines of a file, or of standard input for ``-``, and a name for the source."""
    source = "standard input" if str(path) == "-" else str(path)

    def lines() -> Iterator[str]:
        with handled("file", path):
            binary = sys.stdin.buffer if str(path) == "-" else path.open("rb")
        number = 0
        with TextIOWrapper(binary, "utf-8-sig") as text:  # Lines end at LF, CRLF and CR only.
            try:
                for line in text:
                    number += 1
                    require("\0" not in line, "file", source, _MUST_BE_TEXT)
                    yield line
            except UnicodeDecodeError as error:
                why = f"is not UTF-8 after line {number} ({error.reason}); it {_MUST_BE_TEXT}"
                raise InvalidInput("file", source, why) from None

    return lines(), source


def table_of(lines: Iterator[str], source: str) -> Table:
    """Split lines into cells; raises :class:`~tgite.errors.InvalidInput` if it is not a table."""
    csv.field_size_limit(_LONGEST_CELL)
    sample = list(islice(lines, _SAMPLE))
    filled = list(_filled(sample))
    require(bool(filled), "counts", source, "is empty")
    at, first = filled[0]
    if first[0] in "{[":
        return _json_table(chain(sample, lines), source)
    preflib = first.isdecimal() or any(_ALTERNATIVE.match(line) for _, line in filled)
    if preflib or all(">" in line for _, line in filled):
        return _rankings(chain(sample, lines), source)
    if first.startswith(("#", "sep=")):  # NumPy writes a header so; Excel names the separator.
        sample[at - 1] = first[1:].lstrip(" ") * (first[0] == "#") + "\n"
    broken = ""
    for separator, name in _SEPARATORS.items():
        rows: list[Row] = []
        try:
            rows += _split(sample, source, separator)
        except csv.Error as error:
            if len(sample) < _SAMPLE or "unexpected end" not in str(error):
                broken = str(error) if separator == "," else broken
                continue
        head = rows[0][1] if rows else []
        widths = [
            max((at for at, name in enumerate(head, 1) if name.strip()), default=0),
            len(head),
        ]
        fit = (w for w in widths if w > 1 and all(len(_fit(row, w)) == w for _, row in rows))
        if width := next(fit, 0):
            notes = () if separator == "," else (f"separated by {name}",)
            split = _split(chain(sample, lines), source, separator)
            return _headed(source, _fitted(split, source, width), *notes)
    require(not broken, "counts", source, f"is not CSV ({broken})")
    separator = max(filter(None, _SEPARATORS), key=first.count)
    split = _split(sample, source, separator)
    return _headed(source, _fitted(split, source, first.count(separator) + 1))


def _filled(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Return the lines that are not empty, with their numbers and without blanks around."""
    return ((at, text) for at, line in enumerate(lines, 1) if (text := line.strip(BLANKS)))


def _split(lines: Iterable[str], source: str, separator: str | None) -> Iterator[Row]:
    """Return the cells of each line, or quoted lines; ``None`` separates by blanks."""
    if separator is None:
        yield from ((f"{source}:{at}", re.split("[ \t]+", line)) for at, line in _filled(lines))
        return
    reader = csv.reader(lines, delimiter=separator, strict=True)
    yield from ((f"{source}:{reader.line_num}", row) for row in reader if any(map(str.strip, row)))


def _fit(row: Sequence[str], width: int) -> Sequence[str]:
    """Return a row without the empty cells that trailing separators add to it."""
    return row if any(map(str.strip, row[width:])) else row[:width]


def _fitted(rows: Iterator[Row], source: str, width: int) -> Iterator[Row]:
    must = f"must have {width} columns, with the same separator as the first line"
    must = must if width > 1 else "must have two columns or more"
    try:
        for where, row in rows:
            cells = _fit(row, width)
            require(len(cells) == width > 1, "counts", where, must)
            yield where, cells
    except csv.Error as error:
        raise InvalidInput("counts", source, f"is not CSV ({error})") from None


def _rankings(lines: Iterator[str], source: str) -> Table:
    """Read rankings: of PrefLib's numbers (``2: 1,{2,3}``) or of names (``2: a > b = c``)."""
    names: dict[str, str] = {}
    filled = rest = _filled(lines)
    for at, line in filled:
        if named := _ALTERNATIVE.fullmatch(line):
            names[named[1]] = composed(named[2])
        elif line.isdecimal() and not names:  # The form before 2022: a number, names, a sum.
            several = (one.partition(",") for _, one in islice(filled, int(line)))
            names = {number: composed(name) for number, _, name in several}
            next(filled, None)
        elif not line.startswith("#"):
            rest = chain([(at, line)], filled)
            break

    def rows() -> Iterator[Row]:
        must = f"must rank items by numbers from 1 to {len(names)}"
        for at, line in rest:
            *_, times, text = ["1", *re.split(r"^(\d+)\s*[:,]", line)]
            if names:
                ranks = [re.findall(r"\d+", rank) for rank in re.findall(r"{[^}]*}|\d+", text)]
                known = all(one in names for rank in ranks for one in rank)
                require(known, "counts", f"{source}:{at}", must)
                text = ABOVE.join(LEVEL.join(names[one] for one in rank) for rank in ranks if rank)
            yield f"{source}:{at}", (text, times)

    notes = ("PrefLib's form; what a ranking leaves out is not compared",) if names else ()
    return Table(source, source, ("ranking", "count"), rows(), notes, named=True)


def _json_table(lines: Iterator[str], source: str) -> Table:
    """Read objects, one a line or in one array, as rows under the names of their keys.

    Keys that none of the first thousand objects has are lost.
    """
    decode = json.JSONDecoder(object_pairs_hook=once_each).raw_decode

    def objects() -> Iterator[tuple[str, dict[str, object]]]:
        text, tried, n = "", 0, 0
        for at, line in chain(enumerate(lines, start=1), [(0, "")]):
            text += line
            if at and len(text) < 2 * tried:
                continue
            place = 0
            try:
                while (rest := _BETWEEN.match(text, place)) and rest.end() < len(text):
                    found, place = decode(text, rest.end())
                    n += 1
                    if not isinstance(found, dict):
                        raise InvalidInput("counts", f"{source}, value {n}", "must be an object")
                    yield f"{source}, object {n}", found
            except (json.JSONDecodeError, RecursionError) as error:
                if not at or len(text) - place > _LONGEST_CELL:
                    must = f"is not JSON with one object a line ({error})"
                    raise InvalidInput("counts", f"{source}, object {n + 1}", must) from None
            text, tried = text[place:], len(text) - place

    every = objects()
    sample = list(islice(every, _SAMPLE))
    header = (*dict.fromkeys(name for _, one in sample for name in one),)
    rows = ((at, [_text(one.get(name)) for name in header]) for at, one in chain(sample, every))
    return Table(source, f"{source}:1", header, rows, ("JSON objects",), named=True)
