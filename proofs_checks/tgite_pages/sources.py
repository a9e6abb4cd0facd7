"""A page for each source file: the documentation of its public names, then its text.

The text is inserted last, so that neither Markdown nor the site's search processes it.
"""

from __future__ import annotations

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

from tgite_pages.places import lines_of

ROOTS = ("reference/", "proofs_checks/")
"""The folders of the packages, whose modules' public names are documented."""

_LISTING = '<div class="highlight source"></div>'


def page(file: str) -> str:
    """Return the page of a file as Markdown; mkdocstrings adds what a module's docstrings say."""
    parts = [f"# {file.rpartition('/')[2]}", f"`{file}`"]
    if file.startswith(ROOTS) and file.endswith(".py"):
        path = file.partition("/")[2].removesuffix(".py").removesuffix("/__init__")
        parts += [f"::: {path.replace('/', '.')}", "## Source"]
    return "\n\n".join([*parts, _LISTING]) + "\n"


def anchors(file: str) -> set[str]:
    """Return the anchors of the lines of a file."""
    return {f"L{number}" for number in range(1, len(lines_of(file)) + 1)}


def with_listing(html: str, file: str) -> str:
    """Return a page with the file's text in it, each line with its number as an anchor."""
    text = "\n".join(lines_of(file))
    shown = highlight(text, _lexer(file), HtmlFormatter(nowrap=True)).rstrip("\n")
    lines = "\n".join(
        f'<span id="L{number}" class="line">{line}</span>'
        for number, line in enumerate(shown.split("\n"), 1)
    )
    listing = _LISTING.replace("><", f'><pre tabindex="0"><code>{lines}</code></pre><')
    return html.replace(_LISTING, listing)


def _lexer(file: str) -> Lexer:
    try:
        # Files with this ending may also be Verilog.
        return get_lexer_by_name("coq") if file.endswith(".v") else get_lexer_for_filename(file)
    except ClassNotFound:
        return TextLexer()
