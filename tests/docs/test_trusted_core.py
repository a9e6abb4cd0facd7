"""The files that must be right for a verdict to be true: few, closed, and free of the rest."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tgite_checks.claims.model import Outcome
from tgite_checks.claims.registry import ledger
from tgite_pages.pages import page_with_table
from tgite_pages.tables import MOST_LINES, believed, trusted_core

PROJECT = Path(__file__).resolve().parents[2]
PAGE = PROJECT / "docs" / "trusted-core.md"
SOURCES = {
    "tgite": "reference",
    **{f"tgite_{one}": "proofs_checks" for one in ("laws", "checks", "conform", "judge")},
}
FREE_OF = {
    *("typer", "rich", "click", "argparse", "json", "msgspec", "jsonschema"),
    *("jinja2", "markupsafe", "matplotlib", "ziamath", "latex2mathml"),
}


def listed() -> set[Path]:
    rows = trusted_core(PAGE.read_text("utf-8"))
    assert len(rows) == 5, "each verdict has its row"
    return {path for row in rows for path in row}


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


def test_the_pages_count_what_must_be_believed() -> None:
    """If not: ``python -m tgite_pages --tables``."""
    for name, tables in believed().items():
        page = (PAGE.parent / name).read_text("utf-8")
        for table, text in tables.items():
            assert page == page_with_table(page, f"\n{text}\n\n", table)


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
