"""Cases of BKT, TreeAscent, TG-ITE-BAI and ScreenAndReplace, with and without a known gap."""

from __future__ import annotations

from collections.abc import Iterator

from tgite import RULINGS, Conventions
from tgite_conform.algorithms import ALGORITHMS
from tgite_conform.cases.choices import (
    BRACKETS,
    EPOCHS,
    EXTREME_LEVELS,
    FIRST_ARM_IS_ONE,
    LARGE_SIZES,
    LEVELS,
    SMALL_SIZES,
    TREES,
    UNLIKE_RULINGS,
    described,
    recipe,
)
from tgite_conform.plans import (
    Plan,
    Winner,
    arm_wins,
    by_turns,
    cycle,
    higher_wins,
    in_screening,
    late,
    lower_wins,
    plan,
    scripted,
    straight,
    tie,
    varied,
)
from tgite_conform.record import Recipe

_OF_SETS, _OF_TREES, _OF_EPOCHS = varied(5), varied(7), varied(9)


def recipes() -> Iterator[Recipe]:
    """Yield the recipes."""
    yield from _knockout()
    yield from _trees()
    yield from _epochs()


# BKT and BKT_g: every size, every way to run a bracket, byes and ties.


def _knockout() -> Iterator[Recipe]:
    """Yield the _knockout."""
    for g in (None, "2/5"):
        yield from _bkt_sizes(g)
        yield from _arm_sets(g)
        yield from _brackets(g)
        for level in LEVELS if g is None else EXTREME_LEVELS:
            size = 5 if len(level) < 7 else 3
            name, outcomes = f"delta = {level}: {size} arms", plan(cycle(size), straight)
            yield recipe("bkt", name, outcomes, g, S=tuple(range(size)), delta=level)
    yield from _bkt_ties()


def _bkt(
    name: str, S: tuple[int, ...], outcomes: Plan, g: str | None, by: Conventions = RULINGS
) -> Recipe:
    return recipe("bkt", name, outcomes, g, by, S=S, delta="1/10")


def _bkt_sizes(g: str | None) -> Iterator[Recipe]:
    yield _bkt("one arm", (3,), plan(lower_wins, straight), g)
    for size in SMALL_SIZES:
        S = tuple(range(size))
        yield _bkt(f"{size} arms: the lower wins", S, plan(lower_wins, straight), g)
        yield _bkt(f"{size} arms: the higher wins", S, plan(higher_wins, _OF_SETS), g)
        yield _bkt(f"{size} arms in a cycle", S, plan(cycle(size), _OF_SETS), g)
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
            yield _bkt(name, tuple(range(size)), plan(cycle(size), _OF_SETS), g, by)
    for by in (FIRST_ARM_IS_ONE, UNLIKE_RULINGS):
        for size in (2, 7, 13):
            name = f"{size} arms, numbered from 1: {described(by)}"
            yield _bkt(name, tuple(range(1, size + 1)), plan(cycle(size), _OF_SETS), g, by)


def _bkt_ties() -> Iterator[Recipe]:
    """Ties at an even budget go to the first argument, whichever arm that is."""
    for by in BRACKETS:
        for size in (2, 5, 8):
            # At this gap and level the budgets of the first three rounds are even.
            name, outcomes = f"{size} arms, ties only: {described(by)}", plan(scripted("uvv"), tie)
            yield recipe("bkt", name, outcomes, "1/3", by, S=tuple(range(size)), delta="1/2")


# TreeAscent in both versions, TreeAscent_g, and TG-ITE-BAI.


_TREE, _MAIN_TEXT, _BAI = "tree_ascent", "tree_ascent_power_of_two", "tg_ite_bai"


def _trees() -> Iterator[Recipe]:
    """Yield the _trees."""
    for g in (None, "2/5"):
        yield from _every_start_and_winner(g)
        yield from _tree_sizes(g)
        yield from _byes(g)
        yield from _powers_of_two(g)
        yield from _bai(g)
    yield from _tree_levels()
    yield from _tree_ties()


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
    _, start, confidence, *_ = ALGORITHMS[algorithm].parameters
    given: dict[str, int | str] = {"N": N, start: b, confidence: level}
    return recipe(algorithm, name, outcomes, g, by, **given)


def _every_start_and_winner(g: str | None) -> Iterator[Recipe]:
    for N in range(2, 7 if g is None else 5):
        for b in range(N):
            for arm in range(N):
                outcomes = plan(arm_wins(arm), straight)
                yield _pass(f"{N} arms from {b}: arm {arm} wins", _TREE, N, b, outcomes, g)


def _tree_sizes(g: str | None) -> Iterator[Recipe]:
    for N in (*SMALL_SIZES, *LARGE_SIZES):
        for b in sorted({0, N // 2, N - 1}) if N in SMALL_SIZES else (N - 1,):
            outcomes = plan(cycle(N), _OF_TREES if N in SMALL_SIZES else straight)
            yield _pass(f"{N} arms in a cycle, from {b}", _TREE, N, b, outcomes, g)


def _byes(g: str | None) -> Iterator[Recipe]:
    for by in (*TREES[1:], FIRST_ARM_IS_ONE, UNLIKE_RULINGS, *BRACKETS[1::5]):
        for N in (3, 5, 6, 9, 11, 13) if g is None else (5, 9):
            for b in (by.first_arm, by.first_arm + N - 1):
                name = f"{N} arms from {b}: {described(by)}"
                yield _pass(name, _TREE, N, b, plan(cycle(N), _OF_TREES), g, by)


def _powers_of_two(g: str | None) -> Iterator[Recipe]:
    for N in (2, 4, 8, 16, 32, 64) if g is None else (2, 8):
        for b in sorted({0, N // 2, N - 1}):
            outcomes = plan(cycle(N), _OF_TREES if N < 32 else straight)
            yield _pass(f"{N} arms in a cycle, from {b}", _MAIN_TEXT, N, b, outcomes, g)
        outcomes = plan(arm_wins(N - 1), straight)
        yield _pass(f"{N} arms: the start wins", _MAIN_TEXT, N, N - 1, outcomes, g)
    for by in (FIRST_ARM_IS_ONE, UNLIKE_RULINGS):
        outcomes = plan(cycle(8), _OF_TREES)
        yield _pass(f"8 arms: {described(by)}", _MAIN_TEXT, 8, 2, outcomes, g, by)


def _bai(g: str | None) -> Iterator[Recipe]:
    for N in (2, 3, 4, 5, 7, 8, 9, 16, 17, 33):
        name, last = f"{N} arms from {N // 2}: the last one wins", arm_wins(N - 1)
        yield _pass(name, _BAI, N, N // 2, plan(last, _OF_TREES), g, level="1/100")
        yield _pass(f"{N} arms from the last: it wins", _BAI, N, N - 1, plan(last, late(2)), g)
    for level in ("999/1000", "2^-256"):
        outcomes = plan(higher_wins, straight)
        yield _pass(f"delta = {level}", _BAI, 3, 0, outcomes, g, level=level)
    for by in (*TREES[1:], UNLIKE_RULINGS):
        yield _pass(f"6 arms: {described(by)}", _BAI, 6, 4, plan(cycle(6), _OF_TREES), g, by)


def _tree_levels() -> Iterator[Recipe]:
    for level in LEVELS:
        N = 5 if len(level) < 7 else 3
        name, outcomes = f"epsilon = {level}: {N} arms", plan(cycle(N), straight)
        yield _pass(name, _TREE, N, 1, outcomes, level=level)


def _tree_ties() -> Iterator[Recipe]:
    for by in (RULINGS, UNLIKE_RULINGS, *BRACKETS[1::2]):
        for N in (2, 5, 8):
            name, outcomes = f"{N} arms, ties only: {described(by)}", plan(scripted("uvv"), tie)
            yield _pass(name, _TREE, N, by.first_arm + N // 2, outcomes, "3/10", by, "1/2")


# ScreenAndReplace and ScreenAndReplace_g.


def _epochs() -> Iterator[Recipe]:
    """Yield the _epochs."""
    for g in (None, "2/5"):
        yield from _epoch_sizes(g)
        yield from _orders(g)
        yield from _epoch_levels(g)
    yield from _epoch_ties()


def _epoch(
    name: str,
    N: int,
    c: int,
    outcomes: Plan,
    g: str | None,
    by: Conventions = RULINGS,
    rho: str = "1/64",
    kappa: str = "1/100",
) -> Recipe:
    return recipe("screen_and_replace", name, outcomes, g, by, N=N, c=c, rho=rho, kappa=kappa)


def screens(N: int, c: int) -> dict[str, Winner]:
    """Return who may win an epoch's matches, in words.

    The incumbent is the first argument in screening.
    """
    keeps = arm_wins(c)
    return {
        "no arm beats the incumbent": keeps,
        "all arms beat it, the tournament keeps it": in_screening(scripted("v"), keeps),
        "every other arm beats it": in_screening(scripted("vu"), arm_wins((c + 1) % N)),
        "the last arm alone beats it": in_screening(scripted("u" * (N - 2) + "v"), cycle(N)),
    }


def _epoch_sizes(g: str | None) -> Iterator[Recipe]:
    for N in SMALL_SIZES if g is None else (2, 3, 4, 7, 9, 17):
        for c in sorted({0, N // 2, N - 1}) if N < 10 else (N // 2,):
            for words, winner in screens(N, c).items():
                outcomes = plan(winner, straight if N > 9 else _OF_EPOCHS)
                yield _epoch(f"{N} arms, incumbent {c}: {words}", N, c, outcomes, g)


def _orders(g: str | None) -> Iterator[Recipe]:
    for by in (*EPOCHS[1:], FIRST_ARM_IS_ONE, UNLIKE_RULINGS, *BRACKETS[3::7]):
        for N in (3, 4, 6, 9) if g is None else (6,):
            c = by.first_arm + N // 2
            outcomes = plan(in_screening(scripted("vvu"), cycle(N)), _OF_EPOCHS)
            yield _epoch(f"{N} arms, incumbent {c}: {described(by)}", N, c, outcomes, g, by)


def _epoch_levels(g: str | None) -> Iterator[Recipe]:
    for rho, kappa in (
        ("999/1000", "1/10"),
        ("1/10", "999/1000"),
        ("2^-1024", "1/4"),
        ("1/4", "2^-1024"),
        ("1/40 * 6/pi^2", "1/4"),
    ):
        outcomes = plan(in_screening(scripted("vu"), cycle(4)), straight)
        yield _epoch(f"rho = {rho}, kappa = {kappa}", 4, 1, outcomes, g, RULINGS, rho, kappa)


def _epoch_ties() -> Iterator[Recipe]:
    """In screening a tie goes to the incumbent, in the tournament to the first argument."""
    ways = {"ties only": tie, "every other match a tie": by_turns(tie, straight)}
    for by in (RULINGS, *EPOCHS[1:], UNLIKE_RULINGS):
        for words, way in ways.items():
            outcomes = plan(scripted("vvu"), way)
            yield _epoch(f"{words}: {described(by)}", 5, 2, outcomes, "3/10", by, "1/2", "1/2")
