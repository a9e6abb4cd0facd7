"""``tgite conform`` and ``tgite conform-law``: another implementation against the reference."""

from __future__ import annotations

import json
import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from difflib import get_close_matches
from enum import StrEnum
from math import inf
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from tgite import Confidence, InvalidInput
from tgite.confidence import read_rational
from tgite_checks.cli.inputs import Family, read_known_gap, read_preferences
from tgite_checks.conformance.algorithms import ALGORITHMS
from tgite_checks.conformance.flags import FLAGS
from tgite_checks.conformance.format import SHIPPED, Case, read_folder
from tgite_checks.conformance.law_checks import (
    ALPHA,
    POWER,
    identification_check,
    match_check,
)
from tgite_checks.conformance.mistakes import known_mistakes
from tgite_checks.conformance.process import ProcessConnection
from tgite_checks.conformance.program import Mode, ProgramSubject
from tgite_checks.conformance.referee import Level
from tgite_checks.conformance.report import Report
from tgite_checks.conformance.runner import CaseResult, Status, examine
from tgite_checks.conformance.subjects import BatchSubject, Subject, python_subject

_DIFFERS = 1
_MOST_REASONS = 3


class Sampled(StrEnum):
    """What samples are of."""

    MATCH = "match"
    BKT = "bkt"
    TREE_ASCENT = "tree_ascent"


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
    without: Annotated[list[str] | None, typer.Option(help="No case with this flag.")] = None,
    isolate: Annotated[
        bool, typer.Option(help="Run the Python function in a process of its own.")
    ] = False,
    time_limit: Annotated[
        float, typer.Option(help="Seconds that a program may take over one message.")
    ] = 10.0,
    shown: Annotated[int, typer.Option(help="How many differing cases to show.")] = 5,
    junit: Annotated[Path | None, typer.Option(help="Write JUnit XML to this file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say whether an implementation asks the same duels and gives the same answers."""
    if not 0 < time_limit < inf:
        raise InvalidInput("time-limit", time_limit, "must be a number of seconds above 0")
    if shown < 0:
        raise InvalidInput("shown", shown, "must be a whole number of 0 or more")
    for name in algorithm or []:
        if name not in ALGORITHMS:
            raise InvalidInput("algorithm", name, f"must be one of {', '.join(ALGORITHMS)}")
    subject = _subject(implementation, program, mode, isolate, time_limit)
    try:
        cases = _chosen(
            read_folder(vectors or SHIPPED, algorithm), case or [], flag or [], without or []
        )
        with Progress(console=Console(stderr=True), transient=True) as bar:
            results = tuple(
                bar.track(examine(subject, cases, level), total=len(cases), description="playing")
            )
    finally:
        subject.close()
    played = _mode_of(subject)
    mistakes = known_mistakes(results, whole=played is Mode.BATCH)
    report = Report(subject.declaration.name, level, results, mistakes, played)
    if junit is not None:
        _write(junit, report.to_junit())
    if as_json:
        typer.echo(json.dumps(report.to_json(), indent=2))
    else:
        typer.echo(report.text(shown), nl=False)
    if not report.conforms:
        if set(report.counts()) == {Status.SKIPPED}:
            raise InvalidInput(
                "implementation",
                report.name,
                f"must play some of the chosen cases, but {_why_skipped(results)}",
            )
        raise typer.Exit(_DIFFERS)


def _mode_of(subject: Subject) -> Mode:
    if isinstance(subject, ProgramSubject):
        return subject.mode
    return Mode.BATCH if isinstance(subject, BatchSubject) else Mode.DUEL


def _why_skipped(results: Sequence[CaseResult]) -> str:
    """Say the reasons, the most frequent ones first: an algorithm, or only a convention."""
    reasons = Counter(result.detail for result in results).most_common()
    told = "; ".join(f"{reason} ({count} cases)" for reason, count in reasons[:_MOST_REASONS])
    more = len(reasons) - _MOST_REASONS
    return f"{told}; and {more} other reasons" if more > 0 else told


def _chosen(
    cases: tuple[Case, ...], ids: list[str], flags: list[str], without: list[str]
) -> tuple[Case, ...]:
    known = [case.id for case in cases]
    for one in set(ids) - set(known):
        near = get_close_matches(one, known)
        hint = f": is it {' or '.join(near)}?" if near else ""
        raise InvalidInput("case", one, f"must be the identifier of one of the cases{hint}")
    for one in set(flags + without) - set(FLAGS):
        raise InvalidInput("flag", one, f"must be among {', '.join(sorted(FLAGS))}")
    found = tuple(
        case
        for case in cases
        if (not ids or case.id in ids)
        and set(flags) <= set(case.flags)
        and not set(without) & set(case.flags)
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
        raise InvalidInput(
            "implementation",
            "both" if program is not None else "nothing",
            "give module:function or --program",
        )
    if implementation is not None:
        if mode is not None and not isolate:
            raise InvalidInput("mode", str(mode), "has a meaning only with --program")
        # As Python itself does for a script: what lies in the current folder can be named.
        if "" not in sys.path:
            sys.path.insert(0, "")
        subject = python_subject(implementation)
        if not isolate:
            return subject
        command = [sys.executable, "-m", "tgite_checks.conformance.serve", implementation]
    else:
        try:
            command = shlex.split(program or "")
        except ValueError as error:
            raise InvalidInput("program", program, f"cannot be read ({error})") from None
    name = implementation or program or ""
    return ProgramSubject(ProcessConnection(command), name, seconds, mode)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InvalidInput("junit", str(path), f"cannot be written ({error.strerror})") from None


def conform_law(
    samples: Annotated[
        str, typer.Argument(help="A file of samples, a line each: COMPARISONS ANSWER; - is stdin.")
    ],
    delta: Annotated[str, typer.Option(help="The confidence level.")],
    algorithm: Annotated[Sampled, typer.Option(help="What was sampled.")] = Sampled.MATCH,
    p: Annotated[
        str | None, typer.Option(help="Of a match: the chance of its first argument.")
    ] = None,
    g: Annotated[str | None, typer.Option(help="Known gap: BudgetedDuelTest.")] = None,
    matrix: Annotated[Path | None, typer.Option(help="Preferences from CSV.")] = None,
    example: Annotated[str | None, typer.Option(help="sushi16, mslr5 or arxiv6.")] = None,
    instance: Annotated[Family | None, typer.Option(help="A family of the paper.")] = None,
    arms: Annotated[int | None, typer.Option(help="N, with --instance.")] = None,
    delta_star: Annotated[str | None, typer.Option(help="The winner's gap.")] = None,
    delta_cyc: Annotated[str | None, typer.Option(help="The gap within the cycle.")] = None,
    start: Annotated[int, typer.Option(help="The arm that tree_ascent starts from.")] = 0,
    alpha: Annotated[float, typer.Option(help="The rate of false alarms.")] = ALPHA,
    power: Annotated[float, typer.Option(help="The power that is stated for.")] = POWER,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say whether samples follow the exact law; looking after every sample is allowed.

    The answer is 0 or 1 for a match (its first or second argument), else the arm returned.
    """
    level, gap = Confidence.of(delta), read_known_gap(g)
    if algorithm is Sampled.MATCH:
        if p is None:
            raise InvalidInput("p", "nothing", "must be given for a match")
        check, answers = match_check(level, read_rational("p", p), gap, alpha, power), 2
    else:
        _, preferences = read_preferences(matrix, example, instance, arms, delta_star, delta_cyc)
        check = identification_check(
            str(algorithm), level, preferences, start, gap, alpha=alpha, power=power
        )
        answers = preferences.size
    for comparisons, answer in _read_samples(samples, answers):
        # What the samples look most like is clearer from all of them; a source without an end is
        # left as soon as the verdict stands.
        if check.add(comparisons, answer) and samples == "-":
            break
    verdict = check.verdict()
    if as_json:
        typer.echo(json.dumps(check.to_json(), indent=2))
    else:
        typer.echo(str(verdict))
        for name, needed in check.all_samples_needed().items():
            typer.echo(f"  {name}: told within {needed} samples")
    if verdict.rejected_after is not None:
        raise typer.Exit(_DIFFERS)


def _read_samples(name: str, answers: int) -> Iterator[tuple[int, int]]:
    """Read samples whose answer is one of ``answers`` many, from 0."""
    try:
        with nullcontext(sys.stdin) if name == "-" else open(name, encoding="utf-8-sig") as lines:
            number = 0
            for number, line in enumerate(lines, start=1):
                words = line.replace(",", " ").split()
                if len(words) != 2 or not all(
                    word.isascii() and word.isdecimal() for word in words
                ):
                    raise InvalidInput(
                        "samples", f"{name}:{number}", "must be COMPARISONS ANSWER, two integers"
                    )
                comparisons, answer = map(int, words)
                if comparisons < 1:
                    raise InvalidInput(
                        "samples", f"{name}:{number}", "must have 1 comparison or more"
                    )
                if answer >= answers:
                    raise InvalidInput(
                        "samples", f"{name}:{number}", f"must answer one of 0..{answers - 1}"
                    )
                yield comparisons, answer
            if number == 0:
                raise InvalidInput("samples", name, "holds no sample")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput("samples", name, f"cannot be read ({error})") from None
