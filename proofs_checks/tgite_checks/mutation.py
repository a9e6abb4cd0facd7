"""Mutants: plausible wrong transcriptions, made by one change to the source of one module.

The changed module is executed anew, and so is every module of the transcription that builds on it,
under names of their own: nothing that is imported elsewhere changes.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from types import ModuleType
from typing import cast

from msgspec import Struct

from tgite_checks.implementation import Implementation, implementation

# The modules of the algorithms, each after the ones that it imports.
_ALGORITHMS = (
    "schedules",
    "duel_test",
    "budgeted_duel_test",
    "bkt",
    "tree",
    "tree_ascent",
    "screen_and_replace",
    "bai",
    "weak",
    "strong",
)


class Mutant(Struct, frozen=True, forbid_unknown_fields=True):
    """A wrong transcription: in ``function`` of ``module``, ``original`` is ``replaced``.

    ``original`` stands once in that function (its dotted name within the module; without one, in
    the whole module). ``name`` identifies the mutant, ``label`` is the algorithm or definition of
    the paper that it violates, and ``mistake`` says in words what a hasty transcriber did.
    """

    name: str
    label: str
    module: str
    original: str
    replaced: str
    mistake: str
    function: str = ""


def source_of(module: str) -> str:
    """Return the source text of a module of ``tgite``."""
    spec = find_spec(f"tgite.{module}")
    if spec is None or spec.origin is None:
        raise LookupError(f"no source for tgite.{module}")
    return Path(spec.origin).read_text(encoding="utf-8")


def mutated_source(mutant: Mutant) -> str:
    """Return the module's source with the mutant's one change.

    Raises ``LookupError`` unless its function is there once and holds the original text once.
    """
    source = source_of(mutant.module)
    where = f"tgite.{mutant.module}"
    first, after = 0, len(source)
    if mutant.function:
        where = f"{where}.{mutant.function}"
        spans = [span for name, span in _functions(source) if name == mutant.function]
        if len(spans) != 1:
            raise LookupError(f"mutant {mutant.name}: {len(spans)} functions {where}, not one")
        first, after = spans[0]
    part = source[first:after]
    if part.count(mutant.original) != 1:
        raise LookupError(
            f"mutant {mutant.name}: the original text stands {part.count(mutant.original)} times "
            f"in {where}, not once"
        )
    return source[:first] + part.replace(mutant.original, mutant.replaced) + source[after:]


def _functions(source: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the dotted name of each function and class, and where its lines begin and end."""
    starts = [0, *accumulate(map(len, source.splitlines(keepends=True)))]
    waiting: list[tuple[str, ast.AST]] = [("", ast.parse(source))]
    while waiting:
        prefix, within = waiting.pop()
        for node in ast.iter_child_nodes(within):
            inner = prefix
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                lines = [node.lineno, *(decorator.lineno for decorator in node.decorator_list)]
                last = node.end_lineno or node.lineno
                yield prefix + node.name, (starts[min(lines) - 1], starts[last])
                inner = f"{prefix}{node.name}."
            waiting.append((inner, node))


def mutated(mutant: Mutant) -> Implementation:
    """Build the implementation that has the mutant's mistake."""
    fresh: dict[str, ModuleType] = {}
    first = _ALGORITHMS.index(mutant.module)
    for name in _ALGORITHMS[first:]:
        source = mutated_source(mutant) if name == mutant.module else source_of(name)
        # Registered under a name of its own: beartype resolves annotations by the module's name.
        module = ModuleType(f"tgite_mutant_{mutant.name.replace('-', '_')}_{name}")
        sys.modules[module.__name__] = module
        module.__file__ = f"<{mutant.name}: tgite.{name}>"
        module.__dict__["__builtins__"] = {**vars(builtins), "__import__": _importer(fresh)}
        exec(compile(source, module.__file__, "exec"), module.__dict__)
        fresh[name] = module
    return implementation(mutant.name, lambda name: fresh.get(name, sys.modules[f"tgite.{name}"]))


def _importer(fresh: dict[str, ModuleType]) -> object:
    """Return an ``__import__`` that finds the fresh modules before the registered ones."""

    def import_fresh(name: str, *arguments: object) -> ModuleType:
        package, _, module = name.partition(".")
        if package == "tgite" and module in fresh:
            return fresh[module]
        imported: ModuleType = builtins.__import__(name, *cast(tuple[dict[str, object]], arguments))
        return imported

    return import_fresh
