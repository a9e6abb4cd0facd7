"""``tgite vectors``: regenerate the conformance vectors, or check that nothing changed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tgite_checks.conformance.algorithms import Group
from tgite_checks.conformance.format import SHIPPED, Version, read_folder, read_vectors
from tgite_checks.conformance.generate import (
    all_cases,
    coverage_table,
    differences,
    folder_texts,
    write_folder,
)

_DIFFERS = 1


def vectors(
    folder: Annotated[
        Path | None,
        typer.Argument(help="Where to write them; the package's own by default."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; say whether the folder would change.")
    ] = False,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Write nothing; print which states they reach.")
    ] = False,
) -> None:
    """Make the conformance vectors: the same bytes on every machine."""
    folder = folder or SHIPPED
    if coverage:
        cases = read_vectors(folder)
        typer.echo("\n".join(coverage_table(cases, group) for group in Group), nl=False)
        return
    found: list[str] = []
    for version in Version:
        texts, of_version = folder_texts(all_cases(version), version), version.folder(folder)
        if not check:
            write_folder(of_version, texts)
            typer.echo(f"{len(texts) - 1} files of vectors written to {of_version}")
        elif not (differing := differences(of_version, texts)):
            read_folder(of_version)
            typer.echo(f"{of_version}: as generated, {len(texts) - 1} files")
        else:
            found += (f"{of_version.name}: {difference}" for difference in differing)
    for difference in found:
        typer.echo(difference)
    if found:
        raise typer.Exit(_DIFFERS)
