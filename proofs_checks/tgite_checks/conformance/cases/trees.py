"""Cases of TreeAscent in both versions, of TreeAscent_g, and of TG-ITE-BAI."""

from __future__ import annotations

from collections.abc import Iterator

from tgite import RULINGS, Conventions
from tgite_checks.conformance.cases.choices import (
    BRACKETS,
    FIRST_ARM_IS_ONE,
    LARGE_SIZES,
    LEVELS,
    SMALL_SIZES,
    TREES,
    UNLIKE_RULINGS,
    described,
    named,
    with_gap,
)
from tgite_checks.conformance.format import Parameter
from tgite_checks.conformance.plans import (
    Plan,
    arm_wins,
    by_turns,
    cycle,
    higher_wins,
    late,
    noisy,
    plan,
    scripted,
    straight,
    tie,
)
from tgite_checks.conformance.record import Recipe

_VARIED = by_turns(straight, late(2), straight, noisy(7, 85))
_START = {"tree_ascent": "b", "tree_ascent_power_of_two": "b", "tg_ite_bai": "b_0"}
_LEVEL = {"tree_ascent": "epsilon", "tree_ascent_power_of_two": "epsilon", "tg_ite_bai": "delta"}


def recipes() -> Iterator[Recipe]:
    """Yield the recipes."""
    for g in (None, "2/5"):
        yield from _every_start_and_winner(g)
        yield from _sizes(g)
        yield from _byes(g)
        yield from _powers_of_two(g)
        yield from _bai(g)
    yield from _levels()
    yield from _ties()


def _pass(
    name: str,
    algorithm: str,
    N: int,
    start: int,
    chosen: Plan,
    level: str = "1/10",
    g: str | None = None,
    conventions: Conventions = RULINGS,
) -> Recipe:
    parameters: dict[str, Parameter] = {"N": N, _START[algorithm]: start, _LEVEL[algorithm]: level}
    return Recipe(name, named(algorithm, g), with_gap(parameters, g), chosen, conventions)


def _every_start_and_winner(g: str | None) -> Iterator[Recipe]:
    for N in range(2, 7 if g is None else 5):
        for start in range(N):
            for winner in range(N):
                yield _pass(
                    f"{N} arms from {start}: arm {winner} wins",
                    "tree_ascent",
                    N,
                    start,
                    plan(arm_wins(winner), straight),
                    g=g,
                )


def _sizes(g: str | None) -> Iterator[Recipe]:
    for N in (*SMALL_SIZES, *LARGE_SIZES):
        starts = (0, N // 2, N - 1) if N in SMALL_SIZES else (N - 1,)
        for start in sorted(set(starts)):
            yield _pass(
                f"{N} arms in a cycle, from {start}",
                "tree_ascent",
                N,
                start,
                plan(cycle(N), _VARIED if N in SMALL_SIZES else straight),
                g=g,
            )


def _byes(g: str | None) -> Iterator[Recipe]:
    for conventions in (*TREES[1:], FIRST_ARM_IS_ONE, UNLIKE_RULINGS, *BRACKETS[1::5]):
        for N in (3, 5, 6, 9, 11, 13) if g is None else (5, 9):
            first = conventions.first_arm
            for start in (first, first + N - 1):
                yield _pass(
                    f"{N} arms from {start}: {described(conventions)}",
                    "tree_ascent",
                    N,
                    start,
                    plan(cycle(N), _VARIED),
                    g=g,
                    conventions=conventions,
                )


def _powers_of_two(g: str | None) -> Iterator[Recipe]:
    for N in (2, 4, 8, 16, 32, 64) if g is None else (2, 8):
        for start in sorted({0, N // 2, N - 1}):
            yield _pass(
                f"{N} arms in a cycle, from {start}",
                "tree_ascent_power_of_two",
                N,
                start,
                plan(cycle(N), _VARIED if N < 32 else straight),
                g=g,
            )
        yield _pass(
            f"{N} arms: the start wins",
            "tree_ascent_power_of_two",
            N,
            N - 1,
            plan(arm_wins(N - 1), straight),
            g=g,
        )
    for conventions in (FIRST_ARM_IS_ONE, UNLIKE_RULINGS):
        yield _pass(
            f"8 arms: {described(conventions)}",
            "tree_ascent_power_of_two",
            8,
            2,
            plan(cycle(8), _VARIED),
            g=g,
            conventions=conventions,
        )


def _bai(g: str | None) -> Iterator[Recipe]:
    for N in (2, 3, 4, 5, 7, 8, 9, 16, 17, 33):
        yield _pass(
            f"{N} arms from {N // 2}: the last one wins",
            "tg_ite_bai",
            N,
            N // 2,
            plan(arm_wins(N - 1), _VARIED),
            "1/100",
            g,
        )
        yield _pass(
            f"{N} arms from the last: it wins",
            "tg_ite_bai",
            N,
            N - 1,
            plan(arm_wins(N - 1), late(2)),
            g=g,
        )
    for level in ("999/1000", "2^-256"):
        yield _pass(f"delta = {level}", "tg_ite_bai", 3, 0, plan(higher_wins, straight), level, g)
    for conventions in (*TREES[1:], UNLIKE_RULINGS):
        yield _pass(
            f"6 arms: {described(conventions)}",
            "tg_ite_bai",
            6,
            4,
            plan(cycle(6), _VARIED),
            g=g,
            conventions=conventions,
        )


def _levels() -> Iterator[Recipe]:
    for level in LEVELS:
        N = 5 if len(level) < 7 else 3
        yield _pass(
            f"epsilon = {level}: {N} arms", "tree_ascent", N, 1, plan(cycle(N), straight), level
        )


def _ties() -> Iterator[Recipe]:
    for conventions in (RULINGS, UNLIKE_RULINGS, *BRACKETS[1::2]):
        for N in (2, 5, 8):
            first = conventions.first_arm
            yield _pass(
                f"{N} arms, ties only: {described(conventions)}",
                "tree_ascent",
                N,
                first + N // 2,
                plan(scripted("uvv"), tie),
                "1/2",
                "3/10",
                conventions,
            )
