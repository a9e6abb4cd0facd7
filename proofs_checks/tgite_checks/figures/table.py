"""The table of the printed numbers, made from the results of the checks.

Each printed number has a check in :mod:`tgite_checks.figures.readings`. The check's result has a
number for each of the names below and each reading of the pairwise test. No law is computed here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from tgite_checks.check import Result
from tgite_checks.printed import NUMBERS, PrintedNumber
from tgite_laws.enclosure import Enclosure


class Reading(StrEnum):
    """The pairwise test that the experiments are assumed to use."""

    AS_PRINTED = "Algorithm 1"
    KNOWN_GAP = "Algorithm 8 with g = Delta*"


class What(StrEnum):
    """What a check computes for a printed number under a reading."""

    MEAN = "mean"
    DEVIATION = "standard deviation"
    FEWEST = "fewest of any run"
    WEIGHTED = "gap-weighted mean"
    CHANCE = "greatest chance that ten runs average as printed or less"


def number_name(what: What, reading: Reading) -> str:
    """Return the name of a number in the result of a check."""
    return f"{what}, {reading}"


class Fit(StrEnum):
    """Whether a printed number can come from a reading."""

    IMPOSSIBLE = "impossible"
    """Every run has more."""
    EXCLUDED = "excluded"
    """Ten runs average to as little with probability at most 1e-100."""
    POSSIBLE = "possible"


NO_CHANCE = 1e-100
"""The probability up to which a number is excluded."""


@dataclass(frozen=True, slots=True)
class Exactly:
    """The exact law for a printed number under one reading.

    ``chance`` bounds the probability that ten runs have at most the printed mean on average. It is
    ``None`` if the printed number is not a mean regret.
    """

    mean: Enclosure
    deviation: Enclosure
    fewest: int
    chance: Enclosure | None
    fit: Fit


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A printed number and its exact law under each reading."""

    label: str
    title: str
    printed: PrintedNumber
    readings: Mapping[Reading, Exactly]

    @property
    def amount(self) -> str:
        """The printed number, with its unit if that is rounds."""
        return f"{self.printed}" if self.printed.deviation else f"{self.printed} rounds"

    @property
    def is_impossible(self) -> bool:
        """Whether every run of the algorithms as printed has more."""
        return self.readings[Reading.AS_PRINTED].fit is Fit.IMPOSSIBLE


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
"""By label: the title of a row and the name of its check."""


def printed_table(results: Mapping[str, Result]) -> tuple[PrintedRow, ...]:
    """Return the rows whose checks are among the results and hold."""
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
