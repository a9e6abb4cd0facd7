"""The command line: what it prints, its exit statuses, and how it refuses unusable input."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tgite.playing import play as player
from tgite_laws.cli.main import commands, status

COMMANDS = commands()
HEAVY = {"numpy", "scipy", "flint", "jsonschema", "matplotlib"}


@pytest.mark.parametrize("words", [("audit", "--sentences"), ("--version",)])
def test_a_closed_pipe_is_no_difference(words: tuple[str, ...]) -> None:
    """Be it noticed while something is written, or when the little that there is leaves at last."""
    command = "import sys; from tgite_laws.cli.main import main; main(sys.argv[1:])"
    read, write = os.pipe()
    os.close(read)
    ran = subprocess.run(
        [sys.executable, "-c", command, *words], stdout=write, stderr=subprocess.PIPE, check=False
    )
    os.close(write)
    assert (ran.returncode, ran.stderr) == (141, b"")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_of_a_command_what_it_says_of_itself(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status([name, "--help"]) == 0
    assert COMMANDS[name].summary in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("arguments", "unneeded"),
    [
        ("--help", HEAVY | {"tgite", "beartype"}),
        *((command, HEAVY) for command in ("run --help", "law --help", "audit --help")),
        ("run bai --delta 0.1 --example sushi16 --budget 9", HEAVY),
    ],
)
def test_what_a_command_does_not_need_is_not_loaded(arguments: str, unneeded: set[str]) -> None:
    program = (
        "import sys; from tgite_laws.cli.main import status; status(sys.argv[1:]); "
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments.split()],
        capture_output=True,
        text=True,
        check=True,
    )
    assert unneeded.isdisjoint(done.stderr.split())


@pytest.mark.parametrize(
    "words",
    [
        "run bai --example sushi16 --delta 0.1 --repetitions 3",
        "compare weak --instance sparse --arms 4 --delta-star 0.3 --seeds 3 --horizon 200",
        "figures --jobs 1 --seeds 1",
    ],
)
def test_an_interrupt_ends_what_plays_many_runs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: str
) -> None:
    """It comes once: a command that took the cut run for a run would go on, and end as ever."""
    play, runs = player._play, count()

    def interrupted(*given: Any) -> object:
        if next(runs) == 1:
            raise KeyboardInterrupt
        return play(*given)

    monkeypatch.setattr(player, "_play", interrupted)
    monkeypatch.chdir(tmp_path)
    assert status(words.split()) == 130
    assert next(runs) == 2
