"""The implementation in C: compiled with whoever examines it, as it is or with a mistake."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import tgite_checks

RELEASE = Path(tgite_checks.__file__).parent / "release"
_EXAMPLE = (RELEASE / "example.c").read_text()

_RADIUS = "sqrt((log(2.0 * n * (n + 1)) + level) / (2.0 * n))"
_BUDGET = "ceil((log(4.0) + level) / (2 * gap * gap))"
MISTAKES: dict[str, tuple[str, str]] = {
    # What stands in the source, and what stands there by mistake.
    "the union bound is dropped": (_RADIUS, "sqrt((log(2.0) + level) / (2.0 * n))"),
    "the next duel's radius": (
        _RADIUS,
        "sqrt((log(2.0 * (n + 1) * (n + 2)) + level) / (2.0 * (n + 1)))",
    ),
    "ties go to the second argument": ("mean >= 0.5", "mean > 0.5"),
    "a merge's arguments are swapped": ("champion, representative,", "representative, champion,"),
    "a tournament's rounds are forgotten": (" + 2 * log(r)", ""),
    "the bye is lost": ("if (count % 2) arms[left++] = arms[count - 1];", ""),
    "beta is uniform over levels": ("log(M - 1) - log(size)", "log(L)"),
    "the budget is rounded down": (_BUDGET, _BUDGET.replace("ceil", "floor")),
    "the budget is in single precision": (_BUDGET, _BUDGET.replace("ceil", "ceilf")),
    "arms have 8 bits": ("test(int u, int v,", "test(uint8_t u, uint8_t v,"),
    "duels are counted in 16 bits": ("long n = 1", "int16_t n = 1"),
}


def compiled(folder: Path, examiner: Path, mistake: str | None, *flags: str) -> str:
    """Compile it in a folder, without a mistake if that is None; return the executable.

    Skips where there is no compiler.
    """
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler (cc)")
    old, new = ("", "") if mistake is None else MISTAKES[mistake]
    assert mistake is None or _EXAMPLE.count(old) == 1
    source, target = folder / "example.c", folder / "examined"
    source.write_text(_EXAMPLE.replace(old, new) if old else _EXAMPLE)
    words = [*flags, "-O2", "-Wall", "-Wextra", "-Werror", f"-I{RELEASE}", "-o", str(target)]
    files = (str(examiner), str(source), "-lm")
    subprocess.run([compiler, *words, *files], check=True, timeout=120)
    return str(target)
