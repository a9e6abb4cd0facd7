"""The command line: what it prints, its exit statuses, and how it refuses unusable input."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import typer

from tgite import Duel, Preferences
from tgite_laws.cli.main import app, commands, status

SUSHI = ["--example", "sushi16"]
CYCLIC = ["--instance", "cyclic", "--arms", "8", "--delta-star", "0.32", "--delta-cyc", "0.38"]
BAI = ["run", "bai", "--delta", "0.1"]

COMMANDS = commands()

Played = Callable[..., list[dict[str, object]]]


@pytest.fixture
def played(capsys: pytest.CaptureFixture[str]) -> Played:
    """Return what plays by a command and returns the runs that it prints."""

    def play(*arguments: str) -> list[dict[str, object]]:
        assert status([*arguments, "--json"]) == 0
        runs: list[dict[str, object]] = json.loads(capsys.readouterr().out)["runs"]
        return runs

    return play


@pytest.mark.parametrize("words", [("vectors", "write", "--coverage"), ("--version",)])
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


@pytest.mark.parametrize("name", COMMANDS)
def test_many_options_are_shown_in_panels(name: str) -> None:
    """Of a command with more than ten options each but --help has its panel."""
    command = vars(typer.main.get_command(app([name])))["commands"][name]
    for one in vars(command).get("commands", {name: command}).values():
        options = [param for param in one.params if param.param_type_name == "option"]
        panels = {
            param.name: param.rich_help_panel for param in options if not vars(param).get("hidden")
        }
        if len(panels) > 10:
            assert None not in panels.values(), panels
            assert len(set(panels.values())) > 1
        if name == "run":
            assert [*dict.fromkeys(panels.values())] == [
                *("Preferences", "Judges", "Policy", "Playing", "Output")
            ]


@pytest.mark.parametrize(
    ("arguments", "unneeded"),
    [
        (["--help"], {"tgite", "beartype", "numpy", "scipy", "flint", "jsonschema", "matplotlib"}),
        (["run", "--help"], {"numpy", "scipy", "flint", "jsonschema", "matplotlib"}),
        ([*BAI, *SUSHI, "--budget", "9"], {"numpy", "scipy", "flint", "jsonschema", "matplotlib"}),
        (["law", "--help"], {"numpy", "scipy", "flint", "jsonschema", "matplotlib"}),
        (["audit", "--help"], {"numpy", "scipy", "flint", "jsonschema", "matplotlib"}),
    ],
)
def test_what_a_command_does_not_need_is_not_loaded(
    arguments: list[str], unneeded: set[str]
) -> None:
    program = (
        "import sys; from tgite_laws.cli.main import status; status(sys.argv[1:]); "
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True
    )
    assert unneeded.isdisjoint(done.stderr.split())


@pytest.mark.parametrize(
    ("policy", "options"),
    [
        ("bai", ["--delta", "0.1"]),
        ("weak", ["--horizon", "5000"]),
        ("weak", ["--horizon", "5000", "--delta", "0.05"]),
        ("strong-known-horizon", ["--horizon", "5000"]),
        ("strong-anytime", ["--horizon", "5000"]),
    ],
)
@pytest.mark.parametrize("gap", [[], ["--g", "0.32"]])
def test_every_policy_finds_the_winner(
    played: Played, policy: str, options: list[str], gap: list[str]
) -> None:
    (run,) = played("run", policy, *CYCLIC, *options, *gap)
    assert run["right"] is True
    assert run["arm"] == 4
    assert run["ended"] == ("horizon" if policy in {"weak", "strong-anytime"} else "returned")
    if policy != "bai":
        assert run["rounds"] == 5000


def test_repetitions_use_the_seeds_from_the_first_one_on(played: Played) -> None:
    three = played(*BAI, *CYCLIC, "--seed", "5", "--repetitions", "3")
    assert three == [played(*BAI, *CYCLIC, "--seed", seed)[0] for seed in ("5", "6", "7")]
    assert len({run["comparisons"] for run in three}) > 1


def test_a_trace_plays_again_as_a_tape(
    played: Played, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    trace = str(tmp_path / "trace.jsonl")
    first = played(*BAI, *CYCLIC, "--trace", trace)
    assert played(*BAI, *CYCLIC, "--tape", trace) == first
    assert status([*BAI, *CYCLIC, "--tape", trace, "--start", "1"]) == 2
    assert "which the tape holds" in capsys.readouterr().err


def test_a_plain_tape_ends_the_run(played: Played, tmp_path: Path) -> None:
    tape = tmp_path / "tape.txt"
    tape.write_text("0110 1\n01", encoding="ascii")
    (run,) = played(*BAI, *CYCLIC, "--tape", str(tape))
    assert (run["ended"], run["comparisons"], run["returned"]) == ("tape exhausted", 7, False)


def test_arms_are_written_by_the_convention(played: Played, tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    (run,) = played(*BAI, *CYCLIC, "--convention", "first_arm=1", "--trace", str(trace))
    assert run["arm"] == 5
    lines = [json.loads(line) for line in trace.read_text(encoding="ascii").splitlines()]
    assert lines[1]["duel"] == [1, 2]
    assert lines[-1]["returned"] == 5
    assert played(*BAI, *CYCLIC, "--tape", str(trace))[0]["comparisons"] == run["comparisons"]
    assert status([*BAI, *CYCLIC, "--convention", "first_arm=1", "--start", "0"]) == 2


def test_a_name_is_a_starting_arm(capsys: pytest.CaptureFixture[str]) -> None:
    by_name = ["--g", "0.012", "--start", "sushi3", "--budget", "50", "--json"]
    assert status([*BAI, *SUSHI, *by_name]) == 0
    assert json.loads(capsys.readouterr().out)["start"] == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], ""),
        (["nonsense"], "No such command 'nonsense'"),
        (["run", "nonsense"], "'nonsense' is not one of"),
        (["run", "bai", "--example", "sushi16"], "delta = nothing: must be given for bai"),
        ([*BAI], "preferences = nothing: give one of"),
        ([*BAI, *SUSHI, "--instance", "cyclic"], "give one of"),
        ([*BAI, *SUSHI, "--arms", "4"], "has a meaning only with --instance"),
        ([*BAI, "--example", "sushi17"], "example = sushi17: must be one of"),
        ([*BAI, "--matrix", "nowhere.csv"], "matrix = nowhere.csv: cannot be read"),
        ([*BAI, "--example", "arxiv6"], "Delta = 0: must be above 0"),
        ([*BAI, *SUSHI, "--g", "0.02"], "g = 0.02: must be at most Delta* = 0.012"),
        ([*BAI, *SUSHI, "--g", "0"], "g = 0: must be above 0 and at most 1/2"),
        ([*BAI, *SUSHI, "--g", "x"], "g = x: must be a number"),
        ([*BAI, *SUSHI, "--start", "16"], "start = 16: must be one of the arms 0..15"),
        ([*BAI, *SUSHI, "--start", "rice"], "start = rice: must be an arm's number or name"),
        ([*BAI, *SUSHI, "--horizon", "0"], "horizon = 0: must be a whole number of 1 or more"),
        ([*BAI, *SUSHI, "--budget", "-1"], "budget = -1: must be a whole number of 1 or more"),
        ([*BAI, *SUSHI, "--seed", "-1"], "seed = -1: must be a whole number of 0 or more"),
        ([*BAI, *SUSHI, "--repetitions", "0"], "repetitions = 0"),
        ([*BAI, *SUSHI, "--repetitions", "2", "--trace", "t"], "must be 1 with a trace file"),
        ([*BAI, *SUSHI, "--trace", "nowhere/t"], "trace = nowhere/t: cannot be written"),
        ([*BAI, *SUSHI, "--tape", "nowhere"], "tape = nowhere: cannot be read"),
        ([*BAI, *SUSHI, "--convention", "bye=middle"], "must have one of the values first, last"),
        ([*BAI, *SUSHI, "--convention", "size=3"], "must be NAME=VALUE, NAME one of pairing"),
        (["run", "bai", *SUSHI, "--delta", "1"], "confidence = 1: must lie strictly between"),
        (["run", "bai", *SUSHI, "--delta", "nan"], "confidence = nan: must be a number"),
        (["run", "weak", *SUSHI], "horizon = nothing: must be given, or a budget"),
        (["run", "strong-known-horizon", *SUSHI], "horizon = nothing: must be given"),
        (["run", "strong-anytime", *SUSHI, "--delta", "0.1", "--horizon", "9"], "has no meaning"),
        (["run", "bai", "--instance", "cyclic", "--delta", "0.1"], "needs --arms and --delta-star"),
        ([*BAI, "--instance", "cyclic", "--arms", "8", "--delta-star", "0.3"], "needs --delta-cyc"),
        ([*BAI, *CYCLIC, "--arms", "7"], "N = 7: must be even"),
        ([*BAI, *CYCLIC, "--arms", "1"], "N = 1: must be a whole number of 2 or more"),
        ([*BAI, *CYCLIC, "--delta-star", "0.5"], "must lie strictly between 0 and 1/2"),
        ([*BAI, *CYCLIC, "--arms", "many"], "Invalid value for '--arms'"),
    ],
)
def test_unusable_input_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert status(arguments) == 2
    printed = capsys.readouterr()
    if message:
        assert printed.out == ""
        assert message in printed.err
        assert printed.err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n0.5,0.6\n0.4", "matrix.csv:3: must have 2 columns"),
        ("a,b\n0.5,nan\n0.4,0.5", "p[0,1] = nan: must be a finite number"),
        ("a\x1b[31m,b\n0.5,0.6\n0.4,0.5", "must be printable: no control characters"),
        ("a,b,c\n0.5,0.6,0.4\n0.4,0.5,0.7\n0.6,0.3,0.5", "a >= b >= c >= a: no arm beats every"),
    ],
)
def test_a_matrix_that_breaks_a_rule_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, message: str
) -> None:
    matrix = tmp_path / "matrix.csv"
    matrix.write_text(text, encoding="utf-8")
    test_unusable_input_is_refused_in_one_line(capsys, [*BAI, "--matrix", str(matrix)], message)


def test_the_guarantees_can_be_waived(played: Played) -> None:
    (run,) = played(*BAI, "--example", "arxiv6", "--unguaranteed", "--budget", "3000")
    assert (run["ended"], run["comparisons"]) == ("budget", 3000)


def hesitant(preferences: Preferences, limit: int, choices: random.Random) -> Iterator[Duel]:
    """Compare two arms drawn at random, for ever: an algorithm of one's own."""
    while True:
        yield Duel(*choices.sample(range(preferences.size), 2))


def broken(preferences: Preferences, limit: int, choices: random.Random) -> Iterator[Duel]:
    """Compare two arms, and then raise an error."""
    yield Duel(0, 1)
    raise ZeroDivisionError("no arms")


def test_own_algorithms_are_compared_on_own_preferences(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    matrix = tmp_path / "matrix.csv"
    matrix.write_text(",x,y,z\nx,,0.8,0.9\ny,0.2,,0.7\nz,0.1,0.3,\n", encoding="utf-8")
    words = ["compare", "weak", "--matrix", str(matrix), "--seeds", "2", "--horizon", "300"]
    names = "ws-w,test_cli:hesitant"
    assert status([*words, "--with", names, "--json", "--output", str(tmp_path)]) == 0
    printed = json.loads(capsys.readouterr().out)
    finals = {one["algorithm"]: one["mean"] for one in printed["algorithms"]}
    assert list(finals) == ["TG-ITE-Weak", "TG-ITE-Weak (known gap)", "WS-W", "test_cli:hesitant"]
    assert finals["WS-W"] < 30 < 80 < finals["test_cli:hesitant"] < 120
    assert printed["times"][-1] == 300
    lines = (tmp_path / "curves.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + len(printed["times"])
    assert len((tmp_path / "finals.csv").read_text(encoding="utf-8").splitlines()) == 5
    assert status(["compare", "bai", "--matrix", str(matrix), "--seeds", "1", "--with", "bkt"]) == 0
    assert "BKT" in capsys.readouterr().out
    strong = ["compare", *words[2:], "--with", "rucb"]
    for regret in ([], ["weak"]):
        assert status([*strong, *regret]) == 0
        assert "RUCB" in capsys.readouterr().out
    assert status([*words, "--with", "nobody"]) == 2
    assert "with = nobody: must be module:function or one of" in capsys.readouterr().err
    for panel in ("weak", "bai"):
        assert status(["compare", panel, *words[2:], "--with", "test_cli:broken"]) == 2
        said = capsys.readouterr().err
        assert "algorithm = test_cli:broken: raised ZeroDivisionError: no arms (" in said
        assert "test_cli.py:" in said
        assert "), with seed 0" in said


def test_a_matrix_without_a_winner_is_played_where_that_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    matrix = tmp_path / "matrix.csv"
    matrix.write_text("a,b,c\n0.5,0.9,0.1\n0.1,0.5,0.9\n0.9,0.1,0.5\n", encoding="utf-8")
    words = [*BAI, "--matrix", str(matrix)]
    assert status(words) == 2
    assert "no arm beats every other one" in capsys.readouterr().err
    assert status([*words, "--unguaranteed", "--json"]) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert (run["returned"], run["right"]) == (True, False)
    assert status([*words, "--unguaranteed"]) == 0
    said = capsys.readouterr().out
    assert "3 arms, no winner" in said
    # There is no winner to count regret from.
    assert "regret" not in said
