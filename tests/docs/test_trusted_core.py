"""The files that must be right for a verdict to be true: few, closed, and free of the rest."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tgite_checks.claims.model import Outcome
from tgite_checks.claims.registry import ledger

PROJECT = Path(__file__).resolve().parents[2]
PAGE = PROJECT / "docs" / "trusted-core.md"
MOST_LINES = 7000
SOURCES = {
    "tgite": "reference",
    **{f"tgite_{one}": "proofs_checks" for one in ("laws", "checks", "conform", "judge")},
}
FREE_OF = {
    *("typer", "rich", "click", "argparse", "json", "msgspec", "jsonschema"),
    *("jinja2", "markupsafe", "matplotlib", "ziamath", "latex2mathml"),
}


def listed() -> set[Path]:
    rows = re.findall(r"^\| .* \| (`.*`) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert len(rows) == 5, "each verdict has its row"
    names = [name for row in rows for name in re.findall(r"`([^`]+)`", row)]
    return {PROJECT / SOURCES[name.split("/")[0]] / name for name in names}


def imported(path: Path) -> Iterator[str]:
    """Yield the modules that a file imports when it runs, with names that may be modules."""

    def inside(node: ast.AST) -> Iterator[str]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                continue
            if isinstance(child, ast.Import):
                yield from (alias.name for alias in child.names)
            if isinstance(child, ast.ImportFrom):
                assert child.module, "imports are absolute"
                yield child.module
                yield from (f"{child.module}.{alias.name}" for alias in child.names)
            yield from inside(child)

    return inside(ast.parse(path.read_text("utf-8")))


def file_of(module: str) -> Path | None:
    package = module.partition(".")[0]
    path = PROJECT / SOURCES.get(package, "") / f"{module.replace('.', '/')}.py"
    return path if package in SOURCES and path.is_file() else None


def test_the_core_is_small() -> None:
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in listed())
    assert lines <= MOST_LINES


def test_the_core_imports_nothing_that_is_not_in_it() -> None:
    core = listed()
    reference = PROJECT / "reference"
    for path in core:
        for module in imported(path):
            assert module.partition(".")[0] not in FREE_OF, f"{path.name}: {module}"
            needed = file_of(module)
            inside = needed is None or needed in core or needed.is_relative_to(reference)
            assert inside, f"{path.relative_to(PROJECT)} imports {module}"


def test_no_refutation_rests_on_a_run_that_is_played() -> None:
    """The counterexamples are exact laws and fewest duels, so the player is not in the core."""
    modules = {
        f"tgite_checks.{module}"
        for claim in ledger().claims.values()
        if Outcome.REFUTED in {verdict.outcome for verdict in claim.verdicts.values()}
        for module in claim.checks
    }
    unread, read = sorted(modules), set[str]()
    assert unread
    while unread:
        module = unread.pop()
        path = file_of(module)
        if path is not None and "tgite_checks" in path.parts and module not in read:
            read.add(module)
            names = set(imported(path))
            assert "tgite.play" not in names, module
            assert not any(name.startswith("tgite.playing.play") for name in names), module
            unread += names
