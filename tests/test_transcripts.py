"""Commands print what their transcripts show; unusable input is refused in one line."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest

from golden import same_as, transcript

FILES = sorted(Path(__file__).parent.glob("*/transcripts/*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}-{file.stem}")
def test_commands_print_what_their_transcript_shows(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    # Where no prover and no cluster are installed.
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setitem(sys.modules, "distributed", None)
    # Progress depends on the time.
    monkeypatch.setattr("tgite_judge.cli.judge._SECONDS_BETWEEN_REPORTS", 1e9)
    monkeypatch.setattr("tgite_conform.cli.conform.PATIENCE", 1e9)
    # So does which mutant comes first: the one whose check took longest.
    monkeypatch.setattr("tgite_checks.audit.runner.Audit._expected", lambda audit, task: 0.0)
    same_as(file, transcript(file))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}-{file.stem}")
def test_unusable_input_is_refused_in_one_line(file: Path) -> None:
    refused = r"! tgite: [^\n]*\n\[2\]"
    for played in re.split(r"^\$ ", file.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        command, _, printed = played.partition("\n")
        assert ("[2]" in printed) == bool(re.fullmatch(refused, printed.strip())), command
