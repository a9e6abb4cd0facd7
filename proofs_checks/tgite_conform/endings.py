"""What ends a one-sided match, by the definitions: evidence, and what it is compared with."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tgite import Confidence
from tgite.beyond.certificate import Rule
from tgite_conform.margins import evidence, likelihood


@dataclass(frozen=True, slots=True)
class Weighing:
    """Evidence for the first arm of a one-sided match, and what it is compared with.

    It is the likelihood of the gap ``g``, or where that is None, MixtureTest's evidence. It
    decides when it reaches ``1/level``, or ``falls`` to ``level``. ``for_the_second``: it is
    evidence for the second arm.
    """

    level: Confidence
    g: Fraction | None = None
    falls: bool = False
    for_the_second: bool = False

    def weighed(self, n: int, S: int) -> Fraction:
        """Return the evidence after n duels, S of them won, over what it is compared with."""
        wins = n - S if self.for_the_second else S
        at = self.level.rational if self.falls else 1 / self.level.rational
        weight = evidence(n, wins) if self.g is None else likelihood(self.g, n, wins)
        return weight / at

    def wins(self, n: int) -> int:
        """Return from which S on, or up to which one, it decides after n duels."""
        # What computes with balls takes longer to load than the help of a command should take.
        from tgite_checks.fidelity.evidence import least_likely, mixture_lead, most_unlikely

        if self.g is None:
            wins = (n + mixture_lead(n, self.level)) // 2
        else:
            wins = (most_unlikely if self.falls else least_likely)(n, self.g, self.level)
        return n - wins if self.for_the_second else wins


@dataclass(frozen=True, slots=True)
class Ending:
    """What ends a one-sided match, by the definitions: see :class:`~tgite.beyond.certificate.Rule`.

    One of ``won``, ``lost``, or both of ``equivalent``.
    """

    won: tuple[Weighing, ...]
    lost: Weighing
    equivalent: tuple[Weighing, Weighing] | None = None

    @property
    def all(self) -> tuple[Weighing, ...]:
        """All that is looked at."""
        return (*self.won, self.lost, *(self.equivalent or ()))

    @property
    def rule(self) -> Rule:
        """The rule, which finds the ends after any number of duels at once."""

        def won(n: int) -> int:
            return min(one.wins(n) for one in self.won)

        if self.equivalent is None:
            return Rule(won, self.lost.wins)
        no_better, no_worse = self.equivalent
        return Rule(won, self.lost.wins, no_better.wins, no_worse.wins)
