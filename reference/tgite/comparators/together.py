"""Several runs of a comparator at once, each with a random generator of its own.

The rounds of some comparators are a few operations on arrays of numbers, so short that most of
their time would go into calling numpy. They are written for several runs: arrays have a row for
each run, and what happens in a row is what happens in a run by itself, operation by operation. A
single run is the case of one row.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Sequence
from typing import Never, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tgite.comparators.ties import one_round
from tgite.questions import Duel, Outcome, SelfPlay, Stream

Arms: TypeAlias = NDArray[np.intp]
"""An arm of each run."""

Together: TypeAlias = Generator[tuple[Arms, Arms], NDArray[np.bool_], Never]
"""A stream for several runs: asks for a round (i, j) of each, and is told where i won.

What it is told of a run that compares an arm with itself means nothing.
"""


def alone(together: Together) -> Stream[Duel | SelfPlay, Outcome | None, Never]:
    """Return the stream of a single run."""
    (i,), (j,) = next(together)
    while True:
        i_wins = yield from one_round(int(i), int(j))
        (i,), (j,) = together.send(np.array([i_wins is True]))


def uniform_numbers(choices: Sequence[random.Random]) -> NDArray[np.float64]:
    """Return the next uniform number of each run."""
    return np.array([one.random() for one in choices])


def first_above(cumulated: NDArray[np.float64], numbers: NDArray[np.float64]) -> Arms:
    """Return for each run the first place whose cumulated weight lies above the run's number."""
    places: Arms = (cumulated > numbers[:, None]).argmax(axis=1)
    return places
