"""The referee: what it lets pass, and the first divergence that it tells of everything else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from golden import errors, same_as, table
from odd_implementations import changing, one_arm_less
from shipped_vectors import RUNS, played_of, subject_of
from tgite import Duel, Incumbent, InvalidInput, SelfPlay
from tgite_checks.claims.mutants import mutants
from tgite_checks.mutation import mutated
from tgite_conform.algorithms import reference
from tgite_conform.cases.outcomes import (
    Plan,
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
)
from tgite_conform.divergence import Diverged, Parting
from tgite_conform.format import Case, Expected, Refusal
from tgite_conform.positions import Line, lines_of, waits_of
from tgite_conform.protocol import read_played
from tgite_conform.recorder import Recipe, case_of
from tgite_conform.referee import Level, Referee
from tgite_conform.runner import CaseResult, Status, examine
from tgite_conform.subjects import StreamSubject, declaration_of, judge_played

Told = bool | list[bool] | None
Stream = Generator[object, Told, object]
Make = Callable[[str, dict[str, object]], object]


def _case(
    algorithm: str, parameters: Mapping[str, object], chosen: Plan, horizon: int | None = None
) -> Case:
    read = {k: tuple(v) if isinstance(v, list) else v for k, v in parameters.items()}
    return case_of(Recipe("made here", algorithm, read, chosen, horizon=horizon))  # type: ignore[arg-type]


TEST = _case("duel_test", {"u": 0, "v": 1, "delta": "1/10"}, plan(lower_wins, late(3)))
BKT = _case("bkt", {"S": [0, 1, 2, 3, 4], "delta": "1/10"}, plan(lower_wins, straight))
TREE = _case("tree_ascent", {"N": 4, "b": 0, "epsilon": "1/10"}, plan(arm_wins(2), straight))
EPOCH = _case(
    "screen_and_replace",
    {"N": 4, "c": 0, "rho": "1/64", "kappa": "1/64"},
    plan(in_screening(scripted("vvu"), lower_wins), straight),
)
KNOWN = _case(
    "tg_ite_strong_known_horizon", {"N": 2, "b_0": 0, "H": 60}, plan(lower_wins, straight)
)
ANYTIME = _case("tg_ite_strong_anytime", {"N": 2, "b_0": 0}, plan(lower_wins, straight), 70)
WEAK = _case("tg_ite_weak", {"N": 3, "b_0": 0}, plan(cycle(3), straight), 260)
LENGTH = 31
"""What TEST takes; stated as a number, so that the tests below do not follow the reference."""
TIE = _case(
    "budgeted_duel_test", {"u": 0, "v": 1, "g": "1/2", "delta": "1/10"}, plan(lower_wins, tie)
)


def _play(make: Make, case: Case, level: Level = Level.MATCHES) -> int:
    return StreamSubject(make, "made here").play(case, level)


def _asks(*questions: object, returns: object = None) -> Make:
    """Ask a list of questions, each so often as it stands there, and return."""

    def make(algorithm: str, parameters: dict[str, object]) -> Stream:
        for question in questions:
            _ = yield question
        return returns

    return make


def _reference_but(change: Callable[[int, object], object]) -> Make:
    """Play as the reference, with the ``n``-th question changed; None is not asked."""

    def make(algorithm: str, parameters: dict[str, object]) -> Stream:
        inner = reference(algorithm, parameters)
        told, n = None, 0
        try:
            while True:
                n += 1
                asked = change(n, inner.send(told if isinstance(told, bool) else None))
                told = None if asked is None else (yield asked)
        except StopIteration as stop:
            return stop.value

    return make


# Streams of every kind conform.


def _as_pair(n: int, asked: object) -> object:
    match asked:
        case Duel(first, second):
            return (first, second)
        case SelfPlay(arm, rounds):
            return (arm, arm, rounds)
        case Incumbent(arm):
            return ("incumbent", arm)
    raise AssertionError(asked)


ALL = (TEST, BKT, TREE, EPOCH, KNOWN, ANYTIME, WEAK, TIE)


@pytest.mark.parametrize("make", [reference, _reference_but(_as_pair)])
@pytest.mark.parametrize("case", ALL, ids=lambda case: case.algorithm)
@pytest.mark.parametrize("level", Level)
def test_conforming_streams_of_every_kind_pass(make: Make, case: Case, level: Level) -> None:
    assert _play(make, case, level) > 0


def test_a_round_may_be_played_side_by_side_but_not_at_the_level_of_order() -> None:
    case = _case("bkt", {"S": [3, 1, 0, 2], "delta": "1/10"}, plan(lower_wins, straight))
    assert _play(_side_by_side, case) > 0
    with pytest.raises(Diverged) as caught:
        _play(_side_by_side, case, Level.ORDER)
    divergence = caught.value.divergence
    assert divergence.parting is Parting.STOPPED_EARLY
    assert (divergence.duel, divergence.asked) == (2, "duel (0, 2)")


def _side_by_side(algorithm: str, parameters: dict[str, Any]) -> Stream:
    """Play four arms, the matches of a round in turns."""
    alive: list[Any] = parameters["S"]
    for level in ("1/10", "1/40"):
        given = {"delta": f"{level} * 6/pi^2", "conventions": parameters["conventions"]}
        pairs = zip(alive[::2], alive[1::2], strict=True)
        tests = [reference("duel_test", {"u": u, "v": v, **given}) for u, v in pairs]
        asked: dict[int, object] = {k: next(test) for k, test in enumerate(tests)}
        alive = [None] * len(tests)
        while asked:
            told = yield [*asked.values()]
            assert isinstance(told, list)
            for k, outcome in zip([*asked], told, strict=True):
                try:
                    asked[k] = tests[k].send(outcome)
                except StopIteration as stop:
                    alive[k] = stop.value
                    del asked[k]
    return alive[0]


# Everything else parts from the reference, and where is told.


def test_an_epoch_waits_for_what_is_before_it_and_a_certificate_for_each_of_its_matches() -> None:
    matches = WEAK.expected.matches  # type: ignore[union-attr]
    early = next(
        match
        for number, match in enumerate(matches)
        if match.pair not in {one.pair for one in matches[:number]}
        and match.place.endswith("screen")
    )
    with pytest.raises(Diverged) as caught:
        _play(_asks((early.first, early.second)), WEAK)
    assert caught.value.divergence.parting is Parting.TOO_SOON
    for case, expected in RUNS:
        if case.algorithm == "find_then_certify":
            for number, waits in enumerate(waits_of(expected.matches)):
                if {"certify", "expose"} & {*expected.matches[number].place.split()}:
                    assert waits.barrier == number


def test_duels_beyond_the_horizon_may_be_asked_with_those_before_it() -> None:
    assert {_play(_asks([(0, 1)] * 5), CUT, level) for level in Level} == {2}
    with pytest.raises(Diverged):
        _play(_asks([(0, 1), (1, 0), (0, 1)]), CUT)


def test_self_play_may_come_round_by_round() -> None:
    def make(algorithm: str, parameters: dict[str, object]) -> Stream:
        length = KNOWN.expected.duels  # type: ignore[union-attr]
        for _ in range(length):
            yield (0, 1)
        for _ in range(60 - length):
            yield (0, 0)
        return 0

    assert _play(make, KNOWN) == KNOWN.expected.duels  # type: ignore[union-attr]


def _announces(most: int) -> Make:
    """Make the first announcements alone."""
    made: list[object] = []

    def announced(n: int, asked: object) -> object:
        made.extend([asked] * isinstance(asked, Incumbent))
        return None if isinstance(asked, Incumbent) and len(made) > most else asked

    return _reference_but(announced)


def _one_more(algorithm: str, parameters: dict[str, object]) -> Stream:
    """Ask for one more duel in the end."""
    yield from reference(algorithm, parameters)
    yield (0, 3)
    return None


def _refusing(algorithm: str, parameters: dict[str, object]) -> Stream:
    raise ValueError("delta is too odd for me")


def _late_in_the_tournament(n: int, asked: object) -> object:
    return asked if n < EPOCH.expected.duels - 3 else (0, 3)  # type: ignore[union-attr]


def _self_play(to: object) -> Make:
    return _reference_but(lambda n, asked: to if isinstance(asked, SelfPlay) else asked)


def _announcing(arm: int, but_first: bool) -> Make:
    """Announce that arm always, or always but the first time."""
    seen: list[object] = []

    def announced(n: int, asked: object) -> object:
        seen.extend([asked] * isinstance(asked, Incumbent))
        changed = isinstance(asked, Incumbent) and len(seen) > but_first
        return Incumbent(arm) if changed else asked

    return _reference_but(announced)


BAD = Case("u = v", "duel_test", {"u": 0, "v": 0, "delta": "1/10"}, TEST.conventions, Refusal("v"))
CUT = _case("duel_test", {"u": 0, "v": 1, "delta": "999/1000"}, plan(lower_wins, straight), 2)
A, B = (match.length for match in BKT.expected.matches[:2])  # type: ignore[union-attr]
SITUATIONS: dict[str, tuple[Make, Case]] = {
    "a match stops early": (_asks(*[(0, 1)] * 20, returns=0), TEST),
    "a match goes on": (_asks(*[(0, 1)] * 50, returns=0), TEST),
    "a budgeted match goes on": (_asks(*[(0, 1)] * 9, returns=0), TIE),
    "a tie goes to the second argument": (_asks(*[(0, 1)] * 8, returns=1), TIE),
    "the arguments are swapped": (_asks((1, 0)), TEST),
    "the loser is returned": (_asks(*[(0, 1)] * LENGTH, returns=1), TEST),
    "no arm is returned": (_asks(*[(0, 1)] * LENGTH, returns=None), TEST),
    "other arms meet": (_asks((0, 3)), BKT),
    "the loser of a match goes on": (_asks(*[(0, 1)] * A, *[(2, 3)] * B, (1, 2)), BKT),
    "a match begins too soon": (_asks(*[(0, 1)] * A, (0, 2)), BKT),
    "a match half played is left": (_asks(*[(0, 1)] * A, (2, 3), (2, 3), (0, 2)), BKT),
    "nothing is played": (_asks(returns=0), BKT),
    "a run does not end": (_one_more, TREE),
    "a match of a tournament in an epoch": (_reference_but(_late_in_the_tournament), EPOCH),
    "self-play of another arm": (_self_play((1, 1)), KNOWN),
    "self-play of another arm, anytime": (_self_play((1, 1)), ANYTIME),
    "self-play that is too long": (_self_play((0, 0, 1000)), KNOWN),
    "self-play that is too short": (_self_play((0, 0)), ANYTIME),
    "self-play in the place of a match": (_asks((0, 0)), TREE),
    "self-play in the end": (_asks(*[(0, 1)] * LENGTH, (0, 0)), TEST),
    "another arm is announced": (_announcing(7, False), WEAK),
    "another arm is announced later": (_announcing(0, True), WEAK),
    "a bad input is played": (_asks((0, 1)), BAD),
    "a valid input is refused": (_refusing, TEST),
    "a match is stopped before the horizon": (_asks((0, 1), returns=0), CUT),
    "a match is stopped at the horizon": (_asks((0, 1), (0, 1), returns=0), CUT),
    **{
        f"the first {made} announcements alone are made": (_announces(made), WEAK)
        for made in range(1, len(WEAK.expected.incumbents))  # type: ignore[union-attr]
    },
}


def _whole_runs() -> Iterator[tuple[str, Case, dict[str, object]]]:
    yield "a whole run with a cut match that is won", CUT, {"matches": [[0, 1, 2, 0]], "result": 0}
    yield "a whole run of nothing", SHORTEST, {"matches": [], "result": None}
    for level in "1/10", "2/20", "0.1", "1/9", "3/2", "2^-1":
        won = {"matches": [[0, 1, LENGTH, 0, level]], "result": 0}
        yield f"a whole run at level {level}", TEST, won
    assert isinstance(ANYTIME.expected, Expected)
    played = played_of(ANYTIME.expected)
    first, (arm, rounds) = [[block.arm, block.rounds] for block in ANYTIME.expected.self_play][:2]
    longer = {**played, "self_play": [first, [arm, rounds + 1]]}
    yield "a whole run with a block of self-play that is too long", ANYTIME, longer
    given: dict[str, object] = {"N": 2, "c": 0, "delta": "2/5"}
    for named, more in ("equivalent", {"margin": "1/3"}), ("whose budget ends it", {"budget": 9}):
        certificate = _case("certify", {**given, **more}, plan(lower_wins, tie))
        assert isinstance(certificate.expected, Expected)
        run = played_of(certificate.expected)
        yield f"a match {named} ends later", certificate, {**run, "matches": [[0, 1, 99, None]]}


def test_every_divergence_is_told_whole() -> None:
    """At which duel, what was asked and expected, the lines of the paper, and the match's state."""
    calls: dict[str, Callable[[], object]] = {
        **{name: partial(_play, make, case) for name, (make, case) in SITUATIONS.items()},
        **{
            name: partial(judge_played, case, read_played(reply), Level.MATCHES)
            for name, case, reply in _whole_runs()
        },
        **{
            f"declares {tuple(one)}": partial(declaration_of, "it", *one)
            for one in map(json.loads, table("conform/programs.toml", "answers")["declarations"])
        },
    }
    told = re.sub(r" \([^()]*\.py:\d+\)", "", errors(calls))
    same_as(Path(__file__).with_name("divergences.txt"), told)


SHORTEST = _case(
    "tg_ite_strong_known_horizon", {"N": 2, "b_0": 0, "H": 1}, plan(lower_wins, straight)
)


def test_the_lengths_are_not_those_of_the_reference_alone() -> None:
    assert (TEST.duels, TIE.duels) == (LENGTH, 8)
    assert lines_of("tg_ite_weak", "s2 replace r1")[0] == Line("alg:tlcr-weak", "L4", "s = 2")
    assert lines_of("tg_ite_weak_g", "s0 h2 merge")[1] == Line("alg:app-plr", "L10", "h = 2")
    assert lines_of("tree_ascent_power_of_two", "h1 r1")[0] == Line("alg:plr-pass", "L6", "h = 1")


def test_all_announcements_may_be_left_out_and_bad_input_refused() -> None:
    for case in (WEAK, KNOWN, ANYTIME):
        _play(_announces(0), case, Level.ORDER)
    assert _play(reference, BAD) == 0


# Declarations, and the run over many cases.


def _examined(make: Make, *cases: Case) -> list[CaseResult]:
    return list(examine(StreamSubject(make, "it"), cases))


def test_what_is_played_in_parallel_is_skipped_where_the_horizon_cuts_a_round() -> None:
    make = _reference_but(_as_pair)
    make.parallel = True  # type: ignore[attr-defined]
    cut = _case("tg_ite_weak", {"N": 4, "b_0": 0}, plan(cycle(4), straight), 30)
    assert [result.status for result in _examined(make, cut, WEAK, BKT)] == [
        Status.SKIPPED,
        Status.SKIPPED,
        Status.CONFORMS,
    ]


def test_other_conventions_are_told_apart_from_mistakes() -> None:
    last_loses = _case(
        "screen_and_replace",
        {"N": 6, "c": 3, "rho": "1/64", "kappa": "1/64"},
        plan(in_screening(scripted("v"), higher_wins), straight),
    )
    changes = {"pairing": "fold", "candidates": "ascending"}
    otherwise = partial(changing, "conventions", lambda by: {**by, **changes})
    results = _examined(otherwise, BKT, last_loses, TEST)
    assert [result.status for result in results] == [
        Status.DIFFERS_BY_CONVENTION,
        Status.DIFFERS_BY_CONVENTION,
        Status.CONFORMS,
    ]
    assert "pairing fold where the case says consecutive" in results[0].detail
    assert "candidates ascending where the case says incumbent-first" in results[1].detail
    assert results[0].divergence is not None
    (result,) = _examined(one_arm_less, BKT)
    assert result.status is Status.WRONG


def test_a_mistake_that_shows_on_some_tapes_only_is_no_convention() -> None:
    """Ties to the second argument: without a tie it is right, under whatever conventions."""
    mistake = next(one for one in mutants() if one.name == "budgeted-tie-to-v")
    (result,) = examine(subject_of(mutated(mistake)), [TIE])
    assert result.status is Status.WRONG


def test_the_referee_is_for_runs() -> None:
    with pytest.raises(InvalidInput):
        Referee(BAD)


def test_plans_take_turns() -> None:
    run = _case(
        "bkt", {"S": [0, 1, 2, 3], "delta": "1/10"}, plan(lower_wins, by_turns(straight, late(5)))
    )
    lengths = [match.length for match in run.expected.matches]  # type: ignore[union-attr]
    assert lengths[1] > lengths[0] + 10
