"""The tables of pages that come from registries: tests, conventions, algorithms and vectors."""

from __future__ import annotations

import tomllib
from collections import Counter
from typing import get_type_hints

from jinja2 import Environment, PackageLoader, StrictUndefined

from tgite import RULINGS, Conventions
from tgite_conform.algorithms import ALGORITHMS, Group
from tgite_conform.flags import FLAGS
from tgite_conform.format import CHOICES, VERSIONS, read_folder
from tgite_laws.pairwise import TESTS
from tgite_pages.places import ROOT

_PAGES = {
    "beyond.md": ("tests",),
    "conformance-reference.md": ("conventions", "paper", "beyond", "certificates", "wins"),
    "coverage.md": ("versions", "reached_paper", "reached_beyond", "reached_others", "mistakes"),
    "decisions.md": ("conventions",),
}
"""The pages with such tables, by name."""


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
            "decides": get_type_hints(Conventions, include_extras=True),
            "cases": cases,
            "columns": {one.value: dict.fromkeys(map(column.get, one.algorithms)) for one in Group},
            "reached": Counter(reached),
            "others": Counter(len(mutant.also) for mutant in mistakes),
            "without": tomllib.loads(without.read_text("utf-8")),
        }
    )
    return {
        page: {name: f"\n{str(getattr(module, name)()).strip()}\n\n" for name in names}
        for page, names in _PAGES.items()
    }
