"""The judge of the rules: it lets every right run pass, whatever the choices, and no wrong one."""

from __future__ import annotations

import random
from contextlib import suppress
from fractions import Fraction
from typing import Any, Never, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tgite
from golden import table
from tgite import RULINGS, Arm, BalancedTree, Confidence, Match, match
from tgite.conventions import Arguments, Byes, Candidates, End, Order, Pairing
from tgite_checks.claims.registry import ledger
from tgite_checks.fidelity import rules
from tgite_checks.fidelity.environments import CONVENTIONS
from tgite_checks.fidelity.setting import Setting, budgeted_tests, difference, duel_tests
from tgite_checks.mutation import mutated
from tgite_conform.algorithms import ALGORITHMS, Group
from tgite_conform.cases.random_cases import random_recipe
from tgite_conform.certificates import NOBODY
from tgite_conform.parameters import Inputs
from tgite_laws.implementation import REFERENCE, Implementation
from tgite_laws.match_paths import MatchStream, Path, replaying, timed, walk

POLICIES = [name for name in Group.PAPER.algorithms if ALGORITHMS[name].base == name]
KNOWN_HORIZON = "tg_ite_strong_known_horizon"
SEVEN = timed(lambda question, winner: 7)
"""Matches of seven rounds each."""


def drawn(algorithm: str, of: Implementation, by: random.Random) -> Setting[Any]:
    """Set an algorithm with a random input beside its rules."""
    row = ALGORITHMS[algorithm]
    while True:
        with suppress(ValueError):  # An exact level that is none.
            recipe = random_recipe(by, [algorithm])
            if not recipe.bad and int(str(recipe.parameters.get("N", 2))) <= 40:
                break
    handed = Inputs({**recipe.parameters}, recipe.conventions)
    H = 0
    if algorithm == KNOWN_HORIZON:
        # The pass may end with the last round.
        H = by.choice((by.randint(1, 400), 7 * (handed.count("N") - 1)))
        handed = Inputs({**recipe.parameters, "H": H}, recipe.conventions)

    def judged() -> rules.Rules[Any]:
        due = cast("rules.Rules[Any]", row.rules(handed))
        return rules.known_horizon(due, H, lambda *_: 7) if H else due

    return Setting(
        f"{recipe}", lambda test: row.make(of, handed, test, NOBODY), judged, 300, match=SEVEN
    )


def wrong(setting: Setting[Any], by: random.Random) -> str:
    """Judge a path on which winners are drawn at random, match by match."""
    second_wins = by.choice([0.1, 0.5, 0.9])
    path = setting.walk(lambda m: m.second if by.random() < second_wins else m.first, 8)
    return setting.wrong(path)


@pytest.mark.parametrize("algorithm", POLICIES)
def test_random_runs_of_the_transcription_follow_the_rules(algorithm: str) -> None:
    by = random.Random(algorithm)
    for _ in range(60):
        assert wrong(drawn(algorithm, REFERENCE, by), by) == ""


@pytest.mark.parametrize("algorithm", [name for name in POLICIES if name != KNOWN_HORIZON])
def test_random_runs_follow_the_rules_duel_by_duel(algorithm: str) -> None:
    by = random.Random(algorithm)
    for tests in (duel_tests(REFERENCE), budgeted_tests(REFERENCE)) * 10:
        p = by.choice([0.1, 0.4, 0.7, 1.0])
        setting = drawn(algorithm, REFERENCE, by)
        assert setting.by_duels(tests, lambda duel: by.random() < p, 1500) == ""  # noqa: B023


def test_a_tree_may_have_its_byes_anywhere() -> None:
    by = random.Random(1)
    for N in range(2, 41):
        leaves = [*range(N), *[None] * ((1 << (N - 1).bit_length()) - N)]
        by.shuffle(leaves)
        tree, b, level = BalancedTree(tuple(leaves)), by.randrange(N), Confidence.of("1/10")
        ascent = walk(
            tgite.tree_ascent(b, tree, level, match), lambda m: by.choice((m.first, m.second)), N
        )
        judged = rules.ascent(b, leaves, Fraction(1, 10), RULINGS)
        assert rules.broken_rule(ascent, judged) == ""


@pytest.mark.parametrize(("name", "algorithm"), table("checks/rules.toml", "rejected"))
def test_random_runs_show_a_wrong_transcription(name: str, algorithm: str) -> None:
    """The judge finds a foul; an error of the mutant would not pass for one."""
    by, of = random.Random(name), mutated(ledger().mutants[name])
    fouls = 0
    for _ in range(200):
        with suppress(tgite.InvalidInput):
            fouls += wrong(drawn(algorithm, of, by), by) != ""
    assert fouls


# The text alone.


def a_tournament_of_its_own(S: list[Arm], by: random.Random, delta: Fraction) -> Path[Arm]:
    """Play a knockout tournament that pairs, lets out and orders as it likes."""
    asked: list[Match] = []
    winners: list[Arm] = []
    alive, r = list(S), 1
    while len(alive) > 1:
        by.shuffle(alive)
        pairs = zip(alive[::2], alive[1::2], strict=False)
        alive = alive[len(alive) // 2 * 2 :]
        for pair in pairs:
            asked.append(Match(*pair, Confidence(delta / r**2, basel=True)))
            winners.append(by.choice(pair))
            alive = [*alive, winners[-1]]
        r += 1
    return Path(tuple(asked), tuple(winners), True, alive[0])


@given(
    S=st.lists(st.integers(0, 99), min_size=1, max_size=30, unique=True),
    by=st.randoms(use_true_random=False),
    delta=st.fractions(Fraction(1, 10**300), Fraction(999, 1000)),
)
def test_without_conventions_every_choice_that_the_text_allows_passes_and_no_other(
    S: list[Arm], by: random.Random, delta: Fraction
) -> None:
    """A loser that goes on, a match left out or played again, another level or result."""
    path = a_tournament_of_its_own(S, by, delta)
    asked, winners, result = path.asked, path.winners, path.result
    assert rules.broken_rule(path, rules.knockout(S, delta)) == ""
    if len(S) < 3:
        return
    at = by.randrange(len(asked) - 1)
    first, last = path.matches[at], path.matches[-1]
    loser = first.first + first.second - winners[at]
    lower = Match(first.first, first.second, Confidence(delta / 10**6))
    for changed in (
        Path(asked, (*winners[:at], loser, *winners[at + 1 :]), True, result),
        Path((*asked[:at], *asked[at + 1 :]), (*winners[:at], *winners[at + 1 :]), True, result),
        Path((*asked[: at + 1], *asked[at:]), (*winners[: at + 1], *winners[at:]), True, result),
        Path((*asked[:at], lower, *asked[at + 1 :]), winners, True, result),
        Path((*asked, first), (*winners, winners[at]), True, result),
        Path(asked, winners, True, last.first + last.second - winners[-1]),
    ):
        assert rules.broken_rule(changed, rules.knockout(S, delta)) != ""


@pytest.mark.parametrize("by", CONVENTIONS)
def test_every_convention_is_a_choice_that_the_text_allows(by: tgite.Conventions) -> None:
    arms, delta = range(11), Fraction(1, 10)
    level = Confidence(delta)
    epoch: MatchStream[Arm] = REFERENCE.screen_and_replace(4, level, level, 11, match, by)
    for stream, judged in (
        (REFERENCE.bkt(arms, level, match, by), rules.knockout(arms, delta)),
        (epoch, rules.epoch(4, level, delta, 11)),
    ):
        path = walk(stream, lambda question: max(question.first, question.second), 100)
        assert rules.broken_rule(path, judged) == ""


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
    for at, foul in (
        (1, tgite.Incumbent(0)),
        (2, tgite.SelfPlay(1, 5)),
        (2, tgite.Incumbent(1)),
        (0, tgite.Incumbent(1)),
        (2, right.matches[0]),
    ):
        asked = (*right.asked[:at], foul, *right.asked[at + 1 :])
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
    one, other = (REFERENCE.bkt([0, 1, c], Confidence.of("1/10"), match) for c in (2, 3))
    assert difference(one, other, replaying(()), 10).startswith("step 2: ")


def test_without_conventions_nobody_can_be_asked() -> None:
    with pytest.raises(ValueError, match="not determined"):
        next(rules.asked(rules.knockout([0, 1], Fraction(1, 10)), match))
