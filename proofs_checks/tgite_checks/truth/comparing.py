"""Comparing enclosed numbers with what a statement allows, case by case.

A case holds only if all that the number may be is at most all that the bound may be; a case that
the enclosures leave open counts as not shown, and its counterexample says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import inf, nextafter

from flint import arb

from tgite_checks.enclosure import Enclosure
from tgite_checks.laws.balls import ends
from tgite_checks.ledger.model import Number, Plot, Result

UNDECIDED = "undecided"
"""How the counterexample of a case begins that the enclosures leave open."""

_MOST_SHOWN = 12


@dataclass(frozen=True, slots=True)
class AtMost:
    """One case of a statement: the number called ``name`` is at most ``bound``."""

    name: str
    value: Enclosure
    bound: Enclosure

    @property
    def holds(self) -> bool:
        """Say whether the enclosures show it."""
        return self.value.high <= self.bound.low

    @property
    def wrong(self) -> str:
        """Say what is wrong with the case; nothing if it holds."""
        if self.holds:
            return ""
        said = f"{self.name}: {self.value} is not at most {self.bound}"
        return said if self.value.low > self.bound.high else f"{UNDECIDED}: {said}"

    @property
    def tightness(self) -> float:
        """The quotient value/bound, to tell which cases come closest."""
        if self.bound.high <= 0:
            return inf
        return self.value.high / self.bound.high


def compared(cases: Iterable[AtMost], what: str, plots: tuple[Plot, ...] = ()) -> Result:
    """Return the result of looking at all cases; ``what`` says what one case is.

    Of many cases the tightest are shown.
    """
    seen = tuple(cases)
    wrong = next((case for case in seen if not case.holds), None)
    tightest = sorted(seen, key=lambda case: -case.tightness)[:_MOST_SHOWN]
    shown = [case for case in seen if case in tightest]
    numbers = tuple(Number(case.name, case.value, case.bound) for case in shown)
    if wrong is not None:
        return Result(
            False, len(seen), f"not every {what} is within its bound", numbers, wrong.wrong
        )
    if not seen:
        return Result(False, 0, f"no {what} was looked at")
    return Result(
        True,
        len(seen),
        f"{len(seen)} cases ({what}), all within their bounds; the tightest reaches "
        f"{tightest[0].tightness:.4g} of its bound",
        numbers,
        plots=plots,
    )


def rational(low: Fraction | int, high: Fraction | int | None = None) -> Enclosure:
    """Enclose a rational number, or all that lies between two."""
    last = low if high is None else high
    return Enclosure(_float_below(low), _float_above(last))


def real(value: Callable[[], arb], bits: int = 128) -> Enclosure:
    """Enclose the real number around which ``value`` computes a ball at ``bits`` bits."""
    return rational(*ends(value, bits))


def _float_below(value: Fraction | int) -> float:
    near = _nearest(value)
    return near if near == value else nextafter(near, -inf)


def _float_above(value: Fraction | int) -> float:
    near = _nearest(value)
    return near if near == value else nextafter(near, inf)


def _nearest(value: Fraction | int) -> float:
    """Return the float nearest to ``value``; infinity beyond the largest."""
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf
