"""The confidence schedules: a table of values, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from refusals import refused, wrong_type
from tgite import Confidence, WrongType
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
BASEL = Confidence.of("1/10 * 6/pi^2")


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


@pytest.mark.parametrize(
    "schedule",
    [screening_level, replacement_level, anytime_level, self_play_rounds],
)
def test_epochs_and_phases_count_from_1(schedule: Callable[[int], object]) -> None:
    for s in (0, -1, True):
        with refused("s", "whole number of 1 or more"):
            schedule(s)
    with wrong_type("s="):
        schedule(1.0)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("field", "least", "make"),
    [
        ("r", 1, lambda: bkt_round_level(TENTH, 0)),
        ("block", 1, lambda: block_level(TENTH, 0, 4)),
        ("whole", 2, lambda: block_level(TENTH, 1, 1)),
        ("L", 1, lambda: merge_level(TENTH, 0)),
        ("H", 1, lambda: known_horizon_level(0)),
    ],
)
def test_other_counts_below_their_least_are_refused(
    field: str, least: int, make: Callable[[], Confidence]
) -> None:
    with refused(field, f"whole number of {least} or more"):
        make()


@pytest.mark.parametrize(
    "wrongly_typed",
    [
        lambda: bkt_round_level("1/10", 1),  # type: ignore[arg-type]
        lambda: block_level("1/10", 1, 2),  # type: ignore[arg-type]
        lambda: merge_level("1/10", 1),  # type: ignore[arg-type]
        lambda: known_horizon_level("9"),  # type: ignore[arg-type]
    ],
)
def test_arguments_of_a_wrong_type_are_refused(wrongly_typed: Callable[[], Confidence]) -> None:
    with pytest.raises(WrongType, match="violates type hint"):
        wrongly_typed()


def test_the_factor_6_over_pi_squared_is_applied_once() -> None:
    with refused("delta", "must be a rational level"):
        bkt_round_level(BASEL, 1)
    with refused("epsilon", "must be a rational level"):
        block_level(BASEL, 1, 2)
    with refused("epsilon", "must be a rational level"):
        merge_level(BASEL, 1)


def test_a_block_cannot_get_more_than_everything() -> None:
    with refused("confidence", "strictly between 0 and 1"):
        block_level(Confidence.of("0.9"), 10, 2)
