"""Cases for mistakes of fast implementations that the cases of the earlier versions let slip.

What rounds off only a little, or only far out; levels next to 1 and far below what any float
holds; a convention beside another one; what goes wrong in a third epoch, or in an eleventh round.
"""

from __future__ import annotations

from collections.abc import Iterator

from tgite import RULINGS, Outcome
from tgite.confidence import write_rational
from tgite_conform.cases.choices import (
    FIRST_ARM_IS_ONE,
    NUMBERED_EPOCHS,
    NUMBERED_TREES,
    described,
    match_recipe,
    recipe,
)
from tgite_conform.cases.policies import made_policy, weak_cut
from tgite_conform.format import PairTape, Parameter
from tgite_conform.margins import evidence
from tgite_conform.plans import (
    Bout,
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

# Where 2n c(n, delta) is next to a whole number d of n's parity, as in the older cases, but beyond
# 2^16 and 2^20 duels, and with 6/pi^2: (delta, n, d, is it above d?). Single precision decides each
# the other way, and a pi of six digits one of those that have it. Found by search.
_FAR_NEAR_MISSES = (
    ("271/1000", 74_563, 1_909, True),
    ("57/100", 75_022, 1_886, False),
    ("7/100", 1_067_655, 8_151, True),
    ("3/250", 1_186_963, 8_863, False),
    ("213/1000 * 6/pi^2", 1_097_138, 8_188, True),
    ("3/250 * 6/pi^2", 1_051_960, 8_376, False),
)

# Where log(4/delta) / (2 g^2) is within 1e-9 of a whole number, or a hundred-thousand-millionth of
# itself: (g, delta, M).
_BUDGET_HAIRS = (
    ("3/47", "1183/2040", 238),
    ("3/107", "95/1223", 2_508),
    ("1/448", "45/77 * 6/pi^2", 242_967),
    ("1/707", "131/132 * 6/pi^2", 472_757),
)

# Gaps whose budget at the level 1/10 is 460 beyond 2^32, or beyond 64 bits; no match comes near it.
_BUDGETS_BEYOND = (("5/241278", 2**32 + 460), ("1/10000000000", 184_443_972_705_696_815_143))

# H at which 2n c(n, 1/(2(H+1))) is next to d for n duels: as above, in a pass of two arms.
_HORIZON_HAIRS = ((77_150, 558, 168), (80_697, 1_254, 260))

# Fractions next to pi^2/6: 6/pi^2 times such a one is a level if it is below 1. That the last two
# of each differ from 1, by 1e-17 to 1e-25, double precision cannot tell.
_BELOW_ONE = (
    *("3/2", "23/14", "1867/1135"),
    *("596706424/362754007", "1911806981249/1162239277415"),
)
_ABOVE_ONE = (
    *("5/3", "1640/997", "9108/5537", "366868/223029"),
    *("417360299/253724637", "2715106981408/1650587118431"),
)

# The tests that take such a level, and the gap that they are told.
_FACTORED = {
    "duel_test": None,
    "budgeted_duel_test": "2/5",
    "mixture_test": None,
    "sprt_test": "2/5",
    "truncated_sprt_test": "2/5",
}

# (n, s) at which W is made to be 1/delta; sums and logarithms in double precision fall short of it.
_MIXTURE_TIES = ((5, 4), (30, 20), (57, 47))


def recipes() -> Iterator[Recipe]:
    """Yield the recipes."""
    yield from _precision()
    yield from _levels()
    yield from _ties()
    yield from _conventions()
    yield from _refusals_of_numbers_from_one()
    yield from _tournaments()
    yield from _policies()


def _precision() -> Iterator[Recipe]:
    for k, (level, n, d, above) in enumerate(_FAR_NEAR_MISSES):
        # The winner comes to a lead of d with duel n. An odd number of pairs leaves half a digit.
        pairs = (n - d) // 2
        side, balanced, half, wins = (("first", "5", "7", "f"), ("second", "a", "8", "0"))[k % 2]
        entry = f"{balanced}*{pairs // 2} {half if pairs % 2 else wins} {wins}*{d // 4 + 8}"
        which = "not yet" if above else "just"
        name = f"delta = {level}: {which} at n = {n}, for the {side}"
        yield _entry("duel_test", name, entry, delta=level)
    for g, level, M in _BUDGET_HAIRS:
        name = f"g = {g}, delta = {level}, M = {M}: in balance to the last duel"
        yield _entry("budgeted_duel_test", name, f"a*{M // 4 + 5}", delta=level, g=g)
    for g, M in _BUDGETS_BEYOND:
        name = f"g = {g}, delta = 1/10, M = {M}: a balance of 1200 duels, then the first wins"
        yield _entry("budgeted_duel_test", name, "5*300 f*200", delta="1/10", g=g)
    # The lead of 32959 is beyond a signed integer of 16 bits.
    g, name = "1/60000", "g = 1/60000, delta = 1/10: the first wins every duel"
    yield match_recipe("sprt_test", name, "1/10", plan(lower_wins, straight), g)
    for H, n, d in _HORIZON_HAIRS:
        outcomes = plan(lower_wins, late((n - d) // 2))
        name = f"2 arms, H = {H}: a hair at n = {n}"
        yield made_policy(name, "tg_ite_strong_known_horizon", 2, 0, outcomes, H=H)


def _entry(algorithm: str, name: str, entry: str, **given: str) -> Recipe:
    tape = (PairTape(0, 1, (entry,)),)
    return Recipe(name, algorithm, {"u": 0, "v": 1, **given}, None, RULINGS, tape=tape)


def _levels() -> Iterator[Recipe]:
    name = "the first wins every duel"
    for rational in _BELOW_ONE:
        level = f"{rational} * 6/pi^2"
        for algorithm, g in _FACTORED.items():
            outcomes = plan(lower_wins, straight)
            yield match_recipe(algorithm, f"delta = {level}: {name}", level, outcomes, g)
        outcomes = plan(cycle(4), straight)
        named = f"rho = {level}"
        yield recipe("screen_and_replace", named, outcomes, N=4, c=1, rho=level, kappa="1/64")
    for rational in _ABOVE_ONE:
        level = f"{rational} * 6/pi^2"
        for algorithm, g in _FACTORED.items():
            gap: dict[str, Parameter] = {} if g is None else {"g": g}
            bad: dict[str, Parameter] = {"u": 0, "v": 1, **gap, "delta": level}
            yield Recipe(f"delta = {level}", algorithm, bad, None, bad="delta")
        given: dict[str, Parameter] = {"N": 4, "c": 1, "rho": level, "kappa": "1/64"}
        yield Recipe(f"rho = {level}", "screen_and_replace", given, None, bad="rho")
    # Extended precision ends at 2^-16445.
    yield _entry("duel_test", f"delta = 2^-65536: {name}", "f*22800", delta="2^-65536")


def _ties() -> Iterator[Recipe]:
    for n, s in _MIXTURE_TIES:
        for side, winner in (("first", lower_wins), ("second", higher_wins)):
            name, level = f"W({n}, {s}) = 1/delta, exactly, for the {side}", 1 / evidence(n, s)
            outcomes = plan(winner, late(n - s))
            yield match_recipe("mixture_test", name, write_rational(level), outcomes)


def _conventions() -> Iterator[Recipe]:
    """The arms are numbered from 1, and there is another choice beside it."""
    outcomes = plan(cycle(6), varied(17))
    for by in NUMBERED_TREES:
        if by == FIRST_ARM_IS_ONE:
            continue  # An older case.
        for b in (1, 6):
            name = f"6 arms from {b}: {described(by)}"
            yield recipe("tree_ascent", name, outcomes, by=by, N=6, b=b, epsilon="1/10")
    for by in NUMBERED_EPOCHS:
        outcomes = plan(in_screening(scripted("vvu"), cycle(6)), varied(17))
        name, rho = f"6 arms from 6: {described(by)}", "1/10"
        yield recipe("screen_and_replace", name, outcomes, by=by, N=6, c=6, rho=rho, kappa="1/4")


def _refusals_of_numbers_from_one() -> Iterator[Recipe]:
    """Arms 0 and N + 1 where the first is called 1."""
    given: dict[str, dict[str, Parameter]] = {
        "duel_test": {"u": 0, "v": 2, "delta": "1/10"},
        "bkt": {"S": (2, 0, 1), "delta": "1/10"},
        "screen_and_replace": {"N": 4, "c": 0, "rho": "1/64", "kappa": "1/64"},
        "tg_ite_bai": {"N": 4, "b_0": 0, "delta": "1/10"},
        "tg_ite_weak": {"N": 4, "b_0": 0},
        "tg_ite_strong_known_horizon": {"N": 4, "b_0": 0, "H": 100},
        "tg_ite_strong_anytime": {"N": 4, "b_0": 0},
    }
    where = "where arms are numbered from 1"
    for algorithm, parameters in given.items():
        bad = next(name for name in ("u", "S", "c", "b_0") if name in parameters)
        yield Recipe(
            f"{bad} has arm 0, {where}", algorithm, parameters, None, FIRST_ARM_IS_ONE, bad=bad
        )
        if "N" in parameters:
            beyond = {**parameters, bad: 5}
            yield Recipe(
                f"{bad} = 5 of 4, {where}", algorithm, beyond, None, FIRST_ARM_IS_ONE, bad=bad
            )


def _tournaments() -> Iterator[Recipe]:
    outcomes = plan(cycle(1025), _final_in_balance)
    name = "1025 arms: the eleventh round is in balance"
    yield recipe("bkt", name, outcomes, "2/5", S=tuple(range(1025)), delta="1/10")
    # 107 * (256/214) is less than 128, in single and in double precision.
    (spread,) = (by for by in NUMBERED_TREES if by.byes == "spread")
    name = f"214 arms: {described(spread)}"
    outcomes = plan(higher_wins, straight)
    yield recipe("tree_ascent", name, outcomes, "2/5", spread, N=214, b=108, epsilon="1/10")


def _final_in_balance(bout: Bout, first_wins: bool) -> Iterator[Outcome]:
    return (tie if bout.place.endswith("r11") else straight)(bout, first_wins)


def _policies() -> Iterator[Recipe]:
    for g in (None, "2/5"):
        # Another incumbent in every epoch, so that each begins from the last one's.
        made = made_policy("10 arms in a cycle", "tg_ite_weak", 10, 0, plan(cycle(10), straight), g)
        yield from weak_cut(made, 9)
