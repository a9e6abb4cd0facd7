"""Mutants: plausible wrong transcriptions, each made by one change to the source of one module.

The changed module is executed again, with every module of the transcription that depends on it.
These copies have names of their own, so imported modules do not change.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import cast

from msgspec import Struct

from tgite_laws.implementation import Implementation, implementation

# The modules of the algorithms, each after those that it imports.
_ALGORITHMS = ["schedules", "duel_test", "budgeted_duel_test", "bkt", "tree", "tree_ascent"]
_ALGORITHMS += ["screen_and_replace", "bai", "weak", "strong"]
# Any other module stands alone, but checks of this one's changes use a module that imports it.
_CERTIFICATE = ["beyond.likelihood", "beyond.certificate"]
_UNDERSCORES = str.maketrans("-.", "__")


class Mutant(Struct, frozen=True, forbid_unknown_fields=True):
    """A wrong transcription: in ``function`` of ``module``, ``original`` becomes ``replaced``.

    - ``function``: a dotted name within the module; without one, the change is in the whole module.
    - ``original``: a text that must occur there exactly once.
    - ``name``: identifies the mutant.
    - ``label``: the paper's algorithm or definition that it violates.
    - ``mistake``: what a hasty transcriber did, in words.
    - ``rejected_by``: the checks that must reject it.
    - ``in_law_check``: what the law check calls it, if it bets on it.
    """

    name: str
    label: str
    module: str
    original: str
    replaced: str
    mistake: str
    function: str = ""
    rejected_by: tuple[str, ...] = ()
    in_law_check: str = ""


def source_of(module: str) -> str:
    """Return the source text of a module of ``tgite``."""
    spec = find_spec(f"tgite.{module}")
    if spec is None or spec.origin is None:
        raise LookupError(f"no source for tgite.{module}")
    return Path(spec.origin).read_text(encoding="utf-8")


def mutated_source(mutant: Mutant) -> str:
    """Return the module's source with the mutant's one change.

    Raises ``LookupError`` unless the function exists once and has the original text exactly once.
    """
    source = source_of(mutant.module)
    lines = source.splitlines(keepends=True)
    first, last = _span(mutant, source) if mutant.function else (0, len(lines))
    part = "".join(lines[first:last])
    if part.count(mutant.original) != 1:
        raise LookupError(
            f"mutant {mutant.name}: the original text occurs {part.count(mutant.original)} times "
            f"in tgite.{mutant.module} {mutant.function}, not once"
        )
    changed = part.replace(mutant.original, mutant.replaced)
    return "".join([*lines[:first], changed, *lines[last:]])


def _span(mutant: Mutant, source: str) -> tuple[int, int]:
    within: ast.AST = ast.parse(source)
    first, last = 0, 0
    for name in mutant.function.split("."):
        found = [
            node
            for node in ast.iter_child_nodes(within)
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name
        ]
        if len(found) != 1:
            raise LookupError(
                f"mutant {mutant.name}: {len(found)} times {mutant.function} in "
                f"tgite.{mutant.module}, not once"
            )
        within, first, last = found[0], found[0].lineno - 1, found[0].end_lineno or 0
    return first, last


def mutated(mutant: Mutant) -> Implementation:
    """Return the implementation with the mutant's mistake."""
    fresh: dict[str, ModuleType] = {}
    groups = (_ALGORITHMS, _CERTIFICATE, [mutant.module])
    group = next(group for group in groups if mutant.module in group)
    for name in group[group.index(mutant.module) :]:
        source = mutated_source(mutant) if name == mutant.module else source_of(name)
        # Registered under its own name, because beartype resolves annotations by module name.
        module = ModuleType(f"tgite_mutant_{mutant.name}_{name}".translate(_UNDERSCORES))
        sys.modules[module.__name__] = module
        module.__file__ = f"<{mutant.name}: tgite.{name}>"
        # Tracebacks, and checks that read the source, find its lines here.
        lines = source.splitlines(keepends=True)
        linecache.cache[module.__file__] = (len(source), None, lines, module.__file__)
        module.__dict__["__builtins__"] = {**vars(builtins), "__import__": _importer(fresh)}
        exec(compile(source, module.__file__, "exec"), module.__dict__)
        fresh[name] = module
    return implementation(mutant.name, lambda one: fresh.get(one) or import_module(f"tgite.{one}"))


def _importer(fresh: dict[str, ModuleType]) -> object:
    """Return an ``__import__`` that finds the fresh modules before the registered ones."""

    def import_fresh(name: str, *arguments: object) -> ModuleType:
        package, _, module = name.partition(".")
        if package == "tgite" and module in fresh:
            return fresh[module]
        imported: ModuleType = builtins.__import__(name, *cast(tuple[dict[str, object]], arguments))
        return imported

    return import_fresh
