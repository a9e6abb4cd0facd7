"""Plausible wrong transcriptions: one file for each module of ``tgite`` that they change."""

from __future__ import annotations

import functools
from importlib.resources import files

from tgite_checks.claims.reading import contents, record, with_every
from tgite_checks.mutation import Mutant


@functools.cache
def mutants() -> tuple[Mutant, ...]:
    """Return all mutants: ``bkt.toml`` holds those of ``tgite.bkt`` under their names, and so on.

    Raises :class:`~tgite_checks.claims.reading.Unreadable` for a file of another form.
    """
    found: list[Mutant] = []
    for file in sorted(files(__name__).iterdir(), key=lambda file: file.name):
        module, _, ending = file.name.partition(".")
        if ending != "toml":
            continue
        name_of_file = f"mutants/{file.name}"
        held = contents(name_of_file, file.read_text(encoding="utf-8"))
        every = held.pop("every", {})
        for name, fields in held.items():
            where = f"{name_of_file}, mutant {name}"
            whole = with_every(where, {"name": name, "module": module}, every, fields)
            found.append(record(where, whole, Mutant))
    return tuple(found)


def mutants_of(module: str) -> tuple[Mutant, ...]:
    """Return the mutants of one module of ``tgite``."""
    return tuple(mutant for mutant in mutants() if mutant.module == module)
