"""Writes the folders of vectors, with the same bytes on every machine."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from tgite import InvalidInput
from tgite.errors import require
from tgite_conform.algorithms import ALGORITHMS
from tgite_conform.cases.rows import rows
from tgite_conform.flags import FLAGS
from tgite_conform.format import (
    CHECKSUMS,
    CHOICES,
    PUBLISHED,
    SHIPPED,
    VERSIONS,
    Case,
    Version,
    checksums,
    file_text,
)
from tgite_conform.recorder import case_of

SCHEMA = SHIPPED.parent / "schemas" / "vectors.schema.json"


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
