"""``tgite conform-law``: compares samples of another implementation with the exact law."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from enum import StrEnum
from itertools import islice
from typing import Annotated, TypeVar

import typer

from tgite import Confidence, InvalidInput
from tgite.confidence import read_rational
from tgite.errors import handled, require
from tgite.schedules import WEAK_WARM_START
from tgite_conform.algorithms import ALGORITHMS
from tgite_conform.law.catalogue import (
    Settings,
    epoch_check,
    known_horizon_check,
    match_check,
    tournament_check,
    weak_check,
)
from tgite_conform.law.check import ALPHA, POWER, LawCheck, LawVerdict, Terms
from tgite_conform.law.lattice import Sample
from tgite_laws.cli.inputs import (
    OUTPUT,
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

T = TypeVar("T")

_DIFFERS = 1
_TOGETHER = 1 << 16


class Sampled(StrEnum):
    """The algorithm of which a sample is one run."""

    MATCH = "match"
    BKT = "bkt"
    TREE_ASCENT = "tree_ascent"
    TREE_ASCENT_POWER_OF_TWO = "tree_ascent_power_of_two"
    SCREEN_AND_REPLACE = "screen_and_replace"
    TG_ITE_BAI = "tg_ite_bai"
    TG_ITE_WEAK = "tg_ite_weak"
    TG_ITE_STRONG_KNOWN_HORIZON = "tg_ite_strong_known_horizon"


# The options that each one accepts, besides the preferences.
_OPTIONS = {
    Sampled.MATCH: {"delta", "p"},
    Sampled.BKT: {"delta"},
    Sampled.TREE_ASCENT: {"delta", "start"},
    Sampled.TREE_ASCENT_POWER_OF_TWO: {"delta", "start"},
    Sampled.SCREEN_AND_REPLACE: {"delta", "rho", "start"},
    Sampled.TG_ITE_BAI: {"delta", "start"},
    Sampled.TG_ITE_WEAK: {"delta", "start", "epochs"},
    Sampled.TG_ITE_STRONG_KNOWN_HORIZON: {"horizon", "start"},
}


@with_option_groups
@in_panels(
    {
        "What was sampled": "algorithm delta p test g start rho epochs horizon convention",
        "What a sample is": "cut",
        "How sure the answer is": "alpha power",
        OUTPUT: "as_json",
    }
)
def conform_law(
    samples: Annotated[
        str,
        typer.Argument(
            help="A file of samples, a line each: COUNT ANSWER, or >COUNT - of a run that was cut; "
            "- is stdin."
        ),
    ],
    *,
    delta: Annotated[
        str | None,
        typer.Option(
            help="The confidence level: kappa of screen_and_replace, the warm start's of "
            "tg_ite_weak (1/4 without)."
        ),
    ] = None,
    algorithm: Annotated[Sampled, typer.Option(help="What was sampled.")] = Sampled.MATCH,
    p: Annotated[
        str | None, typer.Option(help="Of a match: the chance of its first argument.")
    ] = None,
    test: Test = None,
    g: KnownGap = None,
    named: PreferenceOptions,
    start: Annotated[
        str | None, typer.Option(help="The arm that it starts from, number or name (0).")
    ] = None,
    rho: Annotated[str | None, typer.Option(help="Of screen_and_replace: its level rho.")] = None,
    epochs: Annotated[
        int | None, typer.Option(help="Of tg_ite_weak: epochs after the warm start (1).")
    ] = None,
    horizon: Annotated[
        int | None, typer.Option(help="Of tg_ite_strong_known_horizon: its H.")
    ] = None,
    convention: Annotated[
        list[str] | None, typer.Option(help="NAME=VALUE, where it is not the default.")
    ] = None,
    cut: Annotated[
        int | None,
        typer.Option(help="Where runs were cut, whatever their outcomes: the count in >COUNT -."),
    ] = None,
    alpha: Annotated[float, typer.Option(help="The rate of false alarms.")] = ALPHA,
    power: Annotated[float, typer.Option(help="The power of the stated sample sizes.")] = POWER,
    as_json: AsJson = False,
) -> None:
    """Check whether samples follow the exact law; the check may stop after any sample.

    The answer is 0 or 1 for a match (its first or second argument), else the number, from 0, of the
    arm returned. Runs must be independent.
    """
    given = {"delta": delta, "p": p, "start": start, "rho": rho, "epochs": epochs}
    for name, value in (given | {"horizon": horizon}).items():
        has_meaning = value is None or name in _OPTIONS[algorithm]
        require(has_meaning, name, value, f"has no meaning for {algorithm}")
    conventions, chosen = read_conventions(convention or []), read_test(test, g)
    rule = "has no meaning here: samples number arms from 0"
    require(conventions.first_arm == 0, "convention", "first_arm=1", rule)
    settings = Settings(chosen, conventions, Terms(alpha, power, cut))
    level = None if delta is None else Confidence.of(delta)

    def needed(name: str, value: T | None) -> T:
        if value is None:
            raise InvalidInput(name, "nothing", f"must be given for {algorithm}")
        return value

    try:
        if algorithm is Sampled.MATCH:
            named.require_none(f"has no meaning for {algorithm}")
            chance = read_rational("p", needed("p", p))
            check, answers = match_check(needed("delta", level), chance, chosen, settings.terms), 2
        else:
            _, preferences = named.read()
            answers = preferences.size
            arm = read_arm(preferences.names, start, conventions)
            match algorithm:
                case Sampled.SCREEN_AND_REPLACE:
                    of_screening = Confidence.of(needed("rho", rho))
                    kappa = needed("delta", level)
                    check = epoch_check(arm, of_screening, kappa, preferences, settings)
                case Sampled.TG_ITE_WEAK:
                    warm_start = WEAK_WARM_START if level is None else level
                    many = 1 if epochs is None else epochs
                    check = weak_check(arm, many, preferences, warm_start, settings)
                case Sampled.TG_ITE_STRONG_KNOWN_HORIZON:
                    H = needed("horizon", horizon)
                    check = known_horizon_check(arm, H, preferences, settings)
                case _:
                    epsilon = needed("delta", level)
                    check = tournament_check(str(algorithm), epsilon, preferences, arm, settings)
    except ArithmeticError as error:
        must = f"must have an exact law that can be computed ({error})"
        raise InvalidInput("delta", delta, must) from None
    read = read_samples(samples, answers, check.terms.cut)
    _take(check, read, until_rejected=samples == STDIN)
    of = "duel_test" if algorithm is Sampled.MATCH else str(algorithm)
    supposed = {
        name: str(getattr(conventions, name))
        for name in ALGORITHMS[of].choices
        if name != "first_arm"
    }
    verdict = check.verdict()
    if as_json:
        typer.echo(json.dumps({**check.to_json(), "conventions": supposed}, indent=2))
    else:
        _show(check, verdict, samples, supposed)
    if verdict.rejected_after is not None:
        raise typer.Exit(_DIFFERS)


def _take(check: LawCheck, samples: Iterator[Sample], until_rejected: bool) -> None:
    """Feed samples to a check in batches that double in size, for early answers and few batches.

    Reading a source without an end stops at the first rejection. Other sources are read to the end.
    """
    together = 1
    try:
        while some := list(islice(samples, together)):
            if check.add_all(some) and until_rejected:
                break
            together = min(2 * together, _TOGETHER)
    except KeyboardInterrupt:
        typer.echo(f"tgite: interrupted: {check.verdict()}", err=True)
        raise


def _show(check: LawCheck, verdict: LawVerdict, samples: str, supposed: Mapping[str, str]) -> None:
    typer.echo(str(verdict))
    if verdict.impossible is not None and samples != STDIN:
        typer.echo(
            f"sample {verdict.impossible.after} is line {verdict.impossible.after} of {samples}"
        )
    for name, count in check.samples_needed.items():
        said = "not detectable" if count is None else f"detected within {count} samples"
        typer.echo(f"  {name}: {said}")
    if supposed:
        told = ", ".join(f"{name}={value}" for name, value in supposed.items())
        typer.echo(f"the law depends on these conventions (--convention): {told}")


STDIN = "-"
_RULE = (
    "must be COUNT ANSWER, two whole numbers of 0 or more (no heading, no third column), or "
    ">COUNT - of a run that was cut"
)
_DIGITS = 18


def read_samples(name: str, answers: int, cut: int | None) -> Iterator[Sample]:
    """Read samples from a file, or from standard input if its name is ``-``.

    Raises :class:`~tgite.errors.InvalidInput`, naming the line, for a count outside 1 to
    ``cut``, an impossible answer, and a file without samples.
    """
    # Few lines are different, so each is parsed once.
    known: dict[str, Sample] = {}
    number = 0
    with (
        handled("samples", name),
        nullcontext(sys.stdin) if name == STDIN else open(name, encoding="utf-8-sig") as lines,
    ):
        for number, line in enumerate(lines, start=1):
            sample = known.get(line)
            if sample is None:
                text = line.strip().removeprefix("\ufeff" if number == 1 else "")
                try:
                    sample = known[line] = _read(text, answers, cut)
                except ValueError as broken:
                    field = f"line {number} of {'standard input' if name == STDIN else name}"
                    raise InvalidInput(field, text or "nothing", str(broken)) from None
            yield sample
    if number == 0:
        raise InvalidInput("samples", name, "holds no sample")


def _read(text: str, answers: int, cut: int | None) -> Sample:
    """Read one sample; raises ``ValueError`` with the rule that it breaks."""
    words = text.replace(",", " ").split()
    if len(words) != 2:
        raise ValueError(_RULE)
    was_cut = words[0].startswith(">") and words[1] == "-"
    if was_cut:
        words = [words[0][1:]]
    if not all(one.isascii() and one.isdecimal() for one in words):
        raise ValueError(_RULE)
    if any(len(one) > _DIGITS for one in words):
        raise ValueError(f"must have at most {_DIGITS} digits a number")
    count = int(words[0])
    if was_cut:
        if cut is None:
            raise ValueError(f"is a run that was cut: give the cut with --cut {count}")
        if count != cut:
            raise ValueError(f"must be cut where all runs are: after {cut}")
        return count, None
    if count < 1:
        raise ValueError("must count 1 or more")
    if cut is not None and count > cut:
        raise ValueError(f"must count at most {cut}, where runs are cut")
    answer = int(words[1])
    if answer >= answers:
        raise ValueError(f"must answer one of 0..{answers - 1}")
    return count, answer
