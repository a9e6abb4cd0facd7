"""Tables of judgements, counts and probabilities: what is read, refused and concluded."""

from __future__ import annotations

import io
import random
import shlex
import tracemalloc
from collections.abc import Iterable
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from golden import table
from tgite import InvalidInput
from tgite.playing.matrices import as_matrix
from tgite_judge import Ties, find_best
from tgite_judge.layouts import read_columns
from tgite_judge.reader import Read, read_data
from tgite_judge.standings import Counts, Standings


@pytest.mark.parametrize("block", [1, 3])
def test_the_error_of_a_guess_holds_whenever_the_counts_are_looked_at(block: int) -> None:
    """Exactly: two items that tie, looked at after each of fourteen comparisons or blocks.

    A block is one question about which three raters always agree. A bound that holds only after a
    number of comparisons that was fixed before is exceeded here.
    """
    for alpha in (Fraction(1, 5), Fraction(1, 2)):
        named, going_on = Fraction(0), {0: Fraction(1)}
        for n in range(1, 15):
            following: dict[int, Fraction] = {}
            for wins, mass in going_on.items():
                for won in (0, 1):
                    k = wins + won
                    both = ((0, block * k), (block * (n - k), 0))
                    blocks = (((0, n), (n, 0)), ((0, k), (n - k, 0))) if block > 1 else None
                    counts = Counts(("a", "b"), both, (), (), blocks)
                    table = Standings(counts, alpha)
                    if min(table.error_of(arm) for arm in (0, 1)) <= alpha:
                        named += mass / 2
                    else:
                        following[k] = following.get(k, Fraction(0)) + mass / 2
            going_on = following
        assert alpha / 5 < named <= alpha


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("named", ["", "id", "question_id", "timestamp", "id,timestamp"])
def test_copies_and_blocks_are_no_new_evidence(tmp_path: Path, named: str, seed: int) -> None:
    """Whatever is copied how often and in which order, the same is decided as without copies."""
    drawn, path = random.Random(seed), tmp_path / "counts.csv"
    extra = [name for name in named.split(",") if name]
    rows = [
        ",".join([*drawn.sample("abc", 2), *(f"{number}:{name}" for name in extra)])
        for number in range(30)
    ]

    def evidence(lines: list[str]) -> tuple[list[tuple[int, int]], bool]:
        path.write_text("\n".join([f"winner,loser,{named}".rstrip(","), *lines]), encoding="utf-8")
        read = read_data(path)
        assert read.counts is not None
        order = [read.counts.names.index(name) for name in "abc"]
        trials = [read.counts.trial(i, j) for i in order for j in order if i != j]
        return trials, any("warning" in note for note in read.notes)

    copied = rows + drawn.choices(rows, k=90)
    drawn.shuffle(copied)
    once, warned = evidence(rows)
    assert not warned
    again, warned = evidence(copied)
    assert (again == once) is bool(extra)
    assert (warned is bool(extra) and named != "question_id") or not warned
    if named == "id":
        # Contradictions: each identifier is one block, won by nobody if its rows are even.
        turned = [",".join([*row.split(",")[1::-1], row.split(",")[2]]) for row in rows]
        both, warned = evidence(rows + turned)
        assert warned
        assert all(wins <= n / 2 for n, wins in both)


@pytest.mark.parametrize("question", ["question_id", "Prompt", "task id", "qid"])
def test_a_question_is_one_comparison_however_many_judge_it(tmp_path: Path, question: str) -> None:
    path, raters = tmp_path / "counts.csv", [(q, r) for q in range(5) for r in range(40)]
    for text in (
        f"{question},rater,winner,loser\n" + "".join(f"{q},{r},a,b\n" for q, r in raters),
        f"{question},a,b,winner\n" + "".join(f"{q},a,b,{'ab'[r % 2]}\n" for q, r in raters),
        f"first,second,first_wins,second_wins,ties,{question}\n"
        + "".join(f"a,b,{40 + q},0,3,{q}\n" for q in range(5)),
    ):
        path.write_text(text, encoding="utf-8")
        counts = read_data(path).counts
        assert counts is not None
        assert counts.trial(0, 1) in ((5, 5), (5, 2), (5, 4))
        assert not Standings(counts, Fraction(1, 20)).decided


def test_a_journal_counts_each_question_once(tmp_path: Path) -> None:
    """Copies of lines, of the body, or of a run that went on say no more than the journal."""
    for options in ({}, {"both_orders": True}, {"ties": Ties.AGAIN}):
        drawn, path = random.Random(str(options)), tmp_path / "journal"
        path.unlink(missing_ok=True)
        judge = lambda u, v: drawn.choice(("first", "second", "tie"))  # noqa: B023, E731
        find_best("pqr", judge, journal=path, budget=200, **options)
        once = read_data(path)
        _, *body = lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        for copied in (lines + 9 * body, lines + body[:50] + body, 3 * lines):
            path.write_text("".join(copied), encoding="utf-8")
            read = read_data(path)
            assert read.counts == once.counts
            assert any("are copies" in note for note in read.notes)
        turned = [one.replace('"swapped":true', '"swapped":false') for one in body]
        path.write_text("".join(lines + turned), encoding="utf-8")
        assert read_data(path).counts == once.counts


def said(read: Read) -> set[str]:
    """Return the wins and ties that were read."""
    counts = read.counts
    assert counts is not None
    names, pairs = counts.names, list(permutations(range(len(counts.names)), 2))
    wins = {f"{names[i]}>{names[j]} {counts.wins[i][j]}" for i, j in pairs if counts.wins[i][j]}
    tied = [(i, j) for i, j in pairs if i < j and counts.tied(i, j)]
    return wins | {f"{names[i]}={names[j]} {counts.tied(i, j)}" for i, j in tied}


@pytest.mark.parametrize("one", table("judge/tables.toml", "table"), ids=lambda one: one["name"])
def test_tables_as_people_have_them_are_read_or_refused_with_the_options_that_decide(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one: dict[str, Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    path, content = Path("t"), one["text"].encode(one.get("encoding", "utf-8"))
    path.write_bytes(content)
    options = one.get("columns"), one.get("winner-is")
    if "refused" not in one:
        read = read_data(path, *options)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert read_data(Path("-"), *options).counts == read.counts
        assert any(one.get("note", "") in note for note in read.notes)
        assert one.get("matrix") == (read.matrix and str(read.matrix.probability(0, 1)))
        assert read.matrix is not None or said(read) == set(one["says"])
        return
    with pytest.raises(InvalidInput) as refused:
        read_data(path, *options)
    assert one["refused"] in str(refused.value)
    found = []
    ways = refused.value.rule.partition("say which with ")[2].split("; or ")
    for words in map(shlex.split, ways):
        flags = dict(zip(words[::2], words[1::2], strict=True))
        named = read_columns([flags["--columns"]]) if "--columns" in flags else None
        found += [said(read_data(path, named, flags.get("--winner-is")))] if flags else []
    assert all(one not in found[:at] for at, one in enumerate(found))
    assert ("can be read in" in one["refused"]) == (len(found) > 1)


def test_a_table_may_be_larger_than_the_memory(tmp_path: Path) -> None:
    """Of 4 megabytes with a text and an identifier in each row, less than two are held at once."""
    path, rows = tmp_path / "big.csv", (f"{k},p,q,model_a,{200 * 'x'}\n" for k in range(18_000))
    path.write_text("question_id,model_a,model_b,winner,text\n" + "".join(rows), encoding="utf-8")
    tracemalloc.start()
    assert said(read_data(path)) == {"p>q 18000"}
    assert tracemalloc.get_traced_memory()[1] < 2e6
    tracemalloc.stop()


class Frame:
    """What pandas and polars have in common: columns, and cells as an array; and pandas' index."""

    def __init__(self, columns: object, cells: object, index: object = None) -> None:
        self.columns, self.cells = columns, np.array(cells, dtype=object)
        if index is not None:
            self.index = index

    def __array__(self) -> object:
        return self.cells


def test_tables_of_libraries_are_read() -> None:
    arena = [["x", "y", "tie"], ["x", "y", "model_b"]]
    frame = Frame(("model_a", "model_b", "winner"), arena, range(2))
    assert read_data(frame).counts == Counts(("x", "y"), ((0, 0), (1, 0)), ((0, 1), (1, 0)))
    # Rows are whose the index says, where it has the columns' names; numbers are names, too.
    for names in (("a", "b"), (0, 1), (10, 20)):
        wins = Frame(names, [[2.0, float("nan")], [None, 3]], names[::-1])
        assert read_data(wins).counts == Counts((str(names[0]), str(names[1])), ((0, 3), (2, 0)))
    assert read_data(np.array([[0, 3], [2, 0]])).counts == Counts(("0", "1"), ((0, 3), (2, 0)))
    rows = Frame(("a", "b"), [[0.4, 0.5], [0.5, 0.6]], ("b", "a"))
    matrix = as_matrix(cast(Iterable[Iterable[object]], rows)).matrix
    assert matrix.rows[0] == (Fraction(1, 2), Fraction(3, 5))
    with pytest.raises(InvalidInput, match="Frame: must be a Path, an array or a table"):
        read_data(Frame(("a",), [1, 2]))
