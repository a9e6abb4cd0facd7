"""The pairwise tests by name: the paper's two, and those that go beyond it.

Every algorithm takes its test as an argument, so that each of these serves all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
        """Whether the paper has it."""
        return TESTS[self].lines != ""

    @property
    def is_told_a_gap(self) -> bool:
        """Whether it is told a known gap g."""
        return TESTS[self].is_told_a_gap

    @property
    def label(self) -> str:
        """The test's title."""
        return TESTS[self].title


@dataclass(frozen=True, slots=True, kw_only=True)
class Descriptor:
    """What the packages need to know of a pairwise test; all registries are made of these.

    ``title`` names the test, ``label`` is the paper's label of it or its entry beyond the paper.
    ``module`` is the module of ``tgite`` that holds it. In vectors the test alone is called
    ``stream``; the algorithms with this test in DuelTest's place have names that end in ``suffix``
    and titles that end in ``addition``. ``lines`` are the paper's lines at which a match begins,
    asks for a duel, stops, has spent its budget, returns the leader, and returns who is in front;
    empty where the paper has no such test. A test that ``is_told_a_gap`` takes BudgetedDuelTest's
    place, another one DuelTest's: ``place`` puts it there. If a match of it is bounded, it lasts
    ``ceil(log(budget_times/delta) / (2 g**2))`` duels at most, else ``budget_times`` is 0.
    ``share`` of the level is what a leader must reach; ``lead`` is the lead at which a match of
    gap g and that level stops after n duels, for tests that look at leads. ``laws`` makes the
    exact laws of an implementation's test.
    """

    title: str
    label: str
    module: str
    stream: str
    suffix: str = ""
    addition: str = ""
    lines: str = ""
    is_told_a_gap: bool = False
    place: Callable[[Implementation], Implementation] = lambda implementation: implementation
    budget_times: int = 0
    share: Fraction = Fraction(1)  # immutable
    lead: Callable[[Fraction | None, Confidence], Callable[[int], int]] | None = None
    laws: Callable[[Implementation, Fraction | None], MatchLaws]


def _duel_test_laws(of: Implementation, _: Fraction | None) -> MatchLaws:
    from tgite_laws.duel_test import DuelTestLaws

    return DuelTestLaws(of)


def _budgeted_laws(of: Implementation, g: Fraction | None) -> MatchLaws:
    from tgite_laws.budgeted_duel_test import BudgetedDuelTestLaws

    return BudgetedDuelTestLaws(of, _gap(g))


def _mixture_laws(of: Implementation, _: Fraction | None) -> MatchLaws:
    from tgite_laws.beyond import MixtureTestLaws

    return MixtureTestLaws(of)


def _sprt_laws(of: Implementation, g: Fraction | None) -> MatchLaws:
    from tgite_laws.beyond import SprtTestLaws

    return SprtTestLaws(_gap(g), of)


def _with_mixture(of: Implementation) -> Implementation:
    return replace(of, name="beyond", duel_test=of.beyond.mixture_test)


def _with_sprt(of: Implementation) -> Implementation:
    return replace(of, name="beyond", known_gap=of.beyond.known_gap_unlimited_sprt)


def _with_truncated_sprt(of: Implementation) -> Implementation:
    beyond = of.beyond
    return replace(of, name="beyond", known_gap=beyond.known_gap_sprt, budget=beyond.sprt_budget)


def _mixture_lead(_: Fraction | None, level: Confidence) -> Callable[[int], int]:
    return lambda n: REFERENCE.beyond.mixture_lead(n, level)


def _sprt_lead(g: Fraction | None, level: Confidence) -> Callable[[int], int]:
    k = REFERENCE.beyond.sprt_lead(_gap(g), level)
    return lambda n: k


def _gap(g: Fraction | None) -> Fraction:
    if g is None:
        raise TypeError("a test that is told a gap needs one")
    return g


TESTS: Mapping[PairwiseName, Descriptor] = {
    PairwiseName.DUEL: Descriptor(
        title="DuelTest",
        label="alg:dueltest",
        module="duel_test",
        stream="duel_test",
        lines="L1 L4 L6 - L7 -",
        laws=_duel_test_laws,
    ),
    PairwiseName.BUDGETED: Descriptor(
        title="BudgetedDuelTest",
        label="alg:budgeted-dueltest",
        module="budgeted_duel_test",
        stream="budgeted_duel_test",
        suffix="_g",
        addition="_g",
        lines="L1 L3 L5 L2 L6 L13",
        is_told_a_gap=True,
        budget_times=4,
        laws=_budgeted_laws,
    ),
    PairwiseName.MIXTURE: Descriptor(
        title="MixtureTest",
        label="beyond:mixture-test",
        module="beyond.mixture_test",
        stream="mixture_test",
        suffix="_mixture",
        addition=" with MixtureTest",
        place=_with_mixture,
        lead=_mixture_lead,
        laws=_mixture_laws,
    ),
    PairwiseName.SPRT: Descriptor(
        title="SprtTest",
        label="beyond:sprt-test",
        module="beyond.sprt_test",
        stream="sprt_test",
        suffix="_sprt",
        addition=" with SprtTest",
        is_told_a_gap=True,
        place=_with_sprt,
        lead=_sprt_lead,
        laws=_sprt_laws,
    ),
    PairwiseName.TRUNCATED_SPRT: Descriptor(
        title="truncated SprtTest",
        label="beyond:truncated-sprt",
        module="beyond.sprt_test",
        stream="truncated_sprt_test",
        suffix="_truncated_sprt",
        addition=" with the truncated SprtTest",
        is_told_a_gap=True,
        place=_with_truncated_sprt,
        budget_times=2,
        share=Fraction(1, 2),
        lead=_sprt_lead,
        laws=lambda of, g: _budgeted_laws(_with_truncated_sprt(of), g),
    ),
}
"""The tests by name. A new test is a row here, beside its module, its laws and its checks."""


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
        return self.descriptor.place(implementation)

    @property
    def descriptor(self) -> Descriptor:
        """What is known of the test."""
        return TESTS[self.name]

    def of(self, implementation: Implementation) -> PairwiseTest[Duel, Outcome]:
        """Return an implementation's test for the gap, if there is one."""
        return implementation.duel_test if self.g is None else implementation.known_gap(self.g)

    @property
    def test(self) -> PairwiseTest[Duel, Outcome]:
        """The test itself."""
        return self.of(self.implementation)

    def most(self, delta: Confidence) -> int | None:
        """Return the most duels of one match, ``None`` where there is no bound."""
        if self.g is None or not self.descriptor.budget_times:
            return None
        return self.implementation.budget(self.g, delta)

    def lead(self, delta: Confidence) -> Callable[[int], int] | None:
        """Return the lead at which a match stops, as a function of its duels.

        ``None`` for the paper's tests, which look at the mean.
        """
        lead = self.descriptor.lead
        return None if lead is None else lead(self.g, self.level(delta))

    def level(self, delta: Confidence) -> Confidence:
        """Return the level at which the leader of a match wins: half for the truncated test."""
        share = self.descriptor.share
        return delta if share == 1 else Confidence(delta.rational * share, delta.basel)

    def laws(self, of: Implementation = REFERENCE) -> MatchLaws:
        """Return the exact laws of an implementation's test."""
        return self.descriptor.laws(of, self.g)
