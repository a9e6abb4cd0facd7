"""A verdict comes in time: what costs it is counted, since seconds depend on the machine."""

from __future__ import annotations

import re
import signal
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Never, TypeAlias, cast

import msgspec
import pytest
import typer.testing

from shipped_vectors import PYTHONPATH, RUNS
from tgite_conform import runner, serve
from tgite_conform.algorithms import reference
from tgite_conform.cli import conform
from tgite_conform.convention_finder import ConventionFinder
from tgite_conform.divergence import Diverged, Divergence, Parting
from tgite_conform.faults import Fault, FaultKind
from tgite_conform.format import Case, Expected
from tgite_conform.process import ProcessConnection
from tgite_conform.program import ProgramSubject
from tgite_conform.runner import Status, examine
from tgite_conform.subjects import StreamSubject, function_subject, time_for_tapes
from tgite_conform.time_limit import TIME_LIMIT
from tgite_laws.cli.main import app

Stream: TypeAlias = Generator[object, Any, object]


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let child processes find the packages."""
    monkeypatch.setenv("PYTHONPATH", PYTHONPATH)


def _serving(implementation: str, folder: Path = Path()) -> ProgramSubject:
    """Serve a function of a module, in ``folder`` if need be."""
    call = f"import sys; sys.path.insert(0, {str(folder)!r}); from {serve.__name__} import main"
    command = [sys.executable, "-c", f"{call}; main({implementation!r})"]
    return ProgramSubject(ProcessConnection(command), implementation, 20.0)


def test_a_served_function_that_hangs_was_heard_before(tmp_path: Path) -> None:
    """What it answered is not held back."""
    (tmp_path / "stuck.py").write_text(
        textwrap.dedent(
            """
            from tgite_conform.algorithms import reference
            def make(algorithm, parameters):
                stream, told = reference(algorithm, parameters), None
                for _ in range(20):
                    told = yield stream.send(told)
                while True:
                    pass
            make.algorithms = ["duel_test"]
            """
        )
    )
    (case, *_) = [one for one, _ in RUNS if one.algorithm == "duel_test" and one.duels > 200]
    subject = _serving("stuck:make", tmp_path)
    subject._seconds = 2.0
    with pytest.raises(Fault, match="no answer within 2 s") as caught:
        subject.play(case)
    subject.close()
    assert caught.value.duels == 20


# Starts.


def _script(folder: Path, body: str, mode: str = "duel") -> list[str]:
    """Write a program; return its command."""
    head = f"""
        import json, sys, time
        def say(**message):
            print(json.dumps(message), flush=True)
        requests = map(json.loads, sys.stdin)
        next(requests)
        names = ["duel_test", "bkt", "tree_ascent"]
        say(type="hello", protocol=1, name="it", algorithms=names, modes=["{mode}"])
        """
    script = folder / "it.py"
    script.write_text(textwrap.dedent(head) + textwrap.dedent(body))
    return [sys.executable, str(script)]


# Conventions.


def test_the_search_for_conventions_takes_so_many_duels_altogether() -> None:
    """Of a subject whose duels take a thousand times as long, a thousandth; then it finds none."""
    asked = 0

    def swapped(algorithm: str, parameters: dict[str, Any]) -> Stream:
        nonlocal asked
        conventions = {**parameters["conventions"], "arguments": "later-first"}
        stream = cast(Stream, reference(algorithm, {**parameters, "conventions": conventions}))
        told = None
        while True:
            try:
                question = stream.send(told)
            except StopIteration as stop:
                return stop.value
            asked += 1
            told = yield question

    finder = ConventionFinder(dearer=1000)
    cases = [case for case, _ in RUNS if case.algorithm == "bkt" and 50 < case.duels < 400]
    cases = [case for case in cases if case.conventions.arguments == "earlier-first"]
    # Of matches played side by side it is not known by which question the reference would part.
    parted = Divergence(Parting.OTHER_DUEL, 1, "duel (97, 98)", "", ())
    found = [finder.changes(StreamSubject(swapped, "it").meet, case, parted) for case in cases]
    assert found[0] == {"arguments": "later-first"}
    assert found[-1] is None
    assert 500 < asked < 2500


# Functions in the kit's own process.


def hangs_at_once(algorithm: str, parameters: dict[str, object]) -> Never:
    while True:
        pass


def hangs_before_its_first_question(
    algorithm: str, parameters: dict[str, object]
) -> Iterator[object]:
    while parameters:
        pass
    yield (0, 1)


def hangs_later(algorithm: str, parameters: dict[str, object]) -> Iterator[object]:
    """It catches every error, too."""
    for _ in range(5):
        yield (parameters["u"], parameters["v"])
    while True:
        try:
            time.sleep(60)
        except Exception:
            continue


def hangs_when_closed(algorithm: str, parameters: dict[str, object]) -> Iterator[object]:
    try:
        yield (97, 98)
    finally:
        while parameters:
            pass


def hangs_over_tapes(cases: list[dict[str, object]]) -> Never:
    while True:
        pass


hangs_over_tapes.plays_whole_tapes = True  # type: ignore[attr-defined]


def _a_duel_test() -> Case:
    return next(case for case, _ in RUNS if case.algorithm == "duel_test" and case.duels > 20)


@pytest.mark.parametrize(
    ("function", "when"),
    [
        (hangs_at_once, " before any duel"),
        (hangs_before_its_first_question, " before any duel"),
        (hangs_later, " after 5 duels"),
        (hangs_when_closed, " before any duel"),
        (hangs_over_tapes, ""),
    ],
)
def test_a_function_that_does_not_come_back_is_ended(
    function: Callable[..., object], when: str
) -> None:
    handler = signal.getsignal(signal.SIGALRM)
    (result,) = examine(function_subject(function, "it", 0.2), [_a_duel_test()])
    assert (result.status, result.detail) == (Status.FAULT, f"hung{when}: no answer within 0.2 s")
    assert signal.getsignal(signal.SIGALRM) is handler
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


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


def test_one_case_that_hangs_is_not_the_end_and_two_are() -> None:
    """At the default limit, the time to start a program anew included."""
    assert runner._why_give_up([FaultKind.HUNG], 1.4 * TIME_LIMIT) == ""
    assert "cost more than" in runner._why_give_up([FaultKind.HUNG], 2 * TIME_LIMIT)


# Whole tapes.


def test_longer_tapes_are_given_more_time(tmp_path: Path) -> None:
    """It answers a case of 100 million duels after 3 s, which is more than the limit."""
    command = _script(
        tmp_path,
        """
        for request in requests:
            if request["type"] == "play":
                time.sleep(3)
                say(type="played", matches=[], result=None)
        """,
        mode="batch",
    )
    subject = ProgramSubject(ProcessConnection(command), "it", 20.0)
    subject._seconds = 0.5
    short = _a_duel_test()
    assert isinstance(short.expected, Expected)
    (match,) = short.expected.matches
    longer = msgspec.structs.replace(match, length=10**8)
    long = replace(short.expected, matches=(longer,))
    with pytest.raises(Diverged):
        subject.play(replace(short, expected=long))
    with pytest.raises(Fault, match=r"no answer within 0\.5"):
        subject.play(short)
    subject.close()
    # What takes 20 s over a tape of 2^24 duels is slow and does not hang.
    longer = msgspec.structs.replace(match, length=2**24)
    long = replace(short.expected, matches=(longer,))
    assert time_for_tapes([replace(short, expected=long)]) > 30
    assert time_for_tapes([short]) < 0.01


@pytest.mark.parametrize("limited", [False, True])
def test_where_it_differs_the_rest_is_left_out_when_patience_ends(limited: bool) -> None:
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
    left_out = (Status.NOT_PLAYED, "it differs, and 0 s are over: --long plays all")
    assert told == [(Status.WRONG, ""), *([left_out] if limited else [(Status.WRONG, "")]) * 2]


def test_the_command_says_what_it_left_out_and_long_plays_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(conform, "PATIENCE", 0.0)
    words = ["conform", f"{__name__}:refuses_all", "--algorithm", "bkt", "--only", "paper"]
    told = typer.testing.CliRunner().invoke(app(["conform"]), words)
    assert told.exit_code == 1
    assert re.search(r"\d+ not played: it differs, and 0 s are over: --long plays all", told.stdout)
    told = typer.testing.CliRunner().invoke(app(["conform"]), [*words, "--long"])
    assert told.exit_code == 1
    assert "not played" not in told.stdout
    # So many random cases as are asked for are played.
    words = ["conform", f"{__name__}:refuses_all", "--algorithm", "bkt", "--random", "3"]
    told = typer.testing.CliRunner().invoke(app(["conform"]), words)
    assert told.exit_code == 1
    assert "not played" not in told.stdout


def refuses_all(algorithm: str, parameters: dict[str, object]) -> object:
    raise ValueError("it does not take that")
