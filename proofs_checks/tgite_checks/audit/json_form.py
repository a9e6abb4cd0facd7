"""The JSON form of results: records as objects, infinities as strings."""

from __future__ import annotations

from math import isinf, isnan
from typing import TypeAlias, TypeVar

import msgspec

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

_T = TypeVar("_T")


def plain(value: object) -> Json:
    """Return a record, or a container of records, as JSON; raise ``ValueError`` for a NaN."""
    return _finite(msgspec.to_builtins(value))


def read(content: bytes, kind: type[_T]) -> _T:
    """Parse a record of type ``kind``; raise ``ValueError`` or a subclass for anything else."""
    # Not strict, so that "inf" is read as a number. Only spellings are read more loosely.
    return msgspec.json.decode(content, type=kind, strict=False)


def _finite(value: object) -> Json:
    match value:
        case float():
            if isnan(value):
                raise ValueError("an undefined number has no JSON form")
            return str(value) if isinf(value) else value
        case dict():
            return {str(name): _finite(one) for name, one in value.items()}
        case list() | tuple():
            return [_finite(one) for one in value]
        case None | bool() | int() | str():
            return value
        case _:
            raise TypeError(f"{value!r} has no JSON form")
