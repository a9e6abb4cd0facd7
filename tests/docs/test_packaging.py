"""The wheel: what an installed package needs is in it, and its types serve other modules."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tgite_conform.release import archive
from tgite_laws.cli import main

PROJECT = Path(__file__).resolve().parents[2]

OUTSIDE = (PROJECT / "tests" / "docs" / "outside.py.txt").read_text("utf-8")


TABLE = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: dict[str, list[str]] = TABLE["optional-dependencies"]


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_whatever_is_imported_or_run_is_declared() -> None:
    """So that the README's two commands make an environment in which the tests run."""
    declared = [*TABLE["dependencies"], *EXTRAS["test"]]
    for line in declared:  # which grows by the extras that an extra names
        if named := re.fullmatch(r"tgite\[([\w,]+)\]", line):
            declared += [other for extra in named[1].split(",") for other in EXTRAS[extra]]
    wanted = {_canonical(re.split(r"[^\w.-]", line)[0]) for line in declared}
    folders = ("reference", "proofs_checks", "tests", "benchmarks")
    sources = [path for folder in folders for path in (PROJECT / folder).rglob("*.py")]
    # The cluster extra's, and mypy's own.
    known = {"distributed", "_typeshed"} | sys.stdlib_module_names
    known |= {path.stem for path in sources} | {path.parent.name for path in sources}
    distributions = packages_distributions()
    for source in sources:
        text = source.read_text("utf-8")
        needed = set(re.findall(r'"-m", "(\w+)', text))
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                needed |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                needed.add((node.module or "").split(".")[0])
        for package in needed - known:
            names = {_canonical(name) for name in distributions.get(package, [package])}
            assert names & wanted, f"{source.name} needs {package}"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_carries_what_the_command_needs(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "tgite/playing/examples/sushi16.csv" in names
    assert not [name for name in names if name.startswith(("tests/", "reference/"))]
    for folder in (PROJECT / "reference/tgite", PROJECT / "proofs_checks/tgite_checks"):
        assert f"{folder.name}/py.typed" in names
        assert {str(path.relative_to(folder.parent)) for path in folder.rglob("*.py")} <= names


def test_an_installed_command_packs_the_same_archive(wheel: Path, tmp_path: Path) -> None:
    """From the wheel alone, as another user of another machine might."""
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    code = "import os, sys; os.umask(0o77); from tgite_laws.cli.main import main; main()"
    subprocess.run(
        [sys.executable, "-c", code, "vectors", "pack", "packed.tar"],
        cwd=tmp_path,
        env={"PYTHONPATH": "site", "TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONHASHSEED": "7"},
        check=True,
        timeout=120,
    )
    assert (tmp_path / "packed.tar").read_bytes() == archive()


def test_an_outside_module_type_checks_against_the_wheel(wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    python, base = environment / "bin" / "python", str(environment)
    site = Path(sysconfig.get_path("purelib", vars={"base": base, "platbase": base}))
    zipfile.ZipFile(wheel).extractall(site)
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    (tmp_path / "outside.py").write_text(OUTSIDE, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir=cache"]
    command += ["--python-executable", str(python), "outside.py"]
    checked = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    errors = [line for line in checked.stdout.splitlines() if ": error:" in line]
    (wrong,) = (n for n, line in enumerate(OUTSIDE.splitlines(), 1) if "# expect an error" in line)
    assert len(errors) == 1, checked.stdout + checked.stderr
    assert errors[0].startswith(f"outside.py:{wrong}:")


def test_a_command_names_the_extra_that_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    absent = [f"not-there>=1; extra == '{extra}'" for extra in EXTRAS]
    monkeypatch.setattr(main, "requires", lambda _: ["numpy>=2.0", *absent])
    for name, one in main.commands().items():
        assert one.extra in EXTRAS or name in ("run", "law"), name
        if one.extra:
            assert main.status([name, "--help"]) == 2
            told = f"needs not-there, which is not installed: pip install 'tgite[{one.extra}]'"
            assert told in capsys.readouterr().err
