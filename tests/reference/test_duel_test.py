"""DuelTest's radius, also for levels that floats cannot hold. Its matches: ``algorithms.toml``."""

from __future__ import annotations

from fractions import Fraction
from math import isfinite, log, sqrt

import pytest

from tgite import Confidence
from tgite.duel_test import c

TENTH = Confidence.of("1/10")


def test_the_radius_is_the_papers() -> None:
    for n in (1, 7, 1000):
        assert c(n, TENTH) == pytest.approx(sqrt(log(2 * n * (n + 1) / 0.1) / (2 * n)), rel=1e-14)


def test_the_radius_is_finite_where_the_quotient_is_not() -> None:
    level = Confidence(Fraction(1, 4**602))
    with pytest.raises(OverflowError):
        _ = 2 * 10 * 11 / float(level.rational.denominator)
    assert isfinite(c(10, level))
    assert c(10**6, level) < 0.05
