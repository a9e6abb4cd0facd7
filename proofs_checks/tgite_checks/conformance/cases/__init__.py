"""The list of cases, one module for each kind of algorithm."""

from __future__ import annotations

from collections.abc import Iterator

from tgite_checks.conformance.cases import pairwise, policies, refusals, tournaments
from tgite_checks.conformance.record import Recipe


def recipes() -> Iterator[Recipe]:
    """Yield the recipes of all cases but the mutants'."""
    for module in (pairwise, tournaments, policies, refusals):
        yield from module.recipes()
