"""The pages on conformance, coverage and the law check: their numbers and tables are computed."""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from contextlib import nullcontext
from fractions import Fraction
from hashlib import sha256
from importlib import metadata
from itertools import islice
from math import gcd
from pathlib import Path
from textwrap import dedent

import pytest

from golden import transcript
from shipped_vectors import CASES, played_of
from tgite import Confidence, budget
from tgite_conform.algorithms import ALGORITHMS
from tgite_conform.cases.random_cases import random_cases
from tgite_conform.divergence import Diverged
from tgite_conform.format import Expected, Version
from tgite_conform.law.catalogue import match_check
from tgite_conform.law.check import ALPHA, POWER
from tgite_conform.law.wrong_versions import all_laws
from tgite_conform.protocol import read_played
from tgite_conform.referee import Level
from tgite_conform.runner import Status, examine
from tgite_conform.subjects import StreamSubject, judge_played
from tgite_conform.vector_files import SCHEMA
from tgite_laws.cli.main import status
from tgite_laws.pairwise import TESTS, ChosenTest
from tgite_pages.pages import drifted, pages_with_tables

_DOCS = Path(__file__).parents[2] / "docs"
PAGE = (_DOCS / "conformance.md").read_text(encoding="utf-8")
REFERENCE = (_DOCS / "conformance-reference.md").read_text(encoding="utf-8")
LAW_PAGE = (_DOCS / "law-check.md").read_text(encoding="utf-8")


def test_the_tables_of_registries_are_up_to_date() -> None:
    """Of tests, conventions, algorithms, states and known mistakes."""
    assert drifted(pages_with_tables()) == (), "run: python -m tgite_pages --tables"


def test_the_pages_are_short() -> None:
    assert len(PAGE.split()) < 1000
    by_hand = re.sub(r"<!-- begin (\w+) -->.*?<!-- end \1 -->", "", REFERENCE, flags=re.DOTALL)
    assert len(by_hand.split()) <= 2650


def test_suffixes_statuses_ranges_and_fields_are_explained() -> None:
    for name, of in ALGORITHMS.items():
        if of.base not in ("", name):
            told = ("g",) if of.test.needs_known_gap else ()
            assert of.parameters == (*ALGORITHMS[of.base].parameters, *told)
            suffix = name.removeprefix(of.base)
            assert of.test.of_the_paper or TESTS[of.test].stream == f"{suffix[1:]}_test"
    assert all(f"| `{status}` | " in REFERENCE for status in Status)
    ranges = REFERENCE.partition("Parameters out of these ranges must be refused:")[2]
    rows = re.findall(r"^\| (`.*?) \| .* \|$", ranges.partition("`horizon` stops")[0], re.MULTILINE)
    named = sorted(re.findall(r"`(\w+)`", " ".join(rows)))
    assert named == sorted({name for of in ALGORITHMS.values() for name in of.parameters})
    form = json.loads(SCHEMA.read_text("utf-8"))
    read = ("group", "run", "certificate", "conventions")
    fields = {*form["properties"]}.union(*(form["$defs"][one]["properties"] for one in read))
    assert {one for one in fields if not re.search(rf"[`.\"]{one}[`.\"]", REFERENCE)} == set()


_LEVELS = ("delta", "epsilon", "kappa", "rho", "warm_start", "against", "g", "margin")


def test_how_numbers_and_tapes_are_written() -> None:
    some = [*CASES, *islice(random_cases(3), 30)]
    for case, run in ((one, one.expected) for one in some if isinstance(one.expected, Expected)):
        rows = [(pair.low, pair.high) for pair in run.tape]
        assert rows == sorted({*rows})
        assert not re.search("[0-9]{2001}", str(case.parameters))
        for name in {*_LEVELS} & {*case.parameters}:
            level = str(case.parameters[name])
            above, _, below = level.removesuffix(" * 6/pi^2").partition("/")
            assert int(above[3:]) <= 65_536 if "2^-" in above else gcd(int(above), int(below)) == 1
    assert all(f'`"{level}"`' in REFERENCE for level in ("1/10", "2^-1024", "1/40 * 6/pi^2"))
    case = next(case for case in CASES if case.algorithm == "duel_test" and "1/10" in case.name)
    assert isinstance(case.expected, Expected)
    (match,) = case.expected.matches
    for level in ("0.1", "2/20", "1/11"):
        once = [match.first, match.second, match.length, match.winner, level]
        played = read_played({"matches": [once], "result": case.expected.result})
        with nullcontext() if level in REFERENCE else pytest.raises(Diverged, match="level"):
            judge_played(case, played, Level.MATCHES)


def test_the_tests_beyond_the_paper_as_they_are_defined() -> None:
    defined = REFERENCE.partition("<!-- begin wins -->")[2].partition("Equality is possible")[0]
    assert "k >= 1   and   1 + ((1+2g)/(1-2g))^k >= 1/delta` |\n" in defined
    assert "k >= 1   and   1 + ((1+2g)/(1-2g))^k >= 2/delta` |\n" in defined
    ends = "after at most M = ceil(log(2/delta)/(2 g^2)) duels. Then the arm with more wins wins, "
    assert f"{ends}or the first argument on a tie." in " ".join(defined.split())


_FLAG_OF = {
    "within a match": "cut-in-match",
    "at the end of a match": "cut-between-matches",
    "at the end of a pass or an epoch": "cut-between-matches",
    "within self-play": "cut-in-self-play",
    "at the end of self-play": "cut-after-self-play",
    "at the end of a match within the pass": "cut-between-matches",
    "at the end of the pass": "just-in-time",
    "in self-play": "self-play",
}
"""Which flag the cases have that end there."""


def test_the_table_of_where_a_run_ends() -> None:
    """Whether its last match is whole; self-play and an announcement follow; a result is due."""
    rows = re.findall(r"^\| (`horizon`|H), (.*?) \| (.*) \| `(.*?)` \|$", REFERENCE, re.MULTILINE)
    assert len({tuple(row[:3]) for row in rows}) == len({name for *_, name in rows}) == 9
    for who, where, cells, name in rows:
        matches, self_play, incumbents, result = cells.split(" | ")
        (case,) = (one for one in CASES if one.id == name)
        expected = case.expected
        assert isinstance(expected, Expected)
        assert _FLAG_OF[where] in case.flags
        assert (expected.horizon is None) == (who == "H")
        last = len(expected.matches)
        assert (expected.matches[-1].winner is not None) == (matches == "whole")
        assert any(block.after == last for block in expected.self_play) == (self_play != "none")
        assert any(one.after == last for one in expected.incumbents) == (incumbents != "none")
        assert (expected.result is not None) == (result == "the arm")
        # It is what is compared: one announcement less is another run.
        played = played_of(expected)
        judge_played(case, read_played(played), Level.MATCHES)
        if incumbents != "none":
            fewer = {**played, "incumbents": [one.arm for one in expected.incumbents[:-1]]}
            with pytest.raises(Diverged, match="announces another arm"):
                judge_played(case, read_played(fewer), Level.MATCHES)


@pytest.mark.parametrize(
    ("g", "chances"),
    [(None, ("0.6", "0.7", "0.8", "0.9", "0.99")), (Fraction(1, 4), ("0.6", "0.7", "0.8"))],
)
def test_the_samples_that_the_law_check_needs(g: Fraction | None, chances: tuple[str, ...]) -> None:
    test = ChosenTest.of_the_paper(g)
    names = list(all_laws(test)[1])
    assert f"| P(first wins) | {' | '.join(names)} |\n" in LAW_PAGE
    for p in chances:
        check = match_check(Confidence.of("1/10"), Fraction(p), test)
        counts = []
        for name in names:
            needed = check.samples_needed[name]
            counts.append("" if needed is None else f"{needed:,}")
        assert f"| {p} | {' | '.join(counts)} |\n" in LAW_PAGE
    flowing = " ".join(LAW_PAGE.split())
    if g is not None:
        assert budget(g, Confidence.of("1/10")) % 2 == 0
    assert f"({ALPHA:.0e} by default)".replace("e-0", "e-") in flowing
    assert f"stated power ({POWER})" in flowing


def test_the_example_of_the_law_check_prints_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shown,) = re.findall(r"^    \$ printf (?:.*\n    )*.*\n", LAW_PAGE, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    kept = tmp_path / "shown.txt"
    kept.write_text(dedent(shown))
    assert transcript(kept).startswith(dedent(shown))


def test_the_report_that_is_shown() -> None:
    (name,) = re.findall(r"^    (bkt-[0-9a-f]+): delta = ", PAGE, re.MULTILINE)
    (case,) = [one for one in CASES if one.id == name]

    def goes_on(algorithm: str, parameters: object) -> Generator[tuple[int, int], bool, int]:
        while True:
            yield (0, 1)

    (result,) = examine(StreamSubject(goes_on, "it"), [case])
    told = "".join(f"      {line}\n" for line in str(result.divergence).splitlines())
    assert f"    {case.id}: {case.name}\n      {result.status}\n{told}" in PAGE


def test_the_example_and_the_commands_of_the_workflow_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Run from a folder with the example."""
    (code,) = re.findall(r"```python\n# mine.py\n(.*?)```", PAGE, re.DOTALL)
    (workflow,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    commands = [line.split()[1:] for line in re.findall(r"- run: (tgite .*)", workflow)]
    assert re.findall(r"--junit (\S+)", workflow) == re.findall(r"path: (\S+)", workflow)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    Path("mine.py").write_text(code)
    assert [status(words) for words in commands] == [0, 1, 0]
    assert Path("conformance.xml").exists()
    told = capsys.readouterr().out
    assert re.search(r"^mine:make: [\d,]+ conforms, 7 wrong, [\d,]+ skipped$", told, re.MULTILINE)
    assert "This example fails seven cases" in PAGE
    assert f"tgite {metadata.version('tgite')}\n" in told
    sums = (Version("1.1").folder() / "SHA256SUMS").read_bytes()
    assert f"vectors 1.1: SHA256SUMS {sha256(sums).hexdigest()}\n" in told
