r"""Setting the ledger's texts: paragraphs, formulas and code.

Blank lines part paragraphs, backticks enclose code, and ``$...$`` a formula in LaTeX;
``$$...$$``, a paragraph of its own, is a displayed one.
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
_KINDS: tuple[Kind, ...] = ("words", "code", "display", "formula")


def pieces(text: str) -> Iterator[tuple[Kind, str]]:
    """Yield what a text consists of, without the marks around it."""
    end = 0
    for found in _PIECE.finditer(text):
        if found.start() > end:
            yield "words", text[end : found.start()]
        yield _KINDS[found.lastindex or 0], found[found.lastindex or 0].strip()
        end = found.end()
    if end < len(text):
        yield "words", text[end:]


def paragraphs(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the paragraphs of a text, each after whether it is a displayed formula."""
    for part in re.split(r"\n[ \t]*\n", text.strip("\n")):
        if part.strip():
            yield part.strip().startswith("$$"), part.strip()


def _code(text: str) -> Markup:
    return Markup("<code>{}</code>").format(text)


@dataclass(frozen=True, slots=True)
class Setting:
    """How texts are set as HTML: a formula (displayed or not), and code."""

    formula: Callable[[str, bool], Markup] = mathml
    code: Callable[[str], Markup] = _code

    def prose(self, text: str) -> Markup:
        """Return a text."""
        return Markup("\n").join(
            Markup('<div class="formula">{}</div>' if displayed else "<p>{}</p>").format(
                self.inline(part)
            )
            for displayed, part in paragraphs(text)
        )

    def inline(self, text: str) -> Markup:
        """Return a text of one paragraph."""
        return Markup("").join(self._set(kind, piece) for kind, piece in pieces(text))

    def _set(self, kind: Kind, piece: str) -> Markup:
        match kind:
            case "words":
                return escape(piece)
            case "code":
                return self.code(piece)
            case _:
                return self.formula(piece, kind == "display")


def linked(labels: Collection[str]) -> Callable[[str], Markup]:
    """Return what sets code, a label with a link to its entry on the page."""

    def code(text: str) -> Markup:
        if text not in labels:
            return _code(text)
        return Markup('<a href="#claim-{0}"><code>{0}</code></a>').format(text)

    return code


def in_characters(text: str) -> str:
    """Return a text with its formulas in plain characters; displayed ones are indented."""
    marks = {"words": "{}", "code": "`{}`", "formula": "{}", "display": "  {}"}
    return "".join(
        marks[kind].format(plain(piece) if kind in ("formula", "display") else piece)
        for kind, piece in pieces(text)
    )
