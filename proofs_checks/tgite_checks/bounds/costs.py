"""What finding the winner costs, way by way: ``docs/costs.csv``, a part in ``docs/beyond.md``.

``python -m tgite_checks.bounds.costs`` writes both. Costs that the file has are not computed again
(all of them take hours of one core): to have them computed anew, remove it. Without arguments an
instance and level of which it has anything counts as computed; ways that are named as arguments are
added to those, too: ``python -m tgite_checks.bounds.costs "find, then certify"``.
"""

from __future__ import annotations

import csv
import functools
import multiprocessing
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import tgite_checks
from tgite import Confidence, cyclic, example
from tgite.errors import require
from tgite_checks.bounds.ways import WAYS, How, Task, Way
from tgite_checks.proofs.extract import page_with_table
from tgite_laws.lower_bound import least_mean
from tgite_laws.match_law import MatchLaws
from tgite_laws.pairwise import ChosenTest

DOCS = Path(tgite_checks.__file__).resolve().parents[2] / "docs"
PAGE, FILE = DOCS / "beyond.md", DOCS / "costs.csv"
"""The page that shows a part of the table, and the file with all of it, in a source tree."""

_GAPS = {
    8: ("0.4", "0.32", "0.2", "0.1", "0.05", "0.02", "0.01"),
    64: ("0.4", "0.32", "0.2", "0.1", "0.05", "0.02"),
    256: ("0.4", "0.32", "0.2", "0.1", "0.05", "0.02", "0.01"),
    1024: ("0.4", "0.32", "0.2", "0.1", "0.05", "0.02"),
    4096: ("0.4", "0.1", "0.01"),
}
"""The gaps for each number of arms, the same for winner and cycle: what an hour or two allows."""

_LONG = Fraction(1, 10)
"""Laws of smaller gaps take long: they come last."""

_LARGE = 1e7
_DELTAS = ("1/10", "1/100", "1e-6")
_KNOWN = {"sushi16": "3/250", "mslr5": "3/100"}


class Instance(NamedTuple):
    """An instance of the table: cyclic of so many arms, or one of the examples."""

    name: str
    arms: int
    gap: str

    def task(self, delta: str) -> Task:
        """Make the task of finding its winner."""
        cycle = self.name == "cyclic"
        preferences = cyclic(self.arms, self.gap, self.gap) if cycle else example(self.name)
        return Task(preferences, Fraction(self.gap), Confidence.of(delta))

    def __str__(self) -> str:
        """Say what it is."""
        return f"cyclic, N = {self.arms}, gaps {self.gap}" if self.name == "cyclic" else self.name


def instances() -> Iterator[Instance]:
    """Yield the instances of the table, those of few arms first."""
    for arms, gaps in _GAPS.items():
        for gap in gaps:
            yield Instance("cyclic", arms, gap)
    for name, gap in _KNOWN.items():
        yield Instance(name, example(name).size, gap)


class Row(NamedTuple):
    """A line of the file; ``least`` is what any algorithm that is told as much needs on average."""

    instance: str
    arms: str
    gap: str
    delta: str
    told: str
    way: str
    how: str
    comparisons: str
    error: str
    least: str
    over_least: str


def rows(one: Instance, delta: str, ways: Iterable[Way] = WAYS) -> Iterator[Row]:
    """Compute the rows of an instance and a level; a cost that is not found has none."""
    task = one.task(delta)
    for way in ways:
        cost = way.cost(task, _laws)
        if cost is None:
            continue
        least = least_mean(task.delta, task.preferences, task.g if way.told else None).middle
        yield Row(
            *(one.name, str(one.arms), one.gap, delta),
            "g" if way.told else "",
            way.name,
            str(cost.how),
            f"{cost.comparisons:.8g}",
            # What is shown is rounded, too.
            f"{cost.error + (1e-7 * cost.comparisons if cost.how is How.EXACT else 0):.1e}",
            f"{least:.6g}",
            f"{cost.comparisons / least:.4g}",
        )


@functools.lru_cache(maxsize=64)
def _laws(chosen: ChosenTest) -> MatchLaws:
    return chosen.laws()


def read(path: Path = FILE) -> list[Row]:
    """Read the file, if there is one."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return [Row(**line) for line in csv.DictReader(file)]


def write(found: Iterable[Row], path: Path = FILE) -> None:
    """Write the file, in the order of instances, levels and ways."""
    ways = [way.name for way in WAYS]
    order = {(one.name, str(one.arms), one.gap): k for k, one in enumerate(instances())}
    ordered = sorted(
        found, key=lambda row: (order[row[:3]], -float(Fraction(row.delta)), ways.index(row.way))
    )
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Row._fields)
        writer.writerows(ordered)


def _group(of: Sequence[Instance], delta: str, names: Sequence[str]) -> list[Row]:
    """Compute the rows of several instances, whose laws have levels in common."""
    _laws.cache_clear()
    ways = [way for way in WAYS if way.name in names]
    return [row for one in of for row in rows(one, delta, ways)]


def compute_missing(names: Sequence[str] = ()) -> None:
    """Compute what the file lacks, all of it or the ways of these names; write it as it comes."""
    known = [way.name for way in WAYS]
    for name in names:
        require(name in known, "way", name, f"must be one of {', '.join(known)}")
    found = read()
    has = {(*row[:3], row.delta) for row in found if not names or row.way in names}
    groups: dict[tuple[bool, str, int, str], list[Instance]] = {}
    for one in instances():
        long = Fraction(one.gap) < _LONG
        for delta in _DELTAS:
            if (one.name, str(one.arms), one.gap, delta) not in has:
                groups.setdefault((long, one.name, one.arms, delta), []).append(one)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), context, max_tasks_per_child=1) as pool:
        tasks = [
            pool.submit(_group, group, delta, names or known)
            for (*_, delta), group in sorted(groups.items())
        ]
        for task in as_completed(tasks):
            found += task.result()
            write(found)


_SHOWN = {
    "TG-ITE-BAI": "TG-ITE-BAI, DuelTest",
    "with MixtureTest": "TG-ITE-BAI, MixtureTest",
    "BKT with it": "BKT, MixtureTest",
    "every pair, with it": "every pair equally often, MixtureTest",
    "BAI told g": "TG-ITE-BAI, BudgetedDuelTest",
    "with the truncated SprtTest": "TG-ITE-BAI, truncated SprtTest",
    "BKT with that": "BKT, truncated SprtTest",
}
"""The columns of the page, and their ways."""


def _shown(one: Instance, delta: str) -> bool:
    """Say whether the page shows an instance at a level: along each side of the table a line."""
    if one.name != "cyclic":
        return delta == "1/100"
    if one.gap == "0.1":
        return delta == "1/100" or one.arms == 256
    return delta == "1/100" and (one.arms == 256 or one.gap == "0.01")


def costs_table(found: Iterable[Row]) -> str:
    """Return the page's part of the table, in Markdown."""
    by_way: dict[tuple[str, ...], dict[str, Row]] = {}
    for row in found:
        by_way.setdefault((*row[:3], row.delta), {})[row.way] = row
    titles = list(_SHOWN)
    header = ["instance", "delta", "least", *titles[:4], "least, told g", *titles[4:]]
    lines = [header, ["---"] * len(header)]
    for one in instances():
        for delta in _DELTAS:
            ways = by_way.get((one.name, str(one.arms), one.gap, delta), {})
            if not ways or not _shown(one, delta):
                continue
            cells = [_cell(ways[way]) for way in _SHOWN.values()]
            least, told = (_number(ways[_SHOWN[titles[k]]].least) for k in (0, 4))
            lines.append([str(one), delta, least, *cells[:4], told, *cells[4:]])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cell(row: Row) -> str:
    return f"{_number(row.comparisons)} ({float(row.over_least):.1f})"


def _number(text: str) -> str:
    value = float(text)
    return f"{value:.0f}" if value < _LARGE else f"{value:.2e}"


def main() -> None:
    """Compute what the file lacks, and write the page's part of it."""
    compute_missing(sys.argv[1:])
    page = page_with_table(PAGE.read_text(encoding="utf-8"), costs_table(read()))
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
