"""The part of a mathematical font that the formulas of a page need.

Browsers need such a font to stretch brackets and to place accents, and many systems have none.
"""

from __future__ import annotations

import base64
import functools
import io
import re
from collections.abc import Iterator
from html import unescape
from importlib.resources import files
from unicodedata import normalize

from fontTools import subset

_FAMILY = "Formulas"
_FORMULA = re.compile(r"<math\b.*?</math>", re.DOTALL)
# Browsers show single letters of a formula as these characters.
_ITALICS = "".join(map(chr, (0x210E, *range(0x1D434, 0x1D468), *range(0x1D6E2, 0x1D71C))))


def font_style(html: str) -> str:
    """Return a style sheet with the font for the formulas in ``html``; empty without formulas."""
    letters = frozenset(letter for formula in _formulas(html) for letter in formula)
    return _face(letters) if letters else ""


def _formulas(html: str) -> Iterator[str]:
    for formula in _FORMULA.findall(html):
        yield unescape(re.sub(r"<[^>]*>", "", formula))


@functools.cache
def _face(letters: frozenset[str]) -> str:
    italics = {letter for letter in _ITALICS if normalize("NFKC", letter) in letters}
    options = subset.Options(layout_features=[], hinting=False, flavor="woff")
    with files("ziamath.fonts").joinpath("STIXTwoMath-Regular.ttf").open("rb") as file:
        font = subset.load_font(file, options)
        made = subset.Subsetter(options)
        made.populate(text="".join(sorted(letters | italics)))
        made.subset(font)
        out = io.BytesIO()
        subset.save_font(font, out, options)
    data = base64.b64encode(out.getvalue()).decode()
    source = f"url(data:font/woff;base64,{data})"
    return f'@font-face {{ font-family: "{_FAMILY}"; src: {source} format("woff"); }}'
