"""Implementations that say, ask or return something odd: the conformance kit says what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from tgite import Duel
from tgite_conform.algorithms import ALGORITHMS, reference


def folding(algorithm: str, parameters: Mapping[str, Any]) -> Any:
    """Pair the first arm with the last, whatever the case says."""
    by = {**parameters["conventions"], "pairing": "fold"}
    return reference(algorithm, {**parameters, "conventions": by})


only_folding = partial(folding)
only_folding.conventions = {"pairing": ["fold"]}  # type: ignore[attr-defined]


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


def crashing_later(algorithm: str, parameters: Mapping[str, Any]) -> Iterator[object]:
    """Crash after 7 duels."""
    for _ in range(7):
        yield (0, 1)
    raise KeyError("mine")


def ending_inside(algorithm: str, parameters: Mapping[str, Any]) -> Any:
    """Let an error of Python's own pass: it says only where the kit was."""
    stream = reference(algorithm, parameters)
    asked: Any = next(stream)
    while True:
        asked = stream.send((yield asked))


def ending_python(algorithm: str, parameters: Mapping[str, Any]) -> Any:
    """End Python."""
    raise SystemExit(0)


def taking_one(algorithm: str) -> Any:
    """Take too few arguments."""
    return reference(algorithm, {})


def forgetting(algorithm: str, parameters: Mapping[str, Any]) -> Any:
    """Forget to return what was found."""
    yield from reference(algorithm, parameters)


def asking_lists(algorithm: str, parameters: Mapping[str, Any]) -> Any:
    """Ask for a duel as a list."""
    yield [0, 1]


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
asking_strings = partial(_asking, str)
asking_bools = partial(_asking, lambda arm: arm == 1)
asking_nothing = partial(_asking, lambda arm: None)


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
