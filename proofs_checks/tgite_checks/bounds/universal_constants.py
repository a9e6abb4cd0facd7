"""Truth of "there is a universal constant C": certified above, attained below."""

from __future__ import annotations

import functools
from fractions import Fraction
from math import inf, nextafter

from tgite_checks.bounds.comparing import rational
from tgite_checks.bounds.constants.catalogue import CONSTANTS, Certify, Constant
from tgite_checks.check import Check, Depth, Kind, Number, Question, Result
from tgite_checks.enclosure import Enclosure
from tgite_checks.implementation import Implementation


def examined(
    under_test: Implementation,
    depth: Depth,
    *,
    constant: Constant,
    certified: Fraction | None = None,
    certify: Certify | None = None,
) -> Result:
    """Show that the constant is in [a, b]: b by its certificate, a by an exact law.

    ``certified`` replaces b, and ``certify`` the certificate (to be refused).
    """
    b = constant.certified if certified is None else certified
    certificate = (constant.certify if certify is None else certify)(b)
    found = constant.attained(under_test, depth)
    proved = constant.machine_checked()
    name = constant.name
    count = certificate.cells + 1
    if not certificate.shown:
        return Result(False, count, f"{name} = {float(b)} is not shown", (), certificate.missing)
    for what, value in (("certified", b), ("machine-checked", proved)):
        if value is not None and Fraction(found.value) > value:
            wrong = f"{name} >= {found.value} at {found.where}, above the {what} {float(value)}"
            return Result(False, count, "attained value above a bound", (), wrong)
    numbers = [
        Number(name, Enclosure(found.value, _above(b))),
        Number("b/a", _quotient(b, found.value)),
    ]
    if proved is not None:
        numbers.append(Number("machine-checked constant", rational(proved)))
    held = f", {constant.held}" if constant.held else ""
    return Result(
        True,
        count,
        f"{name} in [{found.value:.5g}, {float(b)}]{held}: {certificate.cells} cells certify the "
        f"upper end; the lower is attained at {found.where}",
        tuple(numbers),
        plots=() if constant.curve is None else (constant.curve(under_test),),
    )


def _above(value: Fraction) -> float:
    near = float(value)
    return near if Fraction(near) >= value else nextafter(near, inf)


def _quotient(b: Fraction, a: float) -> Enclosure:
    return rational(b / Fraction(a))


def _check(constant: Constant) -> Check:
    run = functools.partial(examined, constant=constant)
    refuses = {
        f"{constant.name} = {float(constant.too_small)}": functools.partial(
            run, certified=constant.too_small
        )
    }
    for step, certify in constant.weakened.items():
        refuses[step] = functools.partial(run, certify=certify)
    return Check(
        name=f"constant-{constant.key}",
        question=Question.TRUTH,
        kind=Kind.CERTIFIED,
        domain=f"{constant.statement}, for {constant.domain}"
        + (f"; {constant.held}" if constant.held else ""),
        run=run,
        refuses=refuses,
    )


CHECKS = tuple(map(_check, CONSTANTS))
"""One check for each universal constant of the paper."""
