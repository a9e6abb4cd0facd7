"""Make each wrong change of ``wrong_changes.toml`` and report which go unnoticed.

    python tests/mutation/replay.py [--jobs N] [NUMBER | FILE ...]

Without a number or a file all changes are made, one at a time, in a copy of the tracked files. A
change is noticed if one of the tests in its row fails. The same tests run unchanged first, and must
pass. The exit status is 1 if a change goes unnoticed without a stated reason, or cannot be made.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

PROJECT = Path(__file__).resolve().parents[2]
ROWS = Path(__file__).with_name("wrong_changes.toml")
MOST_SECONDS = 300
PYTEST = ("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider")
AUDIT = ("-c", "from tgite_checks.cli.main import main; main()", "audit", "--depth", "quick")
AUDIT_OPTIONS = ("--jobs", "1", "--fresh", "--out", "scratch", "--claim")


@dataclass(frozen=True, slots=True)
class Change:
    """A row of the list. ``hangs`` says that the change shows by a test that does not end."""

    file: str
    old: str
    new: str
    what: str
    tests: tuple[str, ...]
    before: str = "noticed"
    unnoticed: str = ""
    hangs: bool = False


def commands(tests: Iterable[str]) -> list[tuple[str, ...]]:
    """Return what Python runs for the tests: pytest on all files at once, then each audit."""
    named = list(dict.fromkeys(tests))
    audits = [test.split()[1:] for test in named if test.startswith("audit ")]
    files = [test for test in named if not test.startswith("audit ")]
    pytest = [(*PYTEST, *files)] if files else []
    return pytest + [(*AUDIT, *AUDIT_OPTIONS, *words) for words in audits]


def status_of(arguments: tuple[str, ...], copy: Path) -> tuple[int | None, str]:
    """Return the exit status, ``None`` after ``MOST_SECONDS``, and what was printed."""
    paths = os.pathsep.join(str(copy / name) for name in ("reference", "proofs_checks", "tests"))
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=copy,
        env=os.environ | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        printed, _ = process.communicate(timeout=MOST_SECONDS)
        return process.returncode, printed
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return None, process.communicate()[0]


def tried(change: Change, copy: Path) -> str:
    """Make a change in the copy, run its tests and undo it; return what came of it."""
    file = copy / change.file
    text = file.read_text(encoding="utf-8")
    if (found := text.count(change.old)) != 1:
        return f"cannot be made: its old text stands {found} times in {change.file}"
    file.write_text(text.replace(change.old, change.new), encoding="utf-8")
    try:
        for arguments in commands(change.tests):
            status, printed = status_of(arguments, copy)
            if status in (1, 2) or (status is None and change.hangs):
                return "noticed"
            if status != 0:
                why = "a test does not end" if status is None else f"status {status}"
                return f"cannot be judged: {why}: {printed[-500:]}"
        return "unnoticed"
    finally:
        file.write_text(text, encoding="utf-8")


def main() -> int:
    """Replay the changes that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=1, help="how many changes at a time")
    parser.add_argument("which", nargs="*", metavar="NUMBER | FILE", help="the changes; else all")
    asked = parser.parse_args()
    rows = tomllib.loads(ROWS.read_text(encoding="utf-8"))["change"]
    changes = {number: Change(**row) for number, row in enumerate(rows, start=1)}
    wanted = set(asked.which) or set(map(str, changes))
    chosen = {n: one for n, one in changes.items() if wanted & {str(n), one.file}}
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, check=True)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(asked.jobs) as pool:
        free: SimpleQueue[Path] = SimpleQueue()
        for job in range(asked.jobs):
            for name in filter(None, os.fsdecode(listed.stdout).split("\0")):
                target = Path(folder, str(job), name)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(PROJECT / name, target)
            free.put(Path(folder, str(job)))
        for arguments in commands(test for one in chosen.values() for test in one.tests):
            status, printed = status_of(arguments, Path(folder, "0"))
            if status != 0:
                print(f"{printed[-3000:]}\nunchanged, this must pass: {' '.join(arguments)}")
                return 1

        def outcome(change: Change) -> str:
            copy = free.get()
            try:
                return tried(change, copy)
            finally:
                free.put(copy)

        bad = []
        for (n, one), came in zip(chosen.items(), pool.map(outcome, chosen.values()), strict=True):
            print(f"{n:3} {came}: {one.what} ({one.file})", flush=True)
            if came != "noticed":
                bad.append(f"{n:3} {one.what}: {one.unnoticed or came}")
    print("\n".join([f"{len(bad)} of {len(chosen)} are not noticed", *bad]))
    return int(any(not changes[int(line[:3])].unnoticed for line in bad))


if __name__ == "__main__":
    sys.exit(main())
