"""The wheel: what an installed package needs is in it, and its types serve other modules."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tgite_conform.release import archive
from tgite_laws.cli import main

PROJECT = Path(__file__).resolve().parents[2]

OUTSIDE = (PROJECT / "tests" / "docs" / "outside.py.txt").read_text("utf-8")


def declared() -> set[str]:
    """Return the distributions that the README's second command installs."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["test"]]
    for line in wanted:  # which grows by the extras that an extra names
        if named := re.fullmatch(r"tgite\[([\w,]+)\]", line):
            wanted += [other for extra in named[1].split(",") for other in extras[extra]]
    return {_canonical(re.split(r"[^\w.-]", line)[0]) for line in wanted}


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def needed_by(source: Path) -> Iterator[str]:
    """Return the packages that a file imports or runs by ``python -m``."""
    text = source.read_text("utf-8")
    yield from re.findall(r'"-m", "(\w+)', text)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0]


def test_whatever_is_imported_or_run_is_declared() -> None:
    """So that the README's two commands make an environment in which the tests run."""
    folders = ("reference", "proofs_checks", "tests", "benchmarks")
    sources = [path for folder in folders for path in (PROJECT / folder).rglob("*.py")]
    # The cluster extra's, and mypy's own.
    known = {"distributed", "_typeshed"} | sys.stdlib_module_names
    known |= {path.stem for path in sources} | {path.parent.name for path in sources}
    distributions, wanted = packages_distributions(), declared()
    for source in sources:
        for package in set(needed_by(source)) - known:
            names = {_canonical(name) for name in distributions.get(package, [package])}
            assert names & wanted, f"{source.name} needs {package}"


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


def test_an_installed_command_packs_the_same_archive(wheel: Path, tmp_path: Path) -> None:
    """From the wheel alone, as another user of another machine might."""
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    code = "import os, sys; os.umask(0o77); from tgite_laws.cli.main import main; main()"
    subprocess.run(
        [sys.executable, "-c", code, "vectors", "pack", "packed.tar.gz"],
        cwd=tmp_path,
        env={"PYTHONPATH": "site", "TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONHASHSEED": "7"},
        check=True,
        timeout=120,
    )
    assert (tmp_path / "packed.tar.gz").read_bytes() == archive()


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


def test_a_command_names_the_extra_that_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    absent = [f"not-there>=1; extra == '{extra}'" for extra in extras]
    monkeypatch.setattr(main, "requires", lambda _: ["numpy>=2.0", *absent])
    for name, one in main.commands().items():
        assert one.extra in extras or name in ("run", "law"), name
        if one.extra:
            assert main.status([name, "--help"]) == 2
            told = f"needs not-there, which is not installed: pip install 'tgite[{one.extra}]'"
            assert told in capsys.readouterr().err
