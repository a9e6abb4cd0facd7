"""How often find-then-certify certifies an arm wrongly: exactly from above, and by playing it.

``python -m tgite_checks.bounds.wrong_certificates`` writes the table of ``docs/one-assumption.md``.
It plays what its file lacks: some minutes for each instance. The instances have no winner, or
hardly one, so that a run need not end: what is played, and weighed by the exact laws, are the first
stages.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import tgite_checks
from tgite import Confidence, NoCondorcetWinner, PreferenceMatrix, drive
from tgite.beyond.certificate import Assumption
from tgite.beyond.find_then_certify import gap_tried, stages
from tgite_checks.bounds.winner_costs import PAGE
from tgite_checks.proofs.extract import page_with_table
from tgite_laws.find_then_certify import certificates_given
from tgite_laws.one_sided import Asked, Drawn, Knockout, Told, knockout, one_sided_match

FILE = Path(tgite_checks.__file__).resolve().parent / "data" / "wrong-certificates.csv"
"""The file with what was counted."""

DELTA = Confidence.of("1/10")
STAGES = 2
"""So many first stages are weighed and played."""

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
"""Instances without a winner, or nearly so."""


class Line(NamedTuple):
    """A line of the file: in how many runs of so many stages the certificate was wrong."""

    instance: str
    delta: str
    stages: str
    runs: str
    wrong: str


class _LastStageError(Exception):
    """The stages that are played are over."""


def wrongly_given(name: str, runs: int = RUNS, seed: int = 0) -> int:
    """Play the first stages so often; count the certificates of arms that are not the winner.

    All runs draw from one generator.
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


def read(path: Path = FILE) -> list[Line]:
    """Read the file, if there is one."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return [Line(**line) for line in csv.DictReader(file)]


def compute_missing() -> None:
    """Play what the file lacks, and write it as it comes."""
    found = {line.instance: line for line in read()}
    for seed, name in enumerate(INSTANCES):
        if name in found:
            continue
        wrong = wrongly_given(name, seed=seed)
        found[name] = Line(name, str(DELTA), str(STAGES), str(RUNS), str(wrong))
        with FILE.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(Line._fields)
            writer.writerows(found[name] for name in INSTANCES if name in found)


def errors_table(found: Iterable[Line], names: Iterable[str] = INSTANCES) -> str:
    """Return the table of wrong certificates, in Markdown."""
    counted = {line.instance: line for line in found}
    titles = (
        *("instance", f"wrong in {STAGES} stages, of {RUNS:.0e} runs".replace("e+0", "e")),
        *(f"in {STAGES} stages, at most", "ever, at most"),
    )
    lines = [titles, ("---",) * len(titles)]
    for name in names:
        given = certificates_given(PreferenceMatrix.of(INSTANCES[name]), DELTA, STAGES)
        wrong = counted[name].wrong if name in counted else "-"
        lines.append((name, wrong, f"{given.wrongly.high:.2g}", f"{given.ever.high:.2g}"))
    return "".join(f"| {' | '.join(one)} |\n" for one in lines)


def main() -> None:
    """Play what the file lacks, and write the table into the page."""
    compute_missing()
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(page_with_table(page, errors_table(read()), "errors"), encoding="utf-8")


if __name__ == "__main__":
    main()
