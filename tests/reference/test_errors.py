"""The one kind of error for unusable input, and the checks that raise it."""

from __future__ import annotations

import pytest

from tgite import NoCondorcetWinner
from tgite.checked import checked
from tgite.errors import InvalidInput, InvalidReply, TapeMismatch, WrongType, require_whole_number


def test_an_invalid_input_names_field_value_and_rule() -> None:
    error = InvalidInput("N", 7, "must be even")
    assert (error.field, error.value, error.rule) == ("N", 7, "must be even")
    assert str(error) == "N = 7: must be even"


def test_text_is_shown_without_quotes_and_long_values_are_cut() -> None:
    assert str(InvalidInput("g", "3/4", "too large")) == "g = 3/4: too large"
    shown = str(InvalidInput("S", list(range(1000)), "too long"))
    assert len(shown) < 120
    assert "..." in shown


@pytest.mark.parametrize("kind", [InvalidReply, TapeMismatch, NoCondorcetWinner, WrongType])
def test_every_error_of_the_package_is_an_invalid_input(kind: type[Exception]) -> None:
    assert issubclass(kind, InvalidInput)
    assert issubclass(kind, ValueError)


def test_wrong_type_is_a_type_error_that_shows_the_argument() -> None:
    @checked
    def half(n: int) -> float:
        return n / 2

    assert half(4) == 2
    with pytest.raises(TypeError) as caught:
        half("four")  # type: ignore[arg-type]
    assert isinstance(caught.value, WrongType)
    assert caught.value.field == "argument"
    assert "n='four'" in caught.value.rule.replace('"', "'")


def test_no_condorcet_winner_shows_the_cycle_with_names() -> None:
    error = NoCondorcetWinner((2, 0, 1), ("a", "b", "c"))
    assert error.cycle == (2, 0, 1)
    assert "c >= a >= b >= c" in str(error)


def test_the_least_whole_number_is_allowed() -> None:
    require_whole_number("n", 1, at_least=1)
    require_whole_number("n", 10**30, at_least=1)
