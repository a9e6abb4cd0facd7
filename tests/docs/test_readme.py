"""The README: every transcript is what the commands print, every example runs."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs
from rich.console import Console

from golden import table
from tgite_checks.audit.judgement import judge
from tgite_checks.audit.report.terminal import headline_table, numbers_table
from tgite_checks.audit.tasks import perform, tasks_of
from tgite_checks.check import Depth
from tgite_checks.claims.registry import ledger
from tgite_laws.cli.main import status

README = Path(__file__).resolve().parents[2] / "README.md"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# Continuous integration runs these commands, which take longer or make an environment.
ELSEWHERE = (
    *("python3", ".venv/bin/python", "pytest", "mypy", "make"),
    *("tgite audit", "tgite figures", "tgite conform"),
)
# Columns of the terminal that the transcripts are taken from.
WIDTH = "100"


def blocks(kind: str) -> list[str]:
    """Return the README's blocks of a kind."""
    return [text for found, text in _BLOCK.findall(README.read_text("utf-8")) if found == kind]


def transcripts() -> list[tuple[str, str]]:
    """Return the README's commands that are run here, each with what it prints."""
    found: list[tuple[str, str]] = []
    for block in blocks("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            if not command.startswith(ELSEWHERE):
                found.append((command, printed))
    return found


def printed_by(command: str) -> str:
    """Run a command of ``tgite`` in this process; return what it prints, trailing blanks cut."""
    words = shlex.split(command)
    assert words[0] == "tgite"
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        status(words[1:])
    return "".join(line.rstrip() + "\n" for line in out.getvalue().splitlines())


def examples() -> list[tuple[str, str]]:
    """Return the README's Python examples, each with the output that stands below it."""
    pair = r"^```python\n(.*?)```\n\n```text\n(.*?)^```$"
    pairs = re.findall(pair, README.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(pairs) == len(blocks("python")) > 0
    return pairs


def replaced(before: str, printed: str, actual: str) -> None:
    """Compare, or, if the README is being written, put the actual output in its place."""
    if os.environ.get("TGITE_UPDATE_README"):
        text = README.read_text("utf-8")
        README.write_text(text.replace(before + printed, before + actual), "utf-8")
    else:
        assert actual == printed


@pytest.mark.parametrize(("command", "printed"), transcripts())
def test_a_transcript_is_what_the_command_prints(
    command: str, printed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", WIDTH)
    replaced(f"$ {command}\n", printed, printed_by(command))


def test_the_number_of_cases_that_conform_is_what_the_command_prints() -> None:
    ((command, printed),) = re.findall(
        r"^\$ (tgite conform .*)\n```\n[^`]*```text\n(.*\n)```",
        README.read_text("utf-8"),
        re.MULTILINE,
    )
    assert printed_by(command).startswith(printed)


@pytest.mark.parametrize(("example", "printed"), examples())
def test_an_example_prints_what_stands_below_it(example: str, printed: str) -> None:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(example, "README.md", "exec"), {"__name__": "readme"})
    replaced(f"{example}```\n\n```text\n", printed, out.getvalue())


# Of these claims the README shows what the audit prints, with the checks that the rows are made of.
SHOWN = {
    "cor:tlcr-bai": "constant-tree-ascent",
    "thm:online-weak-linear-main": "constant-weak",
    "number:known-horizon-5928": "strong-5928-by-reading",
}


def test_the_rows_of_the_audit_are_what_it_prints() -> None:
    whole = ledger()
    checks = {name: whole.checks[name] for name in SHOWN.values()}
    claims = {
        label: structs.replace(one, checks={"": (SHOWN[label],)} if label in SHOWN else {})
        for label, one in whole.claims.items()
        if {label, one.repeats} & SHOWN.keys()
    }
    of = replace(whole, claims=claims, findings={}, checks=checks, demonstrations={})
    done = {task: perform(task, Depth.QUICK) for task in tasks_of(of, mutants=False)}
    judged = judge(of, done, depth=Depth.QUICK)
    out = io.StringIO()
    console = Console(file=out, width=int(WIDTH))
    console.print(headline_table(judged), "", numbers_table(judged), sep="\n")
    printed = "".join(line.rstrip() + "\n" for line in out.getvalue().splitlines())
    before = "printed numbers. Some rows:\n\n```text\n"
    shown = README.read_text("utf-8").partition(before)[2].partition("```")[0]
    replaced(before, shown, printed)


def test_numbers_in_pages_written_by_hand_are_given_ones() -> None:
    """A number that a computation gives stands in a table that is made, or is not typed at all."""
    by_hand = (
        *("believe", "constants", "decisions", "development", "glossary", "judges", "law-check"),
        *("map", "program", "proofs"),
    )
    for page in (README, *(README.parent / "docs" / f"{name}.md" for name in by_hand)):
        text = page.read_text("utf-8")
        for left_out in (r"^```.*?^```", r"`[^`]*`", r"^    .*?$", r"^\|.*?$"):
            text = re.sub(left_out, "", text, flags=re.MULTILINE | re.DOTALL)
        typed = re.findall(r"\d+(?:[.,]\d+)*", text)
        strays = [number for number in typed if len(re.sub(r"\D", "", number)) >= 3]
        assert set(strays) <= table("typed_numbers.toml", "pages").keys(), page.name


def test_the_judge_and_the_table_say_what_stands_in_the_readme(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = README.read_text("utf-8")
    (judge,) = blocks("py")
    (tmp_path / "judge.py").write_text(judge)
    (items,) = re.findall(r"With the lines (.*) in `items.txt`", text)
    (tmp_path / "items.txt").write_text("\n".join(re.findall(r"`([^`]*)`", items)))
    monkeypatch.chdir(tmp_path)
    for command in re.findall(r"^    (tgite (?:judge|matrix).*)$", text, re.MULTILINE):
        command = command.replace("python3 judge.py", f"{sys.executable} judge.py")
        assert status(shlex.split(command)[1:]) == 0
        assert f"```text\n{capsys.readouterr().out}```" in text
