"""The order of all items by a model of the answers, as text, JSON, CSV and a page to send."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, astuple, dataclass, fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import numpy as np
from jinja2 import Environment, PackageLoader
from typer import Option

from tgite import Arm
from tgite.errors import handled
from tgite_judge.model import Model
from tgite_judge.standings import Standings

CsvFile = Annotated[Path | None, Option("--csv", help="Write the order as CSV.")]
HtmlFile = Annotated[Path | None, Option("--html", help="Write the result as a page to send.")]
_SURE = 1.645
"""A normal variable exceeds this with probability 5%."""
_TWO_SIDED = 1.96
_MOST_SHOWN = 10
_MOST_DRAWN = 40


@dataclass(frozen=True, slots=True)
class Place:
    """An item's place, from ``first`` to ``last``: items that the model cannot tell apart share it.

    It does if it gives their order a probability of 95%. ``score`` is the chance to beat an average
    item, and ``low`` to ``high`` its 95% interval. All this is right only as far as the model is.
    """

    first: int
    last: int
    item: str
    score: float
    low: float
    high: float
    wins: int
    losses: int
    ties: int

    def __str__(self) -> str:
        """Return the place in words."""
        place = f"{self.first}" if self.first == self.last else f"{self.first}-{self.last}"
        return f"{place:>7}  {self.item}: {self.score:.0%} ({self.low:.0%} to {self.high:.0%})"


@dataclass(frozen=True, slots=True)
class Guess:
    """The item that the model takes for the best, and how sure that is.

    ``chance`` is the model's probability that it is the best. ``error`` needs no model: it bounds
    the probability that the item does not beat every other one, and is 1 if nothing is known. It is
    valid at all times: any item that does not beat every other one ever gets a bound of x or less
    with probability at most x. For a certified item it is the error of the certificate instead.
    """

    arm: Arm
    item: str
    error: Fraction
    chance: float

    @staticmethod
    def of(model: Model, table: Standings, best: Arm | None = None) -> Guess:
        """Return the guess, or what is known of the ``best`` item."""
        chances = model.chances()
        arm = int(chances.argmax()) if best is None else best
        return Guess(arm, table.names[arm], table.error_of(arm), float(chances[arm]))

    def sure(self, provided: str) -> str:
        """Return in words how sure the guess is, ``provided`` that the error bound holds."""
        bound = f"wrong with probability at most {float(self.error):.2g}, {provided}"
        said = "nothing says without a model" if self.error == 1 else bound
        return f"How sure: {said}; by the Bradley-Terry model {min(self.chance, 0.99):.0%}."


def order_of(model: Model, table: Standings) -> tuple[Place, ...]:
    """Return all items, the strongest first."""
    centre = np.eye(table.size) - 1 / table.size
    mean, covariance = centre @ model.strengths, centre @ model.covariance @ centre
    variance = np.diag(covariance)
    apart = np.sqrt(variance[:, None] + variance - 2 * covariance + np.eye(table.size))
    above = np.subtract.outer(mean, mean) / apart > _SURE
    spread = _TWO_SIDED * np.sqrt(variance)
    scores = 1 / (1 + np.exp(-np.array([mean, mean - spread, mean + spread])))
    found = []
    for arm in map(int, np.argsort(-mean.round(9), kind="stable")):
        first, last = 1 + int(above[:, arm].sum()), table.size - int(above[arm].sum())
        won, lost = sum(table.wins[arm]), sum(row[arm] for row in table.wins)
        tied = sum(pair.ties for both, pair in table.pairs.items() if arm in both)
        score, low, high = map(float, scores[:, arm])
        found.append(Place(first, last, table.names[arm], score, low, high, won, lost, tied))
    return tuple(found)


def order_lines(order: Sequence[Place]) -> list[str]:
    """Return the first places in words, line by line."""
    more = len(order) - _MOST_SHOWN
    if not order:
        return []
    return [
        "The order by the model (place, item, chance to beat an average item with 95% interval):",
        *map(str, order[:_MOST_SHOWN]),
        *([f"{'...':>7}  and {more} more, which --csv writes"] if more > 0 else []),
    ]


def order_as_json(guess: Guess, order: Sequence[Place]) -> dict[str, object]:
    """Return the guess and the order for programs."""
    said = {"item": guess.item, "error_at_most": float(guess.error), "by_the_model": guess.chance}
    return {"guess": said, "order": [asdict(one) for one in order]}


def write_csv(option: str, path: Path, rows: Iterable[Iterable[object]]) -> None:
    """Write rows to the file of an option as CSV."""
    with handled(option, path, "written"), path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


def write_order(
    csv_file: Path | None,
    html_file: Path | None,
    said: Sequence[str],
    order: Sequence[Place],
    table: Standings,
) -> None:
    """Write the order as CSV, with a line for each item, and as a page below what is ``said``."""
    if csv_file is not None:  # A spreadsheet takes a cell that begins as these do for a formula.
        safe = (replace(one, item=re.sub(r"^(?=[=+@-])", "'", one.item)) for one in order)
        write_csv("csv", csv_file, [[one.name for one in fields(Place)], *map(astuple, safe)])
    if html_file is not None:
        arms = [table.names.index(one.item) for one in order[:_MOST_DRAWN]]
        cells = [[_cell(table, i, j) for j in arms] for i in arms]
        places = Environment(loader=PackageLoader(__package__, ""), autoescape=True)
        page = places.get_template("page.html")
        with handled("html", html_file, "written"):
            text = page.render(said=said, order=order, cells=cells, delta=table.delta)
            html_file.write_text(text, encoding="utf-8")


def _cell(table: Standings, i: Arm, j: Arm) -> dict[str, object] | None:
    """Return what is known of a pair, for the picture of who beats whom."""
    pair = table.pairs.get((i, j)) or table.pairs.get((j, i))
    if pair is None:
        return None
    return {
        "names": (table.names[i], table.names[j]),
        "won": table.wins[i][j],
        "lost": table.wins[j][i],
        "tied": pair.ties,
        "share": (table.wins[i][j] + pair.ties / 2 + 1) / (pair.played - pair.doubts + 2),
        "sure": pair.error <= table.delta,
    }
