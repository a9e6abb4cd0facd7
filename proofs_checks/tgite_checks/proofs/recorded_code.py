"""Check that the code of ``tgite`` is the code that was read, whatever a change of it does.

Checks try numbers, so code that is wrong for other numbers alone could pass them. Therefore the
text of each module is recorded: ``data/code.toml`` has the digest of its code, without comments,
docstrings and blank lines. A module may have no name that its text does not bind. Its imports must
be what they are called. What it binds must be what its text binds when it is executed once more:
constants, and functions and classes with their code, names, defaults and closures.

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
import tokenize
import tomllib
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType

import tgite
from tgite.checked import checked
from tgite_laws.implementation import REFERENCE, Implementation

RECORD = Path(str(files("tgite_checks").joinpath("data/code.toml")))
"""The digests of the modules of ``tgite``, by their short names."""


_OF_MODULES = {"__file__", "__cached__", "__path__", "__builtins__", "__annotations__"}
_CHECKED = checked(lambda: None).__code__
_OF_FUNCTIONS = ("__code__", "__defaults__", "__kwdefaults__", "__builtins__")
_PARTS = ("__wrapped__", "__func__", "fget", "fset")
_OF_CLASSES = {"__dict__", "__weakref__", "__doc__", "_abc_impl"}


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
    for origin, theirs, ours in _imported(code, source):
        value = vars(module).get(ours)
        # Ours has names of types, and Python's module of types has other names than its classes.
        plain = origin.__name__ != "types" and not origin.__name__.startswith("tgite")
        plain = plain and type(value) in {FunctionType, type}
        named = not plain or getattr(value, "__name__", None) == theirs
        if value is not vars(origin).get(theirs) or not named:
            yield f"{ours} of tgite.{name} is not that of {origin.__name__}"
    anew = ModuleType(module.__name__)
    anew.__file__ = module.__file__
    exec(compiled, vars(anew))
    comparison = _Comparison(anew, module)
    for one in sorted(vars(anew).keys() - vars(ModuleType(name)).keys() - _OF_MODULES):
        if not comparison.same(vars(anew)[one], vars(module).get(one)):
            yield f"{one} of tgite.{name} is not what its text makes"


def _imported(code: Implementation, source: str) -> Iterator[tuple[ModuleType, str, str]]:
    """Yield what a module imports by name: from where, its name there, and its name here."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            package, _, short = node.module.partition(".")
            own = package == "tgite" and short
            origin = code.module(short) if own else import_module(node.module)
            yield from ((origin, one.name, one.asname or one.name) for one in node.names)


class _Comparison:
    """Whether a module's values are those that its text makes, when it is executed once more.

    Values of other kinds than those below are compared by their types' names and their texts.
    """

    def __init__(self, anew: ModuleType, found: ModuleType) -> None:
        self._anew, self._found = vars(anew), vars(found)
        self._seen: dict[tuple[int, int], object] = {}

    def same(self, anew: object, found: object) -> bool:
        """Return whether a value is the same, or is made of the same."""
        if anew is found or (id(anew), id(found)) in self._seen:
            return True
        self._seen[id(anew), id(found)] = anew, found  # kept, so that no other gets its id
        if type(anew).__qualname__ != type(found).__qualname__:
            return False
        if isinstance(anew, FunctionType):
            return isinstance(found, FunctionType) and self._same_function(anew, found)
        if isinstance(anew, CodeType):
            return anew == found
        if isinstance(anew, type):
            return isinstance(found, type) and self.same(_members(anew), _members(found))
        if isinstance(anew, dict):
            return (
                isinstance(found, dict)
                and list(map(_text, anew)) == list(map(_text, found))
                and self.same([*anew.values()], [*found.values()])
            )
        if isinstance(anew, list | tuple):
            return isinstance(found, list | tuple) and (
                len(anew) == len(found) and all(map(self.same, anew, found))
            )
        parts = [part for part in _PARTS if inspect.getattr_static(anew, part, None) is not None]
        if parts:
            return all(self.same(getattr(anew, one), getattr(found, one, None)) for one in parts)
        return _text(anew) == _text(found)

    def _same_function(self, anew: FunctionType, found: FunctionType) -> bool:
        own = anew.__globals__ is self._anew
        if found.__globals__ is not (self._found if own else anew.__globals__):
            return False
        noted = {name: one for name, one in vars(found).items() if name[:11] != "__beartype_"}
        cells, others = _cells(anew), _cells(found)
        if found.__code__ is _CHECKED and _by_beartype(others["checking"], others["function"]):
            others["checking"] = None  # made at the first call
        return self.same(
            [*(getattr(anew, one) for one in _OF_FUNCTIONS), vars(anew), cells],
            [*(getattr(found, one) for one in _OF_FUNCTIONS), noted, others],
        )


def _members(one: type) -> dict[str, object]:
    known = {name: value for name, value in sorted(vars(one).items()) if name not in _OF_CLASSES}
    return {**known, "bases": [_text(base) for base in one.__mro__]}


def _cells(function: FunctionType) -> dict[str, object]:
    names = function.__code__.co_freevars
    return dict(zip(names, (one.cell_contents for one in function.__closure__ or ()), strict=True))


def _by_beartype(checking: object, function: object) -> bool:
    defaults = getattr(checking, "__kwdefaults__", None) or {}
    code = getattr(checking, "__code__", None)
    return (
        code is not None
        and code.co_filename.startswith("<@beartype(")
        and function in defaults.values()
    )


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
