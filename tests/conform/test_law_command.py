"""What the transcript of ``conform-law`` cannot show: samples from a pipe, and the verdict as JSON.

The transcript holds what the command reads, refuses and says of samples in files.
"""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tgite_laws.cli.main import status

FOUR = ("--instance", "cyclic", "--arms", "4", "--delta-star", "2/5", "--delta-cyc", "2/5")


def test_a_pipe_is_read_until_the_verdict_stands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("2 0\n" + "no sample\n" * 9))
    words = ("-", "--delta", "1/10", "--algorithm", "bkt", *FOUR)
    assert status(("conform-law", *words)) == 1
    assert "rejected after 1 samples" in capsys.readouterr().out


def test_all_samples_of_a_file_are_judged_in_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two samples reject the law; only more tell one wrong version from another."""
    samples = tmp_path / "samples.txt"
    samples.write_text("12 0\n" * 50, encoding="utf-8")
    words = (str(samples), "--delta", "1/10", "--algorithm", "tg_ite_weak", *FOUR)
    assert status(("conform-law", *words, "--convention", "byes=spread", "--json")) == 1
    verdict = json.loads(capsys.readouterr().out)
    assert verdict["samples"] == 50
    assert verdict["rejected_after"] < 5
    assert verdict["counted"] == "comparisons"
    assert verdict["conventions"]["byes"] == "spread"
    assert verdict["samples_needed"]["the union bound dropped"] <= 3
