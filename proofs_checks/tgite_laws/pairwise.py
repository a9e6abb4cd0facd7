"""The pairwise tests by name: the paper's two, and those that go beyond it.

Every algorithm takes its test as an argument, so that each of these serves all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING

from tgite.confidence import Confidence
from tgite.errors import require
from tgite.questions import Duel, Outcome, PairwiseTest
from tgite_laws.implementation import REFERENCE, Implementation

if TYPE_CHECKING:  # What computes laws takes longer to load than help should take to appear.
    from tgite_laws.match_law import MatchLaws


class PairwiseName(StrEnum):
    """The tests: those of the paper first, then those beyond it."""

    DUEL = "duel"
    BUDGETED = "budgeted"
    MIXTURE = "mixture"
    SPRT = "sprt"
    TRUNCATED_SPRT = "truncated-sprt"

    @property
    def of_the_paper(self) -> bool:
        """Say whether the paper has it."""
        return self in (PairwiseName.DUEL, PairwiseName.BUDGETED)

    @property
    def is_told_a_gap(self) -> bool:
        """Say whether it is told a known gap g."""
        return self not in (PairwiseName.DUEL, PairwiseName.MIXTURE)

    @property
    def label(self) -> str:
        """How the test is called."""
        return _TITLES[self]


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
        told = self.name.is_told_a_gap
        written = "nothing" if self.g is None else str(self.g)
        must = "must be given for" if told else "has no meaning for"
        require((self.g is not None) is told, "g", written, f"{must} the {self.name} test")
        self.of(self.implementation)

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
        return self.name.label + ("" if self.g is None else f"(g = {self.g})")

    @property
    def implementation(self) -> Implementation:
        """The reference with this test in DuelTest's, or BudgetedDuelTest's, place."""
        return self.placed_in(REFERENCE)

    def placed_in(self, implementation: Implementation) -> Implementation:
        """Return an implementation with its own such test in DuelTest's or BudgetedDuelTest's."""
        beyond = implementation.beyond
        match self.name:
            case PairwiseName.DUEL | PairwiseName.BUDGETED:
                return implementation
            case PairwiseName.MIXTURE:
                return replace(implementation, name="beyond", duel_test=beyond.mixture_test)
            case PairwiseName.SPRT:
                test = beyond.known_gap_unlimited_sprt
                return replace(implementation, name="beyond", known_gap=test)
            case PairwiseName.TRUNCATED_SPRT:
                return replace(
                    implementation,
                    name="beyond",
                    known_gap=beyond.known_gap_sprt,
                    budget=beyond.sprt_budget,
                )

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

    def lead(self, delta: Confidence) -> Callable[[int], int] | None:
        """Return the lead at which a match stops, as a function of its duels.

        ``None`` for the paper's tests, which look at the mean.
        """
        beyond = REFERENCE.beyond
        match self.name:
            case PairwiseName.DUEL | PairwiseName.BUDGETED:
                return None
            case PairwiseName.MIXTURE:
                return lambda n: beyond.mixture_lead(n, delta)
            case PairwiseName.SPRT | PairwiseName.TRUNCATED_SPRT:
                k = beyond.sprt_lead(self._told, self.level(delta))
                return lambda n: k

    def level(self, delta: Confidence) -> Confidence:
        """Return the level at which the leader of a match wins: half for the truncated test."""
        if self.name is PairwiseName.TRUNCATED_SPRT:
            return Confidence(delta.rational / 2, delta.basel)
        return delta

    @property
    def _told(self) -> Fraction:
        if self.g is None:
            raise TypeError(f"{self.name} is told no gap")
        return self.g

    def laws(self, of: Implementation = REFERENCE) -> MatchLaws:
        """Return the exact laws of an implementation's test."""
        from tgite_laws.beyond import MixtureTestLaws, SprtTestLaws
        from tgite_laws.budgeted_duel_test import BudgetedDuelTestLaws
        from tgite_laws.duel_test import DuelTestLaws

        if self.g is None:
            duel = self.name is PairwiseName.DUEL
            return DuelTestLaws(of) if duel else MixtureTestLaws(of)
        if self.name is PairwiseName.SPRT:
            return SprtTestLaws(self.g, of)
        return BudgetedDuelTestLaws(self.placed_in(of), self.g)
