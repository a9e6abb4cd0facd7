"""The command ``conform-law``: what it reads, what it refuses, what it says."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tgite_laws.cli.main import status as run


def conform_law(*words: str) -> int:
    """Run the command; return the exit status."""
    return run(("conform-law", *words))


def test_samples_are_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    samples = tmp_path / "samples.txt"
    samples.write_text("30 0\n" * 100)
    words = (str(samples), "--delta", "1/10", "--p", "9/10")
    assert conform_law(*words) == 1
    assert "rejected after" in capsys.readouterr().out
    samples.write_text("23 0\n27,0\n")
    assert conform_law(*words, "--json") == 0
    verdict = json.loads(capsys.readouterr().out)
    assert verdict["samples"] == 2
    assert verdict["samples_needed"]["the union bound dropped"] <= 3


def test_all_samples_of_a_file_say_what_they_look_like(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two samples reject the law; only more tell one wrong version from another."""
    samples = tmp_path / "samples.txt"
    samples.write_text("\ufeff" + "12 0\n" * 50, encoding="utf-8")
    words = (str(samples), "--delta", "1/10", "--p", "9/10")
    assert conform_law(*words, "--json") == 1
    verdict = json.loads(capsys.readouterr().out)
    assert verdict["samples"] == 50
    assert verdict["rejected_after"] < 5


def test_samples_may_come_from_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("2 0\n"))
    instance = ("--instance", "cyclic", "--arms", "4", "--delta-star", "2/5", "--delta-cyc", "2/5")
    words = ("-", "--delta", "1/10", "--algorithm", "bkt", *instance)
    assert conform_law(*words) == 1
    assert "rejected after 1 samples" in capsys.readouterr().out


def test_an_epoch_is_sampled_with_both_its_levels(tmp_path: Path) -> None:
    samples = tmp_path / "samples.txt"
    samples.write_text("2 2\n" * 3)
    instance = ("--instance", "cyclic", "--arms", "4", "--delta-star", "2/5", "--delta-cyc", "2/5")
    words = (str(samples), "--delta", "1/4", "--algorithm", "screen_and_replace", *instance)
    assert conform_law(*words) == 2
    assert conform_law(*words, "--rho", "1/10") == 1


def test_weak_regret_is_sampled_of_tournaments(tmp_path: Path) -> None:
    samples = tmp_path / "samples.txt"
    samples.write_text("0 2\n")
    instance = ("--instance", "cyclic", "--arms", "4", "--delta-star", "2/5", "--delta-cyc", "2/5")
    words = (str(samples), "--delta", "1/10", "--counted", "weak-regret")
    assert conform_law(*words, "--algorithm", "bkt", *instance) == 1
    samples.write_text("24 2\n")
    assert conform_law(*words, "--algorithm", "bkt", *instance) == 0
    assert conform_law(*words, "--p", "9/10") == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "samples = {}: holds no sample"),
        ("23 0\n\n", "line 2 of {} = nothing: must be COUNT ANSWER"),
        ("23 0\n30\n", "line 2 of {} = 30: must be COUNT ANSWER"),
        ("30 u\n", "line 1 of {} = 30 u: must be COUNT ANSWER"),
        ("30 0 12\n", "line 1 of {} = 30 0 12: must be COUNT ANSWER"),
        ("count,answer\n30,0\n", "line 1 of {} = count,answer: must be COUNT ANSWER"),
        ("-1 0\n", "line 1 of {} = -1 0: must be COUNT ANSWER, two whole numbers of 0 or more"),
        ("1.5 0\n", "line 1 of {} = 1.5 0: must be COUNT ANSWER"),
        ("\u0663 0\n", "must be COUNT ANSWER"),
        ("0 0\n", "line 1 of {} = 0 0: must count 1 or more"),
        ("23 0\r\n17 2\r\n", "line 2 of {} = 17 2: must answer one of 0..1"),
        ("9" * 5000 + " 0\n", "must have at most 18 digits a number"),
        (">60 -\n", "line 1 of {} = >60 -: is a run that was cut: say where with --cut 60"),
    ],
)
def test_bad_samples_are_unusable(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    samples = tmp_path / "s"
    samples.write_text(text, encoding="utf-8")
    assert conform_law(str(samples), "--delta", "1/10", "--p", "9/10") == 2
    assert said.format(samples) in capsys.readouterr().err


def test_samples_of_runs_that_were_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    samples = tmp_path / "s"
    words = (str(samples), "--delta", "1/10", "--p", "7/10", "--cut", "60")
    samples.write_text("23 0\n>60 -\n58 0\n")
    assert conform_law(*words) == 0
    capsys.readouterr()
    for line, said in (
        (">61 -", "must be cut where all runs are: after 60"),
        ("62 0", "must count at most 60, where runs are cut"),
        ("60 -", "must be COUNT ANSWER"),
        (">x -", "must be COUNT ANSWER"),
    ):
        samples.write_text(f"23 0\n{line}\n")
        assert conform_law(*words) == 2
        assert f"line 2 of {samples} = {line}: {said}" in capsys.readouterr().err


def test_an_impossible_sample_is_named_by_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    samples = tmp_path / "s"
    samples.write_bytes(b"\xef\xbb\xbf23 0\r\n18,0\r\n19 0\r\n")
    assert conform_law(str(samples), "--delta", "1/10", "--p", "7/10") == 1
    said = capsys.readouterr().out
    assert (
        "no run gives the answer 0 after 19 comparisons; the nearest that are possible: 18 and 23"
        in said
    )
    assert f"sample 3 is line 3 of {samples}\n" in said


def test_policies_and_conventions_are_sampled_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    samples = tmp_path / "s"
    samples.write_text("2 2\n" * 3)
    instance = ("--instance", "cyclic", "--arms", "4", "--delta-star", "2/5", "--delta-cyc", "2/5")

    def status(*words: str) -> int:
        return conform_law(str(samples), *instance, "--algorithm", *words)

    assert status("tg_ite_bai", "--delta", "1/10") == 1
    assert (
        "supposed conventions, on which the law hangs (--convention): pairing=consecutive"
        in capsys.readouterr().out
    )
    assert status("tg_ite_weak", "--json", "--convention", "byes=spread") == 1
    assert json.loads(capsys.readouterr().out)["conventions"]["byes"] == "spread"
    assert status("tg_ite_weak", "--epochs", "0", "--start", "1") == 1
    capsys.readouterr()
    assert status("tg_ite_strong_known_horizon", "--horizon", "9") == 1
    capsys.readouterr()
    samples.write_text(">9 -\n")
    assert status("tg_ite_strong_known_horizon", "--horizon", "9") == 0
    capsys.readouterr()
    for refused, must in (
        (("tg_ite_strong_known_horizon",), "horizon = nothing: must be given for tg_ite_strong_kn"),
        (("tg_ite_bai",), "delta = nothing: must be given for tg_ite_bai"),
        (("bkt", "--delta", "1/10", "--start", "1"), "start = 1: has no meaning for bkt"),
        (("match", "--delta", "1/10", "--p", "7/10"), "has no meaning for match"),
        (("bkt", "--delta", "1/10", "--convention", "first_arm=1"), "samples number arms from 0"),
        (("bkt", "--delta", "2^-60", "--g", "1/20"), "at most 4000 duels"),
    ):
        assert status(*refused) == 2
        assert must in capsys.readouterr().err
    samples.write_text("2 2\n")
    words = ("--delta", "2^-60", "--p", "7/10", "--g", "1/20")
    assert conform_law(str(samples), *words) == 2
    assert "must have an exact law that can be computed" in capsys.readouterr().err
