"""Reads JSON strictly: no unknown or repeated fields, no floating-point numbers."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Never, TypeVar

import msgspec

from tgite.errors import InvalidInput

_T = TypeVar("_T")


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record of JSON: an object, or a list where a subclass says ``array_like``."""


class _Refused(Exception):
    """Valid JSON with a value that is not allowed here."""


def _no_float(text: str) -> Never:
    raise _Refused(f"must hold no floating-point number, not even {text}")


def _no_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise _Refused("must hold no field twice")
    return fields


# Made once, because json.loads builds a new decoder at every call with options.
_DECODER = json.JSONDecoder(
    parse_float=_no_float, parse_constant=_no_float, object_pairs_hook=_no_duplicates
)


def parsed(text: str, name: str) -> object:
    """Parse JSON; raises InvalidInput for floats, duplicates and bad syntax."""
    try:
        value: object = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        reason = f"{error.msg} at line {error.lineno} column {error.colno}"
        raise InvalidInput(name, text, f"must be JSON ({reason})") from None
    except _Refused as error:
        raise InvalidInput(name, text, str(error)) from None
    except (ValueError, RecursionError) as error:
        raise InvalidInput(name, text, f"must be JSON ({error})") from None
    return value


def read(value: object, kind: type[_T], place: str) -> _T:
    """Read a JSON value as ``kind``; raises InvalidInput, naming the place in it."""
    try:
        return msgspec.convert(value, kind)
    except UnicodeEncodeError:
        shown = printable(value) if isinstance(value, str) else value
        raise InvalidInput(place, shown, "must hold no half of a character") from None
    except msgspec.ValidationError as error:
        message, _, path = str(error).rpartition(" - at `$")
        message, path = (message, path[:-1]) if message else (str(error), "")
        with suppress(KeyError, IndexError, TypeError):
            for name, number in re.findall(r"\.(\w+)|\[(\d+)\]", path):
                value = value[name or int(number)]  # type: ignore[index]  # a step of msgspec's
        shown = printable(value) if isinstance(value, str) else value
        if message.endswith(", got `str`"):
            shown = f'"{shown}"'  # Quotes show that it is not the expected number.
        raise InvalidInput(place + path, shown, printable(_rule(message))) from None


_WORDS = {
    "int": "an integer",
    "str": "a string",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}


def _rule(message: str) -> str:
    """Return msgspec's message as a rule that is broken."""
    if found := re.fullmatch(r"Object (contains|missing).* field `(.*)`", message, re.DOTALL):
        start = "has the unknown" if found[1] == "contains" else "must have the"
        return f'{start} field "{found[2]}"'
    if found := re.fullmatch(r"Expected `(.*?)`(.*?)(, got .*)?", message, re.DOTALL):
        if choices := re.fullmatch(r" matching regex '\^\((.*)\)\$'", found[2]):
            return f"must be one of {choices[1].replace('|', ', ').replace('[.]', '.')}"
        kinds = [_WORDS.get(kind, kind) for kind in found[1].split(" | ")]
        return f"must be {' or '.join(kinds)}{found[2]}"
    if message.startswith("Invalid value"):  # the field that names the kind
        return "is not a known name here"
    return message


def printable(text: str, also: str = "") -> str:
    """Replace control characters, because another program's text may contain terminal commands."""
    return "".join(
        letter if letter.isprintable() or letter in also else "\ufffd" for letter in text
    )
