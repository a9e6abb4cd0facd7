"""Texts with placeholders for numbers, filled in from what the checks found.

No number of ours is typed in a text. It says ``{{...}}``, with one of these inside:

- ``constant bkt``: the certified value of that universal constant;
- ``proved lem_x C``: the value of the constant ``C`` in the proved theorem ``lem_x``;
- ``count conventions``: how many there are of what :data:`COUNTS` lists;
- ``check-name: number``: a number of that check (or of the demonstration of that finding).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import msgspec

from tgite_checks.check import Result
from tgite_checks.claims.book import Ledger
from tgite_checks.claims.model import Claim, Finding
from tgite_checks.claims.mutants import mutants

_Part = TypeVar("_Part", Claim, Finding)


def _number_of_conventions() -> int:
    # Imported here, and below: texts without such numbers do not wait for what computes them.
    from tgite_checks.fidelity.environments import CONVENTIONS

    return len(CONVENTIONS)


COUNTS: Mapping[str, Callable[[], int]] = {
    "conventions": _number_of_conventions,
    "mutants": lambda: len(mutants()),
}
"""What is counted in the code."""

_PLACEHOLDER = re.compile(r"\{\{([^{}]*)\}\}")


class NoNumber(LookupError):
    """A text asks for a number that nothing gives."""


def render(text: str, results: Mapping[str, Result]) -> str:
    """Fill in the placeholders of a text; ``results`` go by the name of their check or finding.

    Raises :class:`NoNumber` for a placeholder that cannot be filled, which it names.
    """
    return _PLACEHOLDER.sub(lambda found: _value(found[1].strip(), results), text)


def filled_in(of: Ledger, results: Mapping[str, Result]) -> Ledger:
    """Return a ledger with the texts of its claims and findings filled in, as by :func:`render`."""
    return replace(
        of,
        claims={label: rendered(claim, results) for label, claim in of.claims.items()},
        findings={name: rendered(finding, results) for name, finding in of.findings.items()},
    )


def rendered(part: _Part, results: Mapping[str, Result]) -> _Part:
    """Return a claim or a finding with its texts filled in, as by :func:`render`."""
    filled = _mapped(msgspec.to_builtins(part), lambda text: render(text, results))
    return msgspec.convert(filled, type(part))


def _mapped(held: Any, change: Callable[[str], str]) -> Any:
    match held:
        case str():
            return change(held)
        case dict():
            return {key: _mapped(value, change) for key, value in held.items()}
        case list() | tuple():
            return [_mapped(value, change) for value in held]
        case _:
            return held


def _value(asked: str, results: Mapping[str, Result]) -> str:
    try:
        match asked.split():
            case ["constant", key]:
                return _certified(key)
            case ["proved", theorem, name]:
                return _proved(theorem, name)
            case ["count", what]:
                return str(COUNTS[what]())
            case _:
                return _found(asked, results)
    except LookupError as error:
        raise NoNumber(f"{{{{{asked}}}}}: {error}") from error


def _certified(key: str) -> str:
    from tgite_checks.bounds.constants.catalogue import CONSTANTS

    constants = {one.key: one for one in CONSTANTS}
    return f"{float(constants[key].certified):g}"


def _proved(theorem: str, name: str) -> str:
    from tgite_checks.bounds.proved_constants import proved_constant

    return str(proved_constant(theorem, name))


def _found(asked: str, results: Mapping[str, Result]) -> str:
    source, _, name = asked.partition(": ")
    numbers = {number.name: number.value for number in results[source].numbers}
    return str(numbers[name])
