"""A Markdown extension for the site, with three changes to what a Git host would show.

- The blocks of an entry (the paper, code, proof, checks) are shown in columns.
- Links to files outside ``docs/`` lead to the site's own pages of these files.
- Formulas become MathML, which browsers display without scripts.
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
    """Turns consecutive blocks with headings in :data:`BLOCKS` into a grid of sections."""

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
    """Replaces each link's address by ``target(address)``."""

    def __init__(self, md: Markdown, target: Callable[[str], str]) -> None:
        """Take what translates addresses."""
        super().__init__(md)
        self._target = target

    def run(self, root: Element) -> None:
        """Translate every link, and the address of every picture."""
        for tag, attribute in (("a", "href"), ("img", "src")):
            for link in root.iter(tag):
                link.set(attribute, self._target(link.get(attribute, "")))


class SiteMarkdown(Extension):
    """The Markdown extension; ``target`` translates the addresses of the current page."""

    def __init__(self, target: Callable[[str], str]) -> None:
        """Take what translates addresses."""
        super().__init__()
        self._target = target

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  # Markdown's name
        """Register the steps; links must be replaced before MkDocs looks up their targets."""
        md.treeprocessors.register(Links(md, self._target), "tgite_links", 2)
        md.treeprocessors.register(SideBySide(md), "tgite_blocks", -1)


def with_formulas(html: str) -> str:
    """Return a page's HTML with MathML in place of the formulas that Arithmatex marked."""
    marked = re.compile(r'<(span|div) class="arithmatex">(.*?)</\1>', re.DOTALL)
    return marked.sub(lambda found: _FORMULA.sub(_set, found[2]), html)


def _set(formula: re.Match[str]) -> str:
    shown = str(mathml(unescape((formula[1] or formula[2]).strip()), displayed=not formula[1]))
    return shown if formula[1] else f'<div class="formula">{shown}</div>'
