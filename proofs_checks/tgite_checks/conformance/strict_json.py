"""Reading JSON that others wrote: every field known, none twice, no floating-point numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Never

from tgite.errors import InvalidInput


class _Refused(ValueError):
    """Something that is JSON, but not admitted here."""


def _no_float(text: str) -> Never:
    raise _Refused(f"floating-point number {text}")


def _no_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise _Refused("a field that is there twice")
    return fields


# Made once: json.loads builds a new decoder at every call that has options.
_DECODER = json.JSONDecoder(
    parse_float=_no_float, parse_constant=_no_float, object_pairs_hook=_no_duplicates
)


def parsed(text: str, name: str) -> object:
    """Parse JSON without floats and duplicate fields; ``name`` says what, in the refusal.

    Raises :class:`~tgite.errors.InvalidInput` for everything else, also for integers and nesting
    beyond what the machine takes.
    """
    try:
        value: object = _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(name, text, f"must be JSON ({_reason(error)})") from None
    return value


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at line {error.lineno} column {error.colno}"
    return str(error)


@dataclass(frozen=True, slots=True)
class Reader:
    """A JSON value with its place, that is read by saying what it must be.

    Each method raises :class:`~tgite.errors.InvalidInput`, naming the place, if the value is of
    another kind.
    """

    value: object
    place: str

    def refused(self, rule: str) -> InvalidInput:
        """Return the refusal of this value."""
        return InvalidInput(self.place, self.value, rule)

    def fields(self, *required: str, optional: tuple[str, ...] = ()) -> dict[str, Reader]:
        """Read an object with the required fields and at most the optional ones beside them."""
        fields = self.any_fields()
        for name in required:
            if name not in fields:
                raise self.refused(f'must have the field "{name}"')
        for name in fields:
            if name not in required and name not in optional:
                raise self.refused(f'has the unknown field "{name}"')
        return fields

    def any_fields(self) -> dict[str, Reader]:
        """Read an object with any fields."""
        if not isinstance(self.value, dict):
            raise self.refused("must be an object")
        fields: Mapping[str, object] = self.value
        return {name: Reader(value, f"{self.place}.{name}") for name, value in fields.items()}

    def entries(self, length: int | None = None) -> list[Reader]:
        """Read a list, of ``length`` entries if given."""
        if not isinstance(self.value, list):
            raise self.refused("must be a list")
        if length is not None and len(self.value) != length:
            raise self.refused(f"must have {length} entries")
        return [Reader(entry, f"{self.place}[{at}]") for at, entry in enumerate(self.value)]

    def text(self) -> str:
        """Read a string."""
        if not isinstance(self.value, str):
            raise self.refused("must be a string")
        return self.value

    def integer(self) -> int:
        """Read an integer."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self.refused("must be an integer")
        return self.value

    def integer_or_none(self) -> int | None:
        """Read an integer or null."""
        return None if self.value is None else self.integer()

    def boolean(self) -> bool:
        """Read true or false."""
        if not isinstance(self.value, bool):
            raise self.refused("must be true or false")
        return self.value
