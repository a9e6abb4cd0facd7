"""Which sources can influence a result: the digest by which stored results are found again.

A result depends on all that ``import tgite`` loads, on the module that registers its check and on
whatever that module imports, directly or not, on the data files that one of these names, and on the
versions of what computes. It does not depend on how results are run, kept or shown.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import tgite
import tgite_checks

_PACKAGES = ("tgite", "tgite_checks")
_COMPUTING = ("numpy", "scipy", "python-flint")
# Data that only the page, the command line and the tests of the project read.
_NOT_READ_BY_CHECKS = ("audit", "schemas", "cli")
# Makes mutants of the algorithms, all of which count anyway.
_READS_ALGORITHMS_ONLY = "tgite_checks.mutation"
# Who uses one of these may reach modules that no import statement names.
_DYNAMIC = frozenset({"import_module", "find_spec", "__import__", "iter_modules", "exec"})


@functools.cache
def digest_of(owner: str) -> str:
    """Return the digest of everything that can influence a check that module ``owner`` registers.

    The files are read once per process.
    """
    digest = hashlib.sha256()
    for line in (*_versions(), *_digests(_files_of(owner))):
        digest.update(f"{line}\n".encode())
    return digest.hexdigest()


def digest_of_everything() -> str:
    """Return one digest for all sources and versions: what an audit as a whole is about."""
    digest = hashlib.sha256()
    files = _modules() | _data_files()
    for line in (*_versions(), *_digests(files)):
        digest.update(f"{line}\n".encode())
    return digest.hexdigest()


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that compute."""
    found = {"python": sys.version.split()[0]}
    for package in _COMPUTING:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "absent"
    return found


def _versions() -> Iterator[str]:
    for package, number in versions().items():
        yield f"{package} {number}"


def _digests(files: dict[str, Path]) -> Iterator[str]:
    for name in sorted(files):
        yield f"{name} {hashlib.sha256(files[name].read_bytes()).hexdigest()}"


def _files_of(owner: str) -> dict[str, Path]:
    modules = _modules()
    reached = {name: modules[name] for name in _reached_from("tgite", owner) if name in modules}
    foreign = _foreign_source(owner)
    if foreign is not None:
        reached[owner] = foreign
    named = frozenset().union(*(_path_words(path) for path in reached.values()))
    return reached | {
        name: path
        for name, path in _data_files().items()
        if name.startswith("tgite/") or not named.isdisjoint(name.split("/")[1:])
    }


def _foreign_source(name: str) -> Path | None:
    """Return the source of an imported module outside the two packages (a ledger of one's own)."""
    if name.split(".")[0] in _PACKAGES or name not in sys.modules:
        return None
    file = sys.modules[name].__file__
    return Path(file) if file is not None and file.endswith(".py") else None


@functools.cache
def _modules() -> dict[str, Path]:
    """Return the source file of every module of both packages, by the module's full name."""
    found = {}
    for package, root in _roots():
        for path in root.rglob("*.py"):
            parts = path.relative_to(root).with_suffix("").parts
            if "." in "".join(parts):
                continue
            name = ".".join((package, *parts)).removesuffix(".__init__")
            found[name] = path
    return found


@functools.cache
def _data_files() -> dict[str, Path]:
    found = {}
    for package, root in _roots():
        for path in root.rglob("*"):
            inside = path.relative_to(root)
            hidden = any(part.startswith((".", "__pycache__")) for part in inside.parts)
            code = path.suffix in (".py", ".pyi") or path.name == "py.typed"
            if hidden or code or inside.parts[0] in _NOT_READ_BY_CHECKS or not path.is_file():
                continue
            found[f"{package}/{inside.as_posix()}"] = path
    return found


@functools.cache
def _path_words(source: Path) -> frozenset[str]:
    """Return the parts of the paths, if paths they are, that a module's strings spell out."""
    return frozenset(
        word
        for node in ast.walk(ast.parse(source.read_bytes()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for word in node.value.split("/")
    )


def _roots() -> Iterator[tuple[str, Path]]:
    for module in (tgite, tgite_checks):
        for path in module.__path__:
            yield module.__name__, Path(path)


def _reached_from(*starts: str) -> set[str]:
    """Return the names of the modules that these import, themselves included, transitively."""
    reached: set[str] = set()
    waiting = list(starts)
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        reached.add(name)
        waiting.extend(_imports(name))
        waiting.extend(_packages_of(name))
    return reached


def _packages_of(name: str) -> Iterator[str]:
    while "." in name:
        name = name.rpartition(".")[0]
        yield name


@functools.cache
def _imports(name: str) -> frozenset[str]:
    """Return the modules of the two packages that module ``name`` may import."""
    path = _modules().get(name) or _foreign_source(name)
    if path is None:
        return frozenset()
    tree = ast.parse(path.read_bytes())
    if name != _READS_ALGORITHMS_ONLY and any(_is_dynamic(node) for node in ast.walk(tree)):
        return frozenset(_modules())
    is_package = path.name == "__init__.py"
    named = (found for node in ast.walk(tree) for found in _named(node, name, is_package))
    return frozenset(_known(named))


def _is_dynamic(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=used) | ast.Attribute(attr=used) | ast.alias(name=used):
            return used in _DYNAMIC
        case _:
            return False


def _named(node: ast.AST, importer: str, is_package: bool) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            for alias in names:
                yield alias.name
        case ast.ImportFrom(module=module, names=names, level=level):
            base = module or ""
            if level:
                parents = importer.split(".")
                kept = parents[: len(parents) - level + is_package]
                base = ".".join([*kept, base] if base else kept)
            yield base
            for alias in names:
                yield f"{base}.{alias.name}"
        case _:
            pass


def _known(names: Iterable[str]) -> Iterator[str]:
    """Keep the names of modules of the two packages (``from x import y`` may name a function)."""
    for name in names:
        if name in _modules():
            yield name
