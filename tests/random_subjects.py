"""Implementations that go wrong, where a number does not fit or otherwise: light to import."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tgite_conform.algorithms import Maker
from tgite_laws.implementation import REFERENCE

RIGHT = Maker(REFERENCE)


def double_horizon(algorithm: str, parameters: Mapping[str, object]) -> Any:
    """Keep H as a float."""
    return RIGHT(algorithm, _changed(parameters, "H", lambda H: int(float(H))))


_runs = 0


def leaking(algorithm: str, parameters: Mapping[str, object]) -> Any:
    """Answer the first runs right; after them play by what an earlier one left behind."""
    global _runs
    _runs += 1
    late = {"arguments": "later-first"} if _runs > 3 else {}
    return RIGHT(algorithm, _changed(parameters, "conventions", lambda by: {**by, **late}))


def one_arm_less(algorithm: str, parameters: Mapping[str, object]) -> Any:
    """Leave an arm out."""
    return RIGHT(algorithm, _changed(parameters, "S", lambda S: S[:-1]))


def _changed(parameters: Mapping[str, object], name: str, change: Any) -> dict[str, object]:
    changed = {name: change(parameters[name])} if name in parameters else {}
    return {**parameters, **changed}
