"""The check that the proof kernel has accepted the theorems which a claim relies on."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from fractions import Fraction

from tgite_checks.check import Depth, Kind, Number, Question, Result, StatementCheck
from tgite_checks.enclosure import rational
from tgite_checks.implementation import Implementation
from tgite_checks.proofs.record import proved


def check(label: str, domain: str, names: tuple[str, ...]) -> StatementCheck:
    """Return the check that the theorems of these ``names``, about ``label``, are accepted.

    Whether that was done on this machine is said apart, by the audit.
    """
    return StatementCheck(
        name=f"proved-{label.replace(':', '-')}",
        question=Question.TRUTH,
        kind=Kind.THEOREM,
        domain=domain,
        run=functools.partial(_in_the_record, label, names),
        certifies=names,
    )


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
