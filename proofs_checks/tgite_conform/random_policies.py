"""Random cases of the pairwise tests and of the algorithms that are built on them."""

from __future__ import annotations

import random
from fractions import Fraction

from tgite.confidence import write_rational
from tgite_conform import plans
from tgite_conform.algorithms import ALGORITHMS
from tgite_conform.format import Parameter
from tgite_conform.random_values import (
    MANY_ARMS,
    MOST_ARMS,
    arms,
    at_a_width,
    conventions,
    is_level,
    level,
)
from tgite_conform.record import Recipe
from tgite_laws.pairwise import TESTS


def recipe(drawn: random.Random, algorithm: str, many_arms: float) -> Recipe:
    """Draw a recipe for an algorithm that is no certificate; ``many_arms``: how often it has."""
    row = ALGORITHMS[algorithm]
    by = conventions(drawn)
    N = drawn.choice((2, 3, 4, 5, 6, 7, 8, drawn.randint(2, MOST_ARMS)))
    many = drawn.random() > 1 - many_arms
    if many:
        N = min(at_a_width(drawn, 2), MANY_ARMS)
    if "power_of_two" in algorithm:
        N = 2 ** drawn.randint(1, MANY_ARMS.bit_length() - 1 if many else 5)
    parameters: dict[str, Parameter] = {"N": N} if "N" in row.parameters else {}
    bad = ""
    for name in row.parameters:
        if name in row.optional and drawn.random() < 0.5:
            continue
        match name:
            case "u" | "v":
                parameters |= zip(("u", "v"), arms(drawn, 2, by.first_arm), strict=True)
            case "S":
                parameters[name] = arms(drawn, N, by.first_arm)
            case "b" | "b_0" | "c":
                parameters[name] = drawn.randrange(N) + by.first_arm
            case "H":
                most = 10 ** drawn.choice((1, 2, 3, 4, 30))
                at_random = drawn.randint(1, most)
                parameters[name] = drawn.choice((at_random, at_a_width(drawn, 1)))
            case "g":
                denominator = drawn.randint(2, 30)
                gap = Fraction(drawn.randint(1, denominator), 2 * denominator)
                parameters[name] = write_rational(max(gap, Fraction(1, 20)))
                if 2 * gap == 1 and not row.test.of_the_paper:
                    bad = name
            case _ if name != "N":
                factor = row.is_a_test or name == "rho"
                parameters[name] = text = level(drawn, drawn.random() < 0.3 and factor)
                bad = bad or ("" if is_level(text) else name)
    cut = row.endless or drawn.random() < 0.1
    horizon = int(10 ** drawn.uniform(0, 3.5)) if cut else None
    budgeted = TESTS[row.test].budget_times > 0
    # Of many arms each match is short.
    outcomes = plans.plan(plans.cycle(N), plans.straight) if many else _plan(drawn, N, budgeted)
    return Recipe("drawn at random", algorithm, parameters, outcomes, by, horizon, bad)


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
