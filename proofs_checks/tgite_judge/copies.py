"""Copies in a table of judgements: rows that count once, and rows about the same question.

A copy is no new evidence. Rows with the same identifier, or with the same content and time, count
once. Rows about the same question (prompt, task) depend on each other, so they are one block: a
single comparison, whose result is the share of wins. So are rows with the same identifier and
different contents, which may contradict each other.
"""

from __future__ import annotations

from collections.abc import Iterable

from tgite_judge.tables import Table, is_blank

_IDS = ("id", "uuid", "row_id", "judgement_id", "judgment_id", "comparison_id", "battle_id")
_ASKED = ("question", "prompt", "task", "instance", "query", "example", "sample")
_QUESTIONS = ("qid", *(f"{name}_id" for name in _ASKED), *_ASKED)
_TIMES = ("timestamp", "time", "datetime", "created_at", "tstamp")


def once_each(
    table: Table,
) -> tuple[list[tuple[str, tuple[str, ...]]], int | None, tuple[str, ...]]:
    """Return the rows that count, the column of the question if there is one, and notes."""
    header = [name.lower().replace(" ", "_") for name in table.rows[0][1]]

    def column(names: Iterable[str]) -> int | None:
        return next((header.index(name) for name in names if name in header), None)

    key, question, time = column(_IDS), column(_QUESTIONS), column(_TIMES)
    groups: dict[object, dict[tuple[str, ...], str]] = {}
    for number, (where, row) in enumerate(table.rows[1:]):
        group: object = number
        if key is not None and not is_blank(row[key]):
            group = row[key].removesuffix(".0")  # As pandas writes whole numbers in part empty.
        elif time is not None and not is_blank(row[time]):
            group = row
        groups.setdefault(group, {}).setdefault(row, where)
    kept = [(where, row) for rows in groups.values() for row, where in rows.items()]
    copies = len(table.rows) - 1 - len(kept)
    notes = [f"warning: {copies} rows are copies of others and do not count"] if copies else []
    if question is not None:
        notes.append(f"rows with the same {header[question]} are one block")
    several = {name: rows for name, rows in groups.items() if len(rows) > 1}
    if key is not None and several:
        question = key
        shown = ", ".join(" and ".join([*rows.values()][:2]) for rows in several.values())
        what = f"warning: {len(several)} values of {header[key]} have rows with different contents"
        notes.append(f"{what}, which are one block: {shown:.200}")
    return kept, question, tuple(notes)
