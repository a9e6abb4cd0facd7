"""The transcription as a whole: one way of imports, every label in its place, a quick import."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tgite
import tgite_checks

PACKAGE = Path(tgite.__file__).parent
LABELS = Path(tgite_checks.__file__).parent / "data" / "labels.txt"


def reading_order() -> list[str]:
    """Return the modules as the package's docstring lists them."""
    listed = re.findall(r"^ {4}([a-z_, ]+?)  ", tgite.__doc__ or "", re.MULTILINE)
    return [name for line in listed for name in line.split(", ")]


def imported_by(path: Path) -> set[str]:
    """Return the modules of ``tgite`` that a file imports, without the package's name."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            found.add(node.module or "")
    assert not any(name.startswith("tgite_checks") for name in found), path
    return {name.removeprefix("tgite.") for name in found if re.match(r"tgite(\.|$)", name)}


def test_each_module_needs_only_those_above_it_in_reading_order() -> None:
    order = reading_order()
    assert sorted(order) == sorted(p.stem for p in PACKAGE.glob("*.py") if p.stem != "__init__")
    for place, name in enumerate(order):
        assert imported_by(PACKAGE / f"{name}.py") <= set(order[:place]), name


@pytest.mark.parametrize("folder", ["playing", "comparators"])
def test_what_stands_beside_the_paper_needs_the_paper_and_itself(folder: str) -> None:
    for path in (PACKAGE / folder).glob("*.py"):
        for name in imported_by(path):
            assert name in reading_order() or name.startswith(folder), f"{path.name}: {name}"


def test_each_folder_of_the_checks_needs_only_those_above_it_on_the_map() -> None:
    """No circle: ``docs/map.md`` lists them so that imports lead upwards."""
    checks = Path(tgite_checks.__file__).parent
    text = (checks.parents[1] / "docs" / "map.md").read_text("utf-8")
    rows = re.findall(r"^\| (`[^|]*`) \|", text[text.index("| folder or module |") :], re.MULTILINE)
    order = [re.findall(r"`([\w]+)(?:\.py|/)`", row) for row in rows]
    listed = [name for row in order for name in row]
    holding = {path.relative_to(checks).parts[0] for path in checks.rglob("*.py")}
    assert sorted(listed) == sorted(part.removesuffix(".py") for part in holding - {"__init__.py"})
    above: set[str] = set()
    for row in order:
        above |= set(row)
        for name in row:
            source = checks / name
            for path in source.rglob("*.py") if source.is_dir() else [source.with_suffix(".py")]:
                for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                    if isinstance(node, ast.ImportFrom) and node.module is not None:
                        package, _, rest = node.module.partition(".")
                        needed = {rest.partition(".")[0]} if rest else {a.name for a in node.names}
                        assert package != "tgite_checks" or needed <= above, path


def docstrings() -> Iterator[tuple[str, str]]:
    """Return the docstrings of the paper's functions and classes, each with its full name."""
    for name in reading_order():
        tree = ast.parse((PACKAGE / f"{name}.py").read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                yield f"{name}.{node.name}", ast.get_docstring(node) or ""


def labels_in(text: str) -> set[str]:
    """Return what is quoted in the form of a label."""
    return set(re.findall(r"``((?:alg|thm|lem|cor|def|eq|assump|sec|subsec|app):[\w-]+)``", text))


def test_every_statement_stands_in_the_docstring_that_owes_it() -> None:
    stated = {
        label
        for kind, label in (line.split() for line in LABELS.read_text("utf-8").splitlines())
        if kind in ("algorithm", "theorem", "lemma", "corollary", "definition", "assumption")
    }
    named = set().union(*(labels_in(text) for _, text in docstrings()))
    assert len(stated) > 30
    assert stated - named == set()


def test_every_label_that_a_docstring_names_is_the_papers() -> None:
    papers = {line.split()[1] for line in LABELS.read_text("utf-8").splitlines()}
    for name, text in docstrings():
        assert labels_in(text) <= papers, name
    for path in PACKAGE.rglob("*.py"):
        assert labels_in(path.read_text("utf-8")) <= papers, path.name


def test_to_import_the_package_loads_little() -> None:
    """Neither what takes long nor anything that the audit alone needs."""
    loaded = subprocess.run(
        [sys.executable, "-c", "import sys, tgite; print(*sys.modules)"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    heavy = ("beartype", "numpy", "scipy", "flint", "jsonschema", "msgspec", "importlib.resources")
    assert {name for name in heavy if name in loaded} == set()
    assert not {name for name in loaded if name.startswith("tgite_checks")}
