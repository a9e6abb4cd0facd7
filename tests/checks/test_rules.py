"""The judge of the rules: it lets every right run pass, whatever the choices, and no wrong one."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Never, get_type_hints

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tgite import (
    RULINGS,
    Arguments,
    Arm,
    BalancedTree,
    Byes,
    Candidates,
    Confidence,
    Conventions,
    End,
    Incumbent,
    InvalidInput,
    Match,
    Order,
    Pairing,
    SelfPlay,
    Stream,
    match,
)
from tgite_checks.claims.registry import ledger
from tgite_checks.fidelity import rules
from tgite_checks.fidelity.environments import CONVENTIONS
from tgite_checks.fidelity.setting import (
    Algorithm,
    R,
    Setting,
    budgeted_tests,
    difference,
    duel_tests,
)
from tgite_checks.mutation import mutated
from tgite_laws.implementation import REFERENCE, Implementation
from tgite_laws.match_paths import MatchStream, Path, replaying, timed, walk

KINDS = get_type_hints(Conventions)
EVERY = st.builds(
    Conventions, **{name: st.from_type(KINDS[name]) for name in KINDS if name != "first_arm"}
)
LEVELS = st.one_of(
    st.fractions(Fraction(1, 10**6), Fraction(999, 1000)),
    st.integers(1, 1100).map(lambda k: Fraction(1, 2**k)),
)


SEVEN = timed(lambda question, winner: 7)
"""Matches of seven rounds each."""

SEEDS = st.integers(0, 2**32)


@st.composite
def leaves(draw: st.DrawFn) -> tuple[Arm | None, ...]:
    """Place 2 to 40 arms and the byes on the leaves of a tree in any order."""
    N = draw(st.integers(2, 40))
    byes = (1 << (N - 1).bit_length()) - N
    return tuple(draw(st.permutations([*range(N), *[None] * byes])))


def beside(make: Algorithm[R], judged: Callable[[], rules.Rules[R]]) -> Setting[R]:
    """Set an algorithm with a drawn input beside its rules."""
    return Setting("drawn", make, judged, 300, match=SEVEN)


Made = Setting[Arm] | Setting[Arm | None]
KINDS_OF_RUNS = ("bkt", "ascent", "epoch", "weak", "anytime", "known")


def drawn(kind: str, of: Implementation, data: st.DataObject, by: Conventions) -> Made:
    """Draw the rest of an algorithm's input and set it beside its rules."""
    if kind == "epoch":
        N = data.draw(st.integers(2, 40))
        c = data.draw(st.integers(0, N - 1))
        rho, kappa = Confidence(data.draw(LEVELS)), data.draw(LEVELS)
        return beside(
            lambda test: of.screen_and_replace(c, rho, Confidence(kappa), N, test, by),
            lambda: rules.epoch(c, rho, kappa, N, by),
        )
    level = data.draw(LEVELS)
    if kind == "bkt":
        S = data.draw(st.lists(st.integers(0, 10**6), min_size=1, max_size=40, unique=True))
        return beside(
            lambda test: of.bkt(S, Confidence(level), test, by),
            lambda: rules.knockout(S, level, by),
        )
    tree = of.BalancedTree(data.draw(leaves()))
    b = data.draw(st.integers(0, tree.N - 1))
    match kind:
        case "ascent":
            version = data.draw(st.sampled_from([of.tree_ascent, of.tg_ite_bai]))
            return beside(
                lambda test: version(b, tree, Confidence(level), test, by),
                lambda: rules.ascent(b, tree.leaves, level, by),
            )
        case "weak":
            return beside(
                lambda test: of.tg_ite_weak(b, tree, test, by, warm_start=Confidence(level)),
                lambda: rules.weak(b, tree.leaves, level, by),
            )
        case "anytime":
            return beside(
                lambda test: of.tg_ite_strong_anytime(b, tree, test, by),
                lambda: rules.anytime(b, tree.leaves, by),
            )
    # Its matches take seven rounds each: the pass may end with the last round.
    H = data.draw(st.integers(1, 400) | st.just(7 * (tree.N - 1)))
    first = rules.horizon_level(H)
    return beside(
        lambda test: of.tg_ite_strong_known_horizon(b, tree, H, test, by),
        lambda: rules.known_horizon(rules.ascent(b, tree.leaves, first, by), H, lambda *_: 7),
    )


def drawn_path(setting: Made, data: st.DataObject) -> Path[Arm] | Path[Arm | None]:
    """Follow a path on which winners are drawn at random, each match taking seven rounds."""
    draw = random.Random(data.draw(SEEDS)).random
    second_wins = data.draw(st.sampled_from([0.1, 0.5, 0.9]))

    def decide(question: Match) -> Arm:
        return question.second if draw() < second_wins else question.first

    return setting.walk(decide, 8)


def check(kind: str, of: Implementation, data: st.DataObject) -> None:
    """Judge one random run, match by match."""
    setting = drawn(kind, of, data, data.draw(EVERY))
    assert setting.wrong(drawn_path(setting, data)) == ""


@pytest.mark.parametrize("kind", KINDS_OF_RUNS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_random_runs_of_the_transcription_follow_the_rules(kind: str, data: st.DataObject) -> None:
    check(kind, REFERENCE, data)


@pytest.mark.parametrize("kind", KINDS_OF_RUNS[:-1])
@settings(max_examples=20, deadline=None)
@given(data=st.data(), seed=SEEDS)
def test_random_runs_follow_the_rules_duel_by_duel(
    kind: str, data: st.DataObject, seed: int
) -> None:
    setting = drawn(kind, REFERENCE, data, data.draw(EVERY))
    tests = data.draw(st.sampled_from([duel_tests, budgeted_tests]))(REFERENCE)
    p = data.draw(st.sampled_from([0.1, 0.4, 0.7, 1.0]))
    draw = random.Random(seed).random
    assert setting.by_duels(tests, lambda duel: draw() < p, 1500) == ""


REJECTED = [
    ("bkt-bye-lost", "bkt"),
    ("bkt-level-by-arms-left", "bkt"),
    ("bkt-arguments-swapped", "ascent"),
    ("treeascent-m-for-mbar", "ascent"),
    ("treeascent-merge-arguments-swapped", "ascent"),
    ("treeascent-answer-forgotten", "ascent"),
    ("epoch-single-beater-ignored", "epoch"),
    ("epoch-screens-without-conventions", "epoch"),
    ("weak-epochs-from-2", "weak"),
    ("anytime-restarts-at-start", "anytime"),
    ("known-horizon-counts-matches", "known"),
]


@pytest.mark.parametrize(("name", "kind"), REJECTED)
def test_random_runs_show_a_wrong_transcription(name: str, kind: str) -> None:
    """The judge finds a foul; an error of the mutant would not pass for one."""
    wrong = mutated(ledger().mutants[name])

    @settings(
        max_examples=200,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        report_multiple_bugs=False,
    )
    @given(data=st.data())
    def follows(data: st.DataObject) -> None:
        with suppress(InvalidInput):
            check(kind, wrong, data)

    with pytest.raises(AssertionError):
        follows()


# The text alone.


def a_tournament_of_its_own(S: list[Arm], by: random.Random, delta: Fraction) -> Path[Arm]:
    """Play a knockout tournament that pairs, lets out and orders as it likes."""
    asked: list[Match] = []
    winners: list[Arm] = []
    alive, r = list(S), 1
    while len(alive) > 1:
        by.shuffle(alive)
        pairs = zip(alive[::2], alive[1::2], strict=False)
        bye = alive[len(alive) // 2 * 2 :]
        alive = bye
        for pair in pairs:
            asked.append(Match(*pair, Confidence(delta / r**2, basel=True)))
            winners.append(by.choice(pair))
            alive = [*alive, winners[-1]]
        r += 1
    return Path(tuple(asked), tuple(winners), True, alive[0])


SETS = st.lists(st.integers(0, 99), min_size=1, max_size=30, unique=True)


@given(S=SETS, by=st.randoms(use_true_random=False), delta=LEVELS)
def test_without_conventions_every_choice_that_the_text_allows_passes(
    S: list[Arm], by: random.Random, delta: Fraction
) -> None:
    path = a_tournament_of_its_own(S, by, delta)
    assert rules.broken_rule(path, rules.knockout(S, delta)) == ""


@given(S=SETS.filter(lambda S: len(S) > 2), by=st.randoms(use_true_random=False), data=st.data())
def test_without_conventions_the_text_still_judges(
    S: list[Arm], by: random.Random, data: st.DataObject
) -> None:
    """A loser that goes on, a match left out or played again, another level or result."""
    delta = Fraction(1, 10)
    path = a_tournament_of_its_own(S, by, delta)
    at = data.draw(st.integers(0, len(path.asked) - 2))
    first, last = path.matches[at], path.matches[-1]
    loser = {first.first: first.second, first.second: first.first}[path.winners[at]]
    worse = {last.first: last.second, last.second: last.first}[path.winners[-1]]
    lower = Match(first.first, first.second, Confidence(delta / 10**6))
    asked, winners = path.asked, path.winners
    for wrong in (
        Path(asked, (*winners[:at], loser, *winners[at + 1 :]), True, path.result),
        Path(
            (*asked[:at], *asked[at + 1 :]), (*winners[:at], *winners[at + 1 :]), True, path.result
        ),
        Path(
            (*asked[: at + 1], *asked[at:]), (*winners[: at + 1], *winners[at:]), True, path.result
        ),
        Path((*asked[:at], lower, *asked[at + 1 :]), winners, True, path.result),
        Path((*asked, first), (*winners, winners[at]), True, path.result),
        Path(asked, winners, True, worse),
    ):
        assert rules.broken_rule(wrong, rules.knockout(S, delta)) != ""


@pytest.mark.parametrize("by", CONVENTIONS)
def test_every_convention_is_a_choice_that_the_text_allows(by: Conventions) -> None:
    arms, delta = range(11), Fraction(1, 10)
    level = Confidence(delta)
    for path, judged in (
        (_last_wins(REFERENCE.bkt(arms, level, match, by)), rules.knockout(arms, delta)),
        (
            _last_wins(REFERENCE.screen_and_replace(4, level, level, 11, match, by)),
            rules.epoch(4, level, delta, 11),
        ),
    ):
        assert rules.broken_rule(path, judged) == ""


def _last_wins(stream: MatchStream[Arm]) -> Path[Arm]:
    return walk(stream, lambda question: max(question.first, question.second), 100)


def test_there_are_as_many_conventions_as_are_counted() -> None:
    brackets = len(Pairing) * len(End) ** 2 * len(Arguments)
    trees = len(Byes) * len(Candidates) * len(Order)
    assert len(set(CONVENTIONS)) == len(CONVENTIONS) == brackets + trees - 1
    assert RULINGS in CONVENTIONS


# Announcements and self-play.


def test_what_is_announced_and_played_is_judged_too() -> None:
    tree = BalancedTree.over(2)
    right = walk(REFERENCE.tg_ite_strong_anytime(0, tree, match), lambda asked: 1, 2, 2)
    assert rules.broken_rule(right, rules.anytime(0, [0, 1], RULINGS)) == ""
    for at, wrong in (
        (1, Incumbent(0)),
        (2, SelfPlay(1, 5)),
        (2, Incumbent(1)),
        (0, Incumbent(1)),
        (2, right.matches[0]),
    ):
        asked = (*right.asked[:at], wrong, *right.asked[at + 1 :])
        changed: Path[Never] = Path(asked, (1,) * len(asked), False, None)
        assert f"step {at + 1}: " in rules.broken_rule(changed, rules.anytime(0, [0, 1], RULINGS))


def test_what_else_is_asked_of_a_path_is_said_on_every_path() -> None:
    setting = Setting(
        "S",
        lambda test: REFERENCE.bkt([0, 1, 2], Confidence.of("1/10"), test),
        lambda: rules.knockout([0, 1, 2], Fraction(1, 10)),
        6,
        lambda path: "too many" if path.result == 2 else "",
    )
    told = ["S: too many" if path.result == 2 else "" for path in setting.paths()]
    assert list(setting.every_path()) == told
    assert set(told) == {"", "S: too many"}


def test_streams_that_part_are_told_apart_at_the_first_step() -> None:
    def tournament(S: Sequence[Arm]) -> Stream[Match, Arm, Arm]:
        return REFERENCE.bkt(S, Confidence.of("1/10"), match)

    one, other = tournament([0, 1, 2]), tournament([0, 1, 3])
    assert difference(one, other, replaying(()), 10).startswith("step 2: ")


def test_without_conventions_nobody_can_be_asked() -> None:
    with pytest.raises(ValueError, match="not determined"):
        next(rules.asked(rules.knockout([0, 1], Fraction(1, 10)), match))
