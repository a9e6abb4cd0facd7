"""The exact law of BudgetedDuelTest (``alg:budgeted-dueltest``), at every level, for every pair.

The dynamic program is the same as for DuelTest. Nothing is cut off, because the test ends within
its budget M. After M duels the majority decides, and the first argument wins a tie.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tgite.budgeted_duel_test import require_gap
from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.errors import InvalidInput
from tgite.preferences import Preferences, require_known_gap
from tgite_laws.arithmetic import ZERO
from tgite_laws.boundary import Boundary, certify
from tgite_laws.enclosure import Enclosure
from tgite_laws.implementation import REFERENCE, Implementation
from tgite_laws.match_law import MatchLaw, StoppingLaw, stopping_law
from tgite_laws.rule import Rule
from tgite_laws.walk import StoppedWalk, Stops, rounding_error


class BudgetedDuelTestLaws:
    """The laws of an implementation's BudgetedDuelTest for one gap g, computed on demand.

    With the transcription's own ``b``, every stopping lead is certified against the real boundary.
    A mutant's radius or budget is used without this check.
    """

    @checked
    def __init__(self, under_test: Implementation, g: Fraction) -> None:
        """Take the known gap ``g`` of the test, ``0 < g <= 1/2``."""
        require_gap(g)
        self._g = g
        self._test = under_test.known_gap(g)
        self._certified = under_test.known_gap is REFERENCE.known_gap
        self._budget = under_test.budget
        self._walks: dict[Confidence, tuple[Rule, Stops]] = {}
        self._laws: dict[tuple[Confidence, Fraction], MatchLaw] = {}

    @checked
    def law(self, delta: Confidence, p: Fraction) -> MatchLaw:
        """Return the law at level ``delta`` of a pair with ``P(first wins) = p``.

        Raises :class:`~tgite.errors.InvalidInput` unless ``0 < p < 1``,
        :class:`~tgite_laws.balls.NearTie` where the float rule is not certified, and
        :class:`~tgite_laws.walk.LevelTooSmall` for levels below about 1e-400.
        """
        key = (delta, p)
        if key not in self._laws:
            self._laws[key] = self.stopping_law(delta, p).match_law()
        return self._laws[key]

    @checked
    def stopping_law(self, delta: Confidence, p: Fraction) -> StoppingLaw:
        """Return the joint law of the duels and the arm returned; raises as :meth:`law` does."""
        if not 0 < p < 1:
            raise InvalidInput("p", str(p), "must lie strictly between 0 and 1")
        if delta not in self._walks:
            self._walks[delta] = self._walked(delta)
        rule, stops = self._walks[delta]
        return stopping_law(rule, stops, p, rounding_error(rule.last or 0))

    @checked
    def largest_error(self, delta: Confidence) -> Enclosure:
        """Return the largest error probability over all pairs with a gap of at least ``g``.

        Couple two pairs by shared uniform numbers. The walk of the greater p is never below the
        other walk. So the test returns ``v`` for the greater p only if it does for the smaller p.
        Hence the error is largest at the gap g itself, with either ``u`` or ``v`` as the better
        arm. The two errors differ at an even budget. No pair has a gap of 1/2, so the result is 0
        for ``g = 1/2``.
        """
        half = Fraction(1, 2)
        if self._g == half:
            return ZERO
        v_returned = self.law(delta, half + self._g).second.probability
        u_returned = self.law(delta, half - self._g).first.probability
        return Enclosure(max(v_returned.low, u_returned.low), max(v_returned.high, u_returned.high))

    @checked
    def longest_mean(self, delta: Confidence, gap: Fraction) -> float:
        """Return the budget, which bounds the expected number of duels whatever the gap."""
        return float(self._budget(self._g, delta))

    @checked
    def require(self, preferences: Preferences) -> None:
        """Refuse preferences without a winner, and those whose winner's gap is below ``g``."""
        require_known_gap(preferences, self._g)

    def _walked(self, delta: Confidence) -> tuple[Rule, Stops]:
        """Read the test to its end; return its rule and all stops."""
        rule = Rule(self._test, delta)
        most = 2 * self._budget(self._g, delta) + 2
        leads = rule.leads(1, most)
        if rule.last is None:
            raise InvalidInput("pairwise test", self._test, f"must end within {most} duels")
        if self._certified:
            boundary = Boundary(delta, square=8, linear=0, gap=self._g)
            certify(boundary, rule.before_the_end(leads), 1)
        walk = StoppedWalk()
        # The walk advances by an even number of duels. No path reaches the one that is added.
        walk.advance(np.append(leads, np.zeros(len(leads) % 2, np.int64)))
        return rule, walk.stops()
