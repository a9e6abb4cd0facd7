"""The farm of planted bugs: what its page says is so, and a handful is planted anew."""

from __future__ import annotations

import random
from itertools import islice

from bug_farm import PAGE, RULE, SOURCE, bugs, by_law, by_vectors, paper_cases

BUGS = bugs()


def _rows() -> dict[str, list[str]]:
    table = PAGE.read_text(encoding="utf-8").partition(RULE)[2]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]
    return {row[0]: row[1:] for row in rows}


def test_the_page_has_every_bug() -> None:
    rows = _rows()
    assert list(rows) == list(BUGS)
    source = SOURCE.read_text(encoding="utf-8")
    for name, bug in BUGS.items():
        assert source.count(bug.original) == 1, name
        assert rows[name][0] == bug.kind
        assert rows[name][-1] == bug.explained


def test_most_bugs_are_caught() -> None:
    rows = _rows()
    missed = [name for name, row in rows.items() if row[1] == "not"]
    assert len(rows) == 157
    assert len(missed) <= 2, missed
    assert all(BUGS[name].explained for name in missed)
    of_laws = [row[5] for name, row in rows.items() if BUGS[name].law]
    assert len(of_laws) >= 35
    assert of_laws.count("not") <= len(of_laws) / 10


def test_a_handful_is_caught_where_the_page_says() -> None:
    few, rows = paper_cases()[:400], _rows()
    early = [name for name, row in rows.items() if row[1].isdecimal() and int(row[1]) <= 400]
    for name in random.Random(16).sample(early, 6):
        assert str(by_vectors(BUGS[name], few).first) == rows[name][1], name


def test_some_are_caught_by_their_laws_after_as_many_samples() -> None:
    rows = _rows()
    quick = (name for name, bug in BUGS.items() if bug.law and rows[name][5] in {"1", "2", "3"})
    for name in islice(quick, 3):
        assert str(by_law(BUGS[name])) == rows[name][5], name
