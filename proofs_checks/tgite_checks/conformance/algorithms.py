"""The algorithms of the vectors by name, and the reference (or a mutant of it) as one subject.

Names ending in ``_g`` are the known-gap variants: the same algorithm, BudgetedDuelTest in
DuelTest's place.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias, cast

from tgite import (
    Arm,
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
from tgite_checks.conformance.format import Parameter, Parameters, read_conventions
from tgite_checks.conformance.strict_json import Reader
from tgite_checks.implementation import REFERENCE, Implementation

Question: TypeAlias = Duel | SelfPlay | Incumbent
ReferenceStream: TypeAlias = Generator[Question, Outcome | None, Arm | None]
Wrap: TypeAlias = Callable[[PairwiseTest[Duel, Outcome]], PairwiseTest[Duel, Outcome]]


@dataclass(frozen=True, slots=True)
class Algorithm:
    """An algorithm of the vectors.

    ``parameters`` are its own ones, in order; the known-gap variants have ``g`` too. Those in
    ``optional`` may be left out, for the paper's own value. ``title`` is the paper's name for it,
    ``label`` its label there.
    """

    title: str
    label: str
    parameters: tuple[str, ...]
    optional: frozenset[str] = frozenset()


_BASE = {
    "bkt": Algorithm("BKT", "alg:bkt", ("S", "delta")),
    "tree_ascent": Algorithm("TreeAscent", "alg:app-plr", ("N", "b", "epsilon")),
    "tree_ascent_power_of_two": Algorithm(
        "TreeAscent (main text)", "alg:plr-pass", ("N", "b", "epsilon")
    ),
    "screen_and_replace": Algorithm(
        "ScreenAndReplace", "alg:screen-and-replace", ("N", "c", "rho", "kappa")
    ),
    "tg_ite_bai": Algorithm("TG-ITE-BAI", "subsec:bai-policy", ("N", "b_0", "delta")),
    "tg_ite_weak": Algorithm(
        "TG-ITE-Weak",
        "alg:tlcr-weak",
        ("N", "b_0", "warm_start"),
        optional=frozenset({"warm_start"}),
    ),
    "tg_ite_strong_known_horizon": Algorithm(
        "TG-ITE-Strong-KnownHorizon", "alg:tlcr-strong-known", ("N", "b_0", "H")
    ),
    "tg_ite_strong_anytime": Algorithm(
        "TG-ITE-Strong-Anytime", "alg:tlcr-strong-anytime", ("N", "b_0")
    ),
}

ALGORITHMS: Mapping[str, Algorithm] = {
    "duel_test": Algorithm("DuelTest", "alg:dueltest", ("u", "v", "delta")),
    "budgeted_duel_test": Algorithm(
        "BudgetedDuelTest", "alg:budgeted-dueltest", ("u", "v", "g", "delta")
    ),
    **_BASE,
    **{
        f"{name}_g": replace(base, title=f"{base.title}_g", parameters=(*base.parameters, "g"))
        for name, base in _BASE.items()
    },
}
"""All algorithms that have vectors."""


@checked
def reference(algorithm: str, parameters: Mapping[str, object]) -> ReferenceStream:
    """Make the reference's stream: the very function that ``tgite conform`` takes.

    Raises :class:`~tgite.errors.InvalidInput` as the algorithm does.
    """
    handed = dict(parameters)
    conventions = read_conventions(Reader(handed.pop("conventions"), "conventions"))
    read = {name: _as_parameter(name, value) for name, value in handed.items()}
    return stream_of(REFERENCE, algorithm, read, conventions)


def _as_parameter(name: str, value: object) -> Parameter:
    if isinstance(value, int | str):
        return value
    if isinstance(value, list | tuple) and all(isinstance(arm, int) for arm in value):
        return tuple(value)
    raise InvalidInput(name, value, "must be an integer, a string or a list of integers")


def stream_of(
    implementation: Implementation,
    algorithm: str,
    parameters: Parameters,
    conventions: Conventions,
    wrap: Wrap | None = None,
) -> ReferenceStream:
    """Make an algorithm's stream from written parameters; arms are written in and out.

    ``wrap`` is put around the pairwise test. Raises :class:`~tgite.errors.InvalidInput` for an
    unknown algorithm, a missing or surplus parameter, and as the algorithm does.
    """
    if algorithm not in ALGORITHMS:
        raise InvalidInput("algorithm", algorithm, f"must be one of {', '.join(ALGORITHMS)}")
    names, optional = ALGORITHMS[algorithm].parameters, ALGORITHMS[algorithm].optional
    if not set(names) - optional <= set(parameters) <= set(names):
        raise InvalidInput("parameters", sorted(parameters), f"must be {', '.join(names)}")
    given = _Parameters(parameters, conventions.first_arm)
    stream = _stream(implementation, algorithm, given, conventions, wrap)
    return stream if conventions.first_arm == 0 else _renumbered(stream, conventions.first_arm)


@dataclass(frozen=True, slots=True)
class _Parameters:
    """Written parameters, read by saying what each must be."""

    values: Parameters
    first_arm: int

    def count(self, name: str) -> int:
        value = self.values[name]
        if isinstance(value, bool) or not isinstance(value, int):
            raise InvalidInput(name, value, "must be a whole number")
        return value

    def arm(self, name: str) -> Arm:
        return self.count(name) - self.first_arm

    def arms(self, name: str) -> list[Arm]:
        value = self.values[name]
        if not isinstance(value, tuple):
            raise InvalidInput(name, value, "must be a list of arms")
        return [arm - self.first_arm for arm in value]

    def level(self, name: str) -> Confidence:
        try:
            return Confidence.of(self.text(name))
        except InvalidInput as error:
            raise InvalidInput(name, error.value, error.rule) from None

    def rational(self, name: str) -> Fraction:
        return read_rational(name, self.text(name))

    def text(self, name: str) -> str:
        value = self.values[name]
        if not isinstance(value, str):
            raise InvalidInput(name, value, 'must be a string such as "1/10"')
        return value


def _stream(
    implementation: Implementation,
    algorithm: str,
    given: _Parameters,
    conventions: Conventions,
    wrap: Wrap | None,
) -> ReferenceStream:
    budgeted = "g" in ALGORITHMS[algorithm].parameters
    test = implementation.known_gap(given.rational("g")) if budgeted else implementation.duel_test
    test = test if wrap is None else wrap(test)
    base = algorithm.removesuffix("_g")
    if base in ("duel_test", "budgeted_duel_test"):
        made: object = test(given.arm("u"), given.arm("v"), given.level("delta"))
    elif base == "bkt":
        made = implementation.bkt(given.arms("S"), given.level("delta"), test, conventions)
    elif base == "screen_and_replace":
        made = implementation.screen_and_replace(
            given.arm("c"),
            given.level("rho"),
            given.level("kappa"),
            given.count("N"),
            test,
            conventions,
        )
    else:
        tree = implementation.BalancedTree.over(given.count("N"), conventions)
        match base:
            case "tree_ascent":
                made = implementation.tree_ascent(
                    given.arm("b"), tree, given.level("epsilon"), test, conventions
                )
            case "tree_ascent_power_of_two":
                made = implementation.tree_ascent_power_of_two(
                    given.arm("b"), tree, given.level("epsilon"), test, conventions
                )
            case "tg_ite_bai":
                made = implementation.tg_ite_bai(
                    given.arm("b_0"), tree, given.level("delta"), test, conventions
                )
            case "tg_ite_weak" if "warm_start" in given.values:
                made = implementation.tg_ite_weak(
                    given.arm("b_0"), tree, test, given.level("warm_start"), conventions
                )
            case "tg_ite_weak":
                made = implementation.tg_ite_weak(
                    given.arm("b_0"), tree, test, conventions=conventions
                )
            case "tg_ite_strong_known_horizon":
                made = implementation.tg_ite_strong_known_horizon(
                    given.arm("b_0"), tree, given.count("H"), test, conventions
                )
            case _:
                made = implementation.tg_ite_strong_anytime(
                    given.arm("b_0"), tree, test, conventions
                )
    # The streams' types differ in what they ask and return; all of them fit this one.
    return cast(ReferenceStream, made)


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
