"""Copies in a table of comparisons: rows that count once, and rows about the same question.

A copy is no new evidence. Rows with the same identifier, or with the same content and time, count
once. Rows about the same question (prompt, task) depend on each other, so they are one block: a
single comparison, whose result is the share of wins. So are rows with the same identifier and
different contents, which may contradict each other.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping, Sequence
from hashlib import blake2b

from tgite_judge.layouts import DATA, EXTRA_ROLES, is_blank, plain


class Seen:
    """The rows that were seen, in a temporary database that may be larger than the memory."""

    def __init__(self, header: Sequence[str], given: Mapping[str, int]) -> None:
        """Find the columns of identifiers, questions and times; ``given`` names some."""
        self._header = header
        usual = {role: re.compile(DATA.names[role]) for role in EXTRA_ROLES}
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
