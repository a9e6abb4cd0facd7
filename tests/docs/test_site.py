"""The site: built from the pages, it has every link's target, and a browser shows it quietly."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import unquote

import griffe
import pytest
from markdown import Markdown
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

from chromium import CHROMIUM, Browser, browser, served
from tgite_pages import docstrings
from tgite_pages.entries import BLOCKS
from tgite_pages.extension import SiteMarkdown, with_formulas
from tgite_pages.places import ROOT, transcribed


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, which takes half a minute to build and to open page by page."""
    if not os.environ.get("TGITE_SITE"):
        pytest.skip("the site is built and opened where TGITE_SITE is set, as it is in CI")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(folder)]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(command, cwd=ROOT, env=quiet, capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


def test_a_link_to_what_is_not_there_fails_the_build(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Be it a line of a file or an anchor of a page."""
    (tmp_path / "docs").mkdir()
    links = ("#L10", "#L14-L20", "#L9999", "#nothing")
    text = " ".join(f"[code](../reference/tgite/bkt.py{line})" for line in links)
    (tmp_path / "docs" / "claims.md").write_text(f"# Claims\n\n{text}\n", encoding="utf-8")
    folders = {name: str(tmp_path / name.partition("_")[0]) for name in ("docs_dir", "site_dir")}
    with pytest.raises(Abort):
        build(load_config(str(ROOT / "mkdocs.yml"), nav=["claims.md"], extra_css=[], **folders))
    told = [one.getMessage() for one in caplog.records if "claims.md' contains" in one.getMessage()]
    assert [{*re.findall("#(?:L|nothing)[0-9]*", one)} for one in told] == [
        {"#L9999"},
        {"#nothing"},
    ]


def test_every_address_within_the_site_has_a_target(site: Path) -> None:
    pages = {
        path.relative_to(site).as_posix(): path.read_text("utf-8") for path in site.rglob("*.html")
    }
    ids = {name: set(re.findall(r'<[^<>]*\bid="([^"]*)"', page)) for name, page in pages.items()}
    assert len(pages) > 200
    for name, page in pages.items():
        for address in map(unescape, re.findall(r'<[^<>]*\s(?:href|src)="([^"]*)"', page)):
            path, _, anchor = unquote(address).partition("#")
            if path.startswith(("https:", "data:")) or name == "404.html":
                continue
            target = normpath(join(dirname(name), path)) if path else name
            assert (site / target).exists(), (name, address)
            if anchor and target in pages:
                assert anchor in ids[target], (name, address)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed (Debian: chromium)")
    with browser() as opened:
        yield opened


def test_a_browser_shows_the_pages_quietly_and_within_its_window(
    site: Path, chromium: Browser
) -> None:
    names = [
        path.relative_to(site).as_posix()
        for path in sorted(site.rglob("*.html"))
        if path.relative_to(site).parts[0] != "source"
    ]
    sources = [f"source/reference/tgite/{name}.py.html" for name in ("bkt", "confidence")]
    with served(site) as address:
        for name in [*names, *sources]:
            chromium.resize(1400)
            seen = chromium.open(f"{address}/{name}")
            assert seen.complaints == [], name
            assert seen.too_wide_by <= 0, name
            there = (address + "/", "data:", "blob:")
            assert [one for one in seen.requests if not one.startswith(there)] == [], name
            chromium.resize(500)
            assert chromium.too_wide_by() <= 0, name
        assert len(seen.requests) > 0


def test_blocks_stand_side_by_side_where_there_is_room(site: Path, chromium: Browser) -> None:
    tops = (
        "[...document.querySelectorAll('.block')].map(one => one.getBoundingClientRect().top | 0)"
    )
    with served(site) as address:
        for width, lines in ((1400, 2), (1000, 2), (500, 4)):
            chromium.resize(width)
            chromium.open(f"{address}/paper/lem-app-bkt-subset.html")
            assert len(set(chromium.evaluate(tops))) == lines


def test_the_search_knows_a_label(site: Path) -> None:
    index = (site / "search" / "search_index.json").read_text("utf-8")
    assert "paper/lem-app-bkt-subset.html" in index
    assert "lem:app-bkt-subset" in index


def test_the_browser_would_complain(tmp_path: Path, chromium: Browser) -> None:
    """What the tests above see nothing of is seen where it is."""
    (tmp_path / "loud.html").write_text(
        "<p style='width: 3000px'>wide<script>console.error('no')</script>"
        "<img src='http://localhost:9/elsewhere.png'><script>nowhere()</script>"
    )
    with served(tmp_path) as address:
        chromium.resize(1400)
        seen = chromium.open(f"{address}/loud.html")
    assert seen.too_wide_by > 1000
    assert any("'no'" in one for one in seen.complaints)
    assert any("nowhere is not defined" in one for one in seen.complaints)
    assert "http://localhost:9/elsewhere.png" in seen.requests


def converted(text: str) -> str:
    """Return the HTML of a Markdown text, as the site's extension makes it."""
    return Markdown(extensions=["tables", SiteMarkdown(lambda address: address + "!")]).convert(
        text
    )


def test_blocks_become_sections_of_a_grid_and_others_do_not() -> None:
    text = "".join(f"## {title}\n\n{title}.\n\n" for title in BLOCKS)
    html = converted(f"# Title\n\nBefore.\n\n{text}## Another\n\nAfter.\n")
    assert html.count('<section class="block">') == len(BLOCKS)
    assert html.index("Before.") < html.index('<div class="blocks">')
    grid, _, after = html.partition("</section></div>")
    assert "After." in after
    assert all(f"<p>{title}.</p>" in grid for title in BLOCKS)
    entry = "## Entry\n\n### Code\n\na\n\n### Checks\n\nb\n\n"
    assert converted(entry * 2).count('<div class="blocks">') == 2


def test_links_are_translated_and_formulas_become_mathml() -> None:
    assert '<a href="a.py#L3!">' in converted("[code](a.py#L3)")
    assert 'src="picture.svg!"' in converted("![picture](picture.svg)")
    html = with_formulas(r'<p>so <span class="arithmatex">\(a &lt; \frac{1}{2}\)</span></p>')
    assert "<math" in html
    assert "arithmatex" not in html
    assert '<div class="formula"><math display="block"' in with_formulas(
        '<div class="arithmatex">\\[\nx\n\\]</div>'
    )


def test_names_in_roles_are_shown_as_code() -> None:
    loaded = griffe.load(
        "tgite",
        search_paths=[ROOT / "reference"],
        allow_inspection=False,
        extensions=griffe.load_extensions(docstrings.NamesInRoles),
    )
    docstring = loaded["bkt.bkt"].docstring
    assert docstring is not None
    assert "Raises `InvalidInput` if" in docstring.value


def test_transcriptions_are_found_by_name() -> None:
    assert transcribed("tgite.tree.BalancedTree.over").text.lstrip().startswith("@")
    with pytest.raises(LookupError, match="nothing_like_that"):
        transcribed("tgite.bkt.nothing_like_that")


def test_every_page_that_is_not_of_an_entry_is_in_the_navigation() -> None:
    named = set(re.findall(r"[\w-]+\.md", (ROOT / "mkdocs.yml").read_text("utf-8")))
    of_the_site = {"index.md", "api.md", "sentences.md", "beyond-the-paper.md"}
    assert named == of_the_site | {page.name for page in (ROOT / "docs").glob("*.md")}


def test_every_link_has_a_target_in_a_plain_checkout_too() -> None:
    """With the anchors that Git hosts make of headings; code is left out."""
    texts: dict[Path, str] = {}
    anchors: dict[Path, set[str]] = {}
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S)
        titles = [title.lower() for title in re.findall(r"^#+ (.*)$", text, re.M)]
        slugs = {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in titles}
        ids = re.findall(r'<a id="([^"]*)">', text)
        assert len(ids) == len(set(ids)), page.name
        anchors[page] = slugs | set(ids)
        texts[page] = re.sub(r"`[^`\n]*`", "", text)
    for page, text in texts.items():
        for address in re.findall(r"\]\(([^)\s]+)\)", text):
            path, _, anchor = address.partition("#")
            if "://" in path:
                continue
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), (page.name, address)
            if target in anchors:
                assert not anchor or anchor in anchors[target], (page.name, address)
            elif anchor:
                lines = re.findall(r"L(\d+)", anchor)
                assert lines, (page.name, address)
                assert int(lines[-1]) <= len(target.read_text("utf-8").splitlines()), address
