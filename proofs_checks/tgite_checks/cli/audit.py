"""``tgite audit``: run the checks of the claims and compare with what the ledger records."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from tgite import InvalidInput
from tgite.errors import require_whole_number
from tgite_checks.audit.executors import executor
from tgite_checks.audit.judgement import Judged, about, judge
from tgite_checks.audit.report.document import document, written
from tgite_checks.audit.report.progress import progress
from tgite_checks.audit.report.terminal import show
from tgite_checks.audit.runner import Audit, Finished, Task, tasks_of
from tgite_checks.audit.store import FileStore
from tgite_checks.check import Depth
from tgite_checks.claims.problems import problems
from tgite_checks.claims.registry import LEDGER, load, paper_labels
from tgite_checks.cli.inputs import AsJson
from tgite_checks.false_alarms import SEED
from tgite_checks.proofs.record import proved, rechecked_here

_AS_RECORDED = 0
_DIFFERENCE = 1
_INTERRUPTED = 130
_WIDTH_OF_FILES = 120


def audit(
    claim: Annotated[
        list[str] | None, typer.Option(help="Audit only the claim of this label (repeatable).")
    ] = None,
    depth: Annotated[str, typer.Option(help="quick, standard or deep.")] = "standard",
    jobs: Annotated[int, typer.Option(help="Processes; 1 runs everything in this one.")] = 2,
    scheduler: Annotated[
        str | None, typer.Option(help="Run on the Dask cluster at this address.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder of the report and of the results.")] = Path(
        "audit"
    ),
    as_json: AsJson = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Use no result of an earlier run.")
    ] = False,
    mutants: Annotated[
        bool, typer.Option("--mutants", help="Also show that the checks reject what is wrong.")
    ] = False,
    seed: Annotated[
        int, typer.Option(help="Where the seeds of sampled runs start: SEED, SEED + 1, ...")
    ] = SEED,
) -> None:
    """Check every claim of the paper, and say whether all is as the ledger records.

    Exit status 0: it is; 1: it is not; 2: unusable input; 130: interrupted (what was finished is
    kept: the same command goes on from there).
    """
    # The checks run side by side; their linear algebra must not spawn threads besides.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    status = run_audit(
        Options(
            claims=tuple(claim or ()),
            depth=read_depth(depth),
            jobs=jobs,
            scheduler=scheduler,
            out=out,
            as_json=as_json,
            fresh=fresh,
            mutants=mutants,
            seed=seed,
        )
    )
    if status:
        raise typer.Exit(status)


@dataclass(frozen=True, slots=True)
class Options:
    """What an audit is asked for; no ``claims`` means all."""

    claims: tuple[str, ...] = ()
    depth: Depth = Depth.STANDARD
    jobs: int = 2
    scheduler: str | None = None
    out: Path = Path("audit")
    as_json: bool = False
    fresh: bool = False
    mutants: bool = False
    seed: int = SEED


def read_depth(written_depth: str) -> Depth:
    """Return the depth of that name."""
    if written_depth not in list(Depth):
        raise InvalidInput("depth", written_depth, f"must be one of {', '.join(Depth)}")
    return Depth(written_depth)


def run_audit(options: Options, source: str = LEDGER) -> int:
    """Audit the ledger that ``source`` names, write the report, and return the exit status."""
    require_whole_number("seed", options.seed, at_least=0)
    ledger = load(source)
    part = ledger.selected(options.claims) if options.claims else ledger
    store = FileStore(options.out / "results")
    runs_on = executor(options.jobs, options.scheduler)
    tasks = tasks_of(part, options.mutants, options.seed)
    done: Mapping[Task, Finished]
    try:
        with progress() as observer:
            done = Audit(part, source, options.depth, store, runs_on, observer, options.fresh).run(
                tasks
            )
    except KeyboardInterrupt:
        print(
            f"interrupted; what was finished is kept in {store.folder}: the same command goes on",
            file=sys.stderr,
        )
        return _INTERRUPTED
    theorems = proved()
    labels = paper_labels() if source == LEDGER else ()
    judged = judge(
        part,
        done,
        depth=options.depth,
        mutants=options.mutants,
        theorems=about(theorems, part) if options.claims else theorems,
        rechecked=rechecked_here(),
        problems=() if options.claims else problems(ledger, labels, theorems),
        notes=(*store.notes, *_unusual_seed(options.seed)),
    )
    _report(judged, options)
    return _DIFFERENCE if judged.differences() else _AS_RECORDED


def _unusual_seed(seed: int) -> tuple[str, ...]:
    return () if seed == SEED else (f"sampled runs start at seed {seed}, not at the usual {SEED}",)


def _report(judged: Judged, options: Options) -> None:
    # It draws, and what draws takes a second to load, which other commands should not wait for.
    from tgite_checks.audit.report.page import page

    # A part of the audit has a report of its own beside the whole one's.
    name = "selected" if options.claims else "audit"
    content = written(document(judged))
    page_file, data_file = (options.out / f"{name}.{kind}" for kind in ("html", "json"))
    try:
        data_file.write_text(content, encoding="utf-8")
        page_file.write_text(page(judged), encoding="utf-8")
    except OSError as error:
        raise InvalidInput("out", str(options.out), f"cannot be written ({error})") from None
    if options.as_json:
        sys.stdout.write(content)
        return
    width = None if sys.stdout.isatty() else _WIDTH_OF_FILES
    console = Console(width=width, soft_wrap=True, highlight=False)
    show(judged, console)
    console.print(f"page: {page_file}   data: {data_file}", markup=False)
