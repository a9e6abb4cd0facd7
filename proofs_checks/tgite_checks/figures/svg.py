"""Draw plots as small inline SVG, in the page's colours for light and dark themes.

Series differ by marker and dash as well as by colour, so that they can be told apart in print, in
greyscale and by every reader. A label describes each picture to readers who cannot see it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, isfinite, log10

from tgite_checks.claims.rendering import written
from tgite_checks.figures.table import PrintedRow, Reading
from tgite_checks.plot import Plot, Role
from tgite_laws.enclosure import Enclosure

_COLOURS = ("#0072b2", "#c2550a", "#00795a", "#a3447a", "#8a6a00", "#4b5fae")
# A path from a marker's centre: circle, square, triangle, diamond.
_MARKERS = (
    "m-3.5 0a3.5 3.5 0 1 0 7 0 3.5 3.5 0 1 0-7 0z",
    "m-3.2-3.2h6.4v6.4h-6.4z",
    "m0-4.2l4 7h-8z",
    "m0-4.5l4.5 4.5-4.5 4.5-4.5-4.5z",
)
_DASHES = {Role.FOUND: "none", Role.BOUND: "7 3", Role.PRINTED: "2 3"}
_RULE, _PAPER, _INK = "var(--rule,#d5d8dc)", "var(--paper,#fff)", "currentColor"
_MOST_TICKS, _FEW_DECADES = 6, 2
_WIDTH, _LEFT, _RIGHT = 440.0, 58.0, 426.0
_LINE, _ROW = 17.0, 60.0

_Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class _Axis:
    """An axis with a margin around ``values``, drawn from ``start`` to ``end``."""

    values: Sequence[float]
    log: bool
    start: float
    end: float

    @property
    def ends(self) -> tuple[float, float]:
        scaled = [log10(x) if self.log else x for x in self.values] or [0.0]
        margin = 0.05 * (max(scaled) - min(scaled)) or 0.5
        return min(scaled) - margin, max(scaled) + margin

    def at(self, value: float) -> float:
        """Return the coordinate of a value."""
        low, high = self.ends
        scaled = log10(value) if self.log else value
        return self.start + (scaled - low) / (high - low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Return the labelled values."""
        low, high = self.ends
        if self.log and high - low < _FEW_DECADES:
            powers = range(floor(low), ceil(high))
            found = [step * 10.0**power for power in powers for step in (1, 2, 3, 5)]
            return [tick for tick in found if 10**low <= tick <= 10**high]
        rough = (high - low) / _MOST_TICKS
        unit = 10.0 ** floor(log10(rough))
        step = next(m * unit for m in (1, 2, 5, 10) if m * unit >= rough)
        step = ceil(step) if self.log else step
        found = [n * step for n in range(ceil(low / step), floor(high / step) + 1)]
        return [10.0**tick if self.log else tick for tick in found]


def plot_svg(plot: Plot) -> str:
    """Return the SVG of a plot; the legend names the curves with points that cannot be drawn."""
    top = _LINE * len(plot.series) + 22
    bottom = top + 190
    drawn = [[(x, y) for x, y in one.points if _fits(x, y, plot)] for one in plot.series]
    points = [point for series in drawn for point in series]
    across = _Axis([x for x, _ in points], plot.log_x, _LEFT, _RIGHT)
    up = _Axis([end for _, y in points for end in (y.low, y.high)], plot.log_y, bottom, top)
    parts = [*_grid(across, top, bottom), _text(_LEFT, top - 5, plot.y)]
    for tick in up.ticks():
        parts.append(_line([(_LEFT, up.at(tick)), (_RIGHT, up.at(tick))], _RULE, width=0.6))
        parts.append(_text(_LEFT - 6, up.at(tick) + 4, _short(tick), "end"))
    parts.append(_text((_LEFT + _RIGHT) / 2, bottom + 34, plot.x, "middle"))
    for number, (series, held) in enumerate(zip(plot.series, drawn, strict=True)):
        low, middle, high = (
            [(across.at(x), up.at(getattr(y, end))) for x, y in held]
            for end in ("low", "middle", "high")
        )
        if any(below - above > 1 for (_, below), (_, above) in zip(low, high, strict=True)):
            band = _path([*low, *reversed(high)])
            parts.append(f'<path d="{band}z" fill="{_colour(number)}" opacity=".25"/>')
        key = _LINE * number + 10
        for curve in (middle, [(4.0, key), (18.0, key), (32.0, key)]):
            parts.append(_line(curve, _colour(number), _DASHES[series.role]))
            parts.append(_marks(curve if len(curve) < 40 else [], number, _colour(number)))
        beyond = " (in part beyond the plot)" if len(held) < len(series.points) else ""
        parts.append(_text(40, key + 4, series.name + beyond))
    names = "; ".join(series.name for series in plot.series)
    return _svg(bottom + 42, f"{plot.title}: {plot.y} over {plot.x}. Curves: {names}.", parts)


def printed_svg(rows: Sequence[PrintedRow]) -> str:
    """Return the SVG of the printed numbers, each with the exact law under each reading."""
    legend = [("printed, with its standard deviation", 0, _INK)]
    for number, reading in enumerate(Reading, 1):
        legend.append((f"least of any run, {reading}", number, _PAPER))
        legend.append((f"exact mean, {reading}", number, _colour(number - 1)))
    top = _LINE * len(legend) + 10
    bottom = top + _ROW * len(rows)
    laws = [one for row in rows for one in row.readings.values()]
    ends = [end for one in laws for end in (one.fewest, one.mean.high)]
    across = _Axis([*ends, *(row.printed.mean for row in rows)], True, 12, _RIGHT)
    parts = [*_grid(across, top, bottom)]
    for line, (name, number, fill) in enumerate(legend):
        parts.append(_marks([(12, _LINE * line + 10)], number, fill))
        parts.append(_text(26, _LINE * line + 14, name))
    for place, row in enumerate(rows):
        y = top + _ROW * place + 28
        printed = row.printed
        parts.append(_text(12, y - 12, f"{row.title}: {printed}", weight=600))
        least, x, most = (across.at(printed.mean + n * printed.deviation) for n in (-1, 0, 1))
        parts += (_line([(least, y), (most, y)], _INK), _line([(x, y), (x, y + 26)], _INK, "1 3"))
        parts.append(_marks([(x, y)], 0, _INK))
        for number, one in enumerate(row.readings.values(), 1):
            colour, dash = _colour(number - 1), ("none", "6 3")[number - 1]
            here = [(across.at(end), y + 13 * number) for end in (one.fewest, one.mean.middle)]
            parts += (_line(here, colour, dash), _marks(here[:1], number, _PAPER))
            parts.append(_marks(here[1:], number, colour))
    parts.append(_text(_WIDTH / 2, bottom + 34, "regret or rounds, logarithmic", "middle"))
    told = (
        f"{row.title}: printed {row.printed}"
        + "".join(
            f"; under {reading} exact mean {written(one.mean, 'middle')}, "
            f"least of any run {written(Enclosure.exactly(one.fewest), 'whole')}"
            for reading, one in row.readings.items()
        )
        for row in rows
    )
    return _svg(bottom + 42, f"{'. '.join(told)}.", parts)


def _fits(x: float, y: Enclosure, plot: Plot) -> bool:
    finite = isfinite(y.low) and isfinite(y.high)
    return finite and (x > 0 or not plot.log_x) and (y.low > 0 or not plot.log_y)


def _colour(number: int) -> str:
    """Return a colour of the page, which has a value where the picture stands alone."""
    number %= len(_COLOURS)
    return f"var(--series-{number + 1},{_COLOURS[number]})"


def _short(value: float) -> str:
    return f"{value:,.0f}" if 1e4 <= value < 1e6 else f"{value:g}"


def _path(points: _Points) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) if points else ""


def _line(points: _Points, colour: str, dash: str = "none", width: float = 1.6) -> str:
    stroke = f'stroke="{colour}" stroke-width="{width}" stroke-dasharray="{dash}"'
    return f'<path d="{_path(points)}" fill="none" {stroke}/>'


def _marks(points: _Points, number: int, fill: str) -> str:
    """Return markers at points; those filled like the paper have the colour of their series."""
    marker = _MARKERS[number % len(_MARKERS)]
    stroke = _colour(number - 1) if fill == _PAPER else fill
    path = "".join(f"M{x:.1f} {y:.1f}{marker}" for x, y in points)
    return f'<path d="{path}" fill="{fill}" stroke="{stroke}"/>'


def _grid(axis: _Axis, top: float, bottom: float) -> Iterator[str]:
    for tick in axis.ticks():
        yield _line([(axis.at(tick), top), (axis.at(tick), bottom)], _RULE, width=0.6)
        yield _text(axis.at(tick), bottom + 16, _short(tick), "middle")


def _text(x: float, y: float, text: str, anchor: str = "start", weight: int = 400) -> str:
    how = f'text-anchor="{anchor}" font-weight="{weight}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {how}>{_shown(text)}</text>'


def _shown(text: str) -> str:
    return escape(text.replace("Delta", "Δ").replace("delta", "δ"))


def _svg(height: float, label: str, parts: Sequence[str]) -> str:
    size = f'viewBox="0 0 {_WIDTH:.0f} {height:.0f}" width="{_WIDTH:.0f}" height="{height:.0f}"'
    font = 'font-family="system-ui,\'DejaVu Sans\',sans-serif" font-size="12" fill="currentColor"'
    return (
        f'<svg role="img" aria-label="{_shown(label)}" xmlns="http://www.w3.org/2000/svg" '
        f"{size} {font}>{''.join(parts)}</svg>"
    )
