"""The confidence schedules: a table of values, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from tgite import Confidence
from tgite.schedules import (
    WEAK_WARM_START,
    anytime_level,
    bkt_round_level,
    block_level,
    known_horizon_level,
    merge_level,
    replacement_level,
    screening_level,
    self_play_rounds,
)

TENTH = Confidence.of("1/10")


@pytest.mark.parametrize(
    ("level", "written"),
    [
        (bkt_round_level(TENTH, 1), "1/10 * 6/pi^2"),
        (bkt_round_level(TENTH, 3), "1/90 * 6/pi^2"),
        (block_level(TENTH, 1, 2), "1/20"),
        (block_level(TENTH, 4, 8), "1/35"),
        (merge_level(TENTH, 1), "1/20"),
        (merge_level(TENTH, 3), "1/60"),
        (WEAK_WARM_START, "1/4"),
        (screening_level(1), "1/64"),
        (screening_level(2), "2^-8"),
        (replacement_level(1), "1/64"),
        (replacement_level(600), "2^-1204"),
        (known_horizon_level(1), "1/2"),
        (known_horizon_level(100_000), "1/100001"),
        (anytime_level(1), "1/4"),
        (anytime_level(2), "1/16"),
        (anytime_level(5), "2^-32"),
        (anytime_level(16), "2^-65536"),
    ],
)
def test_levels(level: Confidence, written: str) -> None:
    assert str(level) == written


@pytest.mark.parametrize("schedule", [screening_level, replacement_level])
def test_an_epoch_spends_a_quarter_of_the_one_before(
    schedule: Callable[[int], Confidence],
) -> None:
    # All bit patterns of s: "s | 2" and "s ^ 2" agree with "s + 2" at many of them.
    for s in range(1, 33):
        assert schedule(s).rational == Fraction(1, 2 ** (2 * s + 4))


def test_self_play() -> None:
    assert [self_play_rounds(s) for s in range(1, 6)] == [4, 16, 256, 65536, 4294967296]
