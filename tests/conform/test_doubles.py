"""Decisions that double precision takes wrongly, or a strict comparison: version 1.4 asks them."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice

import pytest

from shipped_vectors import CASES
from tgite import Confidence, InvalidInput
from tgite_checks.mutation import Mutant, mutated
from tgite_conform.algorithms import ALGORITHMS, ReferenceStream, reference
from tgite_conform.cases.random_cases import random_cases
from tgite_conform.format import Case, Version, read_folder
from tgite_conform.mistakes import subject_of
from tgite_conform.runner import Status, examine
from tgite_conform.subjects import StreamSubject, Subject

NEW = [case for case in read_folder(Version.V1_4.folder()) if case.duels < 1000]
OLDER = [case for case in CASES if case.duels < 1000 and case not in NEW]
TESTS = [name for name, row in ALGORITHMS.items() if row.is_a_test]


def failing(subject: Subject, cases: Sequence[Case]) -> list[Case]:
    """Return the cases that a subject fails."""
    bad = (Status.WRONG, Status.FAULT)
    return [result.case for result in examine(subject, cases) if result.status in bad]


# Levels with 6/pi^2.

BELOW_ONE: dict[str, Callable[[Fraction], bool]] = {
    "in doubles": lambda rational: float(rational) * 6 / math.pi**2 < 1,
    "by logarithms": lambda rational: math.log(rational) < math.log(math.pi**2 / 6),
    "up to 1e-9": lambda rational: float(rational) * 6 / math.pi**2 < 1 + 1e-9,
    "but for 1e-9": lambda rational: float(rational) * 6 / math.pi**2 < 1 - 1e-9,
}
"""Whether a rational times 6/pi^2 is below 1, as hasty implementations see it."""


def above_one(parameters: Mapping[str, object]) -> Fraction | None:
    """Return what stands before the factor 6/pi^2 of a level, if it is above 1."""
    for name in ("delta", "rho"):
        rational, star, _ = str(parameters.get(name)).partition(" * 6/pi^2")
        if star and not rational.startswith("2^-") and Fraction(rational) > 1:
            return Fraction(rational)
    return None


def judging(is_below_one: Callable[[Fraction], bool]) -> StreamSubject:
    """Return the reference, but that it judges such levels otherwise."""

    def make(algorithm: str, parameters: dict[str, object]) -> ReferenceStream:
        rational = above_one(parameters)
        if rational is not None and not is_below_one(rational):
            raise ValueError("no level")
        try:
            return reference(algorithm, parameters)
        except InvalidInput:
            named = [name for name in ("delta", "rho") if name in parameters]
            return reference(algorithm, {**parameters, **dict.fromkeys(named, "1/2")})

    subject = StreamSubject(make, "judging")
    subject.declaration = replace(subject.declaration, algorithms=frozenset(ALGORITHMS))
    return subject


def exactly(rational: Fraction) -> bool:
    """Judge as the reference does, by its own digits of pi^2/6."""
    return rational < Fraction("1.6449340668482264364724151666460251892189499")


@pytest.mark.parametrize("how", BELOW_ONE)
def test_levels_next_to_1_are_asked_for_wherever_there_is_the_factor(how: str) -> None:
    cases = [case for case in NEW if above_one(case.parameters)]
    assert not failing(judging(exactly), cases)
    found = failing(judging(BELOW_ONE[how]), cases)
    assert {case.algorithm for case in found} == {*TESTS, "screen_and_replace"}


@pytest.mark.parametrize("how", BELOW_ONE)
def test_levels_next_to_1_are_drawn_at_random(how: str) -> None:
    drawn = islice(random_cases(1, TESTS), 100)
    cases = [case for case in drawn if above_one(case.parameters)]
    assert not failing(judging(exactly), cases)
    assert failing(judging(BELOW_ONE[how]), cases)


def test_levels_on_both_sides_of_1_are_drawn_alike() -> None:
    cases = [case for case in islice(random_cases(2, TESTS), 400) if above_one(case.parameters)]
    bad = sum("refusal" in case.flags for case in cases)
    assert len(cases) > 30
    assert len(cases) / 3 < bad < len(cases) * 2 / 3


# Evidence.

_LOG_L = "(s * math.log(1 + 2 * x) + (n - s) * math.log(1 - 2 * x))"
_LOG_W = """math.log(
    sum(float(math.comb(n + 1, k)) for k in range(s + 1)) / (n + 1) / math.comb(n, s)
)"""


def _least(evidence: str, level: str, first: str = "0") -> str:
    """Write the fewest wins, from ``first`` on, whose evidence reaches 1/level in doubles."""
    decides = f"{evidence} >= -math.log(float({level}.rational))"
    return f"next(s for s in range({first}, n + 2) if s > n or {decides})"


_MATH = "import math\n    "
_HAIR = "* (1 - Fraction(1, 10**40))"
_CERTIFIED, _EXPOSED, _EITHER = (
    f"beyond.find_then_certify {function}"
    for function in ("certificate_rule", "bold_rule", "either")
)
_EVIDENCE = "beyond.certificate evidence_rule"
SLIPS = {
    "L wins by > for >=": (
        _CERTIFIED,
        "likelihood(g, each).least_wins",
        f"likelihood(g, Confidence(each.rational {_HAIR})).least_wins",
    ),
    "L wins in doubles": (
        _CERTIFIED,
        "least_wins = likelihood(g, each).least_wins",
        f"{_MATH}x = float(g)\n    least_wins = lambda n: {_least(_LOG_L, 'each')}",
    ),
    "an arm loses again by > for >=": (
        _EXPOSED,
        "likelihood(g, level).least_wins",
        f"likelihood(g, Confidence(level.rational {_HAIR})).least_wins",
    ),
    "an arm loses again in doubles": (
        _EXPOSED,
        "return Rule(likelihood(g, level).least_wins,",
        f"{_MATH}x = float(g)\n    return Rule(lambda n: {_least(_LOG_L, 'level')},",
    ),
    "an arm that loses again overdraws the budget": (
        _EITHER,
        "least = bold_budget if most is None else min(bold_budget, most)",
        "least = bold_budget",
    ),
    "W wins in doubles": (
        _EVIDENCE,
        "return (n + stopping_lead(n, delta)) // 2",
        f"import math\n        return {_least(_LOG_W, 'delta', 'n // 2 + 1')}",
    ),
    "W loses in doubles": (
        _EVIDENCE,
        "return (n - stopping_lead(n, against)) // 2",
        f"import math\n        return n - {_least(_LOG_W, 'against', 'n // 2 + 1')}",
    ),
    "equivalent in doubles": (
        "beyond.likelihood Likelihood.most_wins",
        "return self._most[n]",
        "import math\n        x, level = float(self._g), math.log(float(self._level))\n"
        f"        return max(s for s in range(-1, n + 1) if s < 0 or {_LOG_L} <= level)",
    ),
}
"""Of certificates: in which function, what is written there, and what by mistake."""


def short(cases: Sequence[Case], algorithm: str) -> list[Case]:
    """Return an algorithm's short cases; those of the longer one take some more duels."""
    most = 700 if algorithm == "find_then_certify" else 100
    return [case for case in cases if case.algorithm == algorithm and case.duels < most]


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_in_certificates_fails_a_new_case_and_none_of_the_older(slip: str) -> None:
    place, original, replaced = SLIPS[slip]
    module, function = place.split()
    subject = subject_of(mutated(Mutant("slip", "", module, original, replaced, slip, function)))
    algorithm = "find_then_certify" if "find" in module else "certify"
    assert failing(subject, short(NEW, algorithm))
    assert not failing(subject, short(OLDER, algorithm)[::3])


def mixture_in_doubles(
    algorithm: str, parameters: dict[str, object]
) -> Generator[tuple[object, object], bool, object]:
    """Play MixtureTest with its evidence in double precision."""
    delta = float(Confidence.of(str(parameters["delta"])).rational)
    n = S = 0
    while True:
        S += yield parameters["u"], parameters["v"]
        n += 1
        ahead = max(S, n - S)
        total = sum(float(math.comb(n + 1, k)) for k in range(ahead + 1))
        if 2 * ahead > n and total / (n + 1) / math.comb(n, ahead) * delta >= 1:
            return parameters["u" if ahead == S else "v"]


def test_evidence_in_doubles_fails_a_new_match_and_none_of_the_older() -> None:
    subject = StreamSubject(mixture_in_doubles, "doubles")
    subject.declaration = replace(subject.declaration, algorithms=frozenset({"mixture_test"}))
    new, older = (
        [case for case in short(cases, "mixture_test") if case.duels and "pi" not in str(case)]
        for cases in (NEW, OLDER)
    )
    assert failing(subject, new)
    assert not failing(subject, older)
