"""Mutate the transcription with cosmic-ray and report what the quick tests let live.

    python -m pip install cosmic-ray
    python tests/mutation/run.py [MODULE ...]

Works on a copy of the checkout. For each module of the algorithms, levels and tree, every mutation
that cosmic-ray knows is made in turn, and the module's own tests are run on it. Prints, for each
module, how many mutants there are, how many live, and the lines of those that do.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]

TESTS = {
    "confidence": ["confidence"],
    "schedules": ["schedules"],
    "duel_test": ["duel_test"],
    "budgeted_duel_test": ["budgeted_duel_test"],
    "bkt": ["bkt"],
    "tree": ["tree"],
    "tree_ascent": ["tree_ascent"],
    "screen_and_replace": ["screen_and_replace"],
    "bai": ["bai"],
    "weak": ["weak"],
    "strong": ["strong"],
}
"""The mutated modules, each with the test files that examine it."""

CONFIG = """
[cosmic-ray]
module-path = "reference/tgite/{module}.py"
timeout = 20.0
excluded-modules = []
test-command = "{python} -m pytest -x -q -p no:cacheprovider {tests}"

[cosmic-ray.distributor]
name = "local"
"""


def examine(module: str, copy: Path, environment: dict[str, str]) -> tuple[int, list[str]]:
    """Return the number of a module's mutants and the description of each that lives."""
    tests = " ".join(f"tests/test_{name}.py" for name in TESTS[module])
    config, session = copy / f"{module}.toml", copy / f"{module}.sqlite"
    config.write_text(
        CONFIG.format(module=module, python=sys.executable, tests=tests), encoding="utf-8"
    )

    def cosmic_ray(command: str, *arguments: str) -> str:
        tool = [sys.executable, "-m", "cosmic_ray.cli", command, *arguments]
        done = subprocess.run(
            tool, cwd=copy, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    cosmic_ray("init", str(config), str(session))
    cosmic_ray("exec", str(config), str(session))
    dumped = cosmic_ray("dump", str(session)).splitlines()
    return len(dumped), [line for line in dumped if '"test_outcome": "survived"' in line]


def main(modules: list[str]) -> None:
    """Examine the modules that are named, or all."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(
            PROJECT, copy, ignore=shutil.ignore_patterns(".git", ".venv*", "coq", "*cache*")
        )
        paths = [str(copy / "reference"), str(copy / "proofs_checks"), str(copy / "tests")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        for module in modules or list(TESTS):
            made, living = examine(module, copy, environment)
            print(f"{module}: {made} mutants, {len(living)} live", flush=True)
            for line in living:
                print(f"    {line}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
