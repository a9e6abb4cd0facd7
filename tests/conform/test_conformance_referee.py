"""The referee: what it lets pass, and the first divergence that it tells of everything else."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Generator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from golden import same_as
from shipped_vectors import RUNS
from tgite import Duel, Incumbent, InvalidInput, SelfPlay
from tgite_conform.algorithms import ALGORITHMS, Group, reference
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
from tgite_conform.divergence import Diverged, Divergence, Parting
from tgite_conform.faults import Fault, FaultKind
from tgite_conform.format import Case, Refusal
from tgite_conform.positions import Line, lines_of, waits_of
from tgite_conform.protocol import read_played
from tgite_conform.recorder import Recipe, case_of
from tgite_conform.referee import Level, Referee
from tgite_conform.runner import CaseResult, Status, examine
from tgite_conform.subjects import (
    Declaration,
    StreamSubject,
    declaration_of,
    declared,
    judge_played,
)

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


def _parts(make: Make, case: Case, parting: Parting, level: Level = Level.MATCHES) -> Divergence:
    with pytest.raises(Diverged) as caught:
        _play(make, case, level)
    assert caught.value.divergence.parting is parting
    return caught.value.divergence


def _asks(*questions: object, returns: object = None) -> Make:
    """Ask a list of questions, each so often as it stands there, and return."""

    def make(algorithm: str, parameters: dict[str, object]) -> Stream:
        for question in questions:
            _ = yield question
        return returns

    return make


def _reference_but(change: Callable[[int, object, list[Told]], object]) -> Make:
    """Play as the reference, with the ``n``-th question changed (None: it returns there)."""

    def make(algorithm: str, parameters: dict[str, object]) -> Stream:
        inner = reference(algorithm, parameters)
        told: list[Told] = []
        asked: object = next(inner)
        n = 1
        try:
            while True:
                told.append((yield change(n, asked, told)))
                reply = told[-1]
                asked = inner.send(reply if isinstance(reply, bool) else None)
                n += 1
        except StopIteration as stop:
            return stop.value

    return make


# Streams of every kind conform.


def _as_pairs(algorithm: str, parameters: dict[str, object]) -> Stream:
    """Ask with plain tuples."""
    inner = reference(algorithm, parameters)
    try:
        asked = next(inner)
        while True:
            match asked:
                case Duel(first, second):
                    told = yield (first, second)
                case SelfPlay(arm, rounds):
                    told = yield (arm, arm, rounds)
                case Incumbent(arm):
                    told = yield ("incumbent", arm)
            asked = inner.send(told if isinstance(told, bool) else None)
    except StopIteration as stop:
        return stop.value


class _AskTell:
    """The reference as an object with ask, tell and result."""

    def __init__(self, algorithm: str, parameters: dict[str, object]) -> None:
        self._stream = reference(algorithm, parameters)
        self._result: object = None
        self._asked: object = None
        self._send(None)

    def _send(self, told: bool | None) -> None:
        try:
            self._asked = self._stream.send(told)
        except StopIteration as stop:
            self._asked, self._result = None, stop.value

    def ask(self) -> object:
        return self._asked

    def tell(self, reply: bool | None) -> None:
        self._send(reply)

    def result(self) -> object:
        return self._result


ALL = (TEST, BKT, TREE, EPOCH, KNOWN, ANYTIME, WEAK, TIE)


@pytest.mark.parametrize("make", [reference, _as_pairs, _AskTell])
@pytest.mark.parametrize("case", ALL, ids=lambda case: case.algorithm)
@pytest.mark.parametrize("level", Level)
def test_conforming_streams_of_every_kind_pass(make: Make, case: Case, level: Level) -> None:
    assert _play(make, case, level) > 0


def test_a_round_may_be_played_side_by_side_but_not_at_the_level_of_order() -> None:
    case = _case("bkt", {"S": [3, 1, 0, 2], "delta": "1/10"}, plan(lower_wins, straight))

    def make(algorithm: str, parameters: dict[str, object]) -> Stream:
        return _side_by_side_at(algorithm, parameters, ("1/10", "1/40"))

    assert _play(make, case) > 0
    divergence = _parts(make, case, Parting.STOPPED_EARLY, Level.ORDER)
    assert divergence.duel == 2
    assert divergence.asked == "duel (0, 2)"


def _side_by_side_at(
    algorithm: str, parameters: dict[str, object], levels: tuple[str, ...]
) -> Stream:
    S = parameters["S"]
    assert isinstance(S, list)
    alive: list[int] = [*S]
    for level in levels:
        pairs = list(zip(alive[::2], alive[1::2], strict=True))
        given = {"delta": f"{level} * 6/pi^2", "conventions": parameters["conventions"]}
        tests = [reference("duel_test", {"u": u, "v": v, **given}) for u, v in pairs]
        asked: dict[int, object] = {k: next(test) for k, test in enumerate(tests)}
        winners: dict[int, Any] = {}
        while asked:
            order = list(asked)
            told = yield [asked[k] for k in order]
            assert isinstance(told, list)
            for k, outcome in zip(order, told, strict=True):
                try:
                    asked[k] = tests[k].send(outcome)
                except StopIteration as stop:
                    winners[k] = stop.value
                    del asked[k]
        alive = [winners[k] for k in range(len(pairs))]
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
    _parts(_asks((early.first, early.second)), WEAK, Parting.TOO_SOON)
    for case, expected in RUNS:
        if case.algorithm == "find_then_certify":
            for number, waits in enumerate(waits_of(expected.matches)):
                if expected.matches[number].place.endswith(("certify", "expose")):
                    assert waits.barrier == number


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

    def make(algorithm: str, parameters: dict[str, object]) -> Stream:
        inner = reference(algorithm, parameters)
        told: Told = None
        announced = 0
        try:
            while True:
                asked = inner.send(told if isinstance(told, bool) else None)
                announced += isinstance(asked, Incumbent)
                left_out = isinstance(asked, Incumbent) and announced > most
                told = None if left_out else (yield asked)
        except StopIteration as stop:
            return stop.value

    return make


BAD = Case("u = v", "duel_test", {"u": 0, "v": 0, "delta": "1/10"}, TEST.conventions, Refusal("v"))


@pytest.mark.parametrize(
    "question",
    ["duel", (0,), (0, 1, 2, 3), (0, 1.5), (True, 1), (-1, 2), [], [(0, 0)], {}, None, (0, 0, -1)],
)
def test_nonsense_is_a_fault(question: object) -> None:
    with pytest.raises(Fault) as caught:
        _play(_asks(question), TEST)
    assert caught.value.kind is FaultKind.NONSENSE


def test_what_is_no_stream_is_a_fault() -> None:
    with pytest.raises(Fault, match="neither a generator"):
        _play(lambda algorithm, parameters: 7, TEST)
    with pytest.raises(Fault, match="cannot understand 'zero'"):
        _play(_asks(*[(0, 1)] * LENGTH, returns="zero"), TEST)


def test_a_crash_is_a_fault_that_says_where() -> None:
    def make(algorithm: str, parameters: dict[str, object]) -> Stream:
        yield (0, 1)
        raise KeyError("lost")

    with pytest.raises(Fault, match=r"KeyError: 'lost' .*test_conformance_referee\.py"):
        _play(make, TEST)

    def crashes(algorithm: str, parameters: dict[str, object]) -> Stream:
        raise RuntimeError("no memory")

    with pytest.raises(Fault, match="no memory"):
        _play(crashes, TEST)


def _one_more(algorithm: str, parameters: dict[str, object]) -> Stream:
    """Ask for one more duel in the end."""
    yield from reference(algorithm, parameters)
    yield (0, 3)
    return None


def _refusing(algorithm: str, parameters: dict[str, object]) -> Stream:
    raise ValueError("delta is too odd for me")


def _late_in_the_tournament(n: int, asked: object, told: list[Told]) -> object:
    return asked if n < EPOCH.expected.duels - 3 else (0, 3)  # type: ignore[union-attr]


def _self_play(to: object) -> Make:
    return _reference_but(lambda n, asked, told: to if isinstance(asked, SelfPlay) else asked)


def _announcing(arm: int, but_first: bool) -> Make:
    """Announce that arm always, or always but the first time."""
    seen: list[object] = []

    def announced(n: int, asked: object, told: list[Told]) -> object:
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


def test_every_divergence_is_told_whole() -> None:
    """At which duel, what was asked and expected, the lines of the paper, and the match's state."""
    told = []
    for name, (make, case) in SITUATIONS.items():
        with pytest.raises(Diverged) as caught:
            _play(make, case)
        told.append(f"{name}\n{textwrap.indent(str(caught.value.divergence), '  ')}\n")
    for case, reply in (
        (CUT, {"matches": [[0, 1, 2, 0]], "result": 0}),
        (SHORTEST, {"matches": [], "result": None}),
    ):
        with pytest.raises(Diverged) as caught:
            judge_played(case, read_played(reply), Level.MATCHES)
        told.append(f"{reply}\n{textwrap.indent(str(caught.value.divergence), '  ')}\n")
    text = re.sub(r" \([^()]*\.py:\d+\)", "", "\n".join(told))
    same_as(Path(__file__).with_name("divergences.txt"), text)


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


def _declares(make: Make, **declared_as: object) -> Make:
    for name, value in declared_as.items():
        setattr(make, name, value)
    return make


def _examined(make: Make, *cases: Case) -> list[CaseResult]:
    return list(examine(StreamSubject(make, "it"), cases))


def test_what_is_not_declared_is_skipped() -> None:
    make = _declares(_asks((0, 1)), algorithms=["bkt"])
    (result,) = _examined(make, TEST)
    assert result.status is Status.SKIPPED
    assert result.detail == "algorithm not declared: duel_test"
    make = _declares(partial(_as_pairs), conventions={"pairing": ["fold"]})
    (result,) = _examined(make, BKT)
    assert result.status is Status.SKIPPED
    assert "pairing=consecutive" in result.detail
    make = _declares(partial(_as_pairs), parallel=True)
    cut = _case("tg_ite_weak", {"N": 4, "b_0": 0}, plan(cycle(4), straight), 30)
    assert [result.status for result in _examined(make, cut, WEAK, BKT)] == [
        Status.SKIPPED,
        Status.SKIPPED,
        Status.CONFORMS,
    ]

    def lacks(algorithm: str, parameters: dict[str, object]) -> Stream:
        raise NotImplementedError

    assert _examined(lacks, TEST)[0].status is Status.SKIPPED


@pytest.mark.parametrize(
    ("algorithms", "conventions", "parallel", "complaint"),
    [
        (["no_such"], {}, False, "algorithms = no_such: must be the name of"),
        ([], {}, False, "algorithms = .*must be a list of names"),
        ("bkt", {}, False, "algorithms = bkt: must be a list of names"),
        (None, {"pairing": "fold"}, False, "conventions = pairing: .*with a list of values"),
        (None, {"pairing": []}, False, "conventions = pairing: .*with a list of values"),
        (None, {"no_such": ["fold"]}, False, "conventions = no_such: must be a known choice"),
        (
            None,
            {"pairing": ["odd"]},
            False,
            r"conventions\.pairing = odd: .*consecutive, fold, hal",
        ),
        (None, {"first_arm": [True]}, False, r"conventions\.first_arm = True: must be among 0, 1"),
        (None, [], False, "must have conventions by name"),
        (None, {}, 1, "parallel a bool"),
    ],
)
def test_declarations_that_cannot_be_understood(
    algorithms: object, conventions: object, parallel: object, complaint: str
) -> None:
    with pytest.raises(InvalidInput, match=complaint):
        declaration_of("it", algorithms, conventions, parallel)


def test_a_declaration_is_optional() -> None:
    found: Declaration = declared(lambda algorithm, parameters: None, "it")
    assert found.algorithms == set(Group.PAPER.algorithms)
    assert declared(reference, "it").algorithms == set(ALGORITHMS)
    assert found.why_skipped(TEST) == ""


def test_other_conventions_are_told_apart_from_mistakes() -> None:
    def folding(algorithm: str, parameters: dict[str, object]) -> Stream:
        conventions = parameters["conventions"]
        assert isinstance(conventions, dict)
        changed = {**conventions, "pairing": "fold", "candidates": "ascending"}
        return reference(algorithm, {**parameters, "conventions": changed})  # type: ignore[return-value]

    last_loses = _case(
        "screen_and_replace",
        {"N": 6, "c": 3, "rho": "1/64", "kappa": "1/64"},
        plan(in_screening(scripted("v"), higher_wins), straight),
    )
    results = _examined(folding, BKT, last_loses, TEST)
    assert [result.status for result in results] == [
        Status.DIFFERS_BY_CONVENTION,
        Status.DIFFERS_BY_CONVENTION,
        Status.CONFORMS,
    ]
    assert "pairing fold where the case says consecutive" in results[0].detail
    assert "candidates ascending where the case says incumbent-first" in results[1].detail
    assert results[0].divergence is not None

    def loses_byes(algorithm: str, parameters: dict[str, object]) -> Stream:
        S = parameters["S"]
        assert isinstance(S, list)
        return reference(algorithm, {**parameters, "S": S[:4]})  # type: ignore[return-value]

    (result,) = _examined(loses_byes, BKT)
    assert result.status is Status.WRONG


def test_a_mistake_that_shows_on_some_tapes_only_is_no_convention() -> None:
    """Ties to the second argument: without a tie it is right, under whatever conventions."""

    def make(algorithm: str, parameters: dict[str, object]) -> Stream:
        inner = reference(algorithm, parameters)
        told: list[Told] = []
        asked: object = next(inner)
        try:
            while True:
                told.append((yield asked))
                asked = inner.send(bool(told[-1]))
        except StopIteration as stop:
            return 1 if 2 * sum(map(bool, told)) == len(told) else stop.value

    (result,) = _examined(make, TIE)
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


def test_a_run_that_forgets_to_return_its_arm_differs() -> None:
    def forgetful(algorithm: str, parameters: dict[str, object]) -> Stream:
        result: object = None
        yield from reference(algorithm, parameters)
        return result

    assert [one.status for one in _examined(forgetful, TEST)] == [Status.WRONG]
