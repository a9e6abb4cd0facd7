"""The pairwise tests by name: the paper's two, and those that go beyond it.

Every algorithm takes its test as an argument, so that each of these serves all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING

from tgite.beyond import known_gap_sprt, mixture_test
from tgite.beyond.sprt_test import budget as sprt_budget
from tgite.beyond.sprt_test import known_gap_unlimited_sprt
from tgite.confidence import Confidence
from tgite.errors import require
from tgite.questions import Duel, Outcome, PairwiseTest
from tgite_checks.implementation import REFERENCE, Implementation

if TYPE_CHECKING:  # What computes laws takes longer to load than help should take to appear.
    from tgite_checks.laws.match_law import MatchLaws


class PairwiseName(StrEnum):
    """The tests: those of the paper first, then those beyond it."""

    DUEL = "duel"
    BUDGETED = "budgeted"
    MIXTURE = "mixture"
    SPRT = "sprt"
    TRUNCATED_SPRT = "truncated-sprt"


_TITLES = {
    PairwiseName.DUEL: "DuelTest",
    PairwiseName.BUDGETED: "BudgetedDuelTest",
    PairwiseName.MIXTURE: "MixtureTest",
    PairwiseName.SPRT: "SprtTest",
    PairwiseName.TRUNCATED_SPRT: "truncated SprtTest",
}


@dataclass(frozen=True, slots=True)
class ChosenTest:
    """A test with the known gap ``g`` that it is told, if it is one that is told it.

    Raises :class:`~tgite.errors.InvalidInput` for a gap that has no meaning or is missing, and
    as the test does.
    """

    name: PairwiseName
    g: Fraction | None = None

    def __post_init__(self) -> None:
        """Check the gap."""
        told = self.name not in (PairwiseName.DUEL, PairwiseName.MIXTURE)
        written = "nothing" if self.g is None else str(self.g)
        must = "must be given for" if told else "has no meaning for"
        require((self.g is not None) is told, "g", written, f"{must} the {self.name} test")
        self.of(REFERENCE)

    @staticmethod
    def of_the_paper(g: Fraction | None) -> ChosenTest:
        """Return DuelTest, or with a known gap BudgetedDuelTest."""
        return ChosenTest(PairwiseName.DUEL if g is None else PairwiseName.BUDGETED, g)

    @staticmethod
    def cheapest(g: Fraction | None) -> ChosenTest:
        """Return MixtureTest, or with a known gap the truncated SprtTest."""
        return ChosenTest(PairwiseName.MIXTURE if g is None else PairwiseName.TRUNCATED_SPRT, g)

    def __str__(self) -> str:
        """Name the test, and the gap that it is told."""
        return _TITLES[self.name] + ("" if self.g is None else f"(g = {self.g})")

    @property
    def implementation(self) -> Implementation:
        """The reference with this test in DuelTest's, or BudgetedDuelTest's, place."""
        match self.name:
            case PairwiseName.MIXTURE:
                return replace(REFERENCE, name="beyond", duel_test=mixture_test)
            case PairwiseName.SPRT:
                return replace(REFERENCE, name="beyond", known_gap=known_gap_unlimited_sprt)
            case PairwiseName.TRUNCATED_SPRT:
                return replace(
                    REFERENCE, name="beyond", known_gap=known_gap_sprt, budget=sprt_budget
                )
            case PairwiseName.DUEL | PairwiseName.BUDGETED:
                return REFERENCE

    def of(self, implementation: Implementation) -> PairwiseTest[Duel, Outcome]:
        """Return an implementation's test for the gap, if there is one."""
        return implementation.duel_test if self.g is None else implementation.known_gap(self.g)

    @property
    def test(self) -> PairwiseTest[Duel, Outcome]:
        """The test itself."""
        return self.of(self.implementation)

    def most(self, delta: Confidence) -> int | None:
        """Return the most duels of one match, ``None`` where there is no bound."""
        if self.g is None or self.name is PairwiseName.SPRT:
            return None
        return self.implementation.budget(self.g, delta)

    def laws(self) -> MatchLaws:
        """Return the exact laws of the test."""
        from tgite_checks.laws.beyond import MixtureTestLaws, SprtTestLaws
        from tgite_checks.laws.budgeted_duel_test import BudgetedDuelTestLaws
        from tgite_checks.laws.duel_test import DuelTestLaws

        if self.g is None:
            duel = self.name is PairwiseName.DUEL
            return DuelTestLaws(REFERENCE) if duel else MixtureTestLaws()
        if self.name is PairwiseName.SPRT:
            return SprtTestLaws(self.g)
        return BudgetedDuelTestLaws(self.implementation, self.g)
