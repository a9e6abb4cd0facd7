"""The cost of finding the winner by every method, instance by instance."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from cost_tables.methods import METHODS, How, Method, Task
from cost_tables.table import Key, Row, Rows, Table
from tgite import Confidence, cyclic, example
from tgite_laws.lower_bound import least_mean
from tgite_laws.pairwise import ChosenTest

_GAPS = {
    8: ("0.4", "0.32", "0.2", "0.1", "0.05", "0.02", "0.01"),
    64: ("0.4", "0.32", "0.2", "0.1", "0.05", "0.02"),
    256: ("0.4", "0.32", "0.2", "0.1", "0.05", "0.02", "0.01"),
    1024: ("0.4", "0.32", "0.2", "0.1", "0.05", "0.02"),
    4096: ("0.4", "0.1", "0.01"),
}
"""The gaps for each number of arms, equal for winner and cycle, for a total of an hour or two."""

_LARGE = 1e7
_DELTAS = ("1/10", "1/100", "1e-6")
_KNOWN = {"sushi16": "3/250", "mslr5": "3/100"}


class Instance(NamedTuple):
    """An instance of the table: a cyclic one with ``arms`` arms, or one of the examples."""

    name: str
    arms: int
    gap: str

    def task(self, delta: str) -> Task:
        """Return the task of finding the instance's winner."""
        cycle = self.name == "cyclic"
        preferences = cyclic(self.arms, self.gap, self.gap) if cycle else example(self.name)
        return Task(preferences, Fraction(self.gap), Confidence.of(delta))

    def __str__(self) -> str:
        """Return the instance's name."""
        return f"cyclic, N = {self.arms}, gaps {self.gap}" if self.name == "cyclic" else self.name


def instances() -> Iterator[Instance]:
    """Yield the instances of the table, those of few arms first."""
    for arms, gaps in _GAPS.items():
        for gap in gaps:
            yield Instance("cyclic", arms, gap)
    for name, gap in _KNOWN.items():
        yield Instance(name, example(name).size, gap)


_COLUMNS = (
    *("instance", "arms", "gap", "delta", "told", "way", "how"),
    *("comparisons", "error", "least", "over_least"),
)


def keys() -> Iterator[Key]:
    """Yield the instances with their levels, in the order of the file."""
    for one in instances():
        for delta in _DELTAS:
            yield one.name, str(one.arms), one.gap, delta


def computed(key: Key, methods: Iterable[Method] = METHODS) -> list[Row]:
    """Return the rows of an instance and a level, without rows for methods without a cost."""
    name, arms, gap, delta = key
    task = Instance(name, int(arms), gap).task(delta)
    rows = []
    for method in methods:
        cost = method.cost(task, _laws)
        if cost is None:
            continue
        told = task.g if method.told else None
        least = least_mean(task.delta, task.preferences, told).middle
        # The rounding of the printed number counts too.
        error = cost.error + (1e-7 * cost.comparisons if cost.how is How.EXACT else 0)
        numbers = f"{cost.comparisons:.8g}", f"{error:.1e}", f"{least:.6g}"
        head = *key, "g" if method.told else "", method.name, cost.how
        rows.append(ROWS.row(*head, *numbers, f"{cost.comparisons / least:.4g}"))
    return rows


_laws = functools.lru_cache(maxsize=64)(ChosenTest.laws)


_SHOWN = {
    "TG-ITE-BAI": "TG-ITE-BAI, DuelTest",
    "with MixtureTest": "TG-ITE-BAI, MixtureTest",
    "BKT with it": "BKT, MixtureTest",
    "BAI told g": "TG-ITE-BAI, BudgetedDuelTest",
    "with the truncated SprtTest": "TG-ITE-BAI, truncated SprtTest",
    "BKT with that": "BKT, truncated SprtTest",
}
"""The columns of the page, and their methods."""


def _shown(one: Instance, delta: str) -> bool:
    if one.gap == "0.1":
        return one.arms == 256 or (delta == "1/100" and one.arms in (8, 4096))
    extreme = one.arms == 256 and one.gap in ("0.4", "0.01")
    return delta == "1/100" and (extreme or one.name != "cyclic")


def lines(rows: Iterable[Row]) -> Iterator[list[str]]:
    """Yield the lines of the page, which shows a part of the file."""
    titles = list(_SHOWN)
    yield ["instance", "delta", "least", *titles[:3], "least, told g", *titles[3:]]
    found = {(*(row[column] for column in _COLUMNS[:4]), row["way"]): row for row in rows}
    for name, arms, gap, delta in keys():
        one = Instance(name, int(arms), gap)
        if _shown(one, delta):
            held = [found[name, arms, gap, delta, method] for method in _SHOWN.values()]
            cells = [_cell(row) for row in held]
            least, told = (_number(held[k]["least"]) for k in (0, 3))
            yield [str(one), delta, least, *cells[:3], told, *cells[3:]]


def _cell(row: Row) -> str:
    return f"{_number(row['comparisons'])} ({float(row['over_least']):.1f})"


def _number(text: str) -> str:
    value = float(text)
    return f"{value:.0f}" if value < _LARGE else f"{value:.2e}"


ROWS = Rows("every-method.csv", _COLUMNS, keys, computed, _COLUMNS[:4])
TABLE = Table("beyond.md", lines, ROWS)
