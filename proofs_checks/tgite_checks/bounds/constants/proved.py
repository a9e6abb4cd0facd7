"""The explicit constants of the machine-checked theorems, read from the record of the proofs.

A statement "there is a constant C" cannot be falsified; with one of these constants it can. No
constant is typed in by hand, so a proof with a smaller constant changes what the checks require.
"""

from __future__ import annotations

import functools
from fractions import Fraction

from flint import arb

from tgite_checks.proofs.record import proved
from tgite_laws.balls import ball, log_integer_ball


@functools.cache
def proved_constant(theorem: str, name: str) -> Fraction:
    """Return the constant ``name`` in the statement of ``theorem``.

    Raises ``LookupError`` if the record has no such number for the theorem.
    """
    theorems = proved()
    if theorem not in theorems:
        raise LookupError(f"no theorem {theorem} in the record of the proofs")
    definitions = theorems[theorem].constants
    value = definitions.get(name, "")
    for _ in definitions:  # A constant may be defined as another one.
        value = definitions.get(value.rpartition(".")[2], value)
    try:
        return Fraction(value.replace(" ", ""))
    except ValueError:
        raise LookupError(f"{name} in {theorem} is {value!r}, not a number") from None


def cost_bound(constant: Fraction, size: int, gap: Fraction, log_inverse: arb) -> arb:
    """Return a ball around ``constant size/gap^2 (log_inverse + log(1/gap) + 1)``.

    ``log_inverse`` is a ball around log(1/level). This is the form of all the paper's bounds.
    """
    return ball(constant * size / gap**2) * (log_inverse - ball(gap).log() + 1)


def known_gap_bound(constant: Fraction, size: int, g: Fraction, log_inverse: arb) -> arb:
    """Return a ball around ``constant size/g^2 (log_inverse + 1)``, the form with a known gap."""
    return ball(constant * size / g**2) * (log_inverse + 1)


def anytime_bound(constant: Fraction, extra: Fraction, size: int, gap: Fraction, T: int) -> arb:
    """Return ``constant size/gap^2 (log(T+1) + phases (log(1/gap) + 1)) + extra phases``.

    Here ``phases`` is loglog(T+2) + 1.
    """
    return _by_time(constant, extra, size, gap, T, 1 - ball(gap).log())


def known_gap_anytime_bound(
    constant: Fraction, extra: Fraction, size: int, g: Fraction, T: int
) -> arb:
    """Return :func:`anytime_bound` with a known gap: 1 in place of log(1/gap) + 1."""
    return _by_time(constant, extra, size, g, T, arb(1))


def _by_time(
    constant: Fraction, extra: Fraction, size: int, gap: Fraction, T: int, once: arb
) -> arb:
    phases = log_integer_ball(T + 2).log() + 1
    bracket = log_integer_ball(T + 1) + phases * once
    return ball(constant * size / gap**2) * bracket + ball(extra) * phases
