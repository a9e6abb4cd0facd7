"""Draw one figure per panel, as PNG and SVG.

Colours are Okabe and Ito's, for colour-blind readers; known-gap versions are dashed. Each curve is
labelled at its end with its final mean and standard deviation. Bands are one standard deviation on
each side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from matplotlib import rc, rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

from tgite_checks.figures.contestants import Panel
from tgite_checks.figures.runs import times
from tgite_checks.figures.settings import Data
from tgite_checks.figures.summary import Summary
from tgite_checks.printed import NUMBERS

_GREY = "#6b6b6b"
NOTE_GREY = "#4a4a4a"
_COLOURS = {
    key: colour
    for colour, keys in {
        "#0072B2": "tg-ite-bai tg-ite-weak tg-ite-strong-kh",
        "#D55E00": "tg-ite-strong-anytime bkt",
        "#009E73": "seq-elim seq-eliminate-pac wr-tinf",
        "#CC79A7": "knockout versatile-db",
        "#000000": "wsw-pe ws-w ws-s-1.1 ws-s-2",
        "#56B4E9": "wr-exp3-ix rmed2",
        "#E69F00": "rucb rmed1 double-ts merge-rucb",
        "#6b6b6b": "beat-the-mean interleaved-filter-2",
    }.items()
    for key in keys.split()
}
_DASHED = {"seq-eliminate-pac", "ws-s-2", "rmed1", "interleaved-filter-2"}
_DOTTED = {"rmed2", "double-ts", "merge-rucb"}
_KNOWN_GAP = "-known-gap"
_PRINTED_DASH = (0, (1, 2))
_NOTE = "TG-ITE with DuelTest; (known gap): with BudgetedDuelTest, g = Δ*. "
_REGRET_NOTE = (
    _NOTE + "KH: known horizon.\n"
    "Bands: one standard deviation on each side, cut at 0 and at t, the largest possible regret."
)
_SIZES_NOTE = (
    _NOTE + "Bands: one standard deviation on each side. WSW-PE is too slow beyond N = 512."
)
_FINALS_NOTE = _NOTE + "Bars: one standard deviation on each side."
_CURVES = 4.2
_LETTER = 0.073
"""In inches: the width of a regret panel's axes and of the widest letter of its labels."""

TITLES = {
    Panel.BAI: "Identification: duels until the answer (δ = 0.1)",
    Panel.WEAK: "Weak regret",
    Panel.STRONG: "Strong regret",
}


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed number of a panel, drawn as a line."""

    value: float
    text: str


@contextmanager
def style() -> Iterator[None]:
    """Set the style of all figures."""
    with rc_context():
        rc("svg", fonttype="none", hashsalt="tgite")
        rc("font", family="sans-serif", size=9)
        rc("axes", edgecolor="#b0b0b0", grid=True, axisbelow=True, titlesize=10.5)
        rc("axes", titlelocation="left", labelcolor="#303030")
        rc("axes.spines", top=False, right=False)
        rc("grid", color="#ececec", linewidth=0.7)
        rc("xtick", color="#303030")
        rc("ytick", color="#303030")
        rc("lines", linewidth=1.7)
        yield


def draw_regret(
    summaries: Sequence[Summary], printed: Sequence[Printed], stem: Path
) -> tuple[Path, Path]:
    """Draw regret over time; return the paths of the PNG and the SVG."""
    arena = summaries[0].arena
    with style():
        # Curves have a fixed width; the margin fits the longest label.
        longest = max(map(len, [*map(_named, summaries), *(one.text for one in printed)]))
        width = _CURVES + 1.4 + longest * _LETTER
        figure = Figure(figsize=(width, 4.9))
        axes = figure.add_axes((0.85 / width, 0.17, _CURVES / width, 0.74))
        x = [0, *times(arena)]
        highest = min(max(one.mean + one.deviation for one in summaries), x[-1])
        axes.set_xlim(0, x[-1])
        axes.set_ylim(0, highest * 1.04)
        labels = []
        for one in summaries:
            mean, band = [0.0, *one.curve], [0.0, *one.band]
            colour, dash = _look(one.contestant.key)
            axes.plot(x[: len(mean)], mean, color=colour, linestyle=dash)
            low = [max(m - s, 0.0) for m, s in zip(mean, band, strict=True)]
            high = [min(m + s, t) for m, s, t in zip(mean, band, x, strict=False)]
            axes.fill_between(x[: len(mean)], low, high, color=colour, alpha=0.12, linewidth=0)
            labels.append(Label(mean[-1], _named(one), colour, dash))
        for number in printed:
            axes.axhline(number.value, color=_GREY, linewidth=0.9, linestyle=_PRINTED_DASH)
            labels.append(Label(number.value, number.text, _GREY, _PRINTED_DASH))
        label_at_the_end(axes, labels, x[-1])
        axes.set_title(f"{TITLES[arena.panel]}: {arena.name}, mean of {summaries[0].runs} seeds")
        figure.text(0.85 / width, 0.012, _REGRET_NOTE, fontsize=7.5, color=NOTE_GREY)
        axes.xaxis.set_major_locator(MaxNLocator(5))
        axes.set_xlabel("round t")
        axes.set_ylabel(f"{arena.panel} regret up to t")
        axes.xaxis.set_major_formatter(FuncFormatter(thousands))
        axes.yaxis.set_major_formatter(FuncFormatter(thousands))
        return saved(figure, stem)


def draw_sizes(summaries: Sequence[Summary], stem: Path) -> tuple[Path, Path]:
    """Draw panel (a): duels and duels per arm against the number of arms."""
    with style():
        figure = Figure(figsize=(10.8, 4.6))
        total = figure.add_axes((0.065, 0.15, 0.28, 0.75))
        each = figure.add_axes((0.425, 0.15, 0.3, 0.75))
        labels = []
        for key in dict.fromkeys(one.contestant.key for one in summaries):
            mine = [one for one in summaries if one.contestant.key == key]
            colour, dash = _look(key)
            sizes = [one.arena.size for one in mine]
            for axes, by in ((total, [1] * len(mine)), (each, sizes)):
                mean = [one.mean / n for one, n in zip(mine, by, strict=True)]
                band = [one.deviation / n for one, n in zip(mine, by, strict=True)]
                axes.plot(sizes, mean, color=colour, linestyle=dash, marker="o", markersize=3)
                low = [max(m - s, m / 10) for m, s in zip(mean, band, strict=True)]
                high = [m + s for m, s in zip(mean, band, strict=True)]
                axes.fill_between(sizes, low, high, color=colour, alpha=0.12, linewidth=0)
            last = mine[-1]
            until = "" if last.arena.size == summaries[-1].arena.size else f" (to N = {sizes[-1]})"
            labels.append(Label(last.mean / sizes[-1], last.contestant.label + until, colour, dash))
        for axes in (total, each):
            axes.set_xscale("log", base=2)
            axes.set_yscale("log")
            axes.set_xlabel("number of arms N")
            axes.xaxis.set_major_formatter(FuncFormatter(lambda n, _: f"{n:.0f}"))
            axes.yaxis.set_major_formatter(FuncFormatter(thousands))
            axes.yaxis.set_minor_formatter(NullFormatter())
        each.set_yticks([10, 20, 50, 100, 200, 500], minor=False)
        top = max((one.mean + one.deviation) / one.arena.size for one in summaries)
        bottom = min((one.mean - one.deviation) / one.arena.size for one in summaries)
        each.set_ylim(max(bottom, 1.0) * 0.9, top * 1.1)
        total.set_ylabel("duels")
        each.set_ylabel("duels / N")
        total.set_title(f"Duels, δ = 0.1, cyclic, {summaries[0].runs} seeds")
        each.set_title("Duels per arm")
        figure.text(0.065, 0.012, _SIZES_NOTE, fontsize=7.5, color=NOTE_GREY)
        label_at_the_end(each, labels, max(one.arena.size for one in summaries))
        return saved(figure, stem)


def draw_finals(summaries: Sequence[Summary], stem: Path) -> tuple[Path, Path]:
    """Draw panel (a) for one matrix: each contestant's duels."""
    with style():
        height = 1.25 + 0.3 * len(summaries)
        figure = Figure(figsize=(9.6, height))
        axes = figure.add_axes((0.27, 0.85 / height, 0.45, 1 - 1.25 / height))
        shown = sorted(summaries, key=lambda one: -one.mean)
        # A bar that reaches 0 has no end on a logarithmic axis: draw it to the edge.
        ends = [one.mean - one.deviation for one in shown]
        left = 0.8 * min([one.mean for one in shown] + [end for end in ends if end > 0])
        right = 1.25 * max(one.mean + one.deviation for one in shown)
        for row, (one, end) in enumerate(zip(shown, ends, strict=True)):
            colour, _ = _look(one.contestant.key)
            known = one.contestant.key.endswith(_KNOWN_GAP)
            axes.plot([max(end, left), one.mean + one.deviation], [row, row], color=colour)
            axes.plot(
                one.mean, row, color=colour, marker="o", markerfacecolor="w" if known else colour
            )
            axes.annotate(
                _named(one).removeprefix(one.contestant.label).strip(),
                (1.03, row),
                xycoords=axes.get_yaxis_transform(),
                va="center",
            )
        axes.set_xscale("log")
        axes.set_yticks(range(len(shown)), [one.contestant.label for one in shown])
        axes.tick_params(axis="y", length=0)
        axes.set_ylim(-0.6, len(shown) - 0.4)
        axes.set_xlim(left, right)
        axes.xaxis.set_major_formatter(FuncFormatter(thousands))
        axes.xaxis.set_minor_formatter(FuncFormatter(one_two_five))
        axes.tick_params(axis="x", which="both", pad=4)
        arena = summaries[0].arena
        axes.set_title(f"{TITLES[Panel.BAI]}: {arena.name}; {summaries[0].runs} seeds", x=-0.5)
        axes.set_xlabel("duels (logarithmic)")
        figure.text(0.02, 0.06 / height, _FINALS_NOTE, fontsize=7.5, color=NOTE_GREY)
        return saved(figure, stem)


@dataclass(frozen=True, slots=True)
class Label:
    """A curve's label: its text, height and style."""

    height: float
    text: str
    colour: str
    dash: str | tuple[int, tuple[int, ...]] = "-"


_STEP = 0.058
"""The least distance between labels, as a share of the axes' height."""


def label_at_the_end(axes: Axes, labels: Sequence[Label], x: float) -> None:
    """Write labels right of the axes, each joined to the end of its curve by a line."""
    to_axes = axes.transData + axes.transAxes.inverted()
    own = {id(one): float(to_axes.transform((x, one.height))[1]) for one in labels}
    placed = sorted(labels, key=lambda one: own[id(one)])
    points = [min(max(own[id(one)], 0.0), 1.0) for one in placed]
    for one, point, height in zip(placed, points, _spread(points), strict=True):
        axes.plot(
            [1.0, 1.03, 1.075],
            [point, height, height],
            color=one.colour,
            linestyle=one.dash,
            linewidth=1.3,
            transform=axes.transAxes,
            clip_on=False,
        )
        axes.text(1.085, height, one.text, va="center", fontsize=8.5, transform=axes.transAxes)


def _spread(points: Sequence[float]) -> list[float]:
    """Return ascending points, moved apart where they are too close; groups keep their middle."""
    groups: list[tuple[float, int]] = []
    for point in points:
        middle, size = point, 1
        while groups and middle - (size - 1) * _STEP / 2 < groups[-1][0] + (
            (groups[-1][1] + 1) * _STEP / 2
        ):
            before, count = groups.pop()
            middle = (before * count + middle * size) / (count + size)
            size += count
        # Lift groups that reach below the axes; a lifted group may absorb the next.
        groups.append((max(middle, (size - 1) * _STEP / 2), size))
    return [middle + (k - (size - 1) / 2) * _STEP for middle, size in groups for k in range(size)]


def _named(one: Summary) -> str:
    mean, deviation = thousands(one.mean, 0), thousands(one.deviation, 0)
    text = f"{one.contestant.label}  {mean} ± {deviation}"
    if one.cut:
        text += f" ({one.cut} of {one.runs} runs cut)"
    if one.wrong:
        text += f" ({one.wrong} of {one.runs} wrong)"
    return f"{text} (not valid here)" if one.objection else text


def _look(key: str) -> tuple[str, str | tuple[int, tuple[int, ...]]]:
    base = key.removesuffix(_KNOWN_GAP)
    if key.endswith(_KNOWN_GAP) or key in _DASHED:
        return _COLOURS[base], (0, (5, 2))
    return _COLOURS[base], (0, (1, 1)) if key in _DOTTED else "-"


def grouped(value: float) -> str:
    """Return the nearest whole number, digits in groups of three."""
    return f"{value:,.0f}".replace(",", " ")


def thousands(value: float, _: object) -> str:
    """Return a tick's number, digits in groups of three."""
    return grouped(value)


def one_two_five(value: float, _: object) -> str:
    """Return a minor tick's number if it begins with 2 or 5, otherwise ""."""
    return thousands(value, 0) if f"{value:.0e}"[0] in "25" else ""


def saved(figure: Figure, stem: Path) -> tuple[Path, Path]:
    """Save a figure as PNG and SVG; return the files."""
    png, svg = stem.with_suffix(".png"), stem.with_suffix(".svg")
    FigureCanvasAgg(figure)
    figure.savefig(png, dpi=160)
    figure.savefig(svg, metadata={"Date": None})
    return png, svg


def draw_all(
    data: Data,
    summaries: Sequence[Summary],
    printed: Mapping[Panel, tuple[Printed, ...]],
    folder: Path,
) -> list[Path]:
    """Draw the three panels in a folder; return the files."""
    files: list[Path] = []
    for panel, letter in ((Panel.BAI, "a"), (Panel.WEAK, "b"), (Panel.STRONG, "c")):
        mine = [one for one in summaries if one.arena.panel is panel]
        stem = folder / f"panel-{letter}-{panel}"
        if panel is not Panel.BAI:
            files += draw_regret(mine, printed.get(panel, ()), stem)
        elif data is Data.PAPER:
            files += draw_sizes(mine, stem)
        else:
            files += draw_finals(mine, stem)
    return files


PRINTED_LINES: Mapping[Panel, tuple[Printed, ...]] = {
    panel: tuple(
        Printed(one.mean, f"the paper: {one.policy}  {grouped(one.mean)} ± {one.deviation}")
        for one in NUMBERS.values()
        if one.deviation and one.panel == panel
    )
    for panel in (Panel.WEAK, Panel.STRONG)
}
"""The printed regrets, drawn as lines in the paper's panels."""
