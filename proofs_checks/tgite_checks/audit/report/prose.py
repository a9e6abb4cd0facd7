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


def blocks(text: str) -> Iterator[tuple[bool, list[str]]]:
    """Yield the paragraphs, line by line, each after whether it is a displayed formula."""
    for block in re.split(r"\n[ \t]*\n", text.strip("\n")):
        lines = [line for line in block.split("\n") if line.strip()]
        if lines:
            yield all(line.startswith("  ") for line in lines), [line.strip() for line in lines]


def _paragraphs(text: str) -> Iterator[Markup]:
    for formula, lines in blocks(text):
        if formula:
            yield Markup('<p class="formula">{}</p>').format("\n".join(lines))
        else:
            yield Markup("<p>{}</p>").format(inline("\n".join(lines)))
