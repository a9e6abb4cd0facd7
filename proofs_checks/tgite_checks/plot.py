"""Plots of the numbers that checks find."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import isfinite

from tgite.errors import require
from tgite_checks.check import Shown
from tgite_laws.enclosure import Enclosure


class Role(StrEnum):
    """The meaning of a curve in a plot; the report draws each role in its own style."""

    FOUND = "found"
    """Computed or measured by the check."""
    BOUND = "bound"
    """The bound of a statement."""
    PRINTED = "printed"
    """Printed in the paper."""


@dataclass(frozen=True, slots=True)
class Series:
    """A named curve: points ``(x, y)`` with enclosures ``y``, in the order in which to join them.

    Raises :class:`~tgite.errors.InvalidInput` without a point, or if an ``x`` is not finite.
    """

    name: str
    points: tuple[tuple[float, Enclosure], ...]
    role: Role = Role.FOUND

    def __post_init__(self) -> None:
        """Refuse a curve that cannot be drawn."""
        require(len(self.points) > 0, "series", self.name, "must have a point")
        for x, _ in self.points:
            require(isfinite(x), "series", f"{self.name} at x = {x}", "must have finite x")


@dataclass(frozen=True, slots=True)
class Plot(Shown):
    """A plot of a check's numbers: curves over axes named ``x`` and ``y``, with their units.

    Raises :class:`~tgite.errors.InvalidInput` without a series.
    """

    title: str
    x: str
    y: str
    series: tuple[Series, ...]
    log_x: bool = False
    log_y: bool = False

    def __post_init__(self) -> None:
        """Refuse an empty plot."""
        require(len(self.series) > 0, "plot", self.title, "must have a series")
