"""Cases that are there to tell a known mistake from the right transcription.

Which case is there for which mutant stands in ``mutants.json``. It is chosen, by
``python -m tgite_conform.mutant_cases``, among all cases and the short runs below: one
in which the mutant parts from the reference at a duel where, if possible, no other mutant does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path

import msgspec

from tgite import RULINGS, Conventions
from tgite_checks.claims.mutants import mutants
from tgite_checks.mutation import Mutant
from tgite_conform.algorithms import ALGORITHMS
from tgite_conform.cases.choices import UNLIKE_RULINGS, described, recipe
from tgite_conform.format import Parameter, Parameters, Version
from tgite_conform.plans import Way, cycle, late, plan, scripted, straight, tie
from tgite_conform.record import Recipe, played
from tgite_conform.strict_json import Strict, parsed, read

_SINCE = {
    "beyond.mixture_test": Version.V1_1,
    "beyond.sprt_test": Version.V1_1,
    "beyond.likelihood": Version.V1_2,
    "beyond.certificate": Version.V1_2,
    "beyond.find_then_certify": Version.V1_2,
}
"""The modules beyond the paper that have vectors, and since when."""

CHOSEN = Path(__file__).with_name("mutants.json")

UNSEEN: Mapping[str, str] = {
    "known-horizon-counts-matches": "shows only where a question takes several rounds",
    "known-horizon-overshoot-counts": "shows only where a question takes several rounds",
    "tree-ancestor-one-level-up": "concerns a definition that no algorithm uses",
    "tree-entry-level-off-by-one": "concerns a definition that no algorithm uses",
    "tree-entry-by-arm-number": "concerns a definition that no algorithm uses",
    "sprt-no-duel-above-a-half": "changes a lead that the first duel reaches anyhow",
    **dict.fromkeys(
        (
            "budgeted-4n-squared-late",
            "budgeted-level-dropped-late",
            "budgeted-off-at-one-n",
            "budgeted-off-on-one-block",
            "budgeted-radius-constant-late",
            "budgeted-union-bound-capped",
            "budgeted-variance-late",
            "dueltest-4n-late",
            "dueltest-level-dropped-late",
            "dueltest-n-squared-late",
            "dueltest-off-at-one-n",
            "dueltest-one-sided-late",
            "dueltest-radius-constant-late",
            "dueltest-union-bound-capped",
            "dueltest-variance-late",
        ),
        "changes a radius only where no vector's match comes near it",
    ),
}
"""Mutants that play every duel as the reference does, and why."""

LATE: Mapping[str, str] = {
    "budgeted-8n-late": "g = 1/250, M = 115278: along the boundary to the last duel",
    "budgeted-dueltest-radius-late": "g = 1/250, M = 115278: along the boundary to the last duel",
    "budgeted-no-union-bound-late": "g = 1/250, M = 115278: along the boundary to the last duel",
    "dueltest-2n-late": "delta = 2^-1024: wins from its own boundary at 30000",
    "dueltest-no-union-bound-late": "delta = 1/10: wins from its own boundary at 100000",
    "mixture-evidence-coarse-late": "delta = 1/10: wins from its own boundary at 3000",
    "mixture-lead-constant-late": "delta = 1/10: wins from its own boundary at 3000",
}
"""Mutants that have no case of their own, with the name of a long one in which they part."""


class Choice(Strict, frozen=True):
    """The case that is there for a mutant, by its identifier.

    ``duel`` is where the mutant parts from the reference (0: it crashes), ``also`` names the other
    mutants that part there too.
    """

    case: str
    duel: int
    also: tuple[str, ...]


def chosen() -> dict[str, Choice]:
    """Read which case is there for which mutant."""
    return read(
        parsed(CHOSEN.read_text(encoding="ascii"), CHOSEN.name), dict[str, Choice], CHOSEN.name
    )


def write(choices: Mapping[str, Choice]) -> None:
    """Write which case is there for which mutant."""
    table = msgspec.to_builtins(dict(sorted(choices.items())))
    CHOSEN.write_text(json.dumps(table, indent=1) + "\n", encoding="ascii")


def all_mutants() -> dict[str, Mutant]:
    """Return all mutants by name: of the paper, and of those beyond it that have vectors."""
    return {
        mutant.name: mutant
        for mutant in mutants()
        if not mutant.module.startswith("beyond.") or mutant.module in _SINCE
    }


def mutants_of(version: Version) -> dict[str, Mutant]:
    """Return the mutants whose cases stand in a version."""
    return {
        name: mutant
        for name, mutant in all_mutants().items()
        if _SINCE.get(mutant.module, Version.V1) is version
    }


def recipes(version: Version) -> Iterator[Recipe]:
    """Yield short runs, cut so early that few mistakes show: candidates, not all of them cases."""
    if version is Version.V1_1:
        yield from _cut_tests_beyond()
    if version is not Version.V1:
        return
    for conventions in (RULINGS, UNLIKE_RULINGS):
        for N in range(2, 10):
            for start in range(N):
                for algorithm, parameters in _parameters(N, start, conventions.first_arm):
                    for g in (None, "2/5"):
                        yield from _cuts(algorithm, parameters, N, g, conventions)
    yield from _cut_tests()


def _cut_tests() -> Iterator[Recipe]:
    """Cut single tests before they end: only what stops sooner, or asks otherwise, shows."""
    levels = ("999/1000", "1/10", "1/1000000", "2^-64")
    ways: dict[str, Way] = {"straight": straight, "late": late(4), "ties": tie}
    for level, g, (words, way) in product(levels, (None, "1/2", "2/5", "1/10"), ways.items()):
        if g is None and way is tie:
            continue
        whole = recipe("duel_test", "", plan(scripted("v"), way), g, u=0, v=1, delta=level)
        # In the order in which they were published.
        published = [name for name in ("u", "v", "delta", "g") if name in whole.parameters]
        whole = replace(whole, parameters={name: whole.parameters[name] for name in published})
        length = played(whole).matches[0].length
        for duels in sorted({*range(1, min(length, 24)), *range(max(1, length - 6), length)}):
            name = f"{_shown(whole.parameters)}, {words}; cut after {duels} duels"
            yield replace(whole, name=name, horizon=duels)


def _cut_tests_beyond() -> Iterator[Recipe]:
    """Cut the tests beyond the paper before they end."""
    ways: dict[str, Way] = {"straight": straight, "late": late(4), "ties": tie}
    for name, g in (("mixture_test", None), ("sprt_test", "1/10"), ("truncated_sprt_test", "1/10")):
        for level, (words, way) in product(("999/1000", "1/10", "1/1000000"), ways.items()):
            whole = recipe(name, "", plan(scripted("v"), way), g, u=0, v=1, delta=level)
            for duels in range(1, 25):
                cut = f"{_shown(whole.parameters)}, {words}; cut after {duels} duels"
                one = replace(whole, name=cut, horizon=duels)
                if _is_cut(one):
                    yield one


def _is_cut(made: Recipe) -> bool:
    """Say whether the match goes on at the horizon."""
    try:
        played(made)
    except ValueError:  # It has ended before.
        return False
    return True


def _shown(parameters: Parameters) -> str:
    return ", ".join(f"{name} = {value}" for name, value in parameters.items())


def _parameters(N: int, start: int, first_arm: int) -> Iterator[tuple[str, dict[str, Parameter]]]:
    b = start + first_arm
    yield "tree_ascent", {"N": N, "b": b, "epsilon": "1/10"}
    if N > 6:
        return
    yield "screen_and_replace", {"N": N, "c": b, "rho": "1/2", "kappa": "1/3"}
    if N in (2, 4):
        yield "tree_ascent_power_of_two", {"N": N, "b": b, "epsilon": "1/10"}
    if start == 0:
        arms = range(first_arm, first_arm + N)
        yield "bkt", {"S": tuple(reversed(arms)), "delta": "1/10"}
    if N < 5:
        yield "tg_ite_bai", {"N": N, "b_0": b, "delta": "1/10"}
        yield "tg_ite_weak", {"N": N, "b_0": b}
        yield "tg_ite_strong_anytime", {"N": N, "b_0": b}


def _cuts(
    algorithm: str, parameters: dict[str, Parameter], N: int, g: str | None, by: Conventions
) -> Iterator[Recipe]:
    """Cut after the first duel of a run's first three matches; with a gap, of ties."""
    outcomes = plan(cycle(N), straight) if g is None else plan(scripted("vu"), tie)
    whole = recipe(algorithm, "", outcomes, g, by, **parameters)
    run = played(replace(whole, horizon=2000) if ALGORITHMS[algorithm].endless else whole)
    rounds = 0
    for number, match in enumerate(run.matches[:3], start=1):
        name = f"{_shown(parameters)}; cut after a duel of match {number}; {described(by)}"
        yield replace(whole, name=name, horizon=rounds + 1)
        rounds += match.length + sum(
            block.rounds for block in run.self_play if block.after == number
        )
