"""Preference matrices from CSV files, and the real ones that come with the package."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusals import refused
from tgite import PreferenceMatrix, example, read_matrix
from tgite.playing.matrices import parse_matrix
from tgite.preferences import HALF, require_condorcet_gap

PRINTABLE = st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs"))


@st.composite
def matrices(draw: st.DrawFn) -> PreferenceMatrix:
    """Draw matrices with names of all kinds and entries of many digits."""
    name = st.text(PRINTABLE, min_size=1).map(str.strip).filter(lambda t: t and t.isprintable())
    names = draw(st.lists(name, min_size=2, max_size=5, unique=True))
    N = len(names)
    rows = [[HALF] * N for _ in range(N)]
    for i in range(N):
        for j in range(i):
            a, b = draw(st.integers(1, 10**30)), draw(st.integers(1, 10**30))
            rows[i][j] = Fraction(a, a + b)
            rows[j][i] = 1 - rows[i][j]
    return PreferenceMatrix(tuple(map(tuple, rows)), tuple(names))


@given(matrices(), st.sampled_from(("excel", "unix")))
def test_a_written_matrix_is_read_again(matrix: PreferenceMatrix, dialect: str) -> None:
    out = io.StringIO()
    csv.writer(out, dialect).writerows([matrix.names, *matrix.rows])
    assert parse_matrix(out.getvalue(), "p.csv") == matrix


def test_a_matrix_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text('\ufeff"a, b", c\n0.5,0.25\n\n 0.75 ,1/2\n', encoding="utf-8")
    matrix = read_matrix(path)
    assert matrix.names == ("a, b", "c")
    assert matrix.rows == ((HALF, Fraction(1, 4)), (Fraction(3, 4), HALF))


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    binary = tmp_path / "binary.csv"
    binary.write_bytes(b"\xff\xfe\x00")
    with refused("matrix", "cannot be read"):
        read_matrix(binary)


@pytest.mark.parametrize(
    ("name", "size", "winner_gap", "global_gap"),
    [
        ("sushi16", 16, "0.012", "0.012"),
        ("mslr5", 5, "0.03519466", "0.00999465"),
        ("arxiv6", 6, "0.04", "0"),
    ],
)
def test_the_real_matrices(name: str, size: int, winner_gap: str, global_gap: str) -> None:
    preferences = example(name)
    assert (preferences.size, preferences.winner()) == (size, 0)
    assert preferences.winner_gap() == Fraction(winner_gap)
    assert preferences.global_gap() == Fraction(global_gap)
    if preferences.global_gap():
        require_condorcet_gap(preferences)
