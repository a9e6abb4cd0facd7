"""The implementation in C: compiled with whoever examines it, as it is or with a mistake."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import tgite_conform

RELEASE = Path(tgite_conform.__file__).parent / "release"
CHECKER = RELEASE / "check.c"
SPEAKS_JSON = Path(__file__).parent / "implementations" / "c_tgite.c"
EXAMPLE = (RELEASE / "example.c").read_text()

_RADIUS = "sqrt((log(2.0 * n * (n + 1)) + level) / (2.0 * n))"
_BUDGET = "ceil((log(4.0) + level) / (2 * gap * gap))"
_MISTAKES: dict[str, tuple[str, str]] = {
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


def mistaken(mistake: str) -> str:
    """Return the example's source with a mistake."""
    right, wrong = _MISTAKES[mistake]
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
