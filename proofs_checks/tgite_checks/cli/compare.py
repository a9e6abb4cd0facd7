"""``tgite compare``: compare TG-ITE with any algorithm, also your own, on any preferences."""

from __future__ import annotations

import csv
import json
import random
import statistics
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, TypedDict, Unpack, cast

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from tgite import (
    Arm,
    Ended,
    InvalidInput,
    PreferenceMatrix,
    Preferences,
    Run,
    SeededEnvironment,
    play,
)
from tgite.errors import handled, require, require_whole_number
from tgite_checks.figures.contestants import CONTESTANTS, Contestant, Maker, Panel
from tgite_checks.figures.curves import Regret, RegretCurve, evenly
from tgite_checks.figures.settings import winner_in_the_middle
from tgite_laws.cli.inputs import (
    OUTPUT,
    PLAYING,
    AsJson,
    PreferenceOptions,
    in_panels,
    with_option_groups,
)
from tgite_laws.user_code import CRASHES, described, load

_POINTS = 500


@dataclass(frozen=True, slots=True)
class Compared:
    """The results of one algorithm's runs: its mean cost, and its mean regret at given times.

    The cost is the number of comparisons in the panel ``bai``, else weak or strong regret.
    ``wrong`` counts the runs that ended with an arm other than the winner. ``cut`` counts the runs
    that the budget cut.
    """

    algorithm: str
    mean: float
    deviation: float
    wrong: int
    cut: int
    note: str
    curve: tuple[float, ...]


@with_option_groups
@in_panels({PLAYING: "algorithms seeds horizon budget", OUTPUT: "output as_json"})
def compare(
    named: PreferenceOptions,
    panel: Annotated[
        Panel, typer.Argument(help="What is compared: bai, weak or strong.")
    ] = Panel.STRONG,
    algorithms: Annotated[
        str | None,
        typer.Option(
            "--with",
            help="Comparators beside TG-ITE, by key, or your own, module:function; commas between.",
        ),
    ] = None,
    seeds: Annotated[int, typer.Option(help="Runs of each: the seeds 0, 1, ...")] = 10,
    horizon: Annotated[int, typer.Option(help="Rounds, for weak and strong.")] = 20_000,
    budget: Annotated[int, typer.Option(help="The most duels, for bai.")] = 2_000_000,
    output: Annotated[Path | None, typer.Option(help="Write finals.csv and curves.csv here.")] = (
        None
    ),
    as_json: AsJson = False,
) -> None:
    """Play TG-ITE and any comparator, your own too, on your preferences: finals and curves."""
    for name, value in (("seeds", seeds), ("horizon", horizon), ("budget", budget)):
        require_whole_number(name, value, at_least=1)
    where, preferences = named.read()
    if isinstance(preferences, PreferenceMatrix):
        # As in the figures, the winner must not be the arm with which all algorithms start.
        preferences = winner_in_the_middle(preferences)
    winner = preferences.winner()
    contestants = chosen(panel, algorithms)
    if output is not None:
        with handled("output", output, "made"):
            output.mkdir(parents=True, exist_ok=True)
    console = Console(stderr=True)
    limit = budget if panel is Panel.BAI else horizon
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        found = [
            compared(panel, one, preferences, seeds, limit)
            for one in bar.track(contestants, description="playing")
        ]
    times = () if panel is Panel.BAI else evenly(horizon, _POINTS)
    if output is not None:
        _write(output / "finals.csv", _FINALS, [_final(one) for one in found])
        rows = [(time, *(one.curve[k] for one in found)) for k, time in enumerate(times)]
        _write(output / "curves.csv", ("round", *(one.algorithm for one in found)), rows)
    if as_json:
        shown = {"panel": panel, "preferences": where, "seeds": seeds, "limit": limit}
        algorithms_ = [{**asdict(one), "curve": list(one.curve)} for one in found]
        typer.echo(json.dumps({**shown, "times": list(times), "algorithms": algorithms_}))
        return
    table = Table("", _COST[panel], "deviation", "", box=None)
    for one in found:
        parts = [
            f"{one.wrong} of {seeds} wrong" if one.wrong else "",
            f"{one.cut} of {seeds} cut" if one.cut else "",
            one.note,
        ]
        note = "; ".join(filter(None, parts))
        table.add_row(one.algorithm, f"{one.mean:,.0f}", f"{one.deviation:,.0f}", note)
    say = Console(soft_wrap=True, highlight=False, markup=False)
    named_winner = f"winner {preferences.names[winner]} (arm {winner} here)"
    say.print(f"{panel} on {where}: {preferences.size} arms, {named_winner}, {seeds} seeds")
    say.print(table)


_COST = {Panel.BAI: "comparisons", Panel.WEAK: "weak regret", Panel.STRONG: "strong regret"}
_FINALS = ("algorithm", "mean", "deviation", "wrong", "cut", "note")


def chosen(panel: Panel, written: str | None) -> list[Contestant]:
    """Return TG-ITE in both forms and the named comparators, by default all of the panel.

    An algorithm for one of the regrets may also be named for the other. Raises
    :class:`~tgite.errors.InvalidInput` for a name that is neither a comparator's key nor
    ``module:function``.
    """
    here = CONTESTANTS[panel]
    own = [one for one in here if one.own]
    if written is None:
        return [*own, *(one for one in here if not one.own and not one.wider)]
    regrets = [] if panel is Panel.BAI else [*CONTESTANTS[Panel.WEAK], *CONTESTANTS[Panel.STRONG]]
    known = {one.key: one for one in [*regrets, *here] if not one.own}
    found = []
    if "" not in sys.path:  # The user's module may be in the current folder.
        sys.path.insert(0, "")
    for name in filter(None, (part.strip() for part in written.split(","))):
        if ":" in name:
            make = cast(Maker, load(name))
            found.append(Contestant(name, name, make, own=True))
        else:
            among = f"must be module:function or one of {', '.join(known)}"
            require(name in known, "with", name, among)
            found.append(known[name])
    return [*own, *found]


def compared(
    panel: Panel, one: Contestant, preferences: Preferences, seeds: int, limit: int
) -> Compared:
    """Return the results of an algorithm's runs with the seeds 0, 1, ...

    A run's outcomes depend on its seed, and the algorithm's own choices on another seed. Raises
    :class:`~tgite.errors.InvalidInput` if a user's algorithm raises an error or ends before the
    horizon.
    """
    winner = preferences.winner()
    costs: list[int] = []
    curves: list[Sequence[int]] = []
    wrong = cut = 0
    for seed in range(seeds):
        if panel is Panel.BAI:
            run = _run(one, preferences, seed, limit, budget=limit)
            costs.append(run.comparisons)
            cut += run.ended is Ended.BUDGET
            wrong += run.returned is not None and run.returned != winner
            continue
        weak = panel is Panel.WEAK
        regret = Regret.WEAK if weak else Regret.STRONG
        curve = RegretCurve(regret, winner, evenly(limit, _POINTS))
        run = _run(one, preferences, seed, limit, horizon=limit, recorder=curve)
        if run.rounds < limit:
            must = f"must go on until the horizon, but ended after {run.rounds} rounds"
            raise InvalidInput("algorithm", one.key, must)
        costs.append((run.weak_regret if weak else run.strong_regret) or 0)
        curves.append(curve.values)
    return Compared(
        one.label,
        statistics.fmean(costs),
        statistics.stdev(costs) if seeds > 1 else 0.0,
        wrong,
        cut,
        one.objection(preferences),
        tuple(map(statistics.fmean, zip(*curves, strict=True))),
    )


class _Limits(TypedDict, total=False):
    horizon: int
    budget: int
    recorder: RegretCurve


def _run(
    one: Contestant, preferences: Preferences, seed: int, limit: int, **limits: Unpack[_Limits]
) -> Run[Arm | None]:
    try:
        stream = one.make(preferences, limit, random.Random(f"{one.key}:{seed}"))
        environment = SeededEnvironment(preferences, seed)
        return play(stream, environment, preferences.winner(), **limits)
    except CRASHES as error:
        if ":" not in one.key:
            raise
        what = f"raised {described(error)}, with seed {seed}"
        raise InvalidInput("algorithm", one.key, what) from error


def _final(one: Compared) -> tuple[object, ...]:
    return tuple(getattr(one, name) for name in _FINALS)


def _write(path: Path, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    with handled("output", path, "written"), path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)
