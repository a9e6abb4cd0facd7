"""A verdict comes in time: what costs it is counted, since seconds depend on the machine."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

import pytest

from shipped_vectors import PYTHONPATH, REFERENCE, RUNS
from tgite_checks.conformance import serve
from tgite_checks.conformance.channel import LineChannel
from tgite_checks.conformance.faults import Fault, FaultKind
from tgite_checks.conformance.process import ProcessConnection
from tgite_checks.conformance.program import ProgramSubject
from tgite_checks.conformance.protocol import Outcome, line_of
from tgite_checks.conformance.runner import Status, examine


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let child processes find the packages."""
    monkeypatch.setenv("PYTHONPATH", PYTHONPATH)


def _serving(implementation: str) -> ProgramSubject:
    command = [sys.executable, "-m", "tgite_checks.conformance.serve", implementation]
    return ProgramSubject(ProcessConnection(command), implementation, 20.0)


# Lines.


@contextmanager
def _told(said: bytes) -> Iterator[LineChannel]:
    """Open a channel to somebody who has said something, and nothing more."""
    nowhere, write_to = os.pipe()
    read_from, said_to = os.pipe()
    os.write(said_to, said)
    try:
        yield LineChannel(write_to, read_from, longest=50)
    finally:
        for descriptor in (nowhere, write_to, read_from, said_to):
            os.close(descriptor)


def _again(channel: LineChannel, line: bytes, most: int) -> int:
    times = 0
    while times < most and (more := channel.receive_again(line, most - times, 1.0)):
        times += more
    return times


@pytest.mark.parametrize("times", [0, 1, 2, 7, 8, 500])
def test_the_same_lines_are_received_together_and_no_others(times: int) -> None:
    for following in (b"duels", b"due", b"x"):
        with _told(b"duel\n" * times + following + b"\n") as channel:
            assert _again(channel, b"duel", 1000) == times
            assert channel.receive(1.0) == following
    with _told(b"duel\n" * times) as channel:
        assert _again(channel, b"duel", min(times, 3)) == min(times, 3)
        for _ in range(times - 3):
            assert channel.receive(1.0) == b"duel"


def test_receiving_the_same_again_is_limited_as_receiving_is() -> None:
    for said, kind in ((b"due", FaultKind.HUNG), (b"d" * 60 + b"\n", FaultKind.FLOODED)):
        with _told(said) as channel, pytest.raises(Fault) as caught:
            channel.receive_again(b"duel", 5, 0.05)
        assert caught.value.kind is kind
    with _told(b"duel\n" * 3) as channel:
        assert _again(channel, b"duel", 2) == 2
        with pytest.raises(Fault, match="spoke out of turn"):
            channel.send(b"outcome", 1.0)


def test_of_a_match_two_lines_at_most_are_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    received, receive = [], LineChannel.receive

    def receiving(channel: LineChannel, seconds: float) -> bytes:
        received.append(receive(channel, seconds))
        return received[-1]

    monkeypatch.setattr(LineChannel, "receive", receiving)
    subject, chosen = _serving(REFERENCE), RUNS[::60]
    results = list(examine(subject, [case for case, _ in chosen]))
    subject.close()
    assert {one.status for one in results} == {Status.CONFORMS}
    questions = sum(
        len(expected.matches) + len(expected.self_play) + len(expected.incumbents)
        for _, expected in chosen
    )
    # The greeting and each case's end or first question besides.
    assert len(received) <= questions + len(chosen) + 1
    assert sum(one.duels for one in results) > 20 * len(received)


def test_a_served_function_answers_a_few_requests_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So no reply of a slow one waits for those to hundreds of outcomes that were told ahead."""
    read_from, write_to = os.pipe()
    line = line_of(Outcome(True))
    os.write(write_to, (line + b"\n") * 1000)
    os.close(write_to)
    answered: list[bytes] = []
    flushed = [0]

    class Replies(io.BytesIO):
        def flush(self) -> None:
            flushed.append(len(answered))

    with open(read_from, "rb") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        for request in serve._requests(Replies()):
            answered.append(request)
    assert answered == [line] * 1000
    assert max(after - before for before, after in pairwise(flushed)) < 50
    assert len(flushed) < 100
    assert flushed[-1] == 1000
