"""The one place where the false-alarm budget of a run is split among the statistical checks.

A run of the whole audit may fail, though all is right, with probability at most :data:`BUDGET`. A
statistical check draws its share here, by its name; a test adds the shares up. What is not given
away is left for checks to come.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from tgite.errors import InvalidInput

BUDGET = 1e-6
"""The probability, per run, that some statistical check fails though all is right."""

SEED = 20_261_127
"""Where the seeds of all sampled runs start, unless asked otherwise: a run can be repeated."""

SHARES = {
    "dueltest-sampled": 1e-7,
    "budgeted-sampled": 1e-7,
    "bkt-sampled": 1e-7,
    "treeascent-sampled": 1e-7,
}
"""Each statistical check's probability to fail though all is right."""


def alpha_of(check: str) -> float:
    """Return the share of a check; raises :class:`~tgite.errors.InvalidInput` without one."""
    if check not in SHARES:
        raise InvalidInput("check", check, "has no share of the false-alarm budget")
    return SHARES[check]


_first_seed: ContextVar[int] = ContextVar("first seed", default=SEED)


def first_seed() -> int:
    """Return the seed of the first sampled run; the others follow it, one by one."""
    return _first_seed.get()


@contextmanager
def sampling_from(seed: int) -> Iterator[None]:
    """Have sampled runs start at another seed within the context."""
    before = _first_seed.set(seed)
    try:
        yield
    finally:
        _first_seed.reset(before)
