"""Reading what the commands share: preferences, arms, levels and conventions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer

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
from tgite.instances import SPARSE_GAP


class Family(StrEnum):
    """The families of instances of the Experiments section."""

    CYCLIC = "cyclic"
    SPARSE = "sparse"


Matrix = Annotated[Path | None, typer.Option(help="Preferences from CSV.")]
Example = Annotated[str | None, typer.Option(help="sushi16, mslr5 or arxiv6.")]
Instance = Annotated[Family | None, typer.Option(help="A family of the paper.")]
Arms = Annotated[int | None, typer.Option(help="N, with --instance.")]
DeltaStar = Annotated[str | None, typer.Option(help="The winner's gap.")]
DeltaCyc = Annotated[str | None, typer.Option(help="The gap within the cycle.")]
KnownGap = Annotated[str | None, typer.Option(help="Known gap: BudgetedDuelTest.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


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


def read_arm(names: Sequence[str], written: str | None, conventions: Conventions) -> Arm:
    """Return the arm that is written by its number or its name; the first one by default."""
    first = conventions.first_arm
    if written is None:
        return 0
    try:
        arm = int(written) - first
    except ValueError:
        if written not in names:
            raise InvalidInput("start", written, "must be an arm's number or name") from None
        return names.index(written)
    if not 0 <= arm < len(names):
        last = len(names) - 1 + first
        raise InvalidInput("start", written, f"must be one of the arms {first}..{last}")
    return arm


def read_conventions(written: list[str]) -> Conventions:
    """Return the rulings with the choices ``name=value`` in their place."""
    chosen: dict[str, Any] = {}
    for choice in written:
        name, _, value = choice.partition("=")
        name = name.strip().replace("-", "_")
        if name not in Conventions.__dataclass_fields__:
            known = ", ".join(Conventions.__dataclass_fields__)
            raise InvalidInput("convention", choice, f"must be NAME=VALUE, NAME one of {known}")
        kind = type(getattr(RULINGS, name))
        values = list(kind) if issubclass(kind, StrEnum) else ["0", "1"]
        if value not in values:
            must = f"must have one of the values {', '.join(values)}"
            raise InvalidInput("convention", choice, must)
        chosen[name] = kind(value)
    return replace(RULINGS, **chosen)


def read_known_gap(written: str | None) -> Fraction | None:
    """Return the gap ``g``, exactly."""
    return None if written is None else read_rational("g", written)
