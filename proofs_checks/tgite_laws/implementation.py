"""The implementation under test, as one value.

Every fidelity check is a function of an :class:`Implementation`. So the same check tests the
reference and each of its mutants.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import ModuleType
from typing import TYPE_CHECKING, Never, Protocol, TypeAlias, cast, runtime_checkable

import tgite.beyond  # noqa: F401  # looked up by name below
from tgite.beyond.certificate import Assumption, Certificate, OneSided
from tgite.confidence import Confidence
from tgite.conventions import Conventions
from tgite.questions import (
    A,
    Arm,
    Duel,
    Incumbent,
    Outcome,
    PairwiseTest,
    Q,
    SelfPlay,
    Stream,
)
from tgite.tree import BalancedTree

if TYPE_CHECKING:
    Tree: TypeAlias = BalancedTree
    """The tree of any implementation: at run time, any object with its arms and heights."""
else:

    @runtime_checkable
    class Tree(Protocol):
        """The tree of any implementation; each implementation has its own class."""

        leaves: tuple[Arm | None, ...]
        N: int
        M: int
        L: int


@runtime_checkable
class Bkt(Protocol):
    """The type of ``tgite.bkt``."""

    def __call__(
        self,
        S: Sequence[Arm],
        delta: Confidence,
        test: PairwiseTest[Q, A],
        conventions: Conventions = ...,
    ) -> Stream[Q, A, Arm]:
        """Make the stream."""


@runtime_checkable
class TreeAscent(Protocol):
    """The type of both versions of TreeAscent, and of TG-ITE-BAI."""

    def __call__(
        self,
        b: Arm,
        tree: BalancedTree,
        epsilon: Confidence,
        test: PairwiseTest[Q, A],
        conventions: Conventions = ...,
        /,
    ) -> Stream[Q, A, Arm]:
        """Make the stream."""


@runtime_checkable
class ScreenAndReplace(Protocol):
    """The type of ``tgite.screen_and_replace``."""

    def __call__(
        self,
        c: Arm,
        rho: Confidence,
        kappa: Confidence,
        N: int,
        test: PairwiseTest[Q, A],
        conventions: Conventions = ...,
    ) -> Stream[Q, A, Arm]:
        """Make the stream."""


@runtime_checkable
class Weak(Protocol):
    """The type of ``tgite.tg_ite_weak``."""

    def __call__(
        self,
        b_0: Arm,
        tree: BalancedTree,
        test: PairwiseTest[Q, A],
        conventions: Conventions = ...,
        *,
        warm_start: Confidence = ...,
    ) -> Stream[Q | Incumbent, A | None, Never]:
        """Make the stream."""


@runtime_checkable
class StrongKnownHorizon(Protocol):
    """The type of ``tgite.tg_ite_strong_known_horizon``."""

    def __call__(
        self,
        b_0: Arm,
        tree: BalancedTree,
        H: int,
        test: PairwiseTest[Q, A],
        conventions: Conventions = ...,
    ) -> Stream[Q | Incumbent | SelfPlay, A | None, Arm | None]:
        """Make the stream."""


@runtime_checkable
class StrongAnytime(Protocol):
    """The type of ``tgite.tg_ite_strong_anytime``."""

    def __call__(
        self,
        b_0: Arm,
        tree: BalancedTree,
        test: PairwiseTest[Q, A],
        conventions: Conventions = ...,
    ) -> Stream[Q | Incumbent | SelfPlay, A | None, Never]:
        """Make the stream."""


@dataclass(frozen=True, slots=True)
class Schedules:
    """The named functions of ``tgite.schedules``."""

    bkt_round_level: Callable[[Confidence, int], Confidence]
    block_level: Callable[[Confidence, int, int], Confidence]
    merge_level: Callable[[Confidence, int], Confidence]
    screening_level: Callable[[int], Confidence]
    replacement_level: Callable[[int], Confidence]
    known_horizon_level: Callable[[int], Confidence]
    anytime_level: Callable[[int], Confidence]
    self_play_rounds: Callable[[int], int]
    WEAK_WARM_START: Confidence


@runtime_checkable
class Stages(Protocol):
    """The type of ``stages`` of :mod:`tgite.beyond.find_then_certify`."""

    def __call__(
        self,
        N: int,
        delta: Confidence,
        assumes: Assumption,
        known_gap: Callable[[Fraction], PairwiseTest[Q, A]],
        one_sided: OneSided[Q, A],
        conventions: Conventions = ...,
        /,
    ) -> Stream[Q, A, Certificate]:
        """Make the stream."""


@runtime_checkable
class Certify(Protocol):
    """The type of ``certify`` of :mod:`tgite.beyond.certificate`."""

    def __call__(
        self,
        c: Arm,
        N: int,
        delta: Confidence,
        against: Confidence | None = ...,
        margin: Fraction | None = ...,
        budget: int | None = ...,
        order: Sequence[Arm] | None = ...,
    ) -> Stream[Duel, Outcome, Certificate]:
        """Make the stream."""


@runtime_checkable
class Certified(Protocol):
    """The type of ``certified`` of :mod:`tgite.beyond.certificate`."""

    def __call__(
        self,
        c: Arm,
        N: int,
        delta: Confidence,
        against: Confidence | None,
        margin: Fraction | None,
        budget: int | None,
        order: Sequence[Arm] | None,
        one_sided: OneSided[Q, A],
        /,
    ) -> Stream[Q, A, Certificate]:
        """Make the stream."""


@dataclass(frozen=True, slots=True)
class Beyond:
    """The algorithms of ``tgite.beyond``, which are not the paper's, and their stopping rules.

    ``mixture_lead``, ``sprt_lead`` and ``sprt_budget`` say when the tests stop. ``stages`` finds
    the winner and certifies it. ``certify`` certifies one given arm. ``certified`` does the same
    with any ``one_sided`` match.
    """

    mixture_test: PairwiseTest[Duel, Outcome]
    mixture_lead: Callable[[int, Confidence], int]
    known_gap_unlimited_sprt: Callable[[Fraction], PairwiseTest[Duel, Outcome]]
    known_gap_sprt: Callable[[Fraction], PairwiseTest[Duel, Outcome]]
    sprt_lead: Callable[[Fraction, Confidence], int]
    sprt_budget: Callable[[Fraction, Confidence], int]
    stages: Stages
    certify: Certify
    certified: Certified
    one_sided: OneSided[Duel, Outcome]


@dataclass(frozen=True, slots=True)
class Implementation:
    """All algorithms of the paper, in the implementation called ``name``.

    ``beyond`` holds the algorithms that are not the paper's.
    """

    name: str
    c: Callable[[int, Confidence], float]
    duel_test: PairwiseTest[Duel, Outcome]
    b: Callable[[int, Confidence], float]
    budget: Callable[[Fraction, Confidence], int]
    known_gap: Callable[[Fraction], PairwiseTest[Duel, Outcome]]
    schedules: Schedules
    BalancedTree: type[BalancedTree]
    bkt: Bkt
    tree_ascent: TreeAscent
    tree_ascent_power_of_two: TreeAscent
    screen_and_replace: ScreenAndReplace
    tg_ite_bai: TreeAscent
    tg_ite_weak: Weak
    tg_ite_strong_known_horizon: StrongKnownHorizon
    tg_ite_strong_anytime: StrongAnytime
    beyond: Beyond


def implementation(name: str, modules: Callable[[str], ModuleType]) -> Implementation:
    """Return an implementation made of the modules that ``modules`` returns for short names.

    The modules must have the types of the ``tgite`` modules of these names: they are its source, or
    its source with one change.
    """

    def found(module: str, attribute: str) -> object:
        return getattr(modules(module), attribute)

    schedules = {
        attribute: found("schedules", attribute) for attribute in Schedules.__dataclass_fields__
    }
    return Implementation(
        name=name,
        c=cast(Callable[[int, Confidence], float], found("duel_test", "c")),
        duel_test=cast(PairwiseTest[Duel, Outcome], found("duel_test", "duel_test")),
        b=cast(Callable[[int, Confidence], float], found("budgeted_duel_test", "b")),
        budget=cast(Callable[[Fraction, Confidence], int], found("budgeted_duel_test", "budget")),
        known_gap=cast(
            Callable[[Fraction], PairwiseTest[Duel, Outcome]],
            found("budgeted_duel_test", "known_gap"),
        ),
        schedules=cast(Callable[..., Schedules], Schedules)(**schedules),
        BalancedTree=cast(type[BalancedTree], found("tree", "BalancedTree")),
        bkt=cast(Bkt, found("bkt", "bkt")),
        tree_ascent=cast(TreeAscent, found("tree_ascent", "tree_ascent")),
        tree_ascent_power_of_two=cast(TreeAscent, found("tree_ascent", "tree_ascent_power_of_two")),
        screen_and_replace=cast(
            ScreenAndReplace, found("screen_and_replace", "screen_and_replace")
        ),
        tg_ite_bai=cast(TreeAscent, found("bai", "tg_ite_bai")),
        tg_ite_weak=cast(Weak, found("weak", "tg_ite_weak")),
        tg_ite_strong_known_horizon=cast(
            StrongKnownHorizon, found("strong", "tg_ite_strong_known_horizon")
        ),
        tg_ite_strong_anytime=cast(StrongAnytime, found("strong", "tg_ite_strong_anytime")),
        beyond=cast(Callable[..., Beyond], Beyond)(
            mixture_test=found("beyond.mixture_test", "mixture_test"),
            mixture_lead=found("beyond.mixture_test", "stopping_lead"),
            known_gap_unlimited_sprt=found("beyond.sprt_test", "known_gap_unlimited_sprt"),
            known_gap_sprt=found("beyond.sprt_test", "known_gap_sprt"),
            sprt_lead=found("beyond.sprt_test", "stopping_lead"),
            sprt_budget=found("beyond.sprt_test", "budget"),
            stages=found("beyond.find_then_certify", "stages"),
            certify=found("beyond.certificate", "certify"),
            certified=found("beyond.certificate", "certified"),
            one_sided=found("beyond.certificate", "one_sided"),
        ),
    )


def _module_of_tgite(name: str) -> ModuleType:
    return sys.modules[f"tgite.{name}"]


REFERENCE = implementation("reference", _module_of_tgite)
"""The transcription itself."""
