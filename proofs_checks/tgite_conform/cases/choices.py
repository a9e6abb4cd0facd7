"""Values that the cases of several algorithms share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from tgite import RULINGS, Byes, Conventions
from tgite_conform.algorithms import ALGORITHMS
from tgite_conform.format import CHOICES, Parameter
from tgite_conform.plans import Plan
from tgite_conform.record import Recipe
from tgite_laws.pairwise import PairwiseName

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


def _all_of(*names: str) -> Sequence[Conventions]:
    """Return the conventions that choose some choices in all ways, the others by the rulings."""
    # The values are of CHOICES, which types do not tie to the fields.
    return tuple(
        Conventions(**dict(zip(names, values, strict=True)))  # type: ignore[arg-type]
        for values in product(*(CHOICES[name] for name in names))
    )


BRACKETS = _all_of("pairing", "bye", "bye_place", "arguments")
"""All ways to run a tournament."""

EPOCHS = _all_of("candidates", "screening")
"""All orders of an epoch."""

TREES = _all_of("byes")
"""All places of the formal byes."""

NUMBERED_TREES = tuple(by for by in _all_of("byes", "first_arm") if by.first_arm)
"""All places of the formal byes, with arms that are numbered from 1."""

NUMBERED_EPOCHS = tuple(
    by for by in _all_of("candidates", "screening", "first_arm") if by.first_arm
)
"""All orders of an epoch, with arms that are numbered from 1."""

FIRST_ARM_IS_ONE = replace(RULINGS, first_arm=1)

UNLIKE_RULINGS = Conventions(
    # As above: values of CHOICES.
    **{
        name: next(value for value in values if value != getattr(RULINGS, name))
        for name, values in CHOICES.items()
        if name != "byes"
    },  # type: ignore[arg-type]
    byes=Byes.SPREAD,
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
    """Return a recipe of an algorithm, or with a gap of its known-gap variant.

    An algorithm whose test is not the paper's has the gap itself.
    """
    if g is not None:
        given["g"] = g
        if ALGORITHMS[algorithm].test is PairwiseName.DUEL:
            algorithm = "budgeted_duel_test" if algorithm == "duel_test" else f"{algorithm}_g"
    ordered = {one: given[one] for one in ALGORITHMS[algorithm].parameters if one in given}
    return Recipe(name, algorithm, ordered, outcomes, by)


def match_recipe(
    algorithm: str,
    name: str,
    level: str,
    outcomes: Plan,
    g: str | None = None,
    by: Conventions = RULINGS,
    arms: tuple[int, int] = (0, 1),
) -> Recipe:
    """Return a recipe of one match."""
    return recipe(algorithm, name, outcomes, g, by, u=arms[0], v=arms[1], delta=level)
