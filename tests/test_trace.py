"""Trace files: what is written is read again, and what is damaged is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tgite import (
    BalancedTree,
    Confidence,
    Ended,
    InvalidInput,
    SeededEnvironment,
    TapeMismatch,
    cyclic,
    duel_test,
    play,
    tg_ite_bai,
    tg_ite_strong_anytime,
    tg_ite_weak,
)
from tgite.playing.trace import TraceEnvironment, TraceWriter, read_trace

PREFERENCES = cyclic(4, "0.3", "0.4")
TREE = BalancedTree.over(4)
DELTA = Confidence.of("0.1")


def written(path: Path, first_arm: int = 0) -> Path:
    """Write the trace of a short run."""
    with TraceWriter(path, first_arm, {"what": "a test"}) as recorder:
        run = play(
            tg_ite_bai(0, TREE, DELTA, duel_test),
            SeededEnvironment(PREFERENCES, 1),
            recorder=recorder,
        )
        recorder.finish(run)
    return path


@pytest.mark.parametrize("first_arm", [0, 1])
def test_a_trace_replays_to_the_same_run(tmp_path: Path, first_arm: int) -> None:
    trace = read_trace(written(tmp_path / "trace", first_arm))
    original = play(tg_ite_bai(0, TREE, DELTA, duel_test), SeededEnvironment(PREFERENCES, 1))
    replayed = play(tg_ite_bai(0, TREE, DELTA, duel_test), TraceEnvironment(trace))
    assert replayed == original
    assert trace.comparisons == original.comparisons


def test_self_play_and_announcements_are_one_line_each(tmp_path: Path) -> None:
    path = tmp_path / "trace"
    with TraceWriter(path) as recorder:
        run = play(
            tg_ite_strong_anytime(0, TREE, duel_test),
            SeededEnvironment(PREFERENCES, 1),
            horizon=10_000,
            recorder=recorder,
        )
    lines = [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]
    blocks = [line["rounds"] for line in lines if "self_play" in line]
    duels = sum(len(line["outcomes"]) for line in lines if "duel" in line)
    assert blocks[:3] == [4, 16, 256]
    assert duels == run.comparisons
    assert duels + sum(blocks) == run.rounds == 10_000
    assert [line["incumbent"] for line in lines if "incumbent" in line] == [2] * len(blocks)


def test_a_longer_run_exhausts_the_trace(tmp_path: Path) -> None:
    trace = read_trace(written(tmp_path / "trace"))
    longer = tg_ite_weak(0, TREE, duel_test, warm_start=DELTA)
    run = play(longer, TraceEnvironment(trace))
    assert (run.ended, run.comparisons) == (Ended.TAPE_EXHAUSTED, trace.comparisons)
    assert run.incumbent == PREFERENCES.winner()


def test_another_duel_than_the_recorded_one_is_refused(tmp_path: Path) -> None:
    trace = read_trace(written(tmp_path / "trace"))
    with pytest.raises(TapeMismatch, match=r"duel 1 = \(3, 2\): must be \(0, 1\)"):
        play(tg_ite_bai(3, TREE, DELTA, duel_test), TraceEnvironment(trace))


def lines_of(path: Path) -> list[str]:
    """Return the lines of a good trace."""
    return written(path).read_text(encoding="ascii").splitlines()


def test_a_full_disk_is_said_in_the_one_typed_error() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no device that is always full")
    with pytest.raises(InvalidInput, match="cannot be written"):
        written(full)


def test_damaged_traces_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "trace"
    good = lines_of(path)
    end = json.loads(good[-1])
    damaged = {
        "is truncated": good[:-1],
        "is empty": [],
        "must begin with a head": good[1:],
        "must be a line of JSON": [good[0], '{"duel": [0, 1], "outc'],
        "must be a JSON object": [good[0], "[1]", *good[1:]],
        "counts": [*good[:-1], json.dumps({**end, "comparisons": end["comparisons"] + 1})],
        "must end here": [*good, good[1]],
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
