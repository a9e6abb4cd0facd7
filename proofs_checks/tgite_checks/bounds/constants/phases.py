"""Certificates for strong regret at every time: phases of identification and self-play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from tgite.checked import checked
from tgite_checks.bounds.constants.certificates import (
    DUEL_TEST,
    Certificate,
    Pairwise,
    certified,
    cost,
)
from tgite_checks.bounds.constants.cover import Affine, Cell, Cover, Shown, cover
from tgite_checks.bounds.constants.shares import budgeted_share, error_share, tree_share
from tgite_checks.bounds.constants.totals import Arms, heights_of_arms
from tgite_laws.balls import ball, log_integer_ball

_PHASES = 7
"""Phases that are examined one by one; the others follow by induction."""

_ROUNDS_OF_TIME = 4


@checked
def phase_log(s: int) -> arb:
    """Return a ball around ``log(1/epsilon_s) = log B_s = 2^s log 2``."""
    return arb(2) ** s * log_integer_ball(2)


@checked
def self_played(phases: int) -> int:
    """Return the rounds of self-play of the first phases, B_1 + B_2 + ..."""
    return sum(2 ** (2**s) for s in range(1, phases + 1))


@dataclass(frozen=True, slots=True)
class Growth:
    """The anytime bracket log(T+1) + (loglog(T+2) + 1) A; with a known gap, A is 1."""

    test: Pairwise

    def _bracket(self, log_time: arb, double_log: arb) -> Affine:
        return Affine(log_time + double_log, double_log * self.test.gap_logs)

    def at(self, T: arb) -> Affine:
        """Return the bound's bracket at time T, which increases with T."""
        return self._bracket((T + 1).log(), (T + 2).log().log() + 1)

    def from_phase(self, K: int) -> Affine:
        """Return a lower bound of the bracket for all T from 2^2^(K-1) on."""
        return self._bracket(phase_log(K - 1), phase_log(K - 1).log() + 1)

    def step(self, K: int) -> Affine:
        """Return by how much the bound of :meth:`from_phase` grows from K to K + 1."""
        return self._bracket(phase_log(K - 1), log_integer_ball(2))


Pass = Callable[[Cell, float], Callable[[arb], Affine] | None]
"""For a cell and a guess of log(1/epsilon): a bound of gap^2/N times a pass's cost, any epsilon."""


def pass_of(arms: Arms, test: Pairwise) -> Pass:
    """Return a bound of a pass's cost, from the totals for these numbers of arms."""
    mean = float(arms.totals.logs / arms.totals.tests)

    def of_cell(cell: Cell, guess: float) -> Callable[[arb], Affine] | None:
        line = test.bound(cell, mean + guess)
        if line is None:
            return None
        return lambda log_inverse: cost(line, arms.totals.at(log_inverse))

    return of_cell


@checked
def anytime(
    constant: Fraction, test: Pairwise = DUEL_TEST, highest: int = 9, trivial: bool = True
) -> Certificate:
    """Show ``E[R_T] <= constant N/gap^2 bracket + loglog(T+2) + 1``, all T >= 2, N and trees.

    The bracket is log(T+1) + (loglog(T+2) + 1) A. Let K be the last phase that can have begun by
    time T, S <= T the self-play of K - 1 phases, and V_s a bound of pass s in units of N/gap^2.

    1. Self-play of wrong arms costs a share of B_s eps_s = 1 in each phase (tree_share times
       error_share or budgeted_share), in all less than loglog(T+2) + 1.
    2. The rest of E[R_T] is at most each of three numbers: T, then V_1 + ... + V_(K-1) + T - S,
       and V_1 + ... + V_K.
    3. If the claim failed at T, then by the first two numbers T would be at least some T_0. So it
       suffices that the third number is at most the claimed bound at T_0.
    4. T_0 increases with the number of arms, so of several numbers the least decides.
    5. For K > _PHASES one straight line bounds the tests of all phases, and the claimed bound grows
       by more than V_(K+1) from K to K + 1.

    Without ``trivial`` the first two numbers are not used.
    """
    growth = Growth(test)

    def covers() -> Iterator[tuple[str, Cover]]:
        C = ball(constant)
        # The levels of a pass are at most half of eps_1 = 1/4.
        share = tree_share() * (error_share() if test.gap_logs else budgeted_share(Fraction(1, 8)))
        for K in range(1, _PHASES + 2):
            double_log = (arb(max(2, self_played(K - 1))) + 2).log().log() + 1
            # From there on, one more phase adds log 2 to the double logarithm.
            if not bool(ball(K * share) <= double_log):
                yield f"losses of {K} phases", Cover(())
        for arms in heights_of_arms(highest):
            yield str(arms), cover(phases_shown(C, arms.N, pass_of(arms, test), growth, trivial))

    return certified(covers)


def phases_shown(C: arb, N: int, bound: Pass, growth: Growth, trivial: bool = True) -> Shown:
    """Return the function that shows the bound on a cell, for N or more arms."""

    def shown(cell: Cell) -> bool:
        before = Affine(arb(0), arb(0))
        for K in range(1, _PHASES + 1):
            of_phase = bound(cell, float(phase_log(K)))
            if of_phase is None:
                return False
            total = before.plus(of_phase(phase_log(K)))
            T = arb(max(2, self_played(K - 1)))
            if not total.below(growth.at(T).times(C), cell):
                if not trivial:
                    return False
                T = _time_needed(C, N, cell, growth, before, self_played(K - 1))
                if not total.below(growth.at(T).times(C), cell):
                    return False
            before = total
        return later_phases_shown(C, cell, bound, growth)

    return shown


def _time_needed(C: arb, N: int, cell: Cell, growth: Growth, before: Affine, played: int) -> arb:
    """Return a time before which the bound cannot fail, if ``played`` rounds are self-play."""
    per_round = N / ball(cell.high) ** 2
    spent = before.constant
    if cell.low > 0:
        spent = before.constant - before.per_log * ball(cell.low).log()
    T = arb(max(2, played))
    for _ in range(_ROUNDS_OF_TIME):
        allowed = growth.at(T).times(C)
        least = allowed.constant + allowed.per_log * cell.least_log
        T = _later(T, per_round * least)
        if cell.low > 0 and played > 0:
            T = _later(T, played + per_round * (least - spent))
    return T


def _later(a: arb, b: arb) -> arb:
    """Return a lower bound of the later of two times, as an exact ball."""
    return max(a.lower(), b.lower())


def later_phases_shown(C: arb, cell: Cell, bound: Pass, growth: Growth) -> bool:
    """Show the bound for K > _PHASES: at K = _PHASES + 1, and from each K to the next.

    From K to K + 1 the left side grows by V_(K+1), which is linear in 2^(K+1) log 2, and the right
    side by 2^(K-1) log 2 and a constant. The right side grows at least as much if it does so at K =
    _PHASES + 1 and if 4 slopes of V are at most C.
    """
    K = _PHASES + 1
    line = bound(cell, float(phase_log(K)) / 4)
    if line is None:
        return False
    total = Affine(arb(0), arb(0))
    for s in range(1, K + 1):
        total = total.plus(line(phase_log(s)))
    slope = line(arb(1)).constant - line(arb(0)).constant
    return (
        total.below(growth.from_phase(K).times(C), cell)
        and bool(4 * slope <= C)
        and line(phase_log(K + 1)).below(growth.step(K).times(C), cell)
    )
