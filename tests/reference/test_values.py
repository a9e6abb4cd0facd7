"""Values written out by hand: ``values.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import FrozenInstanceError
from itertools import chain
from pathlib import Path

import pytest
from test_refusals import NAMES

from tgite import PreferenceMatrix

ROWS = tomllib.loads(Path(__file__).with_name("values.toml").read_text("utf-8"))
KNOWN = NAMES | {
    "MIDDLE_BEST": PreferenceMatrix.of(
        [["0.5", "0.3", "0.45"], ["0.7", "0.5", "0.6"], ["0.55", "0.4", "0.5"]]
    )
}


@pytest.mark.parametrize(("text", "value"), [*chain(*ROWS.values())])
def test_a_value_is_that_written_out(text: str, value: str) -> None:
    assert eval(text, KNOWN) == eval(value.strip(), KNOWN)


@pytest.mark.parametrize(("text", "field"), [("TENTH", "rational"), ("TREE", "leaves")])
def test_values_cannot_be_changed(text: str, field: str) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(KNOWN[text], field, None)
