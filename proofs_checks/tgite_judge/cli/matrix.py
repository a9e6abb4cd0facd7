"""``tgite matrix``: a preference matrix from judgements, counts of wins or a matrix."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Annotated

import typer

from tgite import Confidence, InvalidInput, PreferenceMatrix
from tgite.confidence import read_rational
from tgite.errors import handled
from tgite_judge.counts import Counts, leader
from tgite_judge.layouts import read_columns
from tgite_judge.reader import read_data
from tgite_judge.standings import top_of
from tgite_laws.cli.inputs import AsJson

_MOST_SHOWN = 10
_NO_MATRIX = 1


def matrix(
    counts: Annotated[
        Path,
        typer.Argument(
            help="Judgements, counts of wins, a matrix of either or a journal (see "
            "docs/judges.md); - is standard input."
        ),
    ],
    out: Annotated[Path | None, typer.Option(help="Write the matrix as CSV.")] = None,
    prior: Annotated[
        str, typer.Option(help="Wins added to both sides of every pair, such as 1/2.")
    ] = "0",
    delta: Annotated[
        str, typer.Option(help="The allowed error of all statements on who beats whom.")
    ] = "0.05",
    columns: Annotated[
        list[str] | None,
        typer.Option(help="Which column is which, such as first=home,second=away,winner=FTR."),
    ] = None,
    winner_is: Annotated[
        str | None, typer.Option(help="What a winner is: name, home/away, 1/0 and similar.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Turn counts of wins into a preference matrix, and say how sure the winner is.

    The exit status is 1 if the counts are not enough for a matrix.
    """
    read = read_data(counts, read_columns(columns or []), winner_is)
    added, level = read_rational("prior", prior), Confidence.of(delta)
    estimated, refused = read.matrix, None
    if read.counts is not None:
        try:
            estimated = read.counts.matrix(added)
        except InvalidInput as error:
            refused = error
    if refused is not None and (out is not None or added < 0):
        raise refused
    if out is not None and estimated is not None:
        write_matrix(out, estimated)
    table = None if read.counts is None else read.counts.standings(level.rational)
    if as_json:
        result = {
            "read_as": list(read.notes),
            **(_counts_as_json(read.counts) if read.counts is not None else {}),
            **({"assumptions": [_assumed(read.counts)]} if table is not None else {}),
            **(table.to_json() if table is not None else {}),
            **(_matrix_as_json(estimated, read.counts) if estimated is not None else {}),
            **({} if refused is None else {"matrix": None, "no_matrix": str(refused)}),
        }
        typer.echo(json.dumps(result, ensure_ascii=False, indent=2))
    else:
        typer.echo(f"Read as {'; '.join(read.notes)}.")
        for line in (
            *(_counts_lines(read.counts) if read.counts is not None else ()),
            *(table.lines(f", if {_assumed(read.counts)}") if table is not None else ()),
            *(_matrix_lines(estimated, read.counts, level) if estimated is not None else ()),
            *(() if refused is None else (f"No preference matrix: {refused}.",)),
        ):
            typer.echo(line)
    if refused is not None:
        raise typer.Exit(_NO_MATRIX)


def _assumed(counts: Counts | None) -> str:
    if counts is not None and counts.blocks is not None:
        return "judgements about different questions are independent"
    return "judgements are independent and none is a copy of another"


def _counts_lines(counts: Counts) -> list[str]:
    """Return lines on the size of the counts, and on what is missing or one-sided."""
    names = counts.names
    ties = f", {counts.all_ties} of them ties" if counts.all_ties else ""
    lines = [f"{len(names)} items, {counts.total} comparisons{ties}."]
    if len(groups := counts.groups()) > 1:
        shown = _listed([_listed([names[arm] for arm in group]) for group in groups], "; ")
        lines.append(f"{len(groups)} groups were never compared with each other: {shown}.")
    if missing := counts.missing():
        pairs = _listed([f"{names[i]} and {names[j]}" for i, j in missing])
        lines.append(f"Never compared: {pairs}.")
    if shutouts := counts.shutouts():
        pairs = _listed([f"{names[i]} over {names[j]}" for i, j in shutouts])
        lines.append(f"Shut out (every comparison won): {pairs}.")
    if without := [name for name, row in zip(names, counts.wins, strict=True) if not any(row)]:
        lines.append(f"Without a win: {_listed(without)}.")
    return lines


def _matrix_lines(
    estimated: PreferenceMatrix, counts: Counts | None, delta: Confidence
) -> list[str]:
    """Return lines on the winner of a matrix, with the error bound that the counts give."""
    names, top = estimated.names, top_of(estimated)
    lines = [] if counts is not None else [f"{len(names)} items."]
    if len(top) > 1:
        cycle = ", ".join(names[arm] for arm in top)
        unsure = "The given probabilities" if counts is None else "The shares, which may be wrong,"
        said = f"{unsure} have no item that beats every other one; their Smith set is {cycle}."
        return [*lines, said]
    if counts is None:
        lines.append(
            f"{names[top[0]]} beats every other item, if the given probabilities that row beats "
            "column are right: a matrix does not say how sure they are."
        )
    else:
        found = leader(counts, estimated)
        i, j = found.arm, found.closest
        ties = f", {counts.tied(i, j)} of these ties" if counts.tied(i, j) else ""
        known = "Decided:" if found.error <= delta.rational else "Not decided: whether"
        lines += [
            f"{names[i]} leads against every other item; closest is {names[j]} "
            f"({counts.wins[i][j]} of {counts.played(i, j)}{ties}).",
            f"{known} {names[i]} beats every other item. Counts ever as clear as these name an "
            f"item that does not with probability at most {float(found.error):.2g}, if "
            f"{_assumed(counts)}.",
        ]
    gaps = float(estimated.winner_gap()), float(estimated.global_gap())
    return [*lines, f"Estimated gaps: Delta* = {gaps[0]:.4g}, Delta = {gaps[1]:.4g}."]


def _listed(names: list[str], separator: str = ", ") -> str:
    more = f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else ""
    return separator.join(names[:_MOST_SHOWN]) + more


def write_matrix(path: Path, estimated: PreferenceMatrix) -> None:
    """Write a matrix in the form that ``--matrix`` reads, with exact entries."""
    with handled("out", path, "written"), path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(estimated.names)
        writer.writerows([str(p) for p in row] for row in estimated.rows)


def _counts_as_json(counts: Counts) -> dict[str, object]:
    names = counts.names
    return {
        "items": list(names),
        "comparisons": counts.total,
        "ties": counts.all_ties,
        "shutouts": [[names[i], names[j]] for i, j in counts.shutouts()],
        "never_compared": [[names[i], names[j]] for i, j in counts.missing()],
        "groups": [[names[arm] for arm in group] for group in counts.groups()],
    }


def _matrix_as_json(estimated: PreferenceMatrix, counts: Counts | None) -> dict[str, object]:
    names, top = estimated.names, top_of(estimated)
    result = {
        "items": list(names),
        "matrix": [[str(p) for p in row] for row in estimated.rows],
        "global_gap": str(estimated.global_gap()),
        "winner": names[top[0]] if len(top) == 1 else None,
        "smith_set_of_matrix": [names[arm] for arm in top],
    }
    if len(top) > 1:
        return result
    result["winner_gap"] = str(estimated.winner_gap())
    if counts is None:
        return result
    found = leader(counts, estimated)
    return {**result, "closest": names[found.closest], "error_at_most": float(found.error)}
