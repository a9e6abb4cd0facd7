"""Broken versions of the comparators, so that each check is seen to fail."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType


def broken(module: str, original: str, replaced: str) -> ModuleType:
    """Execute a comparator's source anew with one change; the text must stand there once."""
    spec = find_spec(f"tgite.comparators.{module}")
    if spec is None or spec.origin is None:
        raise LookupError(f"no source for tgite.comparators.{module}")
    source = Path(spec.origin).read_text(encoding="utf-8")
    if source.count(original) != 1:
        raise LookupError(f"the text stands {source.count(original)} times, not once: {original}")
    # Registered under a name of its own: annotations are resolved by the module's name.
    fresh = ModuleType(f"broken_{module}_{abs(hash((original, replaced)))}")
    sys.modules[fresh.__name__] = fresh
    exec(compile(source.replace(original, replaced), spec.origin, "exec"), fresh.__dict__)
    return fresh
