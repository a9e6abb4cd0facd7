"""The pairwise tests by name: the paper's two, and tests beyond the paper.

Every algorithm takes its test as an argument, so each test works with every algorithm.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from types import ModuleType
from typing import TYPE_CHECKING

from tgite.confidence import Confidence
from tgite.errors import require
from tgite.questions import Duel, Outcome, PairwiseTest
from tgite_laws.implementation import REFERENCE, Implementation

if TYPE_CHECKING:  # These modules load slowly, and the help text does not need them.
    from tgite_laws.match_law import MatchLaws


class PairwiseName(StrEnum):
    """The tests, the paper's first."""

    DUEL = "duel"
    BUDGETED = "budgeted"
    MIXTURE = "mixture"
    SPRT = "sprt"
    TRUNCATED_SPRT = "truncated-sprt"

    @property
    def of_the_paper(self) -> bool:
        """Whether the test is the paper's."""
        return TESTS[self].lines != ""

    @property
    def needs_known_gap(self) -> bool:
        """Whether the test needs a known gap g."""
        return TESTS[self].needs_known_gap

    @property
    def label(self) -> str:
        """The test's title."""
        return TESTS[self].title


@dataclass(frozen=True, slots=True, kw_only=True)
class Descriptor:
    """What the packages need to know about a pairwise test; every registry is built from these.

    - ``title``: the test's name.
    - ``label``: its label in the paper, or its entry beyond the paper.
    - ``module``: the module of ``tgite`` that holds it.
    - ``stream``: the name of the test alone in vectors.
    - ``test``: the function there that takes the place of ``duel_test`` or of ``known_gap``.
    - ``suffix`` and ``addition``: the ends of the names and titles of algorithms with this test.
    - ``lines``: six lines of the paper, at which a match begins, asks for a duel, stops, has spent
      its budget, returns the leader, and returns the arm in front. Empty for other tests.
    - ``needs_known_gap``: whether the test takes BudgetedDuelTest's place, and not DuelTest's.
    - ``budget``: the function that returns the most duels of a match, if there is one.
    - ``budget_times``: a match lasts at most ``ceil(log(budget_times/delta) / (2 g**2))`` duels;
      0 if matches are unbounded.
    - ``share``: the leader of a match wins at this share of the confidence level.
    - ``lead``: the lead at which a match with given g and level stops after n duels, for tests that
      compare leads. Its first argument is the module.
    - ``laws``: makes the exact laws of an implementation that has the test in its place.
    - ``stops`` and ``known``: when a match stops and what is known, for ``docs/beyond.md``.
    - ``wins``: when an arm wins, for ``docs/conformance-reference.md``, if it is not the paper's.
    """

    title: str
    label: str
    module: str
    stream: str
    test: str
    suffix: str = ""
    addition: str = ""
    lines: str = ""
    needs_known_gap: bool = False
    budget: str = ""
    budget_times: int = 0
    share: Fraction = Fraction(1)  # immutable
    lead: Callable[[ModuleType, Fraction | None, Confidence], Callable[[int], int]] | None = None
    laws: Callable[[Implementation, Fraction | None], MatchLaws]
    stops: str
    known: str
    wins: str = ""


def _duel_test_laws(of: Implementation, _: Fraction | None) -> MatchLaws:
    from tgite_laws.duel_test import DuelTestLaws

    return DuelTestLaws(of)


def _budgeted_laws(of: Implementation, g: Fraction | None) -> MatchLaws:
    from tgite_laws.budgeted_duel_test import BudgetedDuelTestLaws

    return BudgetedDuelTestLaws(of, _gap(g))


def _mixture_laws(of: Implementation, _: Fraction | None) -> MatchLaws:
    from tgite_laws.mixture_and_sprt import MixtureTestLaws

    return MixtureTestLaws(of)


def _sprt_laws(of: Implementation, g: Fraction | None) -> MatchLaws:
    from tgite_laws.mixture_and_sprt import SprtTestLaws

    return SprtTestLaws(_gap(g), of)


def _sprt_lead(code: ModuleType, g: Fraction | None, level: Confidence) -> Callable[[int], int]:
    k: int = code.stopping_lead(g, level)
    return lambda n: k


def _gap(g: Fraction | None) -> Fraction:
    if g is None:
        raise TypeError("this test needs a known gap g")
    return g


TESTS: Mapping[PairwiseName, Descriptor] = {
    PairwiseName.DUEL: Descriptor(
        title="DuelTest",
        label="alg:dueltest",
        module="duel_test",
        stream="duel_test",
        test="duel_test",
        lines="L1 L4 L6 - L7 -",
        laws=_duel_test_laws,
        stops="the mean leaves the paper's radius",
        known="`lem:app-dueltest-correct`, `lem:app-dueltest-time`",
    ),
    PairwiseName.BUDGETED: Descriptor(
        title="BudgetedDuelTest",
        label="alg:budgeted-dueltest",
        module="budgeted_duel_test",
        stream="budgeted_duel_test",
        test="known_gap",
        suffix="_g",
        addition="_g",
        lines="L1 L3 L5 L2 L6 L13",
        needs_known_gap=True,
        budget="budget",
        budget_times=4,
        laws=_budgeted_laws,
        stops="the mean leaves the paper's radius minus g, or the budget is spent",
        known="`lem:budgeted-dueltest-main`",
    ),
    PairwiseName.MIXTURE: Descriptor(
        title="MixtureTest",
        label="beyond:mixture-test",
        module="beyond.mixture_test",
        stream="mixture_test",
        test="mixture_test",
        suffix="_mixture",
        addition=" with MixtureTest",
        lead=lambda code, g, level: lambda n: int(code.stopping_lead(n, level)),
        laws=_mixture_laws,
        stops="the evidence W reaches 1/delta",
        known="proved: error, time, dominance, and all that the algorithms need",
        wins="W(n, S) >= 1/delta",
    ),
    PairwiseName.SPRT: Descriptor(
        title="SprtTest",
        label="beyond:sprt-test",
        module="beyond.sprt_test",
        stream="sprt_test",
        test="known_gap_unlimited_sprt",
        suffix="_sprt",
        addition=" with SprtTest",
        needs_known_gap=True,
        lead=_sprt_lead,
        laws=_sprt_laws,
        stops="one arm leads by k duels",
        known="proved: error, time, termination for every pair",
        wins="k >= 1   and   1 + ((1+2g)/(1-2g))^k >= 1/delta",
    ),
    PairwiseName.TRUNCATED_SPRT: Descriptor(
        title="truncated SprtTest",
        label="beyond:truncated-sprt",
        module="beyond.sprt_test",
        stream="truncated_sprt_test",
        test="known_gap_sprt",
        suffix="_truncated_sprt",
        addition=" with the truncated SprtTest",
        needs_known_gap=True,
        budget="budget",
        budget_times=2,
        share=Fraction(1, 2),
        lead=_sprt_lead,
        laws=_budgeted_laws,
        stops="one arm leads by k duels at level delta/2, or the budget is spent",
        known="proved: error, budget, time, and all that the known-gap algorithms need",
        wins="k >= 1   and   1 + ((1+2g)/(1-2g))^k >= 2/delta",
    ),
}
"""The tests by name. A new test is a row here, beside its module, its laws and its checks."""


@dataclass(frozen=True, slots=True)
class ChosenTest:
    """A test, with its known gap ``g`` if it needs one.

    Raises :class:`~tgite.errors.InvalidInput` if the gap is missing, has no meaning for the test,
    or is refused by the test.
    """

    name: PairwiseName
    g: Fraction | None = None

    def __post_init__(self) -> None:
        """Check the gap."""
        told = self.name.needs_known_gap
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
        """Return the test's name and its known gap."""
        return self.name.label + ("" if self.g is None else f"(g = {self.g})")

    @property
    def implementation(self) -> Implementation:
        """The reference with this test in the place of DuelTest or BudgetedDuelTest."""
        return self.placed_in(REFERENCE)

    def placed_in(self, implementation: Implementation) -> Implementation:
        """Return ``implementation`` with its version of this test in the place of the paper's."""
        of = self.descriptor
        if self.name.of_the_paper:
            return implementation
        code = implementation.module(of.module)
        taken = {"known_gap" if of.needs_known_gap else "duel_test": getattr(code, of.test)}
        if of.budget:
            taken["budget"] = getattr(code, of.budget)
        return replace(implementation, name="beyond", **taken)

    @property
    def descriptor(self) -> Descriptor:
        """The test's descriptor."""
        return TESTS[self.name]

    def of(self, implementation: Implementation) -> PairwiseTest[Duel, Outcome]:
        """Return an implementation's version of this test, with the known gap if it needs one."""
        return implementation.duel_test if self.g is None else implementation.known_gap(self.g)

    @property
    def test(self) -> PairwiseTest[Duel, Outcome]:
        """The test itself."""
        return self.of(self.implementation)

    def most(self, delta: Confidence) -> int | None:
        """Return the most duels of one match, or ``None`` if there is no bound."""
        if self.g is None or not self.descriptor.budget_times:
            return None
        return self.implementation.budget(self.g, delta)

    def lead(self, delta: Confidence) -> Callable[[int], int] | None:
        """Return the lead at which a match stops, as a function of its duels.

        It is ``None`` for the paper's tests, which compare the mean.
        """
        lead = self.descriptor.lead
        if lead is None:
            return None
        return lead(REFERENCE.module(self.descriptor.module), self.g, self.level(delta))

    def level(self, delta: Confidence) -> Confidence:
        """Return the level at which a match's leader wins: delta/2 for the truncated SprtTest."""
        share = self.descriptor.share
        return delta if share == 1 else Confidence(delta.rational * share, delta.basel)

    def laws(self, of: Implementation = REFERENCE) -> MatchLaws:
        """Return the exact laws of an implementation's test."""
        return self.descriptor.laws(self.placed_in(of), self.g)
