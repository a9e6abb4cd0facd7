"""Comparing numbers with what a statement allows."""

from __future__ import annotations

from collections.abc import Iterable

from tgite_checks.check import UNDECIDED, AtMost, Plot, Result, result_of
from tgite_checks.enclosure import rational
from tgite_checks.laws.balls import real

__all__ = ["UNDECIDED", "AtMost", "compared", "rational", "real"]


def compared(cases: Iterable[AtMost], what: str, plots: tuple[Plot, ...] = ()) -> Result:
    """Return the result of looking at all cases; ``what`` says what one case is."""
    return result_of((*cases, *plots), what)
