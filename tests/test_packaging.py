"""The wheel: what an installed package needs is in it, and its types serve other modules."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent

OUTSIDE = """
from fractions import Fraction

from tgite import (
    BalancedTree,
    Confidence,
    Duel,
    Match,
    Run,
    SeededEnvironment,
    cyclic,
    drive,
    duel_test,
    known_gap,
    match,
    play,
    tg_ite_bai,
)

preferences = cyclic(8, "0.3", "0.4")
tree = BalancedTree.over(8)
delta = Confidence.of("1/10")
for test in (duel_test, known_gap(Fraction(3, 10))):
    run: Run[int] = play(tg_ite_bai(0, tree, delta, test), SeededEnvironment(preferences, 1))


def first(question: Match) -> int:
    return question.first


def wrong(question: Match) -> str:
    return "first"


answer: int = drive(tg_ite_bai(0, tree, delta, match), first)
drive(tg_ite_bai(0, tree, delta, match), wrong)  # expect an error
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=PROJECT,
        check=True,
        capture_output=True,
    )
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_carries_what_the_command_needs(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {
        "tgite/py.typed",
        "tgite_checks/py.typed",
        "tgite/playing/examples/sushi16.csv",
    } <= names
    assert not {name for name in names if name.startswith(("tests/", "reference/"))}
    for folder in ("reference/tgite", "proofs_checks/tgite_checks"):
        for source in (PROJECT / folder).rglob("*.py"):
            assert str(source.relative_to((PROJECT / folder).parent)) in names


def test_an_outside_module_type_checks_against_the_wheel(wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    python = environment / "bin" / "python"
    site = Path(
        sysconfig.get_path("purelib", vars={"base": str(environment), "platbase": str(environment)})
    )
    zipfile.ZipFile(wheel).extractall(site)
    dependencies = sysconfig.get_path("purelib")
    (site / "dependencies.pth").write_text(dependencies + "\n", encoding="utf-8")
    outside = tmp_path / "outside.py"
    outside.write_text(OUTSIDE, encoding="utf-8")
    checked = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir"),
            *(str(tmp_path / "cache"), "--python-executable", str(python), str(outside)),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    errors = [line for line in checked.stdout.splitlines() if ": error:" in line]
    expected = OUTSIDE.splitlines().index(
        "drive(tg_ite_bai(0, tree, delta, match), wrong)  # expect an error"
    )
    assert len(errors) == 1, checked.stdout + checked.stderr
    assert errors[0].startswith(f"outside.py:{expected + 1}:")
