"""Preference matrices from CSV files and from floats."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusals import refused
from tgite import InvalidInput, PreferenceMatrix, read_matrix
from tgite.playing.matrices import as_matrix, parse_matrix
from tgite.preferences import HALF

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


def test_floats_are_mended_within_a_stated_tolerance() -> None:
    """Of all counts of wins below 60 of two items, W/(W + W^T) in floats is a matrix."""
    missed = 0
    for a, b in product(range(1, 60, 2), repeat=2):
        p, q = a / (a + b), b / (a + b)
        missed += Fraction(repr(p)) + Fraction(repr(q)) != 1
        matrix = as_matrix([[float("nan"), p], [q, float("nan")]]).matrix
        assert abs(matrix.probability(0, 1) - Fraction(a, a + b)) < Fraction(1, 10**15)
        assert (matrix.probability(0, 1) > Fraction(1, 2)) is (a > b)
    assert missed > 100
    healed = as_matrix(np.array([[0.0, 0.5000003], [0.5, 0.0]]))
    assert healed.matrix.probability(0, 1) == Fraction(1, 2)
    assert healed.said == ("p_ij + p_ji was off 1 by up to 3e-07: mended",)
    with pytest.raises(InvalidInput, match="must be 1"):
        as_matrix([[0.5, 0.6], [0.40001, 0.5]])
    text = "a,b\n,0.5757575757575758\n0.42424242424242425,\n"
    assert parse_matrix(text, "p.csv").names == ("a", "b")
    beside = ",b,a\na,0.4,0.5\nb,0.5,0.6\n"
    assert parse_matrix(beside, "p.csv") == parse_matrix("b,a\n0.5,0.6\n0.4,0.5\n", "p.csv")
