"""What the tests say of a refused input: the one typed error, its field and its rule."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tgite.errors import InvalidInput, WrongType


@contextmanager
def refused(field: str, rule: str, kind: type[InvalidInput] = InvalidInput) -> Iterator[None]:
    """Expect exactly ``kind``, naming ``field``, its value and a rule that contains ``rule``."""
    with pytest.raises(InvalidInput) as caught:
        yield
    error = caught.value
    assert type(error) is kind
    assert error.field == field
    assert rule in error.rule
    assert str(error).startswith(f"{field} = ")
    assert str(error).endswith(error.rule)


@contextmanager
def wrong_type(*named: str) -> Iterator[None]:
    """Expect the error for an argument of the wrong type, which names the argument."""
    with pytest.raises(WrongType) as caught:
        yield
    for name in named:
        assert name in str(caught.value)
