"""Mutate the transcription with cosmic-ray and report what the quick tests let live.

    python -m pip install cosmic-ray
    python tests/mutation/run.py [MODULE ...]

Works on a copy of the checkout. For each module of the algorithms, levels and tree, every mutation
that cosmic-ray knows is made in turn, and the module's own tests are run on it. Prints, for each
module, how many mutants there are, how many live, and the lines of those that do.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
WARM = Path(__file__).with_name("warm.py")
SOCKET = "warm.socket"

TESTS = {
    "confidence": ["confidence"],
    "questions": ["questions", "bkt"],
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
timeout = 300.0
excluded-modules = []
test-command = "{python} -I -S {warm} ask {socket} 8 -x -q -p no:cacheprovider {tests}"

[cosmic-ray.distributor]
name = "local"
"""


def examine(module: str, copy: Path, environment: dict[str, str]) -> tuple[int, list[str]]:
    """Return the number of a module's mutants and the description of each that lives."""
    tests = " ".join(f"tests/reference/test_{name}.py" for name in TESTS[module])
    config, session = copy / f"{module}.toml", copy / f"{module}.sqlite"
    config.write_text(
        CONFIG.format(
            module=module, python=sys.executable, warm=WARM, socket=copy / SOCKET, tests=tests
        ),
        encoding="utf-8",
    )

    def cosmic_ray(command: str, *arguments: str) -> str:
        tool = [sys.executable, "-m", "cosmic_ray.cli", command, *arguments]
        done = subprocess.run(
            tool, cwd=copy, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    # The tests must pass on the module as it is.
    cosmic_ray("baseline", str(config))
    cosmic_ray("init", str(config), str(session))
    cosmic_ray("exec", str(config), str(session))
    dumped = [json.loads(line) for line in cosmic_ray("dump", str(session)).splitlines()]
    return len(dumped), [
        f"{mutation['definition_name']}: {result['diff']}"
        for work, result in dumped
        if result["test_outcome"] == "survived"
        for mutation in work["mutations"]
    ]


@contextmanager
def warm_pytest(copy: Path, environment: dict[str, str]) -> Iterator[None]:
    """Have a pytest ready at the copy's socket."""
    command = [sys.executable, str(WARM), "serve", str(copy / SOCKET)]
    # No compiled file of a mutant may outlive it.
    settings = {**environment, "PYTHONDONTWRITEBYTECODE": "1"}
    server = subprocess.Popen(command, cwd=copy, env=settings)
    try:
        while not (copy / SOCKET).exists():
            time.sleep(0.1)
        yield
    finally:
        server.kill()
        server.wait()


def main(modules: list[str]) -> None:
    """Examine the modules that are named, or all."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(
            PROJECT, copy, ignore=shutil.ignore_patterns(".git", ".venv*", "coq", "*cache*")
        )
        paths = [str(copy / "reference"), str(copy / "proofs_checks"), str(copy / "tests")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        with warm_pytest(copy, environment):
            for module in modules or list(TESTS):
                made, living = examine(module, copy, environment)
                print(f"{module}: {made} mutants, {len(living)} live", flush=True)
                for change in living:
                    print(change, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
