"""Reading claims, findings and mutants from their TOML files.

In a file the table ``every`` holds what each of its claims (or mutants) has unless it says
otherwise. Texts are written in lines of any length: a line goes on where the last one ended, unless
a line is empty (a new paragraph) or begins with two spaces (a formula on a line of its own).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import msgspec

_T = TypeVar("_T")


class Unreadable(ValueError):
    """A file of claims or mutants is not of the form that it must have."""


def contents(file: str, text: str) -> dict[str, Any]:
    """Return what a TOML file holds. Raises :class:`Unreadable`, naming the file and the line."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Unreadable(f"{file}: {error}") from None


def entries(
    file: str, held: Mapping[str, Any], table: str, kind: type[_T], identity: str
) -> Iterator[_T]:
    """Read the list of tables called ``table`` as records; ``identity`` is their telling field.

    Raises :class:`Unreadable`, naming the file, the entry and the field.
    """
    for number, fields in enumerate(held.get(table, ()), start=1):
        where = f"{file}, {table} {number}"
        whole = with_every(where, fields)
        yield record(f"{file}, {table} {whole.get(identity, number)}", _flowing(whole), kind)


def record(where: str, fields: object, kind: type[_T]) -> _T:
    """Return a record of these fields. Raises :class:`Unreadable`, saying ``where`` it stands."""
    try:
        return msgspec.convert(fields, kind, strict=True)
    except msgspec.ValidationError as error:
        raise Unreadable(f"{where}: {error}") from None


def with_every(where: str, *tables: object) -> dict[str, Any]:
    """Return the fields of several tables, of which later ones go before earlier ones."""
    whole: dict[str, Any] = {}
    for table in tables:
        if not isinstance(table, dict):
            raise Unreadable(f"{where}: {table!r} is no table")
        whole |= table
    return whole


def joined(text: str) -> str:
    """Join the lines of each paragraph; formulas keep theirs."""
    paragraphs = re.split(r"\n[ \t]*\n", text.strip("\n"))
    return "\n\n".join(
        paragraph if paragraph.startswith("  ") else " ".join(paragraph.split("\n"))
        for paragraph in paragraphs
    )


def _flowing(held: Any) -> Any:
    """Return what a table holds with the lines of its texts joined to paragraphs."""
    match held:
        case str():
            return joined(held)
        case dict():
            return {key: _flowing(value) for key, value in held.items()}
        case list():
            return [_flowing(value) for value in held]
        case _:
            return held
