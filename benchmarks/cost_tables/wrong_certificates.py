"""The probability that find-then-certify certifies a wrong arm: simulations, and exact bounds.

The instances have no winner, or a winner with a tiny gap, so a run need not end. So only the first
stages are played, for a few minutes an instance. The exact laws bound the first one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from cost_tables.stages import certificate_probabilities
from cost_tables.table import Key, Row, Rows, Table
from tgite import Confidence, PreferenceMatrix, drive
from tgite.beyond.certificate import Assumption
from tgite.beyond.find_then_certify import gap_tried, stages
from tgite_laws.one_sided import Drawn
from tgite_laws.tournaments import condorcet_winner
from tgite_laws.whole_matches import Asked, Knockout, Told, knockout, one_sided_match

DELTAS = ("1/10", "1/2")
STAGES = 2
"""The number of first stages that are played."""

RUNS = 2 * 10**4

INSTANCES: Mapping[str, Sequence[Sequence[str]]] = {
    "two arms that tie": ((".5", ".5"), (".5", ".5")),
    "two arms within .001": ((".5", ".501"), (".499", ".5")),
    "two that tie above a third": ((".5", ".5", ".9"), (".5", ".5", ".9"), (".1", ".1", ".5")),
    "two within .001 above it": ((".5", ".501", ".9"), (".499", ".5", ".9"), (".1", ".1", ".5")),
    "three that tie": ((".5",) * 3,) * 3,
    "four that tie": ((".5",) * 4,) * 4,
    "two that tie above six": (
        *((".5", ".5", *(".7",) * 6),) * 2,
        *((*(".3",) * 2, *(".5",) * 6),) * 6,
    ),
    "two within .01 above it": ((".5", ".51", ".9"), (".49", ".5", ".9"), (".1", ".1", ".5")),
    "a cycle, .9": ((".5", ".9", ".1"), (".1", ".5", ".9"), (".9", ".1", ".5")),
    "a cycle, .6": ((".5", ".6", ".4"), (".4", ".5", ".6"), (".6", ".4", ".5")),
}
"""Instances without a winner, or with a winner that has a tiny gap."""


class _LastStageError(Exception):
    """The last stage that is played has ended."""


def wrongly_given(name: str, delta: Confidence, runs: int = RUNS, seed: int = 0) -> list[int]:
    """Return the number of wrong certificates of ``runs`` runs in each of the first stages."""
    preferences = PreferenceMatrix.of(INSTANCES[name])
    winner, drawn, stage = condorcet_winner(preferences), Drawn(preferences, seed), 0

    def answer(question: Asked) -> Told:
        nonlocal stage
        if isinstance(question, Knockout):
            while question.g < gap_tried(stage):
                stage += 1
            if stage == STAGES:
                raise _LastStageError
        return drawn(question)

    wrong = [0] * STAGES
    for _ in range(runs):
        algorithm = stages(preferences.size, delta, Assumption.NOTHING, knockout, one_sided_match)
        stage = 0
        try:
            right = drive(algorithm, answer).champion == winner
        except _LastStageError:
            continue
        wrong[stage] += not right
    return wrong


def computed(key: Key) -> list[Row]:
    """Return the row of an instance at a level, from its simulated stages."""
    name, delta = key
    wrong = wrongly_given(name, Confidence.of(delta), seed=list(INSTANCES).index(name))
    return [ROWS.row(*key, RUNS, wrong[0], sum(wrong))]


def lines(rows: Iterable[Row]) -> Iterator[Sequence[str]]:
    """Yield the lines of the table: the counts and the exact bounds."""
    titles, found = (f"wrong of {RUNS:,}", "in stage 0", "at most"), ROWS.by_key(rows)
    yield "instance", *(f"{delta}: {title}" for delta in DELTAS for title in titles)
    for name, matrix in INSTANCES.items():
        cells = list[str]()
        for delta in DELTAS:
            law = certificate_probabilities(PreferenceMatrix.of(matrix), Confidence.of(delta))
            row, at_most = found[name, delta], f"{RUNS * law[1].high:.3g}"
            cells += [row["wrong"], row["wrong in stage 0"], at_most]
        yield name, *cells


ROWS = Rows(
    "wrong-certificates.csv",
    ("instance", "delta", "runs", "wrong in stage 0", "wrong"),
    lambda: product(INSTANCES, DELTAS),
    computed,
)
TABLE = Table("one-assumption.md", lines, ROWS, "errors")
