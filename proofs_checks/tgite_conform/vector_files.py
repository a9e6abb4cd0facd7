"""Writes the folders of vectors, with the same bytes on every machine."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, cast

from msgspec import Meta

from tgite import RULINGS, InvalidInput
from tgite.errors import handled, require
from tgite_conform.algorithms import ALGORITHMS
from tgite_conform.cases.rows import rows
from tgite_conform.flags import FLAGS
from tgite_conform.format import (
    CHECKSUMS,
    CHOICES,
    SHIPPED,
    VERSIONS,
    Case,
    Expected,
    Parameter,
    Version,
    checksums,
    file_text,
    read_conventions,
    read_tape,
)
from tgite_conform.recorder import Recipe, case_of
from tgite_conform.strict_json import Strict, parsed, read

SCHEMA = SHIPPED.parent / "schemas" / "vectors.schema.json"
PUBLISHED = SHIPPED / "PUBLISHED"
"""The checksums of what was published: each version's list of files, and the schema."""


def all_cases(version: Version) -> Iterator[Case]:
    """Return the cases of a version, made by the reference from its rows."""
    for row in rows(version):
        yield replace(case_of(row.recipe()), mutant=row.mutant)


def folder_texts(cases: Iterable[Case], version: Version) -> dict[str, str]:
    """Return the texts of a folder's files by name: one for each algorithm, and the checksums."""
    of_algorithm: dict[str, list[Case]] = {algorithm: [] for algorithm in ALGORITHMS}
    for case in cases:
        of_algorithm[case.algorithm].append(case)
    texts = {
        f"{algorithm}.json": file_text(algorithm, FLAGS, members, version)
        for algorithm, members in of_algorithm.items()
        if members
    }
    return {**texts, CHECKSUMS: checksums(texts)}


def write_folder(folder: Path, texts: dict[str, str]) -> None:
    """Write a folder of vectors.

    Raises :class:`~tgite.errors.InvalidInput` if the folder holds other files.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.name not in texts:
            if path.suffix != ".json":
                raise InvalidInput("folder", str(folder), f"holds {path.name}: not vectors")
            path.unlink()
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode("ascii"))


def completed(schema: str) -> str:
    """Return the text of the schema with the versions, algorithms and conventions that it lacks."""
    schema = re.sub(r"versions 1 to [0-9.]+", f"versions 1 to {VERSIONS[-1]}", schema)
    lists = {"format": [f"tgite-vectors/{one}" for one in VERSIONS], "algorithm": [*ALGORITHMS]}
    for name, values in {**lists, **CHOICES}.items():
        (found,) = re.finditer(rf'"{name}": \{{\s*"enum": \[([^]]*[^]\s])', schema)
        missing = (json.dumps(one) for one in values if one not in json.loads(f"[{found[1]}]"))
        schema = ", ".join((schema[: found.end()], *missing)) + schema[found.end() :]
    return schema


def recorded() -> dict[str, str]:
    """Return the checksums of what was published, by file."""
    return {line[66:]: line[:64] for line in PUBLISHED.read_text("ascii").splitlines()}


def unpublished() -> list[Version]:
    """Return the versions that are not published yet, of which a checkout must have one.

    Raises :class:`~tgite.errors.InvalidInput` otherwise: published files never change.
    """
    rule = f"must be named, as in: tgite vectors my-vectors ({SHIPPED} is installed, and stays)"
    require((SHIPPED.parents[2] / "pyproject.toml").is_file(), "folder", "none", rule)
    found = [version for version in VERSIONS if f"v{version}/{CHECKSUMS}" not in recorded()]
    rule = "are published and stay: put rows into cases/vNEXT.json, a new version (to change one "
    rule += f"that is not released yet, remove its line from {PUBLISHED.name})"
    require(bool(found), "vectors", str(SHIPPED), rule)
    return found


def publish() -> None:
    """Complete the schema; record it and the new versions as published."""
    SCHEMA.write_bytes(completed(SCHEMA.read_text("ascii")).encode("ascii"))
    new = [f"../schemas/{SCHEMA.name}", *(f"v{version}/{CHECKSUMS}" for version in unpublished())]
    sums = recorded() | {name: sha256((SHIPPED / name).read_bytes()).hexdigest() for name in new}
    PUBLISHED.write_bytes("".join(f"{sums[name]}  {name}\n" for name in sorted(sums)).encode())


def differences(folder: Path, texts: dict[str, str]) -> list[str]:
    """Return a line for each file of a folder that differs from the generated one."""
    present = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    found = [f"{name} is missing" for name in sorted(set(texts) - present)]
    found += [f"{name} does not belong here" for name in sorted(present - set(texts))]
    for name in sorted(set(texts) & present):
        there = (folder / name).read_bytes().decode("ascii", errors="replace")
        if there != texts[name]:
            line = _first_different_line(there, texts[name])
            found.append(f"{name} differs from line {line} on")
    return found


def _first_different_line(there: str, here: str) -> int:
    pairs = enumerate(zip_longest(there.splitlines(), here.splitlines()), start=1)
    return next(number for number, (one, other) in pairs if one != other)


_Tape = tuple[Annotated[tuple[int | str, ...], Meta(min_length=3)], ...]


class OwnRun(Strict, frozen=True, kw_only=True):
    """A user's run with the fields of a message ``play``; conventions have defaults."""

    algorithm: str
    parameters: dict[str, object]
    tape: _Tape
    horizon: Annotated[int, Meta(ge=1)] | None = None
    name: Annotated[str, Meta(min_length=1)] = "an own run"


def read_own_run(path: Path) -> OwnRun:
    """Return the run in a file; raises :class:`~tgite.errors.InvalidInput` if it is invalid."""
    with handled("tape", str(path)):
        return read(parsed(path.read_text("utf-8"), str(path)), OwnRun, str(path))


def case_of_run(run: OwnRun) -> Case:
    """Return the case that the reference makes from a user's run and tape.

    Raises :class:`~tgite.errors.InvalidInput` for bad input and a tape that is too short.
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
    """Return the number of matches on the tape that the reference does not play."""
    played = len(case.expected.matches) if isinstance(case.expected, Expected) else 0
    return sum(len(row) - 2 for row in run.tape) - played
