"""The hooks that MkDocs calls when it builds the site (``mkdocs.yml`` names this file).

The site has the pages of ``docs/``, and the README as its front page. It also has long pages for
reference only: modules, sentences, entries beyond the paper. Every file that one of these pages
links to has a page too.
"""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import dirname, join, normpath, relpath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from tgite_checks.audit.report.formula_font import font_style
from tgite_pages import sources
from tgite_pages.extension import SiteMarkdown, with_formulas
from tgite_pages.pages import DOCS, pages_of_site
from tgite_pages.places import ROOT

_FRONT = "README.md"
_LINK = re.compile(r"\]\(([^)\s#:]+)(?:#[^)\s]*)?\)")
_FIRST_OF_LINES = re.compile(r"^(L\d+)-L\d+$")


class _Addresses:
    page = _FRONT
    """The file whose links are being translated."""

    def __call__(self, address: str) -> str:
        """Return the link for the site."""
        path, mark, anchor = address.partition("#")
        if not path or ":" in path:
            return address
        target = page_of(normpath(join(dirname(self.page), path)))
        here = page_of(self.page)
        return relpath(target, dirname(here) or ".") + mark + _FIRST_OF_LINES.sub(r"\1", anchor)


_ADDRESSES = _Addresses()
_SET: list[str] = []
"""The texts of the pages with formulas, to find the glyphs that they need."""


def page_of(file: str) -> str:
    """Return the site's page of a file of the repository."""
    if file == _FRONT:
        return "index.md"
    if file.startswith("docs/"):
        return file.removeprefix("docs/")
    return f"source/{file}.md"


def file_of(page: str) -> str:
    """Return the file of the repository that a page of the site shows."""
    if page == "index.md":
        return _FRONT
    if page.startswith("source/"):
        return page.removeprefix("source/").removesuffix(".md")
    return f"docs/{page}"


def on_config(config: MkDocsConfig) -> None:
    """Add our extension."""
    config["markdown_extensions"] = [*config.markdown_extensions, SiteMarkdown(_ADDRESSES)]


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add the front page and the pages of source files."""
    texts = {_FRONT: (ROOT / _FRONT).read_text(encoding="utf-8")}
    made = pages_of_site() if config.docs_dir == str(DOCS) else {}
    texts |= {f"docs/{name}": text for name, text in made.items()}
    texts |= {f"docs/{one.src_uri}": one.content_string for one in files.documentation_pages()}
    wanted = set()
    for file, text in texts.items():
        for path in _LINK.findall(text):
            target = normpath(join(dirname(file), path))
            ours = target.startswith("docs/")  # A picture there is a file of the site already.
            if target not in texts and not ours and (ROOT / target).is_file():
                wanted.add(target)
    made["index.md"] = texts[_FRONT]
    made |= {page_of(file): sources.page(file) for file in sorted(wanted)}
    for name, content in made.items():
        files.append(File.generated(config, name, content=content))


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> None:
    """Record whose links are translated next; make pages other than guides wider."""
    _ADDRESSES.page = file_of(page.file.src_uri)
    if page.file.src_uri.startswith(("paper/", "source/")):
        page.meta.setdefault("hide", ["navigation", "toc"])
    elif page.parent is None:
        page.meta.setdefault("hide", ["navigation"])


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Convert the formulas; register the line anchors of a source file's page."""
    name = page.file.src_uri
    if name.startswith("source/"):
        page.present_anchor_ids = (page.present_anchor_ids or set()) | sources.anchors(
            file_of(name)
        )
    shown = with_formulas(html)
    if "<math" in shown:
        _SET.append(shown)
    return shown


def on_post_build(config: MkDocsConfig) -> None:
    """Write the font for the formulas, for systems without a mathematical font."""
    style = Path(config.site_dir) / "formulas.css"
    style.write_text(font_style("".join(_SET)), encoding="utf-8")
    _SET.clear()


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Insert the text of a source file."""
    name = page.file.src_uri
    return sources.with_listing(output, file_of(name)) if name.startswith("source/") else output
