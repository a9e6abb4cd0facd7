"""Cases of the pairwise tests beyond the paper, and of every algorithm with one of them.

These tests compare integers: that the evidence is exactly 1/delta is possible, and stops a match.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from tgite import RULINGS, Confidence
from tgite.confidence import write_rational
from tgite_conform.algorithms import ALGORITHMS
from tgite_conform.cases.choices import (
    EXTREME_LEVELS,
    FIRST_ARM_IS_ONE,
    LEVELS,
    TREES,
    UNLIKE_RULINGS,
    described,
    match_recipe,
    recipe,
)
from tgite_conform.cases.policies import (
    Rounds,
    cut,
    cut_within_known_self_play,
    epochs_of,
    just_in_time,
    made_policy,
    weak_cut,
)
from tgite_conform.cases.tournaments import screens
from tgite_conform.plans import (
    Way,
    along_the_boundary,
    arm_wins,
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
    varied,
)
from tgite_conform.record import Recipe
from tgite_laws.pairwise import ChosenTest, PairwiseName

_SIDES = (("first", lower_wins), ("second", higher_wins))
_WAYS: dict[str, Way] = {
    "wins every duel": straight,
    "wins after a tie of 20": late(10),
    "wins from its own boundary at 100": along_the_boundary(100),
    "wins from the other's boundary at 100": along_the_boundary(100, own_side=False),
    "wins 3 of 4": noisy(1, 75),
}
_FACTORED = ("1/40 * 6/pi^2", "999/1000 * 6/pi^2", "2^-1024 * 6/pi^2")
_HAIR = Fraction(1, 10**15)

# (n, s) at which the evidence W is made to be exactly 1/delta.
_MIXTURE_TIES = ((1, 1), (2, 2), (7, 7), (20, 16), (61, 42), (120, 80))

# (g, k) at which 1/(1 + ((1+2g)/(1-2g))^k) is made to be exactly delta.
_SPRT_TIES = (("1/6", 1), ("1/6", 3), ("1/4", 2), ("2/5", 1), ("1/10", 12), ("1/100", 40))

_GAPS = ("49/100", "2/5", "1/4", "1/10", "1/25")
_GAP_LEVELS = ("999/1000", "1/10", "1/1000000", "2^-1100", "1/40 * 6/pi^2")
_MOST_BUDGET = 2000

# (g, delta) at which log(2/delta) / (2 g^2) is next to a whole number, above it or below it.
# Found by search over the gaps k/100 and the levels k/1000.
_NEAR_BUDGETS = (
    ("7/25", "29/1000"),
    ("21/50", "29/1000"),
    ("3/100", "263/500"),
    ("1/25", "201/1000"),
    ("1/20", "7/1000"),
)


@dataclass(frozen=True, slots=True)
class _Kind:
    """A test, the gap that it is told in the algorithms, and how their names end."""

    ending: str
    g: str | None

    def of(self, base: str) -> str:
        """Return the name of an algorithm with this test."""
        return base + self.ending

    @property
    def has_budget(self) -> bool:
        return ALGORITHMS[self.of("bkt")].test is PairwiseName.TRUNCATED_SPRT


_KINDS = (_Kind("_mixture", None), _Kind("_sprt", "2/5"), _Kind("_truncated_sprt", "1/4"))
_VARIED = varied(13)


def recipes() -> Iterator[Recipe]:
    """Yield the recipes."""
    yield from _mixture_test()
    for name in ("sprt_test", "truncated_sprt_test"):
        yield from _sprt_test(name)
    yield from _budgets()
    for kind in _KINDS:
        yield from _knockouts(kind)
        yield from _passes(kind)
        yield from _epochs(kind)
        yield from _weak(kind)
        yield from _known_horizon(kind)
        yield from _anytime(kind)


# The tests.


def _mixture_test() -> Iterator[Recipe]:
    for level in (*LEVELS, *_FACTORED):
        yield from _ways("mixture_test", f"delta = {level}", level)
    for n, s in _MIXTURE_TIES:
        evidence = Fraction(sum(comb(n + 1, k) for k in range(s + 1)), (n + 1) * comb(n, s))
        yield from _equalities("mixture_test", f"W({n}, {s}) = 1/delta", 1 / evidence, n - s)
    yield from _arms("mixture_test")
    for level, duels, own_side in (("1/10", 3000, True), ("2^-64", 3000, False)):
        winner, whose = (lower_wins, "its own") if own_side else (higher_wins, "the other's")
        outcomes = plan(winner, along_the_boundary(duels, own_side))
        name = f"delta = {level}: wins from {whose} boundary at {duels}"
        yield match_recipe("mixture_test", name, level, outcomes)


def _sprt_test(algorithm: str) -> Iterator[Recipe]:
    truncated = algorithm == "truncated_sprt_test"
    for g in _GAPS:
        for level in _GAP_LEVELS:
            if (_most(g, level) or 0) <= _MOST_BUDGET:
                yield from _ways(algorithm, f"g = {g}, delta = {level}", level, g)
    for g, k in _SPRT_TIES:
        ratio = (1 + 2 * Fraction(g)) / (1 - 2 * Fraction(g))
        exact = (2 if truncated else 1) / (1 + ratio**k)
        if exact < 1:
            yield from _equalities(algorithm, f"g = {g}, k = {k}", exact, 3, g)
    yield from _arms(algorithm, "1/4")


def _ways(algorithm: str, words: str, level: str, g: str | None = None) -> Iterator[Recipe]:
    for side, winner in _SIDES:
        for way_words, way in _WAYS.items():
            yield match_recipe(
                algorithm, f"{words}: the {side} {way_words}", level, plan(winner, way), g
            )


def _equalities(
    algorithm: str, words: str, level: Fraction, losses: int, g: str | None = None
) -> Iterator[Recipe]:
    """The evidence is 1/delta, or a hair from it, when the winner has lost so many duels."""
    for which, near in (
        ("exactly", level),
        ("a hair short", level * (1 - _HAIR)),
        ("a hair over", level * (1 + _HAIR)),
    ):
        for side, winner in _SIDES:
            name = f"{words}, {which}, for the {side}"
            yield match_recipe(algorithm, name, write_rational(near), plan(winner, late(losses)), g)


def _arms(algorithm: str, g: str | None = None) -> Iterator[Recipe]:
    for arms in ((1, 0), (9, 2)):
        for which, winner in (("lower", lower_wins), ("higher", higher_wins)):
            name = f"arms {arms[0]} and {arms[1]}: the {which} one wins"
            yield match_recipe(algorithm, name, "1/10", plan(winner, late(3)), g, arms=arms)
    outcomes = plan(higher_wins, late(3))
    yield match_recipe(
        algorithm, "arms are numbered from 1", "1/10", outcomes, g, FIRST_ARM_IS_ONE, (1, 2)
    )


def _most(g: str, level: str) -> int | None:
    test = ChosenTest(PairwiseName.TRUNCATED_SPRT, Fraction(g))
    return test.most(Confidence.of(level))


def _budgets() -> Iterator[Recipe]:
    """Matches to the last duel, which is a tie's if the budget is even."""
    named = [(g, level) for g in _GAPS for level in ("1/2", "1/10", "1/100", "1/40 * 6/pi^2")]
    for g, level in (*named, *_NEAR_BUDGETS):
        M = _most(g, level)
        if M is None or M > _MOST_BUDGET:
            continue
        ways = {"wins every odd duel": tie, "wins every even duel": late(M)}
        for side, winner in _SIDES:
            for words, way in ways.items():
                name = f"g = {g}, delta = {level}, M = {M}: the {side} {words}"
                yield match_recipe("truncated_sprt_test", name, level, plan(winner, way), g)


# The algorithms.


def _knockouts(kind: _Kind) -> Iterator[Recipe]:
    bkt = kind.of("bkt")
    for size in (1, 2, 3, 4, 5, 7, 8, 11, 17, 33):
        outcomes = plan(cycle(size), straight if size > 9 else _VARIED)
        S = tuple(range(size))
        yield recipe(bkt, f"{size} arms in a cycle", outcomes, kind.g, S=S, delta="1/10")
    for by in (FIRST_ARM_IS_ONE, UNLIKE_RULINGS):
        for size in (3, 7):
            name, S = f"{size} arms: {described(by)}", tuple(range(1, size + 1))
            yield recipe(bkt, name, plan(cycle(size), _VARIED), kind.g, by, S=S, delta="1/10")
    for level in EXTREME_LEVELS:
        name, outcomes = f"delta = {level}: 3 arms", plan(cycle(3), straight)
        yield recipe(bkt, name, outcomes, kind.g, S=(2, 0, 1), delta=level)
    if kind.has_budget:
        for by in (RULINGS, UNLIKE_RULINGS):
            name, outcomes = f"5 arms, ties only: {described(by)}", plan(scripted("uvv"), tie)
            yield recipe(bkt, name, outcomes, "1/10", by, S=tuple(range(1, 6)), delta="1/2")


def _passes(kind: _Kind) -> Iterator[Recipe]:
    for base, start, level in (
        ("tree_ascent", "b", "epsilon"),
        ("tree_ascent_power_of_two", "b", "epsilon"),
        ("tg_ite_bai", "b_0", "delta"),
    ):
        name, sizes = kind.of(base), (2, 4, 8) if "power" in base else (2, 3, 5, 6, 8, 9, 17)
        for N in sizes:
            for b in sorted({0, N // 2, N - 1}):
                given: dict[str, int | str] = {"N": N, start: b, level: "1/10"}
                outcomes = plan(cycle(N), _VARIED if N < 9 else straight)
                yield recipe(
                    name, f"{N} arms in a cycle, from {b}", outcomes, kind.g, RULINGS, **given
                )
            outcomes, given = plan(arm_wins(N - 1), late(2)), {"N": N, start: N - 1, level: "1/100"}
            yield recipe(
                name, f"{N} arms from the last: it wins", outcomes, kind.g, RULINGS, **given
            )
        for by in (FIRST_ARM_IS_ONE, UNLIKE_RULINGS, *TREES[1:]):
            N = 8 if "power" in base else 6
            given = {"N": N, start: by.first_arm + N - 1, level: "1/10"}
            words = f"{N} arms: {described(by)}"
            yield recipe(name, words, plan(cycle(N), _VARIED), kind.g, by, **given)


def _epochs(kind: _Kind) -> Iterator[Recipe]:
    name = kind.of("screen_and_replace")
    for N, c in ((2, 0), (2, 1), (3, 1), (5, 4), (9, 0)):
        for words, winner in screens(N, c).items():
            given: dict[str, int | str] = {"N": N, "c": c, "rho": "1/64", "kappa": "1/100"}
            outcomes = plan(winner, _VARIED)
            yield recipe(
                name, f"{N} arms, incumbent {c}: {words}", outcomes, kind.g, RULINGS, **given
            )
    for by in (FIRST_ARM_IS_ONE, UNLIKE_RULINGS):
        given = {"N": 5, "c": by.first_arm + 2, "rho": "1/40 * 6/pi^2", "kappa": "1/4"}
        words, outcomes = f"5 arms: {described(by)}", plan(scripted("vvu"), _VARIED)
        yield recipe(name, words, outcomes, kind.g, by, **given)
    if kind.has_budget:
        given = {"N": 5, "c": 2, "rho": "1/2", "kappa": "1/2"}
        outcomes = plan(scripted("vvu"), by_turns(tie, straight))
        yield recipe(name, "every other match a tie", outcomes, "1/10", RULINGS, **given)


def _weak(kind: _Kind) -> Iterator[Recipe]:
    policy = kind.of("tg_ite_weak")
    for N in (2, 3, 5, 9):
        for words, winner in epochs_of(N).items():
            outcomes = plan(winner, _VARIED)
            made = made_policy(f"{N} arms, {words}", policy, N, N - 1, outcomes, kind.g)
            rounds = yield from weak_cut(made, 2 if N < 8 else 1)
            if words == "a cycle":
                yield cut(made, rounds.after_match(N) - 1, f"one duel before match {N} ends")
                yield cut(made, rounds.after_match(N), f"after match {N}")
    outcomes = plan(cycle(3), straight)
    made = made_policy("warm start 1/2", policy, 3, 0, outcomes, kind.g, warm_start="1/2")
    yield from weak_cut(made, 1)
    for by in (FIRST_ARM_IS_ONE, UNLIKE_RULINGS):
        outcomes, start = plan(cycle(6), _VARIED), by.first_arm
        made = made_policy(f"6 arms: {described(by)}", policy, 6, start, outcomes, kind.g, by)
        yield from weak_cut(made, 2)


def _known_horizon(kind: _Kind) -> Iterator[Recipe]:
    policy = kind.of("tg_ite_strong_known_horizon")
    for N in (2, 3, 5, 9):
        for H in (1, 2, 10, 100, 1000):
            outcomes = plan(cycle(N), _VARIED)
            yield made_policy(f"{N} arms, H = {H}", policy, N, N - 1, outcomes, kind.g, H=H)
        yield from just_in_time(N, plan(cycle(N), straight), kind.g, policy, shortest=2)
    for H in (10**9, 2**1023 - 1):
        outcomes = plan(cycle(3), straight)
        yield made_policy(f"3 arms, H = {H:.3e}", policy, 3, 1, outcomes, kind.g, H=H)
    for by in (FIRST_ARM_IS_ONE, UNLIKE_RULINGS):
        name, outcomes = f"6 arms: {described(by)}", plan(cycle(6), _VARIED)
        yield made_policy(name, policy, 6, by.first_arm + 5, outcomes, kind.g, by, H=5000)
    yield from cut_within_known_self_play(policy, kind.g)


def _anytime(kind: _Kind) -> Iterator[Recipe]:
    policy = kind.of("tg_ite_strong_anytime")
    for N in (2, 3, 5):
        outcomes = plan(cycle(N), _VARIED)
        start = 0 if N == 3 else N // 2
        made = made_policy(f"{N} arms in a cycle", policy, N, start, outcomes, kind.g)
        rounds = Rounds(made)
        first, second, third = (rounds.phase_end(s) for s in (1, 2, 3))
        yield cut(made, first, "at the end of phase 1")
        yield cut(made, first - 1, "one round before the end of phase 1")
        yield cut(made, first + 1, "one round into phase 2")
        yield cut(made, second - 5, "within the self-play of phase 2")
        yield cut(made, third, "at the end of phase 3")
    made = made_policy("2 arms", policy, 2, 1, plan(scripted("uv"), straight), kind.g)
    yield cut(made, 10**6, "within the self-play of phase 5, of 2^32 rounds")
    yield cut(made, 2**256, "at 2^256")
    for by in (FIRST_ARM_IS_ONE, UNLIKE_RULINGS):
        name, start = f"6 arms: {described(by)}", by.first_arm + 2
        made = made_policy(name, policy, 6, start, plan(cycle(6), _VARIED), kind.g, by)
        yield cut(made, Rounds(made).phase_end(2), "at the end of phase 2")
