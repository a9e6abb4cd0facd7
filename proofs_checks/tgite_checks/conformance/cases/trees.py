"""Cases of TreeAscent in both versions, of TreeAscent_g, and of TG-ITE-BAI."""

from __future__ import annotations

from collections.abc import Iterator

from tgite import RULINGS, Conventions
from tgite_checks.conformance.algorithms import ALGORITHMS
from tgite_checks.conformance.cases.choices import (
    BRACKETS,
    FIRST_ARM_IS_ONE,
    LARGE_SIZES,
    LEVELS,
    SMALL_SIZES,
    TREES,
    UNLIKE_RULINGS,
    described,
    recipe,
)
from tgite_checks.conformance.plans import (
    Plan,
    Way,
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
_TREE, _MAIN_TEXT, _BAI = "tree_ascent", "tree_ascent_power_of_two", "tg_ite_bai"


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
    b: int,
    outcomes: Plan,
    g: str | None = None,
    by: Conventions = RULINGS,
    level: str = "1/10",
) -> Recipe:
    _, start, confidence = ALGORITHMS[algorithm].parameters
    given: dict[str, int | str] = {"N": N, start: b, confidence: level}
    return recipe(algorithm, name, outcomes, g, by, **given)


def _every_start_and_winner(g: str | None) -> Iterator[Recipe]:
    for N in range(2, 7 if g is None else 5):
        for b in range(N):
            for arm in range(N):
                outcomes = plan(arm_wins(arm), straight)
                yield _pass(f"{N} arms from {b}: arm {arm} wins", _TREE, N, b, outcomes, g)


def _sizes(g: str | None) -> Iterator[Recipe]:
    for N in (*SMALL_SIZES, *LARGE_SIZES):
        for b in sorted({0, N // 2, N - 1}) if N in SMALL_SIZES else (N - 1,):
            outcomes = plan(cycle(N), _VARIED if N in SMALL_SIZES else straight)
            yield _pass(f"{N} arms in a cycle, from {b}", _TREE, N, b, outcomes, g)


def _byes(g: str | None) -> Iterator[Recipe]:
    for by in (*TREES[1:], FIRST_ARM_IS_ONE, UNLIKE_RULINGS, *BRACKETS[1::5]):
        for N in (3, 5, 6, 9, 11, 13) if g is None else (5, 9):
            for b in (by.first_arm, by.first_arm + N - 1):
                name = f"{N} arms from {b}: {described(by)}"
                yield _pass(name, _TREE, N, b, plan(cycle(N), _VARIED), g, by)


def _powers_of_two(g: str | None) -> Iterator[Recipe]:
    for N in (2, 4, 8, 16, 32, 64) if g is None else (2, 8):
        for b in sorted({0, N // 2, N - 1}):
            outcomes = plan(cycle(N), _VARIED if N < 32 else straight)
            yield _pass(f"{N} arms in a cycle, from {b}", _MAIN_TEXT, N, b, outcomes, g)
        outcomes = _last_wins(N, straight)
        yield _pass(f"{N} arms: the start wins", _MAIN_TEXT, N, N - 1, outcomes, g)
    for by in (FIRST_ARM_IS_ONE, UNLIKE_RULINGS):
        outcomes = plan(cycle(8), _VARIED)
        yield _pass(f"8 arms: {described(by)}", _MAIN_TEXT, 8, 2, outcomes, g, by)


def _last_wins(N: int, way: Way) -> Plan:
    return plan(arm_wins(N - 1), way)


def _bai(g: str | None) -> Iterator[Recipe]:
    for N in (2, 3, 4, 5, 7, 8, 9, 16, 17, 33):
        name, outcomes = (
            f"{N} arms from {N // 2}: the last one wins",
            plan(arm_wins(N - 1), _VARIED),
        )
        yield _pass(name, _BAI, N, N // 2, outcomes, g, level="1/100")
        name, outcomes = f"{N} arms from the last: it wins", _last_wins(N, late(2))
        yield _pass(name, _BAI, N, N - 1, outcomes, g)
    for level in ("999/1000", "2^-256"):
        outcomes = plan(higher_wins, straight)
        yield _pass(f"delta = {level}", _BAI, 3, 0, outcomes, g, level=level)
    for by in (*TREES[1:], UNLIKE_RULINGS):
        yield _pass(f"6 arms: {described(by)}", _BAI, 6, 4, plan(cycle(6), _VARIED), g, by)


def _levels() -> Iterator[Recipe]:
    for level in LEVELS:
        N = 5 if len(level) < 7 else 3
        name, outcomes = f"epsilon = {level}: {N} arms", plan(cycle(N), straight)
        yield _pass(name, _TREE, N, 1, outcomes, level=level)


def _ties() -> Iterator[Recipe]:
    for by in (RULINGS, UNLIKE_RULINGS, *BRACKETS[1::2]):
        for N in (2, 5, 8):
            name, outcomes = f"{N} arms, ties only: {described(by)}", plan(scripted("uvv"), tie)
            yield _pass(name, _TREE, N, by.first_arm + N // 2, outcomes, "3/10", by, "1/2")
