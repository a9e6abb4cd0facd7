"""``tgite vectors``: regenerate the conformance vectors, or check that nothing changed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tgite_checks.conformance.format import SHIPPED, read_folder
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
        Path | None, typer.Argument(help="Where to write them; the package's own by default.")
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
        typer.echo(coverage_table(read_folder(folder)), nl=False)
        return
    texts = folder_texts(all_cases())
    if not check:
        write_folder(folder, texts)
        typer.echo(f"{len(texts) - 1} files of vectors written to {folder}")
        return
    found = differences(folder, texts)
    if not found:
        read_folder(folder)
        typer.echo(f"{folder}: as generated, {len(texts) - 1} files")
        return
    for difference in found:
        typer.echo(difference)
    raise typer.Exit(_DIFFERS)
