"""Certificates that a constant is large enough, for all gaps, levels and numbers of arms.

Every function takes the constant and says whether ball arithmetic shows the inequality that its
docstring names. There A stands for log(1/gap) + 1, and w, E, v for a bill's tests, logs and tests
at the argument's level. Horizons and times: :mod:`.horizons`, :mod:`.phases`; known gaps:
:mod:`.budgets`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import log

from flint import arb, ctx

from tgite.checked import checked
from tgite_checks.bounds.constants.bills import Bill, log_rounds
from tgite_checks.bounds.constants.cover import WHOLE, Cell, Cover, Shown, cover
from tgite_checks.bounds.constants.lines import duration, touching
from tgite_checks.laws.balls import ball

BITS = 64
_ONE_GAP = 0.1


@dataclass(frozen=True, slots=True)
class Certificate:
    """Whether a constant is shown to do, after how many cells; else what was not shown."""

    shown: bool
    cells: int
    missing: str = ""


@checked
def certified(covers: Callable[[], Iterator[tuple[str, Cover]]]) -> Certificate:
    """Gather covers, each with the name of the case that it is about; stop at a gap in one."""
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


@checked
def all_gaps(
    constant: Fraction,
    bill: Callable[[], Bill],
    start: tuple[Cell, ...] = WHOLE,
    one_line: bool = False,
) -> Certificate:
    """Show ``gap^2 cost / N <= constant (log(1/argument) + A)``, for every argument in (0, 1).

    With one line per cell: w base + slope (4 w log(1/gap) + E) <= constant A and v slope <=
    constant. With ``one_line`` it is the same line in all cells.
    """

    def covers() -> Iterator[tuple[str, Cover]]:
        C, paid = ball(constant), bill()
        mean = float(paid.logs / paid.tests)

        def shown(cell: Cell) -> bool:
            line = duration(touching(_ONE_GAP if one_line else cell.middle, mean), cell.gap)
            if line is None or not bool(paid.at_level * line.slope <= C):
                return False
            at_gap = paid.tests * line.base + line.slope * paid.logs
            return cell.nowhere_negative(C - at_gap, C - 4 * paid.tests * line.slope)

        yield "all gaps", cover(shown, start)

    return certified(covers)


@checked
def one_epoch(constant: Fraction, with_false_positives: bool = True) -> Certificate:
    """Show the bound of one epoch: a wrong incumbent, then the winner as incumbent.

    With z = log(1/rho), y = log(1/kappa), U1 and U2 the bounds of a screening and of a match of the
    replacement: U1(z) + U2(y) <= constant (z + y + A + e^-z (y + A)) for all z, y >= 0. The slope
    in y is at most the constant, so that y = 0 is worst; over z it is :func:`least_over_rho`. The
    winner as incumbent needs U2(y) <= constant (y + A) only.

    Without ``with_false_positives`` the right side lacks its second term, e^-z (y + A).
    """

    def covers() -> Iterator[tuple[str, Cover]]:
        yield "a wrong incumbent", cover(epoch_shown(ball(constant), with_false_positives))

    wrong = certified(covers)
    if not wrong.shown:
        return wrong
    kept = all_gaps(constant, lambda: Bill(arb(1), log_rounds(), arb(1)))
    return Certificate(kept.shown, wrong.cells + kept.cells, kept.missing)


@checked
def epoch_shown(C: arb, with_false_positives: bool = True) -> Shown:
    """Return what shows the bound of an epoch with a wrong incumbent on a cell."""
    rounds = log_rounds()

    def shown(cell: Cell) -> bool:
        # About where the least value is taken.
        worst = max(0.0, log(1 - log(cell.middle))) if with_false_positives else 0.0
        screening = duration(touching(cell.middle, worst), cell.gap)
        replacing = duration(touching(cell.middle, float(rounds)), cell.gap)
        if screening is None or replacing is None:
            return False
        if not (bool(replacing.slope <= C) and bool(screening.slope < C)):
            return False
        at_gap = screening.base + replacing.base + replacing.slope * rounds
        right = arb(0)
        if with_false_positives:
            right = least_over_rho(C, screening.slope, cell.least_log + 1)
        return cell.nowhere_negative(
            C + right - at_gap, C - 4 * (screening.slope + replacing.slope)
        )

    return shown


@checked
def least_over_rho(C: arb, slope: arb, A: arb) -> arb:
    """Return the least value of C (z + A e^-z) - slope z over all z, for slope < C.

    It is taken where C A e^-z = C - slope, and increases with A.
    """
    left = C - slope
    return left * (1 + (C * A / left).log())
