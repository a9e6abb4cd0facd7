"""Random cases: a fixed list of cases can be learnt by heart, these cannot.

The reference plays them live. A failing one is made smaller by hypothesis, which shrinks what was
drawn.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from importlib import import_module

from tgite import Confidence, Conventions, InvalidInput
from tgite.confidence import write_rational
from tgite.exact import basel_factor_enclosure
from tgite_checks.conformance import plans
from tgite_checks.conformance.algorithms import ALGORITHMS, Group
from tgite_checks.conformance.format import CHOICES, Case, Parameter
from tgite_checks.conformance.record import Recipe, case_of
from tgite_checks.conformance.referee import Level
from tgite_checks.conformance.runner import DIFFERING, CaseResult, examine
from tgite_checks.conformance.subjects import Subject
from tgite_checks.pairwise import PairwiseName

_MOST_ARMS = 40
_MANY_ARMS = 1 << 12
_SELDOM, _OFTEN = 0.02, 0.25
_WIDTHS = (7, 8, 15, 16, 24, 31, 32, 53, 63, 64)
"""Numbers of bits at which implementations' numbers end."""
_ATTEMPTS = 3
_MOST_TRIED = 200
_MOST_DUELS = 400_000
_MOST_SECONDS = 30.0


def random_cases(seed: int, algorithms: Sequence[str] = Group.PAPER.algorithms) -> Iterator[Case]:
    """Make cases without end: algorithms, sizes, levels, gaps, conventions, outcomes and cuts.

    One in fifty has hundreds or thousands of arms. Horizons and the numbers of arms lie at the ends
    of integers' widths more often than elsewhere. Some levels lie just above 1, and must be
    refused. Candidates are left out that do not end as they should, play too long, or come nearer
    to a boundary than double precision can tell.
    """
    drawn = random.Random(seed)
    while True:
        try:
            yield case_of(_recipe(drawn, algorithms, _SELDOM))
        except ValueError:
            continue


def _recipe(drawn: random.Random, algorithms: Sequence[str], many_arms: float) -> Recipe:
    algorithm = drawn.choice(algorithms)
    row = ALGORITHMS[algorithm]
    # The values are of CHOICES, which types do not tie to the fields.
    by = Conventions(**{name: drawn.choice(CHOICES[name]) for name in CHOICES})  # type: ignore[arg-type]
    N = drawn.choice((2, 3, 4, 5, 6, 7, 8, drawn.randint(2, _MOST_ARMS)))
    many = drawn.random() > 1 - many_arms
    if many:
        N = min(_at_a_width(drawn, 2), _MANY_ARMS)
    if "power_of_two" in algorithm:
        N = 2 ** drawn.randint(1, _MANY_ARMS.bit_length() - 1 if many else 5)
    parameters: dict[str, Parameter] = {"N": N} if "N" in row.parameters else {}
    bad = ""
    for name in row.parameters:
        if name in row.optional and drawn.random() < 0.5:
            continue
        match name:
            case "u" | "v":
                parameters |= zip(("u", "v"), _arms(drawn, 2, by.first_arm), strict=True)
            case "S":
                parameters[name] = _arms(drawn, N, by.first_arm)
            case "b" | "b_0" | "c":
                parameters[name] = drawn.randrange(N) + by.first_arm
            case "H":
                most = 10 ** drawn.choice((1, 2, 3, 4, 30))
                at_random = drawn.randint(1, most)
                parameters[name] = drawn.choice((at_random, _at_a_width(drawn, 1)))
            case "g":
                denominator = drawn.randint(2, 30)
                gap = Fraction(drawn.randint(1, denominator), 2 * denominator)
                parameters[name] = write_rational(max(gap, Fraction(1, 20)))
                if 2 * gap == 1 and not row.test.of_the_paper:
                    bad = name
            case _ if name != "N":
                factor = row.is_a_test or name == "rho"
                level = _level(drawn, drawn.random() < 0.3 and factor)
                parameters[name] = level
                bad = bad or ("" if _is_level(level) else name)
    cut = row.endless or drawn.random() < 0.1
    horizon = int(10 ** drawn.uniform(0, 3.5)) if cut else None
    budgeted = row.test in (PairwiseName.BUDGETED, PairwiseName.TRUNCATED_SPRT)
    # Of many arms each match is short.
    outcomes = plans.plan(plans.cycle(N), plans.straight) if many else _plan(drawn, N, budgeted)
    return Recipe("drawn at random", algorithm, parameters, outcomes, by, horizon, bad)


def _at_a_width(drawn: random.Random, at_least: int) -> int:
    """Return a number near the end of an integer's width, or of a float's whole numbers."""
    return max(at_least, (1 << drawn.choice(_WIDTHS)) + drawn.randint(-2, 2))


def _arms(drawn: random.Random, number: int, first_arm: int) -> tuple[int, ...]:
    beyond = drawn.choice((2 * _MOST_ARMS, 1 << 9, 1 << 17)) + number
    return tuple(arm + first_arm for arm in drawn.sample(range(beyond), number))


def _level(drawn: random.Random, factor: bool) -> str:
    if factor and drawn.random() < 0.5:
        # A neighbour of pi^2/6 on either side: the level is just below 1, or just above.
        low, _ = basel_factor_enclosure(60)
        near = (1 / low).limit_denominator(10 ** drawn.randint(1, 12))
        return f"{write_rational(near)} * 6/pi^2"
    denominator = drawn.choice((drawn.randint(2, 100), 10 ** drawn.randint(1, 30)))
    rational = Fraction(drawn.randint(1, denominator - 1), denominator)
    text = drawn.choice((write_rational(rational), f"2^-{drawn.randint(1, 200)}"))
    return f"{text} * 6/pi^2" if factor else text


def _is_level(text: str) -> bool:
    try:
        Confidence.of(text)
    except InvalidInput:
        return False
    return True


def _plan(drawn: random.Random, N: int, budgeted: bool) -> plans.Plan:
    script = "".join(drawn.choice("uv") for _ in range(drawn.randint(1, 20)))
    winner = drawn.choice(
        (plans.scripted(script), plans.cycle(N), plans.arm_wins(drawn.randrange(N)))
    )
    ways: list[plans.Way] = [
        plans.straight,
        plans.late(drawn.randint(0, 30)),
        plans.noisy(drawn.randrange(10**6), drawn.randint(75, 95)),
        plans.along_the_boundary(drawn.randint(1, 200), drawn.random() < 0.5),
    ]
    # Without a budget a tie goes on for ever.
    ways += [plans.tie] * budgeted
    return plans.plan(winner, plans.by_turns(*drawn.sample(ways, 3)))


def smallest_failing(
    subject: Subject, level: Level, failing: Sequence[CaseResult], seed: int
) -> CaseResult:
    """Return the smallest random case that a subject fails, of those given and of similar ones.

    Hypothesis draws more cases of their algorithms and shrinks one that fails; where it is not
    installed, or comes upon none within some hundreds, it is the smallest of those given.
    """
    smallest = min(failing, key=_size)
    until = time.monotonic() + _MOST_SECONDS
    try:
        hypothesis = import_module("hypothesis")
    except ImportError:
        return smallest
    algorithms = sorted({result.case.algorithm for result in failing})
    # What fails with few arms as well is looked for there: that is faster.
    arms = min(_arms_of(result.case) for result in failing)
    many_arms = _SELDOM if arms <= _MOST_ARMS else _OFTEN
    tried = duels = 0

    def fails(drawn: random.Random) -> bool:
        nonlocal smallest, tried, duels
        tried += 1
        # From here on hypothesis is to come to its end.
        if tried > _MOST_TRIED or duels > _MOST_DUELS or time.monotonic() > until:
            return False
        try:
            case = case_of(_recipe(drawn, algorithms, many_arms))
        except ValueError:
            return False
        duels += case.duels
        (result,) = examine(subject, [case], level)
        if result.status not in DIFFERING:
            return False
        smallest = min(smallest, result, key=_size)
        return True

    settings = hypothesis.settings(
        max_examples=_MOST_TRIED,
        derandomize=False,
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    drawing = hypothesis.strategies.randoms(use_true_random=False)
    for attempt in range(_ATTEMPTS):
        tried = duels = 0
        # It raises where it found nothing, and where it had to come to its end.
        with suppress(hypothesis.errors.HypothesisException):
            hypothesis.find(
                drawing, fails, settings=settings, random=random.Random(f"{seed} {attempt}")
            )
        if smallest not in failing:
            break
    return smallest


def _arms_of(case: Case) -> int:
    parameters = case.parameters
    S = parameters.get("S", ())
    return max(int(str(parameters.get("N", 2))), len(S) if isinstance(S, tuple) else 2)


def _size(result: CaseResult) -> tuple[int, int]:
    return len(str(result.case.parameters)) + result.case.duels, result.case.duels
