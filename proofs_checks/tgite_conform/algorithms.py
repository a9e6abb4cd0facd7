"""The table of algorithms that have vectors, and one function that runs the reference's version.

An algorithm with another pairwise test in DuelTest's place has that test's suffix in its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar, TypeAlias, cast

from tgite import (
    RULINGS,
    Arm,
    Confidence,
    Conventions,
    Duel,
    Incumbent,
    InvalidInput,
    Outcome,
    SelfPlay,
)
from tgite.beyond.find_then_certify import gap_tried
from tgite.budgeted_duel_test import b
from tgite.duel_test import c
from tgite_checks.fidelity import rules
from tgite_checks.fidelity.find_then_certify import Matches
from tgite_checks.fidelity.rules import Due, Rules
from tgite_conform import certificates, large
from tgite_conform.certificates import NOBODY, Test, Watch
from tgite_conform.format import (
    CHOICES,
    Parameter,
    Parameters,
    Returned,
    answer_of,
    read_conventions,
)
from tgite_conform.parameters import Inputs
from tgite_conform.strict_json import read
from tgite_laws.implementation import REFERENCE, Implementation, TreeAscent
from tgite_laws.pairwise import TESTS, ChosenTest, PairwiseName

Question: TypeAlias = Duel | SelfPlay | Incumbent
ReferenceStream: TypeAlias = Generator[Question, Outcome | None, Returned]


Make: TypeAlias = Callable[[Implementation, Inputs, Test, Watch], Generator[Any, Any, Any]]
"""Makes a stream, given its pairwise test; for a certificate, given the watch on its matches."""

RulesOf: TypeAlias = Callable[[Inputs], Rules[Any] | Matches]


class Group(StrEnum):
    """Groups of algorithms by pairwise test; algorithms that certify are a group of their own."""

    PAPER = "paper"
    BEYOND = "beyond"
    CERTIFICATES = "certificates"

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The names of the group's algorithms."""
        return tuple(name for name, row in ALGORITHMS.items() if row.group is self)


@dataclass(frozen=True, slots=True)
class Algorithm:
    """What the kit knows of an algorithm.

    ``title`` and ``label`` are the paper's. ``choices`` are the conventions that affect it,
    ``make`` returns its stream, ``rules`` are the paper's rules for its matches. Parameters in
    ``optional`` may be absent. If ``endless``, it runs until the player stops it. ``test`` is the
    pairwise test of its matches, ``base`` the same algorithm with DuelTest. If ``certifies``, its
    answer is a certificate.
    """

    title: str
    label: str
    parameters: tuple[str, ...]
    choices: tuple[str, ...]
    make: Make
    rules: RulesOf
    optional: frozenset[str] = frozenset()
    endless: bool = False
    test: PairwiseName = PairwiseName.DUEL
    base: str = ""
    certifies: bool = False

    @property
    def group(self) -> Group:
        """The algorithm's group."""
        if self.certifies:
            return Group.CERTIFICATES
        return Group.PAPER if self.test.of_the_paper else Group.BEYOND

    @property
    def is_a_test(self) -> bool:
        """Whether the algorithm is itself a pairwise test."""
        return self.rules is _match


_ALONE = ("first_arm",)
_BRACKET = ("pairing", "bye", "bye_place", "arguments", "first_arm")
_TREE = (*_BRACKET, "byes")


def _match(given: Inputs) -> Rules[Arm]:
    pair = given.arm("u"), given.arm("v")
    winner, _ = yield Due(set(pair), given.level("delta"), "", pair=pair)
    return winner


def _test(name: PairwiseName) -> Algorithm:
    of = TESTS[name]
    return Algorithm(
        of.title,
        of.label,
        ("u", "v", "g", "delta") if of.needs_known_gap else ("u", "v", "delta"),
        _ALONE,
        lambda of, given, test, _: test(given.arm("u"), given.arm("v"), given.level("delta")),
        _match,
        test=name,
    )


def _pass(
    title: str,
    label: str,
    start: str,
    level: str,
    make: Callable[[Implementation], TreeAscent],
    choices: tuple[str, ...] = _TREE,
) -> Algorithm:
    return Algorithm(
        title,
        label,
        ("N", start, level),
        choices,
        lambda of, given, test, _: make(of)(
            given.arm(start), given.tree(of), given.level(level), test, given.by
        ),
        lambda given: _ascent(given, start, given.level(level).rational),
    )


def _ascent(given: Inputs, start: str, level: Fraction, place: str = "") -> Rules[Arm]:
    b, by = given.arm(start), given.by
    if given.is_large:
        return large.ascent(b, given.count("N"), level, by, place)
    return rules.ascent(b, rules.leaves_of(given.count("N"), given.by), level, by, place)


def _weak(of: Implementation, given: Inputs, test: Test, _: Watch) -> Generator[Any, Any, Any]:
    b_0, tree = given.arm("b_0"), given.tree(of)
    # Without a level, the implementation's own level for the warm start is used.
    if "warm_start" not in given.values:
        return of.tg_ite_weak(b_0, tree, test, given.by)
    return of.tg_ite_weak(b_0, tree, test, given.by, warm_start=given.level("warm_start"))


def _of_epoch(given: Inputs) -> tuple[Arm, Confidence, Confidence, int]:
    return given.arm("c"), given.level("rho"), given.level("kappa"), given.count("N")


def _epoch(given: Inputs) -> Rules[Arm]:
    incumbent, rho, kappa, N = _of_epoch(given)
    return rules.epoch(incumbent, rho, kappa.rational, N, given.by)


def _rules_of_weak(given: Inputs) -> Rules[Any]:
    level = given.level("warm_start").rational if "warm_start" in given.values else Fraction(1, 4)
    if given.is_large:
        return _ascent(given, "b_0", level, "s0")
    b_0, leaves = given.arm("b_0"), rules.leaves_of(given.count("N"), given.by)
    return rules.weak(b_0, leaves, level, given.by)


def _rules_of_anytime(given: Inputs) -> Rules[Any]:
    if given.is_large:
        return _ascent(given, "b_0", Fraction(1, 4), "s1")
    return rules.anytime(given.arm("b_0"), rules.leaves_of(given.count("N"), given.by), given.by)


_BUILT_ON_THEM = {
    "bkt": Algorithm(
        "BKT",
        "alg:bkt",
        ("S", "delta"),
        _BRACKET,
        lambda of, given, test, _: of.bkt(given.arms("S"), given.level("delta"), test, given.by),
        lambda given: rules.knockout(given.arms("S"), given.level("delta").rational, given.by),
    ),
    "tree_ascent": _pass("TreeAscent", "alg:app-plr", "b", "epsilon", lambda of: of.tree_ascent),
    "tree_ascent_power_of_two": _pass(
        "TreeAscent (main text)",
        "alg:plr-pass",
        "b",
        "epsilon",
        lambda of: of.tree_ascent_power_of_two,
        _BRACKET,
    ),
    "screen_and_replace": Algorithm(
        "ScreenAndReplace",
        "alg:screen-and-replace",
        ("N", "c", "rho", "kappa"),
        (*_BRACKET, "candidates", "screening"),
        lambda of, given, test, _: of.screen_and_replace(*_of_epoch(given), test, given.by),
        _epoch,
    ),
    "tg_ite_bai": _pass(
        "TG-ITE-BAI", "subsec:bai-policy", "b_0", "delta", lambda of: of.tg_ite_bai
    ),
    "tg_ite_weak": Algorithm(
        "TG-ITE-Weak",
        "alg:tlcr-weak",
        ("N", "b_0", "warm_start"),
        tuple(CHOICES),
        _weak,
        _rules_of_weak,
        optional=frozenset({"warm_start"}),
        endless=True,
    ),
    "tg_ite_strong_known_horizon": Algorithm(
        "TG-ITE-Strong-KnownHorizon",
        "alg:tlcr-strong-known",
        ("N", "b_0", "H"),
        _TREE,
        lambda of, given, test, _: of.tg_ite_strong_known_horizon(
            given.arm("b_0"), given.tree(of), given.count("H"), test, given.by
        ),
        # Its matches are those of its pass, up to the horizon.
        lambda given: _ascent(given, "b_0", rules.horizon_level(given.count("H"))),
    ),
    "tg_ite_strong_anytime": Algorithm(
        "TG-ITE-Strong-Anytime",
        "alg:tlcr-strong-anytime",
        ("N", "b_0"),
        _TREE,
        lambda of, given, test, _: of.tg_ite_strong_anytime(
            given.arm("b_0"), given.tree(of), test, given.by
        ),
        _rules_of_anytime,
        endless=True,
    ),
}


_CERTIFICATES = {
    "certify": Algorithm(
        "certificate",
        "beyond:certificate",
        ("N", "c", "delta", "against", "margin", "budget", "order"),
        _ALONE,
        lambda of, given, _, watch: certificates.certify(of, given, watch),
        certificates.rules_of_certify,
        optional=frozenset({"against", "margin", "budget", "order"}),
        test=PairwiseName.MIXTURE,
        certifies=True,
    ),
    "find_then_certify": Algorithm(
        "find, then certify",
        "beyond:find-then-certify",
        ("N", "delta", "assumes"),
        _BRACKET,
        lambda of, given, _, watch: certificates.find_then_certify(of, given, watch),
        certificates.rules_of_find_then_certify,
        optional=frozenset({"assumes"}),
        test=PairwiseName.MIXTURE,
        certifies=True,
    ),
}


def _all_with(tests: Sequence[PairwiseName]) -> dict[str, Algorithm]:
    """Return the tests, then all algorithms with each of them, with its suffix in their names."""
    made = {TESTS[test].stream: _test(test) for test in tests}
    for test, (name, base) in product(tests, _BUILT_ON_THEM.items()):
        of = TESTS[test]
        made[name + of.suffix] = replace(
            base,
            title=base.title + of.addition,
            parameters=(*base.parameters, "g") if of.needs_known_gap else base.parameters,
            test=test,
            base=name,
        )
    return made


ALGORITHMS: Mapping[str, Algorithm] = {
    **_all_with([test for test in PairwiseName if test.of_the_paper]),
    **_all_with([test for test in PairwiseName if not test.of_the_paper]),
    **_CERTIFICATES,
}
"""All algorithms that have vectors, by name."""


@dataclass(frozen=True, slots=True)
class Maker:
    """The type of a function that ``tgite conform`` examines: it makes streams."""

    implementation: Implementation = field(repr=False)
    algorithms: ClassVar[tuple[str, ...]] = tuple(ALGORITHMS)

    def __call__(self, algorithm: str, parameters: Mapping[str, object]) -> ReferenceStream:
        """Make a stream; raises :class:`~tgite.errors.InvalidInput` as the algorithm does."""
        handed = dict(parameters)
        conventions = read_conventions(handed.pop("conventions"))
        kind = cast("type[Parameter]", Parameter)
        given = {name: read(value, kind, name) for name, value in handed.items()}
        return stream_of(self.implementation, algorithm, given, conventions)


reference = Maker(REFERENCE)
"""Makes the reference's stream; ``tgite conform`` can examine this function, too."""


def stream_of(
    implementation: Implementation,
    algorithm: str,
    parameters: Parameters,
    conventions: Conventions,
    watch: Watch = NOBODY,
) -> ReferenceStream:
    """Make an algorithm's stream from written parameters, with ``watch`` around its matches.

    Raises :class:`~tgite.errors.InvalidInput` for an unknown algorithm, a missing or surplus
    parameter, and as the algorithm does.
    """
    if algorithm not in ALGORITHMS:
        raise InvalidInput("algorithm", algorithm, f"must be one of {', '.join(ALGORITHMS)}")
    row = ALGORITHMS[algorithm]
    if not set(row.parameters) - row.optional <= set(parameters) <= set(row.parameters):
        raise InvalidInput("parameters", sorted(parameters), f"must be {', '.join(row.parameters)}")
    given = Inputs(parameters, conventions)
    chosen = ChosenTest(row.test, given.gap())
    test = chosen.of(chosen.placed_in(implementation))
    # The streams' types differ in what they ask and return; all of them fit this type.
    stream = cast(ReferenceStream, row.make(implementation, given, watch.test(test), watch))
    return stream if conventions.first_arm == 0 else _renumbered(stream, conventions.first_arm)


def test_of(algorithm: str, parameters: Parameters, place: str) -> ChosenTest:
    """Return the pairwise test of the matches at ``place``; ``parameters`` must be valid."""
    row = ALGORITHMS[algorithm]
    s = certificates.stage_of(place) if row.certifies else None
    if s is not None:
        return ChosenTest(PairwiseName.TRUNCATED_SPRT, gap_tried(s))
    return ChosenTest(row.test, Inputs(parameters, RULINGS).gap())


def is_one_sided(algorithm: str, place: str) -> bool:
    """Return whether the matches at ``place`` are one-sided, and not by a pairwise test."""
    return ALGORITHMS[algorithm].certifies and not re.fullmatch(r"s\d+ r\d+", place)


def radius_of(test: ChosenTest, level: Confidence) -> Callable[[int], float]:
    """Return a function of n: what |S/n - 1/2| must exceed for a match to stop after n duels."""
    lead = test.lead(level)
    if lead is not None:
        # Leads have the parity of n; the threshold is halfway to the next smaller lead.
        return lambda n: (lead(n) - 1) / (2 * n)
    if test.g is None:
        return lambda n: c(n, level)
    gap = float(test.g)
    return lambda n: b(n, level) - gap


def rules_of(
    algorithm: str, parameters: Parameters, conventions: Conventions
) -> Rules[Any] | Matches:
    """Return the rules of an algorithm's matches, for valid parameters, with arms from 0 on."""
    return ALGORITHMS[algorithm].rules(Inputs(parameters, conventions))


def _renumbered(stream: ReferenceStream, first_arm: int) -> ReferenceStream:
    """Return the stream with its arms numbered as the conventions say."""
    told: Outcome | None = None
    try:
        while True:
            question: object = stream.send(told)
            match question:
                case Duel(first, second):
                    told = yield Duel(first + first_arm, second + first_arm)
                case SelfPlay() | Incumbent():
                    told = yield replace(question, arm=question.arm + first_arm)
                case _:  # A test that asks for whole matches converts the numbers itself.
                    told = yield cast(Question, question)
    except StopIteration as stop:
        return answer_of(stop.value, first_arm)
