"""Laws in exact arithmetic, for small n: what the float laws are checked against.

Nothing here shares code with the float laws: integer boundaries come from the checks' ball
arithmetic, the dynamic program runs over (n, S) in whole numbers, and the third way plays the
transcription on every sequence of outcomes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from tgite_checks.fidelity.boundaries import least_budgeted_margin, least_margin
from tgite_laws.boundary import Boundary


@dataclass(frozen=True, slots=True)
class RationalLaw:
    """The joint law of (number of duels, arm returned) up to some n.

    ``first[n]`` and ``second[n]`` are the probabilities that the test ends after n duels and
    returns the first or the second arm; ``going_on`` is the rest.
    """

    first: dict[int, Fraction]
    second: dict[int, Fraction]
    going_on: Fraction


def real_leads(boundary: Boundary, last: int) -> list[int]:
    """Return, for n = 1..last, the least lead of n's parity that the checks find to stop."""
    g, delta = boundary.gap, boundary.delta
    leads: list[int] = []
    for n in range(1, last + 1):
        least = least_budgeted_margin(n, g, delta) if g else least_margin(n, delta)
        leads.append(max(n % 2, least + (least - n) % 2))
    return leads


def rational_law(leads: list[int], p: Fraction, budget: int | None = None) -> RationalLaw:
    """Return the exact law of the test with these stopping leads (of n = 1, 2, ...).

    After ``budget`` duels, if given, the majority decides, the first arm winning a tie.
    """
    last = len(leads) if budget is None else min(budget, len(leads))
    return law_of_rule(lambda n, S: n == budget or leads[n - 1] <= abs(2 * S - n), p, last)


def law_of_rule(stops: Callable[[int, int], bool], p: Fraction, last: int) -> RationalLaw:
    """Return the exact law, up to n = last, of a test that ends where ``stops(n, S)`` holds.

    It returns the arm with more wins, the first one after a tie.
    """
    first: dict[int, Fraction] = {}
    second: dict[int, Fraction] = {}
    wins, whole = p.numerator, p.denominator
    # The probability to go on with S wins of the first arm, times whole**n.
    weights: dict[int, int] = {0: 1}
    for n in range(1, last + 1):
        stepped: Counter[int] = Counter()
        for S, weight in weights.items():
            stepped[S] += weight * (whole - wins)
            stepped[S + 1] += weight * wins
        ended = {S: weight for S, weight in stepped.items() if stops(n, S)}
        weights = {S: weight for S, weight in stepped.items() if S not in ended}
        to_first = sum(weight for S, weight in ended.items() if n <= 2 * S)
        first[n] = Fraction(to_first, whole**n)
        second[n] = Fraction(sum(ended.values()) - to_first, whole**n)
    return RationalLaw(first, second, Fraction(sum(weights.values()), whole**last))
