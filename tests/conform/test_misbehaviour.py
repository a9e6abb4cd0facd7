"""Implementations that end Python, ask without end or answer impossible things are told as such."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator

import pytest
import typer.testing

from shipped_vectors import CASES, played_of, run_of
from tgite import SelfPlay
from tgite_conform.batch_referee import check_played
from tgite_conform.convention_finder import ConventionFinder, observed
from tgite_conform.divergence import Diverged, Divergence, Parting
from tgite_conform.faults import Fault
from tgite_conform.protocol import Played, read_played
from tgite_conform.referee import Level, Referee
from tgite_conform.runner import Status, examine
from tgite_conform.subjects import StreamSubject
from tgite_laws.cli.main import app

Stream = Generator[object, bool | None, object]


DUEL, _ = run_of("duel_test")
ANYTIME, ANYTIMES_RUN = run_of(
    "tg_ite_strong_anytime", "2 arms in a cycle; cut at the end of phase 1"
)


def ends_python(algorithm: str, parameters: dict[str, object]) -> Stream:
    sys.exit(0)


def ends_python_later(algorithm: str, parameters: dict[str, object]) -> Stream:
    yield (parameters["u"], parameters["v"])
    raise SystemExit(3)


def ends_python_when_closed(algorithm: str, parameters: dict[str, object]) -> Stream:
    try:
        yield (parameters["u"], parameters["v"])
    finally:
        sys.exit(4)


@pytest.mark.parametrize("make", [ends_python, ends_python_later, ends_python_when_closed])
def test_an_implementation_that_ends_python_has_crashed(make: Callable[..., Stream]) -> None:
    (result,) = examine(StreamSubject(make, "ending"), [DUEL])
    assert result.status is Status.FAULT
    assert "crashed" in result.detail
    assert "SystemExit" in result.detail


def test_the_command_fails_for_an_implementation_that_ends_python() -> None:
    arguments = ["conform", f"{__name__}:ends_python", "--case", DUEL.id]
    done = typer.testing.CliRunner().invoke(app(arguments), arguments)
    assert done.exit_code == 1
    assert "crashed before any duel: SystemExit" in done.output


def announces_for_ever(algorithm: str, parameters: dict[str, object]) -> Stream:
    while True:
        yield ("incumbent", 0)


def plays_nothing_for_ever(algorithm: str, parameters: dict[str, object]) -> Stream:
    while True:
        yield SelfPlay(0, 0)


@pytest.mark.parametrize("make", [announces_for_ever, plays_nothing_for_ever])
def test_questions_without_rounds_come_to_an_end(make: Callable[..., Stream]) -> None:
    subject = StreamSubject(make, "idle")
    with pytest.raises(Exception, match="flooded: 1000 questions in a row that cost no round"):
        observed(subject.meet, ANYTIME)
    (result,) = examine(subject, [ANYTIME])
    assert result.status in (Status.WRONG, Status.FAULT)


AT_ONCE = Divergence(Parting.OTHER_DUEL, 1, "duel (97, 98)", "", ())
"""Where a subject parted."""


def test_a_run_that_never_stops_is_watched_briefly_and_not_again_and_again() -> None:
    asked = 0

    def never(algorithm: str, parameters: dict[str, object]) -> Stream:
        nonlocal asked
        while True:
            asked += 1
            yield (parameters["u"], parameters["v"])

    cases = [case for case in CASES if case.algorithm == "duel_test" and case.duels][:60]
    longest = max(case.duels for case in cases)
    finder = ConventionFinder()
    for case in cases:
        assert not finder.changes(StreamSubject(never, "never").meet, case, AT_ONCE)
    # Two cases, each up to its limit; the rest are not watched.
    assert 0 < asked < 2 * (4 * longest + 1000)


def plays_itself_for_ever(algorithm: str, parameters: dict[str, object]) -> Stream:
    while True:
        yield (0, 0)


def test_self_play_without_end_comes_to_an_end() -> None:
    subject = StreamSubject(plays_itself_for_ever, "selfish")
    (result,) = examine(subject, [DUEL])
    assert result.status is Status.WRONG
    endless, _ = run_of("tg_ite_strong_known_horizon")
    with pytest.raises(Fault, match="flooded: 1000000 questions in a row for self-play"):
        observed(subject.meet, endless, 10_000_000)


def test_a_fault_while_conventions_are_sought_is_not_risked_again() -> None:
    asked = 0

    def faulty(algorithm: str, parameters: dict[str, object]) -> Stream:
        nonlocal asked
        asked += 1
        yield (parameters["u"], parameters["v"])
        raise RuntimeError

    finder = ConventionFinder()
    cases = [case for case in CASES if case.algorithm == "duel_test" and case.duels][:20]
    for case in cases:
        assert not finder.changes(StreamSubject(faulty, "faulty").meet, case, AT_ONCE)
    assert asked == 1


def test_self_play_that_is_too_short_is_no_match_that_goes_on() -> None:
    (match, *_), (block, *_) = ANYTIMES_RUN.matches, ANYTIMES_RUN.self_play
    referee = Referee(ANYTIME)
    for _ in range(match.length):
        referee.answer(match.first, match.second)
    referee.self_play(block.arm, block.rounds - 1)
    with pytest.raises(Diverged) as parted:
        referee.open(match.first, match.second)
    divergence = parted.value.divergence
    assert divergence.parting is Parting.SELF_PLAY
    assert [str(line) for line in divergence.lines] == ["alg:tlcr-strong-anytime L5 (s = 1)"]


def test_whole_runs_name_the_first_block_of_self_play_that_differs() -> None:
    case, expected = run_of("tg_ite_strong_anytime", "cut at the end of phase 3")
    blocks = [[block.arm, block.rounds] for block in expected.self_play]
    blocks[1][1] += 1
    played = read_played({**played_of(expected), "self_play": blocks})
    assert isinstance(played, Played)
    with pytest.raises(Diverged) as parted:
        check_played(case, played, Level.MATCHES)
    divergence = parted.value.divergence
    assert divergence.parting is Parting.SELF_PLAY
    assert divergence.asked == f"self-play of {blocks[1][0]} for {blocks[1][1]} rounds"
    assert [str(line) for line in divergence.lines] == ["alg:tlcr-strong-anytime L5 (s = 2)"]
    before = expected.matches[: expected.self_play[1].after]
    assert divergence.duel == sum(match.length for match in before) + 1
