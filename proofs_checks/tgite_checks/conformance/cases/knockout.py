"""Cases of BKT and BKT_g: every size, every way to run a bracket, byes and ties."""

from __future__ import annotations

from collections.abc import Iterator

from tgite import RULINGS, Conventions
from tgite_checks.conformance.cases.choices import (
    BRACKETS,
    EXTREME_LEVELS,
    FIRST_ARM_IS_ONE,
    LARGE_SIZES,
    LEVELS,
    SMALL_SIZES,
    UNLIKE_RULINGS,
    described,
    named,
    with_gap,
)
from tgite_checks.conformance.plans import (
    Plan,
    by_turns,
    cycle,
    higher_wins,
    late,
    lower_wins,
    noisy,
    plan,
    scripted,
    straight,
    tie,
)
from tgite_checks.conformance.record import Recipe

_VARIED = by_turns(straight, late(2), straight, noisy(5, 85))


def recipes() -> Iterator[Recipe]:
    """Yield the recipes."""
    for g in (None, "2/5"):
        yield from _sizes(g)
        yield from _arm_sets(g)
        yield from _brackets(g)
        yield from _levels(g)
    yield from _ties()


def _bkt(
    name: str,
    S: tuple[int, ...],
    chosen: Plan,
    level: str = "1/10",
    g: str | None = None,
    conventions: Conventions = RULINGS,
) -> Recipe:
    return Recipe(name, named("bkt", g), with_gap({"S": S, "delta": level}, g), chosen, conventions)


def _sizes(g: str | None) -> Iterator[Recipe]:
    yield _bkt("one arm", (3,), plan(lower_wins, straight), g=g)
    for size in SMALL_SIZES:
        S = tuple(range(size))
        yield _bkt(f"{size} arms: the lower wins", S, plan(lower_wins, straight), g=g)
        yield _bkt(f"{size} arms: the higher wins", S, plan(higher_wins, _VARIED), g=g)
        yield _bkt(f"{size} arms in a cycle", S, plan(cycle(size), _VARIED), g=g)
    for size in LARGE_SIZES:
        S = tuple(range(size))
        yield _bkt(f"{size} arms in a cycle", S, plan(cycle(size), straight), g=g)


def _arm_sets(g: str | None) -> Iterator[Recipe]:
    for S in ((4, 9, 2, 7, 0), (6, 5, 4, 3, 2, 1, 0), (10, 20, 30), (1, 0), (8, 100, 3, 50)):
        arms = " ".join(map(str, S))
        yield _bkt(f"arms {arms}: the lower wins", S, plan(lower_wins, straight), g=g)
        yield _bkt(f"arms {arms}: winners uv", S, plan(scripted("uv"), late(1)), g=g)


def _brackets(g: str | None) -> Iterator[Recipe]:
    for conventions in BRACKETS:
        if conventions == RULINGS:
            continue
        for size in (2, 3, 5, 6, 7, 11) if g is None else (3, 6, 7):
            yield _bkt(
                f"{size} arms in a cycle: {described(conventions)}",
                tuple(range(size)),
                plan(cycle(size), _VARIED),
                g=g,
                conventions=conventions,
            )
    for conventions in (FIRST_ARM_IS_ONE, UNLIKE_RULINGS):
        for size in (2, 7, 13):
            yield _bkt(
                f"{size} arms, numbered from 1: {described(conventions)}",
                tuple(range(1, size + 1)),
                plan(cycle(size), _VARIED),
                g=g,
                conventions=conventions,
            )


def _levels(g: str | None) -> Iterator[Recipe]:
    for level in LEVELS if g is None else EXTREME_LEVELS:
        size = 5 if len(level) < 7 else 3
        yield _bkt(
            f"delta = {level}: {size} arms",
            tuple(range(size)),
            plan(cycle(size), straight),
            level,
            g,
        )


def _ties() -> Iterator[Recipe]:
    """Ties at an even budget go to the first argument, whichever arm that is."""
    for conventions in BRACKETS:
        for size in (2, 5, 8):
            # At this gap and level the budgets of the first three rounds are even.
            yield _bkt(
                f"{size} arms, ties only: {described(conventions)}",
                tuple(range(size)),
                plan(scripted("uvv"), tie),
                "1/2",
                "1/3",
                conventions,
            )
