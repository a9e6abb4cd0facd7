"""Make each wrong change of ``wrong_changes.toml`` and report which go unnoticed.

    python tests/mutation/replay.py [--jobs N] [NUMBER | FILE ...]

Without a number or a file all changes are made, one at a time, in a copy of the tracked files. A
change is noticed if one of the tests in its row fails; without the change they all must pass. The
exit status is 1 if a change goes unnoticed without a stated reason, or cannot be made.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

PROJECT = Path(__file__).resolve().parents[2]
ROWS = Path(__file__).with_name("wrong_changes.toml")
MOST_SECONDS = "300"
PYTEST = ("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider")
TGITE = ("-c", "from tgite_laws.cli.main import main; main()")
AUDIT = (*TGITE, "audit", "--depth", "quick", "--jobs", "1", "--fresh", "--out", "scratch")


@dataclass(frozen=True, slots=True)
class Change:
    """A row of the list; if it ``hangs``, a test that does not end notices the change."""

    file: str
    old: str
    new: str
    what: str
    tests: tuple[str, ...]
    before: str = "noticed"
    unnoticed: str = ""
    hangs: bool = False


def commands(tests: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return what Python runs for the tests: pytest on all files at once, then each audit."""
    named = list(dict.fromkeys(tests))
    files = tuple(test for test in named if not test.startswith("audit "))
    audits = [(*AUDIT, "--claim", *one.split()[1:]) for one in named if one not in files]
    return [(*PYTEST, *files), *audits] if files else audits


def failure(tests: tuple[str, ...], copy: Path, bytecode: bool = False) -> tuple[int, str]:
    """Return the first exit status that is not 0, with what was printed; 0 if there is none."""
    paths = os.pathsep.join(str(copy / name) for name in ("reference", "proofs_checks", "tests"))
    settings = {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "" if bytecode else "1"}
    for arguments in commands(tests):
        command = ["timeout", "-s", "KILL", MOST_SECONDS, sys.executable, *arguments]
        done = subprocess.run(
            command, cwd=copy, env=os.environ | settings, capture_output=True, text=True
        )
        if done.returncode != 0:
            return done.returncode, done.stdout + done.stderr
    return 0, ""


def tried(change: Change, free: SimpleQueue[Path], sound: dict[str, bool]) -> str:
    """Return what came of a change in a copy; ``sound`` notes which tests pass without one."""
    copy = free.get()
    file = copy / change.file
    text = file.read_text(encoding="utf-8")
    try:
        if (found := text.count(change.old)) != 1:
            return f"cannot be made: its old text stands {found} times"
        for test in change.tests:
            if test not in sound:
                # Compiled files of the unchanged modules are written now and only read later.
                sound[test] = failure((test,), copy, bytecode=True)[0] == 0
            if not sound[test]:
                return f"cannot be judged: without the change, too, it fails: {test}"
        file.write_text(text.replace(change.old, change.new), encoding="utf-8")
        status, printed = failure(change.tests, copy)
        # Of pytest 2 is a module that cannot be imported, which it could before the change.
        if status in (1, 2) or (status == -9 and change.hangs):
            return "noticed"
        return f"cannot be judged: {status}, {printed[-500:]}" if status else "unnoticed"
    finally:
        file.write_text(text, encoding="utf-8")
        free.put(copy)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=1, help="how many changes at a time")
    parser.add_argument("which", nargs="*", metavar="NUMBER | FILE", help="the changes; else all")
    asked = parser.parse_args()
    rows = tomllib.loads(ROWS.read_text(encoding="utf-8"))["change"]
    changes = {str(number): Change(**row) for number, row in enumerate(rows, start=1)}
    chosen = {n: c for n, c in changes.items() if {n, c.file} & set(asked.which or changes)}
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, check=True)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(asked.jobs) as pool:
        free, sound = SimpleQueue[Path](), dict[str, bool]()
        for copy in (Path(folder, str(job)) for job in range(asked.jobs)):
            for name in filter(None, os.fsdecode(listed.stdout).split("\0")):
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(PROJECT / name, copy / name)
            free.put(copy)
        left: dict[str, str] = {}
        came = pool.map(lambda change: tried(change, free, sound), chosen.values())
        for (n, change), how in zip(chosen.items(), came, strict=True):
            print(f"{n:>3} {how}: {change.what} ({change.file})", flush=True)
            left |= {} if how == "noticed" else {n: change.unnoticed}
    print("".join(f"{n:>3} {why or 'UNNOTICED'}: {changes[n].what}\n" for n, why in left.items()))
    print(f"{len(left)} of {len(chosen)} wrong changes were not noticed")
    return 0 if all(left.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
