"""Check that the code of ``tgite`` is the code that was read, whatever a change of it does.

Checks try numbers, so code that is wrong for other numbers alone could pass them. Therefore the
text of each module is recorded: ``data/code.toml`` has the digest of its code, without comments,
docstrings and blank lines. A module may have no name that its text does not bind. Its imports must
be what they are called, and each of its functions must run the code that its text compiles to.

``python -m tgite_checks.proofs.recorded_code`` records the present code. Read the change first.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import io
import linecache
import re
import tokenize
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import EnumMeta
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from types import CodeType, ModuleType

import tgite
from tgite.checked import checked
from tgite_laws.implementation import REFERENCE, Implementation

RECORD = Path(str(files("tgite_checks").joinpath("data/code.toml")))
"""The digests of the modules of ``tgite``, by their short names."""


_OF_MODULES = {"__file__", "__cached__", "__builtins__", "__annotations__"}
_DECORATORS = {checked(lambda: None).__code__, contextmanager(iter).__code__}


def recorded() -> Mapping[str, str]:
    """Return the recorded digest of each module."""
    digests: dict[str, str] = tomllib.loads(RECORD.read_text(encoding="utf-8"))["code"]
    return digests


def present() -> dict[str, str]:
    """Return the digest of each module of the reference."""
    root = Path(tgite.__path__[0])
    names = {".".join(path.relative_to(root).with_suffix("").parts) for path in root.rglob("*.py")}
    return {
        name: digest(_source(REFERENCE.module(name)))
        for name in sorted(names)
        if not name.endswith("__init__")
    }


def differences(code: Implementation, modules: Mapping[str, str]) -> list[str]:
    """Return what differs from the record, for modules with the recorded digests ``modules``."""
    return [wrong for name, known in modules.items() for wrong in _wrong(code, name, known)]


def _wrong(code: Implementation, name: str, known: str) -> Iterator[str]:
    module = code.module(name)
    source = _source(module)
    if digest(source) != known:
        yield f"tgite.{name} is not the code that was read and recorded"
    compiled = compile(source, module.__file__ or "", "exec")
    added = vars(module).keys() - vars(ModuleType(name)).keys() - set(compiled.co_names)
    if added := {one for one in added if one.isidentifier() and one not in _OF_MODULES}:
        yield f"tgite.{name} has names that its text does not bind: {', '.join(sorted(added))}"
    for origin, theirs, ours in _imported(code, source):
        if vars(module).get(ours) is not vars(origin).get(theirs):
            yield f"{ours} of tgite.{name} is not that of {origin.__name__}"
    for place, own in _functions(compiled):
        if _runs(module, place) != own:
            yield f"{'.'.join(place)} of tgite.{name} runs another code than its text"


def _imported(code: Implementation, source: str) -> Iterator[tuple[ModuleType, str, str]]:
    """Yield what a module imports by name: from where, its name there, and its name here."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            package, _, short = node.module.partition(".")
            own = package == "tgite" and short
            origin = code.module(short) if own else import_module(node.module)
            yield from ((origin, one.name, one.asname or one.name) for one in node.names)


def _runs(found: object, place: Sequence[str]) -> object:
    """Return the code that a module's function runs, below the decorators of ``tgite``."""
    for part in place:
        enumerated = part == "__new__" and isinstance(found, EnumMeta)
        found = inspect.getattr_static(found, "_new_member_" if enumerated else part, None)
    found = getattr(found, "__func__", getattr(found, "fget", found))
    while hasattr(found, "__wrapped__"):
        if getattr(found, "__code__", None) not in {*_DECORATORS, None}:
            break
        found = found.__wrapped__
    return getattr(found, "__code__", None)


def _functions(code: CodeType, *place: str) -> Iterator[tuple[tuple[str, ...], CodeType]]:
    """Yield the functions and methods of a module's or class's code, each with its place."""
    for one in code.co_consts:
        if isinstance(one, CodeType) and one.co_name[0] == "<":
            continue
        if isinstance(one, CodeType) and one.co_flags & inspect.CO_OPTIMIZED:
            yield (*place, one.co_name), one
        elif isinstance(one, CodeType):
            yield from _functions(one, *place, one.co_name)


def _source(module: ModuleType) -> str:
    return "".join(linecache.getlines(module.__file__ or ""))


def digest(source: str) -> str:
    """Return the digest of a source's code, without comments, docstrings and blank lines."""
    lines = [line.encode() for line in source.splitlines(keepends=True)]
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = token.line[:column].encode() + b"\n"
    words = [
        (node.lineno - 1, node.col_offset, (node.end_lineno or 0) - 1, node.end_col_offset)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ]
    # From the end, so that the places before stay what they are.
    for first, start, last, end in sorted(words, reverse=True):
        left = lines[first][:start] + lines[last][end:]
        lines[first : last + 1] = [b""] * (last - first) + [left]
    return hashlib.sha256(re.sub(rb"\s*\n", b"\n", b"".join(lines).strip())).hexdigest()


if __name__ == "__main__":
    rows = [f'"{name}" = "{known}"' for name, known in present().items()]
    heading = "# Made by `python -m tgite_checks.proofs.recorded_code`, after the code was read."
    RECORD.write_text("\n".join([heading, "[code]", *rows, ""]), encoding="utf-8")
