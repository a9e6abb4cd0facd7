"""Mistakes in numbers that a version of the vectors asks for: widths, doubles, comparisons."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from pathlib import Path

import pytest

from shipped_vectors import subject_of
from tgite import InvalidInput
from tgite_checks.mutation import Mutant, mutated
from tgite_conform.algorithms import ALGORITHMS, ReferenceStream, reference
from tgite_conform.cases.random_cases import random_cases
from tgite_conform.format import VERSIONS, Case, Version, read_folder
from tgite_conform.runner import Status, examine
from tgite_conform.subjects import StreamSubject, Subject

ASKING = {version: read_folder(version.folder()) for version in VERSIONS}
NEW = ASKING[Version("1.4")]
OLDER = {
    version: [case for one in VERSIONS[:at] for case in ASKING[one]]
    for at, version in enumerate(VERSIONS)
}
SLIPS = tomllib.loads(Path(__file__).with_name("slips.toml").read_text(encoding="utf-8"))
TESTS = [name for name, row in ALGORITHMS.items() if row.is_a_test]


def failing(subject: Subject, cases: Sequence[Case]) -> list[Case]:
    bad = (Status.WRONG, Status.FAULT)
    return [result.case for result in examine(subject, cases) if result.status in bad]


# Levels with 6/pi^2.

BELOW_ONE: dict[str, Callable[[Fraction], bool]] = {
    "": lambda rational: rational < Fraction("1.6449340668482264364724151666460251892189499"),
    "in doubles": lambda rational: float(rational) * 6 / math.pi**2 < 1,
    "by logarithms": lambda rational: math.log(rational) < math.log(math.pi**2 / 6),
    "up to 1e-9": lambda rational: float(rational) * 6 / math.pi**2 < 1 + 1e-9,
    "but for 1e-9": lambda rational: float(rational) * 6 / math.pi**2 < 1 - 1e-9,
}
"""Whether a rational times 6/pi^2 is below 1: exactly, and as hasty implementations see it."""


def above_one(parameters: Mapping[str, object]) -> Fraction | None:
    """Return what stands before the factor 6/pi^2 of a level, if it is above 1."""
    for name in ("delta", "rho"):
        rational, star, _ = str(parameters.get(name)).partition(" * 6/pi^2")
        if star and not rational.startswith("2^-") and Fraction(rational) > 1:
            return Fraction(rational)
    return None


@pytest.mark.parametrize("how", BELOW_ONE)
def test_levels_next_to_1_are_asked_for_and_drawn(how: str) -> None:
    """Of the reference, but that it judges such levels otherwise."""

    def make(algorithm: str, parameters: dict[str, object]) -> ReferenceStream:
        rational = above_one(parameters)
        if rational is not None and not BELOW_ONE[how](rational):
            raise ValueError("no level")
        try:
            return reference(algorithm, parameters)
        except InvalidInput:
            named = [name for name in ("delta", "rho") if name in parameters]
            return reference(algorithm, {**parameters, **dict.fromkeys(named, "1/2")})

    make.algorithms = list(ALGORITHMS)  # type: ignore[attr-defined]
    drawn = list(islice(random_cases(1, TESTS), 100))
    for source, algorithms in ((NEW, {*TESTS, "screen_and_replace"}), (drawn, None)):
        cases = [case for case in source if case.duels < 1000 and above_one(case.parameters)]
        found = {case.algorithm for case in failing(StreamSubject(make, "judging"), cases)}
        assert (found == algorithms or (found and not algorithms)) if how else not found


def test_levels_on_both_sides_of_1_are_drawn_alike() -> None:
    cases = [case for case in islice(random_cases(2, TESTS), 400) if above_one(case.parameters)]
    bad = sum("refusal" in case.flags for case in cases)
    assert len(cases) > 30
    assert len(cases) / 3 < bad < len(cases) * 2 / 3


# Mistakes in one function of the reference.


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_fails_a_case_of_its_version_and_none_of_the_older(name: str) -> None:
    slip = SLIPS[name]
    module, original, replaced = (slip[field] for field in ("module", "original", "replaced"))
    word = re.sub("[^a-z0-9]+", "-", name)
    mutant = Mutant(word, "", module, original, replaced, name, slip["function"])
    subject, version = subject_of(mutated(mutant)), Version(slip["version"])
    new, older = (
        [one for one in cases if one.algorithm == slip["algorithm"] and 0 < one.duels < most]
        for cases, most in zip((ASKING[version], OLDER[version]), slip["duels"], strict=True)
    )
    assert failing(subject, new)
    assert not failing(subject, older)
