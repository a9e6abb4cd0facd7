"""``tgite figures``: the paper's experiments, drawn, tabulated and kept."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, astuple
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tgite import read_matrix
from tgite.errors import handled, require, require_whole_number
from tgite_checks.figures.contestants import Panel
from tgite_checks.figures.runs import Job, Kept, perform_all
from tgite_checks.figures.scale import SCALE_SIZES, Scaling, scaling
from tgite_checks.figures.settings import Data, Own, entries
from tgite_checks.figures.summary import summarised, write_curves, write_finals, write_table
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
    scale: Annotated[
        bool, typer.Option(help="Also sample TreeAscent from 2 to 10^6 arms: how costs grow.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Play the paper's experiments and draw its three panels, with tables of all numbers.

    With --matrix they are played on your own preferences.
    A figure apart shows the exact means of the tests beyond the paper beside those of its own,
    another one what the winner costs if no gap between the other arms is assumed.

    Finished runs are kept in the folder: the same command goes on where it was interrupted.
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
    # This process only waits for the others while they play: so it computes what needs no run.
    laws = Thread(target=_compute_laws, daemon=True)
    if data is Data.PAPER:
        laws.start()
    try:
        with Kept(folder / "runs.jsonl") as kept:
            _play(wanted, kept, jobs or os.cpu_count() or 1)
    except KeyboardInterrupt:
        done = sum(job.identity in kept.played for job in wanted)
        Console(stderr=True).print(
            f"interrupted: {done} of {len(wanted)} runs are kept in {folder}; the same command "
            "goes on from there",
            highlight=False,
        )
        raise typer.Exit(_INTERRUPTED) from None
    # Drawing is imported late: it takes longer to load than most commands take to run.
    from tgite_checks.bounds import winner_costs
    from tgite_checks.figures import beyond
    from tgite_checks.figures.apart import draw_beyond, draw_one_assumption
    from tgite_checks.figures.drawing import draw_all
    from tgite_checks.figures.numbers import PRINTED_LINES, Row, rows

    summaries = [summarised(arena, one, seeds, kept.played) for arena, one in pairs]
    on_paper = data is Data.PAPER
    files = draw_all(data, summaries, PRINTED_LINES if on_paper else {}, folder)
    write_finals(folder / "finals.csv", summaries)
    write_curves(folder / "curves.csv", summaries)
    grown = _scaled(folder / "growth.csv") if scale else []
    if on_paper:
        laws.join()
    table = rows(summaries) if on_paper else []
    apart = beyond.everything() if on_paper else ()
    if table:
        others = [one for one in summaries if one.arena.panel is Panel.BAI]
        others = [one for one in others if not one.contestant.own and one.contestant.key != "bkt"]
        files += draw_beyond(apart, others, folder / "apart-beyond-the-paper")
        files += draw_one_assumption(winner_costs.read(), folder / "apart-one-assumption")
        write_table(folder / "beyond.csv", beyond.COLUMNS, beyond.lines(apart))
        names = list(Row.__dataclass_fields__)
        write_table(folder / "printed-numbers.csv", names, map(astuple, table))
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
                    "printed_numbers": [asdict(row) for row in table],
                    "beyond_the_paper": [
                        dict(zip(beyond.COLUMNS, line, strict=True)) for line in beyond.lines(apart)
                    ],
                    "growth": [asdict(cost) for cost in grown],
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
    for row in table:
        found = {"by simulation": row.simulated, "exactly": row.exact, "fewest": row.fewest}
        parts = [f"{how} {what}" for how, what in found.items() if what]
        say(f"\n{row.printed} — {row.test}")
        say(f"  {'; '.join(parts)}")
        say(f"  {row.verdict}", style="bold")
    for cost in grown:
        exponent, slack = cost.growth.exponent, cost.growth.standard_error
        say(
            f"\n{cost.cost}: grows like N^{exponent:.4f} (standard error {slack:.4f}) from N = 64 "
            f"to {cost.sizes[-1]}; {cost.means[-1] / cost.sizes[-1]:.2f} for each arm at the end"
        )
    if apart:
        say(f"\nbeyond the paper, exactly: {folder / 'beyond.csv'}")
    say(f"\nfigures and tables in {folder}")


def _compute_laws() -> None:
    from tgite_checks.figures import beyond
    from tgite_checks.figures.numbers import compute_laws

    compute_laws()
    beyond.everything()


def _scaled(path: Path) -> list[Scaling]:
    with Progress(console=Console(stderr=True), transient=True) as bar:
        row = bar.add_task("sampling up to 10^6 arms", total=len(SCALE_SIZES))
        found = list(scaling(SCALE_SIZES, lambda size: bar.update(row, advance=1)))
    rows = (
        (one.cost, size, f"{mean:.6g}", f"{error:.3g}")
        for one in found
        for size, mean, error in zip(one.sizes, one.means, one.errors, strict=True)
    )
    write_table(path, ("cost", "arms", "mean", "standard_error_of_mean"), rows)
    return found


def _play(wanted: list[Job], kept: Kept, processes: int) -> None:
    missing = sum(job.identity not in kept.played for job in wanted)
    described = TextColumn("{task.description}")
    columns = (described, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        row = bar.add_task("playing", total=len(wanted), completed=len(wanted) - missing)

        def finished(job: Job) -> None:
            bar.update(row, advance=1, description=f"{job.arena.panel}: {job.key}")

        perform_all(wanted, kept, processes, finished)
