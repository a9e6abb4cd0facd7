"""The check that the proof kernel has accepted the theorems that a claim relies on."""

from __future__ import annotations

import functools
import re
from fractions import Fraction

from tgite_checks.check import Depth, Kind, Number, Question, Result, StatementCheck
from tgite_checks.claims.model import PROOFS, Claim
from tgite_checks.proofs.record import proved
from tgite_laws.enclosure import rational
from tgite_laws.implementation import Implementation

_PLAIN = re.compile(r"\d+(/\d+)?")


def check(claim: Claim) -> StatementCheck:
    """Return the check that the kernel has accepted the theorems that prove a claim.

    The audit says separately whether that happened on this machine.
    """
    names = claim.checks[PROOFS]
    return StatementCheck(
        name=claim.check_of_proofs,
        question=Question.TRUTH,
        kind=Kind.THEOREM,
        domain=claim.proved_on,
        run=functools.partial(_in_the_record, claim, names),
        certifies=names,
    )


def _in_the_record(
    claim: Claim, names: tuple[str, ...], under_test: Implementation, depth: Depth
) -> Result:
    record = proved()
    absent = [name for name in names if name not in record]
    if absent:
        return Result(False, len(names), "not proved", counterexample=f"no theorem {absent[0]}")
    found = [record[name] for name in names]
    if not any(claim.is_proved_by(theorem.labels) for theorem in found):
        summary = "the theorems are about something else"
        return Result(False, len(names), summary, counterexample=f"none names {claim.label}")
    numbers = tuple(
        Number(f"{constant} of {theorem.name}", rational(Fraction(value)))
        for theorem in found
        for constant, written in theorem.constants.items()
        if _PLAIN.fullmatch(value := written.replace(" ", ""))
    )
    return Result(True, len(names), f"accepted by the proof kernel: {', '.join(names)}", numbers)
