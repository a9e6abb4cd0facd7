"""Implementations that say, ask or return something odd: the conformance kit says what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from tgite import Duel
from tgite_conform.algorithms import ALGORITHMS, reference


def changing(
    name: str, change: Callable[[Any], object], algorithm: str, parameters: Mapping[str, Any]
) -> Any:
    """Play with a parameter changed, where there is one of that name."""
    changed = {name: change(parameters[name])} if name in parameters else {}
    return reference(algorithm, {**parameters, **changed})


folding = partial(changing, "conventions", lambda by: {**by, "pairing": "fold"})
only_folding = partial(folding)
only_folding.conventions = {"pairing": ["fold"]}  # type: ignore[attr-defined]
double_horizon = partial(changing, "H", lambda H: int(float(H)))
one_arm_less = partial(changing, "S", lambda S: S[:-1])

_runs = 0


def leaking(algorithm: str, parameters: Mapping[str, Any]) -> Any:
    """Answer the first runs right; after them play by what an earlier one left behind."""
    global _runs
    _runs += 1
    late = {"arguments": "later-first"} if _runs > 3 else {}
    return changing("conventions", lambda by: {**by, **late}, algorithm, parameters)


def only_bkt(algorithm: str, parameters: Mapping[str, Any]) -> Any:
    """Have BKT only."""
    if algorithm != "bkt":
        raise NotImplementedError
    return reference(algorithm, parameters)


def crashing(algorithm: str, parameters: Mapping[str, Any]) -> Any:
    """Crash with a message that XML cannot hold and a terminal would take as a command."""
    raise RuntimeError("\x1b]0;title\x07 \x00\x01 <&> \ufffe")


def crashing_on_zero(algorithm: str, parameters: Mapping[str, Any]) -> Iterator[object]:
    """Refuse some bad inputs by ``ValueError``, and crash on a level whose denominator is 0."""
    above, _, below = str(parameters["delta"]).partition("/")
    int(above) % int(below or 1)
    yield (parameters["u"], parameters["v"])


def ending_inside(algorithm: str, parameters: Mapping[str, Any]) -> Any:
    """Let an error of Python's own pass: it says only where the kit was."""
    stream = reference(algorithm, parameters)
    asked: Any = next(stream)
    while True:
        asked = stream.send((yield asked))


def taking_one(algorithm: str) -> Any:
    """Take too few arguments."""
    return reference(algorithm, {})


def forgetting(algorithm: str, parameters: Mapping[str, Any]) -> Any:
    """Forget to return what was found."""
    yield from reference(algorithm, parameters)


def printing(algorithm: str, parameters: Mapping[str, Any]) -> Any:
    """Print while it plays."""
    print("a line of mine")
    return reference(algorithm, parameters)


def _asking(change: Callable[[int], object], algorithm: str, parameters: Mapping[str, Any]) -> Any:
    stream, reply = reference(algorithm, parameters), None
    while True:
        try:
            asked = stream.send(reply)
        except StopIteration as stop:
            return change(stop.value)
        assert isinstance(asked, Duel)
        reply = yield change(asked.first), change(asked.second)


asking_numpy = partial(_asking, np.int64)
asking_floats = partial(_asking, float)


def printing_floats(algorithm: str, parameters: Mapping[str, Any]) -> Any:
    """Print, and ask with floating-point numbers."""
    print("now playing", algorithm)
    return asking_floats(algorithm, parameters)


def undeclared(algorithm: str, parameters: Mapping[str, Any]) -> Any:
    """Declare nothing, and play the paper's tests only."""
    assert ALGORITHMS[algorithm].test.of_the_paper
    return reference(algorithm, parameters)


def hanging(algorithm: str, parameters: Mapping[str, Any]) -> Any:
    """Hang at once."""
    while True:
        pass
