"""The transcription as a whole: one way of imports, every label in its place, a quick import."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import tgite
import tgite_checks

PACKAGE = Path(tgite.__file__).parent
ROOT = PACKAGE.parents[1]
LABELS = Path(tgite_checks.__file__).parent / "data" / "labels.txt"
MAP = (ROOT / "docs" / "map.md").read_text("utf-8")

NEEDS = {
    "tgite": {"tgite"},
    "tgite_laws": {"tgite", "tgite_laws"},
    "tgite_checks": {"tgite", "tgite_laws", "tgite_checks"},
    "tgite_conform": {"tgite", "tgite_laws", "tgite_checks", "tgite_conform"},
    "tgite_judge": {"tgite", "tgite_laws", "tgite_judge"},
}
"""The packages that each package may import."""
EXCEPTIONS = ("tgite_checks/bounds/judged_best.py", "tgite_checks/audit/sources.py")
"""One audits `tgite_judge`, and the other reads all sources on which results depend."""


def reading_order() -> list[str]:
    """Return the modules as the package's docstring lists them."""
    listed = re.findall(r"^ {4}([a-z_, ]+?)  ", tgite.__doc__ or "", re.MULTILINE)
    return [name for line in listed for name in line.split(", ")]


def imported_by(path: Path) -> set[tuple[str, ...]]:
    """Return the modules of the project that a file imports, by their parts."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            module = node.module or ""
            found |= {module} if "." in module else {f"{module}.{a.name}" for a in node.names}
    return {tuple(name.split(".")) for name in found if name.split(".")[0] in NEEDS}


def test_each_module_needs_only_those_above_it_in_reading_order() -> None:
    order = reading_order()
    assert sorted(order) == sorted(p.stem for p in PACKAGE.glob("*.py") if p.stem != "__init__")
    for place, name in enumerate(order):
        above = {("tgite", one) for one in order[:place]}
        assert {parts[:2] for parts in imported_by(PACKAGE / f"{name}.py")} <= above, name
    for folder in ("playing", "comparators"):
        above = {("tgite", one) for one in (*order, folder)}
        for path in (PACKAGE / folder).glob("*.py"):
            assert {parts[:2] for parts in imported_by(path)} <= above, path


def test_packages_and_their_folders_need_only_those_above_them() -> None:
    """The map's one table of folders lists them so that imports lead upwards.

    The first cell of its rows holds `package/` (the modules that stand in the package itself),
    `package/folder/`, or several of one floor. An ``__init__`` of a package stands above its rows.
    """
    table = MAP[MAP.index("| folder |") :].partition("\n\n")[0]
    floors = [re.findall("`([^`]+/)`", row.split("|")[1]) for row in table.splitlines()[2:]]
    place = {unit: k for k, floor in enumerate(floors) for unit in floor if unit[:5] == "tgite"}
    met = set()
    for package, needs in NEEDS.items():
        base = PACKAGE.parent if package == "tgite" else ROOT / "proofs_checks"
        for path in (base / package).rglob("*.py"):
            own = "/".join(path.relative_to(base).parent.parts[:2]) + "/"
            met.add(own)
            for parts in imported_by(path):
                known = parts[0] in needs or str(path).endswith(EXCEPTIONS)
                assert known, f"{path} imports {parts[0]}"
                if parts[0] == package and parts[1:] and path != base / package / "__init__.py":
                    folder = f"{package}/{parts[1]}/"
                    needed = folder if folder in place else f"{package}/"
                    assert place[needed] <= place[own], f"{path} needs {needed}"
    assert met == place.keys()


def labels_in(text: str) -> set[str]:
    """Return what is quoted in the form of a label."""
    return set(re.findall(r"``((?:alg|thm|lem|cor|def|eq|assump|sec|subsec|app):[\w-]+)``", text))


def test_every_statement_stands_in_the_docstring_that_owes_it() -> None:
    stated = {
        label
        for kind, label in (line.split() for line in LABELS.read_text("utf-8").splitlines())
        if kind in ("algorithm", "theorem", "lemma", "corollary", "definition", "assumption")
    }
    named = set()
    for name in reading_order():
        for node in ast.walk(ast.parse((PACKAGE / f"{name}.py").read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                named |= labels_in(ast.get_docstring(node) or "")
    assert len(stated) > 30
    assert stated - named == set()


def test_every_label_that_the_code_names_is_the_papers() -> None:
    papers = {line.split()[1] for line in LABELS.read_text("utf-8").splitlines()}
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
    assert not {name for name in loaded if name.startswith("tgite_")}
