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
_QUESTIONS = ("question_id", "question", "prompt_id", "prompt", "task_id", "task", "instance_id")
_TIMES = ("timestamp", "time", "datetime", "created_at", "tstamp")
_MOST_SHOWN = 3


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
            group = row[key]
        elif time is not None and not is_blank(row[time]):
            group = row
        groups.setdefault(group, {}).setdefault(row, where)
    kept = [(where, row) for rows in groups.values() for row, where in rows.items()]
    copies = len(table.rows) - 1 - len(kept)
    notes = [f"warning: {copies} rows are copies of others and do not count"] if copies else []
    several = {name: rows for name, rows in groups.items() if len(rows) > 1}
    if key is not None and several:
        question = key
        first = list(several.items())[:_MOST_SHOWN]
        shown = [f"{name} ({', '.join(list(rows.values())[:_MOST_SHOWN])})" for name, rows in first]
        more = ", ..." if len(several) > _MOST_SHOWN else ""
        what = f"warning: {len(several)} values of {header[key]} have rows with different contents"
        notes.append(f"{what}: {', '.join(shown)}{more}")
    return kept, question, tuple(notes)
