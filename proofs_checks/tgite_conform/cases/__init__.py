"""The list of cases, one module for each kind of algorithm."""

from __future__ import annotations

from collections.abc import Iterator

from tgite_conform.algorithms import Group
from tgite_conform.cases import (
    beyond,
    certificates,
    pairwise,
    policies,
    refusals,
    slips,
    tournaments,
    widths,
)
from tgite_conform.format import Version
from tgite_conform.record import Recipe


def recipes(version: Version) -> Iterator[Recipe]:
    """Yield the recipes of all cases of a version but the mutants'."""
    match version:
        case Version.V1:
            for module in (pairwise, tournaments, policies):
                yield from module.recipes()
            yield from refusals.recipes(Group.PAPER)
        case Version.V1_1:
            yield from policies.cut_within_known_self_play()
            yield from beyond.recipes()
            yield from refusals.recipes(Group.BEYOND)
        case Version.V1_2:
            yield from certificates.recipes()
            yield from refusals.recipes(Group.CERTIFICATES)
        case Version.V1_3:
            yield from widths.recipes()
        case Version.V1_4:
            yield from slips.recipes()
            yield from certificates.recipes_of_equalities()
