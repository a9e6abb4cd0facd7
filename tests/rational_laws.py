"""Laws in exact arithmetic, for small n: what the float laws are checked against.

Nothing here shares code with the float laws: integer boundaries come from ball arithmetic alone,
the dynamic program runs over (n, S) in whole numbers, and the third way drives the transcription
through every sequence of outcomes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

from tgite import Confidence, Duel, Outcome, PairwiseTest, TapeEnvironment, play
from tgite_laws.balls import ball, log_integer_ball, log_inverse_ball, sign
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
    """Return, for n = 1..last, the least lead of n's parity beyond the real boundary.

    Each is found by ball arithmetic alone, from the lead before.
    """
    leads: list[int] = []
    lead = 0
    for n in range(1, last + 1):
        lead = max(n % 2, lead - 1)
        while lead >= 2 and _beyond(boundary, n, lead - 2):
            lead -= 2
        while not _beyond(boundary, n, lead):
            lead += 2
        leads.append(lead)
    return leads


def _beyond(boundary: Boundary, n: int, lead: int) -> bool:
    """Decide ``lead + 2 g n > sqrt(2 n log(q(n)/delta))``."""
    left = (lead + 2 * n * boundary.gap) ** 2
    quotient = boundary.square * n**2 + boundary.linear * n
    return (
        sign(
            lambda: (
                ball(left) - 2 * n * (log_integer_ball(quotient) + log_inverse_ball(boundary.delta))
            ),
            f"lead {lead} after {n} duels at level {boundary.delta}",
        )
        > 0
    )


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


def law_of_outcomes(
    test: PairwiseTest[Duel, Outcome], delta: Confidence, p: Fraction, last: int
) -> RationalLaw:
    """Return the exact law up to n = last, from a run on every sequence of ``last`` outcomes."""
    none = dict.fromkeys(range(1, last + 1), Fraction(0))
    law = RationalLaw({**none}, {**none}, Fraction(0))
    for outcomes in product((True, False), repeat=last):
        run = play(test(0, 1, delta), TapeEnvironment(outcomes))
        chance = p ** sum(outcomes) * (1 - p) ** (last - sum(outcomes))
        if run.returned is None:
            law = replace(law, going_on=law.going_on + chance)
        else:
            (law.first if run.returned == 0 else law.second)[run.comparisons] += chance
    return law
