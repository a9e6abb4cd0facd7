"""``tgite matrix``: turn counts of wins into a preference matrix."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Annotated

import typer

from tgite import PreferenceMatrix
from tgite.confidence import read_rational
from tgite.errors import handled
from tgite_checks.cli.inputs import AsJson
from tgite_checks.judging.counts import Counts, leader, read_counts
from tgite_checks.judging.standings import top_of


def matrix(
    counts: Annotated[
        Path,
        typer.Argument(
            help="CSV: winner,loser[,count] or first,second,first_wins,second_wins, with that line."
        ),
    ],
    out: Annotated[Path | None, typer.Option(help="Write the matrix as CSV.")] = None,
    prior: Annotated[
        str, typer.Option(help="Wins added to both sides of every pair, such as 1/2.")
    ] = "0",
    as_json: AsJson = False,
) -> None:
    """Turn counts of wins into a preference matrix, and say how sure the winner is."""
    read = read_counts(counts)
    names = read.names
    shutouts = [[names[i], names[j]] for i, j in read.shutouts()]
    estimated = read.matrix(read_rational("prior", prior))
    if out is not None:
        write_matrix(out, estimated)
    top = top_of(estimated)
    if as_json:
        typer.echo(json.dumps(_as_json(read, estimated, shutouts), ensure_ascii=False, indent=2))
        return
    typer.echo(f"{len(names)} items, {read.total} comparisons")
    for one, other in shutouts:
        typer.echo(f"shut out: {one} won every comparison with {other}")
    if len(top) > 1:
        members = ", ".join(names[arm] for arm in top)
        typer.echo(
            f"no item beats every other one; the Smith set (all others lose to it): {members}"
        )
        return
    found = leader(read, estimated)
    typer.echo(
        f"{names[found.arm]} leads against every other item; closest: {names[found.closest]} "
        f"({read.wins[found.arm][found.closest]} of {read.played(found.arm, found.closest)})"
    )
    typer.echo(
        "the probability that such counts name an item that does not beat every other one is at "
        f"most {found.error.high:.2g}"
    )
    typer.echo(
        f"estimated gaps: Delta* = {float(estimated.winner_gap()):.4g}, "
        f"Delta = {float(estimated.global_gap()):.4g}"
    )


def write_matrix(path: Path, estimated: PreferenceMatrix) -> None:
    """Write a matrix in the form that ``--matrix`` reads, its entries exact."""
    with handled("out", path, "written"), path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(estimated.names)
        writer.writerows([str(p) for p in row] for row in estimated.rows)


def _as_json(
    read: Counts, estimated: PreferenceMatrix, shutouts: list[list[str]]
) -> dict[str, object]:
    top = top_of(estimated)
    result: dict[str, object] = {
        "items": list(read.names),
        "comparisons": read.total,
        "shutouts": shutouts,
        "matrix": [[str(p) for p in row] for row in estimated.rows],
        "global_gap": str(estimated.global_gap()),
    }
    if len(top) > 1:
        return {**result, "winner": None, "smith_set": [read.names[arm] for arm in top]}
    found = leader(read, estimated)
    return {
        **result,
        "winner": read.names[found.arm],
        "winner_gap": str(estimated.winner_gap()),
        "closest": read.names[found.closest],
        "error_at_most": found.error.to_json(),
    }
