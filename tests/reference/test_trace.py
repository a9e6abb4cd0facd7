"""Trace files: what is written is read again, and what is damaged is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_play import DELTA, POLICIES, PREFERENCES, TREE

from tgite import (
    Duel,
    Ended,
    Incumbent,
    InvalidInput,
    Run,
    SeededEnvironment,
    SelfPlay,
    TapeExhausted,
    TapeMismatch,
    duel_test,
    play,
    tg_ite_bai,
    tg_ite_weak,
)
from tgite.playing.trace import TraceEnvironment, TraceWriter, read_trace

ARMS = st.integers(0, 2000)
DUELS = st.tuples(
    st.builds(lambda u, step: Duel(u, u + step), ARMS, st.integers(1, 9)),
    st.lists(st.booleans(), min_size=1, max_size=40),
)
PLAYED = st.lists(
    DUELS | st.builds(Incumbent, ARMS) | st.builds(SelfPlay, ARMS, st.integers(1, 2**70))
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where traces may be written, one over the other."""
    return tmp_path_factory.mktemp("traces") / "trace"


def written(path: Path, first_arm: int = 0) -> Path:
    """Write the trace of a short run."""
    with TraceWriter(path, first_arm, {"what": "a test"}) as recorder:
        environment = SeededEnvironment(PREFERENCES, 1)
        recorder.finish(play(tg_ite_bai(0, TREE, DELTA, duel_test), environment, recorder=recorder))
    return path


@given(PLAYED, st.sampled_from((0, 1)))
def test_what_is_written_is_read_and_given_out_again(
    path: Path, played: list[Incumbent | SelfPlay | tuple[Duel, list[bool]]], first_arm: int
) -> None:
    duels = [entry for entry in played if isinstance(entry, tuple)]
    comparisons = sum(len(outcomes) for _, outcomes in duels)
    with TraceWriter(path, first_arm) as recorder:
        for entry in played:
            match entry:
                case Incumbent(arm):
                    recorder.incumbent(arm)
                case SelfPlay(arm, rounds):
                    recorder.self_play(arm, rounds)
                case (duel, outcomes):
                    recorder.duels(duel, bytes(outcomes))
        recorder.finish(Run(Ended.RETURNED, 7, 0, comparisons, None, None, None))
    trace = read_trace(path)
    assert trace.runs == tuple((duel, tuple(outcomes)) for duel, outcomes in duels)
    assert trace.comparisons == comparisons
    tape = TraceEnvironment(trace)
    for duel, outcomes in duels:
        draw = tape.outcomes(duel)
        assert [draw() for _ in outcomes] == outcomes
    with pytest.raises(TapeExhausted):
        tape.outcomes(Duel(0, 1))()


@given(st.data())
def test_a_trace_that_is_cut_anywhere_is_refused(path: Path, data: st.DataObject) -> None:
    whole = written(path).read_bytes()
    # Without its last byte, the end of the line, it is whole.
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 2))])
    with pytest.raises(InvalidInput, match=r"is truncated|must be a line of JSON|is empty"):
        read_trace(path)


@given(st.sampled_from(sorted(POLICIES)), st.integers(1, 3000), st.integers(0, 3))
def test_a_trace_replays_to_the_same_run(path: Path, policy: str, horizon: int, seed: int) -> None:
    with TraceWriter(path, seed % 2) as recorder:
        environment = SeededEnvironment(PREFERENCES, seed)
        original = play(POLICIES[policy](), environment, 2, horizon, None, recorder)
        recorder.finish(original)
    replayed = play(POLICIES[policy](), TraceEnvironment(read_trace(path)), 2, horizon)
    assert replayed == original


def test_self_play_and_announcements_are_one_line_each(path: Path) -> None:
    with TraceWriter(path) as recorder:
        environment = SeededEnvironment(PREFERENCES, 1)
        run = play(POLICIES["anytime"](), environment, horizon=10_000, recorder=recorder)
    lines = [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]
    blocks = [line["rounds"] for line in lines if "self_play" in line]
    duels = sum(len(line["outcomes"]) for line in lines if "duel" in line)
    assert blocks[:3] == [4, 16, 256]
    assert duels == run.comparisons
    assert duels + sum(blocks) == run.rounds == 10_000
    assert [line["incumbent"] for line in lines if "incumbent" in line] == [
        PREFERENCES.winner()
    ] * len(blocks)


def test_a_longer_run_exhausts_the_trace_and_another_duel_is_refused(path: Path) -> None:
    trace = read_trace(written(path))
    longer = tg_ite_weak(0, TREE, duel_test, warm_start=DELTA)
    run = play(longer, TraceEnvironment(trace))
    assert (run.ended, run.comparisons) == (Ended.TAPE_EXHAUSTED, trace.comparisons)
    assert run.incumbent == PREFERENCES.winner()
    with pytest.raises(TapeMismatch, match=r"duel 1 = \(0, 2\): must be \(0, 1\)"):
        TraceEnvironment(trace).outcomes(Duel(0, 2))()


def test_a_full_disk_is_said_in_the_one_typed_error() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no device that is always full")
    with pytest.raises(InvalidInput, match="cannot be written"):
        written(full)


def test_damaged_traces_are_refused(path: Path) -> None:
    good = written(path).read_text(encoding="ascii").splitlines()
    end = json.loads(good[-1])
    damaged = {
        "is empty": [],
        "must begin with a head": good[1:],
        "must be a line of JSON": [good[0], '{"duel": [0, 1], "outc'],
        "must be a JSON object": [good[0], "[1]", *good[1:]],
        "counts": [*good[:-1], json.dumps({**end, "comparisons": end["comparisons"] + 1})],
        "is followed by more lines": [*good, good[1]],
        "must hold two arms": [good[0], '{"duel": [0, 1], "outcomes": "012"}', good[-1]],
        "must differ from u": [good[0], '{"duel": [1, 1], "outcomes": "01"}', good[-1]],
        "whole number": [good[0], '{"duel": ["a", 1], "outcomes": "01"}', good[-1]],
    }
    for message, lines in damaged.items():
        path.write_text("\n".join(lines), encoding="ascii")
        with pytest.raises(InvalidInput, match=message):
            read_trace(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidInput, match="cannot be read"):
        read_trace(path)
