"""The first part of the page on two pages of paper, as a PDF, for those who print or attach.

WeasyPrint lays it out. It knows no MathML, so that formulas are drawn, by ziamath.
"""

from __future__ import annotations

import functools
import io
from collections.abc import Callable
from contextlib import redirect_stdout
from datetime import UTC, datetime
from importlib import import_module
from typing import Protocol, cast

from markupsafe import Markup
from ziamath.config import config
from ziamath.zmath import Latex

from tgite.errors import InvalidInput
from tgite_checks.audit.judgement import Judged
from tgite_checks.audit.report.page import SERIOUS, TEMPLATES, opening, surroundings
from tgite_checks.audit.report.prose import Setting
from tgite_checks.audit.sources import digest_of_everything

_FORMULA_SIZE = 10
"""Of the letters of a formula, in CSS pixels."""


class _Document(Protocol):
    """What is used of ``weasyprint.HTML``."""

    def write_pdf(self) -> bytes: ...


def require_printing(file: object) -> None:
    """Refuse to make ``file`` where what makes a PDF is missing.

    Raises :class:`~tgite.errors.InvalidInput`, which says what to install.
    """
    try:
        # WeasyPrint prints advice of its own where its libraries are missing.
        with redirect_stdout(io.StringIO()):
            import_module("weasyprint")
    except (ImportError, OSError) as error:
        raise InvalidInput(
            "pdf",
            str(file),
            "needs WeasyPrint (pip install 'tgite[pdf]') and the library Pango "
            f"(Debian: libpango-1.0-0 libpangoft2-1.0-0): {str(error).splitlines()[0]}",
        ) from None


def in_print(judged: Judged, made_at: datetime | None = None) -> bytes:
    """Return the PDF; ``made_at`` is now, unless given."""
    made = datetime.now(UTC) if made_at is None else made_at
    text = (
        surroundings(Setting(formula=drawn))
        .get_template("in_print.html")
        .render(
            opening(judged),
            linked=False,
            serious=[one.finding for one in judged.findings if one.finding.severity in SERIOUS],
            labels=frozenset(),
            theorem_names=frozenset(),
            style=Markup((TEMPLATES / "in_print.css").read_text(encoding="utf-8")),
            made=made.strftime("%Y-%m-%d %H:%M UTC"),
            sources=digest_of_everything()[:16],
        )
    )
    document = cast(Callable[..., _Document], import_module("weasyprint").HTML)
    return document(string=text).write_pdf()


@functools.cache
def drawn(latex: str, displayed: bool) -> Markup:
    """Return a formula as SVG, standing on the line."""
    # One symbol for each letter would repeat its id in the next formula.
    config.svg2 = False
    formula = Latex(latex, size=_FORMULA_SIZE, inline=not displayed)
    return Markup('<span style="vertical-align: {:.2f}px">{}</span>').format(
        formula.getyofst(), Markup(formula.svg())
    )
