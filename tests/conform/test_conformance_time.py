"""A verdict comes in time: what costs it is counted, since seconds depend on the machine."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeAlias, cast

import pytest

from shipped_vectors import CASES, RUNS
from tgite_conform import runner
from tgite_conform.algorithms import reference
from tgite_conform.cases import shrinking
from tgite_conform.cli import conform
from tgite_conform.convention_finder import ConventionFinder
from tgite_conform.divergence import Divergence, Parting
from tgite_conform.faults import Fault
from tgite_conform.format import Case
from tgite_conform.runner import Status, examine
from tgite_conform.subjects import StreamSubject
from tgite_conform.time_limit import TIME_LIMIT
from tgite_laws.cli.main import status

Stream: TypeAlias = Generator[object, Any, object]


def test_the_search_for_conventions_takes_so_many_duels_altogether() -> None:
    """Then it finds none; for an algorithm with two runs that nothing explains it seeks no more."""
    cases = [case for case in CASES if case.algorithm == "tree_ascent" and case.duels > 5000][:4]
    parted = Divergence(Parting.OTHER_DUEL, 5000, "duel (97, 98)", "", ())
    finder = ConventionFinder()
    assert [finder.changes(case, parted) for case in cases] == [[]] * 4
    assert finder.changes(cases[0], replace(parted, duel=10**6)) == []
    finder = ConventionFinder()
    assert finder.changes(cases[0], replace(parted, duel=10**6)) is None


# Functions in the kit's own process.


def _a_duel_test() -> Case:
    return next(case for case, _ in RUNS if case.algorithm == "duel_test" and case.duels > 20)


def test_a_function_that_is_slow_is_not_ended() -> None:
    """Each message takes less than the limit, all of them more."""
    case = min((case for case, _ in RUNS if case.duels > 5), key=lambda case: case.duels)

    def slow(algorithm: str, parameters: dict[str, object]) -> Stream:
        stream, told = cast(Stream, reference(algorithm, parameters)), None
        with suppress(StopIteration):
            while True:
                asked = stream.send(told)
                time.sleep(0.15)
                told = yield asked
        raise RuntimeError("the end")

    subject = StreamSubject(slow, "slow", 0.5)
    with pytest.raises(Fault, match=rf"crashed after {case.duels} duels: RuntimeError: the end"):
        subject.play(case)


def test_where_there_can_be_no_alarm_there_is_none() -> None:
    """In another thread, or beside an alarm that is set, a function plays without a limit."""
    case, handler = _a_duel_test(), signal.getsignal(signal.SIGALRM)
    subject = StreamSubject(reference, "it", 5.0)
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(subject.play(case)))
    thread.start()
    thread.join()
    assert found == [case.duels]
    signal.setitimer(signal.ITIMER_REAL, 1000.0)
    try:
        assert subject.play(case) == case.duels
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 900
        assert signal.getsignal(signal.SIGALRM) is handler
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def test_one_case_that_hangs_is_not_the_end_and_two_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the default limit, the time to start a program anew included."""
    assert 1.4 * TIME_LIMIT < runner._MOST_SECONDS_LOST < 2 * TIME_LIMIT
    monkeypatch.setattr(runner, "_MOST_SECONDS_LOST", 0.3)

    def hangs(algorithm: str, parameters: dict[str, object]) -> Stream:
        time.sleep(9)
        raise AssertionError

    told = list(examine(StreamSubject(hangs, "it", 0.2), [_a_duel_test()] * 3))
    assert [one.status for one in told] == [Status.FAULT, Status.FAULT, Status.NOT_PLAYED]
    assert "have cost more than" in told[-1].detail


@pytest.mark.parametrize("limited", [False, True])
def test_where_it_differs_the_rest_is_left_out_when_patience_ends(
    limited: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who conforms so far is played on, whatever it takes."""
    cases = [_a_duel_test()] * 3
    right = StreamSubject(cast(Callable[..., object], reference), "it")
    patience = 0.0 if limited else 100.0
    statuses = [one.status for one in examine(right, cases, patience=patience)]
    assert statuses == [Status.CONFORMS] * 3

    def refuses(algorithm: str, parameters: dict[str, Any]) -> object:
        raise ValueError

    wrong = StreamSubject(refuses, "it")
    told = [(one.status, one.detail) for one in examine(wrong, cases, patience=patience)]
    for longest, many, n in ((31, 99, 1), (255, 99, 6), (257, 9, 10), (257, 99, 12)):
        wrong.longest = longest * cases[0].duels
        monkeypatch.setattr(runner, "_MANY", many)
        monkeypatch.setattr(runner, "_ENOUGH_OF_MANY", 5)
        played = [one.status for one in examine(wrong, 4 * cases, patience=100.0)]
        assert played == [Status.WRONG] * n + [Status.NOT_PLAYED] * (12 - n)
    left_out = (Status.NOT_PLAYED, "enough cases differ (--long plays all)")
    assert told == [(Status.WRONG, ""), *([left_out] if limited else [(Status.WRONG, "")]) * 2]


@pytest.mark.parametrize(
    ("words", "left_out"),
    [
        (["--flag", "rounds-4"], True),
        (["--flag", "rounds-4", "--long"], False),
        # So many random cases as are asked for are played.
        (["--random", "3"], False),
    ],
)
def test_the_command_says_what_it_left_out_and_long_plays_all(
    words: list[str],
    left_out: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(conform, "PATIENCE", 0.0)
    monkeypatch.setattr(shrinking, "_MOST_TRIED", 0)
    implementation = "odd_implementations:taking_one"
    assert status(["conform", implementation, "--algorithm", "bkt", *words]) == 1
    told = "not played: enough cases differ (--long plays all)"
    assert (told in capsys.readouterr().out) is left_out
