"""Short forms for writing entries: verdicts, and checks that rely on machine-checked theorems."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from fractions import Fraction

from tgite_checks.bounds import universal_constants as constants
from tgite_checks.bounds.constants.catalogue import CONSTANTS
from tgite_checks.bounds.proved_constants import proved_constant
from tgite_checks.check import Check, Depth, Kind, Number, Question, Result
from tgite_checks.claims.model import Outcome, Verdict
from tgite_checks.enclosure import rational
from tgite_checks.implementation import Implementation
from tgite_checks.proofs.record import proved

NOTHING_CLAIMED = "claims nothing of its own"
"""The domain of a verdict on a heading or a picture."""


def fidelity(
    outcome: Outcome = Outcome.HOLDS,
    domain: str = "the cases of the checks below",
    amendment: str = "",
) -> Mapping[Question, Verdict]:
    """Return the verdict on fidelity."""
    return {Question.FIDELITY: Verdict(outcome, domain, amendment)}


def truth(outcome: Outcome, domain: str, amendment: str = "") -> Mapping[Question, Verdict]:
    """Return the verdict on truth."""
    return {Question.TRUTH: Verdict(outcome, domain, amendment)}


def experiment(outcome: Outcome, domain: str, amendment: str = "") -> Mapping[Question, Verdict]:
    """Return the verdict on the experiment."""
    return {Question.EXPERIMENT: Verdict(outcome, domain, amendment)}


def proved_by(label: str, domain: str, *theorems: str) -> Check:
    """Return the check that the proof kernel has accepted ``theorems``, which are about ``label``.

    Whether it did so on this machine is said apart, by the audit.
    """
    return Check(
        name=f"proved-{label.replace(':', '-')}",
        question=Question.TRUTH,
        kind=Kind.THEOREM,
        domain=domain,
        run=functools.partial(_in_the_record, label, theorems),
        certifies=theorems,
    )


def constants_of(label: str) -> tuple[Check, ...]:
    """Return the checks of the explicit constants in the paper's statement ``label``."""
    names = {f"constant-{constant.key}" for constant in CONSTANTS if label in constant.labels}
    return tuple(check for check in constants.CHECKS if check.name in names)


def certified(key: str) -> str:
    """Return the certified value of a universal constant, as it is written in an amendment."""
    return next(f"{float(one.certified):g}" for one in CONSTANTS if one.key == key)


def machine_checked(theorem: str, name: str) -> str:
    """Return the value of a constant in a proved theorem, as it is written in an amendment."""
    return str(proved_constant(theorem, name))


def _in_the_record(
    label: str, theorems: tuple[str, ...], under_test: Implementation, depth: Depth
) -> Result:
    record = proved()
    missing = [name for name in theorems if name not in record]
    if missing:
        return Result(False, len(theorems), "not proved", counterexample=f"no theorem {missing[0]}")
    found = [record[name] for name in theorems]
    if not any(label in theorem.labels for theorem in found):
        return Result(
            False, len(theorems), "proved of something else", counterexample=f"none names {label}"
        )
    numbers = tuple(
        Number(f"{constant} of {theorem.name}", rational(value))
        for theorem in found
        for constant, value in _constants(theorem.constants)
    )
    names = ", ".join(theorems)
    return Result(True, len(theorems), f"accepted by the proof kernel: {names}", numbers)


def _constants(constants: Mapping[str, str]) -> list[tuple[str, Fraction]]:
    """Return those constants that are plain numbers."""
    plain: list[tuple[str, Fraction]] = []
    for name, value in constants.items():
        try:
            plain.append((name, Fraction(value.replace(" ", ""))))
        except ValueError:
            continue
    return plain
