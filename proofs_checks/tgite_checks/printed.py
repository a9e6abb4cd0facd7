"""The printed numbers of the paper's experiments, and their settings (``printed.toml``)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Literal

import msgspec

from tgite import Confidence, cyclic, sparse
from tgite.instances import CyclicInstance
from tgite_laws.enclosure import Enclosure


class PanelSetting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The setting of a panel of ``fig:experiments``; ``horizon`` is 0 if it has none."""

    instance: Literal["cyclic", "sparse"]
    arms: tuple[int, ...]
    winner_gap: Fraction
    cyclic_gap: Fraction = Fraction(0)
    delta: Fraction = Fraction(1, 10)
    horizon: int = 0

    @property
    def level(self) -> Confidence:
        """The allowed error probability of identification."""
        return Confidence(self.delta)

    def preferences(self, N: int = 0) -> CyclicInstance:
        """Return the panel's instance with ``N`` arms, by default its largest number of arms."""
        size = N or self.arms[-1]
        if self.instance == "sparse":
            return sparse(size, self.winner_gap)
        return cyclic(size, self.winner_gap, self.cyclic_gap)


class PrintedNumber(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A printed mean and standard deviation, or a printed number of rounds."""

    panel: str
    policy: str
    mean: int
    deviation: int = 0

    def enclosure(self) -> Enclosure:
        """The interval of one standard deviation on each side of the mean."""
        return Enclosure(self.mean - self.deviation, self.mean + self.deviation)

    def up(self, deviations: int) -> Enclosure:
        """Return the mean plus ``deviations`` standard deviations."""
        return Enclosure.exactly(self.mean + deviations * self.deviation)

    def __str__(self) -> str:
        """Return the number as the report writes it, with a comma from 10,000 on."""
        mean = f"{self.mean:,}" if self.mean >= 10_000 else str(self.mean)
        return f"{mean} ± {self.deviation}" if self.deviation else mean


class _Printed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    panels: Mapping[str, PanelSetting]
    numbers: Mapping[str, PrintedNumber]


def _exactly(kind: type, text: str) -> Fraction:
    return Fraction(text)


_PRINTED = msgspec.toml.decode(
    Path(__file__).with_suffix(".toml").read_bytes(), type=_Printed, dec_hook=_exactly
)
PANELS = _PRINTED.panels
"""The settings by name: ``bai``, ``weak``, ``strong``."""
NUMBERS = _PRINTED.numbers
"""The printed numbers by the label of their entry in the ledger."""

BAI, WEAK, STRONG = (PANELS[name] for name in ("bai", "weak", "strong"))
WEAK_REGRET = NUMBERS["number:weak-2384"]
KNOWN_HORIZON_REGRET = NUMBERS["number:known-horizon-5928"]
ANYTIME_REGRET = NUMBERS["number:anytime-25337"]
PLATEAU = NUMBERS["number:plateau-before-5000"]
FLATTENING = NUMBERS["number:flattening-7000"]
