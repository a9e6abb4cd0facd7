"""Preference matrices from CSV files, and real ones that come with the package."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from pathlib import Path

from tgite.checked import checked
from tgite.confidence import read_number
from tgite.errors import InvalidInput, require
from tgite.preferences import HALF, PreferenceMatrix

TOLERANCE = Fraction(1, 10**6)
"""The largest error of ``p_ij + p_ji = 1`` and ``p_ii = 1/2`` that counts as rounding."""

EXAMPLES = ("sushi16", "mslr5", "arxiv6")
"""Names of the real preference matrices that come with the package."""


@checked
def read_matrix(path: Path) -> PreferenceMatrix:
    """Read a preference matrix from CSV: a line of arm names, then one row of numbers for each arm.

    If the first line begins with an empty cell, each row begins with its arm's name. Decimals are
    read exactly; sums ``p_ij + p_ji`` that rounding moved from 1 are corrected (:func:`as_matrix`).

    Raises :class:`~tgite.errors.InvalidInput` for a file that cannot be read and as
    :class:`~tgite.preferences.PreferenceMatrix` does.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput("matrix", str(path), f"cannot be read ({error})") from None
    return parse_matrix(text, str(path))


@checked
def example(name: str) -> PreferenceMatrix:
    """Return one of the real matrices of :data:`EXAMPLES`.

    Raises :class:`~tgite.errors.InvalidInput` for another name.
    """
    if name not in EXAMPLES:
        raise InvalidInput("example", name, f"must be one of {', '.join(EXAMPLES)}")
    file = Path(__file__).with_name("examples") / f"{name}.csv"
    return parse_matrix(file.read_text(encoding="utf-8"), name)


@dataclass(frozen=True, slots=True)
class Healed:
    """A preference matrix, and the corrections of rounding errors that were made."""

    matrix: PreferenceMatrix
    said: tuple[str, ...]


def as_matrix(rows: Iterable[Iterable[object]], names: Sequence[str] = ()) -> Healed:
    """Return a preference matrix from rounded numbers, and the corrections made.

    ``rows`` is a sequence of strings or numbers, a NumPy array, or a table with ``__array__`` and
    named ``columns``. If the table has an ``index`` of the same names, the index names the rows.

    If ``p_ij + p_ji`` misses 1 by at most :data:`TOLERANCE`, ``p_ij`` becomes the mean of ``p_ij``
    and ``1 - p_ji``. If 1/2 is as near, it becomes 1/2, because the numbers then do not tell which
    arm is better. On the diagonal an empty cell, NaN and 0 count as 1/2.

    Raises :class:`~tgite.errors.InvalidInput` for anything worse, as
    :class:`~tgite.preferences.PreferenceMatrix` does.
    """
    names = names or tuple(str(name) for name in getattr(rows, "columns", ()))
    array = getattr(rows, "__array__", None)
    cells = [list(row) for row in (rows if array is None else array().tolist())]
    N = len(cells)
    index = getattr(rows, "index", None)
    beside = [str(name) for name in index] if isinstance(index, Iterable) else []
    if set(beside) == set(names) and len(set(names)) == N:
        cells = [cells[beside.index(name)] for name in names]
    entries = [
        [
            HALF if i == j and _says_nothing(cell) else _read(i, j, cell)
            for j, cell in enumerate(row)
        ]
        for i, row in enumerate(cells)
    ]
    worst = Fraction(0)
    square = all(len(row) == N for row in entries)
    for i, j in combinations(range(N), 2) if square else ():
        off = abs(entries[i][j] + entries[j][i] - 1)
        if 0 < off <= TOLERANCE:
            worst = max(worst, off)
            p = (entries[i][j] + 1 - entries[j][i]) / 2
            p = HALF if abs(p - HALF) <= TOLERANCE else p
            entries[i][j], entries[j][i] = p, 1 - p
    said = (f"p_ij + p_ji was off 1 by up to {float(worst):.1g}: mended",) if worst else ()
    matrix = PreferenceMatrix(tuple(map(tuple, entries)), tuple(names))
    return Healed(matrix, said)


def _read(i: int, j: int, cell: object) -> Fraction:
    field = f"p[{i},{j}]"
    if isinstance(cell, (str, int, float, Fraction)):
        return read_number(field, cell)
    raise InvalidInput(field, cell, "must be a finite number")


def _says_nothing(cell: object) -> bool:
    return cell is None or str(cell).strip().lower() in {"", "nan", "0", "0.0"}


def parse_matrix(text: str, source: str) -> PreferenceMatrix:
    """Parse CSV text as :func:`read_matrix` describes; ``source`` names it in errors."""
    try:
        reader = csv.reader(io.StringIO(text), strict=True)
        lines = [(reader.line_num, row) for row in reader if row]
    except csv.Error as error:
        raise InvalidInput("matrix", source, f"is not CSV ({error})") from None
    if not lines:
        raise InvalidInput("matrix", source, "is empty: must begin with a line of arm names")
    names, *rows = [[entry.strip() for entry in row] for _, row in lines]
    for number, row in lines[1:]:
        must = f"must have {len(names)} columns, as the line of names has"
        require(len(row) == len(names), "matrix", f"{source}:{number}", must)
    if not names[0]:
        names, beside, rows = names[1:], [row[0] for row in rows], [row[1:] for row in rows]
        if sorted(names) != sorted(beside):
            must = f"must be the arms of the columns: {', '.join(names)}"
            raise InvalidInput("matrix", f"{source}, rows {', '.join(beside)}", must)
        rows = [rows[beside.index(name)] for name in names]
    return as_matrix(rows, names).matrix
