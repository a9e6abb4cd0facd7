"""``tgite matrix``: a preference matrix from judgements, counts of wins or a matrix."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from tgite import Confidence, InvalidInput, PreferenceMatrix
from tgite.confidence import read_rational
from tgite.errors import require
from tgite_judge.layouts import read_columns
from tgite_judge.model import Model
from tgite_judge.order import (
    CsvFile,
    Guess,
    HtmlFile,
    order_as_json,
    order_lines,
    order_of,
    write_csv,
    write_order,
)
from tgite_judge.reader import read_data
from tgite_judge.standings import Standings, top_of
from tgite_laws.cli.inputs import AsJson

_MOST_SHOWN = 10


def matrix(
    counts: Annotated[Path, Argument(help="A table or a journal; - is standard input.")],
    out: Annotated[Path | None, Option(help="Write the matrix as CSV.")] = None,
    prior: Annotated[str, Option(help="Wins added to both sides of a pair, as 1/2.")] = "0",
    delta: Annotated[str, Option(help="The allowed error of all pairs together.")] = "0.05",
    columns: Annotated[list[str] | None, Option(help="As first=home,second=away.")] = None,
    winner_is: Annotated[str | None, Option(help="What a winner is: name, 1/0, ...")] = None,
    csv_file: CsvFile = None,
    html_file: HtmlFile = None,
    as_json: AsJson = False,
) -> None:
    """Order items by counts of wins, and turn the counts into a preference matrix.

    The exit status is 1 if the counts are not enough for a matrix. See docs/judges.md.
    """
    read = read_data(counts, read_columns(columns or []), winner_is)
    added, level = read_rational("prior", prior), Confidence.of(delta)
    require(added >= 0, "prior", str(added), "must be 0 or more")
    estimated, refused = read.matrix, None
    if read.counts is not None:
        try:
            estimated = read.counts.matrix(added)
        except InvalidInput as error:
            refused = error
    if out is not None and estimated is not None:
        write_csv("out", out, [estimated.names, *estimated.rows])
    counted, found = read.counts, dict[str, object]()
    lines = [f"{len(estimated.names)} items."] if estimated is not None else []
    if counted is None:
        require(csv_file is html_file is None, "counts", str(counts), "has no counts to order by")
    else:
        table, model = Standings(counted, level.rational), Model.of_counts(counted)
        order, guess = order_of(model, table), Guess.of(model, table)
        supposed = "judgements are independent and none is a copy of another"
        if counted.blocks is not None:
            supposed = "judgements about different questions are independent"
        missing = [f"{table.names[i]} and {table.names[j]}" for i, j in counted.missing()]
        ties = f", {counted.all_ties} of them ties" if counted.all_ties else ""
        lines = [f"{table.size} items, {counted.total} comparisons{ties}."]
        if missing:
            more = f" and {len(missing) - _MOST_SHOWN} more" if len(missing) > _MOST_SHOWN else ""
            lines.append(f"Never compared: {', '.join(missing[:_MOST_SHOWN])}{more}.")
        lines.append(f"Best guess: {guess.item}. {guess.sure(f'if {supposed}')}")
        lines += table.lines(f", if {supposed}")
        write_order(csv_file, html_file, lines, order, table)
        lines += order_lines(order)
        found = {
            "items": list(table.names),
            "comparisons": counted.total,
            "ties": counted.all_ties,
            "never_compared": [[table.names[i], table.names[j]] for i, j in counted.missing()],
            "assumptions": [supposed],
            **order_as_json(guess, order),
            **table.to_json(),
        }
    if estimated is not None:
        lines += _matrix_lines(estimated, given=counted is None)
        found |= _matrix_as_json(estimated)
    if refused is not None:
        lines.append(f"No preference matrix: {refused}.")
        found |= {"matrix": None, "no_matrix": str(refused)}
    if as_json:
        found = {"read_as": list(read.notes), **found}
        typer.echo(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        typer.echo("\n".join([f"Read as {'; '.join(read.notes)}.", *lines]))
    if refused is not None:
        raise typer.Exit(1)


def _matrix_lines(estimated: PreferenceMatrix, *, given: bool) -> list[str]:
    """Return lines on a matrix of probabilities, which are ``given`` or estimated."""
    names, top = estimated.names, top_of(estimated)
    if len(top) > 1:
        cycle = ", ".join(names[arm] for arm in top)
        unsure = "The given probabilities" if given else "The shares, which may be wrong,"
        return [f"{unsure} have no item that beats every other one; their Smith set is {cycle}."]
    gaps = float(estimated.winner_gap()), float(estimated.global_gap())
    lines = [f"Estimated gaps: Delta* = {gaps[0]:.4g}, Delta = {gaps[1]:.4g}."]
    if given:
        lines.insert(
            0,
            f"{names[top[0]]} beats every other item, if the given probabilities that row beats "
            "column are right: a matrix does not say how sure they are.",
        )
    return lines


def _matrix_as_json(estimated: PreferenceMatrix) -> dict[str, object]:
    names, top = estimated.names, top_of(estimated)
    return {
        "items": list(names),
        "matrix": [[str(p) for p in row] for row in estimated.rows],
        "global_gap": str(estimated.global_gap()),
        "winner": names[top[0]] if len(top) == 1 else None,
        "smith_set_of_matrix": [names[arm] for arm in top],
        "winner_gap": str(estimated.winner_gap()) if len(top) == 1 else None,
    }
