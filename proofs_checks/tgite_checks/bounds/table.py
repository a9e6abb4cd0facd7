"""The table of all constants, as text for the documentation."""

from __future__ import annotations

from fractions import Fraction
from math import floor, log10
from pathlib import Path

import tgite_checks
from tgite.checked import checked
from tgite.errors import InvalidInput
from tgite_checks.bounds import (
    bkt,
    budgeted_duel_test,
    duel_test,
    known_gap_constants,
    screen_and_replace,
    strong,
    tree_ascent,
    weak,
)
from tgite_checks.bounds.constants.constant import STATED, Constant, Stated
from tgite_checks.check import Depth
from tgite_checks.implementation import REFERENCE

_HOLD_CONSTANTS = (
    bkt,
    budgeted_duel_test,
    duel_test,
    known_gap_constants,
    screen_and_replace,
    strong,
    tree_ascent,
    weak,
)


def _constants() -> dict[str, Constant]:
    held = (one for module in _HOLD_CONSTANTS for one in vars(module).values())
    found = {one.stated.key: one for one in held if isinstance(one, Constant)}
    return {key: found[key] for key in STATED}


CONSTANTS = tuple(_constants().values())
"""Every universal constant of the paper."""

_DIGITS = 5
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
    places = _DIGITS - 1 - floor(log10(value))
    scaled = Fraction(value) * 10**places
    return f"{floor(scaled) / 10**places:.{places}f}"


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

_BEGIN, _END = "<!-- The table: begin -->\n", "<!-- The table: end -->\n"


@checked
def page_with(text: str, table: str) -> str:
    """Return the page with the table in its place.

    Raises :class:`~tgite.errors.InvalidInput` if the page has no place for it.
    """
    before, begin, rest = text.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not (begin and end):
        raise InvalidInput("page", text[:60], f"must have {_BEGIN.strip()} and {_END.strip()}")
    return before + begin + table + end + after


def main() -> None:
    """Write the table into the page."""
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(page_with(text, constants_table()), encoding="utf-8")


if __name__ == "__main__":
    main()
