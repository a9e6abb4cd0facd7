"""``tgite conform``: compares another implementation with the reference."""

from __future__ import annotations

import gc
import json
import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, redirect_stdout
from dataclasses import replace
from functools import partial
from itertools import islice, pairwise
from math import inf
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from tgite import InvalidInput
from tgite.errors import handled, require, require_whole_number
from tgite_conform.algorithms import ALGORITHMS
from tgite_conform.causes import causes_of
from tgite_conform.faults import FaultKind
from tgite_conform.flags import FLAGS
from tgite_conform.format import SHIPPED, VERSIONS, Case, read_vectors
from tgite_conform.process import ProcessConnection
from tgite_conform.program import LONGEST_BY_MESSAGES, ProgramSubject
from tgite_conform.protocol import Mode
from tgite_conform.referee import Level
from tgite_conform.report import RandomSummary, Report, in_words
from tgite_conform.runner import (
    DIFFERING,
    PATIENCE,
    CaseResult,
    Status,
    examine,
    in_turns,
    settled,
    what_it_keeps,
)
from tgite_conform.subjects import Subject, no_such, python_subject
from tgite_conform.time_limit import TIME_LIMIT
from tgite_laws.cli.inputs import OUTPUT, AsJson, in_panels

_DIFFERS = 1


def before_reading(arguments: Sequence[str]) -> None:
    """Begin the report before the arguments are parsed, because parsing may fail."""
    for word, following in pairwise([*arguments, ""]):
        name, _, value = word.partition("=")
        file = value or following
        if name == "--junit" and file and not Path(file).is_fifo():
            # Empty, so that the report of an earlier run is never mistaken for this one.
            _write_report(Path(file), "")


def _write_report(path: Path, text: str) -> None:
    with handled("junit", path, "written"):
        path.write_text(text, encoding="utf-8")


@in_panels(
    {
        "Implementation": "program mode isolate time_limit",
        "Cases": "vectors level algorithm case flag long",
        "Random cases": "random seed keep",
        OUTPUT: "shown junit as_json",
    }
)
def conform(
    implementation: Annotated[
        str | None, typer.Argument(help="A Python function, written module:function.")
    ] = None,
    program: Annotated[
        str | None, typer.Option(help="A command that speaks JSON lines, instead.")
    ] = None,
    vectors: Annotated[
        Path | None, typer.Option(help="A folder of vectors, instead of the one that comes along.")
    ] = None,
    level: Annotated[
        Level, typer.Option(help="matches: same matches and answers; order: same order too.")
    ] = Level.MATCHES,
    mode: Annotated[
        Mode | None,
        typer.Option(
            help="How to play a program: one message a duel, or one a case (the default if it can)."
        ),
    ] = None,
    algorithm: Annotated[
        list[str] | None, typer.Option(help="Only the cases of this algorithm.")
    ] = None,
    case: Annotated[list[str] | None, typer.Option(help="Only the case with this id.")] = None,
    flag: Annotated[list[str] | None, typer.Option(help="Only cases with this flag.")] = None,
    long: Annotated[
        bool, typer.Option(help="Play all: the longest cases, too, and on where it differs.")
    ] = False,
    random: Annotated[
        int | None,
        typer.Option(help="Play this number of random cases instead; shrink a failing one."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the random cases.")] = 1,
    keep: Annotated[
        Path | None, typer.Option(help="Keep the smallest random case that fails here, as vectors.")
    ] = None,
    isolate: Annotated[
        bool, typer.Option(help="Run the Python function in a process of its own.")
    ] = False,
    time_limit: Annotated[
        float,
        typer.Option(help="Seconds that a program, or a function, may take over one message."),
    ] = TIME_LIMIT,
    shown: Annotated[int, typer.Option(help="How many differing cases to show.")] = 5,
    junit: Annotated[Path | None, typer.Option(help="Write JUnit XML to this file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check whether an implementation asks the same duels and gives the same answers."""
    if not 0 < time_limit < inf:
        raise InvalidInput("time-limit", time_limit, "must be a number of seconds above 0")
    require_whole_number("shown", shown, at_least=0)
    if random is None:
        if keep is not None:
            raise InvalidInput("keep", str(keep), "has a meaning only with --random")
    else:
        require_whole_number("random", random, at_least=1)
        if vectors or case or flag:
            raise InvalidInput("random", random, "is instead of vectors: no choice among them")
    names = _named(algorithm or [])
    played: list[CaseResult] = []
    with _saying_what_was_played(played):
        # The implementation's own output must not mix with the report.
        with (
            redirect_stdout(sys.stderr),
            closing(_subject(implementation, program, mode, isolate, time_limit)) as subject,
        ):
            if random is None:
                # Nothing that is read here is garbage, and looking for it takes long.
                gc.disable()
                try:
                    chosen = read_vectors(vectors or SHIPPED, names)
                finally:
                    gc.freeze()
                    gc.enable()
                cases = _chosen(chosen, case or [], flag or [])
            else:
                from tgite_conform.cases.random_cases import random_cases

                its = [name for name in names if name in subject.declaration.algorithms]
                require(bool(its), "algorithm", ", ".join(names), "must be one that it plays")
                cases = tuple(islice(random_cases(seed, its), random))
            console = Console(stderr=True)
            shown_live = console.is_terminal
            with Progress(console=console, transient=True, disable=not shown_live) as bar:
                patience = inf if long or random is not None else PATIENCE
                playing = examine(subject, in_turns(cases), level, long, patience)
                for result in bar.track(playing, total=len(cases), description="playing"):
                    played.append(result)
            failing = [one for one in played if one.status in DIFFERING]
            smallest = None
            if random is not None and failing:
                from tgite_conform.cases.shrinking import smallest_failing

                smallest = smallest_failing(subject, level, failing, seed)
            if smallest is not None and keep is not None:
                from tgite_conform.vector_files import folder_texts, write_folder

                with handled("keep", keep, "written"):
                    write_folder(keep, folder_texts([smallest.case], VERSIONS[-1]))
        modes = subject.mode, subject.other_mode
        # A case that was made smaller is not one of the cases that the user asked for.
        made = [] if smallest is None or smallest in played else [smallest]
        judged = settled([*played, *made])
        if smallest is not None:
            smallest = judged[[*played, *made].index(smallest)]
        drawn = None if random is None else RandomSummary(random, seed, smallest)
        results = judged[: len(played)]
        report = Report(subject.declaration.name, level, results, *modes, drawn=drawn)
        short = [one for one in report.differing() if one.case.duels <= LONGEST_BY_MESSAGES]
        fresh = partial(_subject, implementation, program, mode, True, time_limit)
        # A fresh process takes half a second to begin.
        with ThreadPoolExecutor() as beside:
            asked = [one for one in short[:1] if one.fault is not FaultKind.HUNG]
            kept = [beside.submit(what_it_keeps, fresh, results, one, level) for one in asked]
            common, ends = causes_of(results)
        said = "".join(one.result() for one in kept)
        report = replace(report, kept=said, in_common=common, endings=ends)
    if set(report.counts()) == {Status.SKIPPED}:
        rule = f"plays none of the chosen cases: {'; '.join(report.why(Status.SKIPPED))}"
        raise InvalidInput("implementation", report.name, rule)
    if junit is not None:
        _write_report(junit, report.to_junit())
    if as_json:
        typer.echo(json.dumps(report.to_json(), indent=2))
    else:
        typer.echo(report.text(shown), nl=False)
    if not report.conforms:
        raise typer.Exit(_DIFFERS)


@contextmanager
def _saying_what_was_played(played: Sequence[CaseResult]) -> Iterator[None]:
    """Print the results so far if the user interrupts."""
    try:
        yield
    except KeyboardInterrupt:
        counts = in_words(Counter(one.status for one in played)) or "nothing was played"
        typer.echo(f"tgite: interrupted after {len(played):,} cases: {counts}", err=True)
        raise


def _named(names: list[str]) -> list[str]:
    for name in names:
        if name not in ALGORITHMS:
            raise InvalidInput("algorithm", name, no_such(name))
    return [name for name in ALGORITHMS if not names or name in names]


def _chosen(cases: tuple[Case, ...], ids: list[str], flags: list[str]) -> tuple[Case, ...]:
    for one in set(ids) - {case.id for case in cases}:
        raise InvalidInput("case", one, "must be the identifier of one of the cases")
    for one in set(flags) - set(FLAGS):
        raise InvalidInput("flag", one, f"must be among {', '.join(sorted(FLAGS))}")
    found = tuple(
        case for case in cases if (not ids or case.id in ids) and set(flags) <= set(case.flags)
    )
    if not found:
        raise InvalidInput("cases", "none", "must be at least one: no case is as asked for")
    return found


def _subject(
    implementation: str | None,
    program: str | None,
    mode: Mode | None,
    isolate: bool,
    seconds: float,
) -> Subject:
    if (implementation is None) == (program is None):
        given = "both" if program is not None else "nothing"
        raise InvalidInput("implementation", given, "give module:function or --program")
    if implementation is not None:
        if mode is not None and not isolate:
            raise InvalidInput("mode", str(mode), "has a meaning only with --program")
        # Modules in the current folder can be named, as in a Python script.
        if "" not in sys.path:
            sys.path.insert(0, "")
        subject = python_subject(implementation, seconds)
        if not isolate:
            return subject
        command = [sys.executable, "-m", "tgite_conform.serve", implementation]
    else:
        try:
            command = shlex.split(program or "")
        except ValueError as error:
            raise InvalidInput("program", program, f"cannot be read ({error})") from None
    name = implementation or program or ""
    return ProgramSubject(ProcessConnection(command), name, seconds, mode)
