"""Implementations that go wrong only where a number does not fit, for the tests of random cases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tgite_checks.conformance.algorithms import Maker
from tgite_checks.implementation import REFERENCE

RIGHT = Maker(REFERENCE)


def double_horizon(algorithm: str, parameters: Mapping[str, object]) -> Any:
    """Keep H as a float."""
    return RIGHT(algorithm, _changed(parameters, "H", lambda H: int(float(H))))


def _changed(parameters: Mapping[str, object], name: str, change: Any) -> dict[str, object]:
    changed = {name: change(parameters[name])} if name in parameters else {}
    return {**parameters, **changed}
