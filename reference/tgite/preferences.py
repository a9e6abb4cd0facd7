"""The problem: arms, preferences, the Condorcet winner and the gaps (Section ``sec:pre``).

Which algorithm needs what:

* DuelTest-based policies need ``assump:condorcet-gap``: a Condorcet winner and a positive global
  gap Delta. (A match of two arms that tie need not end.)
* BudgetedDuelTest-based policies need a Condorcet winner and ``0 < g <= Delta*``. Other arms may
  tie.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol, runtime_checkable

from tgite.checked import checked
from tgite.confidence import read_number, write_rational
from tgite.errors import InvalidInput
from tgite.questions import Arm

HALF = Fraction(1, 2)
_LARGEST_DECIMAL = 10**300


class NoCondorcetWinner(InvalidInput):
    """No arm beats every other; ``cycle`` is a cycle (or a tie) among the top arms."""

    def __init__(self, cycle: tuple[Arm, ...], names: tuple[str, ...]) -> None:
        """Take the arms of ``cycle``, in which each arm beats or ties the next one."""
        self.cycle = cycle
        shown = " >= ".join(names[arm] for arm in (*cycle, cycle[0]))
        super().__init__(
            "preferences",
            shown,
            "no arm beats every other one (no Condorcet winner); these arms at the top beat or "
            "tie each other in a cycle",
        )


@runtime_checkable
class Preferences(Protocol):
    """The preferences among ``size`` arms, which may be computed rather than stored."""

    @property
    def size(self) -> int:
        """The number of arms, N >= 2."""

    @property
    def names(self) -> tuple[str, ...]:
        """The arms' names, in the order of their numbers."""

    def winner(self) -> Arm:
        """The Condorcet winner ``a*``; raises ``NoCondorcetWinner`` without one."""

    def winner_gap(self) -> Fraction:
        """``Delta* = min over j of p_{a*,j} - 1/2``, above 0."""

    def global_gap(self) -> Fraction:
        """``Delta = min over i != j of |p_ij - 1/2|``; 0 where two arms tie."""

    def probability(self, i: Arm, j: Arm) -> Fraction:
        """Return ``p_ij``, the probability that arm ``i`` beats arm ``j``."""


@dataclass(frozen=True, slots=True)
class PreferenceMatrix:
    """An exact preference matrix; every condition of the model is checked.

    ``rows[i][j]`` is ``p_ij`` as a :class:`~fractions.Fraction`. ``names`` default to the arms'
    numbers. Raises :class:`~tgite.errors.InvalidInput` unless the matrix is square with N >= 2
    rows, every entry lies strictly between 0 and 1, ``p_ij + p_ji = 1`` and ``p_ii = 1/2`` exactly,
    and the names are different and as many as the rows. A matrix may lack a Condorcet winner; only
    :meth:`winner` then raises.
    """

    rows: tuple[tuple[Fraction, ...], ...]
    names: tuple[str, ...] = ()
    _best: Arm | None = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Check every entry."""
        N = len(self.rows)
        if N < 2:
            raise InvalidInput("preferences", f"{N} arms", "must be a matrix of at least 2 arms")
        names = self.names or tuple(str(arm) for arm in range(N))
        if len(names) != N or len(set(names)) != N:
            raise InvalidInput("names", names, f"must be {N} different names, one for each arm")
        for name in names:
            if not name.isprintable():
                raise InvalidInput("names", repr(name), "must be printable: no control characters")
        for i, row in enumerate(self.rows):
            if len(row) != N:
                raise InvalidInput(
                    f"preferences[{names[i]}]", f"{len(row)} entries", f"must have {N}: not square"
                )
        for i, row in enumerate(self.rows):
            for j, p in enumerate(row):
                where = f"p[{names[i]},{names[j]}]"
                if not isinstance(p, Fraction):
                    raise InvalidInput(where, p, "must be a Fraction (see PreferenceMatrix.of)")
                if i == j and p != HALF:
                    raise InvalidInput(where, _decimal(p), "must be 1/2: the diagonal")
                if not 0 < p < 1:
                    raise InvalidInput(where, _decimal(p), "must lie strictly between 0 and 1")
                if j < i and p + self.rows[j][i] != 1:
                    both = f"{_decimal(self.rows[j][i])} + {_decimal(p)}"
                    raise InvalidInput(
                        f"p[{names[j]},{names[i]}] + p[{names[i]},{names[j]}]", both, "must be 1"
                    )
        best = next((i for i in range(N) if self._beats_all(i)), None)
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "_best", best)

    @staticmethod
    @checked
    def of(
        rows: Sequence[Sequence[str | int | float | Fraction]], names: Sequence[str] = ()
    ) -> PreferenceMatrix:
        """Read a matrix of numbers exactly; a float counts as the decimal that Python prints.

        Raises :class:`~tgite.errors.InvalidInput` for an entry that is not a finite number, and as
        the constructor does.
        """
        return PreferenceMatrix(
            tuple(
                tuple(read_number(f"p[{i},{j}]", entry) for j, entry in enumerate(row))
                for i, row in enumerate(rows)
            ),
            tuple(names),
        )

    @property
    def size(self) -> int:
        """The number of arms."""
        return len(self.rows)

    def winner(self) -> Arm:
        """The Condorcet winner; raises :class:`~tgite.errors.NoCondorcetWinner` without one."""
        if self._best is None:
            raise NoCondorcetWinner(top_cycle(self), self.names)
        return self._best

    def winner_gap(self) -> Fraction:
        """``Delta*``; raises :class:`~tgite.errors.NoCondorcetWinner` without a winner."""
        winner = self.winner()
        return min(p for j, p in enumerate(self.rows[winner]) if j != winner) - HALF

    def global_gap(self) -> Fraction:
        """``Delta``."""
        return min(abs(p - HALF) for i, row in enumerate(self.rows) for p in row[i + 1 :])

    def probability(self, i: Arm, j: Arm) -> Fraction:
        """Return ``p_ij``."""
        return self.rows[i][j]

    def _beats_all(self, i: Arm) -> bool:
        return all(p > HALF for j, p in enumerate(self.rows[i]) if j != i)


def _decimal(p: Fraction) -> str:
    """Write a fraction as a decimal if that is exact and short, else as a quotient."""
    if abs(p) < _LARGEST_DECIMAL:
        text = repr(float(p))
        if Fraction(text) == p:
            return text
    return write_rational(p)


def top_cycle(preferences: Preferences) -> tuple[Arm, ...]:
    """Return a cycle of top arms, each beating or tying the next, if no arm beats all others.

    The search follows shortest chains of "beats or ties" from an arm with the most wins. This arm
    loses to or ties with some arm. A chain reaches that arm, since both are among the top arms.
    """
    N = preferences.size

    def at_least_ties(i: Arm, j: Arm) -> bool:
        return i != j and preferences.probability(i, j) >= HALF

    wins = [sum(preferences.probability(i, j) > HALF for j in range(N) if j != i) for i in range(N)]
    start = wins.index(max(wins))
    goals = {j for j in range(N) if at_least_ties(j, start)}
    came_from: dict[Arm, Arm] = {start: start}
    frontier = [start]
    while frontier:
        reached: list[Arm] = []
        for i in frontier:
            for j in range(N):
                if j not in came_from and at_least_ties(i, j):
                    came_from[j] = i
                    reached.append(j)
                    if j in goals:
                        return _path(came_from, j)
        frontier = reached
    return (start,)


def _path(came_from: Mapping[Arm, Arm], end: Arm) -> tuple[Arm, ...]:
    path = [end]
    while came_from[path[-1]] != path[-1]:
        path.append(came_from[path[-1]])
    return tuple(reversed(path))


@checked
def require_condorcet_gap(preferences: Preferences) -> None:
    """Refuse preferences that break ``assump:condorcet-gap``, which DuelTest-based policies need.

    Raises :class:`~tgite.errors.NoCondorcetWinner` without a winner and
    :class:`~tgite.errors.InvalidInput` where two arms tie.
    """
    winner = preferences.winner()
    if preferences.global_gap() == 0:
        raise InvalidInput(
            "Delta",
            0,
            "must be above 0, but two arms tie and DuelTest hardly ever ends on a tie; use "
            f"BudgetedDuelTest with a gap g of at most {_decimal(preferences.winner_gap())} "
            f"(Delta*, of the winner {preferences.names[winner]}), which needs no global gap",
        )


@checked
def require_known_gap(preferences: Preferences, g: Fraction) -> None:
    """Refuse a ``g`` above the winner's gap ``Delta*``: the guarantees do not cover it.

    Raises :class:`~tgite.errors.NoCondorcetWinner` without a winner and
    :class:`~tgite.errors.InvalidInput` for such a gap.
    """
    if g > preferences.winner_gap():
        raise InvalidInput(
            "g", _decimal(g), f"must be at most Delta* = {_decimal(preferences.winner_gap())}"
        )
