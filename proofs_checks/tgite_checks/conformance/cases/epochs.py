"""Cases of ScreenAndReplace and ScreenAndReplace_g."""

from __future__ import annotations

from collections.abc import Iterator

from tgite import RULINGS, Conventions
from tgite_checks.conformance.cases.choices import (
    BRACKETS,
    EPOCHS,
    FIRST_ARM_IS_ONE,
    SMALL_SIZES,
    UNLIKE_RULINGS,
    described,
    recipe,
)
from tgite_checks.conformance.plans import (
    Plan,
    Winner,
    arm_wins,
    by_turns,
    cycle,
    in_screening,
    late,
    noisy,
    plan,
    scripted,
    straight,
    tie,
)
from tgite_checks.conformance.record import Recipe

_VARIED = by_turns(straight, late(2), straight, noisy(9, 85))


def recipes() -> Iterator[Recipe]:
    """Yield the recipes."""
    for g in (None, "2/5"):
        yield from _sizes(g)
        yield from _orders(g)
        yield from _levels(g)
    yield from _ties()


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


def _screens(N: int, c: int) -> dict[str, Winner]:
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


def _sizes(g: str | None) -> Iterator[Recipe]:
    for N in SMALL_SIZES if g is None else (2, 3, 4, 7, 9, 17):
        for c in sorted({0, N // 2, N - 1}) if N < 10 else (N // 2,):
            for words, winner in _screens(N, c).items():
                outcomes = plan(winner, straight if N > 9 else _VARIED)
                yield _epoch(f"{N} arms, incumbent {c}: {words}", N, c, outcomes, g)


def _orders(g: str | None) -> Iterator[Recipe]:
    for by in (*EPOCHS[1:], FIRST_ARM_IS_ONE, UNLIKE_RULINGS, *BRACKETS[3::7]):
        for N in (3, 4, 6, 9) if g is None else (6,):
            c = by.first_arm + N // 2
            outcomes = plan(in_screening(scripted("vvu"), cycle(N)), _VARIED)
            yield _epoch(f"{N} arms, incumbent {c}: {described(by)}", N, c, outcomes, g, by)


def _levels(g: str | None) -> Iterator[Recipe]:
    for rho, kappa in (
        ("999/1000", "1/10"),
        ("1/10", "999/1000"),
        ("2^-1024", "1/4"),
        ("1/4", "2^-1024"),
        ("1/40 * 6/pi^2", "1/4"),
    ):
        outcomes = plan(in_screening(scripted("vu"), cycle(4)), straight)
        yield _epoch(f"rho = {rho}, kappa = {kappa}", 4, 1, outcomes, g, RULINGS, rho, kappa)


def _ties() -> Iterator[Recipe]:
    """In screening a tie goes to the incumbent, in the tournament to the first argument."""
    ways = {"ties only": tie, "every other match a tie": by_turns(tie, straight)}
    for by in (RULINGS, *EPOCHS[1:], UNLIKE_RULINGS):
        for words, way in ways.items():
            outcomes = plan(scripted("vvu"), way)
            yield _epoch(f"{words}: {described(by)}", 5, 2, outcomes, "3/10", by, "1/2", "1/2")
