"""What the folders and pages may hold at the most, as ``docs/map.md`` says."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]


def budgets() -> list[tuple[str, str, int]]:
    """Return each row of the table: the paths, what is counted, and the most of it."""
    text = (PROJECT / "docs" / "map.md").read_text("utf-8").partition("\n## Budgets\n")[2]
    rows = re.findall(r"^\| (.*) \| .* \| ([\d,]+) (lines|words.*) \|$", text, re.MULTILINE)
    return [(paths, unit, int(most.replace(",", ""))) for paths, most, unit in rows]


def generated(text: str) -> int:
    """Return how many words of a page a command makes: all, or those between its marks."""
    if text.startswith("<!-- Made "):
        return len(text.split())
    made = re.findall(r"<!-- begin ([\w-]+) -->(.*?)<!-- end \1 -->", text, re.DOTALL)
    return sum(len(block.split()) for _, block in made)


COUNTS: dict[str, Callable[[str], int]] = {
    "lines": lambda text: len(text.splitlines()),
    "words generated": generated,
    "words written by hand": lambda text: len(text.split()) - generated(text),
}


def tracked(paths: str) -> list[Path]:
    """Return the files of the project that these paths name, those before "but" without after."""
    inside, _, outside = paths.partition(" but ")
    names = [f":(glob){one}" for one in re.findall(r"`([^`]+)`", inside)]
    names += [f":(exclude,glob){one}" for one in re.findall(r"`([^`]+)`", outside)]
    command = ["git", "ls-files", "-z", "--", *names]
    listed = subprocess.run(command, cwd=PROJECT, check=True, capture_output=True).stdout
    return [PROJECT / name for name in listed.decode().split("\0") if name]


@pytest.mark.parametrize(("paths", "unit", "most"), budgets())
def test_a_folder_keeps_to_its_budget(paths: str, unit: str, most: int) -> None:
    files = [path for path in tracked(paths) if path.is_file()]
    assert files, paths
    assert sum(COUNTS[unit](path.read_text("utf-8")) for path in files) <= most


def test_every_python_file_and_page_has_a_budget() -> None:
    held = {path for paths, _, _ in budgets() for path in tracked(paths)}
    counted = tracked("`**/*.py` `docs/**/*.md` `*.md` `proofs_checks/coq/*.v`")
    assert [path for path in counted if path not in held] == []
