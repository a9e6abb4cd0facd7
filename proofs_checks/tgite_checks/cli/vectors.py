"""``tgite vectors``: regenerate the conformance vectors, or make one of an own run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tgite import InvalidInput
from tgite.errors import handled
from tgite_checks.conformance.algorithms import Group
from tgite_checks.conformance.format import SHIPPED, Version, read_folder, read_vectors
from tgite_checks.conformance.generate import (
    all_cases,
    coverage_table,
    differences,
    folder_texts,
    write_folder,
)
from tgite_checks.conformance.own_run import case_of_run, read_own_run, unused

_DIFFERS = 1
_MAKE = Path("make")


def vectors(
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FOLDER|make]",
            help="Where to write them; the package's own by default. "
            "make: one vector of an implementation's own run (--tape).",
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; say whether the folder would change.")
    ] = False,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Write nothing; print which states they reach.")
    ] = False,
    tape: Annotated[
        Path | None,
        typer.Option(help="With make: the run, a JSON object as in the message play."),
    ] = None,
    to: Annotated[Path, typer.Option(help="With make: the folder for the vector.")] = Path("own"),
) -> None:
    """Make the conformance vectors: the same bytes on every machine."""
    if (folder == _MAKE) is not (tape is not None):
        raise InvalidInput("tape", str(tape or "nothing"), "belongs to tgite vectors make")
    if tape is not None:
        _make(tape, to)
        return
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


def _make(tape: Path, to: Path) -> None:
    run = read_own_run(tape)
    case = case_of_run(run)
    with handled("to", to, "written"):
        write_folder(to, folder_texts([case], Version.V1_3))
    typer.echo(f"{to}: {case.id}, {case.duels:,} duels; play it by tgite conform --vectors {to}")
    if surplus := unused(run, case):
        typer.echo(f"the reference does not play {surplus} matches of the tape")
