"""Cases of the regret policies: TG-ITE-Weak, -Strong-KnownHorizon and -Strong-Anytime."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace

from tgite import RULINGS, Conventions
from tgite_conform.cases.choices import (
    BRACKETS,
    EPOCHS,
    FIRST_ARM_IS_ONE,
    UNLIKE_RULINGS,
    described,
    recipe,
)
from tgite_conform.format import Expected
from tgite_conform.plans import (
    Plan,
    Winner,
    arm_wins,
    by_turns,
    cycle,
    in_screening,
    plan,
    scripted,
    straight,
    tie,
    varied,
)
from tgite_conform.record import Recipe, played

_VARIED = varied(11)
_PROBE = 1000
_LONGEST_SEARCH = 400
_WEAK, _KNOWN, _ANYTIME = "tg_ite_weak", "tg_ite_strong_known_horizon", "tg_ite_strong_anytime"

# The size, winner and horizon of the paper's two regret panels.
_PANEL_ARMS, _PANEL_WINNER, _PANEL_HORIZON = 256, 128, 100_000


def recipes() -> Iterator[Recipe]:
    """Yield the recipes."""
    for g in (None, "2/5"):
        yield from _weak(g)
        yield from _known_horizon(g)
        yield from _anytime(g)
    # The longest come last: a reader of differences sees short cases first.
    yield from _without_upsets()


def made_policy(
    name: str,
    policy: str,
    N: int,
    start: int,
    outcomes: Plan,
    g: str | None = None,
    by: Conventions = RULINGS,
    **given: int | str,
) -> Recipe:
    """Return a recipe of a policy from the incumbent ``start``."""
    return recipe(policy, name, outcomes, g, by, N=N, b_0=start, **given)


def _without_upsets() -> Iterator[Recipe]:
    """Yield the luckiest runs there are of the paper's panels: no match has an upset.

    No match can be shorter, so that these runs refute what is printed of the regrets.
    """
    lucky, horizon = plan(arm_wins(_PANEL_WINNER), straight), _PANEL_HORIZON
    name, N = f"{_PANEL_ARMS} arms, no upset, against", _PANEL_ARMS
    weak = made_policy(f"{name} a weak regret of 2384", _WEAK, N, 0, lucky)
    yield cut(weak, Rounds(weak).announcement(2), "at the end of epoch 1")
    known = f"{name} a strong regret of 5928 at H = {horizon}"
    yield made_policy(known, _KNOWN, N, 0, lucky, H=horizon)
    anytime = f"{name} a strong regret of 25337 at T = {horizon}"
    yield replace(made_policy(anytime, _ANYTIME, N, 0, lucky), horizon=horizon)


# The weak policy.


def _weak(g: str | None) -> Iterator[Recipe]:
    for N in (2, 3, 4, 5, 6, 8, 9, 17) if g is None else (2, 3, 5, 9):
        # From the last of 5, 9 or 17 arms the pass goes through empty blocks.
        start = N - 1 if N in (5, 9, 17) else N // 2
        for words, winner in epochs_of(N).items():
            made = made_policy(f"{N} arms, {words}", _WEAK, N, start, plan(winner, _VARIED), g)
            rounds = yield from weak_cut(made, 2 if N < 8 else 1)
            if words == "a cycle":
                yield cut(made, rounds.within_match(N), f"within match {N}")
                yield cut(made, rounds.after_match(N), f"after match {N}")
                yield cut(made, 1, "after one duel")
    for level in ("1/4", "1/2", "1/1000000", "2^-1024"):
        name, outcomes = f"warm start {level}", plan(cycle(3), straight)
        yield from weak_cut(made_policy(name, _WEAK, 3, 0, outcomes, g, warm_start=level), 1)
    for by in (FIRST_ARM_IS_ONE, UNLIKE_RULINGS, *EPOCHS[1:], *BRACKETS[5::9]):
        outcomes = plan(in_screening(scripted("vvu"), cycle(6)), _VARIED)
        name = f"6 arms: {described(by)}"
        yield from weak_cut(made_policy(name, _WEAK, 6, by.first_arm, outcomes, g, by), 2)
    if g is not None:
        outcomes = plan(scripted("vuv"), by_turns(tie, straight))
        yield from weak_cut(made_policy("ties", _WEAK, 4, 1, outcomes, g), 3)
    # Screening levels of later epochs.
    outcomes = plan(arm_wins(0), straight)
    yield from weak_cut(made_policy("2 arms, many epochs", _WEAK, 2, 0, outcomes, g), 40)
    if g is not None:
        # As floats the levels end at 2^-1074, in epoch 535. At this gap the matches are short.
        outcomes = plan(arm_wins(1), straight)
        yield from weak_cut(
            made_policy("2 arms, very many epochs", _WEAK, 2, 1, outcomes, "1/2"), 540
        )


def weak_cut(made: Recipe, epoch: int) -> Generator[Recipe, None, Rounds]:
    """Cut a run at the end of an epoch, which is announced after the warm start's answer."""
    rounds = Rounds(made)
    yield cut(made, rounds.announcement(epoch + 1), f"at the end of epoch {epoch}")
    return rounds


def epochs_of(N: int) -> dict[str, Winner]:
    """Return who may win the matches of a run of epochs, in words."""
    return {
        "the winner is found at once": arm_wins(N - 1),
        "a cycle": cycle(N),
        "every arm beats every incumbent": in_screening(scripted("v"), cycle(N)),
        "the incumbent withstands": in_screening(scripted("vu"), arm_wins(0)),
    }


# Strong regret, known horizon.


def _known_horizon(g: str | None) -> Iterator[Recipe]:
    for N in (2, 3, 4, 5, 8, 9, 16, 17) if g is None else (2, 3, 5, 9):
        for H in (1, 2, 10, 100, 1000, 100_000):
            outcomes = plan(cycle(N), _VARIED)
            yield made_policy(f"{N} arms, H = {H}", _KNOWN, N, N - 1, outcomes, g, H=H)
    for N in (2, 3, 5):
        yield from just_in_time(N, plan(cycle(N), straight), g)
    for H in (10**9, 2**1023 - 1):
        outcomes = plan(cycle(3), straight)
        yield made_policy(f"3 arms, H = {H:.3e}", _KNOWN, 3, 1, outcomes, g, H=H)
    for by in (FIRST_ARM_IS_ONE, UNLIKE_RULINGS):
        name, outcomes = f"6 arms: {described(by)}", plan(cycle(6), _VARIED)
        yield made_policy(name, _KNOWN, 6, by.first_arm + 5, outcomes, g, by, H=5000)


def just_in_time(
    N: int, outcomes: Plan, g: str | None, policy: str = _KNOWN, shortest: int = 8
) -> Iterator[Recipe]:
    """The pass ends in the last round, one round before it, and would end one round after it."""

    def until(H: int, words: str = "") -> Recipe:
        return made_policy(f"{N} arms: {words}", policy, N, 0, outcomes, g, H=H)

    for H in range(shortest, _LONGEST_SEARCH):
        found = played(until(H))
        if found.result is None:
            continue
        if found.duels == H:
            yield until(H, f"the pass ends in round H = {H}")
        if found.duels == H - 1:
            yield until(H, f"one round before H = {H}")
            return
        if played(until(H - 1)).result is None:
            yield until(H - 1, f"expires at H = {H - 1}")


def cut_within_known_self_play(policy: str = _KNOWN, g: str | None = None) -> Iterator[Recipe]:
    """The player stops before the horizon that the policy knows: in its pass, or after it."""
    H = 1000
    for N in (2, 3, 5):
        made = made_policy(f"{N} arms, H = {H}", policy, N, N - 1, plan(cycle(N), straight), g, H=H)
        after = played(made).duels
        yield cut(made, after - 1, "one round before the end of the pass")
        yield cut(made, after, "at the end of the pass")
        yield cut(made, after + 1, "one round into the self-play")
        yield cut(made, (after + H) // 2, "within the self-play")
        yield cut(made, H - 1, "one round before the end of the self-play")


# Strong regret, anytime.


def _anytime(g: str | None) -> Iterator[Recipe]:
    for N in (2, 3, 4, 5, 8, 9) if g is None else (2, 3, 5):
        start, outcomes = 0 if N == 3 else N // 2, plan(cycle(N), _VARIED)
        made = made_policy(f"{N} arms in a cycle", _ANYTIME, N, start, outcomes, g)
        rounds = Rounds(made)
        ends = [rounds.phase_end(s) for s in (1, 2, 3)]
        yield cut(made, ends[0], "at the end of phase 1")
        yield cut(made, ends[0] - 1, "one round before the end of phase 1")
        yield cut(made, ends[0] + 1, "one round into phase 2")
        yield cut(made, ends[1], "at the end of phase 2")
        yield cut(made, ends[1] - 5, "within the self-play of phase 2")
        yield cut(made, rounds.within_match(N), "within the first match of phase 2")
        yield cut(made, ends[2], "at the end of phase 3")
    made = made_policy("2 arms", _ANYTIME, 2, 1, plan(scripted("uv"), straight), g)
    yield cut(made, Rounds(made).phase_end(4) - 1000, "within the self-play of phase 4")
    yield cut(made, 10**6, "within the self-play of phase 5, of 2^32 rounds")
    # Self-play grows so fast that only an astronomic horizon reaches the later levels.
    for exponent in (256, 1500, 2049) if g is None else (256,):
        yield cut(made, 2**exponent, f"at 2^{exponent}")
    for by in (FIRST_ARM_IS_ONE, UNLIKE_RULINGS):
        name, outcomes = f"6 arms: {described(by)}", plan(cycle(6), _VARIED)
        made = made_policy(name, _ANYTIME, 6, by.first_arm + 2, outcomes, g, by)
        yield cut(made, Rounds(made).phase_end(2), "at the end of phase 2")


# Where to cut.


def cut(made: Recipe, horizon: int, words: str) -> Recipe:
    """Let the player stop after so many rounds."""
    return replace(made, name=f"{made.name}; cut {words}", horizon=horizon)


class Rounds:
    """The rounds at which things happen in a run, played as far as is needed to see them."""

    def __init__(self, made: Recipe) -> None:
        """Play the run for a while."""
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
