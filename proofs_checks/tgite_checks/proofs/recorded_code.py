"""Check that the code of ``tgite`` is the code that was read, whatever a change of it does.

Checks try numbers, so code that is wrong for other numbers alone could pass them. Therefore the
text of each module is recorded: ``data/code.toml`` has the digest of its code, without comments,
docstrings and blank lines. A module may have no name that its text does not bind. The others must
be what the text makes when it is executed once more: also within functions and classes.

``python -m tgite_checks.proofs.recorded_code`` records the present code. Read the change first.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import inspect
import io
import linecache
import re
import sys
import tokenize
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType

import tgite
from tgite.checked import checked
from tgite_laws.implementation import REFERENCE, Implementation

RECORD = Path(str(files("tgite_checks").joinpath("data/code.toml")))
"""The digests of the modules of ``tgite``, by their short names."""


_OF_MODULES = {"__file__", "__cached__", "__path__", "__builtins__", "__annotations__"}
_CHECKED = checked(lambda: None).__code__
_OF_FUNCTIONS = ("__defaults__", "__kwdefaults__", "__builtins__")
_PARTS = ("__wrapped__", "__func__", "fget", "fset")
_OF_CLASSES = {"__annotations__", "__dict__", "__weakref__", "__doc__", "_abc_impl"}
_OF_CLASSES |= {"__msgspec_cache__"}  # noted at the first use


def recorded() -> Mapping[str, str]:
    """Return the recorded digest of each module."""
    digests: dict[str, str] = tomllib.loads(RECORD.read_text(encoding="utf-8"))["code"]
    return digests


def present() -> dict[str, str]:
    """Return the digest of each module of the reference."""
    root = Path(tgite.__path__[0])
    paths = [path.relative_to(root).with_suffix("") for path in root.rglob("*.py")]
    names = {".".join(path.parts).removesuffix(".__init__") for path in paths}
    return {name: digest(_source(_module(REFERENCE, name))) for name in sorted(names)}


def differences(code: Implementation, modules: Mapping[str, str]) -> list[str]:
    """Return what differs from the record, for modules with the recorded digests ``modules``."""
    return [wrong for name, known in modules.items() for wrong in _wrong(code, name, known)]


def _wrong(code: Implementation, name: str, known: str) -> Iterator[str]:
    module = _module(code, name)
    source = _source(module)
    if digest(source) != known:
        yield f"tgite.{name} is not the code that was read and recorded"
    compiled = compile(source, module.__file__ or "", "exec")
    added = vars(module).keys() - vars(ModuleType(name)).keys() - set(compiled.co_names)
    modules = {one for one, value in vars(module).items() if isinstance(value, ModuleType)}
    if added := {one for one in added - _OF_MODULES - modules if one.isidentifier()}:
        yield f"tgite.{name} has names that its text does not bind: {', '.join(sorted(added))}"
    read = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    for one in sorted((read & vars(builtins).keys()) - vars(module).keys() - {"NotImplemented"}):
        found = vars(builtins)[one]
        if not isinstance(found, BuiltinFunctionType | type) or found.__name__ != one:
            yield f"{one} of tgite.{name} is not that of Python"
    anew = ModuleType(module.__name__)
    anew.__file__ = module.__file__
    exec(compiled, vars(anew))
    for one in sorted(vars(anew).keys() - vars(ModuleType(name)).keys() - _OF_MODULES):
        if _made(vars(anew)[one], anew, {}) != _made(vars(module).get(one), module, {}):
            yield f"{one} of tgite.{name} is not what its text makes"


def _made(value: object, own: ModuleType, seen: dict[int, object]) -> object:
    """Return what a value of a module is made of; what another module makes is its place."""
    if isinstance(value, FunctionType | type):
        if id(value) in seen:
            return "again"
        seen[id(value)] = value
        if value.__module__ != own.__name__:
            return (
                value.__code__ if isinstance(value, FunctionType) else id(value)
            ), value.__name__
    if isinstance(value, FunctionType):
        parts = [getattr(value, one) for one in _OF_FUNCTIONS]
        cells = {
            name: cell.cell_contents
            for name, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=True)
        }
        if value.__code__ is _CHECKED and _by_beartype(cells["checking"], cells["function"]):
            cells["checking"] = None  # made at the first call
        noted = {name: one for name, one in vars(value).items() if name[:11] != "__beartype_"}
        place: object = id(value.__globals__)
        if place in {id(vars(own)), id(vars(sys.modules[own.__name__]))}:
            place = "own"
        return [value.__code__, place, *(_made(one, own, seen) for one in [*parts, noted, cells])]
    if isinstance(value, type):
        # Python replaces the first method of a protocol when a class of it is first used.
        passed = _OF_CLASSES | ({"__init__"} if vars(value).get("_is_protocol") else set())
        known = {one: vars(value)[one] for one in sorted(vars(value)) if one not in passed}
        return [_made(known, own, seen), *map(_text, value.__mro__)]
    if isinstance(value, dict):
        return [(_text(name), _made(one, own, seen)) for name, one in value.items()]
    if isinstance(value, list | tuple):
        return [type(value).__qualname__, *(_made(one, own, seen) for one in value)]
    parts = [getattr(value, one) for one in _PARTS if inspect.getattr_static(value, one, None)]
    made = [_made(one, own, seen) for one in parts] or _text(value)
    return [type(value).__qualname__, made]


def _by_beartype(checking: object, function: object) -> bool:
    defaults = getattr(checking, "__kwdefaults__", None) or {}
    file = getattr(getattr(checking, "__code__", None), "co_filename", "")
    return file.startswith("<@beartype(") and function in defaults.values()


def _text(value: object) -> str:
    """Return a value's text, without its place in memory."""
    return re.sub(" at 0x[0-9a-f]+", "", repr(value))


def _module(code: Implementation, name: str) -> ModuleType:
    return tgite if name == "__init__" else code.module(name)


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
