"""The probability that find-then-certify certifies a wrong arm: exact bounds, and simulations.

The instances have no winner, or a winner with a tiny gap, so a run need not end. So only the first
stages are played, for a few minutes an instance, and bounded by the exact laws.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cost_tables.stages import certificate_probabilities
from cost_tables.table import Key, Row, Rows, Table
from tgite import Confidence, NoCondorcetWinner, PreferenceMatrix, drive
from tgite.beyond.certificate import Assumption
from tgite.beyond.find_then_certify import gap_tried, stages
from tgite_laws.one_sided import Asked, Drawn, Knockout, Told, knockout, one_sided_match

DELTA = Confidence.of("1/10")
STAGES = 2
"""The number of first stages that are played and bounded."""

RUNS = 10**5

INSTANCES: Mapping[str, Sequence[Sequence[str]]] = {
    "two arms that tie": ((".5", ".5"), (".5", ".5")),
    "two arms within .001": ((".5", ".501"), (".499", ".5")),
    "two that tie above a third": ((".5", ".5", ".9"), (".5", ".5", ".9"), (".1", ".1", ".5")),
    "two within .001 above it": ((".5", ".501", ".9"), (".499", ".5", ".9"), (".1", ".1", ".5")),
    "three that tie": ((".5",) * 3,) * 3,
    "a cycle, .9": ((".5", ".9", ".1"), (".1", ".5", ".9"), (".9", ".1", ".5")),
    "a cycle, .6": ((".5", ".6", ".4"), (".4", ".5", ".6"), (".6", ".4", ".5")),
}
"""Instances without a winner, or with a winner that has a tiny gap."""


class _LastStageError(Exception):
    """The last stage that is played has ended."""


def wrongly_given(name: str, runs: int = RUNS, seed: int = 0) -> int:
    """Return the number of certificates for wrong arms in ``runs`` runs of the first stages.

    All runs use one random generator.
    """
    preferences = PreferenceMatrix.of(INSTANCES[name])
    try:
        winner = preferences.winner()
    except NoCondorcetWinner:
        winner = None
    drawn, smallest = Drawn(preferences, seed), gap_tried(STAGES - 1)

    def answer(question: Asked) -> Told:
        if isinstance(question, Knockout) and question.g < smallest:
            raise _LastStageError
        return drawn(question)

    wrong = 0
    for _ in range(runs):
        algorithm = stages(preferences.size, DELTA, Assumption.NOTHING, knockout, one_sided_match)
        try:
            wrong += drive(algorithm, answer).champion != winner
        except _LastStageError:
            continue
    return wrong


def computed(key: Key) -> list[Row]:
    """Return the row of an instance, from its simulated stages."""
    (name,) = key
    wrong = wrongly_given(name, seed=list(INSTANCES).index(name))
    values = name, str(DELTA), str(STAGES), str(RUNS), str(wrong)
    return [dict(zip(_COLUMNS, values, strict=True))]


_COLUMNS = ("instance", "delta", "stages", "runs", "wrong")


def lines(rows: Iterable[Row]) -> Iterator[Sequence[str]]:
    """Yield the lines of the table: the counts and the exact bounds."""
    yield (
        "instance",
        f"wrong in {STAGES} stages, of {RUNS:.0e} runs".replace("e+0", "e"),
        f"in {STAGES} stages, at most",
        "ever, at most",
    )
    for row in rows:
        preferences = PreferenceMatrix.of(INSTANCES[row["instance"]])
        given = certificate_probabilities(preferences, DELTA, STAGES)
        bounds = f"{given.wrongly.high:.2g}", f"{given.ever.high:.2g}"
        yield row["instance"], row["wrong"], *bounds


ROWS = Rows(
    "wrong-certificates.csv",
    _COLUMNS,
    lambda: ((name,) for name in INSTANCES),
    computed,
    ("instance",),
)
TABLE = Table("one-assumption.md", lines, ROWS, "errors")
