"""Draw the two figures beyond the paper.

The first shows exact means, the second the costs that
``python -m tgite_checks.bounds.winner_costs`` writes. Nothing is simulated here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from tgite_checks.bounds.winner_costs import ARMS_OF_GAPS, SMALL_GAPS, Line, Way
from tgite_checks.figures.beyond import LEAST, REGRETS, Mean
from tgite_checks.figures.contestants import Panel
from tgite_checks.figures.drawing import (
    NOTE_GREY,
    TITLES,
    Label,
    grouped,
    label_at_the_end,
    one_two_five,
    saved,
    style,
    thousands,
)
from tgite_checks.figures.summary import Summary

_BEYOND_NOTE = (
    "Beyond the paper: exact means. Dashed, or a ring: with known gap g = Δ*. "
    "Grey: panel (a)'s comparators, simulated."
)
_BY_TEST = {
    "DuelTest": "#0072B2",
    "BudgetedDuelTest": "#0072B2",
    "MixtureTest": "#D55E00",
    "truncated SprtTest": "#D55E00",
    "": "#000000",
}
_BY_WAY: dict[Way, tuple[str, str | tuple[int, tuple[int, ...]]]] = {
    Way.LEAST: ("#000000", "-"),
    Way.PAPER: ("#0072B2", "-"),
    Way.BKT: ("#D55E00", "-"),
    Way.SAVAGE: ("#CC79A7", "-"),
    Way.A_WINNER: ("#009E73", (0, (5, 2))),
    Way.NOTHING: ("#009E73", "-"),
}
_WINNER_NOTE = (
    "Beyond the paper: winner's gap .3, δ = 0.01. TG-ITE-BAI (DuelTest) and BKT: exact means. "
    "Others: simulated, bars of two standard errors. Least: of any algorithm that assumes a winner."
)


def draw_beyond(
    means: Sequence[Mean], comparators: Iterable[Summary], stem: Path
) -> tuple[Path, Path]:
    """Draw exact duels per arm and exact regrets by pairwise test, with panel (a)'s comparators.

    Returns the paths of the PNG and the SVG.
    """
    with style():
        figure = Figure(figsize=(13.2, 4.6))
        each = figure.add_axes((0.05, 0.15, 0.26, 0.75))
        policies = figure.add_axes((0.75, 0.15, 0.17, 0.75))
        lines: dict[str, list[Mean]] = {}
        for one in means:
            if one.algorithm not in REGRETS:
                lines.setdefault(_entitled(one), []).append(one)
        labels = []
        for name, line in lines.items():
            colour, dash = _BY_TEST[line[0].test], "-" if line[0].g is None else (0, (5, 2))
            sizes, heights = zip(
                *((one.arms, one.mean.middle / one.arms) for one in line), strict=True
            )
            marker = {"BKT": "s", LEAST: ""}.get(line[0].algorithm, "o")
            each.plot(sizes, heights, color=colour, linestyle=dash, marker=marker, markersize=3)
            labels.append(Label(heights[-1], f"{name}  {heights[-1]:.1f}", colour, dash))
        simulated: dict[str, list[Summary]] = {}
        for played in comparators:
            simulated.setdefault(played.contestant.label, []).append(played)
        for name, curve in simulated.items():
            each.plot(
                [played.arena.size for played in curve],
                [played.mean / played.arena.size for played in curve],
                color=NOTE_GREY,
                linewidth=0.8,
            )
            last = curve[-1].mean / curve[-1].arena.size
            labels.append(Label(last, f"{name}  {last:.1f}", NOTE_GREY))
        each.set_xscale("log", base=2)
        each.set_yscale("log")
        each.set_xlabel("number of arms N")
        each.set_ylabel("duels / N")
        each.xaxis.set_major_formatter(FuncFormatter(lambda n, _: f"{n:.0f}"))
        each.yaxis.set_major_formatter(FuncFormatter(thousands))
        each.yaxis.set_minor_formatter(FuncFormatter(one_two_five))
        each.set_title(f"{TITLES[Panel.BAI]}: panel (a)'s instance")
        label_at_the_end(each, labels, max(one.arms for one in means))
        regrets = [one for one in means if one.algorithm in REGRETS]
        shown = sorted(regrets, key=lambda one: -REGRETS.index(one.algorithm))
        for row, one in enumerate(shown):
            told = one.g is not None
            colour, mean = _BY_TEST[one.test], one.mean.middle
            policies.plot(
                mean, row, color=colour, marker="o", markerfacecolor="w" if told else colour
            )
            policies.annotate(
                grouped(mean), (1.03, row), xycoords=policies.get_yaxis_transform(), va="center"
            )
        policies.set_xscale("log")
        policies.set_yticks(range(len(shown)), [_entitled(one) for one in shown])
        policies.tick_params(axis="y", length=0, labelsize=8)
        policies.xaxis.set_major_formatter(FuncFormatter(thousands))
        policies.xaxis.set_major_locator(LogLocator(subs=(1.0, 3.0)))
        policies.xaxis.set_minor_formatter(NullFormatter())
        policies.set_title("Regrets in panels (b) and (c)")
        policies.set_xlabel("mean regret at the end (logarithmic)")
        figure.text(0.05, 0.012, _BEYOND_NOTE, fontsize=7.5, color=NOTE_GREY)
        return saved(figure, stem)


def _entitled(one: Mean) -> str:
    """Return the label of a mean: algorithm, test and whether a gap is known."""
    told = "" if one.g is None else "told g"
    return ", ".join(filter(None, (one.algorithm, one.test, told)))


class Point(NamedTuple):
    """A point of a curve, with the standard error of its height."""

    x: float
    height: float
    error: float


def by_gap(lines: Iterable[Line], way: Way) -> list[Point]:
    """Return the cost of a way against the other gap, at ``ARMS_OF_GAPS`` arms, winner gap .3."""
    names = {f"cyclic, N = {ARMS_OF_GAPS}, .3 and {gap[1:]}": float(gap) for gap in SMALL_GAPS}
    return [
        Point(names[one.instance], float(one.comparisons), float(one.error or 0))
        for one in lines
        if one.instance in names and (one.delta, one.way, one.over) == ("1/100", way, "")
    ]


def by_arms(lines: Iterable[Line], way: Way) -> list[Point]:
    """Return the cost per arm of a way against the number of arms, other gaps .05."""
    return [
        Point(N, float(one.comparisons) / N, float(one.error or 0) / N)
        for one in lines
        if (one.instance, one.delta) == (f"cyclic, N = {(N := int(one.arms))}, .3 and .05", "1/100")
        and (one.way, one.over) == (way, "")
    ]


def draw_one_assumption(lines: Sequence[Line], stem: Path) -> tuple[Path, Path]:
    """Draw the costs of ways that assume only a winner and of ways that assume more."""
    with style():
        figure = Figure(figsize=(13.2, 4.6))
        gaps = figure.add_axes((0.075, 0.15, 0.2, 0.75))
        arms = figure.add_axes((0.58, 0.15, 0.2, 0.75))
        _draw_curves(gaps, {way: by_gap(lines, way) for way in _BY_WAY}, falling=True)
        gaps.set_xlabel("gap of each other pair (falling)")
        gaps.set_ylabel("duels")
        gaps.set_title(f"Identification among {ARMS_OF_GAPS} arms, by the losers' gap")
        _draw_curves(arms, {way: by_arms(lines, way) for way in _BY_WAY}, falling=False)
        arms.xaxis.set_major_formatter(FuncFormatter(lambda n, _: f"{n:.0f}"))
        arms.set_xlabel("number of arms N")
        arms.set_ylabel("duels / N")
        arms.set_title("Other gaps .05")
        figure.text(0.05, 0.012, _WINNER_NOTE, fontsize=7.5, color=NOTE_GREY)
        return saved(figure, stem)


def _draw_curves(axes: Axes, curves: dict[Way, list[Point]], *, falling: bool) -> None:
    axes.set_xscale("log", base=10 if falling else 2)
    axes.set_yscale("log")
    places = [point.x for points in curves.values() for point in points]
    end = min(places) if falling else max(places)
    labels = []
    for way, points in curves.items():
        ordered = sorted(points, reverse=falling)
        if not ordered:
            continue
        colour, dash = _BY_WAY[way]
        xs, heights, errors = zip(*ordered, strict=True)
        bars = [2 * error for error in errors]
        axes.errorbar(
            xs, heights, bars, color=colour, linestyle=dash, marker="o", markersize=3, linewidth=1.5
        )
        where = "" if xs[-1] == end else f" at {xs[-1]:g}"
        labels.append(Label(heights[-1], f"{way}  {grouped(heights[-1])}{where}", colour, dash))
    axes.yaxis.set_major_formatter(FuncFormatter(thousands))
    axes.yaxis.set_minor_formatter(NullFormatter())
    if falling:
        axes.set_xticks([float(gap) for gap in SMALL_GAPS], SMALL_GAPS)
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.invert_xaxis()
    axes.autoscale_view()  # otherwise labels miss the ends of their curves
    label_at_the_end(axes, labels, end)
