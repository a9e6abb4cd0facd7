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
    recipe,
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
        for level in LEVELS if g is None else EXTREME_LEVELS:
            size = 5 if len(level) < 7 else 3
            name, outcomes = f"delta = {level}: {size} arms", plan(cycle(size), straight)
            yield recipe("bkt", name, outcomes, g, S=tuple(range(size)), delta=level)
    yield from _ties()


def _bkt(
    name: str, S: tuple[int, ...], outcomes: Plan, g: str | None, by: Conventions = RULINGS
) -> Recipe:
    return recipe("bkt", name, outcomes, g, by, S=S, delta="1/10")


def _sizes(g: str | None) -> Iterator[Recipe]:
    yield _bkt("one arm", (3,), plan(lower_wins, straight), g)
    for size in SMALL_SIZES:
        S = tuple(range(size))
        yield _bkt(f"{size} arms: the lower wins", S, plan(lower_wins, straight), g)
        yield _bkt(f"{size} arms: the higher wins", S, plan(higher_wins, _VARIED), g)
        yield _bkt(f"{size} arms in a cycle", S, plan(cycle(size), _VARIED), g)
    for size in LARGE_SIZES:
        S = tuple(range(size))
        yield _bkt(f"{size} arms in a cycle", S, plan(cycle(size), straight), g)


def _arm_sets(g: str | None) -> Iterator[Recipe]:
    for S in ((4, 9, 2, 7, 0), (6, 5, 4, 3, 2, 1, 0), (10, 20, 30), (1, 0), (8, 100, 3, 50)):
        arms = " ".join(map(str, S))
        yield _bkt(f"arms {arms}: the lower wins", S, plan(lower_wins, straight), g)
        yield _bkt(f"arms {arms}: winners uv", S, plan(scripted("uv"), late(1)), g)


def _brackets(g: str | None) -> Iterator[Recipe]:
    for by in BRACKETS:
        for size in () if by == RULINGS else (2, 3, 5, 6, 7, 11) if g is None else (3, 6, 7):
            name = f"{size} arms in a cycle: {described(by)}"
            yield _bkt(name, tuple(range(size)), plan(cycle(size), _VARIED), g, by)
    for by in (FIRST_ARM_IS_ONE, UNLIKE_RULINGS):
        for size in (2, 7, 13):
            name = f"{size} arms, numbered from 1: {described(by)}"
            yield _bkt(name, tuple(range(1, size + 1)), plan(cycle(size), _VARIED), g, by)


def _ties() -> Iterator[Recipe]:
    """Ties at an even budget go to the first argument, whichever arm that is."""
    for by in BRACKETS:
        for size in (2, 5, 8):
            # At this gap and level the budgets of the first three rounds are even.
            name, outcomes = f"{size} arms, ties only: {described(by)}", plan(scripted("uvv"), tie)
            yield recipe("bkt", name, outcomes, "1/3", by, S=tuple(range(size)), delta="1/2")
