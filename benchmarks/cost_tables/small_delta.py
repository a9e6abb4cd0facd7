"""The cost of find-then-certify as delta tends to 0, divided by the lower bound, with a plot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import log, log1p

from cost_tables.table import Key, Row, Rows, Table
from cost_tables.winner_only import Instance, Way, least_assuming_nothing, played
from tgite import Confidence, Preferences, cyclic, example, sparse
from tgite_checks.figures.svg import plot_svg
from tgite_checks.plot import Plot, Series
from tgite_laws.enclosure import Enclosure
from tgite_pages.pages import DOCS

DELTAS = {"1/10": 100, "1e-3": 100, "1e-6": 60, "1e-12": 40, "1e-24": 20, "1e-48": 20}  # with runs

INSTANCES: dict[str, Preferences] = {
    "cyclic, N = 256, .3 and .05": cyclic(256, "0.3", "0.05"),
    "cyclic, N = 64, .32 and .32": cyclic(64, "0.32", "0.32"),
    "sparse, N = 64, .1": sparse(64, "0.1"),
    **{name: example(name) for name in ("sushi16", "mslr5", "arxiv6")},
}


def computed(key: Key) -> list[Row]:
    """Return the row of an instance at a level: the mean duels, with their error, and the least."""
    name, delta = key
    instance = Instance(name, INSTANCES[name], delta, DELTAS[delta])
    cost = played(instance, Way.NOTHING)
    enclosed = least_assuming_nothing(Confidence.of("1e-6"), instance.preferences)
    least = enclosed * _kl(float(instance.level.rational)) / _kl(1e-6)
    numbers = f"{cost.mean:.8g}", f"{cost.error:.3g}", f"{least:.8g}", cost.wrong
    return [ROWS.row(*key, *numbers)]


def _kl(level: float) -> float:
    return (1 - 2 * level) * (log1p(-level) - log(level))


def ratios(row: Row) -> tuple[float, float]:
    """Return the mean over the least, and the standard error of this ratio."""
    least = float(row["least"])
    return float(row["comparisons"]) / least, float(row["error"]) / least


def lines(rows: Iterable[Row]) -> Iterator[Sequence[str]]:
    """Yield a line for each instance, with a column for each level."""
    found = {key: ratios(row) for key, row in ROWS.by_key(rows).items()}
    yield "instance", *DELTAS
    for name in INSTANCES:
        cells = (found[name, delta] for delta in DELTAS)
        yield name, *(f"{ratio:.2f}±{error:.2f}" for ratio, error in cells)


@dataclass(frozen=True)
class _Drawn(Table):
    """The table, which is drawn, too."""

    def make(self) -> None:
        """Make the table, and draw it beside its page."""
        super().make()
        at = {delta: Confidence.of(delta).log_inverse for delta in DELTAS}
        found = {key: ratios(row) for key, row in ROWS.by_key(ROWS.read()).items()}
        series = tuple(
            Series(name, tuple((at[d], Enclosure.exactly(found[name, d][0])) for d in DELTAS))
            for name in INSTANCES
        )
        plot = Plot("Mean duels over the least", "log(1/delta)", "ratio", series, log_x=True)
        (DOCS / "one-assumption.svg").write_text(plot_svg(plot) + "\n", encoding="utf-8")


ROWS = Rows(
    "small-delta.csv",
    ("instance", "delta", "comparisons", "error", "least", "wrong"),
    lambda: product(INSTANCES, DELTAS),
    computed,
)
TABLE = _Drawn("one-assumption.md", lines, ROWS, "small-delta")
