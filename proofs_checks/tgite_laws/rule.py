"""When a pairwise test stops and which arm it returns, read from its own code.

A test adds up its outcomes and compares the sum. Here each outcome is a symbol. So the comparisons
are recorded as functions of W, the number of duels won by the first arm of the duel. The reader
then decides whether each comparison holds. So every line of a test takes part in its law.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from tgite.confidence import Confidence
from tgite.errors import InvalidInput
from tgite.questions import Arm, Duel, Outcome, PairwiseTest
from tgite_laws.boundary import Integers, least_leads, stopping_leads

Booleans: TypeAlias = npt.NDArray[np.bool_]

_Form: TypeAlias = tuple[int, float, bool, Callable[[Any, Any], Any]]
"""``(weight, centre, absolute, compare)`` of a comparison ``compare(value, limit)``, where
``value = (weight W + constant) / divisor - centre``, or its absolute value."""
_Row: TypeAlias = tuple[int, int, int, float]
"""``(outcomes, constant, divisor, limit)``: W is the number of wins among ``outcomes`` duels."""

ONE_BY_ONE = 4096
"""The first duels, which are read one by one even if a test's comparisons are known."""


@dataclass(frozen=True, slots=True)
class Known:
    """The comparisons of a known test: their form, their row after n duels, their leads."""

    form: _Form
    row: Callable[[int], _Row]
    leads: Callable[[int, int], Integers]


def mean_beyond(radius: Callable[[int], float]) -> Known:
    """Return the comparisons ``abs(S/n - 1/2) > radius(n)``."""
    return Known(
        (1, 0.5, True, operator.gt),
        lambda n: (n, 0, n, radius(n)),
        lambda first, last: stopping_leads(radius, first, last),
    )


# Every run has new arms, so that a test's cached data on a pair has no effect.
_fresh_arms = itertools.count(0, 2)


class _Reading:
    """A run of a test on symbolic outcomes; ``holds(k)`` decides its k-th comparison."""

    def __init__(
        self, test: PairwiseTest[Duel, Outcome], delta: Confidence, holds: Callable[[int], bool]
    ) -> None:
        self.u = next(_fresh_arms)
        self._stream = test(self.u, self.u + 1, delta)
        self._holds = holds
        self._outcome = cast(Outcome, _Score(self, 1, 1, 0))
        self.question = next(self._stream)
        self.asked = 1
        self.compared = 0
        self.forms: list[_Form] = []
        self.rows: list[_Row] = []
        self.returned: Arm | None = None

    def advance(self) -> bool:
        """Send one more outcome; return whether the test asks for another duel."""
        try:
            if self._stream.send(self._outcome) != self.question:
                raise InvalidInput("pairwise test", self.question, "must repeat its duel")
        except StopIteration as stop:
            self.returned = stop.value
            return False
        self.asked += 1
        return True

    def read(self, count: int) -> None:
        """Read until there are ``count`` comparisons, or the test ends."""
        while len(self.rows) < count and self.advance():
            pass

    def compare(self, form: _Form, row: _Row) -> bool:
        """Record a comparison, and its form if that has changed; return its decision."""
        if not self.forms or form != self.forms[-1]:
            self.forms.append(form)
        self.rows.append(row)
        self.compared += 1
        return self._holds(self.compared - 1)


@dataclass(slots=True, eq=False)
class _Score:
    """The symbolic score ``(weight W + constant) / divisor - centre``, or its absolute value.

    Divisor 0 means that nothing has been divided yet.
    """

    reading: _Reading
    outcomes: int
    weight: int
    constant: int
    divisor: int = 0
    centre: float = 0.0
    absolute: bool = False

    def __add__(self, other: _Score | int) -> _Score:
        outcomes, constant = self.outcomes, self.constant
        if isinstance(other, _Score):
            if other.weight != self.weight:
                raise InvalidInput(
                    "pairwise test", other.weight, "must give all outcomes the same weight"
                )
            outcomes, other = outcomes + other.outcomes, other.constant
        return _Score(self.reading, outcomes, self.weight, constant + other)

    __radd__ = __add__

    def __rsub__(self, other: int) -> _Score:
        return _Score(self.reading, self.outcomes, -self.weight, other - self.constant)

    def __rmul__(self, factor: int) -> _Score:
        return _Score(self.reading, self.outcomes, factor * self.weight, factor * self.constant)

    def __truediv__(self, divisor: int) -> _Score:
        return _Score(self.reading, self.outcomes, self.weight, self.constant, divisor)

    def __sub__(self, centre: float) -> _Score:
        if self.divisor == 0 and isinstance(centre, int):
            return self + -centre
        return replace(self, centre=centre, absolute=False)

    def __abs__(self) -> _Score:
        return replace(self, absolute=True)

    def __bool__(self) -> bool:
        raise InvalidInput("pairwise test", "outcome", "must be added up, not looked at")

    def _compared(self, compare: Callable[[Any, Any], Any], limit: float) -> bool:
        return self.reading.compare(
            (self.weight, self.centre, self.absolute, compare),
            (self.outcomes, self.constant, self.divisor or 1, limit),
        )

    def __gt__(self, limit: float) -> bool:
        return self._compared(operator.gt, limit)

    def __ge__(self, limit: float) -> bool:
        return self._compared(operator.ge, limit)

    def __lt__(self, limit: float) -> bool:
        return self._compared(operator.lt, limit)

    def __le__(self, limit: float) -> bool:
        return self._compared(operator.le, limit)


class Rule:
    """A test's behaviour at one level, as far as it has been read.

    - ``first_asked``: whether the duels' first arm is the test's first argument.
    - ``uncounted``: the number of duels before those that count.
    - ``early``: whether the first argument is returned where the test stops with the duels' first
      arm in front, and where it stops with that arm behind.
    - ``last``: the most duels that count, known once the test has been seen to end.

    Raises :class:`~tgite.errors.InvalidInput` for a test that does not add up its outcomes and
    compare the sum.
    """

    def __init__(
        self,
        test: PairwiseTest[Duel, Outcome],
        delta: Confidence,
        known: Known | None = None,
    ) -> None:
        """Read which arm the test returns when it stops at its first comparison.

        If the first ``ONE_BY_ONE`` comparisons are the ``known`` ones, the later ones are assumed
        to be known too.
        """
        self._test, self._delta, self._known = test, delta, known
        stopped = [self._stopped(decided) for decided in (True, False)]
        first_row, *decision = stopped[0].rows
        self.uncounted = stopped[0].asked - first_row[0]
        self._stops_early = stopped[0].returned is not None
        wins = np.array([first_row[0], 0])
        self.early: list[bool] = _returns_u(stopped, decision[:1], wins).tolist()
        self._reading = _Reading(test, delta, lambda k: False)
        self.first_asked = self._reading.question.first == self._reading.u
        self.last: int | None = None
        self._lead_at_end = 0
        self._ended: list[_Reading] = []
        self._final: list[_Row] = []

    def _stopped(self, decided: bool) -> _Reading:
        """Return a run whose first comparison holds, and whose second one is ``decided``."""
        reading = _Reading(self._test, self._delta, lambda k: k == 0 or decided)
        reading.read(1)
        if not reading.rows:
            raise InvalidInput("pairwise test", self._test, "must compare its score")
        return reading

    def leads(self, first: int, last: int) -> Integers:
        """Return the stopping leads of ``n = first..last`` duels that count.

        Calls must be in the order of n. If the test ends earlier, there are fewer leads, and the
        last one is 0. Raises :class:`~tgite_laws.balls.NearTie` where the test favours one arm.
        """
        known = self._known
        if known is not None and first > ONE_BY_ONE:
            return known.leads(first, last)
        reading = self._reading
        reading.rows = []
        reading.read(last - first + 1)
        rows = reading.rows
        if reading.returned is not None:
            self._read_the_end(rows)
        if len(reading.forms) != 1 + len(self._final):
            raise InvalidInput("pairwise test", reading.forms, "must compare in one way")
        n = np.array([row[0] for row in rows], np.int64)
        if n[0] != first or (np.diff(n) != 1).any():
            raise InvalidInput("pairwise test", rows[0], "must compare once after each duel")
        leads = n + 2
        if self._stops_early:
            leads = _least_leads(reading.forms[0], rows, n)
        if self.last is not None:
            self._lead_at_end, leads[-1] = int(leads[-1]), 0
        if known is not None and not (
            reading.forms == [known.form]
            and self.uncounted == 0
            and all(row == known.row(k) for k, row in enumerate(rows, first))
        ):
            self._known = None
        return leads

    def _read_the_end(self, rows: list[_Row]) -> None:
        """Record which arm the test returns after its last duel."""
        end = self._reading.compared - 1
        if len(rows) > 1 and rows[-1][0] == rows[-2][0]:
            self._final = [rows.pop()]
        self.last = rows[-1][0]
        other = _Reading(self._test, self._delta, lambda k: k == end)
        while other.advance():
            pass
        self._ended = [other, self._reading]

    def before_the_end(self, leads: Integers) -> Integers:
        """Return the leads; the last becomes the lead that the last comparison asks for."""
        return np.append(leads[:-1], self._lead_at_end)

    def returns_first(self, duels: Integers, leads: Integers) -> tuple[Booleans, Booleans]:
        """Return whether the test returns its first argument, for each stop.

        A stop is a number of duels that count, with a lead. The first result is for stops with the
        duels' first arm in front, the second for stops with that arm behind.
        """
        ahead, behind = (np.full(len(duels), early) for early in self.early)
        if self.last is not None:
            end = (duels == self.last) & ((leads < self._lead_at_end) | (not self._stops_early))
            ahead[end] = _returns_u(self._ended, self._final, (self.last + leads[end]) // 2)
            behind[end] = _returns_u(self._ended, self._final, (self.last - leads[end]) // 2)
        return ahead, behind


def _returns_u(readings: list[_Reading], decision: list[_Row], wins: Integers) -> Booleans:
    """Return whether the first argument is returned, for each number of wins.

    ``readings`` are two runs: the final decision holds in the first, and fails in the second.
    ``decision`` is empty if there is no final decision.
    """
    if_so, if_not = (reading.returned == reading.u for reading in readings)
    if not decision:
        return np.full(len(wins), if_so)
    return np.where(_holds(readings[0].forms[-1], decision, wins[None, :])[0], if_so, if_not)


def _least_leads(form: _Form, rows: list[_Row], n: Integers) -> Integers:
    """Return for each n the least lead at which its comparison holds."""
    weight, centre, _, _ = form
    _, constants, divisors, limits = map(np.array, zip(*rows, strict=True))
    far = centre + np.sign(weight) * np.maximum(limits, 0.0)
    return least_leads(
        n, (divisors * far - constants) / weight, lambda wins: _holds(form, rows, wins)
    )


def _holds(form: _Form, rows: list[_Row], wins: Integers) -> Booleans:
    """Return the comparisons' decisions, one row each, in the test's own float arithmetic."""
    weight, centre, absolute, compare = form
    _, constants, divisors, limits = (np.array(part)[:, None] for part in zip(*rows, strict=True))
    value = (weight * wins + constants) / divisors - centre
    decided: Booleans = compare(np.abs(value) if absolute else value, limits)
    return decided
