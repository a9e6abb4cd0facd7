"""The table of all constants: ``a`` from exact laws, ``b`` from its certificate."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator
from decimal import ROUND_FLOOR, Context
from fractions import Fraction
from importlib import import_module

from cost_tables.table import Row, Table
from tgite_checks import bounds
from tgite_checks.bounds.constants.constant import STATED, Constant, Stated
from tgite_checks.check import Depth
from tgite_laws.implementation import REFERENCE


def _held() -> Iterator[Constant]:
    for found in pkgutil.iter_modules(bounds.__path__):
        held = vars(import_module(f"{bounds.__name__}.{found.name}")).values()
        yield from (one for one in held if isinstance(one, Constant))


CONSTANTS = tuple(sorted(_held(), key=lambda constant: list(STATED).index(constant.stated.key)))
"""Every universal constant of the paper."""

_FIVE_DIGITS = Context(prec=5, rounding=ROUND_FLOOR)


def lines(_: Iterable[Row], depth: Depth = Depth.QUICK) -> Iterator[list[str]]:
    """Yield the lines of the table, newly computed.

    With a greater depth, some ``a`` are closer to ``b``. Raises ``ArithmeticError`` if a
    certificate does not hold.
    """
    yield [
        *("constant", "in the paper", "bound", "domain", "C in [a, b]", "b/a"),
        *("a is attained at", "machine-checked"),
    ]
    for constant in CONSTANTS:
        yield [_escaped(cell) for cell in _cells(constant, depth)]


def rounded_down(value: float) -> str:
    """Return a positive number in five digits, rounded down."""
    return f"{_FIVE_DIGITS.create_decimal(value):f}"


def _cells(constant: Constant, depth: Depth) -> tuple[str, ...]:
    stated = constant.stated
    certificate = constant.certify(stated.certified)
    if not certificate.shown:
        raise ArithmeticError(f"{stated.name} = {stated.certified}: {certificate.missing}")
    found = constant.lower_end(REFERENCE, depth)
    return (
        stated.name,
        ", ".join(f"`{label}`" for label in stated.labels),
        stated.statement,
        stated.whole_domain,
        f"[{rounded_down(found.value)}, {float(stated.certified):g}]",
        f"{float(stated.certified / Fraction(found.value)):.3f}",
        found.where,
        _machine_checked(stated),
    )


def _machine_checked(stated: Stated) -> str:
    value = stated.machine_checked()
    if stated.proved is None or value is None:
        return "none"
    remark = f" ({stated.proved.remark})" if stated.proved.remark else ""
    return f"{float(value):.4g}, `{stated.proved.theorem}`{remark}"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*")


TABLE = Table("constants.md", lines)
