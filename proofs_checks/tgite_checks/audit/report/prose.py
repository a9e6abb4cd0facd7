"""Setting the ledger's texts: paragraphs, displayed formulas and code, for the page.

Blank lines part paragraphs; a paragraph whose lines all begin with two spaces is a displayed
formula, in plain characters; backticks enclose code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from markupsafe import Markup, escape

_CODE = re.compile(r"`([^`]+)`")


def prose(text: str) -> Markup:
    """Return the text as HTML."""
    return Markup("\n").join(_paragraphs(text))


def inline(text: str) -> Markup:
    """Return a text that is at most a line as HTML, code set as such."""
    parts = _CODE.split(text)
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if number % 2 else escape(part)
        for number, part in enumerate(parts)
    )


def _paragraphs(text: str) -> Iterator[Markup]:
    for block in re.split(r"\n[ \t]*\n", text.strip("\n")):
        lines = [line.rstrip() for line in block.split("\n") if line.strip()]
        if not lines:
            continue
        if all(line.startswith("  ") for line in lines):
            formula = "\n".join(line.strip() for line in lines)
            yield Markup('<p class="formula">{}</p>').format(formula)
        else:
            yield Markup("<p>{}</p>").format(inline("\n".join(line.strip() for line in lines)))
