"""``tgite figures``: run the paper's experiments, and write figures and tables."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tgite import read_matrix
from tgite.errors import handled, require, require_whole_number
from tgite_checks.figures.runs import Job, SavedRuns, perform_all
from tgite_checks.figures.settings import Data, Own, entries
from tgite_checks.figures.summary import summarised, write_curves, write_finals
from tgite_laws.cli.inputs import AsJson

_INTERRUPTED = 130
_PAPER_SEEDS = 10


def figures(
    output: Annotated[Path, typer.Option(help="Folder for figures, tables and finished runs.")] = (
        Path("figures")
    ),
    data: Annotated[
        Data, typer.Option(help="The paper's instances, or a real preference matrix.")
    ] = Data.PAPER,
    matrix: Annotated[
        Path | None, typer.Option(help="Your own preference matrix, with a Condorcet winner.")
    ] = None,
    seeds: Annotated[int, typer.Option(help="Runs of each contestant: the seeds 0, 1, ...")] = (
        _PAPER_SEEDS
    ),
    jobs: Annotated[int | None, typer.Option(help="Processes; by default one for each core.")] = (
        None
    ),
    wider: Annotated[
        bool, typer.Option(help="Also run comparators that the paper only mentions.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Play the paper's experiments and draw its three panels, with tables of all numbers.

    With --matrix they are played on your own preferences.

    Finished runs are kept in the folder, and the same command continues after an interrupt.
    """
    require_whole_number("seeds", seeds, at_least=1)
    if jobs is not None:
        require_whole_number("jobs", jobs, at_least=1)
    own = None
    if matrix is not None:
        require(
            data in (Data.PAPER, Data.MATRIX), "data", str(data), "has no meaning with --matrix"
        )
        data, own = Data.MATRIX, Own.of(matrix, read_matrix(matrix))
    require(data is not Data.MATRIX or own is not None, "data", "matrix", "needs --matrix FILE")
    folder = output / str(data)
    with handled("output", folder, "made"):
        folder.mkdir(parents=True, exist_ok=True)
    pairs = list(entries(data, wider, own))
    wanted = [Job(arena, one.key, seed) for arena, one in pairs for seed in range(seeds)]
    try:
        with SavedRuns(folder / "runs.jsonl") as kept:
            _play(wanted, kept, jobs or os.cpu_count() or 1)
    except KeyboardInterrupt:
        done = sum(job.identity in kept.played for job in wanted)
        Console(stderr=True).print(
            f"interrupted: {done} of {len(wanted)} runs are kept in {folder}; the same command "
            "goes on from there",
            highlight=False,
        )
        raise typer.Exit(_INTERRUPTED) from None
    # Imported late, because matplotlib takes longer to load than most commands take to run.
    from tgite_checks.figures.drawing import PRINTED_LINES, draw_all

    summaries = [summarised(arena, one, seeds, kept.played) for arena, one in pairs]
    on_paper = data is Data.PAPER
    files = draw_all(data, summaries, PRINTED_LINES if on_paper else {}, folder)
    write_finals(folder / "finals.csv", summaries)
    write_curves(folder / "curves.csv", summaries)
    if as_json:
        typer.echo(
            json.dumps(
                {
                    "data": str(data),
                    "files": [str(path) for path in files],
                    "contestants": [
                        {
                            "panel": str(one.arena.panel),
                            "arena": one.arena.name,
                            "contestant": one.contestant.label,
                            "mean": one.mean,
                            "standard_deviation": one.deviation,
                            "runs": one.runs,
                            "cut": one.cut,
                            "wrong": one.wrong,
                            "note": one.objection,
                        }
                        for one in summaries
                    ],
                },
                indent=2,
                ensure_ascii=False,
            )
        )
        return
    console = Console(soft_wrap=True)
    say = partial(console.print, highlight=False, markup=False)
    finals = Table("panel", "on", "contestant", "mean", "deviation", "note", box=None)
    for one in summaries:
        cut = f"{one.cut} of {one.runs} cut by the budget" if one.cut else ""
        wrong = f"{one.wrong} of {one.runs} wrong" if one.wrong else ""
        note = "; ".join(filter(None, (cut, wrong, one.objection)))
        finals.add_row(
            str(one.arena.panel),
            one.arena.name,
            one.contestant.label.replace("[", "\\["),
            f"{one.mean:,.0f}",
            f"{one.deviation:,.0f}",
            note,
        )
    console.print(finals)
    if on_paper:
        say("\ntgite audit compares the printed numbers with exact laws")
    say(f"\nfigures and tables in {folder}")


def _play(wanted: list[Job], kept: SavedRuns, processes: int) -> None:
    missing = sum(job.identity not in kept.played for job in wanted)
    described = TextColumn("{task.description}")
    columns = (described, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        row = bar.add_task("playing", total=len(wanted), completed=len(wanted) - missing)

        def finished(job: Job) -> None:
            bar.update(row, advance=1, description=f"{job.arena.panel}: {job.key}")

        perform_all(wanted, kept, processes, finished)
