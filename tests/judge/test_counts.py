"""Tables of judgements, counts and probabilities: what is read, refused and concluded."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from tgite import InvalidInput, read_matrix
from tgite.playing.matrices import as_matrix
from tgite_judge.counts import Counts, fair_tail, leader
from tgite_judge.reader import read_data
from tgite_laws.cli.main import status

JUDGEMENTS = "winner,loser\na,b\na,b\nb,a\nb,c\nc,b\nb,c\na,c\na,c\nc,a\n"
COUNTED = "winner,loser,count\na,b,2\nb,a,1\nb,c,2\nc,b,1\na,c,2\nc,a,1\n"
PAIRS = "first,second,first_wins,second_wins\na,b,2,1\nb,c,2,1\nc,a,1,2\n"


@pytest.mark.parametrize("text", [JUDGEMENTS, COUNTED, PAIRS])
def test_the_forms_agree(tmp_path: Path, text: str) -> None:
    path = tmp_path / "counts.csv"
    path.write_text(text, encoding="utf-8")
    counts = read_data(path).counts
    assert counts == Counts(("a", "b", "c"), ((0, 2, 2), (1, 0, 2), (1, 1, 0)))
    matrix = counts.matrix(Fraction(0))
    assert matrix.probability(0, 2) == Fraction(2, 3)
    assert status(["matrix", str(path), "--out", str(tmp_path / "matrix.csv")]) == 0
    assert read_matrix(tmp_path / "matrix.csv") == matrix


def test_the_error_bound_holds_exactly_on_every_small_case() -> None:
    """Enumerate all counts of 3 items, n comparisons a pair, with ties and cycles as the truth.

    The bound says: the probability that the counts name, with an error of at most alpha, an item
    that does not beat every other one, is at most alpha. Binomial probabilities are exact here.
    """
    n = 4
    half = Fraction(1, 2)
    truths = [(half, half, half), (Fraction(7, 10), Fraction(7, 10), Fraction(3, 10))]
    for p_ab, p_bc, p_ac in truths:
        for alpha in (0.2, 0.5, 0.9):
            wrong = Fraction(0)
            for ab, bc, ac in product(range(n + 1), repeat=3):
                wins = ((0, ab, ac), (n - ab, 0, bc), (n - ac, n - bc, 0))
                counts = Counts(("a", "b", "c"), wins)
                try:
                    named = leader(counts, counts.matrix(Fraction(1)))
                except InvalidInput:
                    continue
                if named.error.low <= alpha:
                    mass = Fraction(1)
                    for k, p in ((ab, p_ab), (bc, p_bc), (ac, p_ac)):
                        mass *= comb(n, k) * p**k * (1 - p) ** (n - k)
                    wrong += mass
            assert 0 <= wrong <= alpha


def test_columns_can_be_named_and_the_input_piped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\ufeffwho;whom;which;day\nb;a;a;1\nb;a;b;2\n"))
    words = ["--first", "who", "--second", "whom", "--winner", "which", "--winner-is", "name"]
    assert status(["matrix", "-", *words, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["matrix"] == [["1/2", "1/2"], ["1/2", "1/2"]]
    assert printed["read_as"][-1] == "left out: day"


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
    with pytest.raises(InvalidInput, match="Frame: must have rows and columns"):
        read_data(Frame(("a",), [1, 2]))


def test_tails_of_a_fair_coin_are_enclosed() -> None:
    for n in range(1, 40):
        for k in range(n + 1):
            exact = Fraction(sum(comb(n, j) for j in range(k, n + 1)), 2**n)
            tail = fair_tail(n, k)
            assert Fraction(tail.low) <= exact <= Fraction(tail.high)
            assert tail.high - tail.low <= 1e-15 * tail.high
    # Two standard deviations above the mean: the normal tail, which is exact to 1e-7 here.
    assert fair_tail(10**15, 5 * 10**14 + 31_622_777).low == pytest.approx(0.0227501, abs=1e-7)
    assert 0 <= fair_tail(10**15, 6 * 10**14).low < fair_tail(10**15, 6 * 10**14).high < 1e-300
