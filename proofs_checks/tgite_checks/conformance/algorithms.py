"""The algorithms of the vectors by name, and the reference (or a mutant of it) as one subject.

Names ending in ``_g`` are the known-gap variants: the same algorithm, BudgetedDuelTest in
DuelTest's place.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias, cast

from tgite import (
    Arm,
    BalancedTree,
    Confidence,
    Conventions,
    Duel,
    Incumbent,
    InvalidInput,
    Outcome,
    PairwiseTest,
    SelfPlay,
)
from tgite.checked import checked
from tgite.confidence import read_rational
from tgite_checks.conformance.format import CHOICES, Parameter, Parameters, read_conventions
from tgite_checks.conformance.strict_json import read
from tgite_checks.implementation import REFERENCE, Implementation

Question: TypeAlias = Duel | SelfPlay | Incumbent
ReferenceStream: TypeAlias = Generator[Question, Outcome | None, Arm | None]
Test: TypeAlias = PairwiseTest[Duel, Outcome]
Wrap: TypeAlias = Callable[[Test], Test]


@dataclass(frozen=True, slots=True)
class Given:
    """Written parameters, read by saying what each must be.

    Each method raises :class:`~tgite.errors.InvalidInput`, naming the parameter, if it is another.
    """

    values: Parameters
    first_arm: int

    def count(self, name: str) -> int:
        """Read a whole number."""
        value = self.values[name]
        if isinstance(value, bool) or not isinstance(value, int):
            raise InvalidInput(name, value, "must be a whole number")
        return value

    def arm(self, name: str) -> Arm:
        """Read an arm."""
        return self.count(name) - self.first_arm

    def arms(self, name: str) -> list[Arm]:
        """Read a list of arms."""
        value = self.values[name]
        if not isinstance(value, tuple):
            raise InvalidInput(name, value, "must be a list of arms")
        return [arm - self.first_arm for arm in value]

    def level(self, name: str) -> Confidence:
        """Read a confidence level."""
        try:
            return Confidence.of(self.text(name))
        except InvalidInput as error:
            raise InvalidInput(name, error.value, error.rule) from None

    def rational(self, name: str) -> Fraction:
        """Read a gap."""
        return read_rational(name, self.text(name))

    def text(self, name: str) -> str:
        """Read what is written as a string."""
        value = self.values[name]
        if not isinstance(value, str):
            raise InvalidInput(name, value, 'must be a string such as "1/10"')
        return value


@dataclass(frozen=True, slots=True)
class Algorithm:
    """An algorithm of the vectors.

    ``title`` is the paper's name for it, ``label`` its label there. ``parameters`` are its own,
    in order; the known-gap variants have ``g`` too. ``choices`` are the conventions that make a
    difference to it. ``make`` makes its stream. Parameters in ``optional`` may be left out, for
    the paper's own value. An ``endless`` algorithm is stopped by its player.
    """

    title: str
    label: str
    parameters: tuple[str, ...]
    choices: tuple[str, ...]
    make: Callable[[Implementation, Given, Test, Conventions], Generator[Any, Any, Any]]
    optional: frozenset[str] = frozenset()
    endless: bool = False


def _tree(of: Implementation, given: Given, by: Conventions) -> BalancedTree:
    return of.BalancedTree.over(given.count("N"), by)


def _weak(
    of: Implementation, given: Given, test: Test, by: Conventions
) -> Generator[Any, Any, Any]:
    b_0, tree = given.arm("b_0"), _tree(of, given, by)
    if "warm_start" in given.values:
        return of.tg_ite_weak(b_0, tree, test, given.level("warm_start"), by)
    return of.tg_ite_weak(b_0, tree, test, conventions=by)


_ALONE = ("first_arm",)
_BRACKET = ("pairing", "bye", "bye_place", "arguments", "first_arm")
_TREE = (*_BRACKET, "byes")

_TESTS = {
    name: Algorithm(
        title,
        label,
        parameters,
        _ALONE,
        lambda of, given, test, by: test(given.arm("u"), given.arm("v"), given.level("delta")),
    )
    for name, title, label, parameters in (
        ("duel_test", "DuelTest", "alg:dueltest", ("u", "v", "delta")),
        (
            "budgeted_duel_test",
            "BudgetedDuelTest",
            "alg:budgeted-dueltest",
            ("u", "v", "g", "delta"),
        ),
    )
}

_BUILT_ON_THEM = {
    "bkt": Algorithm(
        "BKT",
        "alg:bkt",
        ("S", "delta"),
        _BRACKET,
        lambda of, given, test, by: of.bkt(given.arms("S"), given.level("delta"), test, by),
    ),
    "tree_ascent": Algorithm(
        "TreeAscent",
        "alg:app-plr",
        ("N", "b", "epsilon"),
        _TREE,
        lambda of, given, test, by: of.tree_ascent(
            given.arm("b"), _tree(of, given, by), given.level("epsilon"), test, by
        ),
    ),
    "tree_ascent_power_of_two": Algorithm(
        "TreeAscent (main text)",
        "alg:plr-pass",
        ("N", "b", "epsilon"),
        _BRACKET,
        lambda of, given, test, by: of.tree_ascent_power_of_two(
            given.arm("b"), _tree(of, given, by), given.level("epsilon"), test, by
        ),
    ),
    "screen_and_replace": Algorithm(
        "ScreenAndReplace",
        "alg:screen-and-replace",
        ("N", "c", "rho", "kappa"),
        (*_BRACKET, "candidates", "screening"),
        lambda of, given, test, by: of.screen_and_replace(
            given.arm("c"), given.level("rho"), given.level("kappa"), given.count("N"), test, by
        ),
    ),
    "tg_ite_bai": Algorithm(
        "TG-ITE-BAI",
        "subsec:bai-policy",
        ("N", "b_0", "delta"),
        _TREE,
        lambda of, given, test, by: of.tg_ite_bai(
            given.arm("b_0"), _tree(of, given, by), given.level("delta"), test, by
        ),
    ),
    "tg_ite_weak": Algorithm(
        "TG-ITE-Weak",
        "alg:tlcr-weak",
        ("N", "b_0", "warm_start"),
        tuple(CHOICES),
        _weak,
        optional=frozenset({"warm_start"}),
        endless=True,
    ),
    "tg_ite_strong_known_horizon": Algorithm(
        "TG-ITE-Strong-KnownHorizon",
        "alg:tlcr-strong-known",
        ("N", "b_0", "H"),
        _TREE,
        lambda of, given, test, by: of.tg_ite_strong_known_horizon(
            given.arm("b_0"), _tree(of, given, by), given.count("H"), test, by
        ),
    ),
    "tg_ite_strong_anytime": Algorithm(
        "TG-ITE-Strong-Anytime",
        "alg:tlcr-strong-anytime",
        ("N", "b_0"),
        _TREE,
        lambda of, given, test, by: of.tg_ite_strong_anytime(
            given.arm("b_0"), _tree(of, given, by), test, by
        ),
        endless=True,
    ),
}

ALGORITHMS: Mapping[str, Algorithm] = {
    **_TESTS,
    **_BUILT_ON_THEM,
    **{
        f"{name}_g": replace(base, title=f"{base.title}_g", parameters=(*base.parameters, "g"))
        for name, base in _BUILT_ON_THEM.items()
    },
}
"""All algorithms that have vectors: whatever the kit knows of one of them stands here."""


def maker(implementation: Implementation) -> Callable[[str, dict[str, object]], ReferenceStream]:
    """Return what ``tgite conform`` takes, for an implementation in the shape of the reference."""

    def make(algorithm: str, parameters: dict[str, object]) -> ReferenceStream:
        handed = dict(parameters)
        conventions = read_conventions(handed.pop("conventions"))
        kind = cast("type[Parameter]", Parameter)
        given = {name: read(value, kind, name) for name, value in handed.items()}
        return stream_of(implementation, algorithm, given, conventions)

    return make


@checked
def reference(algorithm: str, parameters: Mapping[str, object]) -> ReferenceStream:
    """Make the reference's stream: the very function that ``tgite conform`` takes.

    Raises :class:`~tgite.errors.InvalidInput` as the algorithm does.
    """
    return maker(REFERENCE)(algorithm, dict(parameters))


def stream_of(
    implementation: Implementation,
    algorithm: str,
    parameters: Parameters,
    conventions: Conventions,
    wrap: Wrap = lambda test: test,
) -> ReferenceStream:
    """Make an algorithm's stream from written parameters; arms are written in and out.

    ``wrap`` is put around the pairwise test. Raises :class:`~tgite.errors.InvalidInput` for an
    unknown algorithm, a missing or surplus parameter, and as the algorithm does.
    """
    if algorithm not in ALGORITHMS:
        raise InvalidInput("algorithm", algorithm, f"must be one of {', '.join(ALGORITHMS)}")
    row = ALGORITHMS[algorithm]
    if not set(row.parameters) - row.optional <= set(parameters) <= set(row.parameters):
        raise InvalidInput("parameters", sorted(parameters), f"must be {', '.join(row.parameters)}")
    given = Given(parameters, conventions.first_arm)
    known_gap = "g" in row.parameters
    test = implementation.known_gap(given.rational("g")) if known_gap else implementation.duel_test
    # The streams' types differ in what they ask and return; all of them fit this one.
    stream = cast(ReferenceStream, row.make(implementation, given, wrap(test), conventions))
    return stream if conventions.first_arm == 0 else _renumbered(stream, conventions.first_arm)


def _renumbered(stream: ReferenceStream, first_arm: int) -> ReferenceStream:
    """Write every arm of a stream by the number that the conventions give it."""
    try:
        question = next(stream)
        told: Outcome | None
        while True:
            match question:
                case Duel(first, second):
                    told = yield Duel(first + first_arm, second + first_arm)
                case SelfPlay(arm, rounds):
                    told = yield SelfPlay(arm + first_arm, rounds)
                case Incumbent(arm):
                    told = yield Incumbent(arm + first_arm)
            question = stream.send(told)
    except StopIteration as stop:
        returned: Arm | None = stop.value
        return None if returned is None else returned + first_arm
