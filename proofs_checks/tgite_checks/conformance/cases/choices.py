"""Values that the cases of several algorithms share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from tgite import RULINGS, Arguments, Byes, Candidates, Conventions, End, Order, Pairing
from tgite_checks.conformance.algorithms import ALGORITHMS
from tgite_checks.conformance.format import CHOICES, Parameter
from tgite_checks.conformance.plans import Plan
from tgite_checks.conformance.record import Recipe

LEVELS = (
    "999/1000",
    "9/10",
    "1/2",
    "1/4",
    "1/10",
    "1/100",
    "1/1000000",
    "1/1000000000000000000000000000000",
    "2^-64",
    "2^-256",
    "2^-1024",
    "2^-1100",
)
"""Levels from almost 1 to below the smallest float."""

EXTREME_LEVELS = ("999/1000", "1/1000000", "2^-1024")

GAPS = ("1/2", "49/100", "2/5", "1/3", "3/10", "1/10", "1/25", "1/100")

SMALL_SIZES = tuple(range(2, 18))
LARGE_SIZES = (31, 32, 33, 64, 65)

BRACKETS: Sequence[Conventions] = tuple(
    replace(RULINGS, pairing=pairing, bye=bye, bye_place=place, arguments=arguments)
    for pairing, bye, place, arguments in product(Pairing, End, End, Arguments)
)
"""All ways to run a tournament."""

EPOCHS: Sequence[Conventions] = tuple(
    replace(RULINGS, candidates=candidates, screening=screening)
    for candidates, screening in product(Candidates, Order)
)
"""All orders of an epoch."""

TREES: Sequence[Conventions] = tuple(replace(RULINGS, byes=byes) for byes in Byes)
"""All places of the formal byes."""

FIRST_ARM_IS_ONE = replace(RULINGS, first_arm=1)

UNLIKE_RULINGS = Conventions(
    pairing=Pairing.FOLD,
    bye=End.FIRST,
    bye_place=End.FIRST,
    arguments=Arguments.LATER_FIRST,
    candidates=Candidates.INCUMBENT_LAST,
    screening=Order.DESCENDING,
    byes=Byes.SPREAD,
    first_arm=1,
)
"""Another choice everywhere."""


def described(conventions: Conventions) -> str:
    """Say in what conventions differ from the defaults, for a case's name."""
    changes = [
        f"{name} {getattr(conventions, name)}"
        for name in CHOICES
        if getattr(conventions, name) != getattr(RULINGS, name)
    ]
    return ", ".join(changes) or "default conventions"


def recipe(
    algorithm: str,
    name: str,
    outcomes: Plan,
    g: str | None = None,
    by: Conventions = RULINGS,
    **given: Parameter,
) -> Recipe:
    """Return a recipe of an algorithm, or with a gap of its known-gap variant."""
    if g is not None:
        algorithm = "budgeted_duel_test" if algorithm == "duel_test" else f"{algorithm}_g"
        given["g"] = g
    ordered = {one: given[one] for one in ALGORITHMS[algorithm].parameters if one in given}
    return Recipe(name, algorithm, ordered, outcomes, by)
