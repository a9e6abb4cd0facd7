"""Read claims, findings and mutants from their TOML files.

Lines of a text may have any length and are joined. An empty line begins a new paragraph.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

_T = TypeVar("_T")


class Unreadable(ValueError):
    """A file of claims or mutants does not have the required form."""


def parsed(file: str, text: str, kind: type[_T]) -> _T:
    """Return a TOML file's content as a ``kind``; raise :class:`Unreadable` with the place."""
    try:
        return record(file, tomllib.loads(text), kind)
    except tomllib.TOMLDecodeError as error:
        raise Unreadable(f"{file}: {error}") from None


def record(where: str, fields: object, kind: type[_T]) -> _T:
    """Return fields as a ``kind``; raise :class:`Unreadable` with ``where`` and the field."""
    try:
        return msgspec.convert(fields, kind, strict=True)
    except msgspec.ValidationError as error:
        raise Unreadable(f"{where}: {error}") from None


def mapped(held: Any, change: Callable[[str], str]) -> Any:
    """Return a table with ``change`` applied to its texts, but not to its keys."""
    if isinstance(held, dict):
        return {key: mapped(value, change) for key, value in held.items()}
    if isinstance(held, list | tuple):
        return [mapped(value, change) for value in held]
    return change(held) if isinstance(held, str) else held


def flowing(text: str) -> str:
    """Return a text with its lines joined into paragraphs."""
    return "\n\n".join(
        " ".join(paragraph.split("\n")) for paragraph in re.split(r"\n[ \t]*\n", text.strip("\n"))
    )
