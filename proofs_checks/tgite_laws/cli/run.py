"""``tgite run``: play a policy on an instance, a matrix or a tape."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from tgite import (
    Arm,
    Confidence,
    Ended,
    Environment,
    Interrupted,
    NoCondorcetWinner,
    Preferences,
    Run,
    SeededEnvironment,
    TapeEnvironment,
    play,
    require_condorcet_gap,
    require_known_gap,
)
from tgite.beyond import Assumption
from tgite.confidence import read_rational
from tgite.errors import handled, require, require_whole_number
from tgite.playing.trace import TraceEnvironment, TraceWriter, read_trace
from tgite.preferences import HALF
from tgite_laws.cli.inputs import (
    OUTPUT,
    PLAYING,
    AsJson,
    KnownGap,
    PreferenceOptions,
    Test,
    in_panels,
    read_arm,
    read_conventions,
    read_test,
    with_option_groups,
)
from tgite_laws.cli.policies import CertificateProgress, Policy, Setting

_NO_ANSWER, _INTERRUPTED = 1, 130
_MEASURES = ("rounds", "comparisons", "weak_regret", "strong_regret")


@with_option_groups
@in_panels(
    {
        "Policy": "start delta g test assume_winner margin convention unguaranteed",
        PLAYING: "horizon budget seed repetitions tape",
        OUTPUT: "trace as_json",
    }
)
def run(
    policy: Annotated[Policy, typer.Argument(help="The policy to play.")],
    named: PreferenceOptions,
    start: Annotated[str | None, typer.Option(help="Starting arm, number or name.")] = None,
    delta: Annotated[
        str | None, typer.Option(help="Confidence of bai, or of weak's warm start (1/4).")
    ] = None,
    g: KnownGap = None,
    test: Test = None,
    assume_winner: Annotated[
        bool, typer.Option(help="Let the certificate of best assume that there is a winner.")
    ] = False,
    margin: Annotated[
        str | None, typer.Option(help="Let certify allow for near ties, within this margin.")
    ] = None,
    horizon: Annotated[int | None, typer.Option(help="Rounds, self-play included.")] = None,
    budget: Annotated[int | None, typer.Option(help="The most duels.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the first repetition (0).")] = None,
    repetitions: Annotated[
        int | None, typer.Option(help="Runs with seeds from SEED on (1).")
    ] = None,
    trace: Annotated[Path | None, typer.Option(help="Write everything played to a file.")] = None,
    tape: Annotated[
        Path | None, typer.Option(help="Play a trace file, or outcomes of the digits 0 and 1.")
    ] = None,
    convention: Annotated[
        list[str] | None, typer.Option(help="A choice the paper leaves open, NAME=VALUE.")
    ] = None,
    unguaranteed: Annotated[
        bool, typer.Option(help="Play even where the paper guarantees nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Play a policy; print the arm that it found, its comparisons and its regret.

    If best or certify ends without an answer, the command says why and exits with status 1. To
    compare items of your own, use tgite judge.
    """
    conventions = read_conventions(convention or [])
    finds = policy is Policy.BEST
    certifies = policy is Policy.CERTIFY
    chosen = read_test(test, g)
    has_meaning = margin is None or certifies
    require(has_meaning, "margin", str(margin), "has a meaning only for certify")
    within = None if margin is None else read_rational("margin", margin)

    def setting_of(names: Sequence[str]) -> Setting:
        return Setting(
            policy=policy,
            size=len(names),
            start=read_arm(names, start, conventions),
            delta=None if delta is None else Confidence.of(delta),
            test=chosen,
            horizon=horizon,
            budget=budget,
            conventions=conventions,
            assumes=Assumption.A_WINNER if assume_winner else Assumption.NOTHING,
            margin=within,
        )

    seed, repetitions = seed or 0, 1 if repetitions is None else repetitions
    name, preferences = named.read()
    require(finds or not assume_winner, "assume-winner", "given", f"has no meaning for {policy}")
    if finds or certifies:
        meant = () if certifies else (("start", start),)
        for option, one in (*meant, ("test", test), ("g", g), ("horizon", horizon)):
            require(one is None, option, str(one), f"has no meaning for {policy}")
        if budget is None and margin is None:
            _require_an_end(policy, preferences, read_arm(preferences.names, start, conventions))
    elif not unguaranteed and chosen.g is None:
        require_condorcet_gap(preferences)
    elif not unguaranteed and chosen.g is not None:
        require_known_gap(preferences, chosen.g)
    setting = setting_of(preferences.names)
    require_whole_number("seed", seed, at_least=0)
    require_whole_number("repetitions", repetitions, at_least=1)
    alone = repetitions == 1 or (trace is None and tape is None)
    require(alone, "repetitions", repetitions, "must be 1 with a trace file or a tape")
    played_tape = None if tape is None else read_tape(tape)
    about: dict[str, object] = {
        "policy": policy,
        "preferences": name,
        "test": setting.means,
        "start": conventions.written(setting.start),
        "delta": None if setting.delta is None else str(setting.delta),
        "horizon": horizon,
        "budget": budget,
        "conventions": asdict(conventions),
    }
    runs: list[Run[Arm | None]] = []
    missing: list[str] = []
    console = Console(stderr=True)
    quiet = repetitions == 1 or not console.is_terminal
    with Progress(console=console, transient=True, disable=quiet) as bar:
        for repetition in bar.track(range(repetitions), description="playing"):
            environment = played_tape or SeededEnvironment(preferences, seed + repetition)
            progress = CertificateProgress() if finds or certifies else None
            runs.append(_played(setting, preferences, environment, trace, about, progress))
            if progress is not None and runs[-1].returned is None:
                missing.append(progress.missing(preferences.names))
            if runs[-1].ended is Ended.INTERRUPTED:
                break
    if as_json:
        played = [_as_json(setting, preferences, one) for one in runs]
        shown = {**about, "seed": seed, "runs": played}
        summary = {"right": _right(preferences, runs), "runs": len(runs), **_spreads(runs)}
        if finds or certifies:
            shown["missing"] = missing
        typer.echo(json.dumps({**shown, "summary": summary}, indent=2))
    else:
        _print(name, setting, preferences, runs)
        for one in missing:
            typer.echo(f"no answer: {one}")
    if runs[-1].ended is Ended.INTERRUPTED:
        raise typer.Exit(_INTERRUPTED)
    if missing:
        raise typer.Exit(_NO_ANSWER)


def read_tape(path: Path) -> Environment:
    """Read a tape: a trace file, or outcomes as digits 0 and 1 with any white space."""
    with handled("tape", path):
        text = path.read_text(encoding="ascii")
    digits = "".join(text.split())
    if digits and not set(digits) - {"0", "1"}:
        return TapeEnvironment(digit == "1" for digit in digits)
    return TraceEnvironment(read_trace(path))


def _require_an_end(policy: Policy, preferences: Preferences, c: Arm) -> None:
    """Refuse a run that need not end, unless it has a budget.

    ``best`` need not end without a winner. ``certify`` need not end if its arm ties with another
    one, unless it has a margin.
    """
    if policy is Policy.CERTIFY:
        others = (j for j in range(preferences.size) if j != c)
        tied = [preferences.names[j] for j in others if preferences.probability(c, j) == HALF]
        must = "must be given, or a margin: no match with an arm that ties need end"
        require(not tied, "budget", "nothing", must)
    else:
        ends = _winner(preferences) is not None
        require(ends, "budget", "nothing", "must be given: without a winner, best need not end")


def _played(
    setting: Setting,
    preferences: Preferences,
    environment: Environment,
    trace: Path | None,
    about: dict[str, object],
    progress: CertificateProgress | None,
) -> Run[Arm | None]:
    first_arm = setting.conventions.first_arm
    with nullcontext() if trace is None else TraceWriter(trace, first_arm, about) as writer:
        played: Run[Arm | None]
        try:
            played = play(
                setting.stream(progress),
                environment,
                winner=_winner(preferences),
                horizon=setting.horizon,
                budget=setting.budget,
                recorder=writer,
            )
        except Interrupted as interrupted:
            played = interrupted.run
        if writer is not None:
            writer.finish(played)
    return played


def _answer(run: Run[Arm | None]) -> Arm | None:
    """Return the run's final arm: the returned arm, else the last announced incumbent."""
    return run.incumbent if run.returned is None else run.returned


def _measures(run: Run[Arm | None]) -> dict[str, int]:
    """Return the run's counts, with the regret only if there is a Condorcet winner."""
    return {name: value for name in _MEASURES if (value := getattr(run, name)) is not None}


def _as_json(setting: Setting, preferences: Preferences, run: Run[Arm | None]) -> dict[str, object]:
    answer = _answer(run)
    return {
        "ended": run.ended,
        "returned": run.returned is not None,
        "arm": None if answer is None else setting.conventions.written(answer),
        "name": None if answer is None else preferences.names[answer],
        "right": answer is not None and answer == _winner(preferences),
        **_measures(run),
    }


def _spreads(runs: Sequence[Run[Arm | None]]) -> dict[str, dict[str, float]]:
    spreads = {}
    for name in _measures(runs[0]):
        values = [_measures(run)[name] for run in runs]
        deviation = statistics.stdev(values) if len(values) > 1 else 0.0
        spreads[name] = {"mean": statistics.fmean(values), "standard_deviation": deviation}
    return spreads


def _right(preferences: Preferences, runs: Sequence[Run[Arm | None]]) -> int:
    winner = _winner(preferences)
    return sum(winner is not None and _answer(run) == winner for run in runs)


def _winner(preferences: Preferences) -> Arm | None:
    try:
        return preferences.winner()
    except NoCondorcetWinner:
        return None


def _print(
    name: str, setting: Setting, preferences: Preferences, runs: Sequence[Run[Arm | None]]
) -> None:
    console = Console(soft_wrap=True, highlight=False)
    winner = _winner(preferences)
    console.print(
        f"{setting.policy} with {setting.means} on {name}: {preferences.size} arms, "
        + ("no winner" if winner is None else f"Condorcet winner {preferences.names[winner]}")
    )
    several = len(runs) > 1
    answer = _answer(runs[0])
    if several:
        console.print(f"the winner found in {_right(preferences, runs)} of {len(runs)} runs")
    elif answer is None and setting.policy is Policy.CERTIFY:
        console.print("not certified")
    elif answer is None:
        console.print(f"ended by {runs[0].ended}, before any arm was found")
    else:
        ended = f"ended by {runs[0].ended}; incumbent"
        what = "returned" if runs[0].returned is not None else ended
        right = "the winner" if answer == winner else "not the winner"
        console.print(f"{what} arm {preferences.names[answer]} ({right})")
    table = Table("", "mean", "standard deviation", box=None)
    for measure, spread in _spreads(runs).items():
        mean, deviation = spread["mean"], spread["standard_deviation"]
        shown = (f"{mean:.1f}", f"{deviation:.1f}") if several else (f"{mean:.0f}", "")
        table.add_row(measure.replace("_", " "), *shown)
    console.print(table)
