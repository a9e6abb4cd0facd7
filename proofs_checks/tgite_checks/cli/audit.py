"""``tgite audit``: run the checks of the claims and compare with what the ledger records."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from tgite import InvalidInput
from tgite.errors import handled, require_whole_number
from tgite_checks.audit.executors import workers
from tgite_checks.audit.judgement import Judged, about, judge
from tgite_checks.audit.report.coverage import sentences_in_json, show_sentences
from tgite_checks.audit.report.document import document, written
from tgite_checks.audit.report.progress import progress
from tgite_checks.audit.runner import Audit
from tgite_checks.audit.store import FileStore
from tgite_checks.audit.tasks import tasks_of
from tgite_checks.check import Depth
from tgite_checks.claims.coverage import sentences
from tgite_checks.claims.problems import problems
from tgite_checks.claims.registry import LEDGER, load, paper_labels
from tgite_checks.false_alarms import SEED
from tgite_checks.proofs.record import proved
from tgite_checks.proofs.recorded_code import differences, recorded
from tgite_laws.cli.inputs import OUTPUT, AsJson, in_panels
from tgite_laws.implementation import REFERENCE

_DIFFERENCE = 1
_INTERRUPTED = 130
_WIDTH_OF_FILES = 120


@in_panels(
    {
        "What is checked": "claim depth mutants compile_proofs seed list_sentences",
        "How it runs": "jobs scheduler fresh",
        OUTPUT: "out every pdf as_json",
    }
)
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
    compile_proofs: Annotated[
        bool,
        typer.Option(
            "--proofs", help="Also compile the proofs anew, which needs Coq, and compare them."
        ),
    ] = False,
    every: Annotated[bool, typer.Option("--all", help="Print the verdict of every claim.")] = False,
    pdf: Annotated[
        Path | None, typer.Option(help="Write the summary of the claims as a PDF of two pages.")
    ] = None,
    seed: Annotated[
        int, typer.Option(help="Where the seeds of sampled runs start: SEED, SEED + 1, ...")
    ] = SEED,
    list_sentences: Annotated[
        bool,
        typer.Option(
            "--sentences", help="Run nothing; list the paper's sentences with what covers them."
        ),
    ] = False,
    source: Annotated[
        str, typer.Option("--ledger", hidden=True, help="Another ledger, module:attribute.")
    ] = LEDGER,
) -> None:
    """Check every claim of the paper, and say whether all results are as recorded.

    With --sentences no check runs. Instead, every sentence of the paper is listed in our words,
    with the entries that cover it; --claim then lists the sentences that one entry covers.

    Exit status: 0 if all results are as recorded, 1 if not, 2 for unusable input, 130 if
    interrupted. Finished results are kept, and the same command continues from there.
    """
    # The checks run in parallel, so their linear algebra must not start more threads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if depth not in list(Depth):
        raise InvalidInput("depth", depth, f"must be one of {', '.join(Depth)}")
    require_whole_number("seed", seed, at_least=0)
    if pdf is not None:
        from tgite_checks.audit.report.pdf import require_printing

        require_printing(pdf)
    differing = _compiled_proofs() if compile_proofs else []
    ledger = load(source)
    part = ledger.selected(claim) if claim else ledger
    if list_sentences:
        covering = part.claims if claim else ()
        if as_json:
            sys.stdout.write(sentences_in_json(sentences(), covering))
        else:
            show_sentences(sentences(), _console(), covering)
        return
    store = FileStore(out / "results")
    runs_on = workers(jobs, scheduler)
    tasks = tasks_of(part, mutants, seed)
    try:
        with progress() as observer:
            done = Audit(part, source, Depth(depth), store, runs_on, observer, fresh).run(tasks)
    except KeyboardInterrupt:
        kept = f"what was finished is kept in {store.folder}: the same command goes on"
        print(f"interrupted; {kept}", file=sys.stderr)
        raise typer.Exit(_INTERRUPTED) from None
    theorems = proved()
    labels, parts = (paper_labels(), sentences()) if source == LEDGER else ((), ())
    seeded = f"sampled runs start at seed {seed}, not at the usual {SEED}"
    judged = judge(
        part,
        done,
        depth=Depth(depth),
        mutants=mutants,
        whole=not claim,
        theorems=about(theorems, part) if claim else theorems,
        rechecked=compile_proofs and not differing,
        problems=(
            *differing,
            *differences(REFERENCE, recorded()),
            *(() if claim else problems(ledger, labels, theorems, parts)),
        ),
        notes=(*store.notes, *(() if seed == SEED else (seeded,))),
    )
    # An audit of selected claims must not overwrite the report of the whole audit.
    name = "selected" if claim else "audit"
    content = _written(judged, out, name, pdf)
    if as_json:
        sys.stdout.write(content)
    else:
        _shown(judged, every or bool(claim), f"page: {out / name}.html   data: {out / name}.json")
    if judged.differences():
        raise typer.Exit(_DIFFERENCE)


def _compiled_proofs() -> list[str]:
    """Compile the proofs; return where they differ from the record."""
    from tgite_checks.proofs import extract
    from tgite_checks.proofs.gate import ProofsFailed

    try:
        extract.require_prover()
        with extract.compiled_anew() as folder:
            return extract.compare(extract.extract(folder))
    except extract.ProverMissing as missing:
        raise InvalidInput("proofs", "cannot be compiled", str(missing)) from None
    except ProofsFailed as failed:
        return [str(failed)]


# The reports are imported late, because loading the plots and constants takes a second.


def _written(judged: Judged, out: Path, name: str, pdf: Path | None) -> str:
    from tgite_checks.audit.report.page import page

    content = written(document(judged))
    with handled("out", out, "written"):
        (out / f"{name}.json").write_text(content, encoding="utf-8")
        (out / f"{name}.html").write_text(page(judged), encoding="utf-8")
    if pdf is not None:
        from tgite_checks.audit.report.pdf import printed_report

        with handled("pdf", pdf, "written"):
            pdf.write_bytes(printed_report(judged))
    return content


def _shown(judged: Judged, every: bool, files: str) -> None:
    from tgite_checks.audit.report.terminal import show

    console = _console()
    show(judged, console, every)
    console.print(files, markup=False)


def _console() -> Console:
    width = None if sys.stdout.isatty() else _WIDTH_OF_FILES
    return Console(width=width, soft_wrap=True, highlight=False)
