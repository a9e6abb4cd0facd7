"""A universal constant of the paper: its interval [a, b], and the check of that interval."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from importlib.resources import files
from math import inf, nextafter
from typing import Any

import msgspec
from flint import ctx

from tgite_checks.bounds.constants.certificates import (
    DOUBLED,
    KNOWN_GAP,
    ONE_LINE,
    Certify,
    all_gaps,
)
from tgite_checks.bounds.constants.cover import WITHOUT_LIMIT
from tgite_checks.bounds.constants.proved import proved_constant
from tgite_checks.bounds.constants.totals import Totals
from tgite_checks.check import Check, Depth, Number, Result, StatementCheck, truth
from tgite_checks.plot import Plot
from tgite_laws.enclosure import Enclosure, rational
from tgite_laws.implementation import Implementation

_BITS = 160
"""Instances at the end of a domain are 2^-64 away from it."""


@dataclass(frozen=True, slots=True)
class Attained:
    """A lower bound of the constant, and the instance that attains it."""

    value: float
    where: str


class Proved(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A machine-checked constant for the same bound: ``name`` in ``theorem``."""

    theorem: str
    name: str
    remark: str = ""


class Stated(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The entry of a universal constant in ``constants.toml``, which explains the fields."""

    key: str
    name: str
    labels: tuple[str, ...]
    statement: str
    domain: str
    certified: Fraction
    too_small: Fraction
    held: str = ""
    proved: Proved | None = None

    @property
    def whole_domain(self) -> str:
        """The domain, with the constants that are held fixed."""
        return self.domain + (f"; {self.held}" if self.held else "")

    def machine_checked(self) -> Fraction | None:
        """Return the machine-checked constant for the same bound, if there is one."""
        if self.proved is None:
            return None
        return proved_constant(self.proved.theorem, self.proved.name)


def _read() -> Iterator[Stated]:
    text = files(__package__).joinpath("constants.toml").read_bytes()
    read = msgspec.toml.decode(
        text, type=dict[str, tuple[Stated, ...]], dec_hook=lambda _, value: Fraction(value)
    )
    yield from read["constant"]


STATED: Mapping[str, Stated] = {one.key: one for one in _read()}
"""The paper's universal constants by key, in its order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant:
    """One universal constant, with the evidence for its interval.

    ``certify(b)`` shows that ``b`` suffices on the whole domain; ``attained`` finds ``a``.
    ``weakened`` holds certificates with one step weakened, which do not reach ``b``. ``curve``
    draws the required constant over the domain. ``text_alone`` means that the lower end does not
    depend on an implementation.
    """

    stated: Stated
    certify: Certify
    attained: Callable[[Implementation, Depth], Attained]
    weakened: Mapping[str, Certify]
    curve: Callable[[Implementation], Plot] | None = None
    text_alone: bool = False

    def lower_end(self, under_test: Implementation, depth: Depth) -> Attained:
        """Return the attained lower bound, computed with enough bits."""
        with ctx.workprec(_BITS):
            return self.attained(under_test, depth)

    def check(self) -> Check:
        """Return the check that the constant is in [a, b]: certified above, attained below."""
        name, too_small = self.stated.name, self.stated.too_small
        made = truth(
            f"constant-{self.stated.key}",
            domain=f"There is a C with {self.stated.statement}, for {self.stated.whole_domain}.",
            case="cell",
            refuses={
                f"{name} = {float(too_small)}": {"certified": too_small},
                **{step: {"certify": certify} for step, certify in self.weakened.items()},
            },
        )(self._examined)
        return StatementCheck(**_fields(made)) if self.text_alone else made

    def _examined(
        self,
        under_test: Implementation,
        depth: Depth,
        *,
        certified: Fraction | None = None,
        certify: Certify | None = None,
    ) -> Result:
        """Examine the interval, or a perturbed one with another b or another certificate."""
        name = self.stated.name
        held = f", {self.stated.held}" if self.stated.held else ""
        b = self.stated.certified if certified is None else certified
        found = self.lower_end(under_test, depth)
        certificate = (certify or self.certify)(b)
        proved = self.stated.machine_checked()
        count = certificate.cells + 1
        if not certificate.shown:
            said = f"{name} = {float(b)} is not shown"
            return Result(False, count, said, (), certificate.missing)
        for what, value in (("certified", b), ("machine-checked", proved)):
            if value is not None and Fraction(found.value) > value:
                wrong = f"{name} >= {found.value} at {found.where}, above the {what} {float(value)}"
                return Result(False, count, "attained value above a bound", (), wrong)
        numbers = [
            Number(name, Enclosure(found.value, _above(b))),
            Number("b/a", rational(b / Fraction(found.value))),
        ]
        if proved is not None:
            numbers.append(Number("machine-checked constant", rational(proved)))
        return Result(
            True,
            count,
            f"{name} in [{found.value:.5g}, {float(b)}]{held}: the upper end is certified on "
            f"{certificate.cells} parts of the domain, the lower attained at {found.where}",
            tuple(numbers),
            plots=() if self.curve is None else (self.curve(under_test),),
        )


def _fields(made: Check) -> dict[str, Any]:
    return {one.name: getattr(made, one.name) for one in fields(made)}


def _above(value: Fraction) -> float:
    near = float(value)
    return near if Fraction(near) >= value else nextafter(near, inf)


def of_gaps(totals: Callable[[], Totals]) -> Certify:
    """Return the certificate, for all gaps, of an algorithm with these totals and DuelTest."""
    return functools.partial(all_gaps, totals=totals)


def not_of_all_gaps(totals: Callable[[], Totals]) -> dict[str, Certify]:
    """Return two weakened certificates: one omits small gaps, one has one line for all gaps."""
    return {
        "a proof that omits the limit gap -> 0": functools.partial(
            all_gaps, totals=totals, start=WITHOUT_LIMIT
        ),
        "a proof with one straight line for all gaps": functools.partial(
            all_gaps, totals=totals, test=ONE_LINE
        ),
    }


def of_budgets(totals: Callable[[], Totals]) -> Certify:
    """Return the certificate of an algorithm with these totals and the budgeted test."""
    return functools.partial(all_gaps, totals=totals, test=KNOWN_GAP)


def of_doubled_budgets(totals: Callable[[], Totals]) -> dict[str, Certify]:
    """Return a weakened certificate, in which budgets are doubled instead of rounded up."""
    return {
        "a proof with ceil(x) <= 2x, not x + 1": functools.partial(
            all_gaps, totals=totals, test=DOUBLED
        )
    }
