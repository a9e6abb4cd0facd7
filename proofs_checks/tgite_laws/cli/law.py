"""``tgite law``: exact laws, as enclosures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from math import inf
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tgite import BalancedTree, Confidence, InvalidInput, NoCondorcetWinner, Preferences, cyclic
from tgite.confidence import read_rational
from tgite.preferences import HALF
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
from tgite_laws.enclosure import Enclosure
from tgite_laws.implementation import REFERENCE
from tgite_laws.pairwise import ChosenTest

if TYPE_CHECKING:  # These modules load slowly, and the help text does not need them.
    from tgite_laws.bracket import TournamentLaw

law = typer.Typer(
    name="law", help="Exact laws, as enclosures: of one match, of BKT, of TreeAscent."
)

_MOST_ARMS_SHOWN = 10
_DIGITS_SHOWN = 6

Delta = Annotated[str, typer.Option(help="The confidence level.")]


@law.command("match")
def match_law(
    delta: Delta,
    gap: Annotated[str, typer.Option(help="By how much the first arm's chance exceeds 1/2.")],
    g: KnownGap = None,
    test: Test = None,
    as_json: AsJson = False,
) -> None:
    """Show the law of one pairwise test: the arm returned and the number of duels."""
    excess = read_rational("gap", gap)
    if not abs(excess) < HALF:
        raise InvalidInput("gap", gap, "must lie strictly between -1/2 and 1/2")
    chosen, level = read_test(test, g), Confidence.of(delta)
    found = chosen.laws().law(level, HALF + excess)
    pair = None if excess == 0 else cyclic(2, abs(excess), abs(excess))
    _show(
        {
            "P(first returned)": found.first.probability,
            "P(second returned)": found.second.probability,
            "P(never ends)": found.never,
            "E[duels]": found.mean,
            "standard deviation": found.standard_deviation,
            **_limit(found.mean, level, pair, chosen),
        },
        as_json,
    )


@law.command("bkt")
@with_option_groups
@in_panels({"Algorithm": "delta g test convention", OUTPUT: "as_json"})
def bkt(
    delta: Delta,
    named: PreferenceOptions,
    g: KnownGap = None,
    test: Test = None,
    convention: Annotated[list[str] | None, typer.Option(help="NAME=VALUE.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show the law of BKT on all arms."""
    from tgite_laws.tournaments import bkt_law

    _, preferences = named.read()
    chosen, level = read_test(test, g), Confidence.of(delta)
    found = bkt_law(
        REFERENCE.bkt,
        range(preferences.size),
        level,
        preferences,
        chosen.laws(),
        read_conventions(convention or []),
    )
    limit = _limit(found.comparisons.mean, level, preferences, chosen)
    _show(_tournament(found, preferences.names, limit), as_json)


@law.command("tree-ascent")
@with_option_groups
@in_panels({"Algorithm": "delta start g test convention", OUTPUT: "as_json"})
def tree_ascent(
    delta: Delta,
    named: PreferenceOptions,
    start: Annotated[str | None, typer.Option(help="Starting arm, number or name.")] = None,
    g: KnownGap = None,
    test: Test = None,
    convention: Annotated[list[str] | None, typer.Option(help="NAME=VALUE.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show the law of one pass of TreeAscent, which is TG-ITE-BAI."""
    from tgite_laws.tournaments import tree_ascent_law

    _, preferences = named.read()
    conventions = read_conventions(convention or [])
    chosen, level = read_test(test, g), Confidence.of(delta)
    found = tree_ascent_law(
        REFERENCE.tree_ascent,
        read_arm(preferences.names, start, conventions),
        BalancedTree.over(preferences.size, conventions),
        level,
        preferences,
        chosen.laws(),
        conventions,
    )
    limit = _limit(found.comparisons.mean, level, preferences, chosen)
    _show(_tournament(found, preferences.names, limit), as_json)


def _limit(
    mean: Enclosure, level: Confidence, preferences: Preferences | None, chosen: ChosenTest
) -> dict[str, Enclosure]:
    """Return the lower bound on any algorithm's mean, and ``mean`` divided by that bound.

    The bound holds for every algorithm that is right on all instances with a winner. Given a known
    gap, it holds for every algorithm that is right where the winner has that gap. The result's
    key says which. Without a winner the result is empty.
    """
    from tgite_laws.arithmetic import quotient
    from tgite_laws.lower_bound import least_mean

    if preferences is None or not level <= Confidence(HALF):
        return {}
    try:
        least = least_mean(level, preferences, chosen.g)
    except NoCondorcetWinner:
        return {}
    who = "any algorithm" if chosen.g is None else "any told g"
    return {f"least E[{who}]": least, "E over the least": quotient(mean, least)}


def _tournament(
    found: TournamentLaw, names: tuple[str, ...], limit: Mapping[str, Enclosure]
) -> dict[str, Enclosure]:
    likely = sorted(found.survives, key=lambda arm: -found.survives[arm].probability.high)
    shown = {
        f"P({names[arm]} returned)": found.survives[arm].probability
        for arm in likely[:_MOST_ARMS_SHOWN]
    }
    numbers = {
        "P(not the winner)": found.error,
        "P(never ends)": found.never,
        "E[comparisons]": found.comparisons.mean,
        "standard deviation": found.comparisons.standard_deviation,
        **limit,
        "E[weak regret]": None if found.weak_regret is None else found.weak_regret.mean,
        **shown,
    }
    # Without a Condorcet winner there is no error and no regret.
    return {name: number for name, number in numbers.items() if number is not None}


def rounded(value: Enclosure) -> str:
    """Return an enclosure as text, its ends rounded outwards; ``--json`` prints all digits."""
    if value.low == value.high:
        return str(value)
    low = Context(prec=_DIGITS_SHOWN, rounding=ROUND_FLOOR).create_decimal(value.low)
    high = Context(prec=_DIGITS_SHOWN, rounding=ROUND_CEILING).create_decimal(value.high)
    return f"[{low.normalize():g}, {high.normalize():g}]"


def _show(numbers: Mapping[str, Enclosure], as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps({name: _ends(one) for name, one in numbers.items()}, indent=2))
        return
    table = Table("", "lies in", box=None)
    for name, value in numbers.items():
        table.add_row(escape(name), escape(rounded(value)))
    Console(soft_wrap=True).print(table, highlight=False)


def _ends(number: Enclosure) -> dict[str, float | str]:
    """Return the JSON form: two ends, with infinity as ``"inf"``."""
    ends = {"low": number.low, "high": number.high}
    return {name: "inf" if end == inf else end for name, end in ends.items()}
