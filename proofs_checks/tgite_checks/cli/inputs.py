"""Reading what the commands share: preferences, arms, levels and conventions."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

from tgite import (
    RULINGS,
    Arm,
    Conventions,
    InvalidInput,
    Preferences,
    cyclic,
    example,
    read_matrix,
    sparse,
)
from tgite.confidence import read_rational
from tgite.conventions import Arguments, Byes, Candidates, End, Order, Pairing
from tgite.instances import SPARSE_GAP

_CHOICES: dict[str, type[StrEnum]] = {
    "pairing": Pairing,
    "bye": End,
    "bye_place": End,
    "arguments": Arguments,
    "candidates": Candidates,
    "screening": Order,
    "byes": Byes,
}


class Family(StrEnum):
    """The families of instances of the Experiments section."""

    CYCLIC = "cyclic"
    SPARSE = "sparse"


def read_preferences(
    matrix: Path | None,
    example_name: str | None,
    family: Family | None,
    arms: int | None,
    delta_star: str | None,
    delta_cyc: str | None,
) -> tuple[str, Preferences]:
    """Return the preferences that the options name, and a name for them."""
    named = [option for option in (matrix, example_name, family) if option is not None]
    if len(named) != 1:
        raise InvalidInput(
            "preferences",
            " and ".join(map(str, named)) or "nothing",
            "give one of --matrix FILE, --example NAME and --instance FAMILY",
        )
    if family is None:
        for option, value in (("arms", arms), ("delta-star", delta_star), ("delta-cyc", delta_cyc)):
            if value is not None:
                raise InvalidInput(option, value, "has a meaning only with --instance")
    if matrix is not None:
        return str(matrix), read_matrix(matrix)
    if example_name is not None:
        return example_name, example(example_name)
    if arms is None or delta_star is None:
        raise InvalidInput("instance", str(family), "needs --arms and --delta-star")
    if family is Family.CYCLIC and delta_cyc is None:
        raise InvalidInput("instance", "cyclic", "needs --delta-cyc, the gap within the cycle")
    gaps = (
        read_rational("delta-star", delta_star),
        SPARSE_GAP if delta_cyc is None else read_rational("delta-cyc", delta_cyc),
    )
    name = f"{family}(N={arms}, Delta*={gaps[0]}, {gaps[1]} within)"
    return name, (cyclic if family is Family.CYCLIC else sparse)(arms, *gaps)


def read_arm(preferences: Preferences, written: str, conventions: Conventions) -> Arm:
    """Return the arm that is written by its number or its name."""
    names = preferences.names
    first = conventions.first_arm
    try:
        arm = int(written) - first
    except ValueError:
        if written not in names:
            raise InvalidInput("start", written, "must be an arm's number or name") from None
        return names.index(written)
    if not 0 <= arm < preferences.size:
        last = preferences.size - 1 + first
        raise InvalidInput("start", written, f"must be one of the arms {first}..{last}")
    return arm


def read_conventions(written: list[str]) -> Conventions:
    """Return the rulings with the choices ``name=value`` in their place."""
    conventions = RULINGS
    for choice in written:
        name, _, value = choice.partition("=")
        name = name.strip().replace("-", "_")
        if name == "first_arm" and value in ("0", "1"):
            conventions = replace(conventions, first_arm=int(value))
            continue
        if name not in _CHOICES:
            known = ", ".join([*_CHOICES, "first_arm"])
            raise InvalidInput("convention", choice, f"must be NAME=VALUE, NAME one of {known}")
        kind = _CHOICES[name]
        if value not in list(kind):
            raise InvalidInput(
                "convention", choice, f"must have one of the values {', '.join(kind)}"
            )
        conventions = _with_choice(conventions, name, value)
    return conventions


def _with_choice(conventions: Conventions, name: str, value: str) -> Conventions:
    match name:
        case "pairing":
            return replace(conventions, pairing=Pairing(value))
        case "bye":
            return replace(conventions, bye=End(value))
        case "bye_place":
            return replace(conventions, bye_place=End(value))
        case "arguments":
            return replace(conventions, arguments=Arguments(value))
        case "candidates":
            return replace(conventions, candidates=Candidates(value))
        case "screening":
            return replace(conventions, screening=Order(value))
        case _:
            return replace(conventions, byes=Byes(value))


def read_known_gap(written: str | None) -> Fraction | None:
    """Return the gap ``g``, exactly."""
    return None if written is None else read_rational("g", written)
