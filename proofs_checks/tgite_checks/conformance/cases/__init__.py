"""The list of cases, one module for each kind of algorithm."""

from __future__ import annotations

from collections.abc import Iterator

from tgite_checks.conformance.cases import (
    epochs,
    knockout,
    pairwise,
    policies,
    refusals,
    trees,
)
from tgite_checks.conformance.record import Bad, Recipe


def recipes() -> Iterator[Recipe | Bad]:
    """Yield the recipes of all cases but the mutants'."""
    yield from pairwise.recipes()
    yield from knockout.recipes()
    yield from trees.recipes()
    yield from epochs.recipes()
    yield from policies.recipes()
    yield from refusals.recipes()
