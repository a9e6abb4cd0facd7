"""The glossary is short, in order, and explains only terms that are used."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GLOSSARY = DOCS / "glossary.md"
MOST = 25


def test_the_glossary_has_few_terms_and_each_is_used() -> None:
    rows = re.findall(r"^\| ([a-z][a-z -]*) \| (.+) \|$", GLOSSARY.read_text("utf-8"), re.MULTILINE)
    terms = [term for term, meaning in rows if meaning != "meaning"]
    assert 0 < len(terms) <= MOST
    assert terms == sorted(set(terms))
    pages = [page.read_text("utf-8") for page in DOCS.glob("*.md") if page != GLOSSARY]
    sources = [
        path for part in ("reference", "proofs_checks") for path in (ROOT / part).rglob("*.py")
    ]
    pages += [source.read_text("utf-8") for source in sources]
    texts = [" ".join(text.split()) for text in pages]
    for term in terms:
        used = re.compile(rf"\b{term}s?\b", re.IGNORECASE)
        assert sum(bool(used.search(text)) for text in texts) >= 2, term
