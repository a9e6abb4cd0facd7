"""The referee: what it lets pass, and the first divergence that it tells of everything else."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from functools import partial
from typing import Any

import pytest

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
from tgite_conform.divergence import Diverged, Divergence, Parting, State
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


def test_a_match_that_stops_early() -> None:
    divergence = _parts(_asks(*[(0, 1)] * 20, returns=0), TEST, Parting.STOPPED_EARLY)
    assert divergence.duel == 21
    assert divergence.asked == "returns 0"
    assert divergence.lines == (Line("alg:dueltest", "L6"),)
    assert isinstance(divergence.state, State)
    assert (divergence.state.n, divergence.state.S, divergence.state.most) == (20, 17, None)
    assert divergence.state.distance <= divergence.state.threshold


def test_a_match_that_goes_on() -> None:
    divergence = _parts(_asks(*[(0, 1)] * 50, returns=0), TEST, Parting.WENT_ON)
    assert TEST.expected.duels == LENGTH  # type: ignore[union-attr]
    assert divergence.duel == LENGTH + 1
    assert isinstance(divergence.state, State)
    assert (divergence.state.n, divergence.state.S) == (LENGTH, LENGTH - 3)
    assert divergence.state.distance > divergence.state.threshold


def test_the_budget_and_its_tie() -> None:
    assert TIE.expected.duels == 8  # type: ignore[union-attr]
    divergence = _parts(_asks(*[(0, 1)] * 9, returns=0), TIE, Parting.WENT_ON)
    assert divergence.lines == (Line("alg:budgeted-dueltest", "L2"),)
    assert isinstance(divergence.state, State)
    assert (divergence.state.n, divergence.state.S, divergence.state.most) == (8, 4, 8)
    divergence = _parts(_asks(*[(0, 1)] * 8, returns=1), TIE, Parting.WRONG_RESULT)
    assert divergence.lines == (Line("alg:budgeted-dueltest", "L13"),)


def test_swapped_arguments() -> None:
    divergence = _parts(_asks((1, 0)), TEST, Parting.SWAPPED)
    assert divergence.lines == (Line("alg:dueltest", "L4"),)


def test_the_wrong_result() -> None:
    divergence = _parts(_asks(*[(0, 1)] * LENGTH, returns=1), TEST, Parting.WRONG_RESULT)
    assert divergence.lines == (Line("alg:dueltest", "L7"),)
    assert f"arm 1 lost its match (0, 1) of {LENGTH} duels (alg:dueltest L7)" in divergence.note


def test_another_pairing() -> None:
    divergence = _parts(_asks((0, 3)), BKT, Parting.OTHER_DUEL)
    assert divergence.duel == 1
    assert divergence.expected == "duel (0, 1) or duel (2, 3)"
    assert divergence.lines == (Line("alg:bkt", "L5", "r = 1"),)


def test_the_loser_goes_on() -> None:
    lengths = [match.length for match in BKT.expected.matches[:2]]  # type: ignore[union-attr]
    questions = [(0, 1)] * lengths[0] + [(2, 3)] * lengths[1]
    divergence = _parts(_asks(*questions, (1, 2)), BKT, Parting.OTHER_DUEL)
    assert divergence.duel == sum(lengths) + 1
    assert divergence.expected == "duel (0, 2)"
    assert divergence.lines == (Line("alg:bkt", "L5", "r = 2"),)
    assert divergence.note.startswith("arm 1 lost its match (0, 1)")


def test_a_match_that_begins_too_soon() -> None:
    lengths = [match.length for match in BKT.expected.matches[:2]]  # type: ignore[union-attr]
    divergence = _parts(_asks(*[(0, 1)] * lengths[0], (0, 2)), BKT, Parting.TOO_SOON)
    assert divergence.expected == "duel (2, 3)"
    # With a match half played it is that match which stopped early.
    divergence = _parts(
        _asks(*[(0, 1)] * lengths[0], (2, 3), (2, 3), (0, 2)), BKT, Parting.STOPPED_EARLY
    )
    assert divergence.lines == (Line("alg:bkt", "L5", "r = 1"), Line("alg:dueltest", "L6"))
    assert isinstance(divergence.state, State)
    assert divergence.state.n == 2


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


def test_an_end_before_all_is_played() -> None:
    divergence = _parts(_asks(returns=0), BKT, Parting.ENDED_EARLY)
    assert divergence.duel == 1


def test_a_run_that_does_not_end() -> None:
    def make(algorithm: str, parameters: dict[str, object]) -> Stream:
        yield from reference(algorithm, parameters)
        yield (0, 3)
        return None

    _parts(make, TREE, Parting.DID_NOT_END)


def test_the_lines_lead_to_the_place() -> None:
    def late_in_the_tournament(n: int, asked: object, told: list[Told]) -> object:
        return asked if n < EPOCH.expected.duels - 3 else (0, 3)  # type: ignore[union-attr]

    divergence = _parts(_reference_but(late_in_the_tournament), EPOCH, Parting.STOPPED_EARLY)
    assert divergence.lines == (
        Line("alg:screen-and-replace", "L11"),
        Line("alg:bkt", "L5", "r = 2"),
        Line("alg:dueltest", "L6"),
    )
    assert lines_of("tg_ite_weak", "s2 replace r1") == (
        Line("alg:tlcr-weak", "L4", "s = 2"),
        Line("alg:screen-and-replace", "L11"),
        Line("alg:bkt", "L5", "r = 1"),
    )
    assert lines_of("tg_ite_weak_g", "s0 h2 merge") == (
        Line("alg:tlcr-weak", "L1"),
        Line("alg:app-plr", "L10", "h = 2"),
    )
    assert lines_of("tree_ascent_power_of_two", "h1 r1")[0] == Line("alg:plr-pass", "L6", "h = 1")


def _self_play_changed(to: object) -> Make:
    return _reference_but(lambda n, asked, told: to if isinstance(asked, SelfPlay) else asked)


@pytest.mark.parametrize("case", [KNOWN, ANYTIME], ids=lambda case: case.algorithm)
def test_other_self_play(case: Case) -> None:
    divergence = _parts(_self_play_changed((1, 1)), case, Parting.SELF_PLAY)
    assert divergence.asked == "self-play of 1 for 1 rounds"
    divergence = _parts(_self_play_changed((0, 0, 1000)), KNOWN, Parting.SELF_PLAY)
    assert divergence.lines == (Line("alg:tlcr-strong-known", "L4"),)
    # Too few rounds of it.
    _parts(_self_play_changed((0, 0)), case, Parting.SELF_PLAY)


def test_self_play_may_come_round_by_round() -> None:
    def make(algorithm: str, parameters: dict[str, object]) -> Stream:
        length = KNOWN.expected.duels  # type: ignore[union-attr]
        for _ in range(length):
            yield (0, 1)
        for _ in range(60 - length):
            yield (0, 0)
        return 0

    assert _play(make, KNOWN) == KNOWN.expected.duels  # type: ignore[union-attr]


def test_self_play_that_nobody_asked_for() -> None:
    _parts(_asks((0, 0)), TREE, Parting.ENDED_EARLY)
    _parts(_asks(*[(0, 1)] * LENGTH, (0, 0)), TEST, Parting.SELF_PLAY)


def test_other_announcements() -> None:
    divergence = _parts(
        _reference_but(
            lambda n, asked, told: Incumbent(7) if isinstance(asked, Incumbent) else asked
        ),
        WEAK,
        Parting.INCUMBENT,
    )
    assert divergence.asked == "announces 7"
    # Some announced, others not: the first one is made, the second one is not.
    seen: list[object] = []

    def only_the_first(n: int, asked: object, told: list[Told]) -> object:
        if isinstance(asked, Incumbent):
            seen.append(asked)
            return asked if len(seen) == 1 else Incumbent(seen[0].arm)  # type: ignore[attr-defined]
        return asked

    _parts(_reference_but(only_the_first), WEAK, Parting.INCUMBENT)


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


def test_all_announcements_may_be_left_out_but_not_some() -> None:
    for case in (WEAK, KNOWN, ANYTIME):
        _play(_announces(0), case, Level.ORDER)
    announced = WEAK.expected.incumbents  # type: ignore[union-attr]
    assert len(announced) > 2
    for made in range(1, len(announced)):
        divergence = _parts(_announces(made), WEAK, Parting.INCUMBENT)
        assert divergence.asked == "stops at the horizon"
        assert divergence.expected == f"announces {announced[made].arm}"


BAD = Case("u = v", "duel_test", {"u": 0, "v": 0, "delta": "1/10"}, TEST.conventions, Refusal("v"))


def test_refusals() -> None:
    assert _play(reference, BAD) == 0
    divergence = _parts(_asks((0, 1)), BAD, Parting.NOT_REFUSED)
    assert "v = 0" in divergence.expected

    def refuses(algorithm: str, parameters: dict[str, object]) -> Stream:
        raise ValueError("delta is too odd for me")

    divergence = _parts(refuses, TEST, Parting.REFUSED)
    assert "too odd" in divergence.asked


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


def test_a_match_that_the_horizon_cuts_may_not_be_stopped_there() -> None:
    cut = _case(
        "duel_test", {"u": 0, "v": 1, "delta": "999/1000"}, plan(lower_wins, straight), horizon=2
    )
    for duels, goes_on in ((1, "to 2 at least"), (2, "beyond the horizon")):
        divergence = _parts(_asks(*[(0, 1)] * duels, returns=0), cut, Parting.STOPPED_EARLY)
        assert divergence.duel == duels + 1
        assert divergence.expected.endswith(f"after {duels} duels the match goes on, {goes_on}")
        assert divergence.lines == (Line("alg:dueltest", "L6"),)
        assert isinstance(divergence.state, State)
        assert (divergence.state.n, divergence.state.level) == (duels, "999/1000")
        assert "(level 999/1000)" in str(divergence)
    # The same, told of a whole run.
    reply = {"matches": [[0, 1, 2, 0]], "result": 0}
    with pytest.raises(Diverged) as caught:
        judge_played(cut, read_played(reply), Level.MATCHES)
    assert caught.value.divergence.parting is Parting.STOPPED_EARLY
    assert "cut after 2 duels" in caught.value.divergence.expected
    assert caught.value.divergence.state is not None


def test_a_match_that_the_known_horizon_cuts_is_asked_for() -> None:
    shortest = _case(
        "tg_ite_strong_known_horizon", {"N": 2, "b_0": 0, "H": 1}, plan(lower_wins, straight)
    )
    with pytest.raises(Diverged) as caught:
        judge_played(shortest, read_played({"matches": [], "result": None}), Level.MATCHES)
    assert caught.value.divergence.parting is Parting.ENDED_EARLY
    assert caught.value.divergence.expected.endswith("cut after 1 duel")
