"""The implementation in C: compiled with whoever examines it, as it is or with a mistake."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

import tgite_conform

RELEASE = Path(tgite_conform.__file__).parent / "release"
CHECKER = RELEASE / "check.c"
SPEAKS_JSON = Path(__file__).parent / "implementations" / "c_tgite.c"
EXAMPLE = (RELEASE / "example.c").read_text()

MISTAKES: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("mistakes_in_c.toml").read_text()
)


def mistaken(mistake: str) -> str:
    """Return the example's source with a mistake."""
    right, wrong = (MISTAKES[mistake][which] for which in ("right", "wrong"))
    assert EXAMPLE.count(right) == 1
    return EXAMPLE.replace(right, wrong)


def compiled(source: str, examiner: Path, folder: Path, *flags: str) -> str:
    """Compile a source with an examiner, in a folder; return the executable.

    Skips where there is no compiler.
    """
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler (cc)")
    implementation, target = folder / "implementation.c", folder / "examined"
    implementation.write_text(source)
    words = [*flags, "-O1", "-Wall", "-Wextra", "-Werror", f"-I{RELEASE}", "-o", str(target)]
    files = (str(examiner), str(implementation), "-lm")
    subprocess.run([compiler, *words, *files], check=True, timeout=120)
    return str(target)
