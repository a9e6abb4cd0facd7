"""The audit on a terminal: the summary of the claims, then the results of this run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tgite_checks.audit.judgement import Entry, Judged
from tgite_checks.audit.report.numbers import whole
from tgite_checks.audit.report.opening import agreement, bounds, headline, printed_rows, word
from tgite_checks.audit.report.progress import reuse
from tgite_checks.audit.report.prose import in_characters, symbols
from tgite_checks.audit.report.sentences import sentences
from tgite_checks.audit.report.words import OUTCOMES
from tgite_checks.check import Question
from tgite_checks.claims.model import Severity
from tgite_checks.claims.rendering import written
from tgite_checks.figures.table import Reading
from tgite_checks.verdict import Status

_STYLES = {"for": "green", "against": "red", "neither": ""}


def show(judged: Judged, console: Console, every: bool = False) -> None:
    """Print the audit, with the verdict of ``every`` claim or only of headline and numbers."""
    for sentence in sentences(judged):
        console.print(Padding(Text(f"- {in_characters(sentence)}"), (0, 0, 1, 0)), soft_wrap=False)
    tables = [headline_table(judged), numbers_table(judged)]
    if every:
        tables += map(_every_verdict, (judged.entries, judged.beyond))
    for table in tables:
        if table.row_count:
            console.print(table)
            console.print()
    _findings(judged, console)
    if judged.beyond:
        standing_up = sum(entry.is_as_recorded for entry in judged.beyond)
        console.print(
            f"beyond the paper: {standing_up} of {len(judged.beyond)} entries as recorded"
        )
    _run(judged, console)


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in columns:
        table.add_column(title, overflow="fold")
    return table


def headline_table(judged: Judged) -> Table:
    """Return the headline claims with their verdicts and constants."""
    table = _table("the paper states", "verdict", "proved C", "least C in")
    known = bounds(judged)
    for entry, again in headline(judged):
        of_it = known[entry.claim.label]
        table.add_row(
            "\n  = ".join(one.claim.label for one in (entry, *again)),
            Text("\n").join(_verdict(one, Question.TRUTH) for one in (entry, *again)),
            "\n".join(one.proved or "none" for one in of_it),
            "\n".join(one.best for one in of_it),
        )
    return table


def numbers_table(judged: Judged) -> Table:
    """Return a table of the printed and the exact numbers."""
    columns = (name for reading in Reading for name in (symbols(reading), "fewest"))
    table = _table("the paper prints", "", *columns, "verdict")
    table.columns[0].no_wrap = True
    for entry, row in printed_rows(judged):
        cells = list[str]()
        for one in row.readings.values():
            law = f"{written(one.mean, 'middle')} ± {written(one.deviation, '3')}"
            cells += (law, whole(one.fewest))
        table.add_row(row.label, str(row.printed), *cells, _verdict(entry, Question.EXPERIMENT))
    return table


def _every_verdict(entries: Sequence[Entry]) -> Table:
    beyond = all(entry.claim.is_beyond for entry in entries)
    table = _table("beyond the paper" if beyond else "claim", *Question)
    for entry in (one for one in entries if one.statuses):
        table.add_row(entry.claim.label, *(_verdict(entry, question) for question in Question))
    return table


def _verdict(entry: Entry, question: Question) -> Text:
    said = word(entry, question)
    if not said or not entry.statuses[question].is_as_recorded:
        return Text(said, style="bold red")
    shown = OUTCOMES[entry.claim.verdicts[question].outcome]
    return Text(f"{shown.mark} {said}", style=_STYLES[shown.tone])


def _findings(judged: Judged, console: Console) -> None:
    if judged.findings:
        counts = Counter(one.finding.severity for one in judged.findings)
        listed = ", ".join(f"{counts[each]} {each}" for each in Severity if counts[each])
        confirmed = sum(one.status is Status.CONFIRMED for one in judged.findings)
        console.print(
            f"findings about the paper: {listed}; {confirmed} of {len(judged.findings)} "
            "demonstrated by a run"
        )


def _run(judged: Judged, console: Console) -> None:
    if judged.mutants:
        trials = [
            trial for entry in judged.all_entries for one in entry.evidence for trial in one.trials
        ]
        told = sum(trial.told_apart for trial in trials)
        console.print(f"mutants and perturbed statements rejected: {told} of {len(trials)}")
    for note in judged.notes:
        console.print(f"note: {note}", markup=False)
    console.print(f"depth {judged.depth}: {reuse(judged.reused, judged.ran)}")
    differences = judged.differences()
    console.print(agreement(judged), style="bold red" if differences else "bold green")
    for difference in differences:
        console.print(f"  {difference}", markup=False)
