"""What cannot be used is refused at once, before any duel: by one error that names the field."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

import tgite
from refusals import refused, wrong_type
from tgite import (
    BalancedTree,
    CallbackEnvironment,
    Confidence,
    beyond,
    confidence,
    cyclic,
    errors,
    preferences,
    questions,
    schedules,
)
from tgite.playing import matrices
from tgite_laws import lower_bound, pairwise

ROWS = tomllib.loads(Path(__file__).with_name("refusals.toml").read_text("utf-8"))
MODULES = (confidence, errors, preferences, questions, schedules, matrices, lower_bound, pairwise)
NAMES = {
    name: value for module in (*MODULES, beyond, tgite) for name, value in vars(module).items()
} | {
    "Path": Path,
    "Fraction": Fraction,
    "TENTH": Confidence.of("1/10"),
    "BASEL": Confidence.of("1/10 * 6/pi^2"),
    "G": Fraction(1, 10),
    "TREE": BalancedTree.over(5),
    "EIGHT": BalancedTree.over(8),
    "SIX": cyclic(6, "0.3", "0.4"),
    "FIRST_WINS": CallbackEnvironment(lambda u, v: True),
}


@pytest.mark.parametrize(("text", "field", "rule"), ROWS["refused"])
def test_an_input_that_cannot_be_used_is_refused(text: str, field: str, rule: str) -> None:
    with refused(field, rule):
        eval(text, NAMES)


@pytest.mark.parametrize(("text", "named"), ROWS["wrong_type"])
def test_an_argument_of_a_wrong_type_is_refused(text: str, named: str) -> None:
    with wrong_type(named):
        eval(text, NAMES)


@pytest.mark.parametrize("text", ROWS["no_levels"])
def test_a_level_lies_strictly_between_0_and_1(text: str) -> None:
    with refused("confidence", "strictly between 0 and 1"):
        Confidence.of(text)


@pytest.mark.parametrize("text", [*ROWS["no_numbers"], float("nan"), float("inf")])
def test_other_texts_are_no_numbers(text: str | float) -> None:
    with refused("confidence", "must be a number"):
        Confidence.of(text)
    with refused("x", "must be a finite number"):
        confidence.read_number("x", text)


@pytest.mark.parametrize("text", [*ROWS["no_numbers_of_levels"], True])
def test_some_are_none_of_levels(text: str | bool) -> None:
    with refused("confidence", "must be a number"):
        Confidence.of(text)


@pytest.mark.parametrize("arm", [-1, 0.0, True, "0", None])
@pytest.mark.parametrize(
    ("field", "text"),
    [
        *(("u", "Duel(arm, 3)"), ("v", "Duel(3, arm)"), ("u", "Match(arm, 3, TENTH)")),
        *(("arm", "SelfPlay(arm, 1)"), ("arm", "Incumbent(arm)")),
    ],
)
def test_arms_are_whole_numbers(field: str, text: str, arm: object) -> None:
    with refused(field, "whole number of 0 or more"):
        eval(text, NAMES | {"arm": arm})
