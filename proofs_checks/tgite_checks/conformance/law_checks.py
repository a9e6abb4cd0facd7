"""Ready-made law checks: of a match, and of the identification algorithms on given preferences."""

from __future__ import annotations

import functools
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from tgite import (
    RULINGS,
    Arm,
    BalancedTree,
    Confidence,
    Conventions,
    InvalidInput,
    Preferences,
    bkt,
    budget,
    tree_ascent,
)
from tgite_checks.conformance.law_check import LawCheck
from tgite_checks.implementation import REFERENCE, Implementation
from tgite_checks.laws.bracket import Bracket, bracket
from tgite_checks.laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_checks.laws.cost import CostDistribution, cost_distribution, match_distribution
from tgite_checks.laws.duel_test import DuelTestLaws
from tgite_checks.laws.match_law import MatchLaws
from tgite_checks.laws.pairs import pairs
from tgite_checks.mutation import Mutant, mutated

ALPHA = 1e-6
POWER = 0.99
_LONGEST_MATCH = 4000


_DUEL_TEST = "sqrt((log(2 * n * (n + 1)) + delta.log_inverse) / (2 * n))"
_WRONG_RADII = {
    "the union bound dropped": "sqrt((log(2) + delta.log_inverse) / (2 * n))",
    "2n for 2n(n+1)": "sqrt((log(2 * n) + delta.log_inverse) / (2 * n))",
    "the factor 2 of the two sides missing": (
        "sqrt((log(n * (n + 1)) + delta.log_inverse) / (2 * n))"
    ),
    "4n(n+1) for 2n(n+1)": "sqrt((log(4 * n * (n + 1)) + delta.log_inverse) / (2 * n))",
    "divided by 4n for 2n": "sqrt((log(2 * n * (n + 1)) + delta.log_inverse) / (4 * n))",
}
_BUDGETED = "sqrt((log(8 * n**2) + delta.log_inverse) / (2 * n))"
_WRONG_BUDGETED_RADII = {
    "the union bound dropped": "sqrt((log(8) + delta.log_inverse) / (2 * n))",
    "8n for 8n^2": "sqrt((log(8 * n) + delta.log_inverse) / (2 * n))",
    "4n^2 for 8n^2": "sqrt((log(4 * n**2) + delta.log_inverse) / (2 * n))",
    "divided by 4n for 2n": "sqrt((log(8 * n**2) + delta.log_inverse) / (4 * n))",
}


@functools.cache
def _wrong(number: int, module: str, function: str, right: str, wrong: str) -> Implementation:
    """Return the reference with another radius."""
    name = f"wrong-radius-{function}-{number}"
    return mutated(Mutant(name, "", module, right, wrong, "another radius", function))


def _all_laws(g: Fraction | None) -> tuple[MatchLaws, dict[str, MatchLaws]]:
    """Return the laws of the test, DuelTest's without a gap, and those of wrong versions."""
    if g is None:
        return DuelTestLaws(REFERENCE), {
            name: DuelTestLaws(_wrong(k, "duel_test", "c", _DUEL_TEST, radius))
            for k, (name, radius) in enumerate(_WRONG_RADII.items())
        }
    return BudgetedDuelTestLaws(REFERENCE, g), {
        name: BudgetedDuelTestLaws(_wrong(k, "budgeted_duel_test", "b", _BUDGETED, radius), g)
        for k, (name, radius) in enumerate(_WRONG_BUDGETED_RADII.items())
    }


def match_check(
    delta: Confidence,
    p: Fraction,
    g: Fraction | None = None,
    alpha: float = ALPHA,
    power: float = POWER,
) -> LawCheck:
    """Return the check of one match at level ``delta``, ``p`` being the first argument's chance.

    With ``g`` it is BudgetedDuelTest's, without DuelTest's. Samples are the number of duels, and 0
    or 1 for the first or the second argument returned. Raises
    :class:`~tgite.errors.InvalidInput` unless ``0 < p < 1`` and, without ``g``, ``p != 1/2``.
    """
    if g is None and p == Fraction(1, 2):
        raise InvalidInput("p", str(p), "must not be 1/2: DuelTest may never end on a tie")
    laws, wrong = _all_laws(g)
    return LawCheck(
        match_distribution(laws.stopping_law(delta, p)),
        {name: match_distribution(one.stopping_law(delta, p)) for name, one in wrong.items()},
        alpha,
        power,
    )


def identification_check(
    algorithm: str,
    level: Confidence,
    preferences: Preferences,
    start: Arm = 0,
    g: Fraction | None = None,
    conventions: Conventions = RULINGS,
    alpha: float = ALPHA,
    power: float = POWER,
) -> LawCheck:
    """Return the check of ``bkt`` (on all arms) or ``tree_ascent`` (from ``start``).

    Samples are the total number of comparisons and the arm returned. Without ``g`` no two arms may
    tie, and no gap be so small that the exact law takes too long. Raises
    :class:`~tgite.errors.InvalidInput` for another algorithm, and as that does.
    """
    arms = range(preferences.size)
    if g is None:
        for u, v in combinations(arms, 2):
            if preferences.probability(u, v) == Fraction(1, 2):
                raise InvalidInput(
                    "preferences", f"({u}, {v})", "must not be a tie: DuelTest may never end on it"
                )
    match algorithm:
        case "bkt":
            played = bracket(lambda test: bkt(tuple(arms), level, test, conventions))
        case "tree_ascent":
            tree = BalancedTree.over(preferences.size, conventions)
            played = bracket(lambda test: tree_ascent(start, tree, level, test, conventions))
        case _:
            raise InvalidInput("algorithm", algorithm, "must be bkt or tree_ascent")
    _require_short_matches(played, preferences, g)
    known, (laws, wrong) = pairs(preferences), _all_laws(g)
    versions: dict[str, CostDistribution] = {
        name: cost_distribution(played, known, one) for name, one in wrong.items()
    }
    if len(played.matches) > 1:
        unsplit = tuple(replace(meeting, delta=level) for meeting in played.matches)
        versions["every match at the whole level"] = cost_distribution(
            Bracket(unsplit, played.survivor), known, laws
        )
    return LawCheck(cost_distribution(played, known, laws), versions, alpha, power)


def _require_short_matches(played: Bracket, preferences: Preferences, g: Fraction | None) -> None:
    """Refuse tournaments whose exact law would take too long: their matches may be too long."""
    finest = min(meeting.delta for meeting in played.matches)
    if g is not None:
        longest = budget(g, finest)
    else:
        laws = DuelTestLaws(REFERENCE)
        both = combinations(range(preferences.size), 2)
        chances = {preferences.probability(u, v) for u, v in both}
        longest = max(laws.law_cut(finest, p) for p in chances)
    if longest > _LONGEST_MATCH:
        raise InvalidInput(
            "preferences",
            f"matches of up to {longest} duels",
            f"must have matches of at most {_LONGEST_MATCH} duels for this check: sample at a "
            "larger gap",
        )
