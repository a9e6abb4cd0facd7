"""Splits tables into cells: CSV and similar texts, JSON lines, pandas, polars or NumPy.

A character counts as the separator of a text only if it divides every line into the same number of
cells. What the cells mean is decided in :mod:`.reader`.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from tgite import InvalidInput
from tgite.errors import handled
from tgite_judge.replies import BLANKS, composed, split_lines

_SEPARATORS = {"\t": "tabs", ";": "semicolons", ",": "commas", "|": "bars"}
_BLANK = {"", "nan", "null", "none", "na", "n/a"}


@runtime_checkable
class Frame(Protocol):
    """An array of NumPy, or a table of pandas or polars, which also has ``columns``.

    pandas also has an ``index``, which names the rows.
    """

    def __array__(self) -> object:  # the protocol of arrays
        """Return the cells."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, each row with its place in the source.

    ``notes`` say how the cells were split. ``named`` is true if the first row is known to hold the
    names of the columns, even if these are numbers.
    """

    source: str
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    notes: tuple[str, ...] = ()
    named: bool = False

    @staticmethod
    def of_frame(frame: Frame) -> Table:
        """Return a library's table, with its header as the first row.

        If the index has the same names as the columns, the rows are put in the columns' order.
        Raises :class:`~tgite.errors.InvalidInput` unless there are two dimensions.
        """
        array: object = frame.__array__()
        cells: object = array.tolist() if hasattr(array, "tolist") else array
        if not isinstance(cells, list) or not all(isinstance(row, list) for row in cells):
            raise InvalidInput("table", type(frame).__name__, "must have rows and columns")
        columns: object = getattr(frame, "columns", None)
        header = [composed(str(name)) for name in columns] if isinstance(columns, Iterable) else []
        index: object = getattr(frame, "index", None)
        names = [composed(str(name)) for name in index] if isinstance(index, Iterable) else []
        if set(names) == set(header) and len(set(names)) == len(names) == len(header) == len(cells):
            cells = [cells[names.index(name)] for name in header]
        body = tuple(
            (f"row {number}", tuple(composed(_text(cell)) for cell in row))
            for number, row in enumerate(cells)
        )
        above = (("the columns' names", tuple(header)),) if header else ()
        return Table("table", above + body, named=bool(header))


def _text(cell: object) -> str:
    """Return a cell as text, empty if a library marks it as missing."""
    text = "" if cell is None else str(cell)
    return "" if not isinstance(cell, str) and text in ("nan", "<NA>", "NaT") else text


def is_blank(cell: str) -> bool:
    """Return whether a cell is empty, or holds a word for a missing value."""
    return cell.lower() in _BLANK


def read_text(path: Path) -> tuple[str, str]:
    """Return the text of a file, or of standard input for ``-``, and a name for the source."""
    if str(path) == "-":
        return sys.stdin.read().removeprefix("\ufeff"), "standard input"
    with handled("counts", path):
        return path.read_text(encoding="utf-8-sig"), str(path)


def table_of(text: str, source: str) -> Table:
    """Split a text into cells; raises :class:`~tgite.errors.InvalidInput` if it is not a table."""
    lines = [
        (f"{source}:{number}", line)
        for number, line in enumerate(split_lines(text), start=1)
        if line.strip(BLANKS)
    ]
    if not lines:
        raise InvalidInput("counts", source, "is empty")
    if lines[0][1].lstrip()[0] in "{[":
        return _json_table(text, source, lines)
    lines[0] = (lines[0][0], lines[0][1].removeprefix("#").lstrip(" "))
    for separator, name in _SEPARATORS.items():
        rows = _separated(source, lines, separator)
        if rows is not None:
            notes = () if separator == "," else (f"separated by {name}",)
            return Table(source, rows, notes)
    blanks = tuple(
        (where, tuple(map(composed, re.split("[ \t]+", line.strip(" \t")))))
        for where, line in lines
    )
    if len({len(row) for _, row in blanks}) == 1 and len(blanks[0][1]) > 1:
        return Table(source, blanks, ("separated by blanks",))
    separator = max(_SEPARATORS, key=lines[0][1].count)
    columns = len(lines[0][1].split(separator))
    for where, line in lines[1:]:
        if len(line.split(separator)) != columns:
            must = f"must have {columns} columns, with the same separator as the first line"
            raise InvalidInput("counts", where, must)
    raise InvalidInput("counts", f"{source}:1", "must have two columns or more")


def _separated(
    source: str, lines: Sequence[tuple[str, str]], separator: str
) -> tuple[tuple[str, tuple[str, ...]], ...] | None:
    """Return the rows if the separator divides every line into the same number of cells."""
    if separator not in lines[0][1]:
        return None
    rows: list[tuple[str, tuple[str, ...]]] = []
    try:
        reader = csv.reader(
            io.StringIO("\n".join(line for _, line in lines)), delimiter=separator, strict=True
        )
        for row in reader:
            where = lines[min(reader.line_num, len(lines)) - 1][0]
            rows.append((where, tuple(composed(cell) for cell in row)))
    except csv.Error as error:
        if separator == ",":
            raise InvalidInput("counts", source, f"is not CSV ({error})") from None
        return None
    return tuple(rows) if len({len(row) for _, row in rows}) == 1 else None


def _json_table(text: str, source: str, lines: Sequence[tuple[str, str]]) -> Table:
    """Read objects, one a line or in one array, as rows under the names of their keys."""
    try:
        if lines[0][1].lstrip()[0] == "[":
            found: object = json.loads(text, object_pairs_hook=_once_each)
            many = found if isinstance(found, list) else [found]
            objects = [(f"{source}, object {n}", one) for n, one in enumerate(many, start=1)]
        else:
            objects = [
                (where, json.loads(line, object_pairs_hook=_once_each)) for where, line in lines
            ]
    except (ValueError, RecursionError) as error:
        raise InvalidInput(
            "counts", source, f"is not JSON with one object a line ({error})"
        ) from None
    header: dict[str, None] = {}
    for where, one in objects:
        if not isinstance(one, dict):
            raise InvalidInput("counts", where, "must be a JSON object")
        if any(isinstance(cell, dict | list) for cell in one.values()):
            must = "must hold only words and numbers, one record a line (pandas: orient='records')"
            raise InvalidInput("counts", where, must)
        header |= dict.fromkeys(one)
    rows = tuple(
        (where, tuple(composed(_text(one.get(name))) for name in header)) for where, one in objects
    )
    return Table(source, ((f"{source}:1", tuple(header)), *rows), ("JSON objects",))


def _once_each(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(found := dict(pairs)) < len(pairs):
        raise ValueError("a key is given twice")
    return found
