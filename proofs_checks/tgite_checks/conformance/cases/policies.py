"""Cases of the regret policies: TG-ITE-Weak, -Strong-KnownHorizon and -Strong-Anytime."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from tgite import RULINGS, Conventions
from tgite_checks.conformance.cases.choices import (
    BRACKETS,
    EPOCHS,
    FIRST_ARM_IS_ONE,
    UNLIKE_RULINGS,
    described,
    named,
    with_gap,
)
from tgite_checks.conformance.format import Expected, Parameter
from tgite_checks.conformance.plans import (
    Plan,
    Winner,
    arm_wins,
    by_turns,
    cycle,
    late,
    mixed,
    noisy,
    plan,
    scripted,
    straight,
    tie,
)
from tgite_checks.conformance.record import Recipe, played

_VARIED = by_turns(straight, late(2), straight, noisy(11, 85))
_PROBE = 1000
_LONGEST_SEARCH = 400


# The size, winner and horizon of the paper's two regret panels, and what it prints of them.
_PANEL_ARMS, _PANEL_WINNER, _PANEL_HORIZON = 256, 128, 100_000


def recipes() -> Iterator[Recipe]:
    """Yield the recipes."""
    for g in (None, "2/5"):
        yield from _weak(g)
        yield from _known_horizon(g)
        yield from _anytime(g)
    # The longest come last: a reader of differences sees short cases first.
    yield from _without_upsets()


def _without_upsets() -> Iterator[Recipe]:
    """Yield the luckiest runs there are of the paper's panels: no match has an upset.

    No match can be shorter, so that these runs refute what is printed of the regrets.
    """
    lucky = plan(arm_wins(_PANEL_WINNER), straight)

    def name(printed: str) -> str:
        return f"{_PANEL_ARMS} arms, no upset, against {printed}"

    weak = _weak_recipe(name("a weak regret of 2384"), _PANEL_ARMS, 0, lucky, None)
    yield _cut(weak, _Rounds(weak).announcement(2), "at the end of epoch 1")
    yield _strong_recipe(
        name("a strong regret of 5928 at H = 100000"), _PANEL_ARMS, 0, _PANEL_HORIZON, lucky, None
    )
    anytime = _anytime_recipe(
        name("a strong regret of 25337 at T = 100000"), _PANEL_ARMS, 0, lucky, None
    )
    yield replace(anytime, horizon=_PANEL_HORIZON)


# The weak policy.


def _weak(g: str | None) -> Iterator[Recipe]:
    for N in (2, 3, 4, 5, 6, 8, 9, 17) if g is None else (2, 3, 5, 9):
        # From the last of 5, 9 or 17 arms the pass goes through empty blocks.
        start = N - 1 if N in (5, 9, 17) else N // 2
        for words, winner in _epochs_of(N).items():
            made = _weak_recipe(f"{N} arms, {words}", N, start, plan(winner, _VARIED), g)
            rounds, last = _Rounds(made), 3 if N < 8 else 2
            yield _cut(made, rounds.announcement(last), f"at the end of epoch {last - 1}")
            if words == "a cycle":
                yield _cut(made, rounds.within_match(N), f"within match {N}")
                yield _cut(made, rounds.after_match(N), f"after match {N}")
                yield _cut(made, 1, "after one duel")
    for level in ("1/4", "1/2", "1/1000000", "2^-1024"):
        made = _weak_recipe(f"warm start {level}", 3, 0, plan(cycle(3), straight), g, level=level)
        yield _cut(made, _Rounds(made).announcement(2), "at the end of epoch 1")
    for conventions in (FIRST_ARM_IS_ONE, UNLIKE_RULINGS, *EPOCHS[1:], *BRACKETS[5::9]):
        made = _weak_recipe(
            f"6 arms: {described(conventions)}",
            6,
            conventions.first_arm,
            plan(mixed({"screen": scripted("vvu")}, cycle(6)), _VARIED),
            g,
            conventions,
        )
        yield _cut(made, _Rounds(made).announcement(3), "at the end of epoch 2")
    if g is not None:
        made = _weak_recipe("ties", 4, 1, plan(scripted("vuv"), by_turns(tie, straight)), g)
        yield _cut(made, _Rounds(made).announcement(4), "at the end of epoch 3")
    # Screening levels of later epochs.
    made = _weak_recipe("2 arms, many epochs", 2, 0, plan(arm_wins(0), straight), g)
    yield _cut(made, _Rounds(made).announcement(41), "at the end of epoch 40")
    if g is not None:
        # As floats the levels end at 2^-1074, in epoch 535. At this gap the matches are short.
        made = _weak_recipe("2 arms, very many epochs", 2, 1, plan(arm_wins(1), straight), "1/2")
        yield _cut(made, _Rounds(made).announcement(541), "at the end of epoch 540")


def _epochs_of(N: int) -> dict[str, Winner]:
    return {
        "the winner is found at once": arm_wins(N - 1),
        "a cycle": cycle(N),
        "every arm beats every incumbent": mixed({"screen": scripted("v")}, cycle(N)),
        "the incumbent withstands": mixed({"screen": scripted("vu")}, arm_wins(0)),
    }


def _weak_recipe(
    name: str,
    N: int,
    start: int,
    chosen: Plan,
    g: str | None,
    conventions: Conventions = RULINGS,
    level: str | None = None,
) -> Recipe:
    parameters: dict[str, Parameter] = {"N": N, "b_0": start}
    if level is not None:
        parameters["warm_start"] = level
    return Recipe(name, named("tg_ite_weak", g), with_gap(parameters, g), chosen, conventions)


# Strong regret, known horizon.


def _known_horizon(g: str | None) -> Iterator[Recipe]:
    for N in (2, 3, 4, 5, 8, 9, 16, 17) if g is None else (2, 3, 5, 9):
        for H in (1, 2, 10, 100, 1000, 100_000):
            yield _strong_recipe(f"{N} arms, H = {H}", N, N - 1, H, plan(cycle(N), _VARIED), g)
    for N in (2, 3, 5):
        chosen = plan(cycle(N), straight)
        yield from _just_in_time(N, chosen, g)
    for H in (10**9, 2**1023 - 1):
        yield _strong_recipe(f"3 arms, H = {H:.3e}", 3, 1, H, plan(cycle(3), straight), g)
    for conventions in (FIRST_ARM_IS_ONE, UNLIKE_RULINGS):
        first = conventions.first_arm
        yield _strong_recipe(
            f"6 arms: {described(conventions)}",
            6,
            first + 5,
            5000,
            plan(cycle(6), _VARIED),
            g,
            conventions,
        )


def _just_in_time(N: int, chosen: Plan, g: str | None) -> Iterator[Recipe]:
    """The pass ends in the last round, one round before it, and would end one round after it."""
    for H in range(8, _LONGEST_SEARCH):
        found = played(_strong_recipe("", N, 0, H, chosen, g))
        if found.result is None:
            continue
        if found.duels == H:
            yield _strong_recipe(f"{N} arms: the pass ends in round H = {H}", N, 0, H, chosen, g)
        if found.duels == H - 1:
            yield _strong_recipe(f"{N} arms: one round before H = {H}", N, 0, H, chosen, g)
            return
        if played(_strong_recipe("", N, 0, H - 1, chosen, g)).result is None:
            yield _strong_recipe(f"{N} arms: expires at H = {H - 1}", N, 0, H - 1, chosen, g)


def _strong_recipe(
    name: str,
    N: int,
    start: int,
    H: int,
    chosen: Plan,
    g: str | None,
    conventions: Conventions = RULINGS,
) -> Recipe:
    return Recipe(
        name,
        named("tg_ite_strong_known_horizon", g),
        with_gap({"N": N, "b_0": start, "H": H}, g),
        chosen,
        conventions,
    )


# Strong regret, anytime.


def _anytime(g: str | None) -> Iterator[Recipe]:
    for N in (2, 3, 4, 5, 8, 9) if g is None else (2, 3, 5):
        start = 0 if N == 3 else N // 2
        made = _anytime_recipe(f"{N} arms in a cycle", N, start, plan(cycle(N), _VARIED), g)
        rounds = _Rounds(made)
        ends = [rounds.phase_end(s) for s in (1, 2, 3)]
        yield _cut(made, ends[0], "at the end of phase 1")
        yield _cut(made, ends[0] - 1, "one round before the end of phase 1")
        yield _cut(made, ends[0] + 1, "one round into phase 2")
        yield _cut(made, ends[1], "at the end of phase 2")
        yield _cut(made, ends[1] - 5, "within the self-play of phase 2")
        yield _cut(made, rounds.within_match(N), "within the first match of phase 2")
        yield _cut(made, ends[2], "at the end of phase 3")
    made = _anytime_recipe("2 arms", 2, 1, plan(scripted("uv"), straight), g)
    yield _cut(made, _Rounds(made).phase_end(4) - 1000, "within the self-play of phase 4")
    yield _cut(made, 10**6, "within the self-play of phase 5, of 2^32 rounds")
    # Self-play grows so fast that only an astronomic horizon reaches the later levels.
    for exponent in (256, 1500, 2049) if g is None else (256,):
        yield replace(made, name=f"2 arms; cut at 2^{exponent}", horizon=2**exponent)
    for conventions in (FIRST_ARM_IS_ONE, UNLIKE_RULINGS):
        made = _anytime_recipe(
            f"6 arms: {described(conventions)}",
            6,
            conventions.first_arm + 2,
            plan(cycle(6), _VARIED),
            g,
            conventions,
        )
        yield _cut(made, _Rounds(made).phase_end(2), "at the end of phase 2")


def _anytime_recipe(
    name: str,
    N: int,
    start: int,
    chosen: Plan,
    g: str | None,
    conventions: Conventions = RULINGS,
) -> Recipe:
    return Recipe(
        name,
        named("tg_ite_strong_anytime", g),
        with_gap({"N": N, "b_0": start}, g),
        chosen,
        conventions,
    )


# Where to cut.


def _cut(made: Recipe, horizon: int, words: str) -> Recipe:
    return replace(made, name=f"{made.name}; cut {words}", horizon=horizon)


class _Rounds:
    """The rounds at which things happen in a run, played as far as is needed to see them."""

    def __init__(self, made: Recipe) -> None:
        self._made = replace(made, horizon=_PROBE)
        self._run = played(self._made)

    def _seen(self, happens: Callable[[Expected], int]) -> int:
        """Return the matches before what ``happens`` finds, playing on until it is there."""
        while True:
            try:
                return happens(self._run)
            except IndexError:
                self._made = replace(self._made, horizon=4 * (self._made.horizon or 1))
                self._run = played(self._made)

    def _before(self, matches: int) -> int:
        """Return the rounds played before match number ``matches``."""
        blocks = sum(block.rounds for block in self._run.self_play if block.after <= matches)
        return blocks + sum(match.length for match in self._run.matches[:matches])

    def after_match(self, matches: int) -> int:
        """Return the rounds after so many matches."""

        # The next match is there too, so that the horizon does not cut this one.
        self._seen(lambda run: run.matches[matches].length)
        return self._before(matches - 1) + self._run.matches[matches - 1].length

    def within_match(self, matches: int) -> int:
        """Return the rounds three duels before the end of a match."""
        return self.after_match(matches) - 3

    def announcement(self, number: int) -> int:
        """Return the rounds before an announcement."""
        return self._before(self._seen(lambda run: run.incumbents[number - 1].after))

    def phase_end(self, s: int) -> int:
        """Return the rounds at which the self-play of phase ``s`` ends."""
        # The next phase has begun, so that the horizon does not cut this one's self-play.
        after = self._seen(lambda run: run.incumbents[s - 1].after)
        self._seen(lambda run: run.matches[after].length)
        return self._before(after)
