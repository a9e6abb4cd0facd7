"""Strips: each number of a table beside its bound, on one logarithmic scale, as a drawn column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log10

from markupsafe import Markup

from tgite_checks.audit.report.slack import brief
from tgite_checks.check import Number
from tgite_checks.enclosure import Enclosure

_FEWEST = 3
_WIDTH = 120.0
_MARGIN = 4.0


@dataclass(frozen=True, slots=True)
class Strips:
    """The column: a caption with the ends of its scale, and a picture for each number, or none."""

    caption: str
    rows: tuple[Markup, ...]


def strips(numbers: Sequence[Number]) -> Strips | None:
    """Draw the numbers that are positive and have a positive bound; nothing if they are few."""
    shown = [pair for number in numbers if (pair := _drawable(number)) is not None]
    ends = [end for pair in shown for one in pair for end in (one.low, one.high)]
    if len(shown) < _FEWEST or min(ends) == max(ends):
        return None
    low, high = log10(min(ends)), log10(max(ends))

    def place(value: float) -> float:
        return _MARGIN + (_WIDTH - 2 * _MARGIN) * (log10(value) - low) / (high - low)

    def row(number: Number) -> Markup:
        pair = _drawable(number)
        if pair is None:
            return Markup("")
        found, bound = ([place(end) for end in (one.low, one.high)] for one in pair)
        return Markup(
            '<svg viewBox="0 0 {width:g} 12" role="img" aria-label="found {found}, bound {bound}">'
            '<path class="between" d="M{x1:.1f} 6H{x2:.1f}"/>'
            '<path class="found" d="M{x0:.1f} 6H{x1:.1f}"/>'
            '<circle class="found" cx="{middle:.1f}" cy="6" r="3"/>'
            '<path class="bound" d="M{x2:.1f} 1V11M{x3:.1f} 1V11"/></svg>'
        ).format(
            width=_WIDTH,
            found=pair[0],
            bound=pair[1],
            middle=(found[0] + found[1]) / 2,
            x0=found[0],
            x1=found[1],
            x2=bound[0],
            x3=bound[1],
        )

    return Strips(
        f"{brief(min(ends))} to {brief(max(ends))}", tuple(row(number) for number in numbers)
    )


def _drawable(number: Number) -> tuple[Enclosure, Enclosure] | None:
    value, bound = number.value, number.bound
    if bound is None or not (
        0 < value.low <= value.high < inf and 0 < bound.low <= bound.high < inf
    ):
        return None
    return value, bound
