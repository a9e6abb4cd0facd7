"""Mutants, plausible wrong transcriptions: one file for each module of ``tgite`` they change."""

from __future__ import annotations

import functools
from importlib.resources import files
from typing import Any

from tgite_checks.claims.reading import parsed, record
from tgite_checks.mutation import Mutant


@functools.cache
def mutants() -> tuple[Mutant, ...]:
    """Return all mutants; for example ``bkt.toml`` has those of ``tgite.bkt``, by name.

    The table ``every`` of a file has the defaults of its mutants. Raises
    :class:`~tgite_checks.claims.reading.Unreadable` if a file has another form.
    """
    found: list[Mutant] = []
    for file in sorted(files(__name__).iterdir(), key=lambda file: file.name):
        module, _, ending = file.name.partition(".")
        if ending == "toml":
            where, text = f"mutants/{file.name}", file.read_text(encoding="utf-8")
            held = parsed(where, text, dict[str, dict[str, Any]])
            every = {"module": module, **held.pop("every", {})}
            found += (
                record(f"{where}, mutant {name}", {"name": name, **every, **fields}, Mutant)
                for name, fields in held.items()
            )
    return tuple(found)


def mutants_of(module: str) -> tuple[Mutant, ...]:
    """Return the mutants of one module of ``tgite``."""
    return tuple(mutant for mutant in mutants() if mutant.module == module)
