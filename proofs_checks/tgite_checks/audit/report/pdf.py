"""The first part of the report as a PDF of two pages, to be printed or attached.

WeasyPrint makes the layout. It does not support MathML, so ziamath draws the formulas.
"""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Callable
from contextlib import redirect_stdout
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from typing import Protocol, cast

from markupsafe import Markup
from ziamath.config import config
from ziamath.zmath import Latex

from tgite.errors import InvalidInput
from tgite_checks.audit.judgement import Judged
from tgite_checks.audit.report.page import SERIOUS, TEMPLATES, opening, template_environment
from tgite_checks.audit.report.prose import Setting
from tgite_checks.audit.sources import digest_of_everything

_FORMULA_SIZE = 10
"""The font size of formulas, in CSS pixels."""


_VARIABLE = re.compile(r"var\(--[\w-]+,([^()]*)\)")
"""A colour of the page's style sheet, which the PDF does not have, and the colour without it."""


class _Document(Protocol):
    """The part of ``weasyprint.HTML`` that is used here."""

    def write_pdf(self) -> bytes: ...


def require_printing(file: object) -> None:
    """Raise :class:`~tgite.errors.InvalidInput` if a PDF ``file`` cannot be made here.

    The message says what to install.
    """
    try:
        # WeasyPrint prints its own advice if its libraries are missing.
        with redirect_stdout(io.StringIO()):
            import_module("weasyprint")
    except (ImportError, OSError) as error:
        raise InvalidInput(
            "pdf",
            str(file),
            "needs WeasyPrint (pip install 'tgite[pdf]') and the library Pango "
            f"(Debian: libpango-1.0-0 libpangoft2-1.0-0): {str(error).splitlines()[0]}",
        ) from None


def printed_report(judged: Judged, made_at: datetime | None = None) -> bytes:
    """Return the PDF; ``made_at`` is the date to print, by default now."""
    made = datetime.now(UTC) if made_at is None else made_at
    text = (
        template_environment(Setting(formula=formula_svg))
        .get_template("pdf.html")
        .render(
            opening(judged),
            plain=partial(_VARIABLE.sub, r"\1"),
            linked=False,
            serious=[one.finding for one in judged.findings if one.finding.severity in SERIOUS],
            style=Markup((TEMPLATES / "pdf.css").read_text(encoding="utf-8")),
            made=made.strftime("%Y-%m-%d %H:%M UTC"),
            sources=digest_of_everything()[:16],
        )
    )
    document = cast(Callable[..., _Document], import_module("weasyprint").HTML)
    return document(string=text).write_pdf()


@functools.cache
def formula_svg(latex: str, displayed: bool) -> Markup:
    """Return a formula as SVG, aligned with the text's baseline."""
    # With shared symbols for letters, two formulas would have elements of the same id.
    config.svg2 = False
    formula = Latex(latex, size=_FORMULA_SIZE, inline=not displayed)
    return Markup('<span style="vertical-align: {:.2f}px">{}</span>').format(
        formula.getyofst(), Markup(formula.svg())
    )
