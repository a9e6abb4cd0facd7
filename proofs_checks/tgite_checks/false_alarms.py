"""The false-alarm budget of an audit, and each statistical check's share of it.

If everything is right, a run of the whole audit fails with probability at most :data:`BUDGET`. Each
statistical check has a share by its name, and a test adds the shares up. The rest is reserved for
future checks.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from tgite.errors import InvalidInput

BUDGET = 1e-6
"""The most probability, per run, that a statistical check fails although everything is right."""

SEED = 20_261_127
"""The default first seed of all sampled runs, so that a run can be repeated."""

SHARES = {
    "dueltest-sampled": 1e-7,
    "budgeted-sampled": 1e-7,
    "bkt-sampled": 1e-7,
    "treeascent-sampled": 1e-7,
}
"""Each statistical check's probability of failing although everything is right."""


def alpha_of(check: str) -> float:
    """Return the share of a check; raise :class:`~tgite.errors.InvalidInput` if it has none."""
    if check not in SHARES:
        raise InvalidInput("check", check, "has no share of the false-alarm budget")
    return SHARES[check]


_first_seed: ContextVar[int] = ContextVar("first seed", default=SEED)


def first_seed() -> int:
    """Return the seed of the first sampled run; further runs have the next seeds."""
    return _first_seed.get()


@contextmanager
def sampling_from(seed: int) -> Iterator[None]:
    """Change the first seed of sampled runs within this context."""
    before = _first_seed.set(seed)
    try:
        yield
    finally:
        _first_seed.reset(before)
