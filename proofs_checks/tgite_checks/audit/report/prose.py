r"""Convert the ledger's texts: paragraphs, formulas and code.

Blank lines separate paragraphs. Backticks enclose code, and ``$...$`` a formula in LaTeX. A
paragraph ``$$...$$`` is a displayed formula.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from markupsafe import Markup, escape

from tgite_checks.audit.report.formulas import mathml, plain

Kind: TypeAlias = Literal["words", "code", "formula", "display"]

_PIECE = re.compile(r"`([^`]+)`|\$\$([^$]+)\$\$|\$([^$]+)\$")
_LARGE = re.compile(r"(?<![\w.,-])\d{5,}(?!\w|[.,]\d)")
_KEPT_TOGETHER = re.compile(r" ([±=<≤≥]) (?=[\d.])")
_KINDS: tuple[Kind, ...] = ("words", "code", "display", "formula")


def pieces(text: str) -> Iterator[tuple[Kind, str]]:
    """Yield the pieces of a text with their kinds, without the marks around them."""
    end = 0
    for found in _PIECE.finditer(text):
        if found.start() > end:
            yield "words", symbols(text[end : found.start()])
        yield _KINDS[found.lastindex or 0], found[found.lastindex or 0].strip()
        end = found.end()
    if end < len(text):
        yield "words", symbols(text[end:])


def symbols(text: str) -> str:
    """Return a text with the letters delta as symbols, and commas in whole numbers from 10,000."""
    grouped = _LARGE.sub(lambda found: f"{int(found[0]):,}", text)
    return grouped.replace("Delta", "Δ").replace("delta", "δ")


def paragraphs(text: str) -> Iterator[tuple[bool, str]]:
    """Yield for each paragraph whether it is a displayed formula, and its text."""
    for part in re.split(r"\n[ \t]*\n", text.strip("\n")):
        if part.strip():
            yield part.strip().startswith("$$"), part.strip()


def _code(text: str) -> Markup:
    return Markup("<code>{}</code>").format(text)


@dataclass(frozen=True, slots=True)
class Setting:
    """Functions that convert a formula (displayed or not) and code to HTML."""

    formula: Callable[[str, bool], Markup] = mathml
    code: Callable[[str], Markup] = _code

    def prose(self, text: str) -> Markup:
        """Return a text as HTML paragraphs."""
        return Markup("\n").join(
            Markup('<div class="formula">{}</div>' if displayed else "<p>{}</p>").format(
                self.inline(part)
            )
            for displayed, part in paragraphs(text)
        )

    def inline(self, text: str) -> Markup:
        """Return a text of one paragraph as inline HTML."""
        return Markup("").join(self._set(kind, piece) for kind, piece in pieces(text))

    def _set(self, kind: Kind, piece: str) -> Markup:
        match kind:
            case "words":
                return escape(_KEPT_TOGETHER.sub("\u00a0\\1\u00a0", piece))
            case "code":
                return self.code(piece)
            case _:
                return self.formula(piece, kind == "display")


def linked(labels: Collection[str]) -> Callable[[str], Markup]:
    """Return a function that converts code to HTML, with a link if the code is a label."""

    def code(text: str) -> Markup:
        if text not in labels:
            return _code(text)
        return Markup('<a href="#claim-{0}"><code>{0}</code></a>').format(text)

    return code


def in_characters(text: str) -> str:
    """Return a text with formulas in plain characters; displayed formulas are indented."""
    marks = {"words": "{}", "code": "`{}`", "formula": "{}", "display": "  {}"}
    return "".join(
        marks[kind].format(plain(piece) if kind in ("formula", "display") else piece)
        for kind, piece in pieces(text)
    )
