"""``tgite vectors``: writes the vectors, makes one from a run of yours, or packs them all."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer
from typer.core import TyperGroup

from tgite.errors import handled
from tgite_conform.algorithms import Group
from tgite_conform.format import SHIPPED, Version, read_folder, read_vectors
from tgite_conform.program import LONGEST_BY_MESSAGES
from tgite_conform.release import archive
from tgite_conform.vector_files import (
    all_cases,
    case_of_run,
    coverage_table,
    differences,
    folder_texts,
    read_own_run,
    unused,
    write_folder,
)

_DIFFERS = 1


class _WritesByDefault(TyperGroup):
    """Runs the command ``write`` if no command is named."""

    # typer passes its public Context here; the declared type is private.
    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        if not args or args[0] not in (*self.commands, "--help"):
            args = ["write", *args]
        return super().parse_args(ctx, args)


vectors = typer.Typer(
    cls=_WritesByDefault, help="Make the conformance vectors: the same bytes on every machine."
)


@vectors.command()
def write(
    folder: Annotated[
        Path, typer.Argument(help="Where to write them; the package's own by default.")
    ] = SHIPPED,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; say whether the folder would change.")
    ] = False,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Write nothing; print which states they reach.")
    ] = False,
) -> None:
    """Write the vectors of every version; this is also the default command."""
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


@vectors.command()
def make(
    tape: Annotated[Path, typer.Option(help="The run, a JSON object as in the message play.")],
    to: Annotated[Path, typer.Option(help="The folder for the vector.")] = Path("own"),
) -> None:
    """Make a vector from an implementation's own run."""
    run = read_own_run(tape)
    case = case_of_run(run)
    with handled("to", to, "written"):
        write_folder(to, folder_texts([case], Version.V1_3))
    long = " --long" if case.duels > LONGEST_BY_MESSAGES else ""
    command = f"tgite conform mine:make --vectors {to}{long}"
    typer.echo(f"{to}: {case.id}, {case.duels:,} duels; play it by {command}")
    if surplus := unused(run, case):
        typer.echo(f"the reference does not play {surplus} matches of the tape")


@vectors.command()
def pack(
    file: Annotated[Path, typer.Argument(help="What to write, such as tgite-vectors.tar.gz.")],
) -> None:
    """Pack the package's vectors, their format and a checker in C; print a checksum."""
    content = archive()
    with handled("file", file, "written"):
        file.write_bytes(content)
    typer.echo(f"{sha256(content).hexdigest()}  {file}")
