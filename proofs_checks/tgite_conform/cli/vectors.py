"""``tgite vectors``: writes the vectors, or packs them all."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer
from typer.core import TyperGroup

from tgite.errors import handled
from tgite_conform.format import SHIPPED, VERSIONS
from tgite_conform.release import archive
from tgite_conform.vector_files import all_cases, folder_texts, publish, unpublished, write_folder


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
        Path | None,
        typer.Argument(help="Where to write them; in a checkout the package's own by default."),
    ] = None,
) -> None:
    """Write all vectors, or the unpublished ones into the package; this is the default command."""
    for version in unpublished() if folder is None else VERSIONS:
        of_version = version.folder(folder or SHIPPED)
        texts = folder_texts(all_cases(version), version)
        write_folder(of_version, texts)
        typer.echo(f"{len(texts) - 1} files of vectors written to {of_version}")
    if folder is None:
        publish()


@vectors.command()
def pack(
    file: Annotated[Path, typer.Argument(help="What to write, such as tgite-vectors.tar.")],
) -> None:
    """Pack the package's vectors, their format and a checker in C; print a checksum."""
    content = archive()
    with handled("file", file, "written"):
        file.write_bytes(content)
    typer.echo(f"{sha256(content).hexdigest()}  {file}")
