"""Fill in the placeholders in texts with the numbers that the checks found.

Our numbers are not typed into a text. The text has ``{{...}}``, with one of these inside:

- ``constant bkt``: the certified value of that universal constant;
- ``proved lem_x C``: the value of the constant ``C`` in the proved theorem ``lem_x``;
- ``check-name: number | how``: a number of that check (or of the demonstration of that finding).

A claim, a finding or a consequence may name such a number, as in
``numbers.fewest = "check-name: number"``. Its texts then have ``{{fewest}}``.

``how`` is the format of the number:

- ``3``: three significant digits;
- ``whole``: the nearest whole number;
- ``middle``: the middle of its enclosure, as a whole number, if each end is within half a percent;
- ``%``: a whole percentage;
- ``low 3``: the lower end of its enclosure;
- ``bound 3``: the bound that it is compared with.

A whole number needs no ``how``. If the two ends of an enclosure differ as written, the result is
``low to high``, rounded outwards.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from functools import partial
from math import isfinite
from types import MappingProxyType
from typing import TypeVar

import msgspec

from tgite_checks.check import Result
from tgite_checks.claims.book import Ledger
from tgite_checks.claims.model import Claim, Consequence, Finding
from tgite_checks.claims.reading import mapped
from tgite_laws.enclosure import Enclosure

_Part = TypeVar("_Part", Claim, Finding, Consequence)

_SMALL = 0.001
_LARGE = 10_000
_PLACEHOLDER = re.compile(r"\{\{([^{}]*)\}\}")


class NoNumber(LookupError):
    """A text asks for a number that does not exist."""


def render(
    text: str,
    results: Mapping[str, Result],
    numbers: Mapping[str, str] = MappingProxyType({}),
    *,
    missing: bool = False,
) -> str:
    """Return a text with its placeholders filled in.

    ``results`` are by the name of their check or finding. ``numbers`` maps names to placeholders.
    Raises :class:`NoNumber` for a placeholder that cannot be filled in. With ``missing``, the text
    has a remark in the placeholder's place instead.
    """

    def filled(found: re.Match[str]) -> str:
        asked = found[1].strip()
        try:
            return _value(numbers.get(asked, asked), results)
        except LookupError as error:
            if missing:
                return f"(no number: {error.args[0]})"
            raise NoNumber(f"{found[0]}: {error.args[0]}") from error

    return _PLACEHOLDER.sub(filled, text)


def filled_in(of: Ledger, results: Mapping[str, Result], *, missing: bool = False) -> Ledger:
    """Return a ledger with the texts of its claims and findings filled in, as by :func:`render`."""

    def rendered(part: _Part, more: Mapping[str, str] = MappingProxyType({})) -> _Part:
        numbers = {**more, **part.numbers}
        if isinstance(part, Finding):
            following = tuple(rendered(one, numbers) for one in part.consequences)
            part = msgspec.structs.replace(part, consequences=following)
        fill = partial(render, results=results, numbers=numbers, missing=missing)
        return msgspec.convert(mapped(msgspec.to_builtins(part), fill), type(part))

    return replace(
        of,
        claims={label: rendered(claim) for label, claim in of.claims.items()},
        findings={name: rendered(finding) for name, finding in of.findings.items()},
    )


def sources_of(part: Claim | Finding) -> frozenset[str]:
    """Return the names of the checks and findings whose numbers the texts of ``part`` use."""
    parts = part.parts if isinstance(part, Finding) else (part,)
    named = " ".join(f"{{{{{number}}}}}" for one in parts for number in one.numbers.values())
    return sources_of_text(msgspec.json.encode(part).decode() + named)


def sources_of_text(text: str, numbers: Mapping[str, str] = MappingProxyType({})) -> frozenset[str]:
    """Return the names of the checks and findings whose numbers one text uses."""
    asked = (numbers.get(one.strip(), one) for one in _PLACEHOLDER.findall(text))
    return frozenset(one.strip().partition(": ")[0] for one in asked if ": " in one)


def _value(asked: str, results: Mapping[str, Result]) -> str:
    source, among, wanted = asked.partition(": ")
    if among:
        return _found(source, wanted, results)
    # Constants are imported late, because texts without constants do not need the slow import.
    match asked.split():
        case ["constant", key]:
            from tgite_checks.bounds.constants.constant import STATED

            if key not in STATED:
                raise NoNumber(f"there is no constant {key}")
            return f"{float(STATED[key].certified):g}"
        case ["proved", theorem, name]:
            from tgite_checks.bounds.constants.proved import proved_constant

            return str(proved_constant(theorem, name))
        case _:
            raise NoNumber("the placeholder names no number")


def _found(source: str, wanted: str, results: Mapping[str, Result]) -> str:
    if source not in results:
        raise NoNumber(f"{source} gave no result")
    name, _, how = wanted.partition(" | ")
    found = next((one for one in results[source].numbers if one.name == name), None)
    if found is None:
        raise NoNumber(f"{source} found no number {name!r}")
    if how.startswith("bound "):
        if found.bound is None:
            raise NoNumber(f"{source} compares {name!r} with nothing")
        return written(found.bound, how.removeprefix("bound "))
    return written(found.value, how)


def written(value: Enclosure, how: str) -> str:
    """Return a number in the format ``how``, or both ends rounded outwards if these differ."""
    if how.startswith("low "):
        return _digits(value.low, how.removeprefix("low "), ROUND_FLOOR)
    if how == "middle" and value.high - value.low <= value.low / 100:
        return _digits(value.middle, "whole", ROUND_HALF_EVEN)
    how = "3" if how == "middle" else how
    nearest = {_digits(end, how, ROUND_HALF_EVEN) for end in (value.low, value.high)}
    if len(nearest) == 1:
        return nearest.pop()
    return f"{_digits(value.low, how, ROUND_FLOOR)} to {_digits(value.high, how, ROUND_CEILING)}"


def _digits(value: float, how: str, rounding: str) -> str:
    if not isfinite(value):
        raise NoNumber(f"{value} has no digits")
    if how == "%":
        return f"{(Decimal(value) * 100).quantize(1, rounding)}%"
    if how == "whole" or (not how and value.is_integer()):
        rounded = Decimal(value).quantize(1, rounding)
    elif how.isdecimal():
        rounded = Context(prec=int(how), rounding=rounding).create_decimal_from_float(value)
    else:
        raise NoNumber(f"{how!r} is not a format for {value!r}")
    if 0 < abs(rounded) < _SMALL:
        return f"{rounded:e}"
    return f"{rounded:,f}" if abs(rounded) >= _LARGE else f"{rounded:f}"
