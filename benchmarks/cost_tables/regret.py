"""The regret of policies that need less than the paper's: the endless search, and competitors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from cost_tables.table import Key, Row, Rows, Table
from cost_tables.winner_only import tied
from tgite import Preferences, cyclic, example
from tgite_checks.figures.contestants import Panel, contestant
from tgite_checks.figures.runs import Job, perform_together
from tgite_checks.figures.settings import Arena, Data, winner_in_the_middle

HORIZON, RUNS = 50_000, 10
INSTANCES: dict[str, Preferences] = {
    "cyclic, N = 16, .2 and .2": cyclic(16, "0.2", "0.2"),
    "N = 16, .2, others tie": tied(16, "0.2"),
    **{name: example(name) for name in ("sushi16", "mslr5", "arxiv6")},
}

_STRONG = ("tg-ite-strong-anytime", "wr-tinf", "versatile-db", "rmed2", "endless-search")
POLICIES = [
    *((Panel.WEAK, policy) for policy in ("tg-ite-weak", "ws-w", "wr-tinf", "endless-search")),
    *((Panel.STRONG, policy) for policy in _STRONG),
]


def computed(key: Key) -> list[Row]:
    """Return the row of a policy on an instance: the regret's mean and standard deviation."""
    name, regret, policy = key
    matrix, panel = winner_in_the_middle(INSTANCES[name]), Panel(regret)
    arena = Arena(Data.MATRIX, panel, name, matrix.size, HORIZON, matrix=matrix)
    played = perform_together([Job(arena, policy, seed) for seed in range(RUNS)])
    regrets = np.array([run.regret for run in played], dtype=float)
    return [ROWS.row(*key, f"{regrets.mean():.6g}", f"{regrets.std(ddof=1):.3g}")]


def lines(rows: Iterable[Row]) -> Iterator[Sequence[str]]:
    """Yield a line for each regret and policy, with a column for each instance."""
    found = ROWS.by_key(rows)
    yield "regret", "policy", *INSTANCES
    for panel, policy in POLICIES:
        cells = (found[name, str(panel), policy] for name in INSTANCES)
        shown = (f"{float(one['mean']):.0f}±{float(one['deviation']):.0f}" for one in cells)
        yield str(panel), contestant(panel, policy).label, *shown


ROWS = Rows(
    "regret.csv",
    ("instance", "regret", "policy", "mean", "deviation"),
    lambda: ((name, str(panel), policy) for panel, policy in POLICIES for name in INSTANCES),
    computed,
    ("instance", "regret", "policy"),
)
TABLE = Table("one-assumption.md", lines, ROWS, "regret")
