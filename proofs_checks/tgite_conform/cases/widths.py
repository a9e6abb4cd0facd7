"""Cases at the widths at which numbers break: of arms, duels, budgets, rounds, epochs, horizons.

Integers of 8, 16, 32 and 64 bits, with and without a sign, and the 24 and 53 bits of floats.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import isqrt

from tgite import RULINGS, Confidence, budget
from tgite_conform.cases.choices import recipe
from tgite_conform.cases.policies import cut, made_policy, weak_cut
from tgite_conform.format import PairTape
from tgite_conform.plans import (
    arm_wins,
    cycle,
    higher_wins,
    late,
    lower_wins,
    plan,
    straight,
)
from tgite_conform.record import Recipe

_DUELS = (7, 8, 15, 16, 17, 24, 31, 32)
"""After 2**k duels in balance: 2**53 of them are years of any machine."""

_ARMS = (127, 128, 255, 256, 32767, 32768, 65535, 65536, 2**24 + 1, 2**31 - 1)
"""The last one that a signed integer of 32 bits holds: no instance has that many."""

_SIZES = (127, 128, 129, 181, 182, 255, 256, 257, 300)
"""From 182 arms on the product of two of them passes 2**15, from 257 on 2**16."""

_HORIZONS = tuple(
    2**k + more for k in (15, 16, 24, 31, 32, 53, 63, 64) for more in (-1, 0, 1, 2, 3)
)

_BUDGETS = (8, 15, 16, 24, 31, 32)

_HAIR = ("1/67", "53/86")
"""A gap and a level whose budget is 4199: in single precision its quotient is 4198, and no more."""


def recipes() -> Iterator[Recipe]:
    """Yield the recipes."""
    yield from _duels()
    yield from _budgets()
    yield from _arms()
    yield from _sizes()
    yield from _epochs()
    yield from _horizons()


def _duels() -> Iterator[Recipe]:
    for k in _DUELS:
        for side, balanced, wins in (("first", "5", "f"), ("second", "a", "0")):
            # 2**k duels that the arms win in turn, then more than it takes.
            entry = f"{balanced}*{2 ** (k - 2)} {wins}*{2 ** (k // 2 + 3)}"
            name = f"a balance of 2^{k} duels, then the {side} wins"
            yield _entry("duel_test", name, entry, delta="1/10")
    for k in (15, 16):
        name, outcomes = f"a balance of 2^{k} duels, then the higher wins", late(2 ** (k - 1))
        made = plan(higher_wins, outcomes)
        yield recipe("mixture_test", name, made, u=0, v=1, delta="1/10")


def _entry(algorithm: str, name: str, entry: str, **given: str) -> Recipe:
    tape = (PairTape(0, 1, (entry,)),)
    return Recipe(name, algorithm, {"u": 0, "v": 1, **given}, None, RULINGS, tape=tape)


def _budgets() -> Iterator[Recipe]:
    """In balance to the last duel: a budget that is one off has another length and winner."""
    for g, level in (_HAIR, *((_gap_beyond(2**k), "1/10") for k in _BUDGETS)):
        M = budget(Fraction(g), Confidence.of(level))
        for side, balanced in (("first", "a"), ("second", "5")):
            name = f"g = {g}, delta = {level}, M = {M}: in balance, the {side} wins the first"
            entry = f"{balanced}*{M // 4 + 5}"
            yield _entry("budgeted_duel_test", name, entry, delta=level, g=g)


def _gap_beyond(duels: int) -> str:
    """Return the largest gap 1/k whose budget at the level 1/10 is more than ``duels``."""
    k = isqrt(duels // 2)
    step = max(k // 8, 1)
    while step:
        while budget(Fraction(1, k + step), Confidence.of("1/10")) <= duels:
            k += step
        step //= 2
    return f"1/{k + 1}"


def _arms() -> Iterator[Recipe]:
    for arm in _ARMS:
        for u, v in ((arm, 1), (0, arm), (arm, arm - 1)):
            name, outcomes = f"arms {u} and {v}", plan(higher_wins, late(1))
            yield recipe("duel_test", name, outcomes, u=u, v=v, delta="1/10")
    for g in (None, "2/5"):
        S = tuple(arm - less for arm in _ARMS[1::2] for less in (1, 0))
        for which, winner in (("lowest", lower_wins), ("highest", higher_wins)):
            name, outcomes = f"arms {S[0]} to {S[-1]}: the {which} wins", plan(winner, straight)
            yield recipe("bkt", name, outcomes, g, S=S, delta="1/10")


def _sizes() -> Iterator[Recipe]:
    for N in _SIZES:
        outcomes = plan(cycle(N), straight)
        yield recipe("bkt", f"{N} arms in a cycle", outcomes, S=tuple(range(N)), delta="1/10")
        yield recipe("tree_ascent", f"{N} arms in a cycle", outcomes, N=N, b=N - 1, epsilon="1/10")
    for N in (128, 256):
        outcomes = plan(arm_wins(N - 1), straight)
        yield recipe(
            "tree_ascent_power_of_two",
            f"{N} arms, the last wins",
            outcomes,
            N=N,
            b=0,
            epsilon="1/10",
        )
    name, outcomes = "1025 arms: eleven rounds", plan(cycle(1025), straight)
    yield recipe("bkt", name, outcomes, "2/5", S=tuple(range(1025)), delta="1/10")
    for N in (129, 257):
        outcomes = plan(cycle(N), straight)
        name, rho = f"{N} arms in a cycle", "1/10"
        yield recipe("screen_and_replace", name, outcomes, N=N, c=1, rho=rho, kappa="1/4")
        yield recipe("tg_ite_bai", name, outcomes, N=N, b_0=0, delta="1/10")
        outcomes = plan(arm_wins(N - 1), straight)
        name = f"{N} arms, the last wins"
        yield from weak_cut(made_policy(name, "tg_ite_weak", N, 0, outcomes), 1)
        yield made_policy(name, "tg_ite_strong_known_horizon", N, 0, outcomes, H=10**5)
        yield cut(made_policy(name, "tg_ite_strong_anytime", N, 0, outcomes), 10**5, "at 10^5")


def _epochs() -> Iterator[Recipe]:
    """Two arms, and all goes to one of them: an epoch is a match."""
    outcomes = plan(arm_wins(1), straight)
    made = made_policy("2 arms, beyond 256 epochs", "tg_ite_weak", 2, 1, outcomes)
    yield from weak_cut(made, 258)


def _horizons() -> Iterator[Recipe]:
    outcomes = plan(cycle(3), straight)
    known, anytime = "tg_ite_strong_known_horizon", "tg_ite_strong_anytime"
    for H in _HORIZONS:
        yield made_policy(f"3 arms, H = {H}", known, 3, 1, outcomes, H=H)
        yield cut(made_policy("3 arms", anytime, 3, 1, outcomes), H, f"at {H}")
