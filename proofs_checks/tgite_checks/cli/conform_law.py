"""``tgite conform-law``: samples of another implementation against the exact law."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from enum import StrEnum
from typing import Annotated

import typer

from tgite import Confidence, InvalidInput
from tgite.confidence import read_rational
from tgite.errors import handled, require
from tgite_checks.cli.inputs import (
    OUTPUT,
    AsJson,
    KnownGap,
    Named,
    Test,
    in_panels,
    read_test,
    taking_groups,
)
from tgite_checks.conformance.law_check import Counted
from tgite_checks.conformance.law_checks import (
    ALPHA,
    POWER,
    epoch_check,
    match_check,
    tournament_check,
)

_DIFFERS = 1


class Sampled(StrEnum):
    """What samples are of."""

    MATCH = "match"
    BKT = "bkt"
    TREE_ASCENT = "tree_ascent"
    SCREEN_AND_REPLACE = "screen_and_replace"


@taking_groups
@in_panels(
    {
        "What was sampled": "delta algorithm p test g start rho counted",
        "How sure the answer is": "alpha power",
        OUTPUT: "as_json",
    }
)
def conform_law(
    samples: Annotated[
        str, typer.Argument(help="A file of samples, a line each: COUNT ANSWER; - is stdin.")
    ],
    delta: Annotated[str, typer.Option(help="The confidence level.")],
    *,
    algorithm: Annotated[Sampled, typer.Option(help="What was sampled.")] = Sampled.MATCH,
    p: Annotated[
        str | None, typer.Option(help="Of a match: the chance of its first argument.")
    ] = None,
    test: Test = None,
    g: KnownGap = None,
    named: Named,
    start: Annotated[
        int, typer.Option(help="The arm that tree_ascent or screen_and_replace starts from.")
    ] = 0,
    rho: Annotated[
        str | None,
        typer.Option(help="Of screen_and_replace: its level rho; --delta is its kappa."),
    ] = None,
    counted: Annotated[
        Counted, typer.Option(help="What the samples count, for other algorithms than match.")
    ] = Counted.COMPARISONS,
    alpha: Annotated[float, typer.Option(help="The rate of false alarms.")] = ALPHA,
    power: Annotated[float, typer.Option(help="The power that is stated for.")] = POWER,
    as_json: AsJson = False,
) -> None:
    """Say whether samples follow the exact law; looking after every sample is allowed.

    The answer is 0 or 1 for a match (its first or second argument), else the arm returned.
    """
    level, chosen = Confidence.of(delta), read_test(test, g)
    gap = chosen.g
    if algorithm is Sampled.MATCH:
        if p is None:
            raise InvalidInput("p", "nothing", "must be given for a match")
        if counted is Counted.WEAK_REGRET:
            raise InvalidInput("counted", str(counted), "has no meaning for a match")
        chance = read_rational("p", p)
        check, answers = match_check(level, chance, gap, alpha, power, chosen.name), 2
    elif not chosen.name.of_the_paper:
        raise InvalidInput("test", str(chosen.name), "is known for single matches only")
    else:
        _, preferences = named.read()
        answers = preferences.size
        if algorithm is Sampled.SCREEN_AND_REPLACE:
            if rho is None:
                raise InvalidInput("rho", "nothing", "must be given for screen_and_replace")
            check = epoch_check(
                start,
                Confidence.of(rho),
                level,
                preferences,
                gap,
                alpha=alpha,
                power=power,
                counted=counted,
            )
        else:
            check = tournament_check(
                str(algorithm),
                level,
                preferences,
                start,
                gap,
                alpha=alpha,
                power=power,
                counted=counted,
            )
    least = int(counted is Counted.COMPARISONS)
    for comparisons, answer in _read_samples(samples, answers, least):
        # What the samples look most like is clearer from all of them; a source without an end is
        # left as soon as the verdict stands.
        if check.add(comparisons, answer) and samples == "-":
            break
    verdict = check.verdict()
    if as_json:
        typer.echo(json.dumps(check.to_json(), indent=2))
    else:
        typer.echo(str(verdict))
        for name, needed in check.all_samples_needed().items():
            said = "not told"
            if needed is not None:
                fewest = check.fewest_samples(name)
                said = f"told within {needed} samples (any test needs {fewest})"
            typer.echo(f"  {name}: {said}")
    if verdict.rejected_after is not None:
        raise typer.Exit(_DIFFERS)


def _read_samples(name: str, answers: int, least: int) -> Iterator[tuple[int, int]]:
    """Read samples that count ``least`` or more and answer one of ``answers`` many, from 0."""
    with (
        handled("samples", name),
        nullcontext(sys.stdin) if name == "-" else open(name, encoding="utf-8-sig") as lines,
    ):
        number = 0
        for number, line in enumerate(lines, start=1):
            words = line.replace(",", " ").split()
            place = f"{name}:{number}"
            whole = len(words) == 2 and all(one.isascii() and one.isdecimal() for one in words)
            require(whole, "samples", place, "must be COUNT ANSWER, two integers")
            comparisons, answer = map(int, words)
            require(comparisons >= least, "samples", place, "must have 1 comparison or more")
            require(answer < answers, "samples", place, f"must answer one of 0..{answers - 1}")
            yield comparisons, answer
        require(number > 0, "samples", name, "holds no sample")
