"""Confidence levels, exact.

Every level in the paper is a rational number, or a rational number times ``6/pi**2`` (in the rounds
of BKT). A level is stored as that rational number and a flag for the factor. Floats would fail: at
``delta = 4**-501`` the quotient ``2n(n+1)/delta`` overflows and DuelTest never stops. The
algorithms use ``log(1/delta)``, a float that is accurate for every level.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

from tgite.checked import checked
from tgite.errors import InvalidInput
from tgite.exact import basel_factor_enclosure, log_enclosure, round_enclosure

_POWER = re.compile(
    r"(?:(?P<factor>\S+)\s*\*\s*)?(?P<base>\d+)\s*(?:\^|\*\*)\s*-\s*(?P<exponent>\d+)"
)
_DECIMAL_EXPONENT = re.compile(r"[eE][+-]?(\d+)$")
_HEXADECIMAL = re.compile(r"(?P<above>0x[0-9a-f]+)/(?P<below>0x[0-9a-f]+)")
_BASEL_FACTOR = re.compile(r"\s*\*\s*6/pi(?:\^|\*\*)2$")
_RULE = "must lie strictly between 0 and 1"
_LARGEST_EXPONENT = 2**24
_LARGEST_DECIMAL_EXPONENT = 10**5
_SHORTEST_BARE_POWER = 8
_SHORTEST_POWER = 1024
_LONGEST_DECIMAL = 14_000  # bits; fewer than Python's own limit for decimal conversion


@functools.total_ordering
@dataclass(frozen=True, slots=True, repr=False)
class Confidence:
    """A confidence level in (0, 1): the allowed probability of error, delta.

    The level is ``rational``, times ``6/pi**2`` if ``basel`` is true. (BKT's levels add up to
    Euler's sum of ``1/r**2``, the Basel problem.) Levels compare, hash and print exactly. Since
    ``6/pi**2`` is irrational, two levels are equal only if both parts are.

    ``log_inverse`` is ``log(1/delta)`` as the nearest float or its neighbour.

    Raises :class:`~tgite.errors.InvalidInput` where the level is not strictly between 0 and 1.
    """

    rational: Fraction
    basel: bool = False
    log_inverse: float = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Check that the level lies in (0, 1) and take its logarithm."""
        rational, basel = self.rational, self.basel
        parts: tuple[object, object] = (rational, basel)
        if [type(part) for part in parts] != [Fraction, bool]:
            raise InvalidInput(
                "confidence", parts, "must be a Fraction and a bool (see Confidence.of)"
            )
        if rational <= 0 or (not basel and rational >= 1):
            raise InvalidInput("confidence", str(self), _RULE)
        if basel and _compare_with_inverse_basel_factor(rational) > 0:
            raise InvalidInput("confidence", str(self), _RULE)
        object.__setattr__(self, "log_inverse", float(_log_inverse(rational, basel)))

    @staticmethod
    @checked
    def of(value: str | int | float | Fraction) -> Confidence:
        """Read a level: ``"0.1"``, ``"1/10"``, ``"1e-30"``, ``"2^-1024"``, ``"1/40 * 6/pi^2"``.

        A float is read as the decimal number that Python prints for it, so 0.1 is one tenth.
        Raises :class:`~tgite.errors.InvalidInput` for anything that is not a level in (0, 1).
        """
        if isinstance(value, bool):
            raise InvalidInput("confidence", value, "must be a number")
        text = repr(value) if isinstance(value, float) else str(value).strip()
        basel = _BASEL_FACTOR.search(text) is not None
        return Confidence(read_rational("confidence", _BASEL_FACTOR.sub("", text)), basel)

    def __lt__(self, other: Confidence) -> bool:
        """Compare exactly, also a level with the factor with one without it."""
        if not isinstance(other, Confidence):
            return NotImplemented
        if self.basel == other.basel:
            return self.rational < other.rational
        if self.basel:
            return _compare_with_inverse_basel_factor(self.rational / other.rational) < 0
        return _compare_with_inverse_basel_factor(other.rational / self.rational) > 0

    def __repr__(self) -> str:
        """Show the level in a form that fits every level."""
        return f"Confidence({str(self)!r})"

    def __str__(self) -> str:
        """Write the level so that :meth:`of` reads the same one back."""
        text = write_rational(self.rational)
        return f"{text} * 6/pi^2" if self.basel else text


def read_rational(name: str, text: str) -> Fraction:
    """Read a rational exactly: a decimal, a quotient, or a negative power such as ``2^-1024``.

    ``name`` is the field that an :class:`~tgite.errors.InvalidInput` names.
    """
    text = text.strip()
    power = _POWER.fullmatch(text)
    hexadecimal = _HEXADECIMAL.fullmatch(text)
    try:
        if power is not None:
            base, exponent = int(power["base"]), int(power["exponent"])
            if base > 0 and exponent <= _LARGEST_EXPONENT:
                factor = Fraction(1) if power["factor"] is None else Fraction(power["factor"])
                return factor * Fraction(1, base**exponent)
        elif hexadecimal is not None:
            return Fraction(int(hexadecimal["above"], 16), int(hexadecimal["below"], 16))
        elif _is_plain_number(text):
            return Fraction(text)
    except (ValueError, ZeroDivisionError):
        pass
    raise InvalidInput(name, text, 'must be a number such as "0.1", "1/10" or "2^-1024"')


def read_number(name: str, value: str | int | float | Fraction) -> Fraction:
    """Read a finite number exactly; a float counts as the decimal that Python prints for it.

    ``name`` is the field that an :class:`~tgite.errors.InvalidInput` names.
    """
    if isinstance(value, bool):
        raise InvalidInput(name, value, "must be a number")
    try:
        if not isinstance(value, str) or _is_plain_number(value):
            return Fraction(repr(value) if isinstance(value, float) else value)
    except (ValueError, ZeroDivisionError):
        pass
    raise InvalidInput(name, value, "must be a finite number")


def _is_plain_number(text: str) -> bool:
    """Return whether a number is in ASCII, without underscores and with a small exponent.

    ``Fraction`` alone would accept the digits of other scripts, and would use up all memory for
    ``1e-999999999``.
    """
    if not text.isascii() or "_" in text:
        return False
    exponent = _DECIMAL_EXPONENT.search(text.strip())
    return exponent is None or int(exponent[1][:20]) <= _LARGEST_DECIMAL_EXPONENT


def write_rational(value: Fraction) -> str:
    """Write a rational exactly and shortly, so that :func:`read_rational` reads it back.

    Long powers of two in the denominator are written as powers, ``1/3 * 2^-16385``. Numbers that
    are still too long for Python's decimal conversion are written in hexadecimal.
    """
    numerator, denominator = value.numerator, value.denominator
    exponent = (denominator & -denominator).bit_length() - 1
    odd = denominator >> exponent
    if numerator == odd == 1 and exponent >= _SHORTEST_BARE_POWER:
        return f"2^-{exponent}"
    if exponent >= _SHORTEST_POWER:
        return f"{write_rational(Fraction(numerator, odd))} * 2^-{exponent}"
    if max(numerator.bit_length(), denominator.bit_length()) > _LONGEST_DECIMAL:
        return f"{numerator:#x}/{denominator:#x}"
    return f"{numerator:d}/{denominator:d}" if denominator > 1 else f"{numerator:d}"


def _compare_with_inverse_basel_factor(rational: Fraction) -> int:
    """Return the sign of ``rational * 6/pi**2 - 1``, which is never zero."""
    digits = 30
    while True:
        low, high = basel_factor_enclosure(digits)
        if rational * high < 1:
            return -1
        if rational * low > 1:
            return 1
        digits *= 2


def log_inverse_enclosure(level: Confidence, digits: int) -> tuple[Fraction, Fraction]:
    """Return rationals around ``log(1/level)``, from ``digits``-digit logarithms."""
    return _log_inverse_enclosure(level.rational, level.basel, digits)


def _log_inverse_enclosure(
    rational: Fraction, basel: bool, digits: int
) -> tuple[Fraction, Fraction]:
    low, high = log_enclosure(1 / rational, digits)
    if basel:
        factor_low, factor_high = _log_of_basel_factor(digits)
        low -= factor_high
        high -= factor_low
    return low, high


@functools.lru_cache(maxsize=4096)
def ceil_of_log(above: int, delta: Confidence, divisor: Fraction) -> int:
    """Return ``ceil(log(above/delta) / divisor)``, for ``above >= 1`` and ``divisor > 0``, exactly.

    The precision is raised until the ceiling is decided. For a rational ``delta`` it is decided
    at some precision, because the quotient is never a whole number (Lindemann).
    """
    digits = 40
    while True:
        low, high = log_inverse_enclosure(delta, digits)
        above_low, above_high = log_enclosure(Fraction(above), digits)
        fewest, most = ceil((low + above_low) / divisor), ceil((high + above_high) / divisor)
        if fewest == most:
            return most
        digits *= 2


@functools.lru_cache(maxsize=16)
def _log_of_basel_factor(digits: int) -> tuple[Fraction, Fraction]:
    low, high = basel_factor_enclosure(digits)
    return (
        log_enclosure(round_enclosure(low, digits)[0], digits)[0],
        log_enclosure(round_enclosure(high, digits)[1], digits)[1],
    )


@functools.lru_cache(maxsize=4096)
def _log_inverse(rational: Fraction, basel: bool) -> Fraction:
    """Return ``log(1/level)`` to a relative error below ``2**-60``."""
    digits = 40
    while True:
        low, high = _log_inverse_enclosure(rational, basel, digits)
        if low > 0 and high - low <= low / 2**60:
            return low
        digits *= 2
