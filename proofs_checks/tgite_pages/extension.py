"""What the site makes of the pages' Markdown, beyond what every Git host makes of it.

- The blocks of an entry (what the paper says, code, proof, checks) stand side by side.
- Links to files outside ``docs/`` lead to the site's own pages of these files.
- Formulas become MathML, which browsers set without any script.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor

from tgite_checks.audit.report.formulas import mathml
from tgite_pages.entries import BEYOND, BLOCKS

_FORMULA = re.compile(r"\\\((.+?)\\\)|\\\[(.+?)\\\]", re.DOTALL)


class SideBySide(Treeprocessor):
    """Each run of blocks under the headings of :data:`BLOCKS` becomes a grid of sections."""

    def run(self, root: Element) -> None:
        """Wrap the blocks."""
        children = list(root)
        for child in children:
            root.remove(child)
        grid = block = None
        level = ""
        for child in children:
            if child.tag in _HEADINGS and child.text in (*BLOCKS, BEYOND):
                if grid is None:
                    grid, level = SubElement(root, "div", {"class": "blocks"}), child.tag
                block = SubElement(grid, "section", {"class": "block"})
            elif (child.tag in _HEADINGS and child.tag <= level) or child.tag == "hr":
                grid = block = None
            (root if block is None else block).append(child)


_HEADINGS = ("h1", "h2", "h3", "h4")


class Links(Treeprocessor):
    """Links go where ``target`` says, which is given each address as it is written."""

    def __init__(self, md: Markdown, target: Callable[[str], str]) -> None:
        """Take what translates addresses."""
        super().__init__(md)
        self._target = target

    def run(self, root: Element) -> None:
        """Translate every link."""
        for link in root.iter("a"):
            link.set("href", self._target(link.get("href", "")))


class SiteMarkdown(Extension):
    """The extension of all this; ``target`` translates the addresses of the page at hand."""

    def __init__(self, target: Callable[[str], str]) -> None:
        """Take what translates addresses."""
        super().__init__()
        self._target = target

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  # Markdown's name
        """Register what is done; links must be done before their targets are looked for."""
        md.treeprocessors.register(Links(md, self._target), "tgite_links", 2)
        md.treeprocessors.register(SideBySide(md), "tgite_blocks", -1)


def with_formulas(html: str) -> str:
    """Return a page's HTML with MathML in the place of the formulas that Arithmatex has marked."""
    marked = re.compile(r'<(span|div) class="arithmatex">(.*?)</\1>', re.DOTALL)
    return marked.sub(lambda found: _FORMULA.sub(_set, found[2]), html)


def _set(formula: re.Match[str]) -> str:
    return str(mathml(unescape((formula[1] or formula[2]).strip()), displayed=not formula[1]))
