"""Check that the code of ``tgite`` is the code that was read, whatever a change of it does.

Checks try numbers, so code that is wrong for other numbers alone could pass them. Therefore the
text of each module is recorded: ``data/code.toml`` has the digest of its code, without comments,
docstrings and blank lines. A module may have no name that its text does not bind. The others must
be made of what the text makes when it is executed once more. So must be the modules of the standard
library that compute: their text is the one in the interpreter's own folders.

``python -m tgite_checks.proofs.recorded_code`` records the present code. Read the change first.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import io
import linecache
import re
import sysconfig
import tokenize
import tomllib
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.machinery import BuiltinImporter, PathFinder
from importlib.resources import files
from importlib.util import module_from_spec
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, MemberDescriptorType, ModuleType
from typing import TypeAlias

import tgite
from tgite.checked import checked
from tgite_laws.implementation import REFERENCE, Implementation

RECORD = Path(str(files("tgite_checks").joinpath("data/code.toml")))
"""The digests of the modules of ``tgite``, by their short names, and of its data files."""

_OF_MODULES = {"__annotations__", "__builtins__", "__cached__", "__file__", "__loader__"}
_OF_MODULES |= {"__path__", "__spec__", *vars(ModuleType(""))}
_CHECKED = checked(lambda: None).__code__
# What Python and libraries note in a class or function when it is first used.
_NOTED = re.compile("__(beartype|msgspec)_.*|__annotations__|__dict__|__weakref__")
_HEAP_TYPE = 1 << 9  # a type that is made while Python runs
_COMPUTING = {"contextlib", "dataclasses", "decimal", "enum", "fractions", "functools"}
_COMPUTING |= {"inspect", "itertools", "math", "random", "types", "typing"}
_OF_TYPING = {"assert_never", "cast", "get_type_hints", "runtime_checkable"}
_LIBRARY = [sysconfig.get_path("stdlib"), sysconfig.get_config_var("DESTSHARED")]
_Seen: TypeAlias = dict[tuple[int, int], tuple[object, object]]


def recorded() -> Mapping[str, str]:
    """Return the recorded digest of each module and data file."""
    digests: dict[str, str] = tomllib.loads(RECORD.read_text(encoding="utf-8"))["code"]
    return digests


def present(code: Implementation = REFERENCE) -> dict[str, str]:
    """Return the digest of each module, and of each data file of the reference."""
    root = Path(tgite.__path__[0])
    paths = [path.relative_to(root).with_suffix("") for path in root.rglob("*.py")]
    names = {".".join(path.parts).removesuffix(".__init__") for path in paths}
    data = {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*.toml")}
    found = {name: digest(_source(_module(code, name))) for name in sorted(names)}
    return found | {name: hashlib.sha256(data[name]).hexdigest() for name in sorted(data)}


def differences(code: Implementation, modules: Mapping[str, str]) -> list[str]:
    """Return what differs from the record, for modules with the recorded digests ``modules``."""
    now = present(code)
    found = [
        f"tgite.{name} is not the code that was read and recorded"
        for name, known in modules.items()
        if now.get(name) != known
    ]
    read = [_module(code, name) for name in modules if not name.endswith(".toml")]
    found += [one for module in read for one in _wrong(module)]
    return [*found, *(one for name in sorted(_COMPUTING) for one in _of_library(name))]


def _wrong(module: ModuleType) -> Iterator[str]:
    name, source = module.__name__, _source(module)
    compiled = compile(source, module.__file__ or "", "exec")
    if type(module) is not ModuleType:
        yield f"{name} is not a plain module"
    added = vars(module).keys() - _OF_MODULES - set(compiled.co_names)
    modules = {one for one, value in vars(module).items() if isinstance(value, ModuleType)}
    if added := {one for one in added - modules if one.isidentifier()}:
        yield f"{name} has names that its text does not bind: {', '.join(sorted(added))}"
    read = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    read = (read | {"__build_class__", "__import__"}) & vars(builtins).keys() - vars(module).keys()
    for one in sorted(read - {"NotImplemented"}):
        found = vars(builtins)[one]
        made_later = isinstance(found, type) and found.__flags__ & _HEAP_TYPE
        own = isinstance(found, BuiltinFunctionType | type) and not made_later
        if not own or found.__name__ != one:
            yield f"{one} of {name} is not that of Python"
    anew = ModuleType(name)
    anew.__file__ = module.__file__
    exec(compiled, vars(anew))
    yield from (f"{one} of {name} is not what its text makes" for one in _others(anew, module))


def _of_library(name: str) -> list[str]:
    """Return what differs in a module of the standard library from what its own file makes."""
    spec = BuiltinImporter.find_spec(name) or PathFinder.find_spec(name, _LIBRARY)
    if spec is None or spec.loader is None:
        return [f"{name} is not in Python's own folders"]
    anew, module = module_from_spec(spec), import_module(name)
    spec.loader.exec_module(anew)
    found = {*_others(anew, module), *(vars(module).keys() - vars(anew).keys() - _OF_MODULES)}
    found &= _OF_TYPING if name == "typing" else found  # libraries change the rest of it
    # What the file leaves empty is filled by use.
    found -= {one for one, made in vars(anew).items() if isinstance(made, dict | list) and not made}
    return [f"{one} of {name} is not what Python's own file makes" for one in sorted(found)]


def _others(anew: ModuleType, module: ModuleType) -> list[str]:
    """Return the names of a module's text that are not what the text makes."""
    seen: _Seen = {(id(vars(anew)), id(vars(module))): (anew, module)}
    names = sorted(vars(anew).keys() - _OF_MODULES)
    return [one for one in names if not _alike(vars(anew)[one], vars(module).get(one), seen)]


def _alike(made: object, used: object, seen: _Seen) -> bool:
    """Return whether both are made of the same; what another module makes is the same object."""
    if made is used or (id(made), id(used)) in seen:
        return True
    seen[id(made), id(used)] = made, used  # kept, so that no other object gets their places
    alike = _alike(type(made), type(used), seen)
    if alike:
        (text, *parts), (text_used, *parts_used) = _parts(made), _parts(used)
        alike = text == text_used and len(parts) == len(parts_used)
        alike = alike and all(_alike(*both, seen) for both in zip(parts, parts_used, strict=True))
    if not alike:
        del seen[id(made), id(used)]  # it differs for every name that has it
    return alike


def _parts(value: object) -> list[object]:
    """Return what tells a value from others as it is, and then the parts that it is made of."""
    if isinstance(value, FunctionType):
        cells = {
            name: cell.cell_contents
            for name, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=True)
        }
        if value.__code__ is _CHECKED and _by_beartype(cells["checking"], cells["function"]):
            cells["checking"] = None  # made at the first call
        parts = [value.__globals__, value.__defaults__, value.__kwdefaults__, cells]
        return [value.__code__, *parts, _unnoted(vars(value))]
    if isinstance(value, type):
        return [value.__qualname__, _unnoted(vars(value)), value.__bases__]
    if isinstance(value, dict):
        return [list(map(_text, value)), *value.values()]
    if isinstance(value, list | tuple):
        return [len(value), *value]
    members = [
        (one, getattr(value, one, None))
        for kind in type(value).__mro__
        for one, member in vars(kind).items()
        if isinstance(member, MemberDescriptorType)
    ]
    return [_text(value), members, _unnoted(getattr(value, "__dict__", {}))]


def _unnoted(names: Mapping[str, object]) -> dict[str, object]:
    return {one: names[one] for one in sorted(names) if not _NOTED.fullmatch(one)}


def _by_beartype(checking: object, function: object) -> bool:
    defaults = getattr(checking, "__kwdefaults__", None) or {}
    file: str = getattr(getattr(checking, "__code__", None), "co_filename", "")
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
