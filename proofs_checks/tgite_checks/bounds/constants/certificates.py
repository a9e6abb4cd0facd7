"""Certificates that a constant is large enough, for all gaps, levels and numbers of arms.

Every function takes the constant and returns whether ball arithmetic shows the inequality in its
docstring. Horizons and times are in :mod:`.horizons` and :mod:`.phases`. In the inequalities

- A is log(1/gap) + 1 with DuelTest, and 1 with the budgeted test of a known gap;
- w, E and v are ``tests``, ``logs`` and ``at_level`` of the algorithm's :class:`.Totals`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import log

from flint import arb, ctx

from tgite.checked import checked
from tgite_checks.bounds.constants.cover import WHOLE, Affine, Cell, Cover, Shown, cover
from tgite_checks.bounds.constants.lines import Duration, duration, touching
from tgite_checks.bounds.constants.totals import Totals, log_rounds
from tgite_laws.balls import ball, log_integer_ball

BITS = 64
_ONE_GAP = 0.1
_ONE_CELL = (Cell(Fraction(0), Fraction(1, 2)),)


@dataclass(frozen=True, slots=True)
class Pairwise:
    """A bound on the expected duration of one test, for all gaps of a cell and every level.

    ``bound(cell, guess)`` is tight where log(1/level) is near ``guess``, and ``None`` if the guess
    gives no bound. ``gap_logs`` is 1 where A is log(1/gap) + 1, and 0 where A is 1.
    """

    bound: Callable[[Cell, float], Duration | None]
    gap_logs: int

    @property
    def once(self) -> Affine:
        """Return A as a function of log(1/gap)."""
        return Affine(arb(1), arb(self.gap_logs))

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells to begin with: a single one if one bound serves all gaps."""
        return WHOLE if self.gap_logs else _ONE_CELL


def _by_line(cell: Cell, guess: float) -> Duration | None:
    return duration(touching(cell.middle, guess), cell.gap)


def _by_one_line(cell: Cell, guess: float) -> Duration | None:
    return duration(touching(_ONE_GAP, guess), cell.gap)


def _by_budget(cell: Cell, guess: float) -> Duration:
    """Return ``g^2 (x + 1)``, above g^2 times the budget ceil(x), x = log(4/delta)/(2 g^2)."""
    g = ball(cell.high)
    return Duration(log_integer_ball(4) / 2 + g * g, arb("0.5"), arb(0))


def _by_doubled_budget(cell: Cell, guess: float) -> Duration:
    return Duration(log_integer_ball(4), arb(1), arb(0))


DUEL_TEST = Pairwise(_by_line, 1)
ONE_LINE = Pairwise(_by_one_line, 1)
"""DuelTest, with the same line in all cells."""
KNOWN_GAP = Pairwise(_by_budget, 0)
DOUBLED = Pairwise(_by_doubled_budget, 0)
"""The budgeted test, with ceil(x) <= 2x in place of x + 1."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """Whether a constant is shown to suffice, the number of cells, and what was not shown."""

    shown: bool
    cells: int
    missing: str = ""


Certify = Callable[[Fraction], Certificate]
"""Returns whether a constant is shown to be large enough."""


@checked
def certified(covers: Callable[[], Iterator[tuple[str, Cover]]]) -> Certificate:
    """Combine covers, each with the name of its case; stop at the first incomplete one."""
    cells = 0
    with ctx.workprec(BITS):
        for case, made in covers():
            cells += len(made.cells)
            if not made.complete():
                where = "no cells" if made.missing is None else _between(made.missing)
                return Certificate(False, cells, f"{case}: not shown for {where}")
    return Certificate(cells > 0, cells)


def _between(cell: Cell) -> str:
    return f"gaps between {float(cell.low):.6g} and {float(cell.high):.6g}"


def cost(line: Duration, paid: Totals) -> Affine:
    """Bound the cost of the paid tests, without the part that grows with log(1/argument)."""
    return Affine(paid.tests * line.base + line.slope * paid.logs, paid.tests * line.per_log)


@checked
def all_gaps(
    constant: Fraction,
    totals: Callable[[], Totals],
    test: Pairwise = DUEL_TEST,
    start: tuple[Cell, ...] | None = None,
) -> Certificate:
    """Show ``gap^2 cost / N <= constant (log(1/argument) + A)``, for every argument in (0, 1).

    On each cell two inequalities suffice, with the straight line that bounds one test there:
    w base + slope E + w per_log log(1/gap) <= constant A, and v slope <= constant.
    """

    def covers() -> Iterator[tuple[str, Cover]]:
        C, paid = ball(constant), totals()
        mean = float(paid.logs / paid.tests)

        def shown(cell: Cell) -> bool:
            line = test.bound(cell, mean)
            if line is None or not bool(paid.at_level * line.slope <= C):
                return False
            return cost(line, paid).below(test.once.times(C), cell)

        yield "all gaps", cover(shown, test.cells if start is None else start)

    return certified(covers)


@checked
def one_epoch(
    constant: Fraction,
    test: Pairwise = DUEL_TEST,
    share: Callable[[], Fraction] = lambda: Fraction(1),
    with_false_positives: bool = True,
) -> Certificate:
    """Show the bound of one epoch: first a wrong incumbent, then the winner as incumbent.

    Let z = log(1/rho), y = log(1/kappa), and let U1 and U2 bound a screening and a match of the
    replacement.

    1. With a wrong incumbent the claim is, for all z, y >= 0,
       U1(z) + U2(y) <= constant (z + y + A + e^-z (y + A)).
    2. The slope in y is at most the constant, so y = 0 is the worst case. For the worst z see
       :func:`least_over_rho`.
    3. With the winner as incumbent, a challenger enters B with probability at most ``share`` rho.
       So share U2(y) <= constant (y + A) suffices.

    Without ``with_false_positives`` the right side lacks its second term, e^-z (y + A).
    """

    def covers() -> Iterator[tuple[str, Cover]]:
        shown = epoch_shown(ball(constant), test, with_false_positives)
        yield "a wrong incumbent", cover(shown, test.cells)

    wrong = certified(covers)
    if not wrong.shown:
        return wrong
    beater = Totals(arb(1), log_rounds(), arb(1))
    kept = all_gaps(constant, lambda: beater.times(share()), test)
    return Certificate(kept.shown, wrong.cells + kept.cells, kept.missing)


@checked
def epoch_shown(C: arb, test: Pairwise = DUEL_TEST, with_false_positives: bool = True) -> Shown:
    """Return the function that shows, on a cell, the bound of an epoch with a wrong incumbent."""
    rounds = log_rounds()
    one, one_match = Totals(arb(1), arb(0)), Totals(arb(1), rounds)

    def shown(cell: Cell) -> bool:
        # An approximate minimiser.
        once = 1 - test.gap_logs * log(cell.middle)
        screening = test.bound(cell, max(0.0, log(once)) if with_false_positives else 0.0)
        replacing = test.bound(cell, float(rounds))
        if screening is None or replacing is None:
            return False
        if not (bool(replacing.slope <= C) and bool(screening.slope < C)):
            return False
        right = test.once.times(C)
        if with_false_positives:
            A = cell.least_log * test.gap_logs + 1
            right = right.plus(Affine(least_over_rho(C, screening.slope, A), arb(0)))
        return cost(screening, one).plus(cost(replacing, one_match)).below(right, cell)

    return shown


@checked
def least_over_rho(C: arb, slope: arb, A: arb) -> arb:
    """Return the least value of C (z + A e^-z) - slope z over all z, for slope < C.

    It is attained where C A e^-z = C - slope, and increases with A.
    """
    left = C - slope
    return left * (1 + (C * A / left).log())


@checked
def one_budget(constant: Fraction) -> Certificate:
    """Show ``g^2 ceil(log(4/delta)/(2 g^2)) <= constant (log(1/delta) + 1)`` for g <= 1/2.

    Let M be the ceiling. If M <= 3, then g^2 M <= 3/4. Otherwise g^2 < log(4/delta)/(2(M-1)). So
    g^2 M is below M/(M-1) log(4/delta)/2, which is at most 2/3 log(4/delta). As log 4 >= 1, this is
    at most 2/3 log 4 (log(1/delta) + 1).
    """
    with ctx.workprec(BITS):
        log_4 = log_integer_ball(4)
        shown = bool(2 * log_4 / 3 <= ball(constant)) and constant >= Fraction(3, 4)
        return Certificate(shown and bool(log_4 >= 1), 1, "" if shown else "M = 4, delta -> 1")
