"""What is said of the comparators."""

from __future__ import annotations

from importlib import import_module

import pytest

from tgite import InvalidInput, PreferenceMatrix, cyclic, example
from tgite.comparators.facts import COMPARATORS, facts, no_total_order, objection


def test_every_entry_has_a_module_that_says_the_same() -> None:
    assert len({entry.name for entry in COMPARATORS}) == len(COMPARATORS) == 17
    for entry in COMPARATORS:
        text = import_module(f"tgite.comparators.{entry.module}").__doc__ or ""
        assert ("reconstruction" in text) == entry.reconstruction, entry.name
        assert "Tie policy" in text, entry.name
        assert "ource" in text, entry.name
        assert ("our reconstruction" in entry.full_name) == entry.reconstruction


def test_invalid_on_cycles_is_said() -> None:
    cycle = cyclic(8, "0.3", "0.38")
    assert {entry.name for entry in COMPARATORS if objection(entry.name, cycle)} == {
        "Beat-the-Mean",
        "Interleaved Filter 2",
    }
    assert "cycles" in objection("Beat-the-Mean", cycle)


def test_total_orders() -> None:
    order = PreferenceMatrix.of(
        [["0.5", "0.6", "0.7"], ["0.4", "0.5", "0.6"], ["0.3", "0.4", "0.5"]]
    )
    assert no_total_order(order) == ""
    assert objection("Beat-the-Mean", order) == ""
    assert no_total_order(cyclic(2, "0.1", "0.1")) == ""
    assert no_total_order(example("arxiv6")) != ""  # two arms tie
    assert no_total_order(cyclic(4, "0.1", "0.1")) != ""


def test_unknown_name() -> None:
    with pytest.raises(InvalidInput):
        facts("WS")
