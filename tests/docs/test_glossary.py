"""The glossary is short, in order, and explains only terms that are used."""

from __future__ import annotations

import re
from pathlib import Path

import tgite

DOCS = Path(__file__).parents[2] / "docs"
GLOSSARY = DOCS / "glossary.md"
MOST = 25


def test_the_glossary_has_few_terms_and_each_is_used() -> None:
    rows = re.findall(r"^\| ([a-z][a-z -]*) \| (.+) \|$", GLOSSARY.read_text("utf-8"), re.MULTILINE)
    terms = [term for term, meaning in rows if meaning != "meaning"]
    assert 0 < len(terms) <= MOST
    assert terms == sorted(set(terms))
    pages = [page.read_text("utf-8") for page in DOCS.glob("*.md") if page != GLOSSARY]
    sources = Path(tgite.__file__).parent.rglob("*.py")
    texts = [" ".join(text.split()) for text in [*pages, *(one.read_text() for one in sources)]]
    for term in terms:
        used = re.compile(rf"\b{term}s?\b", re.IGNORECASE)
        assert sum(bool(used.search(text)) for text in texts) >= 2, term
