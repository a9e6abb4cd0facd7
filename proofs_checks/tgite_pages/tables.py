"""The tables of pages that come from registries, schemas and messages."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import get_args, get_type_hints

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined

from tgite import RULINGS, Conventions
from tgite_conform.algorithms import ALGORITHMS, Group
from tgite_conform.flags import FLAGS
from tgite_conform.format import CHOICES, VERSIONS, read_folder
from tgite_conform.protocol import Reply, Request
from tgite_conform.vector_files import SCHEMA
from tgite_laws.pairwise import TESTS
from tgite_pages.places import ROOT

_PAGES = {
    "beyond.md": ("tests",),
    "conformance-reference.md": (
        *("requests", "replies", "tapes"),
        *("conventions", "paper", "ranges", "beyond", "certificates", "wins"),
    ),
    "coverage.md": ("versions", "reached_paper", "reached_beyond", "reached_others", "mistakes"),
}
"""The pages with such tables, by name."""

MOST_LINES = 7000
"""The most lines of the files in which a mistake can make a verdict of the audit wrong."""


def tables() -> dict[str, dict[str, str]]:
    """Return the tables of each page, by name."""
    cases = {version: read_folder(version.folder()) for version in VERSIONS}
    every = [case for some in cases.values() for case in some]
    # Algorithms with a test beyond the paper share a column for each test.
    column = {
        name: name.removeprefix(of.base) if of.group is Group.BEYOND and not of.is_a_test else name
        for name, of in ALGORITHMS.items()
    }
    reached = ((column[case.algorithm], flag) for case in every for flag in case.flags)
    mistakes = [case.mutant for case in every if case.mutant is not None]
    without = ROOT / "tests" / "conform" / "mutants_without_a_case.toml"
    messages = [*get_args(Request), *get_args(Reply)]
    _, forms = msgspec.json.schema_components(messages, schema_hook=lambda _: {"type": "any"})
    parameters = json.loads(SCHEMA.read_text("utf-8"))["$defs"]["parameters"]["properties"]
    made = Environment(
        loader=PackageLoader("tgite_pages"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    ).get_template("tables.md")
    module = made.make_module(
        {
            "TESTS": TESTS,
            "ALGORITHMS": ALGORITHMS,
            "GROUPS": {group.value: group.algorithms for group in Group},
            "FLAGS": FLAGS,
            "CHOICES": CHOICES,
            "RULINGS": RULINGS,
            "FORMS": forms,
            "REQUESTS": [one.__name__ for one in get_args(Request)],
            "REPLIES": [one.__name__ for one in get_args(Reply)],
            "type": partial(_type, forms),
            "RANGES": groupby(parameters.items(), lambda row: row[1]["description"]),
            "decides": get_type_hints(Conventions, include_extras=True),
            "cases": cases,
            "columns": {one.value: dict.fromkeys(map(column.get, one.algorithms)) for one in Group},
            "reached": Counter(reached),
            "others": Counter(len(mutant.also) for mutant in mistakes),
            "without": tomllib.loads(without.read_text("utf-8")),
        }
    )
    found = {page: {name: str(getattr(module, name)()) for name in _PAGES[page]} for page in _PAGES}
    return {
        page: {name: f"\n{text.strip()}\n\n" for name, text in texts.items()}
        for page, texts in (found | believed()).items()
    }


def _type(forms: Mapping[str, Mapping[str, object]], form: Mapping[str, object]) -> str:
    """Return a type of a JSON schema in the notation of TypeScript, with "or" for its bar."""
    match form:
        case {"$ref": str(name)}:
            return _type(forms, forms[name.rpartition("/")[2]])
        case {"anyOf": list(types)}:
            return " or ".join(_type(forms, one) for one in types)
        case {"prefixItems": list(types), "minItems": int(least)}:
            inner = [_type(forms, one) for one in types]
            inner[least:] = [f"{one}?" for one in inner[least:]]
            return f"[{', '.join(inner)}]"
        case {"items": dict(one)}:
            element = _type(forms, one)
            return f"({element})[]" if "anyOf" in one else f"{element}[]"
    return str(form["type"])


def believed() -> dict[str, dict[str, str]]:
    """Return how long the files are that a person must believe, for each word and verdict."""
    data = tomllib.loads(Path(__file__).with_name("believed.toml").read_text("utf-8"))
    rows = ["| to believe | in | lines |", "| --- | --- | ---: |"]
    for words, names in data.items():
        files = " ".join(f"`{Path(name).name}`" for name in names)
        rows.append(f"| {words} | {files} | {_lines(ROOT / name for name in names)} |")
    core = trusted_core((ROOT / "docs" / "trusted-core.md").read_text("utf-8"))
    counts = ", ".join(f"{_lines(files):,}" for files in core)
    together = f"{counts}; together at most {MOST_LINES:,} with the blank ones."
    return {"believe.md": {"believed": "\n".join(rows)}, "trusted-core.md": {"lines": together}}


def trusted_core(page: str) -> list[list[Path]]:
    """Return the files that each row of the page on the trusted core names."""
    rows = re.findall(r"^\| .* \| (`.*`) \|$", page, re.MULTILINE)
    named = (re.findall(r"`([^`]+)`", row) for row in rows)
    return [[ROOT / "proofs_checks" / name for name in names] for names in named]


def _lines(files: Iterable[Path]) -> int:
    """Return how many non-blank lines files have before their proofs, up to the next fifty."""
    texts = (file.read_text("utf-8").partition("(** * Proofs *)")[0] for file in files)
    count = sum(bool(line.strip()) for text in texts for line in text.splitlines())
    return -(-count // 50) * 50
