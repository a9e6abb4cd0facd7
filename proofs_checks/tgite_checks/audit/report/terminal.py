"""The audit on a terminal: the verdicts, the findings, the differences."""

from __future__ import annotations

from collections import Counter

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tgite_checks.audit.judgement import Entry, Judged, Status
from tgite_checks.audit.report.progress import answered
from tgite_checks.check import Question
from tgite_checks.claims.model import Severity

_SHOWN = {
    Status.CONFIRMED: ("✓", "green", "the checks confirm what the ledger records"),
    Status.PROVED: (
        "◆",
        "green",
        "so they do, and a proof kernel has accepted it (as amended, if it is amended)",
    ),
    Status.PROVED_ELSEWHERE: (
        "◇",
        "green",
        "the same, with the proof not re-checked on this machine",
    ),
    Status.READING: ("·", "", "nothing was run: an argument in words"),
    Status.CONTRADICTED: ("✗ not confirmed:", "bold red", ""),
}
"""How each status is marked and coloured, and what that means, if it must be said."""


def show(judged: Judged, console: Console) -> None:
    """Print the audit."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("claim", *Question):
        table.add_column(title, overflow="fold")
    for entry in judged.entries:
        table.add_row(entry.claim.label, *(_cell(entry, question) for question in Question))
    console.print(table)
    seen = {one for entry in judged.entries for one in entry.statuses.values()}
    for status, (mark, _, meaning) in _SHOWN.items():
        if status in seen and meaning:
            console.print(f"{mark} {meaning}")
    console.print()
    if judged.findings:
        counts = Counter(one.finding.severity for one in judged.findings)
        listed = ", ".join(f"{counts[each]} {each}" for each in Severity if counts[each])
        confirmed = sum(one.status is Status.CONFIRMED for one in judged.findings)
        console.print(
            f"findings about the paper: {listed}; {confirmed} of {len(judged.findings)} "
            "demonstrated by a run"
        )
    if judged.mutants:
        trials = [
            trial for entry in judged.entries for one in entry.evidence for trial in one.trials
        ]
        told = sum(trial.told_apart for trial in trials)
        console.print(f"mutants and perturbed statements told apart: {told} of {len(trials)}")
    for note in judged.notes:
        console.print(f"note: {note}", markup=False)
    console.print(f"depth {judged.depth}: {answered(judged.reused, judged.ran)}")
    differences = judged.differences()
    if not differences:
        console.print(
            f"the record is confirmed: {len(judged.entries)} claims, "
            f"{len(judged.findings)} findings",
            style="bold green",
        )
        return
    console.print(f"{len(differences)} not as recorded:", style="bold red")
    for difference in differences:
        console.print(f"  {difference}", markup=False)


def _cell(entry: Entry, question: Question) -> Text:
    if question not in entry.statuses:
        return Text("")
    mark, style, _ = _SHOWN[entry.statuses[question]]
    return Text(f"{mark} {entry.claim.verdicts[question].outcome}", style=style)
