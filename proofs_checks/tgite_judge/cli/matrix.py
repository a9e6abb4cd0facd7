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
from tgite_judge.reader import Columns, WinnerIs, read_data
from tgite_judge.standings import Standings, top_of
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
    winner: Annotated[str | None, typer.Option(help="The column of the winner.")] = None,
    loser: Annotated[str | None, typer.Option(help="The column of the loser.")] = None,
    first: Annotated[str | None, typer.Option(help="The column of one item.")] = None,
    second: Annotated[str | None, typer.Option(help="The column of the other item.")] = None,
    count: Annotated[str | None, typer.Option(help="The column of how many judgements.")] = None,
    winner_is: Annotated[
        WinnerIs, typer.Option(help="How the column of the winner names it.")
    ] = WinnerIs.EITHER,
    as_json: AsJson = False,
) -> None:
    """Turn counts of wins into a preference matrix, and say how sure the winner is.

    The exit status is 1 if the counts are not enough for a matrix.
    """
    read = read_data(counts, Columns(first, second, winner, loser, count, winner_is))
    added, level = read_rational("prior", prior), Confidence.of(delta)
    estimated, why = read.matrix, None
    if read.counts is not None:
        try:
            estimated = read.counts.matrix(added)
        except InvalidInput as refused:
            why = refused
    if why is not None and (out is not None or added < 0):
        raise why
    if out is not None and estimated is not None:
        write_matrix(out, estimated)
    table = None
    if read.counts is not None:
        table = Standings(read.counts.wins, level.rational, read.counts.ties)
    if as_json:
        result = _as_json(read.counts, estimated, table)
        missing = {} if why is None else {"no_matrix": str(why)}
        result = {"read_as": list(read.notes), **result, **missing}
        typer.echo(json.dumps(result, ensure_ascii=False, indent=2))
    else:
        typer.echo(f"read as {'; '.join(read.notes)}")
        for line in _lines(read.counts, estimated, table):
            typer.echo(line)
        if why is not None:
            typer.echo(f"no preference matrix: {why}")
    if why is not None:
        raise typer.Exit(_NO_MATRIX)


def _lines(
    counts: Counts | None, estimated: PreferenceMatrix | None, table: Standings | None
) -> list[str]:
    said: list[str] = []
    names = estimated.names if counts is None and estimated is not None else ()
    if counts is not None and table is not None:
        names = counts.names
        tied = f", {counts.all_ties} of them ties" if counts.all_ties else ""
        said.append(f"{len(names)} items, {counts.total} comparisons{tied}")
        said += _incomplete(counts)
        decided = table.decided
        shown = "; ".join(
            f"{names[one.better]} beats {names[one.worse]} ({one.counted()}, "
            f"error at most {float(one.error):.1g})"
            for one in decided[:_MOST_SHOWN]
        )
        more = f"; and {len(decided) - _MOST_SHOWN} more" if len(decided) > _MOST_SHOWN else ""
        pairs = len(names) * (len(names) - 1) // 2
        said.append(
            f"decided, all of it with error at most {table.delta}: {len(decided)} of {pairs} pairs"
            + (f": {shown}{more}" if decided else "")
        )
        within = ", ".join(names[arm] for arm in table.contenders)
        if len(table.contenders) < len(names):
            said.append(f"the Smith set lies within {within}, with error at most {table.delta}")
    else:
        said.append(f"{len(names)} items")
    if estimated is None:
        if table is not None:
            said.append(
                f"ahead of the most others (Copeland): "
                f"{', '.join(names[arm] for arm in table.copeland)}; highest mean share (Borda): "
                f"{', '.join(names[arm] for arm in table.borda)}"
            )
        return said
    top = top_of(estimated)
    if len(top) > 1:
        members = ", ".join(names[arm] for arm in top)
        said.append(
            f"no item beats every other one; the Smith set (all others lose to it): {members}"
        )
        return said
    if counts is None:
        said.append(
            f"{names[top[0]]} beats every other item, if the given probabilities that row beats "
            "column are right: a matrix does not say how sure they are"
        )
    else:
        found = leader(counts, estimated)
        said.append(
            f"{names[found.arm]} leads against every other item; closest: {names[found.closest]} "
            f"({counts.wins[found.arm][found.closest]} of "
            f"{counts.played(found.arm, found.closest)}"
            + (
                f", {draws} of these ties)"
                if (draws := counts.tied(found.arm, found.closest))
                else ")"
            )
        )
        said.append(
            "the probability that counts name an item that does not beat every other one, as "
            f"clearly as these, is at most {found.error.high:.2g}"
        )
    said.append(
        f"estimated gaps: Delta* = {float(estimated.winner_gap()):.4g}, "
        f"Delta = {float(estimated.global_gap()):.4g}"
    )
    return said


def _incomplete(counts: Counts) -> list[str]:
    """Return lines on what is missing or one-sided, a few at most."""
    names, said = counts.names, list[str]()
    if len(groups := counts.groups()) > 1:
        shown = "; ".join(_listed([names[arm] for arm in group]) for group in groups[:_MOST_SHOWN])
        more = f"; and {len(groups) - _MOST_SHOWN} more" if len(groups) > _MOST_SHOWN else ""
        said.append(f"{len(groups)} groups that were never compared with each other: {shown}{more}")
    if missing := counts.missing():
        pairs = [f"{names[i]} and {names[j]}" for i, j in missing]
        said.append(f"never compared: {_listed(pairs)}")
    if shutouts := counts.shutouts():
        pairs = [f"{names[i]} over {names[j]}" for i, j in shutouts]
        said.append(f"shut out (every comparison won): {_listed(pairs)}")
    won = [sum(row) > 0 for row in counts.wins]
    if without := [name for name, one in zip(names, won, strict=True) if not one]:
        said.append(f"without a win: {_listed(without)}")
    return said


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else ""
    return ", ".join(names[:_MOST_SHOWN]) + more


def write_matrix(path: Path, estimated: PreferenceMatrix) -> None:
    """Write a matrix in the form that ``--matrix`` reads, with exact entries."""
    with handled("out", path, "written"), path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(estimated.names)
        writer.writerows([str(p) for p in row] for row in estimated.rows)


def _as_json(
    counts: Counts | None, estimated: PreferenceMatrix | None, table: Standings | None
) -> dict[str, object]:
    result: dict[str, object] = {}
    if counts is not None and table is not None:
        names = counts.names
        result |= {
            "items": list(names),
            "comparisons": counts.total,
            "ties": counts.all_ties,
            "shutouts": [[names[i], names[j]] for i, j in counts.shutouts()],
            "never_compared": [[names[i], names[j]] for i, j in counts.missing()],
            "groups": [[names[arm] for arm in group] for group in counts.groups()],
            "pairs": [one.to_json(names) for one in table.pairs.values()],
            "smith_set_within": [names[arm] for arm in table.contenders],
            "error_at_most_of_pairs": str(table.delta),
        }
    if estimated is None:
        return {**result, "matrix": None}
    names, top = estimated.names, top_of(estimated)
    result |= {
        "items": list(names),
        "matrix": [[str(p) for p in row] for row in estimated.rows],
        "global_gap": str(estimated.global_gap()),
        "winner": names[top[0]] if len(top) == 1 else None,
    }
    if len(top) > 1:
        return {**result, "smith_set": [names[arm] for arm in top]}
    result["winner_gap"] = str(estimated.winner_gap())
    if counts is None:
        return result
    found = leader(counts, estimated)
    closest, error = names[found.closest], found.error.to_json()
    return {**result, "closest": closest, "error_at_most": error}
