"""A table of a page, and its data file."""

from __future__ import annotations

import csv
import multiprocessing
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from tgite_pages.pages import DOCS, page_with_table

DATA = Path(__file__).resolve().parents[1] / "data"
"""The folder of the data files."""

Row: TypeAlias = dict[str, str]
"""A row of a file, by column name."""

Key: TypeAlias = tuple[str, ...]
"""The values of some columns that rows computed together share."""


@dataclass(frozen=True)
class Rows:
    """The rows of a file: their keys, and how to compute them."""

    file: str
    columns: tuple[str, ...]
    keys: Callable[[], Iterable[Key]]
    """Returns the keys in the order of the file."""
    compute: Callable[[Key], list[Row]]
    """Computes the rows of a key, in its own process."""
    key_columns: tuple[str, ...] = ("instance", "delta")

    def row(self, *values: object) -> Row:
        """Return a row with these values, one for each column."""
        return dict(zip(self.columns, map(str, values), strict=True))

    def by_key(self, rows: Iterable[Row]) -> dict[Key, Row]:
        """Return the rows by their keys."""
        return {self._key(row): row for row in rows}

    def read(self, folder: Path = DATA) -> list[Row]:
        """Return the rows that the file has."""
        path = folder / self.file
        if not path.exists():
            return []
        with path.open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def write(self, rows: Iterable[Row], folder: Path = DATA) -> None:
        """Write the rows in the order of their keys."""
        order = {key: number for number, key in enumerate(self.keys())}
        with (folder / self.file).open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, self.columns, lineterminator="\n")
            writer.writeheader()
            ordered = sorted(rows, key=lambda row: order[self._key(row)])
            writer.writerows(ordered)

    def complete(self, folder: Path = DATA) -> list[Row]:
        """Compute the missing rows, store each at once, and return all rows."""
        found = self.read(folder)
        held = self.by_key(found)
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(os.cpu_count(), context, max_tasks_per_child=1) as pool:
            missing = [key for key in self.keys() if key not in held]
            for task in as_completed([pool.submit(self.compute, key) for key in missing]):
                found += task.result()
                self.write(found, folder)
        return found

    def _key(self, row: Row) -> Key:
        return tuple(row[column] for column in self.key_columns)


@dataclass(frozen=True)
class Table:
    """A table that is in a page between two marks with its name."""

    page: str
    lines: Callable[[list[Row]], Iterable[Sequence[str]]]
    """Returns the lines of the table, the titles first, from the rows of the file."""
    rows: Rows | None = None
    name: str = "table"

    def text(self, rows: list[Row]) -> str:
        """Return the table in Markdown."""
        titles, *lines = self.lines(rows)
        return "".join(
            f"| {' | '.join(line)} |\n" for line in (titles, ["---"] * len(titles), *lines)
        )

    def make(self) -> None:
        """Compute the missing rows, and write the table into its page."""
        path = DOCS / self.page
        made = self.text(self.rows.complete() if self.rows else [])
        page = page_with_table(path.read_text(encoding="utf-8"), made, self.name)
        path.write_text(page, encoding="utf-8")
