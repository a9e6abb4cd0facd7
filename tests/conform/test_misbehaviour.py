"""Implementations that end Python, ask without end or answer impossible things are told as such."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator

import pytest

from shipped_vectors import CASES, played_of, run_of
from tgite import SelfPlay
from tgite_conform.convention_finder import ConventionFinder, observed
from tgite_conform.divergence import Diverged, Divergence, Parting
from tgite_conform.faults import Fault
from tgite_conform.format import Case
from tgite_conform.protocol import Played, read_played
from tgite_conform.referee import Level, Referee, check_played
from tgite_conform.runner import Status, examine
from tgite_conform.subjects import StreamSubject

Stream = Generator[object, bool | None, object]


DUEL, _ = run_of("duel_test")
HORIZON, _ = run_of("tg_ite_strong_known_horizon")
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


def asking_for_ever(question: object) -> Callable[..., Stream]:
    def make(algorithm: str, parameters: dict[str, object]) -> Stream:
        while True:
            yield question

    return make


@pytest.mark.parametrize(
    ("question", "case", "flooded"),
    [
        (("incumbent", 0), ANYTIME, "1000 questions in a row that cost no round"),
        (SelfPlay(0, 0), ANYTIME, "1000 questions in a row that cost no round"),
        ((0, 0), HORIZON, "1000000 questions in a row for self-play"),
    ],
)
def test_questions_without_end_come_to_an_end(question: object, case: Case, flooded: str) -> None:
    subject = StreamSubject(asking_for_ever(question), "idle")
    with pytest.raises(Fault, match=f"flooded: {flooded}"):
        observed(subject.meet, case, 10_000_000)
    for one in (ANYTIME, DUEL):
        (result,) = examine(subject, [one])
        assert result.status in (Status.WRONG, Status.FAULT)


AT_ONCE = Divergence(Parting.OTHER_DUEL, 1, "duel (97, 98)", "", ())
"""Where a subject parted."""


@pytest.mark.parametrize("ends", [False, True])
def test_conventions_are_sought_briefly_and_not_again_after_a_fault(ends: bool) -> None:
    """Of runs without end two are watched, each up to its limit; of runs that fail only one."""
    asked = 0

    def endless(algorithm: str, parameters: dict[str, object]) -> Stream:
        nonlocal asked
        while True:
            asked += 1
            yield (parameters["u"], parameters["v"])
            if ends:
                raise RuntimeError

    cases = [case for case in CASES if case.algorithm == "duel_test" and case.duels][:60]
    finder = ConventionFinder()
    for case in cases:
        assert not finder.changes(StreamSubject(endless, "endless").meet, case, AT_ONCE)
    longest = max(case.duels for case in cases)
    assert asked == 1 if ends else 1 < asked < 2 * (4 * longest + 1000)


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
