"""Turning a run through cases into a result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from tgite.errors import InvalidInput
from tgite_checks.ledger.model import Depth, Result

_T = TypeVar("_T")

Cases = Iterator[str]
"""What a check looks at: for each case, nothing if it is right, else what is wrong with it."""


def by_depth(depth: Depth, quick: _T, standard: _T, deep: _T) -> _T:
    """Return the choice that belongs to a depth."""
    return {Depth.QUICK: quick, Depth.STANDARD: standard, Depth.DEEP: deep}[depth]


def result_of(cases: Cases, what: str) -> Result:
    """Look at the cases up to the first wrong one; ``what`` says what one case is.

    A refusal of input that is legal (an :class:`~tgite.errors.InvalidInput`) counts as wrong.
    """
    examined = 0
    wrong = ""
    try:
        for wrong in cases:
            examined += 1
            if wrong:
                break
    except InvalidInput as refusal:
        examined += 1
        wrong = f"refused: {refusal}"
    if wrong:
        return Result(False, examined, f"case {examined} ({what}) is wrong", counterexample=wrong)
    return Result(examined > 0, examined, f"{examined} cases ({what}), all right")
