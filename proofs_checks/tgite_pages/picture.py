"""The picture of the printed and the exact numbers, for the README and the docs."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from html import escape

from matplotlib import rc_context
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from tgite_checks.claims.rendering import written
from tgite_checks.figures.table import PrintedRow, Reading

_COLOURS = ("#0b62a4", "#d55e00")
_MARKERS = ("s", "^")


def picture(rows: Sequence[PrintedRow]) -> str:
    """Return an SVG: each printed number, and the exact mean under each reading."""
    with rc_context({"svg.hashsalt": "tgite", "font.size": 9.5}):
        figure = Figure(figsize=(8.2, 0.55 * len(rows) + 1.3), layout="constrained")
        FigureCanvasSVG(figure)
        axes = figure.add_subplot()
        places = [len(rows) - number for number in range(len(rows))]
        for shift, (reading, colour, marker) in enumerate(
            zip(Reading, _COLOURS, _MARKERS, strict=True), start=1
        ):
            found = [row.readings[reading] for row in rows]
            heights = [place - 0.22 * shift for place in places]
            axes.errorbar(
                [one.mean.middle for one in found],
                heights,
                xerr=[one.deviation.middle for one in found],
                fmt=marker,
                color=colour,
                label=f"exact, {reading}",
            )
        printed = [row.printed.mean for row in rows]
        deviations = [row.printed.deviation for row in rows]
        axes.errorbar(printed, places, xerr=deviations, fmt="ko", label="printed")
        axes.set_yticks([place - 0.2 for place in places], [row.title for row in rows])
        axes.set_xscale("log")
        axes.set_xlabel("regret or rounds (mean, one standard deviation)")
        axes.grid(visible=True, axis="x", color="#dddddd")
        axes.set_axisbelow(True)
        axes.set_xticks([3000, 5000, 10_000, 20_000, 50_000])
        axes.minorticks_off()
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        figure.legend(loc="outside upper center", ncols=3, frameon=False)
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    svg = text.getvalue()
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    told = f'<svg role="img" aria-label="{escape(_described(rows))}" '
    return svg.replace("<svg ", told, 1)


def _described(rows: Sequence[PrintedRow]) -> str:
    """Return the picture's content in words, for readers who cannot see it."""
    return " ".join(
        f"{row.title}: printed {row.printed}; "
        + ", ".join(
            f"exact mean under {reading} {written(one.mean, 'whole')}"
            for reading, one in row.readings.items()
        )
        + "."
        for row in rows
    )
