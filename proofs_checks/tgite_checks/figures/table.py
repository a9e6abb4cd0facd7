"""The table of the printed numbers, read off what the checks found: no law is computed here.

For each printed number there is a check (in :mod:`tgite_checks.figures.readings`) whose numbers
have these names, once for each reading of the pairwise test.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from tgite_checks.check import Result
from tgite_checks.printed import NUMBERS, PrintedNumber
from tgite_laws.enclosure import Enclosure


class Reading(StrEnum):
    """Which pairwise test the experiments are taken to have used."""

    AS_PRINTED = "Algorithm 1"
    KNOWN_GAP = "Algorithm 8 with g = Delta*"


class What(StrEnum):
    """What is known of a printed number under a reading."""

    MEAN = "mean"
    DEVIATION = "standard deviation"
    FEWEST = "fewest of any run"
    CHANCE = "greatest chance that ten runs average as printed or less"


def number_name(what: What, reading: Reading) -> str:
    """Return under which name a check gives it."""
    return f"{what}, {reading}"


class Fit(StrEnum):
    """Whether a printed number can come from a reading."""

    IMPOSSIBLE = "impossible"
    """Every run has more, whatever the outcomes."""
    EXCLUDED = "excluded"
    """Ten runs average as little with a chance of 1e-12 at most."""
    POSSIBLE = "possible"


NO_CHANCE = 1e-12
"""What has at most this chance is excluded."""


@dataclass(frozen=True, slots=True)
class Exactly:
    """The exact law beside a printed number, under one reading.

    ``chance`` bounds that of ten runs with the printed mean or less; it is missing where the
    printed number is no mean of regrets.
    """

    mean: Enclosure
    deviation: Enclosure
    fewest: int
    chance: Enclosure | None
    fit: Fit


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A row of the table: what is printed, and what each reading makes of it."""

    label: str
    title: str
    printed: PrintedNumber
    readings: Mapping[Reading, Exactly]


ROWS: Mapping[str, tuple[str, str]] = {
    "number:weak-2384": ("Weak regret of TG-ITE-Weak", "weak-2384-by-reading"),
    "number:plateau-before-5000": (
        "Rounds until its curve is flat (printed: before)",
        "plateau-5000-by-reading",
    ),
    "number:known-horizon-5928": ("Strong regret, known horizon", "strong-5928-by-reading"),
    "number:flattening-7000": (
        "Rounds until its curve is flat (printed: about)",
        "flattening-7000-by-reading",
    ),
    "number:anytime-25337": ("Strong regret, anytime", "strong-25337-by-reading"),
}
"""By label: the title of a row, and the name of the check that has its numbers."""


def printed_table(results: Mapping[str, Result]) -> tuple[PrintedRow, ...]:
    """Return the table, given what the checks found, by their names; rows without are left out."""
    return tuple(
        PrintedRow(
            label,
            title,
            NUMBERS[label],
            {reading: _exactly(results[check], reading, NUMBERS[label]) for reading in Reading},
        )
        for label, (title, check) in ROWS.items()
        if check in results and results[check].holds()
    )


def _exactly(result: Result, reading: Reading, printed: PrintedNumber) -> Exactly:
    found = {one.name: one.value for one in result.numbers}
    mean, deviation, fewest = (
        found[number_name(what, reading)] for what in (What.MEAN, What.DEVIATION, What.FEWEST)
    )
    chance = found.get(number_name(What.CHANCE, reading))
    fit = Fit.POSSIBLE
    if fewest.low > printed.mean + 1:
        fit = Fit.IMPOSSIBLE
    elif chance is not None and chance.high <= NO_CHANCE:
        fit = Fit.EXCLUDED
    return Exactly(mean, deviation, round(fewest.low), chance, fit)
