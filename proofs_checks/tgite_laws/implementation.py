"""The implementation under test, as one value.

Every fidelity check is a function of an :class:`Implementation`. So the same check tests the
reference and each of its mutants.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Never, Protocol, TypeAlias, cast, runtime_checkable

from tgite.confidence import Confidence
from tgite.conventions import Conventions
from tgite.questions import A, Arm, Duel, Incumbent, Outcome, PairwiseTest, Q, SelfPlay, Stream
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
        """Return the stream."""


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
        """Return the stream."""


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
        """Return the stream."""


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
        """Return the stream."""


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
        """Return the stream."""


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
        """Return the stream."""


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


@dataclass(frozen=True, slots=True)
class Implementation:
    """All algorithms of the paper, in the implementation called ``name``.

    ``module`` returns a module by its short name. What is not the paper's is found there.
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
    module: Callable[[str], ModuleType]


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
        module=modules,
    )


def _module_of_tgite(name: str) -> ModuleType:
    return import_module(f"tgite.{name}")


REFERENCE = implementation("reference", _module_of_tgite)
"""The transcription itself."""
