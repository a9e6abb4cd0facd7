"""The check that the proof kernel has accepted the theorems that a claim relies on."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection
from fractions import Fraction

from tgite_checks.check import Depth, Kind, Number, Question, Result, StatementCheck
from tgite_checks.proofs.record import proved
from tgite_laws.enclosure import rational
from tgite_laws.implementation import Implementation

_PLAIN = re.compile(r"\d+(/\d+)?")


def check(
    name: str, domain: str, names: tuple[str, ...], proves: Callable[[Collection[str]], bool]
) -> StatementCheck:
    """Return the check that the kernel has accepted the theorems that prove a claim.

    ``proves`` says whether a theorem about these labels may prove it. The audit says separately
    whether the proofs were compiled on this machine.
    """
    run = functools.partial(_in_the_record, names, proves)
    return StatementCheck(name, Question.TRUTH, Kind.THEOREM, domain, run, certifies=names)


def _in_the_record(
    names: tuple[str, ...],
    proves: Callable[[Collection[str]], bool],
    under_test: Implementation,
    depth: Depth,
) -> Result:
    record = proved()
    absent = [name for name in names if name not in record]
    if absent:
        return Result(False, len(names), "not proved", counterexample=f"no theorem {absent[0]}")
    found = [record[name] for name in names]
    if not any(proves(theorem.labels) for theorem in found):
        summary = "the theorems are about something else"
        return Result(False, len(names), summary, counterexample="none is about this claim")
    numbers = tuple(
        Number(f"{constant} of {theorem.name}", rational(Fraction(value)))
        for theorem in found
        for constant, written in theorem.constants.items()
        if _PLAIN.fullmatch(value := written.replace(" ", ""))
    )
    return Result(True, len(names), f"recorded as proved: {', '.join(names)}", numbers)
