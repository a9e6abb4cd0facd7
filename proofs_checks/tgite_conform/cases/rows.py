"""Reads the rows of inputs from which the reference makes the vectors' cases."""

from __future__ import annotations

import msgspec

from tgite import RULINGS
from tgite_conform.cases.outcomes import read_plan
from tgite_conform.format import (
    ROWS,
    MutantNote,
    Parameter,
    Version,
    conventions_to_json,
    read_conventions,
    read_tape,
)
from tgite_conform.recorder import Recipe
from tgite_conform.strict_json import Strict, parsed, read


class Row(Strict, frozen=True, kw_only=True):
    """The input of a case.

    ``conventions`` holds only those that differ from the defaults. The outcomes are an expression
    of :mod:`~tgite_conform.cases.outcomes` or are on a ``tape``. An input that must be refused has
    instead the bad parameter's name in ``refuses``. ``mutant`` is the wrong transcription that the
    case detects. It is part of the published file, so it stays even if the mutant's wording
    changes.
    """

    name: str
    algorithm: str
    parameters: dict[str, Parameter]
    conventions: dict[str, object] = msgspec.field(default_factory=dict)
    horizon: int | None = None
    outcomes: str = ""
    tape: tuple[tuple[int | str, ...], ...] = ()
    refuses: str = ""
    mutant: MutantNote | None = None

    def recipe(self) -> Recipe:
        """Return the row as an input of the recorder."""
        written = conventions_to_json(RULINGS) | self.conventions
        return Recipe(
            self.name,
            self.algorithm,
            self.parameters,
            read_plan(self.outcomes) if self.outcomes else None,
            read_conventions(written),
            self.horizon,
            self.refuses,
            tuple(read_tape(row, f"{self.name}: tape") for row in self.tape),
        )


def rows(version: Version) -> tuple[Row, ...]:
    """Return the rows of a version, in the order of the cases in its files."""
    path = ROWS / f"v{version}.json"
    return read(parsed(path.read_text("ascii"), path.name), tuple[Row, ...], path.name)
