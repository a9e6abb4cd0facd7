"""The list of cases, one module for each kind of algorithm."""

from __future__ import annotations

from collections.abc import Iterator

from tgite_checks.conformance.cases import epochs, knockout, pairwise, policies, refusals, trees
from tgite_checks.conformance.record import Recipe


def recipes() -> Iterator[Recipe]:
    """Yield the recipes of all cases but the mutants'."""
    for module in (pairwise, knockout, trees, epochs, policies, refusals):
        yield from module.recipes()
