"""Laws in exact arithmetic, for small n: what the float laws are checked against.

Nothing here shares code with the float laws: integer boundaries come from ball arithmetic alone,
the dynamic program runs over (n, S) in whole numbers, and the third way drives the transcription
through every sequence of outcomes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from tgite.questions import Arm, Duel, Outcome, Stream
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
    first: dict[int, Fraction] = {}
    second: dict[int, Fraction] = {}
    wins, whole = p.numerator, p.denominator
    losses = whole - wins
    # The probability to go on with S wins of the first arm, times whole**n.
    weights: dict[int, int] = {0: 1}
    n = 0
    for n, lead in enumerate(leads[:budget], start=1):
        stepped: Counter[int] = Counter()
        for S, weight in weights.items():
            stepped[S] += weight * losses
            stepped[S + 1] += weight * wins
        to_first = to_second = 0
        weights = {}
        for S, weight in stepped.items():
            if lead > abs(2 * S - n) and n != budget:
                weights[S] = weight
            elif n <= 2 * S:
                to_first += weight
            else:
                to_second += weight
        first[n], second[n] = Fraction(to_first, whole**n), Fraction(to_second, whole**n)
    return RationalLaw(first, second, Fraction(sum(weights.values()), whole**n))


@dataclass(frozen=True, slots=True)
class Enumeration:
    """How many outcome sequences end how: ``ended[n, S, arm]``, and ``open[S]`` that go on."""

    ended: Counter[tuple[int, int, Arm]]
    open: Counter[int]

    def rational_law(self, p: Fraction, first: Arm, last: int) -> RationalLaw:
        """Weigh the sequences for a pair with ``P(first wins) = p``; ``last`` is their length."""
        law = RationalLaw(
            {n: Fraction(0) for n in range(1, last + 1)},
            {n: Fraction(0) for n in range(1, last + 1)},
            sum((k * p**S * (1 - p) ** (last - S) for S, k in self.open.items()), Fraction(0)),
        )
        for (n, S, arm), count in self.ended.items():
            part = law.first if arm == first else law.second
            part[n] += count * p**S * (1 - p) ** (n - S)
        return law


def enumerate_outcomes(
    make_stream: Callable[[], Stream[Duel, Outcome, Arm]], last: int
) -> Enumeration:
    """Drive a pairwise test through every sequence of at most ``last`` outcomes."""
    ended: Counter[tuple[int, int, Arm]] = Counter()
    going_on: Counter[int] = Counter()
    outcomes: list[Outcome] = []
    while True:
        stream = make_stream()
        try:
            next(stream)
            for outcome in outcomes:
                stream.send(outcome)
            while len(outcomes) < last:
                outcomes.append(False)
                stream.send(False)
            going_on[sum(outcomes)] += 1
        except StopIteration as stop:
            ended[len(outcomes), sum(outcomes), stop.value] += 1
        # The next sequence in order: the last loss becomes a win.
        while outcomes and outcomes[-1]:
            outcomes.pop()
        if not outcomes:
            return Enumeration(ended, going_on)
        outcomes[-1] = True
