"""A vector of an implementation's own run: its tape, and what the reference does on it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast

from msgspec import Meta

from tgite import RULINGS, InvalidInput
from tgite.errors import handled
from tgite_conform.format import (
    Case,
    Expected,
    Parameter,
    read_conventions,
    read_tape,
)
from tgite_conform.recorder import Recipe, case_of
from tgite_conform.strict_json import Strict, parsed, read

_Tape = tuple[Annotated[tuple[int | str, ...], Meta(min_length=3)], ...]


class OwnRun(Strict, frozen=True, kw_only=True):
    """What the file says: the fields of a message ``play``, as far as they are needed.

    ``parameters`` may hold conventions, all of them; without them they are the defaults.
    """

    algorithm: str
    parameters: dict[str, object]
    tape: _Tape
    horizon: Annotated[int, Meta(ge=1)] | None = None
    name: Annotated[str, Meta(min_length=1)] = "an own run"


def read_own_run(path: Path) -> OwnRun:
    """Read the file; raises :class:`~tgite.errors.InvalidInput` for one that cannot be used."""
    with handled("tape", str(path)):
        return read(parsed(path.read_text("utf-8"), str(path)), OwnRun, str(path))


def case_of_run(run: OwnRun) -> Case:
    """Let the reference play an own run, decided on its tape, and make the case of it.

    Raises :class:`~tgite.errors.InvalidInput` for what the algorithm refuses, for a tape that does
    not reach as far as the reference's run, and for a run so near to a boundary that double
    precision cannot be asked to decide it.
    """
    given = dict(run.parameters)
    written = given.pop("conventions", None)
    conventions = RULINGS if written is None else read_conventions(written)
    kind = cast("type[Parameter]", Parameter)
    parameters = {name: read(value, kind, f"parameters.{name}") for name, value in given.items()}
    tape = tuple(read_tape(row, "tape") for row in run.tape)
    recipe = Recipe(run.name, run.algorithm, parameters, None, conventions, run.horizon, tape=tape)
    recipe.stream().close()
    try:
        return case_of(recipe)
    except InvalidInput:
        raise
    except ValueError as error:
        raise InvalidInput("run", run.name, str(error)) from None


def unused(run: OwnRun, case: Case) -> int:
    """Return how many matches of the tape the reference does not play."""
    played = len(case.expected.matches) if isinstance(case.expected, Expected) else 0
    return sum(len(row) - 2 for row in run.tape) - played
