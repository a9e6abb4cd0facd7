"""Preference matrices from CSV files, and the real ones that come with the package."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from tgite.checked import checked
from tgite.errors import InvalidInput
from tgite.preferences import PreferenceMatrix

EXAMPLES = ("sushi16", "mslr5", "arxiv6")
"""Names of the real preference matrices that come with the package."""


@checked
def read_matrix(path: Path) -> PreferenceMatrix:
    """Read a preference matrix from CSV: a line of arm names, then one row of numbers for each arm.

    Decimals are read exactly. Raises :class:`~tgite.errors.InvalidInput` for a file that cannot be
    read and as :class:`~tgite.preferences.PreferenceMatrix` does.
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


def parse_matrix(text: str, source: str) -> PreferenceMatrix:
    """Parse CSV text as :func:`read_matrix` describes; ``source`` names it in errors."""
    try:
        table = [row for row in csv.reader(io.StringIO(text), strict=True) if row]
    except csv.Error as error:
        raise InvalidInput("matrix", source, f"is not CSV ({error})") from None
    if not table:
        raise InvalidInput("matrix", source, "is empty: must begin with a line of arm names")
    names = [name.strip() for name in table[0]]
    return PreferenceMatrix.of([[entry.strip() for entry in row] for row in table[1:]], names)
