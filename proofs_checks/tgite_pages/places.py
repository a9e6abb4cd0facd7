"""Places in the source tree: lines of files, as links that a Git host understands."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from posixpath import dirname, relpath

import tgite_checks

ROOT = Path(tgite_checks.__file__).resolve().parents[2]
"""The folder of the source tree."""
CHECKS = "proofs_checks/tgite_checks"
COQ = "proofs_checks/coq"


_SOURCES = {
    "tgite": "reference",
    **dict.fromkeys(
        ("tgite_laws", "tgite_checks", "tgite_conform", "tgite_judge"), "proofs_checks"
    ),
}


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of a file of the source tree; the whole file if ``first`` is 0."""

    file: str
    first: int = 0
    last: int = 0

    def link(self, page: str) -> str:
        """Return the address of the lines relative to ``page``, which is also a file."""
        lines = f"L{self.first}" if self.first else ""
        if self.last > self.first:
            lines += f"-L{self.last}"
        return relpath(self.file, dirname(page) or ".") + (lines and f"#{lines}")

    @property
    def text(self) -> str:
        """The text of these lines."""
        return "\n".join(lines_of(self.file)[max(self.first, 1) - 1 : self.last or None])

    @property
    def short(self) -> str:
        """The file's name with its folder."""
        return "/".join(self.file.split("/")[-2:])


@functools.cache
def lines_of(file: str) -> list[str]:
    """Return the lines of a file of the source tree."""
    return (ROOT / file).read_text(encoding="utf-8").splitlines()


def exists(file: str) -> bool:
    """Return whether the source tree has that file."""
    return (ROOT / file).is_file()


def module_file(module: str) -> str:
    """Return the file of a module of the packages or of the tests."""
    path = f"{_SOURCES.get(module.split('.')[0], 'tests')}/{module.replace('.', '/')}"
    return f"{path}/__init__.py" if (ROOT / path).is_dir() else f"{path}.py"


@functools.cache
def transcribed(name: str) -> Place:
    """Return the place where the function, class, method or constant of that name is defined.

    Raises :class:`LookupError` if there is no such definition.
    """
    module, rest = _module_and_rest(name)
    file = module_file(module)
    found: ast.AST = ast.parse("\n".join(lines_of(file)))
    for part in rest.split("."):
        found = next((node for node in _body(found) if part in _names(node)), ast.Pass())
    if not isinstance(found, ast.stmt) or isinstance(found, ast.Pass):
        raise LookupError(f"{file} defines no {rest}")
    decorators = getattr(found, "decorator_list", [])
    first = min([found.lineno, *(decorator.lineno for decorator in decorators)])
    return Place(file, first, found.end_lineno or first)


def _module_and_rest(name: str) -> tuple[str, str]:
    parts = name.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        if exists(module_file(".".join(parts[:cut]))):
            return ".".join(parts[:cut]), ".".join(parts[cut:])
    raise LookupError(f"no module holds {name}")


def _body(node: ast.AST) -> list[ast.stmt]:
    body: list[ast.stmt] = getattr(node, "body", [])
    return body


def _names(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.Assign(targets=targets):
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def line_with(file: str, text: str) -> Place:
    """Return the first line of a file that contains ``text``, or the file if none does."""
    numbered = enumerate(lines_of(file), 1)
    return Place(file, next((number for number, line in numbered if text in line), 0))


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement of the Coq development: its place and its comment."""

    place: Place
    words: str


_STATEMENT = re.compile(
    r"(?:\(\*\*(?P<words>(?:(?!\*\)).)*)\*\)\s*)?"
    r"(?:Definition (?P<name>[\w']+)_statement|(?:Theorem|Lemma|Corollary) (?P<theorem>[\w']+))\b",
    re.DOTALL,
)
_LABELS = re.compile(r"Of the paper: [^.]*\.\s*")


@functools.cache
def stated() -> dict[str, Stated]:
    """Return the statements of the development by the names of their theorems."""
    found: dict[str, Stated] = {}
    for path in sorted((ROOT / COQ).rglob("*.v")):
        file, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        for match in _STATEMENT.finditer(text):
            name, whole = match["name"] or match["theorem"], bool(match["name"])
            if name in found and not whole:
                continue
            start = match.start("name") if whole else match.start("theorem")
            words = " ".join(_LABELS.sub("", match["words"] or "").split())
            found[name] = Stated(Place(file, text.count("\n", 0, start) + 1), words)
    return found


_ALGORITHMS = f"{COQ}/Algorithms.v"


@functools.cache
def modelled(label: str) -> Place | None:
    """Return the part of ``Algorithms.v`` whose heading names a label, or ``None``."""
    lines = lines_of(_ALGORITHMS)
    begins = [number for number, line in enumerate(lines, 1) if line.startswith("(** **")]
    for first, after in zip(begins, [*begins[1:], len(lines) + 1], strict=True):
        part = "\n".join(lines[first - 1 : after - 1]).rstrip()
        if re.search(rf"(?<![\w-]){re.escape(label)}(?![\w-])", part.partition("*)")[0]):
            return Place(_ALGORITHMS, first, first + part.count("\n"))
    return None
