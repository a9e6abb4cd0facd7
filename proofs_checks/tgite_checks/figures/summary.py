"""Compute means and standard deviations over the seeds, and write them as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev

from tgite import Ended
from tgite_checks.figures.contestants import Contestant
from tgite_checks.figures.runs import Job, Played, times
from tgite_checks.figures.settings import Arena

_FINALS = (
    *("panel", "arena", "arms", "contestant", "runs", "mean", "standard_deviation"),
    *("cut_by_budget", "wrong", "note"),
)


@dataclass(frozen=True, slots=True)
class Summary:
    """A contestant's runs in one arena: final values, and the curve in a regret panel.

    ``mean`` and ``deviation`` are of duels in panel (a), and of final regret in the others. The
    deviation divides by the number of runs minus one; for a single run it is 0. ``cut`` counts runs
    ended by the budget, ``wrong`` those with a wrong answer. ``objection`` says why the contestant
    is not valid there.
    """

    arena: Arena
    contestant: Contestant
    runs: int
    mean: float
    deviation: float
    cut: int
    wrong: int
    curve: tuple[float, ...]
    band: tuple[float, ...]
    objection: str

    def __str__(self) -> str:
        """Show mean and deviation as whole numbers."""
        return f"{self.mean:.0f} ± {self.deviation:.0f}"


def summarised(
    arena: Arena, contestant: Contestant, seeds: int, played: Mapping[str, Played]
) -> Summary:
    """Summarise the runs of the seeds 0 to ``seeds`` - 1."""
    runs = [played[Job(arena, contestant.key, seed).identity] for seed in range(seeds)]
    finals = [run.comparisons if run.regret is None else run.regret for run in runs]
    columns = list(zip(*(run.curve for run in runs), strict=True))
    return Summary(
        arena,
        contestant,
        len(runs),
        fmean(finals),
        _deviation(finals),
        sum(run.ended == Ended.BUDGET for run in runs),
        sum(run.right is False for run in runs),
        tuple(fmean(column) for column in columns),
        tuple(_deviation(column) for column in columns),
        contestant.objection(arena.preferences()),
    )


def _deviation(values: Sequence[float]) -> float:
    return stdev(values) if len(values) > 1 else 0.0


def write_finals(path: Path, summaries: Sequence[Summary]) -> None:
    """Write one row per contestant and arena."""
    rows = (
        (
            *(one.arena.panel, one.arena.name, one.arena.size, one.contestant.label, one.runs),
            *(f"{one.mean:.6g}", f"{one.deviation:.6g}", one.cut, one.wrong, one.objection),
        )
        for one in summaries
    )
    write_table(path, _FINALS, rows)


def write_curves(path: Path, summaries: Sequence[Summary]) -> None:
    """Write the regret curves, one row per contestant and time."""
    rows = (
        (one.arena.panel, one.contestant.label, t, f"{mean:.6g}", f"{band:.6g}")
        for one in summaries
        for t, mean, band in zip(times(one.arena), one.curve, one.band, strict=False)
    )
    write_table(path, ("panel", "contestant", "round", "mean", "standard_deviation"), rows)


def write_table(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table as CSV."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)
