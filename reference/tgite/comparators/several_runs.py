"""Several runs of a comparator at once, each with a random generator of its own.

A round of some comparators is a few operations on short arrays, and most of its time goes into
calling numpy. These comparators are therefore written for several runs at once: their arrays have a
row for each run. A row gets the same operations as a run by itself. A single run is the case of one
row.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Sequence
from typing import Never, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tgite.comparators.ties import one_round
from tgite.questions import Arm, Duel, Outcome, SelfPlay, Stream

Together: TypeAlias = Generator[tuple[list[Arm], list[Arm]], Sequence[Outcome | None], Never]
"""A stream for several runs: yields a round (i, j) of each run, and is sent whether i won in each.

The outcome of a run that compares an arm with itself is ``None``.
"""


def alone(together: Together) -> Stream[Duel | SelfPlay, Outcome | None, Never]:
    """Return the stream of a single run."""
    (i,), (j,) = next(together)
    while True:
        i_wins = yield from one_round(i, j)
        (i,), (j,) = together.send((i_wins,))


def uniform_numbers(choices: Sequence[random.Random]) -> NDArray[np.float64]:
    """Return the next uniform number of each run."""
    return np.array([one.random() for one in choices])


def first_above(cumulated: NDArray[np.float64], numbers: NDArray[np.float64]) -> list[Arm]:
    """Return for each run the first place whose cumulated weight lies above the run's number."""
    places: list[Arm] = (cumulated > numbers[:, None]).argmax(axis=1).tolist()
    return places
