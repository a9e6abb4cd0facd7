"""A universal constant of the paper: its interval [a, b], and the check that follows from it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from math import inf, nextafter
from typing import Any

from tgite_checks.bounds.constants.bills import Bill
from tgite_checks.bounds.constants.certificates import (
    DOUBLED,
    KNOWN_GAP,
    ONE_LINE,
    Certify,
    all_gaps,
)
from tgite_checks.bounds.constants.cover import WITHOUT_LIMIT
from tgite_checks.bounds.constants.proved import proved_constant
from tgite_checks.check import Check, Depth, Kind, Number, Plot, Result, StatementCheck, truth
from tgite_checks.enclosure import Enclosure, rational
from tgite_checks.implementation import Implementation

GAP = "every gap in (0, 1/2]"
ARMS = "every N >= 2, every tree and starting arm"
KNOWN = "every g in (0, 1/2]"


@dataclass(frozen=True, slots=True)
class Attained:
    """A value that the constant cannot be below, and the instance at which that is so."""

    value: float
    where: str


@dataclass(frozen=True, slots=True)
class Proved:
    """A machine-checked constant for the same bound.

    It is ``factor`` times the constant ``name`` in ``theorem`` where that theorem's bracket is
    another one. All but DuelTest's are proved with N - 1 in place of N, which is stronger.
    """

    theorem: str
    name: str
    factor: int = 1
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant:
    """One universal constant of the paper.

    ``labels``: where the paper has it. ``statement``: the inequality; ``held`` says what else in it
    is a constant, and how that is held fixed. ``certified`` is ``b``: ``certify(b)`` shows that it
    does on the whole ``domain``. ``attained`` finds ``a``. ``too_small`` is a value below ``a``;
    ``weakened`` holds certificates with one step made weaker, which do not reach ``b``. ``curve``
    draws the need for the constant over the domain. ``text_alone``: no implementation has a part in
    what is attained.
    """

    key: str
    name: str
    labels: tuple[str, ...]
    statement: str
    domain: str
    certified: Fraction
    certify: Certify
    attained: Callable[[Implementation, Depth], Attained]
    too_small: Fraction
    weakened: Mapping[str, Certify]
    proved: Proved | None = None
    held: str = ""
    curve: Callable[[Implementation], Plot] | None = None
    text_alone: bool = False

    @property
    def whole_domain(self) -> str:
        """The domain, with what is held fixed."""
        return self.domain + (f"; {self.held}" if self.held else "")

    def machine_checked(self) -> Fraction | None:
        """Return the machine-checked constant for the same bound, if there is one."""
        if self.proved is None:
            return None
        return self.proved.factor * proved_constant(self.proved.theorem, self.proved.name)

    def check(self) -> Check:
        """Return the check that the constant is in [a, b]: certified above, attained below."""
        made = truth(
            f"constant-{self.key}",
            kind=Kind.CERTIFIED,
            domain=f"{self.statement}, for {self.whole_domain}",
            case="cell",
            refuses={
                f"{self.name} = {float(self.too_small)}": {"certified": self.too_small},
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
        """Examine it; ``certified`` replaces b, and ``certify`` the certificate (to be refused)."""
        b = self.certified if certified is None else certified
        found = self.attained(under_test, depth)
        certificate = (certify or self.certify)(b)
        proved = self.machine_checked()
        count = certificate.cells + 1
        if not certificate.shown:
            said = f"{self.name} = {float(b)} is not shown"
            return Result(False, count, said, (), certificate.missing)
        for what, value in (("certified", b), ("machine-checked", proved)):
            if value is not None and Fraction(found.value) > value:
                wrong = (
                    f"{self.name} >= {found.value} at {found.where}, above the {what} "
                    f"{float(value)}"
                )
                return Result(False, count, "attained value above a bound", (), wrong)
        numbers = [
            Number(self.name, Enclosure(found.value, _above(b))),
            Number("b/a", rational(b / Fraction(found.value))),
        ]
        if proved is not None:
            numbers.append(Number("machine-checked constant", rational(proved)))
        held = f", {self.held}" if self.held else ""
        return Result(
            True,
            count,
            f"{self.name} in [{found.value:.5g}, {float(b)}]{held}: {certificate.cells} cells "
            f"certify the upper end; the lower is attained at {found.where}",
            tuple(numbers),
            plots=() if self.curve is None else (self.curve(under_test),),
        )


def _fields(made: Check) -> dict[str, Any]:
    return {one.name: getattr(made, one.name) for one in fields(made)}


def _above(value: Fraction) -> float:
    near = float(value)
    return near if Fraction(near) >= value else nextafter(near, inf)


def of_gaps(bill: Callable[[], Bill]) -> Certify:
    """Return the certificate for all gaps of what pays that bill of DuelTests."""
    return functools.partial(all_gaps, bill=bill)


def not_of_all_gaps(bill: Callable[[], Bill]) -> dict[str, Certify]:
    """Return weaker ones: not for gaps below a limit, and with one line for all of them."""
    return {
        "the limit gap -> 0 left out of the certificate": functools.partial(
            all_gaps, bill=bill, start=WITHOUT_LIMIT
        ),
        "one straight line for all gaps": functools.partial(all_gaps, bill=bill, test=ONE_LINE),
    }


def of_budgets(bill: Callable[[], Bill]) -> Certify:
    """Return the certificate for what pays that bill of budgeted tests."""
    return functools.partial(all_gaps, bill=bill, test=KNOWN_GAP)


def of_doubled_budgets(bill: Callable[[], Bill]) -> dict[str, Certify]:
    """Return a weaker one, which doubles what it should round up."""
    return {"ceil(x) <= 2x in place of x + 1": functools.partial(all_gaps, bill=bill, test=DOUBLED)}
