"""Reading claims, findings and mutants from their TOML files.

Texts are written in lines of any length: a line goes on where the last one ended, and an empty line
begins a new paragraph.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

_T = TypeVar("_T")


class Unreadable(ValueError):
    """A file of claims or mutants is not of the form that it must have."""


def parsed(file: str, text: str, kind: type[_T]) -> _T:
    """Return what a TOML file holds as a ``kind``. Raises :class:`Unreadable`, naming the place."""
    try:
        return record(file, tomllib.loads(text), kind)
    except tomllib.TOMLDecodeError as error:
        raise Unreadable(f"{file}: {error}") from None


def record(where: str, fields: object, kind: type[_T]) -> _T:
    """Return fields as a ``kind``. Raises :class:`Unreadable`, naming the field ``where`` it is."""
    try:
        return msgspec.convert(fields, kind, strict=True)
    except msgspec.ValidationError as error:
        raise Unreadable(f"{where}: {error}") from None


def mapped(held: Any, change: Callable[[str], str]) -> Any:
    """Return what a table holds with its texts changed, and the names in it left alone."""
    match held:
        case str():
            return change(held)
        case dict():
            return {key: mapped(value, change) for key, value in held.items()}
        case list() | tuple():
            return [mapped(value, change) for value in held]
        case _:
            return held


def flowing(text: str) -> str:
    """Return a text with its lines joined to paragraphs."""
    return "\n\n".join(
        " ".join(paragraph.split("\n")) for paragraph in re.split(r"\n[ \t]*\n", text.strip("\n"))
    )
