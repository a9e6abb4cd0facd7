"""Preferences from counts of wins."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from tgite import InvalidInput, read_matrix
from tgite_checks.cli.main import status
from tgite_checks.judging.counts import Counts, leader, read_counts


def written(folder: Path, text: str) -> Path:
    """Write a file of counts."""
    path = folder / "counts.csv"
    path.write_text(text, encoding="utf-8")
    return path


JUDGEMENTS = "winner,loser\na,b\na,b\nb,a\nb,c\nc,b\nb,c\na,c\na,c\nc,a\n"
COUNTED = "winner,loser,count\na,b,2\nb,a,1\nb,c,2\nc,b,1\na,c,2\nc,a,1\n"
PAIRS = "first,second,first_wins,second_wins\na,b,2,1\nb,c,2,1\nc,a,1,2\n"


@pytest.mark.parametrize("text", [JUDGEMENTS, COUNTED, PAIRS])
def test_the_forms_agree(tmp_path: Path, text: str) -> None:
    counts = read_counts(written(tmp_path, text))
    assert counts == Counts(("a", "b", "c"), ((0, 2, 2), (1, 0, 2), (1, 1, 0)))
    assert counts.matrix(Fraction(0)).probability(0, 2) == Fraction(2, 3)


def test_the_matrix_is_written_exactly(tmp_path: Path) -> None:
    out = tmp_path / "matrix.csv"
    assert status(["matrix", str(written(tmp_path, PAIRS)), "--out", str(out)]) == 0
    assert read_matrix(out) == read_counts(written(tmp_path, PAIRS)).matrix(Fraction(0))


def test_a_shutout_needs_a_prior(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counts = str(written(tmp_path, "winner,loser,count\na,b,4\n"))
    assert status(["matrix", counts]) == 2
    assert "a won all 4 against b: gives a probability of 1" in capsys.readouterr().err
    assert status(["matrix", counts, "--prior", "1/2", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["matrix"] == [["1/2", "9/10"], ["1/10", "1/2"]]
    assert printed["shutouts"] == [["a", "b"]]
    assert printed["winner"] == "a"


def test_missing_pairs_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counts = str(written(tmp_path, "winner,loser\na,b\nb,c\n"))
    assert status(["matrix", counts, "--prior", "1"]) == 2
    assert "counts = a and c: must be compared at least once" in capsys.readouterr().err


def test_the_smith_set_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = ["a,b", "b,c", "c,a", "a,d", "b,d", "c,d"]
    lines = ["first,second,first_wins,second_wins", *(f"{pair},3,1" for pair in pairs)]
    counts = str(written(tmp_path, "\n".join(lines)))
    assert status(["matrix", counts]) == 0
    assert "the Smith set (all others lose to it): a, b, c\n" in capsys.readouterr().out
    assert status(["matrix", counts, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["smith_set"] == ["a", "b", "c"]


def test_the_error_bound_holds_exactly_on_every_small_case() -> None:
    """Enumerate all counts of 3 items, n comparisons a pair, with ties and cycles as the truth.

    The bound says: the probability that the counts name, with an error of at most alpha, an item
    that does not beat every other one, is at most alpha. Binomial probabilities are exact here.
    """
    from math import comb

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


def test_more_comparisons_make_the_leader_surer() -> None:
    few = Counts(("a", "b"), ((0, 6), (4, 0)))
    many = Counts(("a", "b"), ((0, 600), (400, 0)))
    assert leader(few, few.matrix(Fraction(0))).error.low == pytest.approx(0.7539, abs=1e-4)
    assert leader(many, many.matrix(Fraction(0))).error.high < 1e-8


BAD = {
    "": ":1: must begin with the line",
    "a,b\n1,2": "must begin with the line",
    "winner,loser\na": ":2: must have 2 columns",
    "winner,loser\na,a": ":2: must name two different items",
    "winner,loser\na,": ":2: must name two different items",
    "winner,loser\na\0,b": ":2: must name items without control characters",
    "winner,loser,count\na,b,-1": "must count in whole numbers, not '-1'",
    "winner,loser,count\na,b,1.5": "must count in whole numbers",
    "winner,loser,count\na,b,1_0": "must count in whole numbers, not '1_0'",
    "winner,loser,count\na,b,\u0663": "must count in whole numbers",
    "winner,loser,count\na,b,1000000000000000": "must count less than 10^15",
    "winner,loser": "must compare at least two items",
    'winner,loser\n"a,b': "is not CSV",
}


@pytest.mark.parametrize(("text", "message"), BAD.items())
def test_bad_counts_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    assert status(["matrix", str(written(tmp_path, text))]) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert printed.count("\n") == 1
