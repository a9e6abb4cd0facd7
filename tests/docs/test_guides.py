"""The guides: a short glossary, paths and modules that exist, an example that runs."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GLOSSARY = DOCS / "glossary.md"
MOST = 25
FOLDERS_LEFT_OUT = ("proofs_checks/tgite_checks", "reference/tgite", "tests/reference")


def test_the_glossary_has_few_terms_and_each_is_used() -> None:
    rows = re.findall(r"^\| ([a-z][a-z -]*) \| (.+) \|$", GLOSSARY.read_text("utf-8"), re.MULTILINE)
    terms = [term for term, meaning in rows if meaning != "meaning"]
    assert 0 < len(terms) <= MOST
    assert terms == sorted(set(terms))
    files = [page for page in DOCS.glob("*.md") if page != GLOSSARY]
    files += [*(ROOT / "reference").rglob("*.py"), *(ROOT / "proofs_checks").rglob("*.py")]
    texts = [" ".join(file.read_text("utf-8").split()) for file in files]
    for term in terms:
        used = re.compile(rf"\b{term}s?\b", re.IGNORECASE)
        assert sum(bool(used.search(text)) for text in texts) >= 2, term


def test_the_new_paths_of_the_changelog_can_be_imported() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    named = re.findall(r"^\| `tgite_checks.*\| (.*) \|$", text, re.MULTILINE)
    modules = re.findall(r"`(\w+(?:\.\w+)*)`", " ".join(named))
    assert len(modules) > 5
    for module in modules:
        importlib.import_module(module)


def test_the_files_to_touch_exist() -> None:
    """Names in capitals stand for others."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    written = re.sub(r"`[^`\n]*[A-Z]{4}[^`\n]*`", "", text)
    paths = set(re.findall(r"`([\w./-]+/[\w.-]+\.\w+)`", written))
    assert len(paths) > 20
    under = (".", "proofs_checks", *FOLDERS_LEFT_OUT)
    for path in paths:
        assert any((ROOT / folder / path).exists() for folder in under), path
    for path in re.findall(r"\btests/[\w/]+\.py|\btests/\w+(?= )", text):
        assert (ROOT / path).exists(), path


def test_the_example_of_another_convention_runs() -> None:
    page = (DOCS / "decisions.md").read_text("utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(compile(code, "decisions.md", "exec"), {})
