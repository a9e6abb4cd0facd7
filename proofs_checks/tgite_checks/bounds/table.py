"""The table of all constants, as text for the documentation."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from decimal import ROUND_FLOOR, Context
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import tgite_checks
from tgite.checked import checked
from tgite_checks import bounds
from tgite_checks.bounds.constants.constant import STATED, Constant, Stated
from tgite_checks.check import Depth
from tgite_checks.proofs.extract import page_with_table
from tgite_laws.implementation import REFERENCE


def _held() -> Iterator[Constant]:
    for found in pkgutil.iter_modules(bounds.__path__):
        if found.name != __name__.rpartition(".")[2]:
            held = vars(import_module(f"{bounds.__name__}.{found.name}")).values()
            yield from (one for one in held if isinstance(one, Constant))


CONSTANTS = tuple(sorted(_held(), key=lambda constant: list(STATED).index(constant.stated.key)))
"""Every universal constant of the paper."""

_FIVE_DIGITS = Context(prec=5, rounding=ROUND_FLOOR)
_HEAD = (
    "| constant | in the paper | bound | domain | C in [a, b] | b/a | a is attained at | "
    "machine-checked |\n|---|---|---|---|---|---|---|---|\n"
)


@checked
def constants_table(depth: Depth = Depth.QUICK) -> str:
    """Return the table in Markdown, computed anew: ``a`` by exact laws, ``b`` by its certificate.

    At a greater depth some ``a`` come closer to ``b``. Raises ``ArithmeticError`` if a certificate
    does not hold.
    """
    return _HEAD + "".join(_row(constant, depth) for constant in CONSTANTS)


@checked
def rounded_down(value: float) -> str:
    """Write a positive number with five digits, rounded down."""
    return f"{_FIVE_DIGITS.create_decimal(value):f}"


def _row(constant: Constant, depth: Depth) -> str:
    stated = constant.stated
    certificate = constant.certify(stated.certified)
    if not certificate.shown:
        raise ArithmeticError(f"{stated.name} = {stated.certified}: {certificate.missing}")
    found = constant.lower_end(REFERENCE, depth)
    cells = (
        stated.name,
        ", ".join(f"`{label}`" for label in stated.labels),
        stated.statement,
        stated.whole_domain,
        f"[{rounded_down(found.value)}, {float(stated.certified):g}]",
        f"{float(stated.certified / Fraction(found.value)):.3f}",
        found.where,
        _machine_checked(stated),
    )
    return "| " + " | ".join(_escaped(cell) for cell in cells) + " |\n"


def _machine_checked(stated: Stated) -> str:
    value = stated.machine_checked()
    if stated.proved is None or value is None:
        return "none"
    remark = f" ({stated.proved.remark})" if stated.proved.remark else ""
    return f"{float(value):.4g}, `{stated.proved.theorem}`{remark}"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*")


PAGE = Path(tgite_checks.__file__).resolve().parents[2] / "docs" / "constants.md"
"""The page that shows the table, in a source tree."""


def main() -> None:
    """Write the table into the page."""
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(page_with_table(text, constants_table()), encoding="utf-8")


if __name__ == "__main__":
    main()
