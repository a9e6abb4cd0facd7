"""Plots as inline SVG with the page's colours, for light and dark themes.

matplotlib gets placeholder colours, which the page's style sheet defines. Series differ by marker
and dash as well as by colour, so that they can be told apart in print and by every reader.
"""

from __future__ import annotations

import io
import re
from html import escape
from math import isfinite, log10
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from tgite_checks.plot import Plot, Role, Series
from tgite_laws.enclosure import Enclosure

# Placeholder colours, each replaced by a variable of the page.
_INK = "#010101"
_FAINT = "#010102"
_COLOURS = tuple(f"#0101{10 + number}" for number in range(6))
_VARIABLES = {
    _INK: "currentColor",
    _FAINT: "var(--rule)",
    **{colour: f"var(--series-{number + 1})" for number, colour in enumerate(_COLOURS)},
}
_MARKERS = ("o", "s", "^", "D", "v", "P")
_DASHES = {Role.FOUND: "-", Role.BOUND: "--", Role.PRINTED: ":"}
_MOST_MARKED = 40
_FEW_DECADES = 1.5

# Inches; wide enough to read, and narrow enough for a telephone.
_WIDTH = 4.3
_HEIGHT = 2.9


_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "tgite",
    "font.family": "sans-serif",
    "font.size": 9.5,
    **{f"axes.{name}": True for name in ("grid", "axisbelow")},
    **{f"axes.spines.{side}": False for side in ("top", "right")},
    **{"axes.edgecolor": _FAINT, "grid.color": _FAINT, "grid.linewidth": 0.6},
    **dict.fromkeys(("axes.labelcolor", "text.color", "xtick.color", "ytick.color"), _INK),
    **{"legend.frameon": False, "legend.fontsize": 9},
    **{"lines.linewidth": 1.6, "lines.markersize": 4},
}


def plot_svg(plot: Plot, identity: str) -> str:
    """Return the SVG of a plot; ``identity`` makes its ids unique on the page."""
    with rc_context(_STYLE):
        height = _HEIGHT + 0.2 * ((len(plot.series) + 1) // 2)
        figure = Figure(figsize=(_WIDTH, height), layout="constrained")
        FigureCanvasSVG(figure)
        figure.patch.set_alpha(0.0)
        axes = figure.add_subplot()
        axes.patch.set_alpha(0.0)
        for number, series in enumerate(plot.series):
            _draw(axes, series, number, plot)
        if plot.log_x:
            axes.set_xscale("log")
            _plain_ticks(axes.xaxis, *axes.get_xlim())
        if plot.log_y:
            axes.set_yscale("log")
            _plain_ticks(axes.yaxis, *axes.get_ylim())
        axes.set_xlabel(plot.x)
        axes.set_ylabel(plot.y)
        figure.legend(loc="outside upper left", ncols=2, handlelength=2.4, columnspacing=1.2)
        names = "; ".join(series.name for series in plot.series)
        described = f"{plot.title}: {plot.y} over {plot.x}. Curves: {names}."
        return _svg(figure, identity, described)


def undrawable_curves(plot: Plot) -> tuple[str, ...]:
    """Return the names of curves with points that are infinite, or not positive on a log axis."""
    return tuple(
        series.name
        for series in plot.series
        if not all(_fits(x, y, plot) for x, y in series.points)
    )


def _plain_ticks(axis: Axis, low: float, high: float) -> None:
    """Label a logarithmic axis without powers; label minor ticks too if there are few others."""
    few = log10(high / low) < _FEW_DECADES
    axis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.set_minor_formatter(
        lambda value, _: f"{value:g}" if few and f"{value:e}"[0] in "25" else ""
    )


def _draw(axes: Axes, series: Series, number: int, plot: Plot) -> None:
    points = [(x, y) for x, y in series.points if _fits(x, y, plot)]
    if not points:
        return
    colour = _COLOURS[number % len(_COLOURS)]
    xs = [x for x, _ in points]
    few = len(points) <= _MOST_MARKED
    axes.plot(
        xs,
        [y.middle for _, y in points],
        label=series.name,
        color=colour,
        linestyle=_DASHES[series.role],
        marker=_MARKERS[number % len(_MARKERS)] if few else None,
    )
    if any(y.low < y.high for _, y in points):
        lows, highs = [y.low for _, y in points], [y.high for _, y in points]
        axes.fill_between(xs, lows, highs, color=colour, alpha=0.25, linewidth=0)


def _fits(x: float, y: Enclosure, plot: Plot) -> bool:
    finite = isfinite(y.low) and isfinite(y.high)
    return finite and (x > 0 or not plot.log_x) and (y.low > 0 or not plot.log_y)


def _svg(figure: Figure, identity: str, description: str) -> str:
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    for colour, variable in _VARIABLES.items():
        svg = svg.replace(colour, variable)
    svg = re.sub(r'\bid="', f'id="{identity}-', svg)
    svg = re.sub(r'(href="#|url\(#)', rf"\g<1>{identity}-", svg)
    # The label describes the picture to readers who cannot see it.
    return svg.replace("<svg ", f'<svg role="img" aria-label="{escape(description)}" ', 1)
